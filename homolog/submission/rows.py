"""Articles out of a table with a row a sample, or a row a piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType

from homolog.gate.csv_text import Row
from homolog.gate.xlsx import CellNumber, FaultyCell, FormulaCell
from homolog.gate.yaml_text import Path
from homolog.quantity import Article
from homolog.submission import readings
from homolog.submission.answers import AnswerList
from homolog.submission.article import (
    MAX_PIECES,
    WITH_PIECES,
    Found,
    VocabularyOf,
    Words,
    attribute,
    piece_item,
)
from homolog.submission.columns import Columns, HeaderReader, ReadingColumns, cell_name
from homolog.submission.document import Source, sheet_item
from homolog.submission.names import Names
from homolog.submission.readings import ReadingList
from homolog.submission.scans import scan_reference
from homolog.submission.sheet import Sheet
from homolog.submission.submission import ScanReference, Submission
from homolog.submission.vocabulary import Vocabulary

PIECE_ITEMS = ("figure", "goalkeeper", "ball", "goal", "board")


class RowReader:
    """Turns the rows of one table into articles."""

    def __init__(self, sheet: Sheet, columns: Columns, name: str) -> None:
        """Keep the header's columns and where problems go."""
        self.sheet, self.columns, self.name = sheet, columns, name

    def locator(self, row: Row) -> Callable[[Path], str]:
        """Return what turns a path into the cell's name in this row."""

        def locate(path: Path) -> str:
            column = self.columns.column_of(path)
            return f"{self.name}: row {row.number}" if column is None else self._cell(row, column)

        return locate

    def _cell(self, row: Row, column: int) -> str:
        return cell_name(self.name, row.number, column, self.columns.headers[column])

    def is_whole(self, row: Row) -> bool:
        """Return whether a row has the header's cells; note it if not."""
        wanted, cells = len(self.columns.headers), row.cells
        while len(cells) > wanted and not cells[-1].strip():
            cells = cells[:-1]
        if len(cells) == wanted:
            return True
        what = f"the row has {len(cells)} cells, the header {wanted}"
        todo = (
            "put numbers with a decimal comma in quotes, or use semicolons"
            if len(cells) > wanted
            else "the row is cut; complete it"
        )
        self.sheet.problems.add(f"{self.name}: row {row.number}", what, todo, "row_length")
        return False

    def article(self, row: Row, words: Words) -> Found:
        """Return the article of one row."""
        sheet = self.sheet.at(self.locator(row))
        cells = row.cells
        found = ReadingList.new(sheet, words.vocabulary.methods)
        for group in self.columns.readings.values():
            self._add_reading(found, group, row, words.vocabulary)
        answers = AnswerList(sheet, words.vocabulary)
        for asked in self.columns.answers.values():
            told = {part: cells[column] for part, column in asked.fields.items() if cells[column].strip()}
            path: Path = ("answers", asked.asks, asked.place or "")
            if "answer" in told and (question := answers.question(asked.asks, path)):
                answers.add_fields(question, {**told, **({"place": asked.place} if asked.place else {})}, path)
        attributes = {}
        for key, column in self.columns.attributes.items():
            text = attribute(sheet, key, cells[column], ("attributes", key), words) if cells[column].strip() else None
            if text is not None:
                attributes[key] = text
        article = Article(
            item=words.vocabulary.item,
            name=sheet.words(cells[self.columns.name], ("name",)) if self.columns.name is not None else None,
            attributes=MappingProxyType(attributes),
            readings=tuple(found.readings),
            unmeasured=tuple(found.unmeasured),
            answers=answers.finish(),
        )
        return Found(article, self._scans(sheet, row))

    def _scans(self, sheet: Sheet, row: Row) -> tuple[ScanReference, ...]:
        told = {key: row.cells[column] for key, column in self.columns.scan.items() if row.cells[column].strip()}
        scan = scan_reference(sheet, told, ("scans", 0)) if told.get("file") else None
        return (scan,) if scan else ()

    def _add_reading(self, found: ReadingList, group: ReadingColumns, row: Row, vocabulary: Vocabulary) -> None:
        told = {part: row.cells[column] for part, column in group.fields.items() if row.cells[column].strip()}
        if not any(part in told for part in readings.DECIDING):
            return
        path: Path = ("readings", group.term.id, group.place or "")
        term = vocabulary.quantities.get(group.term.id)
        if term is None:
            what = f"{group.term.id} is no quantity of a {vocabulary.item}"
            found.sheet.fault(path, what, "leave the cell empty", "quantity_unknown")
            return
        if "gauge" in told and "result" not in told:
            del told["gauge"]
        fields = {part: with_unit(found.sheet, text, group.units.get(part), (*path, part)) for part, text in told.items()}
        if all(text for text in fields.values()):
            found.add_fields(term, group.place, {part: text for part, text in fields.items() if text}, path)


