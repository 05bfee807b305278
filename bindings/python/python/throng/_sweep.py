"""Sweeps: a scenario for many values and seeds, side by side."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from throng import _native, _progress

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
        The number of runs at a time; by default one for each processor.
    progress : bool or callable
        Whether to show a bar, or a function of the numbers of finished and of all runs.

    Returns
    -------
    dict of str to array
        One row for each run: the varied keys, ``seed``, the mean of each measure, its standard deviation (``NAME_sd``),
        and ``state_hash``.

    Raises
    ------
    ScenarioError
        If a combination of values is refused.
    ValueError
        If there is nothing to run, or two combinations of values or the varied seed give the same runs.
    """
    if seeds < 1:
        raise ValueError(f"seeds = {seeds}: must be at least 1")
    keys = list(vary)
    varied = [(key, [_native.overrides({key: value}) for value in values]) for key, values in vary.items()]
    design = _native.Sweep(
        os.fspath(path), _native.overrides(dict(overrides or {})), varied, ticks, start, first_seed, seeds,
        list(measures), radius,
    )
    runs = [design.values(number) for number in range(design.runs)]
    show = _progress.show if progress is True else progress or None
    end = threading.Event()

    def run(number: int) -> tuple[list[tuple[float, float]], int] | None:
        return design.run(number, end.is_set)

    results: list[tuple[list[tuple[float, float]], int]] = []
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
        moments = np.asarray([measured[place] for measured, _hash in results]).reshape(-1, 2)
        table[name], table[f"{name}_sd"] = moments[:, 0], moments[:, 1]
    table["state_hash"] = np.asarray([f"{number:016x}" for _measured, number in results])
    return table
