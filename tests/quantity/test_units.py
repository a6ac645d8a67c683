"""Numbers with units are read from text without guessing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homolog.quantity import UNITS, NumberError, parse_measure, parse_number, round_up


@pytest.mark.parametrize(
    ("text", "number"), [("38.95", "38.95"), ("-5", "-5"), ("+5", "5"), ("010", "10"), ("0.0", "0.0"), ("9" * 15, "9" * 15)]
)
def test_a_plain_number_is_read_exactly(text: str, number: str) -> None:
    assert parse_number(text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "1_000",
        "1e3",
        "1e999",
        "nan",
        "inf",
        "٣٩",
        "3,9",
        "",
        " 39",
        "39 ",
        "39\n",
        ".5",
        "5.",
        "0x10",
        "1.2.3",
        "--1",
        "½",
        "9" * 16,
        "0." + "1" * 16,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NumberError) as refused:
        parse_number(text)
    assert refused.value.problems[0].code == "number_invalid"


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("39 mm", "mm", "39"),
        ("3.9 cm", "mm", "39.0"),
        ("0.039 m", "mm", "39.000"),
        ("1.5 in", "mm", "38.1"),
        ("38.1 mm", "in", "1.5"),
        ("2.7 ml", "mm3", "2700"),
        ("2.7 cm3", "mm3", "2700"),
        ("2700 mm3", "cm3", "2.7"),
        ("1.5 min", "s", "90"),
        ("  39   mm ", "mm", "39"),
        ("1.5 g", "g", "1.5"),
        ("10 count", "count", "10"),
        ("90 deg", "deg", "90"),
    ],
)
def test_a_measure_is_turned_exactly_into_another_unit(text: str, unit: str, number: str) -> None:
    assert parse_measure(text).to(unit) == Decimal(number)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("39", "measure_invalid"),
        ("39mm", "measure_invalid"),
        ("39 mm mm", "measure_invalid"),
        ("", "measure_invalid"),
        ("39 inch", "unit_unknown"),
        ("39 MM", "unit_unknown"),
        ("1_0 mm", "number_invalid"),
        ("3,9 cm", "number_invalid"),
        ("39\u00a0mm", "measure_invalid"),
    ],
)
def test_a_measure_without_a_known_unit_is_refused(text: str, code: str) -> None:
    with pytest.raises(NumberError) as refused:
        parse_measure(text)
    assert refused.value.problems[0].code == code


def test_a_measure_is_not_turned_into_another_dimension() -> None:
    measure = parse_measure("39 mm")
    assert (measure.fits("cm"), measure.fits("g")) == (True, False)
    with pytest.raises(NumberError, match=r"mm is a unit of length, not of mass; write one of g\."):
        measure.to("g")


def test_a_measure_is_said_as_it_was_written() -> None:
    assert str(parse_measure("39.00 mm")) == "39.00 mm"


@pytest.mark.parametrize(
    ("number", "rounded"),
    [
        ("0", "0"),
        ("0.0501", "0.051"),
        ("0.05", "0.050"),
        ("88.2", "89"),
        ("1234", "1300"),
        ("0.099", "0.099"),
        ("0.0991", "0.100"),
        ("100", "100"),
    ],
)
def test_an_uncertainty_is_rounded_up_to_two_digits_and_never_down(number: str, rounded: str) -> None:
    assert str(round_up(Decimal(number))) == rounded


@given(st.decimals(min_value="0.000001", max_value=100000, places=6), st.integers(1, 5))
def test_rounding_up_never_loses_and_adds_less_than_one_step(number: Decimal, digits: int) -> None:
    rounded = round_up(number, digits=digits)
    assert number <= rounded < number + Decimal(1).scaleb(number.adjusted() - digits + 1)


@given(st.decimals(min_value=-10000, max_value=10000, places=4), st.sampled_from(["mm", "cm", "m", "in"]))
def test_there_and_back_in_lengths_is_the_same_number(number: Decimal, unit: str) -> None:
    there = parse_measure(f"{number:f} {unit}").to("mm")
    assert parse_measure(f"{there:f} mm").to(unit) == number


def test_every_unit_has_a_size_in_its_dimension() -> None:
    assert all(unit.factor > 0 and unit.name == name for name, unit in UNITS.items())
