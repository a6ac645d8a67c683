"""Numbers are read exactly or not at all, and one sheet uses one decimal sign."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homolog.errors import InputRefused
from homolog.gate.xlsx import CellNumber
from homolog.submission.numbers import MeasureReader
from homolog.submission.problems import ProblemList

numbers = st.decimals(min_value=0, max_value=9999, places=3, allow_nan=False)
FACTORS = {"mm": Decimal(1), "cm": Decimal(10), "m": Decimal(1000), "in": Decimal("25.4")}


def reader() -> tuple[MeasureReader, ProblemList]:
    problems = ProblemList()
    return MeasureReader(problems), problems


def codes(problems: ProblemList) -> list[str]:
    try:
        problems.raise_if_any()
    except InputRefused as refused:
        return [problem.code for problem in refused.problems]
    return []


def read(*texts: str, unit: str = "mm") -> tuple[list[Decimal | None], list[str]]:
    measures, problems = reader()
    found = [measures.read(text, unit, lambda text=text: text) for text in texts]  # type: ignore[misc]
    measures.finish()
    return found, codes(problems)


@given(numbers, st.sampled_from(list(FACTORS)))
def test_every_unit_is_converted_exactly(number: Decimal, unit: str) -> None:
    assert read(f"{number} {unit}") == ([number * FACTORS[unit]], [])


@given(st.lists(numbers, min_size=1, max_size=5))
def test_a_sheet_of_commas_reads_as_the_same_sheet_of_points(values: list[Decimal]) -> None:
    points = [f"{value:.3f} mm" for value in values]
    commas = [text.replace(".", ",") for text in points]
    assert read("0,05 mm", *commas) == read("0.05 mm", *points)


@given(numbers, numbers)
def test_a_comma_and_a_point_never_meet(first: Decimal, second: Decimal) -> None:
    assert read(f"{first:.2f} mm".replace(".", ","), f"{second:.2f} mm")[1] == ["decimal_mixed"]


@given(st.integers(1, 999), st.integers(0, 999))
def test_what_may_be_thousands_is_never_guessed(whole: int, part: int) -> None:
    text = f"{whole},{part:03} mm"
    assert read(text)[1] == ["number_ambiguous"]
    assert read(text, "0,5 mm") == ([Decimal(f"{whole}.{part:03}"), Decimal("0.5")], [])


@given(st.text(max_size=12))
def test_any_text_is_a_finite_number_or_a_problem(text: str) -> None:
    measures, problems = reader()
    found = measures.size(text, "mm", lambda: "here")
    assert (found is None) == bool(codes(problems))
    assert found is None or (found.is_finite() and 0 <= found <= 10_000)


@pytest.mark.parametrize(
    "text",
    ["1_000 mm", "1e3 mm", "٣ mm", "nan mm", "inf mm", "0x10 mm", "1,2,3 mm", "1. mm", ".5 mm", "--1 mm", "1 000 mm", "−5 mm"],
)
def test_nothing_but_plain_digits_is_a_number(text: str) -> None:
    assert read(text)[1] in (["number_invalid"], ["measure_invalid"])


def test_a_unit_that_has_no_exact_value_is_refused() -> None:
    assert read("1 mm", unit="in")[1] == ["measure_inexact"]
    assert read("25.4 mm", unit="in") == ([Decimal(1)], [])


def test_a_number_cell_has_no_decimal_sign() -> None:
    assert read(CellNumber("38.9 mm"), "0,05 mm") == ([Decimal("38.9"), Decimal("0.05")], [])


@pytest.mark.parametrize(
    ("text", "unit", "is_good"),
    [
        ("10 m", "mm", True),
        ("10.0001 m", "mm", False),
        ("0 mm", "mm", True),
        ("100000 g", "g", True),
        ("100001 g", "g", False),
        ("-1 g", "g", False),
        ("1000000 cm3", "mm3", True),
        ("1000001 cm3", "mm3", False),
        ("-5 deg", "deg", True),
        ("361 deg", "deg", False),
        ("-1 min", "s", False),
        ("3 count", "count", True),
        ("3.5 count", "count", False),
    ],
)
def test_an_impossible_size_is_a_wrong_unit(text: str, unit: str, is_good: bool) -> None:
    measures, problems = reader()
    assert (measures.size(text, unit, lambda: "here") is not None) is is_good
    assert codes(problems) == ([] if is_good else ["size_impossible"])
