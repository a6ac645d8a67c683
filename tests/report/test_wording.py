from __future__ import annotations

from typing import Any

import pytest

from homolog.report.messages import catalogue, english
from homolog.report.wording import (
    bounds_text,
    clean,
    limit_text,
    margin_text,
    mark_text,
    number,
    probability_text,
    reading_text,
    statement_text,
)

LIMIT = {"min": None, "max": "39", "unit": "mm", "min_is_strict": False, "max_is_strict": False}


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("lang", "text", "unit", "says"),
    [
        ("en", "38.950", "mm", "38.950 mm"),
        ("uk", "38.95", "mm3", "38,95 мм³"),
        ("it", "-0.5", None, "\N{MINUS SIGN}0,5"),
        ("en", "0.333333333333", None, "0.333333333…"),
        ("en", "12", "count", "12"),
        ("en", None, "mm", ""),
    ],
)
def test_numbers_keep_their_digits_and_show_where_they_are_cut(lang: str, text: str | None, unit: str | None, says: str) -> None:
    assert plain(number(catalogue(lang), text, unit)) == says


@pytest.mark.parametrize(
    ("lang", "text", "says"),
    [
        ("en", "0.9999", "above 0.9999"),
        ("uk", "0.9999", "понад 0,9999"),
        ("it", "0.0001", "sotto 0,0001"),
        ("en", "0.9998", "0.9998"),
        ("en", "1", "1"),
        ("en", None, ""),
    ],
)
def test_a_probability_at_the_end_of_the_scale_is_said_to_lie_beyond(lang: str, text: str | None, says: str) -> None:
    assert plain(probability_text(catalogue(lang), text)) == says


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"value": "38.9", "U": "0.05"}, "38.9 ± 0.05 mm"),
        ({"value": "38.9", "U": None}, "38.9 mm"),
        ({"lo": "38", "hi": None}, "at least 38 mm"),
        ({"lo": None, "hi": "39"}, "at most 39 mm"),
        ({"lo": "38", "hi": "39"}, "38 mm to 39 mm"),
        ({"gauge": "39", "U": "0.02", "result": "go", "lo": None, "hi": "39.02"}, "gauge 39 mm ± 0.02 mm: went"),
        ({"gauge": "39", "U": None, "result": "no_go", "lo": None, "hi": None}, "gauge 39 mm: did not go"),
    ],
)
def test_every_form_of_reading_is_written_out(form: dict[str, str | None], says: str) -> None:
    assert plain(reading_text(english(), {"unit": "mm", **form})) == says


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ({"min": "-5", "max": "5.0"}, "within 5.0 mm of 0"),
        ({"min": "-5", "max": "6"}, "\N{MINUS SIGN}5 to 6 mm"),
        ({"min": "0", "max": "0"}, "0 to 0 mm"),
        ({"min": "-5", "max": "5", "max_is_strict": True}, "at least \N{MINUS SIGN}5 mm and less than 5 mm"),
    ],
)
def test_a_limit_about_zero_is_said_as_one_distance(limit: dict[str, Any], says: str) -> None:
    assert plain(limit_text(english(), {"unit": "mm", **limit})) == says


def test_what_is_not_there_is_a_dash_or_nothing() -> None:
    assert reading_text(english(), None) == "—"
    assert limit_text(english(), None) == ""
    assert margin_text(english(), None, LIMIT) == ""
    assert bounds_text(english(), None, None, "mm") == ""
    assert statement_text(english(), "why", None) == ""


@pytest.mark.parametrize(("value", "says"), [("0.05", "+0.05 mm"), ("-0.05", "\N{MINUS SIGN}0.05 mm"), ("0.00", "0.00 mm")])
def test_a_margin_has_its_sign(value: str, says: str) -> None:
    assert plain(margin_text(english(), {"value": value, "side": "max"}, LIMIT)) == says


def test_a_mark_is_said_in_words() -> None:
    assert mark_text(english(), "default_U") == "no U was stated; the default that the rules file gives the method was used"
    assert (
        mark_text(english(), "at_most goalkeeper.volume")
        == "bounded by another quantity that this one cannot exceed (goalkeeper.volume)"
    )
    assert mark_text(english(), "never_heard") == "never_heard"


def test_an_unknown_code_shows_what_the_record_says() -> None:
    statement = {"code": "never_heard", "params": {}, "text": "As the record says."}
    assert statement_text(catalogue("uk"), "why", statement) == "As the record says."


def test_letters_that_would_steer_the_page_are_shown_as_boxes() -> None:
    assert clean("a\u202eb\x00c\u200d") == "a□b□c□"
    assert clean("е\u0308") == "ё"
