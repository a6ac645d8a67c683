"""Zero-acceptance sampling by attributes: what a number of good samples, and none that fails, says of the whole lot.

All of it is exact whole-number arithmetic. A statement holds with 95 % confidence if a lot that belies it would have shown no fault
in the samples with a chance below 5 %; it holds for samples drawn at random from the lot it speaks of.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from homolog.quantity.lot import MOST_ARTICLES

CONFIDENCE = Fraction(95, 100)
_PARTS = 1_000_000
"""Shares are given in millionths, rounded up."""
_MANY = 10_000
_CHANCE = 1 - CONFIDENCE


def chance_of_none(size: int, bad: int, samples: int) -> Fraction:
    """Return the chance that `samples` articles, drawn from `size` of which `bad` are nonconforming, hold no bad one.

    It is hypergeometric: C(size - bad, samples) / C(size, samples).
    """
    return Fraction(*_odds(size, bad, samples))


def _odds(size: int, bad: int, samples: int) -> tuple[int, int]:
    fewer, rest = sorted((bad, samples))  # the formula is the same with the two exchanged
    return math.perm(size - rest, fewer), math.perm(size, fewer)  # perm is 0 where there are not that many


def _is_excluded(size: int, bad: int, samples: int) -> bool:
    """Whether so many bad ones would have shown in the samples; no fraction is reduced, for these are huge numbers."""
    none, all_of_them = _odds(size, bad, samples)
    return none * _CHANCE.denominator < all_of_them * _CHANCE.numerator


@lru_cache(maxsize=4096)
def most_in_lot(size: int, samples: int) -> int:
    """Return how many of `size` articles are nonconforming at most (95 %), if `samples` were good and none was not.

    It is the largest number that is not excluded: one more, and none in the samples would have a chance below 5 %.

    Raises:
        ValueError: There are more samples than articles, fewer than one, or more articles than are reckoned with.
    """
    _check(size, samples)
    low, high = 0, 1  # `low` is not excluded, `high` will be: so many bad ones leave too few good ones at last
    while not _is_excluded(size, high, samples):
        low, high = high, min(2 * high, size - samples + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_excluded(size, middle, samples) else (middle, high)
    return low


@lru_cache(maxsize=4096)
def most_in_any(samples: int) -> Fraction:
    """Return the largest nonconforming share of a lot of any size (95 %), if `samples` were good and none was not.

    The binomial bound 1 - 0.05^(1/samples), rounded up to a millionth: it holds for every lot, however large.
    """
    if samples < 1:
        raise ValueError("nothing is known without a sample")
    if samples > _MANY:  # (1 - 3/n)^n lies below e^-3 = 0.0498 for every n: the bound is proven, and within 0.2 % of the exact one
        return Fraction(-(-3 * _PARTS // samples), _PARTS)
    low, high = 0, _PARTS  # the chance is 5 % or more at `low`, less at `high`
    allowed = _CHANCE * _PARTS**samples
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if (_PARTS - middle) ** samples < allowed else (middle, high)
    return Fraction(high, _PARTS)


@lru_cache(maxsize=4096)
def samples_for_lot(size: int, wanted: int) -> int:
    """Return how many good samples, and none that fails, show that at most `wanted` of `size` are nonconforming (95 %).

    Raises:
        ValueError: `wanted` is no number of articles of the lot, or there are more articles than are reckoned with.
    """
    _check(size, 1)
    if not 0 <= wanted <= size:
        raise ValueError(f"{wanted} is no number of articles out of {size}")
    if wanted == size:
        return 0
    low, high = 0, 1  # `low` is not enough, `high` will be
    while not _is_excluded(size, wanted + 1, high):
        low, high = high, min(2 * high, size - wanted)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_excluded(size, wanted + 1, middle) else (middle, high)
    return high


def samples_for_any(share: Fraction) -> int:
    """Return how many good samples, and none that fails, show that at most such a share of any lot is nonconforming (95 %).

    Raises:
        ValueError: The share is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"{share} is no share between 0 and 1")
    count = max(1, math.floor(math.log(_CHANCE) / math.log(1 - share)) - 1)  # near it; exactly from here on
    while (1 - share) ** count > _CHANCE:
        count += 1
    return count


def _check(size: int, samples: int) -> None:
    if not 1 <= size <= MOST_ARTICLES:
        raise ValueError(f"{size} is no size of a lot; it is a number from 1 to {MOST_ARTICLES}")
    if not 1 <= samples <= size:
        raise ValueError(f"{samples} samples are not of a lot of {size}")
