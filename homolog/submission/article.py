"""An article out of a document: its name, attributes, readings, answers, scans and pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from homolog.gate.yaml_text import Path, Value
from homolog.quantity import ITEMS, Article
from homolog.submission.answers import AnswerList
from homolog.submission.names import Names
from homolog.submission.readings import ReadingList
from homolog.submission.scans import read_scans
from homolog.submission.sheet import Sheet
from homolog.submission.submission import ScanReference
from homolog.submission.vocabulary import Vocabulary

VocabularyOf = Callable[[str], Vocabulary]

MAX_PIECES = 1_000
WITH_PIECES = ("set", "match")
KEYS = ("name", "attributes", "readings", "answers", "scans", "pieces")
_PIECE_ITEMS = {"field_figure": "figure", "spare_goalkeeper": "figure", "goalkeeper": "goalkeeper"}


@dataclass(frozen=True, slots=True)
class Words:
    """The names that an article may use: its item's, and the attributes that belong to a piece of something larger."""

    vocabulary: Vocabulary
    attributes: Mapping[str, tuple[str, ...] | None]

    @classmethod
    def of(cls, vocabulary: Vocabulary, outer: Vocabulary | None = None) -> Words:
        """Return the names for an article, or for a piece of an outer one."""
        return cls(vocabulary, {**(outer.attributes if outer else {}), **vocabulary.attributes})


def read_article(sheet: Sheet, value: Value, path: Path, words: Words, vocabulary_of: VocabularyOf) -> Found:
    """Read an article from its mapping; keys that are no part of an article are the caller's."""
    told = sheet.mapping(value, path, words.vocabulary.item)
    readings = ReadingList.new(sheet, words.vocabulary.methods)
    readings.add_all(told.get("readings", ""), (*path, "readings"), words.vocabulary)
    answers = AnswerList(sheet, words.vocabulary)
    answers.add_all(told.get("answers", ""), (*path, "answers"))
    attributes = read_attributes(sheet, told.get("attributes", ""), (*path, "attributes"), words)
    scans = read_scans(sheet, told.get("scans", ""), (*path, "scans"))
    pieces, piece_scans = _pieces(sheet, told.get("pieces", ""), (*path, "pieces"), words.vocabulary, vocabulary_of)
    article = Article(
        item=words.vocabulary.item,
        name=sheet.words(told.get("name", ""), (*path, "name")),
        attributes=attributes,
        readings=tuple(readings.readings),
        unmeasured=tuple(readings.unmeasured),
        answers=answers.finish(),
        pieces=pieces,
    )
    return Found(article, (*scans, *piece_scans))


@dataclass(frozen=True, slots=True)
class Found:
    """An article with the scans that its part of the sheet names."""

    article: Article
    scans: tuple[ScanReference, ...]


def read_attributes(sheet: Sheet, value: Value, path: Path, words: Words) -> Mapping[str, str]:
    """Read attributes: known names, and values out of the closed lists where there is one."""
    found = {}
    for key, told in sheet.mapping(value, path, "attributes").items():
        text = attribute(sheet, key, told, (*path, key), words)
        if text is not None:
            found[key] = text
    return MappingProxyType(found)


def attribute(sheet: Sheet, key: str, value: Value, path: Path, words: Words) -> str | None:
    """Return an attribute's value; None if it is empty or was refused."""
    if key not in words.attributes:
        sheet.unknown(path, "the attribute", key, words.attributes, "attribute_unknown")
        return None
    allowed = words.attributes[key]
    if allowed is None:
        return sheet.words(value, path)
    return sheet.choice(value, path, f"the {key}", allowed, "attribute_value")


def _pieces(
    sheet: Sheet, value: Value, path: Path, outer: Vocabulary, vocabulary_of: VocabularyOf
) -> tuple[tuple[Article, ...], tuple[ScanReference, ...]]:
    entries = sheet.sequence(value, path, "pieces")
    if entries and outer.item not in WITH_PIECES:
        sheet.fault(path, f"a {outer.item} has no pieces", f"give pieces to a {' or '.join(WITH_PIECES)}", "piece_item")
        return (), ()
    if len(entries) > MAX_PIECES:
        sheet.fault(path, f"{len(entries)} pieces, more than {MAX_PIECES}", "split the sheet", "too_many_pieces")
        return (), ()
    articles: list[Article] = []
    scans: list[ScanReference] = []
    names = Names("piece")
    for number, entry in enumerate(entries):
        at: Path = (*path, number)
        told = sheet.mapping(entry, at, "a piece")
        sheet.known_keys(told, at, ("item", *KEYS))
        attributes = told.get("attributes")
        role = attributes.get("role", "") if isinstance(attributes, dict) else ""
        item = piece_item(sheet, told.get("item", ""), role, at, outer)
        if item is None:
            continue
        found = read_article(sheet, entry, at, Words.of(vocabulary_of(item), outer), vocabulary_of)
        names.add(sheet, found.article, (*at, "name"))
        articles.append(found.article)
        scans += [replace(scan, piece=(len(articles) - 1, *scan.piece)) for scan in found.scans]
    return tuple(articles), tuple(scans)


def piece_item(sheet: Sheet, item: Value, role: Value, path: Path, outer: Vocabulary) -> str | None:
    """Return the item that a piece is, as stated or as its role says; None if it was refused."""
    allowed = [known for known in ITEMS if known != outer.item and known != "match"]
    stated = sheet.choice(item, (*path, "item"), "the item", allowed, "item_unknown")
    by_role = _PIECE_ITEMS.get(role) if isinstance(role, str) else None
    if stated is None and by_role is None:
        roles = outer.roles or tuple(_PIECE_ITEMS)
        if role and role not in roles:
            sheet.choice(role, (*path, "attributes", "role"), "the role", roles, "attribute_value")
        elif not item:
            todo = f"write attributes: {{role: {' or '.join(roles)}}}, or item:"
            sheet.fault((*path, "attributes", "role"), "the piece does not say what it is", todo, "piece_item")
        return None
    if stated is not None and by_role is not None and stated != by_role:
        sheet.fault((*path, "item"), f"a {role} is a {by_role}, not a {stated}", "correct one of the two", "piece_item")
        return None
    return stated or by_role
