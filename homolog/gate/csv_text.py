"""Tables in text files, a row a line: separators told from the header, rows of bounded length, nothing kept."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from homolog.errors import InputRefused

MAX_ROW_BYTES = 100_000
MAX_ROWS = 1_000_000
MAX_COLUMNS = 500

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: its number in the file, from 1, and its cells as text."""

    number: int
    cells: list[str]

    @property
    def is_blank(self) -> bool:
        """Whether every cell is empty."""
        return not any(cell.strip() for cell in self.cells)


def read_text_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file with their numbers, in constant memory.

    Raises:
        InputRefused: A line is too long or not text, there are too many lines, or there is none.
    """
    number = 0
    while raw := file.readline(MAX_ROW_BYTES + 1):
        number += 1
        where = f"{name}:{number}"
        if len(raw) > MAX_ROW_BYTES:
            raise InputRefused.because(f"the row has more than {MAX_ROW_BYTES} bytes", where=where, code="row_too_long")
        if number > MAX_ROWS:
            raise InputRefused.because(f"more than {MAX_ROWS} rows", where=where, todo="split the file", code="too_many_rows")
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise InputRefused.because(
                "the text is not UTF-8", where=where, todo="save it as UTF-8 text", code="text_invalid"
            ) from None
        if "\x00" in text:
            raise InputRefused.because(
                "the file holds a NUL byte, so it is not text", where=where, todo="save it as UTF-8 text", code="text_invalid"
            )
        yield number, text
    if not number:
        raise InputRefused.because("the file is empty", where=name, todo="send the whole file", code="file_empty")


def find_separator(header: str, name: str) -> str:
    """Return the one separator that the first row uses; a row of a single cell counts as comma.

    Raises:
        InputRefused: Two separators stand outside quotes.
    """
    bare = "".join(header.split('"')[::2])
    found = [separator for separator in SEPARATORS if separator in bare]
    if len(found) > 1:
        names = " and ".join(SEPARATORS[separator] for separator in found)
        raise InputRefused.because(
            f"the first row holds {names}, so the separator is not clear",
            where=f"{name}: row 1",
            todo="use one of them, and put names that hold the other in double quotes",
            code="csv_separator",
        )
    return found[0] if found else ","


def _cells(line: str, separator: str, where: str) -> list[str]:
    if '"' not in line:
        line = line.rstrip("\r\n")
        if "\r" not in line:
            return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise InputRefused.because(
            f"the row cannot be read: {error}", where=where, todo="close every quote on its own line", code="csv_invalid"
        ) from None


def read_csv_rows(file: BinaryIO, name: str) -> Iterator[Row]:
    """Yield the rows of a CSV file in constant memory; a cell never spans two lines.

    Raises:
        InputRefused: As for `read_text_lines` and `find_separator`; a quote is not closed; too many columns.
    """
    separator = ""
    for number, line in read_text_lines(file, name):
        where = f"{name}: row {number}"
        separator = separator or find_separator(line, name)
        cells = _cells(line, separator, where)
        if len(cells) > MAX_COLUMNS:
            raise InputRefused.because(
                f"the row has {len(cells)} columns, more than {MAX_COLUMNS}", where=where, code="too_many_columns"
            )
        yield Row(number, cells)
