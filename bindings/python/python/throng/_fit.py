"""Fits: values of keys with which a scenario moves like recorded tracks."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Literal

import numpy as np

from throng import _native, _progress, _tracks
from throng._results import Results


@dataclass(frozen=True)
class Fit:
    """The outcome of `fit`.

    Attributes
    ----------
    values : dict of str to number
        The values of the best point, to be used as overrides: ``World.from_file(path, **fit.values)``.
    distance : float
        Its distance from the tracks.
    intervals : dict of str to (low, high)
        The interval of each key with 95 % confidence, if it is wanted; None where the tracks do not bound the value inside
        of its range, and within a fifth of it.
    points : Results
        All points, the best first: the keys and the ``distance``.
    patterns : Results
        One row for each pattern: ``pattern``, its mean in the tracks (``recorded``) and in the runs of the best point
        (``run``), the distances ``wasserstein``, ``relative`` and ``kolmogorov_smirnov``, and the ``unit`` of the first
        three. Empty if persons are compared.
    persons : Results
        One row for each run with one simulated person, if persons are compared: the ``id`` in the tracks, the ``seed``,
        the ``seconds`` of the track, and how far both differ: ``place`` on average and ``end`` at the end of the track,
        ``speed`` over a second, ``late`` at the last place (NaN without an arrival), and the shares of the time in which
        its body overlaps another (``overlap``) and in which the recorded one would (``recorded_overlap``).
    """

    values: dict[str, float]
    distance: float
    intervals: dict[str, tuple[float, float] | None]
    points: Results
    patterns: Results
    persons: Results


def fit(
    path: str | os.PathLike[str],
    tracks: _tracks.Tracks | Sequence[_tracks.Tracks],
    vary: Mapping[str, tuple[float, float]] | None = None,
    *,
    patterns: Sequence[str] = (),
    species: str | None = None,
    start: int = 0,
    every: int | None = None,
    frames: int | None = None,
    seeds: int = 1,
    points: int = 100,
    interval: bool = False,
    frame_seconds: float | None = None,
    persons: int | Literal["all"] | None = None,
    overrides: Mapping[str, object] | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Fit:
    """Compare a scenario with recorded tracks, and seek the values of keys with which both move most alike.

    It runs the same points as `throng fit`.

    Parameters
    ----------
    path : str or path
        The scenario file.
    tracks : path, table, or list of them
        The trajectory: a file that `throng fit` reads (.csv, .txt, .sqlite, .parquet) or HDF5 of the pedestrian data
        archive (.h5, with h5py); a data frame of pandas or polars or a dictionary of arrays with the columns of such a
        file; or trajectories of PedPy. A list has several recordings.
    vary : mapping of str to (low, high), optional
        The ranges of the keys; two whole numbers are a range of whole numbers. Without it the scenario is compared as
        it is.
    patterns : sequence of str
        Some of ``order``, ``spacing``, ``speed``, ``turning`` and ``correlation``; all that the tracks have by default.
    species : str, optional
        The species to compare; all agents by default.
    start : int
        The tick with which the first frame is compared.
    every : int, optional
        The ticks between frames; by default from the times in the file.
    frames : int, optional
        The frames of a run; by default the number in the tracks.
    seeds : int
        The number of seeds of each point.
    points : int
        The largest number of points.
    interval : bool
        Whether to estimate the interval of each key: it takes 12 further points for one key, 24 for two, 40 for three.
    frame_seconds : float, optional
        The time between two consecutive numbers of frames, of tables.
    persons : int or "all", optional
        Compares persons instead of patterns: this number of them, each simulated by itself among the others, which
        follow their tracks. The distance is then the mean of ``place``.
    overrides : mapping, optional
        Keys of all runs.
    progress : bool or callable
        Whether to show a bar, or a function of the numbers of finished and of all ticks.

    Returns
    -------
    Fit
        The best values, all points, and the patterns.

    Raises
    ------
    ScenarioError
        If the scenario is refused at an end of a range.
    ValueError
        If the tracks cannot be read, or a part of the design is wrong.

    Warns
    -----
    ThrongWarning
        For parts of the tracks that are not read, or are guesses.
    """
    ranges = [
        (key, float(low), float(high), isinstance(low, int) and isinstance(high, int))
        for key, (low, high) in (vary or {}).items()
    ]
    with _tracks.files(tracks, frame_seconds) as files:
        design = _native.Fit(
            os.fspath(path), _native.overrides(dict(overrides or {})), files, ranges, list(patterns), species, start, every,
            frames, seeds, points, 2**64 - 1 if isinstance(persons, str) else persons, interval,
        )
    for note in design.notes:
        warnings.warn(note, _native.ThrongWarning, stacklevel=2)
    show = _progress.show if progress is True else progress or None
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(design.run)
        try:
            while not wait([future], timeout=0.1).done:
                if show is not None:
                    show(design.done, design.ticks)
        finally:
            # After an interrupt the search ends too.
            design.stop()
    found, compared, replayed, ends = future.result()
    columns = {
        key: np.asarray([int(point[place]) if whole else point[place] for point, _distance in found])
        for place, (key, _low, _high, whole) in enumerate(ranges)
    }
    columns["distance"] = np.asarray([distance for _point, distance in found])
    rows = {"pattern": np.asarray([name for name, _unit, _numbers in compared])}
    for place, name in enumerate(("recorded", "run", "wasserstein", "relative", "kolmogorov_smirnov")):
        rows[name] = np.asarray([numbers[place] for _name, _unit, numbers in compared])
    rows["unit"] = np.asarray([unit for _name, unit, _numbers in compared])
    each = {
        "id": np.asarray([person[0] for person in replayed], dtype=np.uint64),
        "seed": np.asarray([person[1] for person in replayed], dtype=np.uint64),
        "seconds": np.asarray([person[2] for person in replayed], dtype=np.float64),
    }
    units = {"seconds": "s"}
    for place, (name, unit) in enumerate(_native.Fit.numbers()):
        each[name] = np.asarray([person[3][place] for person in replayed], dtype=np.float64)
        units[name] = unit
    best = {key: columns[key][0].item() for key, _low, _high, _whole in ranges}
    intervals = dict(zip(best, ends, strict=True)) if interval else {}
    return Fit(best, float(columns["distance"][0]), intervals, Results(columns, {}), Results(rows, {}), Results(each, units))
