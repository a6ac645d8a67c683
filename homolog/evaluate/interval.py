"""What a reading proves: an interval, held against a limit in three zones.

Source: three zones with a guard band of U, ISO 14253-1 and JCGM 106.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, Decimal

from homolog.evaluate.finding import LimitUsed, Margin
from homolog.evaluate.verdict import Verdict, least
from homolog.quantity import Reading


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value lies; None is an open end."""

    lo: Decimal | None
    hi: Decimal | None

    @property
    def is_empty(self) -> bool:
        """Whether no value fits: the readings behind it contradict each other."""
        return self.lo is not None and self.hi is not None and self.lo > self.hi


def interval_of(reading: Reading) -> Interval:
    """Return the interval of a reading whose U is known and whose gauge has been turned into bounds."""
    if reading.value is None:
        return Interval(reading.lo, reading.hi)
    spread = reading.expanded_uncertainty or Decimal(0)
    return Interval(reading.value - spread, reading.value + spread)


def intersect(first: Interval, second: Interval) -> Interval:
    """Return what two readings of one thing prove together."""
    lows = [end for end in (first.lo, second.lo) if end is not None]
    highs = [end for end in (first.hi, second.hi) if end is not None]
    return Interval(max(lows, default=None), min(highs, default=None))


def zone(interval: Interval, limit: LimitUsed) -> Verdict:
    """Return the verdict of the three zones; of two sides the lesser."""
    sides = []
    if limit.max is not None:
        sides.append(_upper(interval, limit.max, strict=limit.max_is_strict))
    if limit.min is not None:
        # A lower limit is an upper limit seen in the mirror.
        mirrored = Interval(_negated(interval.hi), _negated(interval.lo))
        sides.append(_upper(mirrored, -limit.min, strict=limit.min_is_strict))
    return least(sides)


def _negated(number: Decimal | None) -> Decimal | None:
    return None if number is None else -number


def _upper(interval: Interval, maximum: Decimal, *, strict: bool) -> Verdict:
    if interval.hi is not None and (interval.hi < maximum or (interval.hi == maximum and not strict)):
        return Verdict.CONFORM
    if interval.lo is not None and (interval.lo > maximum or (interval.lo == maximum and strict)):
        return Verdict.NONCONFORM
    return Verdict.INCONCLUSIVE


def margin_of(reading: Reading, limit: LimitUsed) -> Margin | None:
    """Return how far a value lies inside its nearer limit, without U; bounds have none."""
    if reading.value is None:
        return None
    margins = []
    if limit.max is not None:
        margins.append(Margin(value=limit.max - reading.value, side="max"))
    if limit.min is not None:
        margins.append(Margin(value=reading.value - limit.min, side="min"))
    return min(margins, key=lambda margin: margin.value, default=None)


def is_inside(value: Decimal, limit: LimitUsed) -> bool:
    """Whether a value alone, without U, meets the limit."""
    return zone(Interval(value, value), limit) is Verdict.CONFORM


def conformance_probability(reading: Reading, limit: LimitUsed) -> Decimal | None:
    """Return the probability that the true value meets the limit, for a normal distribution with u = U / 2.

    Rounded towards one half, and never to 0 or 1 unless U is 0: 0.9999 stands for all above it too, 0.0001 for all below.

    Source: JCGM 106:2012, 7.
    """
    if reading.value is None:
        return None
    if not reading.expanded_uncertainty:
        return Decimal(int(is_inside(reading.value, limit)))
    u = float(reading.expanded_uncertainty) / 2
    above = 1.0 if limit.max is None else _normal(float(limit.max - reading.value) / u)
    below = 0.0 if limit.min is None else _normal(float(limit.min - reading.value) / u)
    chance = above - below
    probability = Decimal(chance).quantize(Decimal("0.0001"), rounding=ROUND_DOWN if chance > 0.5 else ROUND_CEILING)
    return min(max(probability, Decimal("0.0001")), Decimal("0.9999"))


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def deciding_uncertainty(margin: Margin, limit: LimitUsed) -> Decimal:
    """Return the largest U, of two significant digits, with which the same value would be decided; 0 if none would."""
    size = abs(margin.value)
    if not size:
        return Decimal(0)
    strict = limit.max_is_strict if margin.side == "max" else limit.min_is_strict
    rounded = _two_digits_down(size)
    # Inside, the reading may touch its limit, unless the limit is strict; outside it is the other way round.
    if rounded == size and (margin.value > 0) == strict:
        rounded = _two_digits_down(size - size.scaleb(-4))
    return Decimal(format(rounded, "f"))


def _two_digits_down(size: Decimal) -> Decimal:
    return size.quantize(Decimal(1).scaleb(size.adjusted() - 1), rounding=ROUND_DOWN)
