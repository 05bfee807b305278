"""Sweeps: a scenario for many values and seeds, side by side."""

import itertools
import os
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from throng import _native, _progress
from throng._types import Run

_DEFAULT = ("polarisation", "mean_speed")


def sweep(
    path: str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    ticks: int,
    start: int = 0,
    seeds: int = 1,
    first_seed: int | None = None,
    measures: Sequence[str] = _DEFAULT,
    radius: float | None = None,
    overrides: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> dict[str, npt.NDArray[Any]]:
    """Run a scenario for every combination of values with every seed.

    The runs are those of `throng sweep`, and have the same hashes. Each takes one thread. A design that would run
    anything twice is refused, because copies would pass for independent runs.

    Parameters
    ----------
    path : str or path
        The scenario file.
    vary : mapping of str to sequence
        The values of each varied key, such as ``{"species.starling.max_speed": [8, 10]}``.
    ticks : int
        The number of ticks of a run.
    start : int
        The tick after which measures count.
    seeds : int
        The number of seeds.
    first_seed : int, optional
        The first of them; that of the scenario by default.
    measures : sequence of str
        Names of `throng.measures.names`.
    radius : float, optional
        The radius in metres of measures that need one.
    overrides : mapping, optional
        Keys of all runs.
    threads : int, optional
        The number of runs at a time, as for `set_threads`; by default one for each processor.
    progress : bool or callable
        Whether to show a bar, or a function of the numbers of finished and of all runs.

    Returns
    -------
    dict of str to array
        One row for each run: the varied keys, ``seed``, the mean of each measure, its standard deviation (``NAME_sd``),
        the agents with ``inexact`` neighbours and those ``quarantined``, summed over all ticks, those that ``left``
        (`World.faults`), and ``state_hash``.

    Raises
    ------
    ScenarioError
        If a combination of values is refused.
    ValueError
        If there is nothing to run, if two combinations of values or the varied seed give the same runs, or if there
        are too many threads.

    Warns
    -----
    ThrongWarning
        Once for each kind of `World.warnings`, with the number of runs.
    """
    if seeds < 1:
        raise ValueError(f"seeds = {seeds}: must be at least 1")
    if threads is not None:
        _native.check_threads(threads)
    keys = list(vary)
    varied = [(key, [_native.overrides({key: value}) for value in values]) for key, values in vary.items()]
    design = _native.Sweep(
        os.fspath(path), _native.overrides(dict(overrides or {})), varied, ticks, start, first_seed, seeds,
        list(measures), radius,
    )
    runs = [design.values(number) for number in range(design.runs)]
    show = _progress.show if progress is True else progress or None
    end = threading.Event()

    def run(number: int) -> Run | None:
        return design.run(number, end.is_set)

    results: list[Run] = []
    with ThreadPoolExecutor(os.cpu_count() if threads is None else threads) as pool:
        try:
            for result in pool.map(run, range(len(runs))):
                if result is not None:
                    results.append(result)
                if show is not None:
                    show(len(results), len(runs))
        finally:
            # After an error or an interrupt the other runs end too.
            end.set()
            pool.shutdown(wait=False, cancel_futures=True)
    table: dict[str, npt.NDArray[Any]] = {
        key: np.asarray([vary[key][values[place]] for values, _seed in runs]) for place, key in enumerate(keys)
    }
    table["seed"] = np.asarray([seed for _values, seed in runs])
    for place, name in enumerate(measures):
        moments = np.asarray([result[0][place] for result in results]).reshape(-1, 2)
        table[name], table[f"{name}_sd"] = moments[:, 0], moments[:, 1]
    for place, name in enumerate(("inexact", "quarantined", "left")):
        table[name] = np.asarray([result[2][place] for result in results], dtype=np.uint64)
    table["state_hash"] = np.asarray([f"{result[1]:016x}" for result in results])
    _warn([result[3] for result in results])
    return table


def _warn(warnings_of: list[list[tuple[str, str]]]) -> None:
    found: dict[str, list[str]] = {}
    for kind, text in itertools.chain.from_iterable(warnings_of):
        found.setdefault(kind, []).append(text)
    for texts in found.values():
        warnings.warn(f"{texts[0]} (in {len(texts)} of {len(warnings_of)} runs)", _native.ThrongWarning, stacklevel=3)
