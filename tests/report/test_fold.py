"""Places and readings that one line can stand for: what is met folds, and no number of what is not met is lost on paper."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from homolog.check import Question, check, vocabulary_of
from homolog.report import to_html, to_pdf
from homolog.report.view import view_of
from homolog.report.view_rows import Row
from homolog.submission.read import read_submissions
from tests.report.samples import (
    Finding,
    adopted_interpretation,
    failing_at_one_end,
    make_report,
    met_at_both_ends,
    open_interpretation,
)
from tests.report.test_pdf import opened, text_of

BOARD = Path(__file__).parents[2] / "examples" / "board.yaml"


def row_of(finding: Finding) -> Row:
    (row,) = view_of(make_report(findings=(finding,))).articles[0].rows
    return row


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_places_that_are_all_met_become_one_line_with_what_was_measured() -> None:
    row = row_of(met_at_both_ends())
    assert plain(row.fold) == "Place: end A 38.5 ± 0.03 mm; end B 38.4 ± 0.03 mm; all met"
    assert (row.parts, [part.label for part in row.folded]) == ((), ["end A", "end B"])


def test_of_a_row_that_fails_every_number_keeps_its_own_line() -> None:
    row = row_of(failing_at_one_end())
    assert [(part.label, plain(part.measured)) for part in row.parts] == [("end A", "39.5 ± 0.03 mm"), ("end B", "38.4 ± 0.03 mm")]
    assert row.fold == "Place: side A: not measured"


def test_readings_of_an_open_question_keep_their_lines() -> None:
    for finding in (open_interpretation(), adopted_interpretation()):
        row = row_of(finding)
        assert [part.label for part in row.parts] == ["outer", "material"]
        assert row.folded == ()


def test_the_page_holds_the_folded_parts_whole() -> None:
    page = plain(to_html(make_report(findings=(met_at_both_ends(),))).decode())
    inside = page.partition("<details>")[2].partition("</details>")[0]
    assert "<summary><bdi>Place: end A 38.5 ± 0.03 mm; end B 38.4 ± 0.03 mm; all met</bdi></summary>" in inside
    for number in ("at most 39 mm", "+0.5 mm", "+0.6 mm"):
        assert number in inside


@pytest.fixture(scope="module")
def board() -> bytes:
    question = Question(on=date(2026, 11, 30))
    (submission,) = read_submissions(BOARD.read_bytes(), BOARD.name, vocabulary_of(question.library))
    report = check(submission, question)
    assert json.loads(report.canonical)["counts"]["conform"] > 20
    return to_pdf(report)


def test_a_boards_report_is_eight_pages_long(board: bytes) -> None:
    assert len(opened(board).pages) <= 8


def test_folded_numbers_are_on_paper(board: bytes) -> None:
    text = plain(text_of(board))
    assert "Place: side A 61 ± 0.5 mm; side B 60 ± 0.5 mm; all met" in text