def with_unit(sheet: Sheet, text: str, unit: str | None, path: Path) -> str | None:
    """Return a cell's number with the unit of its column; None if it was refused. Texts come back as they are."""
    if unit is None or isinstance(text, FormulaCell):
        return text
    if isinstance(text, FaultyCell):
        sheet.fault(path, f"a number is expected here, not {text}", "write the number", "cell_invalid")
        return None
    if isinstance(text, CellNumber):
        return CellNumber(f"{text} {unit}")
    text = text.strip()
    if " " in text:
        sheet.fault(path, f"{text[:40]!r} is not a number alone", f"write the number in {unit}, without a unit", "number_invalid")
        return None
    return f"{text} {unit}"


def read_rows(rows: Iterable[Row], sheet: Sheet, source: Source, vocabulary_of: VocabularyOf) -> Iterator[Submission]:
    """Yield the submissions of a table whose first row is the header.

    Problems go to the sheet; a row with problems yields what is left of it, for the caller to throw away.
    """
    iterator = (row for row in rows if not row.is_blank)
    header = next(iterator)
    first = next(iterator, None)
    if first is None:
        sheet.problems.add(f"{source.name}: row {header.number}", "no row follows the header", "add one a sample", "file_empty")
        return
    item = _table_item(sheet, header, first, source)
    if item is None:
        return
    vocabulary = vocabulary_of(item)
    if item in WITH_PIECES:
        pieces = [vocabulary_of(piece) for piece in PIECE_ITEMS]
        columns = HeaderReader(sheet, [*pieces, _only_attributes(vocabulary)], source.name, header.number).read(header.cells)
        reader = RowReader(sheet, columns, source.name)
        yield source.submission(read_pieces(reader, _chain(first, iterator), vocabulary, vocabulary_of))
        return
    columns = HeaderReader(sheet, [vocabulary], source.name, header.number).read(header.cells)
    reader = RowReader(sheet, columns, source.name)
    words = Words.of(vocabulary)
    names = Names("sample")
    for row in _chain(first, iterator):
        if reader.is_whole(row):
            if columns.item is not None and row.cells[columns.item].strip() != item:
                where = cell_name(source.name, row.number, columns.item, "item")
                sheet.problems.add(where, f"the row is not about a {item}", "give each item a file of its own", "item_conflict")
            found = reader.article(row, words)
            names.add(sheet.at(reader.locator(row)), found.article, ("name",))
            yield source.submission(found, row.number)


def _chain(first: Row, rest: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rest


def _only_attributes(vocabulary: Vocabulary) -> Vocabulary:
    return Vocabulary(item=vocabulary.item, attributes=vocabulary.attributes)


def _table_item(sheet: Sheet, header: Row, first: Row, source: Source) -> str | None:
    """Return the item of a table: the caller's, or that of its first row; a set's pieces have items of their own."""
    headers = [cell.strip() for cell in header.cells]
    column = headers.index("item") if "item" in headers else None
    if source.item in WITH_PIECES:
        return source.item
    told = first.cells[column] if column is not None and column < len(first.cells) else ""
    locate = sheet.at(lambda path: cell_name(source.name, first.number, column or 0, "item") if path else source.name)
    if told.strip() in WITH_PIECES or (source.item is None and not told.strip()):
        todo = "name the item when the file is checked (--item), or add a column item"
        sheet.problems.add(source.name, "the table does not say its item", todo, "item_missing")
        return None
    return sheet_item(locate, told, ("item",), source.item)


def read_pieces(reader: RowReader, rows: Iterable[Row], outer: Vocabulary, vocabulary_of: VocabularyOf) -> Found:
    """Return the set or match whose pieces stand in the rows."""
    columns = reader.columns
    articles: list[Article] = []
    scans: list[ScanReference] = []
    names = Names("piece")
    for row in rows:
        if not reader.is_whole(row):
            continue
        if len(articles) >= MAX_PIECES:
            what, todo = f"more than {MAX_PIECES} pieces", "split the file"
            reader.sheet.problems.add(f"{reader.name}: row {row.number}", what, todo, "too_many_pieces")
            break
        sheet = reader.sheet.at(reader.locator(row))
        told = row.cells[columns.item] if columns.item is not None else ""
        role = row.cells[columns.attributes["role"]].strip() if "role" in columns.attributes else ""
        item = piece_item(sheet, told, role, (), outer)
        if item is not None:
            found = reader.article(row, Words.of(vocabulary_of(item), outer))
            names.add(sheet, found.article, ("name",))
            scans += [replace(scan, piece=(len(articles),)) for scan in found.scans]
            articles.append(found.article)
    return Found(Article(item=outer.item, pieces=tuple(articles)), tuple(scans))
