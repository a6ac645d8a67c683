"""No two samples of a lot, and no two pieces of a set, are called the same."""

from __future__ import annotations

import json

import pytest

from homolog.errors import InputRefused
from homolog.quantity import Article
from homolog.submission.names import Names
from homolog.submission.sheet import Sheet
from tests.submission.sheets import one_problem, read, refused

HEAD = "format: homolog-submission/1\nitem: {item}\n"
SET = HEAD.format(item="set")
LOT = HEAD.format(item="ball")


def piece(name: str, role: str = "field_figure") -> str:
    return f"  - {{name: {name}, attributes: {{role: {role}}}}}\n"


@pytest.mark.parametrize("again", ["F1", "f1", '" F1 "'])
def test_two_pieces_of_one_name_are_refused_at_the_second(again: str) -> None:
    sheet = SET + "pieces:\n" + piece("F1") + piece("F2") + piece(again)
    assert one_problem(refused(sheet)) == ("sheet.yaml:6:6", "name_twice")


def test_a_goalkeeper_is_no_namesake_of_a_figure_either() -> None:
    sheet = SET + "pieces:\n" + piece("No 1") + piece("No 1", "goalkeeper")
    assert one_problem(refused(sheet)) == ("sheet.yaml:5:6", "name_twice")


def test_pieces_need_no_names() -> None:
    pieces = "pieces:\n" + "  - {attributes: {role: field_figure}}\n" * 3
    assert [one.name for one in read(SET + pieces)[0].article.pieces] == [None] * 3


def test_two_samples_of_one_name_are_refused_at_the_second() -> None:
    sheet = LOT + "samples:\n  - {name: A}\n  - {name: B}\n  - {name: a}\n"
    assert one_problem(refused(sheet)) == ("sheet.yaml:6:6", "name_twice")


def test_two_rows_of_one_name_are_refused_at_the_second() -> None:
    table = "sample,goalkeeper.height[mm]\nA,38\nB,38\nA,38\n"
    assert one_problem(refused(table, "lot.csv", "goalkeeper")) == ("lot.csv: row 4, column A (sample)", "name_twice")


def test_two_pieces_of_one_name_in_a_table_are_refused_at_the_second() -> None:
    table = "sample,role\nF1,field_figure\nF2,field_figure\nF1,goalkeeper\n"
    assert one_problem(refused(table, "set.csv", "set")) == ("set.csv: row 4, column A (sample)", "name_twice")


def test_two_lines_of_one_name_are_refused_at_the_second() -> None:
    line = json.dumps({"format": "homolog-submission/1", "item": "ball", "name": "A"})
    other = line.replace('"ball"', '"goal"')  # another item's sample may be called so
    (problem,) = refused(f"{line}\n{other}\n{line}\n", "lot.jsonl")
    assert (problem.where.split(":")[1], problem.code) == ("3", "name_twice")


def test_thousands_of_names_are_told_apart() -> None:
    sheet = Sheet.new(str)
    names = Names("sample")
    for number in range(2_000):
        names.add(sheet, Article(item="ball", name=f"s{number}"), (number,))
    sheet.finish()
    for number in (0, 999, 1_999):
        names.add(sheet, Article(item="ball", name=f"s{number}"), (number,))
    with pytest.raises(InputRefused) as caught:
        sheet.finish()
    assert [(problem.where, problem.code) for problem in caught.value.problems] == [
        ("(0,)", "name_twice"),
        ("(999,)", "name_twice"),
        ("(1999,)", "name_twice"),
    ]
