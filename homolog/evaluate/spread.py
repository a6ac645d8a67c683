"""The mean of readings, how they spread, and how far off the mean may be."""

from __future__ import annotations

import math
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from functools import lru_cache

_EXACT = Context(prec=2000, traps=[Inexact])
_LEVEL = math.erf(math.sqrt(2))
"""95.45 %, the level that k = 2 has for a normal distribution."""
_AS_GOOD_AS_NORMAL = 2000
_K = Decimal("0.01")


class Spread:
    """Running sums of values; they are whole numbers, so that neither the order nor the size of a lot costs a digit.

    Welford's way keeps what rounding spoils; here nothing is rounded until the end.
    """

    __slots__ = ("_places", "_squares", "_sum", "count")

    def __init__(self) -> None:
        """Begin without values."""
        self.count = 0
        self._places = 0
        self._sum = 0
        self._squares = 0

    def add(self, value: Decimal) -> None:
        """Take in one value."""
        places = max(0, -int(value.as_tuple().exponent))
        if places > self._places:
            finer = 10 ** (places - self._places)
            self._sum, self._squares, self._places = self._sum * finer, self._squares * finer**2, places
        whole = int(_EXACT.scaleb(value, self._places))
        self.count += 1
        self._sum += whole
        self._squares += whole * whole

    @property
    def mean(self) -> Fraction:
        """The mean, exactly."""
        return Fraction(self._sum, self.count * 10**self._places)

    @property
    def variance(self) -> Fraction | None:
        """The sample variance (n - 1), exactly; None for fewer than two values, which do not spread."""
        n = self.count
        if n < 2:
            return None
        return Fraction(n * self._squares - self._sum**2, n * (n - 1) * 100**self._places)


def expanded_of_mean(count: int, variance: Fraction, common: Decimal) -> tuple[Decimal, Decimal]:
    """Return the expanded uncertainty of a mean and its coverage factor (95.45 %).

    What differs from reading to reading shows in their spread and averages out: variance / n, with n - 1 degrees of freedom. What
    all readings have in common, such as an instrument's offset, shows nowhere and does not average out: it is added whole. The
    factor is Student's for the effective degrees of freedom (JCGM 100:2008, G.4), rounded down to a whole number.

    Args:
        count: Readings, two or more.
        variance: Their sample variance.
        common: Standard uncertainty (k = 1) of what they have in common.
    """
    random, shared = float(variance) / count, float(common) ** 2
    freedom = math.inf if random == 0 else (random + shared) ** 2 / (random**2 / (count - 1))
    k = coverage_factor(_AS_GOOD_AS_NORMAL if freedom > _AS_GOOD_AS_NORMAL else math.floor(freedom + 1e-9))
    return Decimal(repr(float(k) * math.sqrt(random + shared))), k


@lru_cache(maxsize=256)
def coverage_factor(freedom: int) -> Decimal:
    """Return Student's factor for 95.45 % on both sides, rounded up to two places; 2.00 from 2000 degrees of freedom."""
    if freedom >= _AS_GOOD_AS_NORMAL:
        return Decimal("2.00")
    low, high = 2.0, 16.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < _LEVEL else (low, middle)
    return Decimal(math.ceil(high / float(_K) - 1e-9)) * _K


def _within(t: float, freedom: int) -> float:
    """Return the chance that Student's t lies within -t and t: a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    if freedom % 2:
        term, total = math.cos(angle), 0.0
        for at in range(1, freedom - 1, 2):
            total += term
            term *= square * (at + 1) / (at + 2)
        return 2 / math.pi * (angle + math.sin(angle) * total)
    term, total = 1.0, 0.0
    for at in range(0, freedom, 2):
        total += term
        term *= square * (at + 1) / (at + 2)
    return math.sin(angle) * total
