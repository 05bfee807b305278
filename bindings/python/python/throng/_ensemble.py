"""Ensembles: many worlds that advance together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from throng import _native, _nearest
from throng._native import World
from throng._nearest import Nearest
from throng._results import Results, name_of, units_of

_ALL = ("mean", "sd", "se")


class Ensemble:
    """Worlds that advance together, in parallel and without Python in between.

    Each world has the bits that it has by itself. Arrays of all worlds have one row per world, in which agents are in
    ascending order of their ids; they need worlds with equal numbers of agents.

    Parameters
    ----------
    worlds : sequence of World
        The worlds. The ensemble keeps a copy of each, to which `reset` returns.
    build : callable, optional
        A function that builds the world of a seed, for `reset`.
    """

    def __init__(self, worlds: Sequence[World], *, build: Callable[[int], World] | None = None) -> None:
        if not worlds:
            raise ValueError("an ensemble must have a world")
        self._worlds = list(worlds)
        self._build = build
        _native.prepare(self._worlds)
        self._starts = _native.copies(self._worlds, list(range(len(self._worlds))))

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, number: int) -> World:
        return self._worlds[number]

    def __iter__(self) -> Iterator[World]:
        return iter(self._worlds)

    def step(self, n: int = 1) -> None:
        """Advance every world by a number of ticks.

        Parameters
        ----------
        n : int
            The number of ticks.

        Raises
        ------
        ValueError
            If a world has rules that are functions of Python, which step one world at a time.
        """
        _native.advance(self._worlds, n, 1, [], None)

    def record(
        self, n: int, measures: Sequence[str], *, every: int = 1, radius: float | None = None
    ) -> Results:
        """Advance every world, and measure the ensemble.

        Parameters
        ----------
        n : int
            The number of ticks.
        measures : sequence of str
            Names of `throng.measures.names`; ``polarisation.bird`` measures one species.
        every : int
            The interval between records, in ticks.
        radius : float, optional
            The radius in metres of measures that need one.

        Returns
        -------
        Results
            One row for each record: ``tick`` (since this call), the mean of each measure over worlds, its standard
            deviation between worlds (``NAME_sd``) and the standard error of the mean (``NAME_se``). Worlds in which a
            measure is undefined are left out.
        """
        if every < 1:
            raise ValueError(f"every = {every}: must be at least 1")
        values = np.asarray(_native.advance(self._worlds, n, every, list(measures), radius))
        values = values.reshape(len(self), len(measures), n // every)
        columns: dict[str, npt.NDArray[Any]] = {"tick": np.arange(1, n // every + 1) * every}
        names = [name_of(measure) for measure in measures]
        for place, name in enumerate(names):
            of = np.where(np.isfinite(values[:, place]), values[:, place], np.nan)
            known = np.isfinite(of).sum(axis=0)
            with np.errstate(invalid="ignore", divide="ignore"):
                mean = np.nansum(of, axis=0) / known
                squares = np.nansum((of - mean) ** 2, axis=0) / (known - 1)
                deviation = np.where(known > 1, np.sqrt(squares), np.nan)
                columns |= {name: mean, f"{name}_sd": deviation, f"{name}_se": deviation / np.sqrt(known)}
        units = _native.units(list(measures), self._worlds[0].dimensions)
        return Results(columns, units_of(zip(names, units, strict=True), _ALL))

    def measure(self, name: str, *, radius: float | None = None, species: str | None = None) -> npt.NDArray[np.float64]:
        """Measure every world.

        Parameters
        ----------
        name : str
            One of `throng.measures.names`.
        radius : float, optional
            The radius in metres of a measure that needs one.
        species : str, optional
            The species to measure; all of them by default.

        Returns
        -------
        array of float64
            One value per world.
        """
        return np.asarray([_native.measure(world, name, radius, species) for world in self._worlds])

    def positions(self, species: str, *, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Copy the positions of all worlds, in metres.

        Parameters
        ----------
        species : str
            The name of the species.
        out : array of float32, optional
            The array to fill; a new one by default.

        Returns
        -------
        array of float32
            Of shape (worlds, agents, dimensions).
        """
        return self.column(species, "position", out=out)

    def velocities(self, species: str, *, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Copy the velocities of all worlds, in metres per second.

        Parameters
        ----------
        species : str
            The name of the species.
        out : array of float32, optional
            The array to fill; a new one by default.

        Returns
        -------
        array of float32
            Of shape (worlds, agents, dimensions).
        """
        return self.column(species, "velocity", out=out)

    def column(self, species: str, name: str, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Copy a column of all worlds.

        Parameters
        ----------
        species : str
            The name of the species.
        name : str
            The name of the column, or ``heading``: the direction in which agents look.
        out : array, optional
            The array to fill, contiguous and of the type of the column; a new one by default.

        Returns
        -------
        array
            Of shape (worlds, agents), and a further axis for the numbers of a wide column.

        Raises
        ------
        ValueError
            If the worlds have different numbers of agents, or `out` has another shape.
        """
        return _native.column(self._worlds, species, name, out)

    def nearest(
        self,
        species: str,
        count: int,
        *,
        among: str | Sequence[str] | None = None,
        radius: float | None = None,
        fill: float = float("nan"),
        out: Nearest | None = None,
    ) -> Nearest:
        """Find the nearest neighbours of every agent, across the seam of a periodic world.

        Parameters
        ----------
        species : str
            The species whose agents look.
        count : int
            The number of neighbours of an agent, nearest first. Ties are in the order of species and rows.
        among : str or sequence of str
            The species that they see, by name; ``SPECIES:STATE`` means its agents in a state, ``own`` their own
            species. All agents by default.
        radius : float, optional
            The largest distance in metres; any by default.
        fill : float
            The features in the places of neighbours that an agent lacks; NaN by default.
        out : Nearest, optional
            The answer of an earlier call, or arrays of your own, to fill; new ones by default.

        Returns
        -------
        Nearest
            Arrays of shape (worlds, agents, count) and more.

        Raises
        ------
        ValueError
            If the worlds have different numbers of agents, or an array of `out` has another shape.
        """
        if count < 1:
            raise ValueError(f"count = {count}: must be at least 1")
        reach = float("inf") if radius is None else float(radius)
        if not reach >= 0.0:
            raise ValueError(f"radius = {radius}: must be a number of metres, at least 0")
        world = self._worlds[0]
        for name in [] if among is None else [among] if isinstance(among, str) else among:
            kind, _, state = name.partition(":")
            exists = kind in world.species and (not state or state in world.state_names(kind))
            if name not in ("own", "all") and not exists:
                raise ValueError(f"among = {name!r}: must be own, all, SPECIES or SPECIES:STATE of {world.species}")
        shape = (len(self), world.count(species), count, world.dimensions)
        if out is None:
            out = _nearest.empty(*shape)
        else:
            _nearest.check(out, *shape)
        _native.nearest(self._worlds, species, count, among, reach, fill, (out.features, out.id, out.count))
        return out

    def rays(
        self, species: str, angles: npt.ArrayLike, reach: float, *, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Measure how far every agent sees up to walls and obstacles, along rays. Worlds have two dimensions.

        Closed doors end rays too. Agents and the edge of the world do not.

        Parameters
        ----------
        species : str
            The species whose agents look.
        angles : array-like
            The angle of each ray from the heading of the agent in degrees, to the left.
        reach : float
            The length of rays in metres; in a periodic world at most half of its extent.
        out : array of float32, optional
            The array to fill; a new one by default.

        Returns
        -------
        array of float32
            The distances in metres, of shape (worlds, agents, rays), to a part in 65 536 of `reach`: exactly `reach`
            where nothing is in the way. The angles of an agent without a heading begin at the x axis.

        Raises
        ------
        ValueError
            If `reach` or an angle is out of its range, or the world has three dimensions.
        """
        turns = np.atleast_1d(np.asarray(angles, np.float64))
        if turns.ndim > 1 or not len(turns) or not np.isfinite(turns).all():
            raise ValueError(f"angles = {angles!r}: must be finite numbers of degrees, at least one, for all agents alike")
        shape = (len(self), self._worlds[0].count(species), len(turns))
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape:
            raise ValueError(f"out: has the shape {out.shape}, and must have {shape}")
        _native.rays(self._worlds, species, turns.tolist(), reach, out)
        return out

    def write(self, species: str, column: str, array: npt.ArrayLike) -> None:
        """Write a column of all worlds: positions, velocities, goals, variables and others, see `World.write`.

        Parameters
        ----------
        species : str
            The name of the species.
        column : str
            The name of the column.
        array : array
            One row per world, as `column` returns it. NaN clears the goal of an agent.

        Raises
        ------
        ValueError
            If the shape is wrong; nothing has changed then. If a world refuses a value: the others are written.
        """
        rows = np.asarray(array)
        if rows.ndim == 0 or len(rows) != len(self):
            raise ValueError(f"the array must have one row for each of the {len(self)} worlds")
        _native.write(self._worlds, species, column, rows)

    def reset(self, which: npt.ArrayLike | None = None, seeds: Sequence[int] | None = None) -> None:
        """Put worlds back to their state at the start of the ensemble, or to the start of other seeds.

        Parameters
        ----------
        which : array-like, optional
            The numbers of the worlds, or a mask of all worlds, such as the episodes that ended; all by default.
        seeds : sequence of int, optional
            A seed for each of these worlds, which is then built again: it has the bits of
            ``World.from_file(path, **{"world.seed": seed})``, and later resets return to it.

        Raises
        ------
        ValueError
            If a number is out of its range or there twice, or the ensemble cannot build worlds.
        BufferError
            While a view of one of the worlds lives.
        """
        numbers = self._numbers(which)
        if len(set(numbers)) != len(numbers):
            raise ValueError(f"which = {which!r}: must have each world at most once")
        if seeds is not None:
            if len(seeds) != len(numbers):
                raise ValueError(f"seeds: {len(seeds)} numbers, and must be one for each of {len(numbers)} worlds")
            if self._build is None:
                raise ValueError("seeds: the ensemble needs `build` for them, which `throng.ensemble` gives")
            built = [self._build(int(seed)) for seed in seeds]
            _native.prepare(built)
            for number, start in zip(numbers, built, strict=True):
                self._starts[number] = start
        _native.restore(self._worlds, self._starts, numbers)

    def copy(self, which: npt.ArrayLike | None = None) -> Ensemble:
        """Copy worlds at their present tick, which then continue with the same bits.

        Parameters
        ----------
        which : array-like, optional
            The numbers of the worlds, or a mask; all by default. A number that is there several times gives several
            branches of a world.

        Returns
        -------
        Ensemble
            Its `reset` returns to the state of now.
        """
        numbers = self._numbers(which)
        return Ensemble(_native.copies(self._worlds, numbers), build=self._build)

    def _numbers(self, which: npt.ArrayLike | None) -> list[int]:
        """The numbers of worlds in an argument."""
        if which is None:
            return list(range(len(self)))
        given = np.atleast_1d(np.asarray(which))
        if given.dtype == np.bool_:
            if given.shape != (len(self),):
                raise ValueError(f"which: a mask of shape {given.shape}, and must be of {(len(self),)}")
            return [int(number) for number in np.flatnonzero(given)]
        are_numbers = given.ndim == 1 and given.dtype.kind in "iu"
        if given.size and not (are_numbers and given.min() >= 0 and given.max() < len(self)):
            raise ValueError(f"which = {which!r}: must be numbers of worlds, from 0 to {len(self) - 1}, or a mask")
        return [int(number) for number in given]


def ensemble(
    path: str | os.PathLike[str],
    worlds: int,
    *,
    first_seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Ensemble:
    """Build many worlds of a scenario, which differ in their seeds.

    Parameters
    ----------
    path : str or path
        The scenario file.
    worlds : int
        The number of worlds.
    first_seed : int, optional
        The first seed, after which each world has the next one; the scenario's by default.
    overrides : mapping, optional
        Keys of all worlds.

    Returns
    -------
    Ensemble
        At tick zero.

    Raises
    ------
    ScenarioError
        If the scenario is refused.

    Examples
    --------
    >>> flocks = throng.ensemble("flock.toml", worlds=100)             # doctest: +SKIP
    >>> flocks.record(600, ["polarisation"], every=60).pandas()        # doctest: +SKIP
    """
    if worlds < 1:
        raise ValueError(f"worlds = {worlds}: must be at least 1")
    keys = dict(overrides or {})
    design = _native.Sweep(
        os.fspath(path), _native.overrides(keys), [], 1, 0, first_seed, worlds, [], [], [], None, False
    )
    seeds = [design.values(number)[1] for number in range(worlds)]

    def build(seed: int) -> World:
        return World.from_file(path, **{**keys, "world.seed": seed})

    return Ensemble([build(seed) for seed in seeds], build=build)
