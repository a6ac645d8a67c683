"""Submissions out of a YAML or JSON document: one article, or a lot of samples."""

from __future__ import annotations

import re
from dataclasses import dataclass

from homolog.gate.json_text import Bare
from homolog.gate.yaml_text import Document, Path, Value
from homolog.quantity import ITEMS, LotSize
from homolog.quantity.lot import MOST_ARTICLES, NOTHING_STATED
from homolog.submission.article import KEYS, Found, VocabularyOf, Words, read_article
from homolog.submission.names import Names
from homolog.submission.scans import read_instruments
from homolog.submission.sheet import Sheet
from homolog.submission.submission import SUBMISSION_FORMAT, Format, Submission

_HEAD = ("format", "item", "instruments")
_LOT_KEYS = (*_HEAD, "attributes", "lot", "samples")
_WHOLE = re.compile(r"[0-9]{1,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """Where submissions come from: the file's name, digest and format, and the item that the caller named."""

    name: str
    sha256: str
    format: Format
    item: str | None = None

    def submission(self, found: Found, row: int | None = None, lot: LotSize = NOTHING_STATED) -> Submission:
        """Return an article as a submission of this file."""
        named = {"sha256": self.sha256, "name": self.name, "format": self.format}
        return Submission(article=found.article, scans=found.scans, row=row, lot=lot, **named)


def read_document(
    document: Document,
    sheet: Sheet,
    source: Source,
    vocabulary_of: VocabularyOf,
    *,
    row: int | None = None,
    names: Names | None = None,
) -> list[Submission]:
    """Read what a document submits; problems go to the sheet, and with problems the result is not complete.

    Args:
        document: The document, or one line of many.
        sheet: Where problems go.
        source: Where it comes from.
        vocabulary_of: Gives the names that a sheet for an item may use.
        row: The number of the line.
        names: The names of the samples in the lines before.
    """
    names = Names("sample") if names is None else names
    value = document.value
    if not isinstance(value, dict):
        sheet.fault((), "the document is not a mapping", f"begin with format: {SUBMISSION_FORMAT}", "shape")
        return []
    if not check_format(sheet, value, SUBMISSION_FORMAT):
        return []
    item = sheet_item(sheet, value.get("item", ""), ("item",), source.item)
    if item is None:
        return []
    vocabulary = vocabulary_of(item)
    words = Words.of(vocabulary)
    sheet.instruments = read_instruments(sheet, value.get("instruments", ""), ("instruments",))
    if "samples" not in value:
        sheet.known_keys(value, (), (*_HEAD, *KEYS, "samples"))
        alone = read_article(sheet, value, (), words, vocabulary_of)
        names.add(sheet, alone.article, ("name",))
        return [source.submission(alone, row)]
    sheet.known_keys(value, (), _LOT_KEYS)
    samples = sheet.sequence(value["samples"], ("samples",), "samples")
    if not samples:
        sheet.fault(("samples",), "the lot has no sample", "list at least one", "shape")
    lot = _lot(sheet, value.get("lot", ""), len(samples))
    shared = value.get("attributes", "")
    found = [_sample(sheet, entry, ("samples", number), shared, words, vocabulary_of) for number, entry in enumerate(samples)]
    for number, one in enumerate(found):
        names.add(sheet, one.article, ("samples", number, "name"))
    return [source.submission(one, number, lot) for number, one in enumerate(found, 1)]


def _lot(sheet: Sheet, value: Value, samples: int) -> LotSize:
    """Return what is stated of the whole lot; its samples are articles of it."""
    told = sheet.mapping(value, ("lot",), "lot")
    sheet.known_keys(told, ("lot",), ("size", "wanted"))
    size, wanted = (_whole(sheet, told.get(key, ""), ("lot", key)) for key in ("size", "wanted"))
    if size is not None and not samples <= size <= MOST_ARTICLES:
        what = f"a lot of {size} articles, and {samples} samples of it"
        sheet.fault(("lot", "size"), what, f"write the size of the whole lot, at most {MOST_ARTICLES}", "lot_size")
    if wanted is not None and (size is None or wanted > size):
        sheet.fault(("lot", "wanted"), "it is no number of articles of the lot", "write it beside the lot's size", "lot_size")
    return LotSize(size=size, wanted=wanted)


def _whole(sheet: Sheet, value: Value, path: Path) -> int | None:
    text = sheet.words(value, path)
    if text is None:
        return None
    if not _WHOLE.fullmatch(text):
        sheet.fault(path, f"{text[:40]!r} is not a whole number", "write digits only", "number_invalid")
        return None
    return int(text)


def _sample(sheet: Sheet, entry: Value, path: Path, shared: Value, words: Words, vocabulary_of: VocabularyOf) -> Found:
    told = dict(sheet.mapping(entry, path, "a sample"))
    sheet.known_keys(told, path, KEYS)
    common = sheet.mapping(shared, ("attributes",), "attributes")
    own = sheet.mapping(told.get("attributes", ""), (*path, "attributes"), "attributes")
    for key in own:
        if key in common:
            todo = "state it once, for the lot or for each sample"
            sheet.fault((*path, "attributes", key), f"the attribute {key!r} is stated for the whole lot too", todo, "key_duplicate")
    told["attributes"] = {**common, **own}
    return read_article(sheet, told, path, words, vocabulary_of)


def check_format(sheet: Sheet, value: dict[str, Value], wanted: str) -> bool:
    """Return whether a document's format line is the one wanted; note it if not."""
    told = value.get("format")
    if told == wanted and not isinstance(told, Bare):
        return True
    what = f"the format is {str(told)[:60]!r}" if told is not None else "there is no format line"
    sheet.fault(("format",), what, f"write format: {wanted}", "format_unknown")
    return False


def sheet_item(sheet: Sheet, value: Value, path: Path, asked: str | None) -> str | None:
    """Return the item that a sheet is about; None if it was refused, or differs from the one that the caller named."""
    told = sheet.choice(value, path, "the item", ITEMS, "item_unknown")
    if asked is not None and asked not in ITEMS:
        sheet.unknown((), "the item", asked, ITEMS, "item_unknown")
        return None
    if told is None and asked is None:
        if not value:
            sheet.fault((), "the sheet does not say its item", f"write item: and one of {', '.join(ITEMS)}", "item_missing")
        return None
    if told is not None and asked is not None and told != asked:
        sheet.fault(
            path,
            f"the sheet is about a {told}, not a {asked}",
            "leave the item out of the question, or name the one that the sheet is about",
            "item_conflict",
        )
        return None
    return told or asked
