"""The view's first page and last: what was judged, by which rules, with what in hand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from homolog.report.instruments import instrument_lines
from homolog.report.messages import Catalogue
from homolog.report.said import fact_name, said
from homolog.report.wording import SYMBOLS, clean, number, statement_text


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with its value; long values such as digests are set in a fixed pitch."""

    name: str
    value: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A plain table: its heads and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A verdict as code, symbol and word, so that no meaning hangs on colour; `n` is how often it was given."""

    code: str
    symbol: str
    word: str
    n: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the page of a report and that of a lot's summary have alike.

    Attributes:
        words: Headings, labels and other fixed words, by their key in the catalogue.
    """

    lang: str
    title: str
    day: str
    sentence: str
    disclaimer: str
    facts: tuple[Fact, ...]
    counts: tuple[Word, ...]
    notes: tuple[str, ...]
    provenance: tuple[Fact, ...]
    words: Mapping[str, str]


def fixed_words(words: Catalogue, *more: str) -> dict[str, str]:
    """Return the words of a page that hang on nothing, and those of more parts of the catalogue."""
    wanted = ("page", "label", "column", "section", *more)
    return {key: forms["other"] for key, forms in words.texts.items() if key.partition(".")[0] in wanted}


def verdict_word(words: Catalogue, verdict: str, n: int = 0) -> Word:
    """Return a verdict in words."""
    return Word(verdict, SYMBOLS[verdict], words.name("verdict", verdict), n)


def counts_of(words: Catalogue, counts: Mapping[str, int]) -> tuple[Word, ...]:
    """Return how often each verdict was given, the failing ones first; those that were not given are left out."""
    order = ("nonconform", "error", "needs_judgement", "inconclusive", "not_measured", "conform", "not_applicable")
    return tuple(verdict_word(words, verdict, counts[verdict]) for verdict in order if counts[verdict])


