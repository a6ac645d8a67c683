"""The readings of a lot, one quantity at one place at a time: mean, spread, extremes and uncertainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

from homolog.evaluate.spread import Spread, expanded_of_mean
from homolog.quantity import round_up
from homolog.report.numbers import plain, plain_uncertainty

_WIDE = Context(prec=80, rounding=ROUND_HALF_EVEN)
_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_EVEN)
_MOST_PLACES = 40
# Of a scan's budget, this alone differs from scan to scan for certain; all else may lie the same way on every sample.
_BY_CHANCE = "noise"

Key = tuple[str, str | None, str]
"""Quantity, place and unit."""
Sample = Mapping[str, Any]


class QuantityTally:
    """Running figures of one quantity at one place."""

    def __init__(self) -> None:
        """Begin without readings."""
        self.bounded = 0
        self.without_u = 0
        self._spread = Spread()
        self._places = 0
        self._smallest: tuple[Decimal, Sample] | None = None
        self._largest: tuple[Decimal, Sample] | None = None
        self._u: tuple[Decimal, Decimal] | None = None
        self._common = Decimal(0)
        self._ways: set[str] = set()

    def add(self, reading: Mapping[str, Any], sample: Sample, budgets: Mapping[str, Decimal]) -> None:
        """Take in one reading of the record.

        Args:
            reading: As the record writes it.
            sample: Whose it is.
            budgets: What a scan's readings have in common (k = 1), by quantity.
        """
        if "value" not in reading:
            self.bounded += 1
            return
        value = Decimal(reading["value"])
        self._spread.add(value)
        self._places = max(self._places, -int(value.as_tuple().exponent))
        if self._smallest is None or value < self._smallest[0]:
            self._smallest = (value, sample)
        if self._largest is None or value > self._largest[0]:
            self._largest = (value, sample)
        if reading["U"] is None:
            self.without_u += 1
            return
        u = Decimal(reading["U"])
        self._u = (u, u) if self._u is None else (min(self._u[0], u), max(self._u[1], u))
        is_scanned = (reading["evidence"] or "").startswith("scan:") and reading["quantity"] in budgets
        self._ways.add("budget" if is_scanned else "U")
        self._common = max(self._common, budgets[reading["quantity"]] if is_scanned else u / 2)

    def record(self, key: Key) -> dict[str, Any]:
        """Return the figures as the record writes them."""
        quantity, place, unit = key
        figures: dict[str, Any] = {"quantity": quantity, "place": place, "unit": unit, "n": self._spread.count}
        figures |= {"bounded": self.bounded, "without_U": self.without_u}
        return figures | self._mean() | self._extremes() | self._uncertainty()

    def _mean(self) -> dict[str, Any]:
        if not self._spread.count:
            return {"mean": None, "standard_deviation": None}
        step = Decimal(1).scaleb(-min(self._places + 2, _MOST_PLACES))
        variance = self._spread.variance
        return {
            "mean": plain(_decimal(self._spread.mean).quantize(step, context=_WIDE)),
            "standard_deviation": None if variance is None else plain(_THREE_DIGITS.plus(_decimal(variance).sqrt(_WIDE))),
        }

    def _extremes(self) -> dict[str, Any]:
        ends = {"smallest": self._smallest, "largest": self._largest}
        return {name: None if end is None else {"value": plain(end[0]), "sample": dict(end[1])} for name, end in ends.items()}

    def _uncertainty(self) -> dict[str, Any]:
        """Return U of the single readings, and of the mean where every sample's reading could enter it."""
        none: dict[str, Any] = {"U": None, "mean_U": None, "coverage_factor": None, "common": None}
        if self._u is None:
            return none
        found = none | {
            "U": {"smallest": plain_uncertainty(self._u[0]), "largest": plain_uncertainty(self._u[1])},
            "common": {
                "standard_uncertainty": plain_uncertainty(round_up(self._common, digits=3)),
                "from": "both" if len(self._ways) > 1 else next(iter(self._ways)),
            },
        }
        variance = self._spread.variance
        if variance is None or self.without_u or self.bounded:
            return found
        half_width, k = expanded_of_mean(self._spread.count, variance, self._common)
        return found | {"mean_U": plain_uncertainty(round_up(half_width)), "coverage_factor": plain(k)}


def readings_of(record: Mapping[str, Any]) -> dict[Key, Mapping[str, Any]]:
    """Return each quantity's reading at each place once, wherever the record of one article holds it."""
    found: dict[Key, Mapping[str, Any]] = {}
    for reading in _in_holders(record):
        if reading is not None:
            found.setdefault((reading["quantity"], reading["place"], reading["unit"]), reading)
    return found


def budgets_of_scan(record: Mapping[str, Any]) -> dict[str, Decimal]:
    """Return the standard uncertainty of what a scan's readings may have in common with other scans', by quantity."""
    found: dict[str, Decimal] = {}
    for budget in (record["scan"] or {"budgets": ()})["budgets"]:
        lines = [line for line in budget["contributions"] if line["name"] != _BY_CHANCE]
        common = sum((Decimal(line["standard_uncertainty"]) ** 2 for line in lines), Decimal(0)).sqrt()
        found[budget["quantity"]] = max(common, found.get(budget["quantity"], Decimal(0)))
    return found


def _in_holders(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any] | None]:
    for finding in record["findings"]:
        used = finding["interpretation"]
        for holder in (finding, *(() if used is None else used["readings"])):
            yield holder["reading"]
            yield from (place["reading"] for place in holder["places"])
    yield from (row["reading"] for row in record["unused"])


def _decimal(number: Fraction) -> Decimal:
    return _WIDE.divide(Decimal(number.numerator), Decimal(number.denominator))
