"""Measures of flocks and crowds at one tick.

Each function takes a world, and measures the agents of all species or of one. `throng.Recorder` has the series of a
run. The formulas are in the book of throng, on the page of measures.
"""

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import World
from throng._results import Results

__all__ = [
    "centre",
    "clusters",
    "correlation_length",
    "density",
    "error_of_mean",
    "fluctuation_exponent",
    "largest_cluster",
    "level_of_service",
    "local_density",
    "mean_cluster_size",
    "mean_speed",
    "measure",
    "milling",
    "names",
    "nearest_distance",
    "nearest_distances",
    "number_fluctuations",
    "outcomes",
    "overlap_depth",
    "overlaps",
    "pair_correlation",
    "polarisation",
    "slabs",
    "structure_factor",
    "velocity_correlation",
    "yielding",
]


def names() -> dict[str, str]:
    """List the measures that are one number per tick.

    Returns
    -------
    dict of str to str
        The help of each measure by its name.
    """
    return {name: help for name, _unit, help, _needs_radius in _native.measures()}


def outcomes() -> dict[str, str]:
    """List the numbers that a run of a crowd ends with, for `throng.sweep`.

    Returns
    -------
    dict of str to str
        The help of each outcome by its name: ``exit_last``, or ``flow.LINE`` for the flow through a line.
    """
    return {f"{name}.{item.upper()}" if item else name: help for name, _unit, help, item in _native.outcomes()}


def error_of_mean(values: npt.ArrayLike) -> tuple[float, float]:
    """Estimate the standard error of the mean of a series whose values depend on each other.

    It cannot include changes that are slower than the series; several runs with different seeds show these.

    Parameters
    ----------
    values : array-like
        The series, such as a column of `Recorder.table` after the start is forgotten. NaN is left out.

    Returns
    -------
    tuple of float
        The error, which is NaN if the series is not long enough, and the number of values that are worth one
        independent value.

    Examples
    --------
    >>> error, inefficiency = error_of_mean([0.1, 0.3, 0.2] * 480)
    >>> error < 0.01
    True
    """
    return _native.error_of_mean(np.asarray(values, np.float64).reshape(-1))


def level_of_service(density: float) -> str:
    """Grade a density of walking people (Fruin 1971).

    Parameters
    ----------
    density : float
        In people per square metre.

    Returns
    -------
    str
        From ``"A"`` (sparse) to ``"F"`` (dense).
    """
    return _native.level_of_service(density)


def measure(world: World, name: str, *, radius: float | None = None, species: str | None = None) -> float:
    """Compute a measure by its name.

    Parameters
    ----------
    world : World
        The world.
    name : str
        One of `names`, or an expression over the agents, such as ``"mean(speed > 1)"``.
    radius : float, optional
        The radius in metres of a measure that needs one.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        The value; NaN where the measure is undefined.
    """
    return _native.measure(world, name, radius, species)


def polarisation(world: World, *, species: str | None = None) -> float:
    """Compute the length of the mean heading: 1 in parallel, 0 at random.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        From 0 to 1; 0 without agents.
    """
    return _native.measure(world, "polarisation", None, species)


def milling(world: World, *, species: str | None = None) -> float:
    """Compute the mean rotation about the centre of the agents: 1 in a mill.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        From 0 to 1; 0 without agents.
    """
    return _native.measure(world, "milling", None, species)


def mean_speed(world: World, *, species: str | None = None) -> float:
    """Compute the mean speed in metres per second.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        0 without agents.
    """
    return _native.measure(world, "mean_speed", None, species)


def nearest_distance(world: World, *, species: str | None = None) -> float:
    """Compute the mean distance to the nearest neighbour in metres.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        NaN with fewer than two agents.
    """
    return _native.measure(world, "nearest_distance", None, species)


def nearest_distances(world: World, *, species: str | None = None) -> npt.NDArray[np.float32]:
    """Compute the distance of each agent to its nearest neighbour in metres.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    array of float32
        One row per agent, species by species; infinite for an agent without others.
    """
    return _native.nearest_distances(world, species)


def density(world: World, *, species: str | None = None) -> float:
    """Compute the number of agents per area or volume of the world.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        In 1/m² or 1/m³.
    """
    return _native.measure(world, "density", None, species)


def local_density(world: World, radius: float, *, species: str | None = None) -> float:
    """Compute the mean density of other agents within a radius of an agent.

    Parameters
    ----------
    world : World
        The world.
    radius : float
        The radius in metres.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        In 1/m² or 1/m³.
    """
    return _native.measure(world, "local_density", radius, species)


def clusters(world: World, radius: float, *, species: str | None = None) -> list[int]:
    """List the sizes of the clusters of agents that are connected at a radius, largest first.

    Parameters
    ----------
    world : World
        The world.
    radius : float
        The radius in metres.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    list of int
        Their sum is the number of agents.
    """
    return _native.clusters(world, radius, species)


