"""The form that the template writes: sections of rows, each with a header of its own, for one article."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import MappingProxyType

from homolog.gate.csv_text import Row
from homolog.gate.yaml_text import Path
from homolog.quantity import Article
from homolog.submission import answers, readings
from homolog.submission.answers import AnswerList
from homolog.submission.article import WITH_PIECES, Found, VocabularyOf, Words, attribute
from homolog.submission.columns import HeaderReader, cell_name
from homolog.submission.document import Source, sheet_item
from homolog.submission.form_scans import SCANNED, FormScans
from homolog.submission.readings import ReadingList
from homolog.submission.rows import PIECE_ITEMS, RowReader, read_pieces, with_unit
from homolog.submission.sheet import Sheet
from homolog.submission.submission import SUBMISSION_FORMAT, ScanReference, Submission
from homolog.submission.vocabulary import Vocabulary

NOTE = "#"
"""A row whose first cell begins so is for the person who fills the form in."""
HEAD = ("format", "item", "name")
SECTIONS: dict[str, tuple[str, ...]] = {
    "quantity": ("quantity", "place", "value", "unit", *readings.FIELDS[1:], "meaning", "limit", "methods"),
    "question": ("question", *answers.FIELDS, "meaning", "readings", "clause"),
    "attribute": ("attribute", "value", "meaning", "allowed"),
    **{kind: (kind, *fields, "meaning") for kind, fields in SCANNED.items()},
}
FOR_THE_READER = ("meaning", "limit", "methods", "readings", "clause", "allowed")
"""Columns that explain; what stands in them is not read."""
PIECES = "pieces"
_READ_APART = (PIECES, *SCANNED)


@dataclass(slots=True)
class _Section:
    """A header and the rows below it, up to the next header."""

    kind: str
    header: Row
    rows: list[Row] = field(default_factory=list)


def is_form(first: Row) -> bool:
    """Return whether a table is a form: its first cell says `format`."""
    return bool(first.cells) and first.cells[0].strip().removeprefix("\ufeff") == "format"


class FormReader:
    """Reads one form."""

    def __init__(self, sheet: Sheet, source: Source, vocabulary_of: VocabularyOf) -> None:
        """Keep where problems go, and where names are looked up."""
        self.sheet, self.source, self.vocabulary_of = sheet, source, vocabulary_of
        self.head: dict[str, str] = {}
        self.sections: list[_Section] = []
        self.scans: list[ScanReference] = []
        self.attributes: dict[str, str] = {}
        self.pieces: tuple[Article, ...] = ()

    def read(self, rows: Iterable[Row]) -> list[Submission]:
        """Return the form's one submission; with problems it is not complete."""
        self._divide(rows)
        here = self.sheet.at(lambda path: f"{self.source.name}: the row {path[0]}" if path else self.source.name)
        if self.head.get("format") != SUBMISSION_FORMAT:
            told = self.head.get("format", "")
            here.fault(("format",), f"the format is {told[:60]!r}", f"write {SUBMISSION_FORMAT}", "format_unknown")
            return []
        item = sheet_item(here, self.head.get("item", ""), ("item",), self.source.item)
        if item is None:
            return []
        vocabulary = self.vocabulary_of(item)
        words = Words.of(vocabulary)
        found = ReadingList.new(self.sheet, vocabulary.methods)
        answered = AnswerList(self.sheet, vocabulary)
        tables = {kind: [one for part in self.sections if part.kind == kind for one in self._cells(part)] for kind in SCANNED}
        self.scans += FormScans(self.sheet, self.source.name).read(tables)
        for section in self.sections:
            if section.kind == PIECES:
                self._read_pieces(section, vocabulary)
            if section.kind in _READ_APART:
                continue
            for row, cells in self._cells(section):
                self._read_row(section.kind, row, cells, found, answered, words)
        article = Article(
            item=item,
            name=here.words(self.head.get("name", ""), ("name",)),
            attributes=MappingProxyType(self.attributes),
            readings=tuple(found.readings),
            unmeasured=tuple(found.unmeasured),
            answers=answered.finish(),
            pieces=self.pieces,
        )
        return [self.source.submission(Found(article, tuple(self.scans)))]

    def _divide(self, rows: Iterable[Row]) -> None:
        for row in rows:
            first = row.cells[0].strip() if row.cells else ""
            if row.is_blank or first.startswith(NOTE):
                continue
            if first in SECTIONS or first == PIECES:
                self.sections.append(_Section(first, row))
            elif self.sections:
                self.sections[-1].rows.append(row)
            elif first not in HEAD:
                where = cell_name(self.source.name, row.number, 0)
                self.sheet.problems.unknown(where, "the row", first, (*HEAD, *SECTIONS, PIECES), "key_unknown")
            elif first in self.head:
                where = cell_name(self.source.name, row.number, 0)
                self.sheet.problems.add(where, f"the row {first!r} is there twice", "keep one of them", "key_duplicate")
            else:
                self.head[first] = row.cells[1].strip() if len(row.cells) > 1 else ""

    def _cells(self, section: _Section) -> Iterable[tuple[Row, dict[str, tuple[int, str]]]]:
        """Yield the rows of a section: header to column and cell, empty cells left out."""
        headers = [cell.strip() for cell in section.header.cells]
        known = SECTIONS[section.kind]
        for column, header in enumerate(headers):
            where = cell_name(self.source.name, section.header.number, column, header)
            if header and header not in known:
                self.sheet.problems.unknown(where, "the column", header, known, "column_unknown")
            elif header and headers.index(header) != column:
                self.sheet.problems.add(where, f"the column {header!r} is there twice", "keep one of them", "column_duplicate")
        for row in section.rows:
            cells = {}
            for column, cell in enumerate(row.cells):
                header = headers[column] if column < len(headers) else ""
                if not cell.strip() or header in FOR_THE_READER:
                    continue
                if header:
                    cells[header] = (column, cell)
                else:
                    where = cell_name(self.source.name, row.number, column)
                    self.sheet.problems.add(where, "the cell is under no header", "move or delete it", "column_unknown")
            yield row, cells

    def _read_row(
        self,
        kind: str,
        row: Row,
        cells: dict[str, tuple[int, str]],
        found: ReadingList,
        answered: AnswerList,
        words: Words,
    ) -> None:
        def locate(path: Path) -> str:
            key = next((part for part in reversed(path) if part in cells), kind)
            return cell_name(self.source.name, row.number, cells[str(key)][0] if key in cells else 0, str(key))

        sheet = self.sheet.at(locate)
        told = {key: cell for key, (_, cell) in cells.items()}
        subject = told.pop(kind, "").strip()
        if not subject:
            sheet.fault((), f"the row names no {kind}", f"write it in the column {kind}", "row_nameless")
        elif kind == "quantity":
            found.sheet = sheet
            self._read_quantity(found, words.vocabulary, subject, told)
        elif kind == "question":
            answered.sheet = sheet
            self._read_question(answered, subject, told, row)
        else:
            self._read_attribute(sheet, subject, told, words)

    def _read_quantity(self, found: ReadingList, vocabulary: Vocabulary, subject: str, told: dict[str, str]) -> None:
        sheet = found.sheet
        term = vocabulary.quantities.get(subject)
        if term is None:
            sheet.unknown(("quantity",), "the quantity", subject, vocabulary.quantities, "quantity_unknown")
            return
        place, unit = told.pop("place", "").strip() or None, told.pop("unit", "").strip()
        if not told:
            return
        if place is not None and not found.place(term, place, ("place",)):
            return
        if not unit and any(part in told for part in readings.NUMBERS):
            sheet.fault(("value",), "the row has no unit", f"write {term.unit} in the column unit", "number_without_unit")
            return
        fields = {part: with_unit(sheet, text, unit if part in readings.NUMBERS else None, (part,)) for part, text in told.items()}
        if all(text for text in fields.values()):
            found.add_fields(term, place, {part: text for part, text in fields.items() if text}, ())

    def _read_question(self, answered: AnswerList, subject: str, told: dict[str, str], row: Row) -> None:
        question = answered.question(subject, ("question",))
        if question is not None and any(key != "place" for key in told):
            answered.add_fields(question, told, ("question", row.number))

    def _read_attribute(self, sheet: Sheet, subject: str, told: dict[str, str], words: Words) -> None:
        if subject in self.attributes:
            sheet.fault(("attribute",), f"the attribute {subject!r} is there twice", "keep one of them", "key_duplicate")
            return
        text = attribute(sheet, subject, told.get("value", ""), ("value",), words)
        if text is not None:
            self.attributes[subject] = text

    def _read_pieces(self, section: _Section, vocabulary: Vocabulary) -> None:
        name = self.source.name
        if vocabulary.item not in WITH_PIECES:
            where = f"{name}: row {section.header.number}"
            todo = f"give pieces to a {' or '.join(WITH_PIECES)}"
            self.sheet.problems.add(where, f"a {vocabulary.item} has no pieces", todo, "piece_item")
            return
        vocabularies = [self.vocabulary_of(piece) for piece in PIECE_ITEMS]
        vocabularies.append(Vocabulary(item=vocabulary.item, attributes=vocabulary.attributes))
        headers = ["sample", *section.header.cells[1:]]
        columns = HeaderReader(self.sheet, vocabularies, name, section.header.number).read(headers)
        rows = [row for row in section.rows if any(cell.strip() for cell in row.cells[1:])]
        found = read_pieces(
            RowReader(self.sheet, columns, name), _padded(rows, len(columns.headers)), vocabulary, self.vocabulary_of
        )
        self.pieces = found.article.pieces
        self.scans += found.scans


def _padded(rows: Iterable[Row], width: int) -> Iterable[Row]:
    for row in rows:
        yield Row(row.number, row.cells + [""] * (width - len(row.cells)))
