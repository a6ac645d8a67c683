"""The two sides of a limit as exact numbers in the base unit of their dimension, so that limits in any unit compare."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from homolog.quantity import Measure
from homolog.spec.interpretation import Bounds
from homolog.spec.requirement import Count


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a limit; a strict side excludes the limit itself."""

    value: Decimal
    is_strict: bool = False


@dataclass(frozen=True, slots=True)
class Sides:
    """The lower and upper side of a limit; None where that side is open."""

    lower: Side | None = None
    upper: Side | None = None

    @property
    def is_single_value(self) -> bool:
        """Whether the limit allows exactly one value."""
        return self.lower is not None and self.upper is not None and self.lower.value == self.upper.value


def _side(inclusive: Measure | None, strict: Measure | None) -> Side | None:
    measure = inclusive or strict
    if measure is None:
        return None
    return Side((measure.number * measure.unit.factor).normalize(), inclusive is None)


def sides_of(bounds: Bounds | Count) -> Sides:
    """Return the sides of a limit, or of a count."""
    if isinstance(bounds, Count):
        lower = None if bounds.min is None else Side(Decimal(bounds.min))
        return Sides(lower, None if bounds.max is None else Side(Decimal(bounds.max)))
    if bounds.within is not None:
        half = bounds.within.number * bounds.within.unit.factor
        return Sides(Side(-half), Side(half))
    return Sides(_side(bounds.min, bounds.above), _side(bounds.max, bounds.below))


def dimension_of_bounds(bounds: Bounds) -> str | None:
    """Return the dimension in which a limit is stated, or None if it states none."""
    for measure in (bounds.min, bounds.max, bounds.above, bounds.below, bounds.within):
        if measure is not None:
            return measure.unit.dimension
    return None