def largest_cluster(world: World, radius: float, *, species: str | None = None) -> float:
    """Compute the share of agents in the largest cluster.

    Parameters
    ----------
    world : World
        The world.
    radius : float
        The radius in metres.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        From 0 to 1; 0 without agents.
    """
    return _native.measure(world, "largest_cluster", radius, species)


def mean_cluster_size(world: World, radius: float, *, species: str | None = None) -> float:
    """Compute the mean size of the cluster of an agent.

    Parameters
    ----------
    world : World
        The world.
    radius : float
        The radius in metres.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        NaN without agents.
    """
    return _native.measure(world, "mean_cluster_size", radius, species)


def fluctuation_exponent(world: World, *, species: str | None = None) -> float:
    """Compute the exponent by which fluctuations of numbers grow with the mean number in a box.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        0.5 for agents at random; NaN with too few agents.
    """
    return _native.measure(world, "fluctuation_exponent", None, species)


def number_fluctuations(world: World, *, species: str | None = None) -> Results:
    """Count the agents in boxes of several sizes.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    Results
        One row for each size, large boxes first: the number of ``boxes``, the ``mean`` number of agents in a box, and
        its ``variance``, which equals the mean for agents at random.
    """
    rows = _native.number_fluctuations(world, species)
    boxes, mean, variance = zip(*rows, strict=True) if rows else ((), (), ())
    columns = {"boxes": np.asarray(boxes, dtype=np.int64), "mean": np.asarray(mean, dtype=np.float64)}
    return Results(columns | {"variance": np.asarray(variance, dtype=np.float64)}, {})


def structure_factor(
    world: World, count: int = 50, *, species: str | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Compute the structure factor.

    Parameters
    ----------
    world : World
        The world.
    count : int
        The number of wave numbers, multiples of 2π over the largest side.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    tuple of two arrays
        The wave numbers in radians per metre, and the factor at each: 1 for agents at random.
    """
    return _native.structure_factor(world, count, species)


def slabs(world: World, axis: int, count: int, *, species: str | None = None) -> Results:
    """Divide the space along an axis into equal slabs, and measure the agents in each.

    Parameters
    ----------
    world : World
        The world.
    axis : int
        The number of the axis, from 0.
    count : int
        The number of slabs.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    Results
        One row for each slab: the middle (``at``), the number of ``agents``, ``density``, mean ``speed`` and mean
        ``velocity``.
    """
    at, agents, density, speed, velocity = zip(*_native.slabs(world, axis, count, species), strict=True)
    units = {"at": "m", "density": f"1/m{world.dimensions}", "speed": "m/s", "velocity": "m/s"}
    columns = {"at": at, "agents": agents, "density": density, "speed": speed, "velocity": velocity}
    return Results({name: np.asarray(column) for name, column in columns.items()}, units)


def correlation_length(world: World, *, species: str | None = None) -> float:
    """Compute the distance at which the correlation of velocities falls to zero, in metres.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        NaN if it does not fall to zero.
    """
    return _native.measure(world, "correlation_length", None, species)


def overlaps(world: World, *, species: str | None = None) -> float:
    """Compute the share of agents whose bodies overlap another.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        From 0 to 1; 0 without agents.
    """
    return _native.measure(world, "overlaps", None, species)


def overlap_depth(world: World, *, species: str | None = None) -> float:
    """Compute the largest depth of an overlap of two bodies in metres.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        Zero without an overlap.
    """
    return _native.measure(world, "overlap_depth", None, species)


def yielding(world: World, *, species: str | None = None) -> float:
    """Compute the share of agents whose shoulders yield to another body.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    float
        From 0 to 1; 0 without agents.
    """
    return _native.measure(world, "yielding", None, species)


def centre(world: World, *, species: str | None = None) -> list[float] | None:
    """Compute the centre of the agents; `None` without agents.

    Parameters
    ----------
    world : World
        The world.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    list of float or None
        In metres, one number per dimension.
    """
    return _native.centre(world, species)


def pair_correlation(
    world: World, range: float, bins: int = 50, *, species: str | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Compute the pair correlation.

    Parameters
    ----------
    world : World
        The world.
    range : float
        The largest distance in metres.
    bins : int
        The number of intervals of distance.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    tuple of two arrays
        The distances in metres, and the correlation at each.
    """
    return _native.correlation(world, "position", range, bins, species)


def velocity_correlation(
    world: World, range: float, bins: int = 50, *, species: str | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Compute the correlation of velocities.

    Parameters
    ----------
    world : World
        The world.
    range : float
        The largest distance in metres.
    bins : int
        The number of intervals of distance.
    species : str, optional
        The species to measure; all of them by default.

    Returns
    -------
    tuple of two arrays
        The distances in metres, and the correlation at each.
    """
    return _native.correlation(world, "velocity", range, bins, species)
