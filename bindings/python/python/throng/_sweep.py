"""Sweeps: a scenario for many values and seeds, side by side."""

import itertools
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from throng import _native, _progress
from throng._finished import Finished
from throng._results import Results, name_of, units_of
from throng._types import Run

_DEFAULT = ("polarisation", "mean_speed")
_STATISTICS = ("mean", "sd")
_MOST_SEEDS = 100


def sweep(
    path: str | os.PathLike[str],
    vary: Mapping[Any, Sequence[Any]],
    *,
    ticks: int,
    start: int | Literal["auto"] = 0,
    seeds: int = 1,
    until: float | None = None,
    first_seed: int | None = None,
    measures: Sequence[str] = _DEFAULT,
    statistics: Sequence[str] = _STATISTICS,
    precision: Mapping[str, float] | None = None,
    radius: float | None = None,
    overrides: Mapping[str, Any] | None = None,
    threads: int | None = None,
    save: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Results:
    """Run a scenario for every combination of values with every seed.

    The runs are those of `throng sweep`, and have the same hashes. Each takes one thread. A design that would run
    anything twice is refused, because copies would pass for independent runs.

    Parameters
    ----------
    path : str or path
        The scenario file.
    vary : mapping of str, or of tuple of str, to sequence
        The values of each varied key, such as ``{"species.starling.max_speed": [8, 10]}``. Keys in a tuple move
        together: ``{("species.starling.count", "world.size"): [(100, [10, 10]), (400, [20, 20])]}``.
    ticks : int
        The number of ticks of a run, and the most with `precision`.
    start : int or "auto"
        The tick after which measures count; with ``"auto"``, the ticks are left out without which the error of the mean
        is the least (White 1997), at most half of them.
    seeds : int
        The number of seeds.
    until : float, optional
        Add seeds to each combination until further ones change its mean egress curve by less than this share, as
        `Convergence`; at most 100, and `seeds` has no effect.
    first_seed : int, optional
        The first of them; that of the scenario by default.
    measures : sequence of str
        Names of `throng.measures.names`; ``polarisation.bird`` measures one species. Measures of your own are
        expressions over the agents, such as ``"sick = mean(health == 1)"``. Also names of
        `throng.measures.outcomes`: one number of each run, such as ``exit_last`` or ``flow.door`` for the line ``door``
        of the scenario.
    statistics : sequence of str
        What to return of each measure: ``mean``, ``sd``, ``se`` (the standard error of the mean of ticks that depend on
        each other, NaN with a warning if the run is not long enough), ``inefficiency`` (ticks per independent value),
        ``binder``, ``susceptibility``. With several seeds, the spread over seeds is the error.
    precision : mapping of str to float, optional
        The errors of means at which a run ends, such as ``{"polarisation": 0.01}``, after at least 8192 ticks.
    radius : float, optional
        The radius in metres of measures that need one.
    overrides : mapping, optional
        Keys of all runs.
    threads : int, optional
        The number of runs at a time, as for `set_threads`; by default one for each processor.
    save : str or path, optional
        A file in which finished runs are kept. After an interruption the same call continues from it, and computes no
        run twice.
    progress : bool or callable
        Whether to show a bar, or a function of the numbers of finished and of all runs.

    Returns
    -------
    Results
        A dictionary of arrays with `units` and the methods `pandas` and `polars`. One row for each run: the varied
        keys, ``seed``, the mean of each measure, its other statistics (``NAME_sd``), each outcome,
        with ``start="auto"`` the ticks left out (``from``), with `precision` the ``ticks`` run,
        the agents with ``inexact`` neighbours and those ``quarantined``, summed over all ticks, those that ``left``
        (`World.faults`), and ``state_hash``.

    Raises
    ------
    ScenarioError
        If a combination of values is refused.
    ValueError
        If there is nothing to run, if two combinations of values or the varied seed give the same runs, if there are
        too many threads, or if the file of `save` has the runs of another sweep.

    Warns
    -----
    ThrongWarning
        Once for each kind of `World.warnings`, with the number of runs; once for each measure with an unknown ``se``,
        and why, or with a `precision` that a run did not reach; and once for each measure whose seeds differ by more than
        its ``se`` says.
    """
    if until is not None:
        seeds = _MOST_SEEDS
    if seeds < 1:
        raise ValueError(f"seeds = {seeds}: must be at least 1")
    if threads is not None:
        _native.check_threads(threads)
    if isinstance(start, str) and start != "auto":
        raise ValueError(f"start = {start!r}: must be a tick or 'auto'")
    groups = [(key if isinstance(key, tuple) else (key,), values) for key, values in vary.items()]
    points = [[_point(keys, value) for value in values] for keys, values in groups]
    keys = [key for names, _values in groups for key in names]
    if len(set(keys)) < len(keys):
        raise ValueError("a key is varied twice")
    varied = [
        (" & ".join(names), [_native.overrides(dict(zip(names, point, strict=True))) for point in of])
        for (names, _values), of in zip(groups, points, strict=True)
    ]
    # Errors are needed for the comparison of seeds.
    asked = [*statistics, *(["se"] if precision and "se" not in statistics else [])]
    design = _native.Sweep(
        os.fspath(path), _native.overrides(dict(overrides or {})), varied, ticks,
        None if start == "auto" else start, first_seed, seeds, list(measures), asked,
        list((precision or {}).items()), radius, until is not None,
    )
    first = {key: value for names, of in zip(groups, points, strict=True) for key, value in zip(names[0], of[0], strict=True)}
    finished = Finished(save, {} if save is None else {
        "version": _native.__version__, "scenario": Path(path).read_text(encoding="utf-8"), "varied": varied,
        "overrides": _native.overrides(dict(overrides or {})), "ticks": ticks, "start": start, "first_seed": first_seed,
        "seeds": seeds, "measures": list(measures), "statistics": list(statistics), "precision": dict(precision or {}),
        "radius": radius, "until": until, "first": _native.World.from_file(path, **{**(overrides or {}), **first}).state_hash(),
    })
    measures = [name_of(measure) for measure in measures]
    curves = [] if until is None else [_native.Convergence(until) for _ in range(design.runs // seeds)]
    runs = [design.values(number) for number in range(design.runs)]
    show = _progress.show if progress is True else progress or None
    end = threading.Event()

    def is_enough(number: int) -> bool:
        return bool(curves) and curves[number // seeds].is_reached

    def run(number: int) -> Run | None:
        if is_enough(number):
            return None
        result = finished.get(number)
        if result is None:
            result = design.run(number, end.is_set)
            if result is not None:
                finished.add(number, result)
        return result

    results: list[Run] = []
    rows: list[tuple[list[int], int]] = []
    with ThreadPoolExecutor(os.cpu_count() if threads is None else threads) as pool:
        try:
            # The results come in the order of runs, so the seeds that are needed do not depend on threads.
            for number, result in enumerate(pool.map(run, range(len(runs)))):
                if result is not None and not is_enough(number):
                    results.append(result)
                    rows.append(runs[number])
                    if curves:
                        curves[number // seeds].add(*result[5])
                if show is not None:
                    show(number + 1, len(runs))
        finally:
            # After an error or an interrupt the other runs end too.
            end.set()
            pool.shutdown(wait=False, cancel_futures=True)
    table: dict[str, npt.NDArray[Any]] = {}
    for place, (names, _values) in enumerate(groups):
        for at, key in enumerate(names):
            table[key] = np.asarray([points[place][values[place]][at] for values, _seed in rows])
    table["seed"] = np.asarray([seed for _values, seed in rows])
    if start == "auto":
        table["from"] = np.asarray([result[4][0] for result in results])
    if precision:
        table["ticks"] = np.asarray([result[4][1] for result in results])
    for place, (name, is_outcome) in enumerate(zip(measures, design.are_outcomes(), strict=True)):
        for at, statistic in enumerate(("mean",) if is_outcome else statistics):
            column = name if statistic == "mean" else f"{name}_{statistic}"
            table[column] = np.asarray([result[0][place][at] for result in results])
    for place, name in enumerate(("inexact", "quarantined", "left")):
        table[name] = np.asarray([result[2][place] for result in results], dtype=np.uint64)
    table["state_hash"] = np.asarray([f"{result[1]:016x}" for result in results])
    _warn([result[3] for result in results])
    if "mean" in asked and "se" in asked:
        values = [row_values for row_values, _seed in rows]
        for place, (name, is_outcome) in enumerate(zip(measures, design.are_outcomes(), strict=True)):
            if not is_outcome:
                found = [result[0][place] for result in results]
                _warn_of_seeds(name, values, [(of[asked.index("mean")], of[asked.index("se")]) for of in found])
    return Results(table, units_of(zip(measures, design.units(), strict=True), statistics))


def _warn_of_seeds(name: str, values: list[list[int]], runs: Iterable[tuple[float, float]]) -> None:
    groups: dict[tuple[int, ...], list[tuple[float, float]]] = {}
    for combination, run in zip(values, runs, strict=True):
        groups.setdefault(tuple(combination), []).append(run)
    differing = [times for times in map(_native.disagreement, groups.values()) if times is not None]
    if differing:
        text = (
            f"{name}: seeds differ by up to {max(differing):.1f} times the error of one run, in {len(differing)} of "
            f"{len(groups)} combinations: take the spread over seeds, or longer runs"
        )
        warnings.warn(text, _native.ThrongWarning, stacklevel=3)


def _point(keys: tuple[str, ...], value: Any) -> tuple[Any, ...]:
    if len(keys) == 1:
        return (value,)
    point = tuple(value)
    if len(point) != len(keys):
        raise ValueError(f"{', '.join(keys)}: {value!r} must have a value for each of the {len(keys)} keys")
    return point


def _warn(warnings_of: list[list[tuple[str, str]]]) -> None:
    found: dict[str, list[str]] = {}
    for kind, text in itertools.chain.from_iterable(warnings_of):
        found.setdefault(kind, []).append(text)
    for texts in found.values():
        warnings.warn(f"{texts[0]} (in {len(texts)} of {len(warnings_of)} runs)", _native.ThrongWarning, stacklevel=3)
