"""The nearest neighbours of all agents of an ensemble, as arrays of one shape."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Nearest:
    """The nearest neighbours of every agent of every world, nearest first: the answer of `Ensemble.nearest`.

    Agents are in ascending order of their ids. An agent with fewer neighbours has `fill` in the features of the places
    that are left, and 2^64 - 1 as their ids. `offset`, `velocity` and `distance` are views of `features`: all arrays
    keep their memory when `Ensemble.nearest` fills them again.

    Attributes
    ----------
    features : array of float32
        Of shape (worlds, agents, count, 2 * dimensions + 1): offset, relative velocity and distance of each neighbour.
    id : array of uint64
        Ids of the neighbours, of shape (worlds, agents, count).
    count : array of uint32
        The number of neighbours that were found, of shape (worlds, agents).
    """

    features: npt.NDArray[np.float32]
    id: npt.NDArray[np.uint64]
    count: npt.NDArray[np.uint32]

    @property
    def offset(self) -> npt.NDArray[np.float32]:
        """From the agent to the nearest image of the neighbour in metres: (worlds, agents, count, dimensions)."""
        return self.features[..., : self._dimensions]

    @property
    def velocity(self) -> npt.NDArray[np.float32]:
        """Velocity of the neighbour relative to the agent in metres per second, of the shape of `offset`."""
        return self.features[..., self._dimensions : -1]

    @property
    def distance(self) -> npt.NDArray[np.float32]:
        """The distance in metres, of shape (worlds, agents, count)."""
        return self.features[..., -1]

    @property
    def found(self) -> npt.NDArray[np.bool_]:
        """Whether there is a neighbour, of shape (worlds, agents, count)."""
        return np.arange(self.id.shape[-1], dtype=np.uint32) < self.count[..., None]

    @property
    def _dimensions(self) -> int:
        return self.features.shape[-1] // 2


def empty(worlds: int, agents: int, count: int, dimensions: int) -> Nearest:
    """Arrays to be filled."""
    return Nearest(
        np.empty((worlds, agents, count, 2 * dimensions + 1), np.float32),
        np.empty((worlds, agents, count), np.uint64),
        np.empty((worlds, agents), np.uint32),
    )


def check(out: Nearest, worlds: int, agents: int, count: int, dimensions: int) -> None:
    """Refuse arrays of other shapes."""
    shapes = {
        "features": (worlds, agents, count, 2 * dimensions + 1),
        "id": (worlds, agents, count),
        "count": (worlds, agents),
    }
    for name, shape in shapes.items():
        given = getattr(out, name).shape
        if given != shape:
            raise ValueError(f"out.{name}: has the shape {given}, and must have {shape}")
