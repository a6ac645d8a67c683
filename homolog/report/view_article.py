"""The view's tables: the article itself and each piece, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from homolog.report.messages import Catalogue
from homolog.report.view_head import Table, Word, attributes_text, counts_of, verdict_word
from homolog.report.view_rows import Row, RowMaker
from homolog.report.wording import clean


@dataclass(frozen=True, slots=True)
class Article:
    """The article itself, or one piece of it, with its rows.

    Attributes:
        name: What a pointer calls the piece; empty for the article itself.
        idle: Requirements that do not apply, in short.
    """

    heading: str
    name: str
    anchor: str
    about: str
    verdict: Word
    counts: tuple[Word, ...]
    rows: tuple[Row, ...]
    idle: Table


@dataclass(frozen=True, slots=True)
class Pointer:
    """What the answer rests on: a row of a table further down, in one line."""

    anchor: str
    text: str
    verdict: Word


def article_of(rows: RowMaker, record: Mapping[str, Any]) -> Article:
    """Return the article that the report is about."""
    words = rows.words
    made = rows.rows(record["findings"], record["spec"], "f")
    return Article(
        heading=words.say("section.findings"),
        name="",
        anchor="findings",
        about="",
        verdict=verdict_word(words, record["verdict"]),
        counts=(),
        rows=_applying(made),
        idle=_idle(words, made),
    )


def piece_of(rows: RowMaker, piece: Mapping[str, Any], index: int) -> Article:
    """Return one piece of a set or match."""
    words = rows.words
    made = rows.rows(piece["findings"], piece["spec"], f"p{index}-")
    return Article(
        heading=words.say("section.piece", {"name": clean(piece["name"])}),
        name=clean(piece["name"]) or words.name("item", piece["item"]),
        anchor=f"piece{index}",
        about=_about(words, piece),
        verdict=verdict_word(words, piece["verdict"]),
        counts=counts_of(words, piece["counts"]),
        rows=_applying(made),
        idle=_idle(words, made),
    )


def unjudged_of(words: Catalogue, record: Mapping[str, Any]) -> Table:
    """Return the pieces that were not judged, each with the reason."""
    rows = []
    for piece in record["pieces"]:
        if piece["not_judged"] is not None:
            reason = clean(words.name("not_judged", piece["not_judged"]))
            rows.append((clean(piece["name"]), _about(words, piece), reason))
    return Table(tuple(words.say(f"column.{name}") for name in ("piece", "what", "reason")), tuple(rows))


def _about(words: Catalogue, piece: Mapping[str, Any]) -> str:
    about = [words.name("item", piece["item"])]
    if piece["role"]:
        about.append(clean(words.name("piece", piece["role"])))
    about.append(attributes_text(words, {name: text for name, text in piece["attributes"].items() if name != "role"}))
    return "; ".join(part for part in about if part)


def _applying(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(row for row in rows if row.verdict.code != "not_applicable")


def _idle(words: Catalogue, rows: Iterable[Row]) -> Table:
    columns = tuple(words.say(f"column.{name}") for name in ("clause", "requirement", "why"))
    return Table(columns, tuple((row.clause, row.says, row.why) for row in rows if row.verdict.code == "not_applicable"))


def pointers_of(articles: Iterable[Article]) -> list[Pointer]:
    """Return the rows that the answer rests on: those that fail; if none does, those that are not proven."""
    rows = [(article.name, row) for article in articles for row in article.rows if row.counts]
    failing = [(name, row) for name, row in rows if row.verdict.code == "nonconform"]
    open_ones = [(name, row) for name, row in rows if row.verdict.code != "conform"]
    return [
        Pointer(row.anchor, f"{name}: {row.clause} {row.says}" if name else f"{row.clause} {row.says}", row.verdict)
        for name, row in failing or open_ones
    ]
