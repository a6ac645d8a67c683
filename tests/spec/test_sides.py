"""Comparing limits holds whatever the numbers and units are."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from homolog.quantity import UNITS, Measure
from homolog.spec.diff.limits import of_sides
from homolog.spec.interpretation import Bounds
from homolog.spec.sides import Side, Sides, sides_of

NUMBERS = st.decimals(min_value=-50, max_value=50, places=2)
SIDES = st.none() | st.builds(Side, NUMBERS, st.booleans())
LIMITS = st.builds(Sides, SIDES, SIDES)
TURNED = {"tightened": "loosened", "loosened": "tightened", "changed": "changed", None: None}


def lets_in(limit: Sides, value: Decimal) -> bool:
    lower, upper = limit.lower, limit.upper
    above = lower is None or value > lower.value or (value == lower.value and not lower.is_strict)
    below = upper is None or value < upper.value or (value == upper.value and not upper.is_strict)
    return above and below


@given(LIMITS, LIMITS)
def test_a_comparison_turned_round_has_the_other_direction(old: Sides, new: Sides) -> None:
    assert of_sides(new, old) == TURNED[of_sides(old, new)]


@given(LIMITS)
def test_a_limit_does_not_differ_from_itself(limit: Sides) -> None:
    assert of_sides(limit, limit) is None


@given(LIMITS, LIMITS, NUMBERS)
def test_what_a_tightened_limit_lets_in_the_older_one_let_in_too(old: Sides, new: Sides, value: Decimal) -> None:
    if of_sides(old, new) == "tightened" and lets_in(new, value):
        assert lets_in(old, value)


@given(LIMITS, LIMITS, NUMBERS)
def test_what_an_older_limit_let_in_a_loosened_one_lets_in_too(old: Sides, new: Sides, value: Decimal) -> None:
    if of_sides(old, new) == "loosened" and lets_in(old, value):
        assert lets_in(new, value)


@given(NUMBERS, st.sampled_from(["cm", "m", "in"]))
def test_a_limit_is_the_same_in_any_unit(number: Decimal, unit: str) -> None:
    written = Bounds.model_validate({"max": Measure(number, UNITS[unit])})
    in_mm = Bounds.model_validate({"max": Measure(number * UNITS[unit].factor, UNITS["mm"])})
    assert sides_of(written) == sides_of(in_mm)
