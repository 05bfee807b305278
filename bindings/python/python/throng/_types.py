"""The types of arguments."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from throng._native import View

Point: TypeAlias = Sequence[float] | npt.NDArray[Any]
Points: TypeAlias = Sequence[Sequence[float] | npt.NDArray[Any]] | npt.NDArray[Any]
Quantity: TypeAlias = float | Sequence[float] | Mapping[str, float]
Edges: TypeAlias = str | Sequence[str]
Path: TypeAlias = str | os.PathLike[str]
Force: TypeAlias = npt.NDArray[Any] | tuple[npt.NDArray[Any], ...] | None
Function: TypeAlias = Callable[["View"], Force | Mapping[str, Force]]
Order: TypeAlias = Literal["row"] | Literal["id"]
Ids: TypeAlias = Sequence[int] | npt.NDArray[Any]
Curve: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
Run: TypeAlias = tuple[list[list[float]], int, list[int], list[tuple[str, str]], list[int], tuple[list[float], int]]
