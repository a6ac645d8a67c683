"""Zero-acceptance sampling against closed forms, the definition, and SciPy's own distributions."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import pytest
from scipy.stats import binom, hypergeom

from homolog.evaluate.sampling import (
    MOST_ARTICLES,
    chance_of_none,
    most_in_any,
    most_in_lot,
    samples_for_any,
    samples_for_lot,
)

LOTS = [(500, 12), (500, 1), (500, 500), (500, 499), (12, 12), (1, 1), (20, 10), (1000, 59), (100_000, 300), (7, 3)]


@pytest.mark.parametrize(("size", "bad", "samples"), [(500, 107, 12), (20, 0, 5), (20, 3, 18), (10, 4, 6), (50, 49, 1), (9, 9, 1)])
def test_the_chance_of_none_is_the_hypergeometric_one(size: int, bad: int, samples: int) -> None:
    assert chance_of_none(size, bad, samples) == Fraction(math.comb(size - bad, samples), math.comb(size, samples))
    assert float(chance_of_none(size, bad, samples)) == pytest.approx(hypergeom(size, bad, samples).pmf(0), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("size", "samples"), LOTS)
def test_one_more_than_the_bound_is_excluded_and_the_bound_is_not(size: int, samples: int) -> None:
    bound = most_in_lot(size, samples)
    assert hypergeom(size, bound, samples).pmf(0) >= 0.05
    assert bound == size or hypergeom(size, bound + 1, samples).pmf(0) < 0.05


@pytest.mark.parametrize("size", [1, 2, 5, 13, 40])
def test_the_bound_is_that_of_counting_through(size: int) -> None:
    for samples in range(1, size + 1):
        chances = [hypergeom(size, bad, samples).pmf(0) for bad in range(size + 1)]
        assert most_in_lot(size, samples) == max(bad for bad, chance in enumerate(chances) if chance >= 0.05 - 1e-12)


def test_twelve_good_ones_of_five_hundred_leave_a_hundred_and_nine() -> None:
    assert most_in_lot(500, 12) == 109


def test_whoever_looks_at_all_knows_all() -> None:
    assert most_in_lot(500, 500) == 0


def test_at_exactly_five_percent_a_number_is_not_excluded() -> None:
    # One of twenty articles is bad, and nineteen are drawn: the chance to miss it is exactly 1/20.
    assert chance_of_none(20, 1, 19) == Fraction(1, 20)
    assert most_in_lot(20, 19) == 1


@pytest.mark.parametrize("samples", [1, 2, 12, 59, 300, 5000, 10_000, 10_001, 100_000])
def test_without_a_lot_size_the_bound_is_the_binomial_one(samples: int) -> None:
    bound = most_in_any(samples)
    assert 0 <= float(bound) - (1 - 0.05 ** (1 / samples)) < 1.7e-6
    assert binom(samples, float(bound)).pmf(0) <= 0.05


@pytest.mark.parametrize("samples", [1, 12, 59])
def test_the_bound_for_any_lot_is_that_of_an_endless_one(samples: int) -> None:
    share = most_in_lot(MOST_ARTICLES, samples) / MOST_ARTICLES
    assert share <= float(most_in_any(samples)) < share + 2e-6


@pytest.mark.parametrize(("size", "wanted"), [(500, 0), (500, 5), (500, 109), (500, 499), (20, 1), (1, 0), (100_000, 1000)])
def test_so_many_samples_are_needed_and_one_less_is_not_enough(size: int, wanted: int) -> None:
    needed = samples_for_lot(size, wanted)
    assert most_in_lot(size, needed) <= wanted
    assert needed == 1 or most_in_lot(size, needed - 1) > wanted


def test_nothing_needs_looking_at_where_all_may_be_bad() -> None:
    assert samples_for_lot(20, 20) == 0


def test_the_known_rule_of_fifty_nine() -> None:
    assert samples_for_any(Fraction(5, 100)) == 59
    assert samples_for_any(Fraction(1, 100)) == 299
    assert samples_for_any(Fraction(95, 100)) == 1


@pytest.mark.parametrize("share", [Fraction(1, 1000), Fraction(1, 3), Fraction(1, 2), Fraction(221, 1000)])
def test_a_share_needs_so_many_samples_and_not_one_less(share: Fraction) -> None:
    needed = samples_for_any(share)
    assert (1 - share) ** needed <= Fraction(1, 20)
    assert needed == 1 or (1 - share) ** (needed - 1) > Fraction(1, 20)


@pytest.mark.parametrize(("size", "samples"), [(0, 1), (10, 11), (10, 0), (MOST_ARTICLES + 1, 5)])
def test_samples_that_are_not_of_a_lot_are_refused(size: int, samples: int) -> None:
    with pytest.raises(ValueError, match=r"is no size|are not of a lot"):
        most_in_lot(size, samples)


@pytest.mark.parametrize("wanted", [-1, 11])
def test_a_number_that_is_not_in_the_lot_cannot_be_wanted(wanted: int) -> None:
    with pytest.raises(ValueError, match="no number of articles"):
        samples_for_lot(10, wanted)


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_a_share_lies_between_none_and_all(share: Fraction) -> None:
    with pytest.raises(ValueError, match="no share"):
        samples_for_any(share)


def test_no_sample_says_nothing() -> None:
    with pytest.raises(ValueError, match="without a sample"):
        most_in_any(0)


def test_large_lots_are_reckoned_exactly_and_soon() -> None:
    start = time.perf_counter()
    assert most_in_lot(MOST_ARTICLES, 100_000) == 298
    assert hypergeom(MOST_ARTICLES, 298, 100_000).pmf(0) > 0.05 > hypergeom(MOST_ARTICLES, 299, 100_000).pmf(0)
    assert most_in_lot(MOST_ARTICLES, 5_000) > 5_000
    assert most_in_any(100_000) == Fraction(30, 1_000_000)
    assert time.perf_counter() - start < 10
