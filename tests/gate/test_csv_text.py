"""CSV is read a bounded line at a time, with one separator."""

from __future__ import annotations

import io

import pytest

from homolog.errors import InputRefused
from homolog.gate import csv_text
from homolog.gate.csv_text import read_csv_rows


def rows(data: bytes) -> list[tuple[int, list[str]]]:
    return [(row.number, row.cells) for row in read_csv_rows(io.BytesIO(data), "x.csv")]


@pytest.mark.parametrize("data", [b"a,b\n1,2\n", b"a;b\r\n1;2", b"\xef\xbb\xbfa\tb\n1\t2\n", b'"a","b"\n"1",2\n'])
def test_the_separator_is_told_from_the_header(data: bytes) -> None:
    assert rows(data) == [(1, ["a", "b"]), (2, ["1", "2"])]


def test_a_quoted_separator_is_text() -> None:
    assert rows(b'"a,x";b\n"1;5";"say ""go"""\n') == [(1, ["a,x", "b"]), (2, ["1;5", 'say "go"'])]


@pytest.mark.parametrize(
    ("data", "where", "code"),
    [
        (b"", "x.csv", "file_empty"),
        (b"a,b;c\n", "x.csv: row 1", "csv_separator"),
        (b'a,b\n"1,2\n3,4\n', "x.csv: row 2", "csv_invalid"),
        (b'a,b\n"1"x,2\n', "x.csv: row 2", "csv_invalid"),
        (b"a,b\n1,2\r3,4\n", "x.csv: row 2", "csv_invalid"),
        (b"a,b\n1,\xe9\n", "x.csv:2", "text_invalid"),
        (b"a,b\n1,\x00\n", "x.csv:2", "text_invalid"),
        (b"a," * 500 + b"a\n", "x.csv: row 1", "too_many_columns"),
        (b"a\n" + b"1" * 100_001, "x.csv:2", "row_too_long"),
    ],
)
def test_what_is_no_plain_table_is_refused(data: bytes, where: str, code: str) -> None:
    with pytest.raises(InputRefused) as caught:
        rows(data)
    assert [(problem.where, problem.code) for problem in caught.value.problems] == [(where, code)]


def test_a_row_of_the_longest_length_and_the_most_columns_is_read() -> None:
    assert len(rows(b"a\n" + b"1" * 99_999 + b"\n")[1][1][0]) == 99_999
    assert len(rows(b"a," * 499 + b"a\n")[0][1]) == 500


def test_the_number_of_rows_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_text, "MAX_ROWS", 3)
    assert len(rows(b"a\n1\n2\n")) == 3
    with pytest.raises(InputRefused, match="more than 3 rows"):
        rows(b"a\n1\n2\n3\n")
