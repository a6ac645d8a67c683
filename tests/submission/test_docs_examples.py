"""The examples and the numbers of docs/submission.md are true."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from homolog.gate import csv_text, text, xlsx, yaml_text
from homolog.gate import zip as archive
from homolog.spec.library import Library
from homolog.submission import adoptions, article, problems, read, scans
from homolog.submission.vocabulary import Vocabulary

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "submission.md").read_text()
EXAMPLES = re.findall(r"(?:<!-- item: (\w+) -->\n)?```(yaml|json|csv)\n(.*?)```", PAGE, re.DOTALL)


@cache
def vocabulary_of(item: str) -> Vocabulary:
    specs = [edition.spec(item) for edition in Library().editions.values()]
    return Vocabulary.of([spec for spec in specs if spec is not None], item=item)


@pytest.mark.parametrize(("item", "form", "example"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_is_read(item: str, form: str, example: str) -> None:
    if adoptions.ADOPTIONS_FORMAT in example:
        found = adoptions.read_adoptions(example.encode(), "adoptions.yaml")
        specs = [edition.spec("goalkeeper") for edition in Library().editions.values()]
        adoptions.check_adoptions(found, [spec for spec in specs if spec is not None], Library().editions)
        return
    for submission in read.read_submissions(example.encode(), f"sheet.{form}", vocabulary_of, item or None):
        told = submission.article
        assert told.readings or told.answers or submission.scans or any(piece.readings for piece in told.pieces)


def test_there_is_an_example_of_every_form() -> None:
    assert sorted({form for _, form, _ in EXAMPLES}) == ["csv", "json", "yaml"]
    assert len(EXAMPLES) == 12


def test_the_limits_are_those_of_the_code() -> None:
    told = [
        int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", PAGE.partition("## Limits")[2].partition("\n## ")[0])
    ]
    assert told == [
        read.MAX_DOCUMENT_BYTES,
        yaml_text.MAX_NODES,
        yaml_text.MAX_DEPTH,
        xlsx.MAX_CELLS,
        xlsx.MAX_WORKBOOK_BYTES,
        xlsx.MAX_SHEET_ROWS,
        csv_text.MAX_COLUMNS,
        xlsx.MAX_AREA,
        csv_text.MAX_ROWS,
        csv_text.MAX_ROW_BYTES,
        csv_text.MAX_COLUMNS,
        article.MAX_PIECES,
        scans.MAX_SCANS,
        scans.MAX_INSTRUMENTS,
        text.MAX_WORDS,
        archive.FREE_RATIO_BYTES,
        archive.MAX_MEMBERS,
        archive.MAX_UNPACKED_BYTES,
        archive.MAX_RATIO,
        problems.MAX_PROBLEMS,
        adoptions.MAX_ADOPTIONS_BYTES,
    ]