def facts_of(words: Catalogue, record: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return what page one says of the article, the rules and the question."""
    attributes = record["submission"]["attributes"]
    named = [clean(attributes[name]) for name in ("maker", "model") if attributes.get(name)]
    facts = [
        Fact(words.say("label.item"), words.name("item", record["item"])),
        *([Fact(words.say("label.name"), clean(record["submission"]["article"]))] if record["submission"]["article"] else []),
        Fact(words.say("label.maker"), ", ".join(named) or words.say("page.not_stated")),
        Fact(words.say("label.edition"), edition_text(words, record["spec"])),
        Fact(words.say("label.purpose"), words.name("purpose", record["purpose"])),
        Fact(words.say("label.day"), record["on"]),
        Fact(words.say("label.outcome"), words.name("outcome", record["outcome"])),
    ]
    declared = attributes_text(words, {name: text for name, text in attributes.items() if name not in ("maker", "model")})
    if declared:
        facts.append(Fact(words.say("label.attributes"), declared))
    return tuple(facts)


def attributes_text(words: Catalogue, attributes: Mapping[str, str]) -> str:
    """Return what was declared of an article."""
    return "; ".join(f"{clean(words.name('attribute', name))}: {clean(text)}" for name, text in attributes.items())


def edition_text(words: Catalogue, spec: Mapping[str, Any]) -> str:
    """Return which edition was used, and from when to when it applies."""
    used = words.say("page.edition_of", {"body": spec["body"], "edition": spec["edition"]})
    if spec["label"] is not None and spec["label"] != spec["edition"]:
        used = words.say("page.named_from", {"used": used, "label": spec["label"]})
    effective = spec["effective"]
    if effective is None:
        return clean(used)
    days = words.say(
        "page.effective",
        {
            "from": _day(words, effective["from"]),
            "to": words.say("page.no_end") if effective["to"] is None else _day(words, effective["to"]),
            "basis": words.say("page.inferred" if effective["basis"] == "inferred" else "page.dates_stated"),
        },
    )
    return clean(f"{used} ({days})")


def _day(words: Catalogue, day: str) -> str:
    return words.say("page.unknown_day") if day == "unknown" else day


def notes_of(words: Catalogue, record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sentences of page one on the edition, and those handed in."""
    spec = record["spec"]
    notes = []
    silent = sum(piece["not_judged"] is not None for piece in record["pieces"])
    if silent:
        notes.append(words.say("page.unjudged", {"n": str(silent), "total": str(len(record["pieces"]))}))
    if spec["in_force"] is not None:
        params = {"on": record["on"], "edition": clean(spec["in_force"]), "used": clean(spec["edition"])}
        notes.append(words.say("page.edition_other", params))
    if spec["incomplete"]:
        notes.append(words.say("page.incomplete", {"reason": clean(spec["incomplete"])}))
    notes += [statement_text(words, "note", note) for note in record["notes"]]
    return tuple(notes)


def provenance_of(words: Catalogue, record: Mapping[str, Any], canonical: bytes) -> tuple[Fact, ...]:
    """Return by what the report can be made again: digests, engine, rules, adoptions."""
    spec, submission, scan, engine = record["spec"], record["submission"], record["scan"], record["engine"]
    sent = f"{submission['name']} ({submission['format']}){_row(words, submission['row'])}"
    facts = [
        Fact(words.say("label.record_format"), record["format"]),
        _digest(words, "label.record_format", hashlib.sha256(canonical).hexdigest()),
        Fact(words.say("label.engine"), clean(f"{engine['name']} {engine['version']}")),
        _digest(words, "label.engine", engine.get("build")),
        Fact(words.say("label.spec"), clean(f"{spec['id'] or words.say('page.none')}, {spec['edition']}")),
        _digest(words, "label.spec", spec["sha256"]),
        *_asked(words, record),
        *_piece_specs(words, record),
        Fact(words.say("label.submission"), clean(sent)),
        _digest(words, "label.submission", submission["sha256"]),
    ]
    if scan is not None:
        facts += _scan_facts(words, scan)
    for piece in record["pieces"]:
        if piece.get("scan") is not None:
            of_piece = _scan_facts(words, piece["scan"])
            facts += [replace(fact, name=f"{clean(piece['name'])}: {fact.name}") for fact in of_piece]
    for adoption in record["adoptions"]:
        text = f"{adoption['interpretation']}: {adoption['reading']}, {adoption['by']}, {adoption['on']} ({adoption['decision']})"
        text += _scope(words, adoption)
        state = words.say("label.in_force" if adoption["in_force"] else "label.not_in_force")
        facts.append(Fact(words.say("label.adoptions"), clean(f"{text}; {state}")))
        facts.append(_digest(words, "label.adoptions", adoption["sha256"]))
    if record.get("register") is not None:
        facts.append(_digest(words, "label.register", record["register"]["sha256"]))
    return tuple(fact for fact in facts if fact.value)


def _asked(words: Catalogue, record: Mapping[str, Any]) -> list[Fact]:
    """Return how the rules were asked for and which editions were known; records from before do not say it."""
    asked = record.get("asked")
    if asked is None:
        return []
    how = "page.asked_default" if asked["by_default"] else "page.asked_day" if asked["edition"] is None else "page.asked_label"
    said = words.say(how, {"edition": clean(asked["edition"] or ""), "on": record["on"]})
    known = clean(", ".join(one["edition"] for one in asked["editions"]))
    return [Fact(words.say("label.asked"), said), Fact(words.say("label.editions_known"), known)]


def _scope(words: Catalogue, adoption: Mapping[str, Any]) -> str:
    """Return what alone an adoption holds for; nothing where it holds for all, or where a record from before is silent."""
    only = [adoption.get("body") or "", adoption.get("edition") or "", *adoption.get("requirements", ())]
    named = ", ".join(part for part in only if part)
    return f"; {words.say('label.only_for', {'scope': named})}" if named else ""


def _piece_specs(words: Catalogue, record: Mapping[str, Any]) -> list[Fact]:
    """Return the rules that the pieces were judged by, each file once."""
    specs = {piece["spec"]["sha256"]: piece["spec"] for piece in record["pieces"] if piece["not_judged"] is None}
    facts = []
    for digest, spec in specs.items():
        if digest not in (None, record["spec"]["sha256"]):
            facts += [
                Fact(words.say("label.spec"), clean(f"{spec['id']}, {spec['edition']}")),
                _digest(words, "label.spec", digest),
            ]
    return facts


def _digest(words: Catalogue, label: str, digest: str | None) -> Fact:
    return Fact(f"{words.say(label)}, {words.say('label.digest')}", digest or "", is_code=True)


def _row(words: Catalogue, row: int | None) -> str:
    return "" if row is None else f", {words.say('label.row')} {row}"


def _scan_facts(words: Catalogue, scan: Mapping[str, Any]) -> list[Fact]:
    engine = ", ".join(f"{name} {version}" for name, version in scan["engine"].items())
    facts = [
        Fact(
            words.say("label.scan"),
            clean(f"{scan['format']}, {words.name('source', scan['source'])}, {words.say('label.triangles')}: {scan['triangles']}"),
        ),
        _digest(words, "label.scan", scan["sha256"]),
        Fact(words.say("label.unit"), clean(f"{words.name('unit', scan['unit'])}: {said(words, scan['unit_reason'])}")),
        Fact(words.say("label.closed"), words.say("label.closed_yes" if scan["closed"] else "label.closed_no")),
    ]
    for repair in scan["repairs"]:
        effect = words.say("label.volume_effect", {"effect": number(words, repair["volume_effect_mm3"], "mm3")})
        facts.append(Fact(words.say("label.repairs"), clean(f"{said(words, repair['says'])} ({repair['count']}; {effect})")))
    if scan["instrument"] is not None:
        facts += [Fact(label, text) for label, text in instrument_lines(words, scan["instrument"])]
        facts += [_digest(words, "label.reference", one["sha256"]) for one in scan["instrument"]["references"]]
    facts += [Fact(fact_name(words, name), said(words, text)) for name, text in scan["facts"].items()]
    facts.append(Fact(f"{words.say('label.scan')}, {words.say('label.engine')}", clean(engine)))
    return facts
