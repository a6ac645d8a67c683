"""JSON and JSON Lines carry the same shape, with every value in quotes."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from tests.submission.sheets import one_problem, read, refused

SHEET = {
    "format": "homolog-submission/1",
    "item": "goalkeeper",
    "name": "Ж – 1",
    "readings": {"goalkeeper.height": {"value": "3.9 cm", "U": "0.05 mm"}},
    "answers": {"gk.complete": {"answer": "yes", "role": "maker"}},
}


def test_a_json_sheet_reads_as_the_yaml_one_does() -> None:
    text = json.dumps(SHEET)
    (submission,) = read(text, "sheet.json")
    article = submission.article
    assert (submission.format, article.name, article.answers[0].yes) == ("json", "Ж – 1", True)
    assert (article.readings[0].value, article.readings[0].evidence) == (
        Decimal(39),
        f"sheet.json:1:{text.index('goalkeeper.height')}",
    )


OPENING = '{"format": "homolog-submission/1",\n "item": "goalkeeper",\n "readings": {\n'


@pytest.mark.parametrize(
    ("text", "at", "code"),
    [
        ('{"value": 38.9}', '"value"', "number_without_unit"),
        ('{"value": true}', '"value"', "measure_invalid"),
        ('{"value": "38 mm", "method": 3}', '"method"', "json_bare"),
        ('{"value": NaN}', "NaN", "json_invalid"),
        ('{"value": 1e999}', '"value"', "number_without_unit"),
        ('{"value": "1 mm", "U": "1 mm", "U": "2 mm"}', '"U": "2', "key_duplicate"),
        ('{"value": "1 mm",}', "}", "json_invalid"),
        ('{"value": "1 mm"; "U": "1 mm"}', ";", "json_invalid"),
        ('{"value": {"a": "b"}}', '"value"', "shape"),
    ],
)
def test_a_json_sheet_is_refused_at_the_place_of_its_fault(text: str, at: str, code: str) -> None:
    line = f'  "goalkeeper.height": {text}'
    place = f"sheet.json:4:{line.index(at) + 1}"
    assert one_problem(refused(f"{OPENING}{line}\n }}}}\n", "sheet.json")) == (place, code)


def test_json_lines_are_a_lot_with_a_row_a_line() -> None:
    lines = json.dumps(SHEET) + "\n\n" + json.dumps({**SHEET, "name": "2"}) + "\n"
    first, second = read(lines, "lot.jsonl")
    assert [(s.format, s.row, s.article.name) for s in (first, second)] == [("jsonl", 1, "Ж – 1"), ("jsonl", 3, "2")]


def test_json_lines_report_the_faults_of_all_lines() -> None:
    bad = json.dumps({**SHEET, "name": "2", "readings": {"goalkeeper.width": {"value": "3,9 cm"}}})
    lines = [json.dumps(SHEET), bad, json.dumps({**SHEET, "name": "3", "extra": "x"})]
    problems = refused("\n".join(lines), "lot.jsonl")
    assert [(problem.where, problem.code) for problem in problems] == [
        (f"lot.jsonl:3:{lines[2].index('extra')}", "key_unknown"),
        (f"lot.jsonl:2:{bad.index('value')}", "decimal_mixed"),
    ]
