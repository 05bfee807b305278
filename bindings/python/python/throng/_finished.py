"""The finished runs of a sweep in a file, from which an interrupted one continues."""

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from throng._types import Run


class Finished:
    """The finished runs of a sweep; with a path, they are kept in its file: a line of JSON for the design and each run."""

    def __init__(self, path: str | os.PathLike[str] | None, design: Mapping[str, Any]) -> None:
        self._runs: dict[int, Run] = {}
        self._lock = threading.Lock()
        self._path = None if path is None else Path(path)
        if self._path is None:
            return
        heading = json.dumps(design, sort_keys=True, default=str) + "\n"
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        # A line that was cut short is written again.
        lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
        if lines and lines[0] != heading or text and not lines:
            raise ValueError(f"{self._path}: holds the runs of another sweep; remove it, or save to another file")
        for line in lines[1:]:
            number, run = json.loads(line)
            self._runs[number] = tuple(run)
        self._path.write_text("".join(lines) or heading, encoding="utf-8")

    def get(self, number: int) -> Run | None:
        """A run that is finished."""
        return self._runs.get(number)

    def add(self, number: int, run: Run) -> None:
        """Keep a run."""
        if self._path is not None:
            with self._lock, self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([number, run]) + "\n")
