"""Workbooks as rows of text cells: bounded before they are opened, formulas without a value told from empty cells.

The values are read by calamine. It returns an empty text for a formula that was never calculated and for an error such
as #DIV/0!, and makes a dense table out of one far cell, so the sheets are walked once before.
"""

from __future__ import annotations

import io
import posixpath
import re
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from xml.parsers import expat

from homolog.errors import InputRefused
from homolog.gate.csv_text import MAX_COLUMNS, Row
from homolog.gate.zip import Archive, check_zip

MAX_CELLS = 100_000
MAX_SHEET_ROWS = 20_000
MAX_AREA = 1_000_000
MAX_WORKBOOK_BYTES = 50_000_000
SHEET = "measurements"

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})", re.ASCII)
_ROW = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)


class CellNumber(str):
    """A number that a cell holds as a number: it has no decimal sign of its own."""

    __slots__ = ()


class FormulaCell(str):
    """A formula whose value is not in the file; the text says so."""

    __slots__ = ()


class FaultyCell(str):
    """A cell that holds an error, a date or a truth value; the text says which."""

    __slots__ = ()


_NO_VALUE = FormulaCell("the cell's formula has no value in the file")
_ERROR = FaultyCell("an error of a formula")


@dataclass
class _Sheet:
    """What one walk over a sheet's XML finds: its cells' extent, and cells that hold no usable value."""

    cells: int = 0
    row: int = 0
    column: int = 0
    rows: int = 0
    columns: int = 0
    formulas: set[tuple[int, int]] = field(default_factory=set)
    valueless: set[tuple[int, int]] = field(default_factory=set)
    errors: set[tuple[int, int]] = field(default_factory=set)


def _refuse(name: str, what: str, code: str = "xlsx_invalid", todo: str = "save it anew as .xlsx") -> InputRefused:
    return InputRefused.because(what, where=name, todo=todo, code=code)


def _too_many_cells(name: str) -> InputRefused:
    return _refuse(name, f"the workbook has more than {MAX_CELLS} cells", "xlsx_too_large", "send a CSV")


def column_number(letters: str) -> int:
    """Return a column's number from its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """Return a column's letters from its number, from 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _parse(archive: Archive, part: str, **handlers: Any) -> None:
    parser = expat.ParserCreate(namespace_separator="}")

    def doctype(*_: object) -> None:
        raise _refuse(archive.name, f"{part} declares a document type")

    parser.StartDoctypeDeclHandler = doctype
    for handler, function in handlers.items():
        setattr(parser, handler, function)
    try:
        parser.Parse(archive.read(part), True)
    except expat.ExpatError:
        raise _refuse(archive.name, f"{part} is not well-formed") from None


class _Walk:
    """The walk over one sheet's cells."""

    def __init__(self, name: str, sheet: _Sheet) -> None:
        self.name, self.sheet = name, sheet
        self.at = (0, 0)
        self.is_formula = self.is_error = self.has_value = self.in_value = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition("}")[2]
        if local == "row":
            told = attributes.get("r", "")
            self.sheet.row = int(told) if _ROW.fullmatch(told) else self.sheet.row + 1
            self.sheet.column = 0
            self.extend()
        elif local == "c":
            self.cell(attributes)
        elif local == "f":
            self.is_formula = True
        elif local in ("v", "t"):
            self.in_value = True

    def cell(self, attributes: dict[str, str]) -> None:
        sheet = self.sheet
        sheet.cells += 1
        if sheet.cells > MAX_CELLS:
            raise _too_many_cells(self.name)
        found = _REFERENCE.fullmatch(attributes["r"]) if "r" in attributes else None
        if "r" in attributes and found is None:
            raise _refuse(self.name, f"a cell stands at {attributes['r'][:20]!r}")
        sheet.column = column_number(found[1]) if found else sheet.column + 1
        sheet.row = int(found[2]) if found else sheet.row
        self.at = (sheet.row, sheet.column)
        self.is_formula, self.has_value = False, False
        self.is_error = attributes.get("t") == "e"
        self.extend()

    def extend(self) -> None:
        sheet = self.sheet
        sheet.rows, sheet.columns = max(sheet.rows, sheet.row), max(sheet.columns, sheet.column)
        if sheet.rows > MAX_SHEET_ROWS or sheet.columns > MAX_COLUMNS or sheet.rows * sheet.columns > MAX_AREA:
            raise _refuse(
                self.name,
                f"a cell stands beyond row {MAX_SHEET_ROWS}, column {MAX_COLUMNS} or {MAX_AREA} places",
                "xlsx_too_large",
                "delete the rows and columns that are not used, or send a CSV",
            )

    def text(self, content: str) -> None:
        if self.in_value and content.strip():
            self.has_value = True

    def end(self, tag: str) -> None:
        local = tag.rpartition("}")[2]
        if local in ("v", "t"):
            self.in_value = False
        elif local == "c":
            if self.is_formula:
                self.sheet.formulas.add(self.at)
            if self.is_formula and not self.has_value:
                self.sheet.valueless.add(self.at)
            if self.is_error:
                self.sheet.errors.add(self.at)


