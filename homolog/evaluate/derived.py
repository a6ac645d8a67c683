"""Working out one quantity from others, with its uncertainty.

Values combine in quadrature, linearly where one instrument measured both; bounds combine as intervals.
Source: JCGM 100:2008, 5.1 and 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from homolog.evaluate.finding import Statement
from homolog.evaluate.interval import Interval, interval_of
from homolog.evaluate.methods import DERIVED, Ready
from homolog.quantity import Reading, round_up
from homolog.spec.model import Derived

_DIGITS = 3


def combine(quantity: str, rule: Derived, operands: Sequence[Sequence[Ready]], place: str | None) -> Ready | Statement:
    """Return the derived reading, or why there is none.

    `operands` holds for each operand its readings: one, or for `spread` one a place.
    """
    if rule.op == "spread":
        return _ready(quantity, rule, place, [ready for places in operands for ready in places], bounds=_spread(operands))
    parts = [places[0] for places in operands]
    if all(part.reading.value is not None for part in parts):
        values = [part.reading.value or Decimal(0) for part in parts]
        spreads = [part.reading.expanded_uncertainty or Decimal(0) for part in parts]
        if rule.op == "ratio":
            return _ratio_of_values(quantity, rule, place, parts, values, spreads)
        value, weights = _value(rule, values)
        weighted = [abs(weight) * spread for weight, spread in zip(weights, spreads, strict=True)]
        total = sum(weighted, Decimal(0)) if _one_instrument(parts) else _root_sum(weighted)
        return _ready(quantity, rule, place, parts, value=value, uncertainty=_up(total))
    bounds = _bounds(rule, [interval_of(part.reading) for part in parts])
    if bounds is None or (bounds.lo is None and bounds.hi is None):
        return Statement(
            code="reading_unmeasured", params={"quantity": quantity, "reason": "the bounds of its parts leave it open"}
        )
    return _ready(quantity, rule, place, parts, bounds=bounds)


def _ready(
    quantity: str,
    rule: Derived,
    place: str | None,
    parts: Sequence[Ready],
    *,
    value: Decimal | None = None,
    uncertainty: Decimal | None = None,
    bounds: Interval | None = None,
) -> Ready:
    instruments = {part.reading.instrument for part in parts}
    reading = Reading(
        quantity=quantity,
        unit=rule.unit,
        method=DERIVED,
        value=value,
        expanded_uncertainty=uncertainty,
        lo=bounds.lo if bounds else None,
        hi=bounds.hi if bounds else None,
        place=place,
        instrument=instruments.pop() if len(instruments) == 1 else None,
        evidence=f"{rule.op} of {', '.join(dict.fromkeys(part.reading.quantity for part in parts))}",
        marks=tuple(dict.fromkeys(mark for part in parts for mark in part.reading.marks)),
    )
    return Ready(reading, may_share_risk=value is not None and all(part.may_share_risk for part in parts))


def _value(rule: Derived, values: list[Decimal]) -> tuple[Decimal, list[Decimal]]:
    """Return the result, and the weight of each operand's U in it."""
    one = Decimal(1)
    if rule.op == "difference":
        return values[0] - values[1], [one, one]
    if rule.op == "sum":
        return sum(values, Decimal(0)), [one] * len(values)
    length = _root_sum(values)
    if not length:
        return length, [one] * len(values)
    return length, [value / length for value in values]


def _ratio_of_values(
    quantity: str, rule: Derived, place: str | None, parts: Sequence[Ready], values: list[Decimal], spreads: list[Decimal]
) -> Ready | Statement:
    (top, bottom), (top_u, bottom_u) = values, spreads
    if abs(bottom) <= bottom_u:
        return Statement(code="parts_leave_open", params={"quantity": quantity})
    ratio = top / bottom
    weighted = [top_u / abs(bottom), abs(ratio) * bottom_u / abs(bottom)]
    total = sum(weighted, Decimal(0)) if _one_instrument(parts) else _root_sum(weighted)
    # The quotient is rounded to six decimals; half of the last one joins the uncertainty.
    rounded = ratio.quantize(Decimal("0.000001"))
    total += abs(ratio - rounded)
    return _ready(quantity, rule, place, parts, value=rounded, uncertainty=_up(total))


def _one_instrument(parts: Sequence[Ready]) -> bool:
    """Whether one named instrument measured everything, so that its error is common to all."""
    names = {part.reading.instrument for part in parts}
    return len(names) == 1 and None not in names and len(parts) > 1


def _root_sum(numbers: Sequence[Decimal]) -> Decimal:
    return sum((number * number for number in numbers), Decimal(0)).sqrt()


def _up(uncertainty: Decimal) -> Decimal:
    """Keep an exact uncertainty; round an irrational one up."""
    short = round_up(uncertainty, digits=_DIGITS)
    exact = uncertainty.normalize()
    return exact if len(exact.as_tuple().digits) <= 2 * _DIGITS else short


def _bounds(rule: Derived, ends: list[Interval]) -> Interval | None:
    if rule.op == "difference":
        return Interval(_less(ends[0].lo, ends[1].hi), _less(ends[0].hi, ends[1].lo))
    if rule.op == "sum":
        return Interval(_total([end.lo for end in ends]), _total([end.hi for end in ends]))
    if rule.op == "distance":
        return _distance(ends)
    return _ratio(ends[0], ends[1])


def _less(first: Decimal | None, second: Decimal | None) -> Decimal | None:
    return None if first is None or second is None else first - second


def _total(numbers: list[Decimal | None]) -> Decimal | None:
    known = [number for number in numbers if number is not None]
    return sum(known, Decimal(0)) if len(known) == len(numbers) else None


def _distance(ends: list[Interval]) -> Interval:
    nearest = [max(end.lo or Decimal(0), -(end.hi if end.hi is not None else Decimal(0)), Decimal(0)) for end in ends]
    farthest = [None if end.lo is None or end.hi is None else max(abs(end.lo), abs(end.hi)) for end in ends]
    known = [number for number in farthest if number is not None]
    return Interval(_root_sum(nearest), _root_sum(known) if len(known) == len(farthest) else None)


def _ratio(top: Interval, bottom: Interval) -> Interval | None:
    """Bounds of a quotient of a quantity that is not negative by one that is certainly positive."""
    if bottom.lo is None or bottom.lo <= 0 or top.lo is None or top.lo < 0:
        return None
    lo = None if bottom.hi is None else (top.lo / bottom.hi).quantize(Decimal("0.000001"), rounding="ROUND_FLOOR")
    hi = None if top.hi is None else (top.hi / bottom.lo).quantize(Decimal("0.000001"), rounding="ROUND_CEILING")
    return Interval(lo, hi)


def _spread(operands: Sequence[Sequence[Ready]]) -> Interval:
    """Bounds of largest less smallest: at worst each place lies at the end of its interval that spreads most."""
    ends = [interval_of(ready.reading) for places in operands for ready in places]
    lows, highs = [end.lo for end in ends], [end.hi for end in ends]
    known_lows = [low for low in lows if low is not None]
    known_highs = [high for high in highs if high is not None]
    certain = max(known_lows) - min(known_highs) if known_lows and known_highs else Decimal(0)
    if len(known_lows) < len(lows) or len(known_highs) < len(highs):
        return Interval(max(certain, Decimal(0)), None)
    return Interval(max(certain, Decimal(0)), max(known_highs) - min(known_lows))
