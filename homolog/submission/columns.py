"""The columns of a table with a row a sample: what each header means, and which columns belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from homolog.gate.xlsx import column_letters
from homolog.gate.yaml_text import Path
from homolog.quantity import UNITS
from homolog.quantity.units import units_of
from homolog.submission import answers, readings
from homolog.submission.sheet import Sheet
from homolog.submission.vocabulary import Term, Vocabulary

_UNIT = re.compile(r"(.*)\[([^\[\]]*)\]", re.DOTALL)
_MEASURED = ("value", "gauge", "at_least", "at_most")
_NAMES = {"sample": "name", "name": "name"}


@dataclass(slots=True)
class ReadingColumns:
    """The columns of one quantity at one place: field to column, and the unit of each number."""

    term: Term
    place: str | None
    fields: dict[str, int] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class AnswerColumns:
    """The columns of one question at one place."""

    asks: str
    place: str | None
    fields: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Columns:
    """A header, understood: columns are counted from 0."""

    headers: list[str]
    paths: dict[Path, int] = field(default_factory=dict)
    name: int | None = None
    item: int | None = None
    attributes: dict[str, int] = field(default_factory=dict)
    readings: dict[tuple[str, str | None], ReadingColumns] = field(default_factory=dict)
    answers: dict[tuple[str, str | None], AnswerColumns] = field(default_factory=dict)
    scan: dict[str, int] = field(default_factory=dict)
    _found: dict[Path, int | None] = field(default_factory=dict)

    def column_of(self, path: Path) -> int | None:
        """Return the column that a path stands in, or the first one of its group."""
        if path not in self._found:
            inside = (column for other, column in self.paths.items() if path and other[: len(path)] == path)
            self._found[path] = self.paths.get(path, min(inside, default=None))
        return self._found[path]


def cell_name(name: str, row: int, column: int, header: str = "") -> str:
    """Return `sheet.csv: row 3, column C (board.level)`; the column counts from 0."""
    told = f" ({header[:60]})" if header else ""
    return f"{name}: row {row}, column {column_letters(column + 1)}{told}"


class HeaderReader:
    """Reads one header against the vocabularies that its rows may use."""

    def __init__(self, sheet: Sheet, vocabularies: Sequence[Vocabulary], name: str, row: int) -> None:
        """Keep where problems go; `row` is the header's own."""
        self.sheet = sheet
        self.name, self.row = name, row
        self.terms = {key: term for vocabulary in vocabularies for key, term in vocabulary.quantities.items()}
        self.questions = {key for vocabulary in vocabularies for key in vocabulary.questions}
        self.attributes = {key for vocabulary in vocabularies for key in vocabulary.attributes}
        self.columns = Columns([])

    def read(self, headers: list[str]) -> Columns:
        """Return the columns; those with problems are left out."""
        while headers and not headers[-1].strip():
            headers = headers[:-1]
        self.columns = Columns([header.strip() for header in headers])
        for column, header in enumerate(self.columns.headers):
            if header:
                self._add(column, header)
            else:
                self.fault(column, "the column has no header", "name it, or delete it", "column_unknown")
        for group in self.columns.readings.values():
            self._finish(group)
        return self.columns

    def fault(self, column: int, what: str, todo: str, code: str) -> None:
        """Note a problem of one header."""
        self.sheet.problems.add(cell_name(self.name, self.row, column, self.columns.headers[column]), what, todo, code)

    def _unknown(self, column: int, kind: str, word: str, known: object, code: str) -> None:
        where = cell_name(self.name, self.row, column, self.columns.headers[column])
        self.sheet.problems.unknown(where, kind, word, known, code)  # type: ignore[arg-type]

    def _claim(self, column: int, path: Path) -> bool:
        first = self.columns.paths.setdefault(path, column)
        if first != column:
            header = self.columns.headers[column]
            what = f"the column {header!r} says the same as column {column_letters(first + 1)}"
            self.fault(column, what, "keep one of them", "column_duplicate")
        return first == column

    def _add(self, column: int, header: str) -> None:
        head, _, rest = header.partition(".")
        if header in _NAMES:
            if self._claim(column, ("name",)):
                self.columns.name = column
        elif header == "item":
            if self._claim(column, ("item",)):
                self.columns.item = column
        elif head == "attribute" or header in self.attributes:
            self._add_attribute(column, rest if head == "attribute" else header)
        elif head == "answer":
            self._add_answer(column, rest)
        elif head == "scan":
            self._add_scan(column, rest)
        else:
            self._add_reading(column, header)

    def _add_attribute(self, column: int, key: str) -> None:
        if key not in self.attributes:
            self._unknown(column, "the attribute", key, self.attributes, "attribute_unknown")
        elif self._claim(column, ("attributes", key)):
            self.columns.attributes[key] = column

    def _add_scan(self, column: int, key: str) -> None:
        if key not in ("file", "unit", "source"):
            self._unknown(column, "the field of a scan", key, ("file", "unit", "source"), "column_unknown")
        elif self._claim(column, ("scans", 0, key)):
            self.columns.scan[key] = column

    def _add_answer(self, column: int, rest: str) -> None:
        known = self.questions
        head, _, tail = rest.rpartition(".")
        is_part = rest not in known and tail in answers.FIELDS and head.partition("@")[0] in known
        asks, part = (head, tail) if is_part else (rest, "answer")
        asks, _, place = asks.partition("@")
        if asks not in known:
            self._unknown(column, "the question", asks, known, "question_unknown")
        elif self._claim(column, ("answers", asks, place, part)):
            group = self.columns.answers.setdefault((asks, place or None), AnswerColumns(asks, place or None))
            group.fields[part] = column

    def _add_reading(self, column: int, header: str) -> None:
        found = _UNIT.fullmatch(header)
        rest, unit = (found[1].strip(), found[2].strip()) if found else (header, "")
        head, _, tail = rest.rpartition(".")
        known = tail in readings.FIELDS and head.partition("@")[0] in self.terms
        base, part = (head, tail) if known else (rest, "value")
        quantity, at, place = base.partition("@")
        term = self.terms.get(quantity)
        if term is None:
            kind = "the quantity" if found or "." in header else "the column"
            self._unknown(column, kind, quantity, self.terms, "quantity_unknown" if found or "." in header else "column_unknown")
            return
        if at and not self._is_place(column, term, place):
            return
        if not self._is_unit(column, term, part, unit):
            return
        if self._claim(column, ("readings", quantity, place, part)):
            group = self.columns.readings.setdefault((quantity, place or None), ReadingColumns(term, place or None))
            group.fields[part] = column
            if unit:
                group.units[part] = unit

    def _is_place(self, column: int, term: Term, place: str) -> bool:
        header = self.columns.headers[column]
        here = self.sheet.at(lambda _: cell_name(self.name, self.row, column, header))
        return readings.ReadingList.new(here, ()).place(term, place, ())

    def _is_unit(self, column: int, term: Term, part: str, unit: str) -> bool:
        dimension = UNITS[term.unit].dimension
        if part not in readings.NUMBERS:
            if unit:
                self.fault(column, f"{part} has no unit", f"leave [{unit[:20]}] out", "column_unknown")
            return not unit
        if not unit:
            if part in _MEASURED:
                base = self.columns.headers[column]
                self.fault(column, "the column has no unit", f"write {base}[{term.unit}]", "number_without_unit")
            return part not in _MEASURED
        if unit not in UNITS:
            self.fault(column, f"unit {unit[:20]!r} is not known", f"write one of {units_of(dimension)}", "unit_unknown")
        elif UNITS[unit].dimension != dimension:
            what = f"{unit} is a unit of {UNITS[unit].dimension}, not of {dimension}"
            self.fault(column, what, f"write one of {units_of(dimension)}", "unit_dimension")
        else:
            return True
        return False

    def _finish(self, group: ReadingColumns) -> None:
        first = min(group.fields.values())
        if not any(part in group.fields for part in readings.DECIDING):
            base = f"{group.term.id}@{group.place}" if group.place else group.term.id
            self.fault(first, "no column holds the value itself", f"add {base}[{group.term.unit}]", "column_missing")
        if ("gauge" in group.fields) != ("result" in group.fields):
            self.fault(first, "a gauge needs the columns .gauge[unit] and .result", "add the other one", "column_missing")
        if "U" in group.fields and "U" not in group.units:
            units = {group.units[part] for part in ("value", "gauge") if part in group.units}
            if len(units) == 1:
                group.units["U"] = units.pop()
            else:
                self.fault(group.fields.pop("U"), "the unit of U is not clear", "write .U[unit]", "number_without_unit")
