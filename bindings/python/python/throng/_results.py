"""Tables of results, with units."""

import importlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy.typing as npt


class Results(dict[str, npt.NDArray[Any]]):
    """A table of results: arrays of equal lengths by the names of their columns.

    Parameters
    ----------
    columns : mapping of str to array
        The columns.
    units : mapping of str to str
        The units of columns that have one, such as ``{"mean_speed": "m/s"}``.

    Attributes
    ----------
    units : dict of str to str
        The units of columns that have one.
    """

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]], units: Mapping[str, str]) -> None:
        super().__init__(columns)
        self.units = {name: unit for name, unit in units.items() if unit and name in columns}

    def pandas(self) -> Any:
        """Convert to a frame of pandas.

        Returns
        -------
        pandas.DataFrame
            With the units in ``frame.attrs["units"]``.
        """
        frame = importlib.import_module("pandas").DataFrame(self._flat())
        frame.attrs["units"] = dict(self.units)
        return frame

    def polars(self) -> Any:
        """Convert to a frame of polars, which has no place for units.

        Returns
        -------
        polars.DataFrame
            The columns.
        """
        return importlib.import_module("polars").DataFrame(self._flat())

    def _flat(self) -> dict[str, Any]:
        """The columns; one of points is a list of lists."""
        return {name: column if column.ndim == 1 else column.tolist() for name, column in self.items()}


def name_of(measure: str) -> str:
    """Return the name of ``NAME = EXPRESSION`` and ``NAME [UNIT] = EXPRESSION``; another measure is its own name."""
    named = re.match(r"\s*([\w.-]+)\s*(\[[^\]]*\]\s*)?=(?!=)", measure)
    return named[1] if named else measure


def units_of(measures: Iterable[tuple[str, str]], statistics: Iterable[str]) -> dict[str, str]:
    """The units of the columns of measures with these units."""
    names = tuple(statistics)
    return {
        name if statistic == "mean" else f"{name}_{statistic}": unit
        for name, unit in measures
        for statistic in names
        if statistic in ("mean", "sd", "se")
    }
