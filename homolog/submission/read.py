"""The door for sheets: the format told from a file's ending and content, every problem raised at once."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path as FilePath
from typing import Any, BinaryIO

from homolog.errors import InputRefused
from homolog.gate.csv_text import Row, read_csv_rows, read_text_lines
from homolog.gate.json_text import parse_json, parse_json_text
from homolog.gate.text import shown_name
from homolog.gate.xlsx import read_workbook_rows
from homolog.gate.yaml_text import parse_yaml
from homolog.submission.article import VocabularyOf
from homolog.submission.document import Source, read_document
from homolog.submission.form import FormReader, is_form
from homolog.submission.names import Names
from homolog.submission.rows import read_rows
from homolog.submission.sheet import Sheet
from homolog.submission.submission import Format, Submission

MAX_DOCUMENT_BYTES = 20_000_000
"""The largest YAML, JSON or XLSX file; CSV and JSON Lines are bounded by row."""
ENDINGS: dict[str, Format] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".xlsx": "xlsx",
}
_ZIP = b"PK\x03\x04"


def format_of(name: str, head: bytes) -> Format:
    """Return a sheet's format from its name; its first bytes must agree.

    Raises:
        InputRefused: The ending is not that of a sheet, or the content is of another kind.
    """
    found = ENDINGS.get(FilePath(name).suffix.lower())
    if found is None:
        todo = f"name it with one of {', '.join(ENDINGS)}"
        raise InputRefused.because("the file's ending is not that of a sheet", where=name, todo=todo, code="format_unknown")
    if not head.strip():
        raise InputRefused.because("the file is empty", where=name, todo="send the whole file", code="file_empty")
    if (found == "xlsx") != head.startswith(_ZIP):
        what = "the file is not a workbook" if found == "xlsx" else f"the file is an archive, not {found}"
        raise InputRefused.because(what, where=name, todo="give the file the ending of what it is", code="format_conflict")
    return found


def read_submissions(data: bytes, name: str, vocabulary_of: VocabularyOf, item: str | None = None) -> tuple[Submission, ...]:
    """Read every submission of a sheet.

    Args:
        data: The file's bytes.
        name: The file's name; its ending tells the format, and problems begin with it.
        vocabulary_of: Gives the names that a sheet for an item may use.
        item: The item, where the sheet itself need not say it.

    Raises:
        InputRefused: With every problem of the sheet, each at its place.
    """
    found = format_of(name, data[:64])
    source = Source(name, hashlib.sha256(data).hexdigest(), found, item)
    if found in ("csv", "jsonl"):
        sheet = Sheet.new(lambda _: name)
        submissions = list(_streamed(io.BytesIO(data), sheet, source, vocabulary_of))
        sheet.finish()
        return tuple(submissions)
    if len(data) > MAX_DOCUMENT_BYTES:
        what = f"the file has {len(data)} bytes, more than {MAX_DOCUMENT_BYTES}"
        raise InputRefused.because(what, where=name, todo="send a lot as CSV or JSON Lines", code="file_too_large")
    if found == "xlsx":
        sheet = Sheet.new(lambda _: name)
        submissions = list(_table(read_workbook_rows(data, name), sheet, source, vocabulary_of))
    else:
        document = parse_yaml(data, name) if found == "yaml" else parse_json(data, name)
        sheet = Sheet.new(document.where)
        submissions = read_document(document, sheet, source, vocabulary_of)
    sheet.finish()
    return tuple(submissions)


def stream_submissions(
    source: FilePath | BinaryIO, vocabulary_of: VocabularyOf, item: str | None = None, *, name: str | None = None
) -> Iterator[Submission]:
    """Read a lot of CSV or JSON Lines in constant memory, twice: all of it is checked before the first is yielded.

    Args:
        source: A path, or an open binary file that can seek; the file is read from its start.
        vocabulary_of: As for `read_submissions`.
        item: As for `read_submissions`.
        name: The file's name, where `source` is an open file.

    Raises:
        InputRefused: At the call, with every problem of the file; later, if the file has changed in between.
    """
    if isinstance(source, FilePath):
        with source.open("rb") as file:
            digest = _check(file, shown_name(source.name), vocabulary_of, item)
        return _yield_from_path(source, digest, vocabulary_of, item)
    shown = name or FilePath(str(getattr(source, "name", "sheet.csv"))).name
    digest = _check(source, shown, vocabulary_of, item)
    return _yield(source, shown, digest, vocabulary_of, item)


def _streamed_format(file: BinaryIO, name: str) -> Format:
    file.seek(0)
    found = format_of(name, file.read(64))
    file.seek(0)
    if found not in ("csv", "jsonl"):
        todo = "send a lot as CSV or JSON Lines"
        raise InputRefused.because(f"a {found} file is not read as a stream", where=name, todo=todo, code="format_unknown")
    return found


def _check(file: BinaryIO, name: str, vocabulary_of: VocabularyOf, item: str | None) -> str:
    source = Source(name, "", _streamed_format(file, name), item)
    hashed = _Hashed(file)
    sheet = Sheet.new(lambda _: name)
    for _ in _streamed(hashed, sheet, source, vocabulary_of):
        pass
    sheet.finish()
    return hashed.digest.hexdigest()


def _yield_from_path(path: FilePath, digest: str, vocabulary_of: VocabularyOf, item: str | None) -> Iterator[Submission]:
    with path.open("rb") as file:
        yield from _yield(file, shown_name(path.name), digest, vocabulary_of, item)


def _yield(file: BinaryIO, name: str, digest: str, vocabulary_of: VocabularyOf, item: str | None) -> Iterator[Submission]:
    source = Source(name, digest, _streamed_format(file, name), item)
    hashed = _Hashed(file)
    sheet = Sheet.new(lambda _: name)
    for submission in _streamed(hashed, sheet, source, vocabulary_of):
        sheet.problems.raise_if_any()
        yield submission
    sheet.finish()
    if hashed.digest.hexdigest() != digest:
        todo = "check it again when nobody writes to it"
        raise InputRefused.because("the file changed while it was read", where=name, todo=todo, code="file_changed")


class _Hashed(io.RawIOBase):
    """A file that is read by lines, with the digest of what was read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.digest = hashlib.sha256()

    def readline(self, size: int | None = -1, /) -> bytes:
        line = self.file.readline(-1 if size is None else size)
        self.digest.update(line)
        return line


def _streamed(file: Any, sheet: Sheet, source: Source, vocabulary_of: VocabularyOf) -> Iterator[Submission]:
    if source.format == "csv":
        yield from _table(read_csv_rows(file, source.name), sheet, source, vocabulary_of)
        return
    names = Names("sample")
    for number, line in read_text_lines(file, source.name):
        if line.strip():
            document = parse_json_text(line, source.name, first_line=number)
            yield from read_document(document, sheet.at(document.where), source, vocabulary_of, row=number, names=names)


def _table(rows: Iterable[Row], sheet: Sheet, source: Source, vocabulary_of: VocabularyOf) -> Iterator[Submission]:
    iterator = iter(rows)
    first = next((row for row in iterator if not row.is_blank), None)
    if first is None:
        raise InputRefused.because("the table is empty", where=source.name, todo="send the whole file", code="file_empty")
    if is_form(first):
        yield from FormReader(sheet, source, vocabulary_of).read(chain([first], iterator))
    else:
        yield from read_rows(chain([first], iterator), sheet, source, vocabulary_of)
