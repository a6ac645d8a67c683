"""What measuring says of a scan reads in the page's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from homolog.check import Question, ScanFile, Told, check, scan_alone, vocabulary_of
from homolog.report.messages import catalogue
from homolog.report.said import fact_name, said
from homolog.report.view import view_of
from homolog.scan.unit import declared, explain
from homolog.scan.window import Window, decide_unit
from homolog.spec.library import Library
from tests.check.test_judge import DAY
from tests.report.samples import make_report, make_scan

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGLISH_WORD = re.compile(r"\b[A-Za-z]{3,}\b")
WINDOW = Window(item="playing figure", what="the figure's longest side", low=20.0, high=50.0)


def plain(lang: str, text: str) -> str:
    return said(catalogue(lang), text).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("text", "uk"),
    [
        ("12 facets without area were left out", "пропущено граней без площі: 12"),
        ("9 points on open seams were joined; open edges fell from 12 to 3", None),
        ("2 holes, together 0.52 % of the surface, were closed; the rim of the largest is 3 % of the scan's length", None),
        ("3 of 12", "3 з 12"),
        ("38.95 mm", "38,95 мм"),
        ("98 %", "98 %"),
        ("from the flat underside of the base", "за рівним низом основи"),
        ("its upper face rises by 1.2 mm from near the edge inward, and its underside is level out to 9.1 of 10.0 mm", None),
        ("+0.12 mm to the right, -0.05 mm to the rear", "+0,12 мм праворуч, \N{MINUS SIGN}0,05 мм назад"),
        (explain("mm", 39.0, "The body without its rod").reason, None),
        (
            declared("mm", 39.0, "The body without its rod").reason,
            "У заявці вказано мм: тіло без стержня тоді має 39,0 мм завдовжки.",
        ),
        (decide_unit(35.0, WINDOW, declared=None, name="x").reason, None),
        (decide_unit(35.0, WINDOW, declared="mm", name="x").reason, None),
        ("The file itself states its unit: mm.", "Файл сам указує свою одиницю: мм."),
    ],
)
def test_a_sentence_of_measuring_has_no_english_word_left(text: str, uk: str | None) -> None:
    told = plain("uk", text)
    assert ENGLISH_WORD.findall(told) == []
    assert uk is None or told == uk
    assert plain("en", text) == text.replace("-0.05", "\N{MINUS SIGN}0.05")


def test_what_the_catalogue_does_not_know_stays_as_it_is() -> None:
    assert plain("uk", "something new was done") == "something new was done"
    assert fact_name(catalogue("it"), "median_edge") == "spigolo mediano"
    assert fact_name(catalogue("it"), "brand_new") == "brand new"


@pytest.mark.parametrize(("name", "item"), [("goalkeeper.stl", "goalkeeper"), ("ball.stl", "ball"), ("figure.stl", "figure")])
def test_the_facts_of_a_scan_are_in_the_language_of_the_page(name: str, item: str) -> None:
    library = Library()
    file = ScanFile(name=name, data=(EXAMPLES / name).read_bytes())
    submission, scan = scan_alone(file, item, Told(unit="mm"), vocabulary_of(library))
    report = check(submission, Question(on=DAY, library=library), scan)
    view = view_of(report, "uk")
    words = catalogue("uk")
    ids = {words.say(f"label.{name}") for name in ("engine", "spec", "submission", "scan")}
    told = [fact for fact in view.provenance if not fact.is_code and fact.name.split(", ")[0] not in ids]
    assert len(told) > 10
    assert [fact for fact in told if ENGLISH_WORD.search(fact.name + fact.value)] == [told[0]]
    assert told[0].value == "homolog-report/1"


def test_repairs_and_the_reason_for_the_unit_are_translated_on_the_page() -> None:
    reason = declared("mm", 39.0, "The body without its rod").reason
    scan = make_scan(unit_reason=reason, facts={"base_kind": "disc", "part": "3 of 12"})
    facts = {fact.name: fact.value for fact in view_of(make_report(scan=scan), "it").provenance}
    assert facts["forma della base"] == "disco"
    assert facts["parte"] == "3 di 12"
    assert "La richiesta dichiara mm: il corpo senza asta misura allora" in facts["Unità"]
