"""Recorded tracks of other libraries, written as the tables that the engine reads."""

import contextlib
import csv
import importlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

Tracks: TypeAlias = Any
"""A path, a data frame of pandas or polars, a mapping of columns, or trajectories of PedPy."""


@contextlib.contextmanager
def files(tracks: Tracks | Sequence[Tracks], frame_seconds: float | None) -> Iterator[list[str]]:
    """Return the files of one or several recordings; files of tables exist until the end."""
    if frame_seconds is not None and not frame_seconds > 0:
        raise ValueError(f"frame_seconds = {frame_seconds}: must be above zero")
    recordings = list(tracks) if isinstance(tracks, (list, tuple)) else [tracks]
    with tempfile.TemporaryDirectory(prefix="throng-") as folder:
        yield [_file(recording, Path(folder) / str(number), frame_seconds) for number, recording in enumerate(recordings)]


def _file(recording: Tracks, folder: Path, frame_seconds: float | None) -> str:
    name, table, rate = "table", recording, None if frame_seconds is None else 1.0 / frame_seconds
    if isinstance(recording, (str, os.PathLike)):
        path = Path(recording)
        if path.suffix.lower() not in (".h5", ".hdf5"):
            if frame_seconds is not None:
                raise ValueError("frame_seconds is the time between frames of tables; a file has its own")
            return os.fspath(recording)
        name, (table, own) = path.stem, _archive(path)
        rate = rate or own
    elif hasattr(recording, "frame_rate"):
        # PedPy's trajectories.
        table, rate = recording.data, rate or float(recording.frame_rate)
    names = [str(key) for key in (table.keys() if isinstance(table, Mapping) else table.columns)]
    columns = [np.asarray(table[key]) for key in names]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the columns of tracks have different lengths")
    folder.mkdir()
    file = folder / f"{name}.csv"
    with file.open("w", newline="", encoding="utf-8") as lines:
        if rate is not None:
            lines.write(f"# framerate: {rate:.12f}\n")
        table_of = csv.writer(lines)
        table_of.writerow(names)
        table_of.writerows(zip(*map(_fields, columns), strict=True))
    return os.fspath(file)


def _fields(column: np.ndarray[Any, Any]) -> list[Any]:
    """The values of a column; a missing one is an empty field, and a time has its date."""
    values = np.datetime_as_string(column) if column.dtype.kind == "M" else column
    return ["" if value is None or value != value or value == "NaT" else value for value in values.tolist()]


def _archive(path: Path) -> tuple[Mapping[str, Any], float]:
    """The table and the frame rate of an HDF5 file of the pedestrian data archive, which JuPedSim writes too."""
    with importlib.import_module("h5py").File(path, "r") as file:
        data = file.get("trajectory")
        columns = None if data is None else data.dtype.names
        if columns is None or "fps" not in data.attrs:
            raise ValueError(f"{path}: has no data set `trajectory` with the columns id, frame, x and y and a rate `fps`")
        rows = data[()]
        return {name: rows[name] for name in columns}, float(data.attrs["fps"])
