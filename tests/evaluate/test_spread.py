"""Means and their uncertainty, against the definition and SciPy's Student distribution."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal
from fractions import Fraction

import pytest
from scipy.stats import t as student

from homolog.evaluate.spread import Spread, coverage_factor, expanded_of_mean


def spread(*values: str) -> Spread:
    found = Spread()
    for value in values:
        found.add(Decimal(value))
    return found


def test_mean_and_variance_are_exact() -> None:
    found = spread("20.1", "20.15", "20", "19.975")
    values = [Fraction(text) for text in ("20.1", "20.15", "20", "19.975")]
    assert (found.count, found.mean) == (4, Fraction(sum(values), 4))
    assert found.variance == statistics.variance(values)


def test_a_large_common_part_costs_no_digit() -> None:
    assert spread("1000000000000.001", "1000000000000.002", "1000000000000.003").variance == Fraction(1, 1_000_000)


def test_the_order_changes_nothing() -> None:
    values = [f"{20 + 0.37 * ((7 * at) % 31):.{at % 5}f}" for at in range(50)] + ["1E+2", "-0.5"]
    one, other = spread(*values), spread(*sorted(values))
    assert (one.mean, one.variance) == (other.mean, other.variance)


def test_one_value_does_not_spread() -> None:
    assert spread("3").variance is None
    assert spread("3").mean == 3


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 7, 10, 11, 29, 100, 999, 1999])
def test_the_factor_is_students(freedom: int) -> None:
    exact = student.ppf((1 + math.erf(math.sqrt(2))) / 2, freedom)
    assert 0 <= float(coverage_factor(freedom)) - exact < 0.01 + 1e-6


def test_the_factors_of_the_guide() -> None:
    # JCGM 100:2008, table G.2, 95.45 %, to two places; ours are rounded up
    table = {1: "13.97", 2: "4.53", 3: "3.31", 4: "2.87", 5: "2.65", 10: "2.28", 20: "2.13", 50: "2.05"}
    assert all(0 <= coverage_factor(freedom) - Decimal(k) <= Decimal("0.01") for freedom, k in table.items())
    assert coverage_factor(2000) == Decimal("2.00")


def test_what_is_common_does_not_average_out() -> None:
    few, _ = expanded_of_mean(10, Fraction(1, 10_000), Decimal("0.02"))
    many, k = expanded_of_mean(100_000, Fraction(1, 10_000), Decimal("0.02"))
    assert few > many
    assert float(many) == pytest.approx(2 * 0.02, rel=1e-4)
    assert k == Decimal("2.00")


def test_without_anything_common_the_mean_is_as_good_as_its_readings_are_many() -> None:
    half_width, k = expanded_of_mean(4, Fraction(4, 100), Decimal(0))
    assert k == coverage_factor(3)
    assert float(half_width) == pytest.approx(float(k) * 0.2 / 2)


def test_readings_that_do_not_spread_leave_what_is_common() -> None:
    half_width, k = expanded_of_mean(3, Fraction(0), Decimal("0.025"))
    assert (float(half_width), k) == (0.05, Decimal("2.00"))
