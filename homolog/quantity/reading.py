"""What was measured, and what could not be."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from homolog.quantity.units import UNITS

GaugeResult = Literal["go", "no_go"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One result for one quantity at one place, in exactly one of three forms.

    * a value, with its expanded uncertainty U (k = 2) where one is stated;
    * bounds `lo`, `hi`, either end open (what a method cannot see);
    * a go/no-go gauge of `gauge_size`, with the gauge's own expanded uncertainty, and, once judged, the bound it proves.

    All numbers are in `unit`, the unit that the spec gives the quantity.

    Attributes:
        quantity: Id of the quantity, such as `goalkeeper.height`.
        method: How it was measured, such as `caliper` or `scan.volume`; None if the sheet is silent.
        place: Which one of several like places, such as `end_a`; None for a reading of the whole.
        marks: What was assumed about the reading, such as `default_U`; shown in the report.
        bounds_are_stated: Whether `lo` and `hi` are somebody's word, whose uncertainty nobody can weigh, and not the result
            of a method that works its bounds out.
        evidence: Where the reading stands: a sheet's row, or a scan's digest.
    """

    quantity: str
    unit: str
    method: str | None = None
    value: Decimal | None = None
    expanded_uncertainty: Decimal | None = None
    lo: Decimal | None = None
    hi: Decimal | None = None
    gauge_size: Decimal | None = None
    gauge_result: GaugeResult | None = None
    place: str | None = None
    instrument: str | None = None
    evidence: str | None = None
    marks: tuple[str, ...] = ()
    bounds_are_stated: bool = False

    def __post_init__(self) -> None:
        """Hold the three forms apart.

        Raises:
            ValueError: None or more than one form is given, the unit or the gauge's result is not known, a number is not
                finite, lo > hi, or U < 0.
        """
        if self.unit not in UNITS:
            raise ValueError(f"{self.quantity}: the unit {self.unit!r} is not known")
        if self.gauge_result not in (None, "go", "no_go"):
            raise ValueError(f"{self.quantity}: a gauge goes or does not go (no_go), not {self.gauge_result!r}")
        has_bounds = self.lo is not None or self.hi is not None
        if (self.value is not None) == (has_bounds or self.gauge_size is not None):
            raise ValueError(f"{self.quantity}: a reading is a value, bounds or a gauge result")
        if (self.gauge_size is None) != (self.gauge_result is None):
            raise ValueError(f"{self.quantity}: a gauge has a size and a result")
        numbers = (self.value, self.expanded_uncertainty, self.lo, self.hi, self.gauge_size)
        if not all(number.is_finite() for number in numbers if number is not None):
            raise ValueError(f"{self.quantity}: a number is not finite")
        if self.expanded_uncertainty is not None and self.expanded_uncertainty < 0:
            raise ValueError(f"{self.quantity}: U is negative")
        if self.lo is not None and self.hi is not None and self.lo > self.hi:
            raise ValueError(f"{self.quantity}: the lower bound is above the upper one")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmeasured:
    """A quantity that somebody tried to measure, and why there is no number."""

    quantity: str
    reason: str
    place: str | None = None
