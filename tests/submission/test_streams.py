"""A lot of any length, checked whole before its first sample is handed out."""

from __future__ import annotations

import hashlib
import io
import json
import tracemalloc
from pathlib import Path

import pytest

from homolog.errors import InputRefused
from homolog.submission.read import read_submissions, stream_submissions
from tests.submission.sheets import vocabulary_of

HEADER = "sample,goalkeeper.height[mm],goalkeeper.height.U,goalkeeper.height.method\n"


def lot(rows: int) -> bytes:
    return (HEADER + "".join(f"s{n},38.{n % 1000:03},0.05,caliper\n" for n in range(rows))).encode()


def test_a_stream_yields_what_reading_the_file_yields(tmp_path: Path) -> None:
    path = tmp_path / "lot.csv"
    path.write_bytes(lot(50))
    streamed = tuple(stream_submissions(path, vocabulary_of, "goalkeeper"))
    assert streamed == read_submissions(lot(50), "lot.csv", vocabulary_of, "goalkeeper")
    assert streamed[0].sha256 == hashlib.sha256(lot(50)).hexdigest()
    assert streamed == tuple(stream_submissions(io.BytesIO(lot(50)), vocabulary_of, "goalkeeper", name="lot.csv"))


def test_json_lines_stream_too() -> None:
    line = json.dumps({"format": "homolog-submission/1", "item": "ball"}) + "\n"
    found = stream_submissions(io.BytesIO(line.encode() * 3), vocabulary_of, name="lot.jsonl")
    assert [submission.row for submission in found] == [1, 2, 3]


def test_nothing_is_yielded_when_the_last_row_is_wrong() -> None:
    data = lot(20) + b"s20,38_9,0.05,caliper\n"
    with pytest.raises(InputRefused) as caught:
        stream_submissions(io.BytesIO(data), vocabulary_of, "goalkeeper", name="lot.csv")
    assert [problem.where for problem in caught.value.problems] == ["lot.csv: row 22, column B (goalkeeper.height[mm])"]


def test_a_file_that_changes_between_the_passes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lot.csv"
    path.write_bytes(lot(3))
    found = stream_submissions(path, vocabulary_of, "goalkeeper")
    path.write_bytes(lot(4))
    with pytest.raises(InputRefused, match="changed while it was read"):
        list(found)


@pytest.mark.parametrize("name", ["lot.yaml", "lot.json"])
def test_a_document_is_not_a_stream(name: str) -> None:
    with pytest.raises(InputRefused, match="not read as a stream"):
        stream_submissions(io.BytesIO(b"{}"), vocabulary_of, name=name)


def test_memory_does_not_grow_with_the_lot() -> None:
    def peak(rows: int) -> int:
        file = io.BytesIO(lot(rows))
        tracemalloc.start()
        for _ in stream_submissions(file, vocabulary_of, "goalkeeper", name="lot.csv"):
            pass
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(3_000) < peak(300) + 100_000
