"""Working out one quantity from others, with its uncertainty.

Values combine in quadrature where two named instruments measured them, and linearly where one instrument measured both, where it
is not said which one did, or where one reading stands in both; bounds combine as intervals. Source: JCGM 100:2008, 5.1 and 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from homolog.evaluate.finding import Statement
from homolog.evaluate.interval import Interval, interval_of
from homolog.evaluate.methods import DERIVED, Ready
from homolog.quantity import Reading, same_name
from homolog.spec.model import Derived

# Quotients and roots are rounded to this; what is lost joins the uncertainty, which is rounded up to it.
_STEP = Decimal("0.000001")
_MOST_DIGITS = 20
# Up to this part of a quotient's divisor, or of a distance, U is carried along by first derivatives alone.
_SMALL = Decimal("0.1")
_UNNAMED = ("instrument", "")


def combine(quantity: str, rule: Derived, operands: Sequence[Sequence[Ready]], place: str | None) -> Ready | Statement:
    """Return the derived reading, or why there is none.

    `operands` holds for each operand its readings: one, or for `spread` one a place.
    """
    if rule.op == "spread":
        return _ready(quantity, rule, place, [ready for places in operands for ready in places], bounds=_spread(operands))
    parts = [places[0] for places in operands]
    values = [part.reading.value for part in parts if part.reading.value is not None]
    spreads = [part.reading.expanded_uncertainty or Decimal(0) for part in parts]
    if len(values) == len(parts) and (rule.op != "ratio" or spreads[1] < _SMALL * abs(values[1])):
        value, total = _of_values(rule, parts, values, spreads)
        return _ready(quantity, rule, place, parts, value=value, uncertainty=total)
    bounds = _bounds(rule, [interval_of(part.reading) for part in parts])
    if bounds is None or (bounds.lo is None and bounds.hi is None):
        return Statement(code="parts_leave_open", params={"quantity": quantity})
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
    may_share_risk = value is not None and all(part.may_share_risk for part in parts)
    return Ready(reading, may_share_risk=may_share_risk, sources=frozenset().union(*map(_sources, parts)))


def _of_values(rule: Derived, parts: Sequence[Ready], values: list[Decimal], spreads: list[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the result with its U."""
    if rule.op == "difference":
        return values[0] - values[1], _up(_carried(parts, spreads))
    if rule.op == "sum":
        return sum(values, Decimal(0)), _up(_carried(parts, spreads))
    if rule.op == "ratio":
        exact, total = _ratio_of_values(parts, values, spreads)
    else:
        exact, total = _distance_of_values(parts, values, spreads)
    rounded = _to_step(exact, ROUND_HALF_EVEN)
    return rounded, _up(total + abs(exact - rounded))


def _ratio_of_values(parts: Sequence[Ready], values: list[Decimal], spreads: list[Decimal]) -> tuple[Decimal, Decimal]:
    (top, bottom), (top_u, bottom_u) = values, spreads
    ratio = top / bottom
    return ratio, _carried(parts, [top_u / abs(bottom), abs(ratio) * bottom_u / abs(bottom)])


def _distance_of_values(parts: Sequence[Ready], values: list[Decimal], spreads: list[Decimal]) -> tuple[Decimal, Decimal]:
    length, farthest = _root_sum(values), _root_sum(spreads)
    if farthest > _SMALL * length:  # a short distance grows whichever way its ends err: no more than by all of their errors
        return length, farthest
    return length, _carried(
        parts, [abs(value) / length * spread if length else spread for value, spread in zip(values, spreads, strict=True)]
    )


def _carried(parts: Sequence[Ready], weighted: Sequence[Decimal]) -> Decimal:
    """Return the U of a result from the U of its parts: linear among those that share a source, in quadrature between.

    An instrument without a name may be any of the others: leaving names out must never make a result sharper.
    """
    if any(_UNNAMED in _sources(part) for part in parts):
        return sum(weighted, Decimal(0))
    groups: list[tuple[frozenset[tuple[str, str]], Decimal]] = []
    for part, uncertainty in zip(parts, weighted, strict=True):
        sources, total = _sources(part), uncertainty
        for group in [group for group in groups if group[0] & sources]:
            groups.remove(group)
            sources, total = sources | group[0], total + group[1]
        groups.append((sources, total))
    return groups[0][1] if len(groups) == 1 else _root_sum([total for _, total in groups])


def _sources(part: Ready) -> frozenset[tuple[str, str]]:
    """Return what a part's error comes from: its own reading, and the instrument."""
    if part.sources:
        return part.sources
    reading = part.reading
    own = ("reading", f"{reading.quantity}@{reading.place or ''}")
    return frozenset((own, ("instrument", same_name(reading.instrument)) if reading.instrument else _UNNAMED))


def _root_sum(numbers: Sequence[Decimal]) -> Decimal:
    return sum((number * number for number in numbers), Decimal(0)).sqrt()


def _up(uncertainty: Decimal) -> Decimal:
    """Round up to the step, so that a larger uncertainty never comes out smaller."""
    return _to_step(uncertainty, ROUND_CEILING).normalize() + 0


def _to_step(number: Decimal, rounding: str) -> Decimal:
    """Round to the step; a number beyond every article and beyond the digits kept stays as it is."""
    return number if number.adjusted() > _MOST_DIGITS else number.quantize(_STEP, rounding=rounding)


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
    lo = None if bottom.hi is None else _to_step(top.lo / bottom.hi, ROUND_FLOOR)
    hi = None if top.hi is None else _to_step(top.hi / bottom.lo, ROUND_CEILING)
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
