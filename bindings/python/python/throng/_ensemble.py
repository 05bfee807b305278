"""Ensembles: many worlds that advance together."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import World
from throng._results import Results, units_of

_ALL = ("mean", "sd", "se")


class Ensemble:
    """Worlds that advance together, in parallel and without Python in between.

    Each world has the bits that it has by itself. Arrays of all worlds have one row per world, in which agents are in
    ascending order of their ids; they need worlds with equal numbers of agents.

    Parameters
    ----------
    worlds : sequence of World
        The worlds.
    """

    def __init__(self, worlds: Sequence[World]) -> None:
        if not worlds:
            raise ValueError("an ensemble must have a world")
        self._worlds = list(worlds)

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
        for place, name in enumerate(measures):
            of = values[:, place]
            known = np.isfinite(of).sum(axis=0)
            with np.errstate(invalid="ignore", divide="ignore"):
                mean = np.nansum(of, axis=0) / known
                deviation = np.sqrt(np.nansum((of - mean) ** 2, axis=0) / (known - 1))
                columns |= {name: mean, f"{name}_sd": deviation, f"{name}_se": deviation / np.sqrt(known)}
        units = _native.units(list(measures), self._worlds[0].dimensions)
        return Results(columns, units_of(zip(measures, units, strict=True), _ALL))

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

    def positions(self, species: str) -> npt.NDArray[np.float32]:
        """Copy the positions of all worlds, in metres.

        Parameters
        ----------
        species : str
            The name of the species.

        Returns
        -------
        array of float32
            Of shape (worlds, agents, dimensions).
        """
        return self._stacked([world.positions(species, order="id") for world in self._worlds])

    def velocities(self, species: str) -> npt.NDArray[np.float32]:
        """Copy the velocities of all worlds, in metres per second.

        Parameters
        ----------
        species : str
            The name of the species.

        Returns
        -------
        array of float32
            Of shape (worlds, agents, dimensions).
        """
        return self._stacked([world.velocities(species, order="id") for world in self._worlds])

    def column(self, species: str, name: str) -> npt.NDArray[Any]:
        """Copy a column of all worlds.

        Parameters
        ----------
        species : str
            The name of the species.
        name : str
            The name of the column.

        Returns
        -------
        array
            Of shape (worlds, agents), and a further axis for the numbers of a wide column.
        """
        return self._stacked([world.column(species, name, order="id") for world in self._worlds])

    def write(self, species: str, column: str, array: npt.ArrayLike) -> None:
        """Write a column of all worlds, or positions or velocities: see `World.write`.

        Parameters
        ----------
        species : str
            The name of the species.
        column : str
            The name of the column.
        array : array
            One row per world, as `column` returns it.
        """
        rows = np.asarray(array)
        if rows.ndim == 0 or len(rows) != len(self):
            raise ValueError(f"the array must have one row for each of the {len(self)} worlds")
        for world, row in zip(self._worlds, rows, strict=True):
            world.write(species, column, row, order="id")

    def _stacked(self, arrays: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        agents = [len(array) for array in arrays]
        if len(set(agents)) > 1:
            raise ValueError(f"the worlds have from {min(agents)} to {max(agents)} agents: ask each of them")
        return np.stack(arrays)


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
    return Ensemble([World.from_file(path, **{**keys, "world.seed": seed}) for seed in seeds])
