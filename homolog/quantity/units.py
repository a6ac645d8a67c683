"""Numbers with units, read from text without guessing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from homolog.errors import InputRefused, Problem

# Plain digits only: float() would take "1_000", "1e999", "nan" and Arabic digits.
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?", re.ASCII)
_MEASURE = re.compile(r"(\S+)\s+(\S+)", re.ASCII)


class NumberError(InputRefused):
    """A text is not a number, or not a number with a unit."""

    code = "number_invalid"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the closed table: its dimension and its exact size in the dimension's base unit."""

    name: str
    dimension: str
    factor: Decimal


UNITS: dict[str, Unit] = {
    name: Unit(name, dimension, Decimal(factor))
    for name, dimension, factor in (
        ("mm", "length", "1"),
        ("cm", "length", "10"),
        ("m", "length", "1000"),
        ("in", "length", "25.4"),
        ("g", "mass", "1"),
        ("mm3", "volume", "1"),
        ("cm3", "volume", "1000"),
        ("ml", "volume", "1000"),
        ("s", "time", "1"),
        ("min", "time", "60"),
        ("deg", "angle", "1"),
        ("count", "count", "1"),
    )
}

SCANNING_UNITS: dict[str, Unit] = UNITS | {
    name: Unit(name, dimension, Decimal(factor))
    for name, dimension, factor in (("degC", "temperature", "1"), ("mm/m", "ratio", "0.001"), ("%", "ratio", "0.01"))
}
"""The units of what a sheet states of a scanner and its surroundings; no quantity of an article has these."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit, as written."""

    number: Decimal
    unit: Unit

    def to(self, unit: str) -> Decimal:
        """Return the number in another unit of the same dimension.

        Raises:
            NumberError: The dimensions differ.
        """
        target = SCANNING_UNITS[unit]
        if target.dimension != self.unit.dimension:
            raise NumberError(
                Problem(
                    "",
                    f"{self.unit.name} is a unit of {self.unit.dimension}, not of {target.dimension}",
                    f"write one of {units_of(target.dimension)}",
                    "unit_dimension",
                )
            )
        if target is self.unit:
            return self.number
        return self.number * self.unit.factor / target.factor

    def fits(self, unit: str) -> bool:
        """Whether the measure can be said in another unit."""
        return UNITS[unit].dimension == self.unit.dimension

    def __str__(self) -> str:
        """Return `<number> <unit>`."""
        return f"{self.number} {self.unit.name}"


def units_of(dimension: str) -> str:
    """Return the names of a dimension's units, for messages."""
    return ", ".join(unit.name for unit in SCANNING_UNITS.values() if unit.dimension == dimension)


def parse_number(text: str) -> Decimal:
    """Read a decimal number written with a point.

    Raises:
        NumberError: Anything but an optional sign, digits and at most one decimal point.
    """
    if not _NUMBER.fullmatch(text):
        raise NumberError(
            Problem(
                "",
                f"{text[:40]!r} is not a plain number",
                "write digits with at most one decimal point, as 38.95",
                "number_invalid",
            )
        )
    return Decimal(text)


def parse_measure(text: str, units: Mapping[str, Unit] = UNITS) -> Measure:
    """Read `<number> <unit>`.

    Args:
        text: What was written.
        units: The units that may stand here.

    Raises:
        NumberError: No unit, an unknown unit, or no plain number.
    """
    match = _MEASURE.fullmatch(text.strip())
    if match is None:
        raise NumberError(
            Problem(
                "",
                f"{text[:40]!r} is not a number with a unit",
                f"write as 38.95 mm, with one of {', '.join(units)}",
                "measure_invalid",
            )
        )
    unit = units.get(match[2])
    if unit is None:
        raise NumberError(Problem("", f"unit {match[2][:20]!r} is not known", f"write one of {', '.join(units)}", "unit_unknown"))
    return Measure(parse_number(match[1]), unit)


def round_up(number: Decimal, *, digits: int = 2) -> Decimal:
    """Round a non-negative uncertainty up to `digits` significant digits; never down."""
    if not number:
        return Decimal(0)
    exponent = number.adjusted() - digits + 1
    rounded = number.quantize(Decimal(1).scaleb(exponent), rounding=ROUND_CEILING)
    return Decimal(format(rounded, "f"))