def _walk(archive: Archive, part: str) -> _Sheet:
    sheet = _Sheet()
    walk = _Walk(archive.name, sheet)
    _parse(archive, part, StartElementHandler=walk.start, EndElementHandler=walk.end, CharacterDataHandler=walk.text)
    return sheet


def _parts(archive: Archive) -> tuple[dict[str, str], bool]:
    """Return the part of each sheet by the sheet's name, and whether formulas wait for their first calculation."""
    targets: dict[str, str] = {}
    sheets: dict[str, str] = {}
    waiting: list[str] = []

    def relation(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition("}")[2] == "Relationship":
            target = attributes.get("Target", "")
            targets[attributes.get("Id", "")] = target[1:] if target.startswith("/") else posixpath.normpath(f"xl/{target}")

    def sheet(tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition("}")[2]
        if local == "sheet":
            identity = next((value for key, value in attributes.items() if key.rpartition("}")[2] == "id"), "")
            sheets[attributes.get("name", "")] = targets.get(identity, "")
        elif local == "calcPr":
            waiting.append(attributes.get("fullCalcOnLoad", "0"))

    _parse(archive, "xl/_rels/workbook.xml.rels", StartElementHandler=relation)
    _parse(archive, "xl/workbook.xml", StartElementHandler=sheet)
    return sheets, any(flag in ("1", "true") for flag in waiting)


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return FaultyCell("a truth value")
    if isinstance(value, float | int):
        # 15 digits are what a spreadsheet shows: 38.950000000000003 was typed as 38.95.
        return CellNumber(format(Decimal(format(value, ".15g")), "f"))
    if isinstance(value, date | datetime | time | timedelta):
        return FaultyCell("a date or time")
    return FaultyCell("something unknown")


def read_workbook_rows(data: bytes, name: str, *, sheet: str = SHEET) -> list[Row]:
    """Return the rows of the sheet of that name, else of the first sheet; blank rows are left out.

    Raises:
        InputRefused: The archive or the workbook is not as it must be, or has too many cells.
    """
    archive = check_zip(data, name)
    if sum(member.size for member in archive.members.values()) > MAX_WORKBOOK_BYTES:
        raise _refuse(name, f"the workbook unpacks to more than {MAX_WORKBOOK_BYTES} bytes", "xlsx_too_large", "send a CSV")
    for part in ("[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
        if part not in archive.members:
            raise _refuse(name, f"the archive is no workbook: it has no {part}")
    parts, is_waiting = _parts(archive)
    walks = {part: _walk(archive, part) for part in archive.members if re.fullmatch(r"xl/worksheets/[^/]+\.xml", part)}
    if sum(walked.cells for walked in walks.values()) > MAX_CELLS:
        raise _too_many_cells(name)
    chosen = sheet if sheet in parts else next(iter(parts), "")
    walked = walks.get(parts.get(chosen, ""))
    if walked is None or set(parts.values()) - set(walks):
        raise _refuse(name, "the workbook names a sheet that it does not hold")
    valueless = walked.formulas if is_waiting else walked.valueless
    return _rows(_values(data, name, chosen), walked.errors, valueless)


def _values(data: bytes, name: str, sheet: str) -> list[list[Any]]:
    import python_calamine  # here, because most sheets are not workbooks

    try:
        workbook = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        return workbook.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise _refuse(name, f"the workbook cannot be read: {str(error)[:200]}") from None


def _rows(values: list[list[Any]], errors: set[tuple[int, int]], valueless: set[tuple[int, int]]) -> list[Row]:
    table = [[_cell(value) for value in line] for line in values]
    # Such cells may lie beyond what calamine returns: to it they are empty.
    for cells, fault in ((valueless, _NO_VALUE), (errors, _ERROR)):
        for number, column in cells:
            table += [[] for _ in range(number - len(table))]
            line = table[number - 1]
            line += [""] * (column - len(line))
            line[column - 1] = fault
    width = max(map(len, table), default=0)
    rows = [Row(number, line + [""] * (width - len(line))) for number, line in enumerate(table, start=1)]
    return [row for row in rows if not row.is_blank]
