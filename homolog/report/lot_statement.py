"""What counts of verdicts say of a whole lot: the zero-acceptance plan by attributes, in the record's form."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Any

from homolog.evaluate.sampling import CONFIDENCE, most_in_any, most_in_lot, samples_for_any, samples_for_lot
from homolog.quantity.lot import LotSize
from homolog.report.numbers import plain

CONFIDENCE_TEXT = plain(Decimal(CONFIDENCE.numerator) / Decimal(CONFIDENCE.denominator))
_SHARES = (Fraction(1, 100), Fraction(25, 1000), Fraction(5, 100), Fraction(10, 100))
_STEP = Decimal("0.0001")


def statement_of(counts: Mapping[str, int], refused: int, size: int | None) -> dict[str, Any]:
    """Return what the samples prove of their lot.

    A sample to which a requirement does not apply is not outside it, so it counts with the good ones, if there are any. Whatever
    is not decided counts for nothing, and with one such sample nothing is proven.

    Args:
        counts: Samples by verdict.
        refused: Samples that could not be read or measured at all.
        size: Articles in the lot, if that is stated.
    """
    good, found = counts["conform"], counts["nonconform"]
    silent = counts["not_applicable"]
    undecided = sum(counts.values()) - good - found - silent + refused
    samples = good + silent if good else 0
    proven = samples > 0 and not found and not undecided
    return {
        "proven": proven,
        "good": samples,
        "found": found,
        "undecided": undecided + (0 if good else silent),
        "at_most": most_in_lot(size, samples) if proven and size is not None else None,
        "share": _share(most_in_any(samples)) if proven and size is None else None,
    }


def outcome_of_lot(statement: Mapping[str, Any]) -> str:
    """Return the outcome in a word; there is none that calls the lot itself good."""
    if statement["found"]:
        return "fault_found"
    return "no_fault_found" if statement["proven"] else "open"


def plan_of(lot: LotSize) -> list[dict[str, Any]]:
    """Return how many good samples, and none that fails, would be needed for some numbers of nonconforming articles."""
    if lot.size is None:
        return [{"at_most": None, "share": _share(share), "samples": samples_for_any(share)} for share in _SHARES]
    usual = (0, *(int(lot.size * share) for share in _SHARES))
    asked = sorted({number for number in (*usual, lot.wanted) if number is not None})
    return [{"at_most": number, "share": None, "samples": samples_for_lot(lot.size, number)} for number in asked]


def _share(share: Fraction) -> str:
    """Return a share to a hundredth of a percent, rounded up."""
    exact = Decimal(share.numerator) / Decimal(share.denominator)
    return str(plain(exact.quantize(_STEP, rounding=ROUND_CEILING)))
