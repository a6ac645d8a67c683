"""The view's further sections: interpretations, budgets, what was not checked or not used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from homolog.report.messages import Catalogue
from homolog.report.texts import SpecWords
from homolog.report.view_head import Table, Word, verdict_word
from homolog.report.wording import clean, number, reading_text


@dataclass(frozen=True, slots=True)
class Turned:
    """How one requirement stands under one reading."""

    requirement: str
    verdict: Word


@dataclass(frozen=True, slots=True)
class ReadingView:
    """One reading of an interpretation; `is_adopted` marks the one that decides."""

    id: str
    says: str
    source: str
    is_adopted: bool
    verdicts: tuple[Turned, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """An interpretation that was used: its question, whose reading it is, and what turns on it."""

    id: str
    question: str
    status: str
    turns: str
    readings: tuple[ReadingView, ...]


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One contribution; `percent` is its share of the variance, 0 to 100."""

    says: str
    standard: str
    percent: int


@dataclass(frozen=True, slots=True)
class Budget:
    """Where the U of one quantity comes from."""

    quantity: str
    lines: tuple[BudgetLine, ...]
    expanded: str


def _all_findings(record: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], str, Mapping[str, Any]]]:
    found = [(record["spec"], "", finding) for finding in record["findings"]]
    return found + [(piece["spec"], clean(piece["name"]), finding) for piece in record["pieces"] for finding in piece["findings"]]


def interpretations_of(words: Catalogue, texts: SpecWords, record: Mapping[str, Any]) -> tuple[Interpretation, ...]:
    """Return every interpretation that a finding turns on, with all its readings."""
    grouped: dict[tuple[str, ...], list[tuple[Mapping[str, Any], str, Mapping[str, Any]]]] = {}
    for spec, piece, finding in _all_findings(record):
        used = finding["interpretation"]
        if used is not None:  # a board may adopt a reading for one requirement and leave it open for another
            key = (spec["sha256"] or "", used["id"], *((used["adoption"] or {}).values()))
            grouped.setdefault(key, []).append((spec, piece, finding))
    return tuple(_interpretation(words, texts, uses) for uses in grouped.values())


def _interpretation(
    words: Catalogue, texts: SpecWords, uses: Sequence[tuple[Mapping[str, Any], str, Mapping[str, Any]]]
) -> Interpretation:
    spec, _, finding = uses[0]
    used = finding["interpretation"]
    adoption = used["adoption"]
    verdicts: dict[str, list[Turned]] = {}
    differ = False
    for _, piece, other in uses:
        label = ", ".join(part for part in (piece, clean(other["requirement"])) if part)
        given = other["interpretation"]["readings"]
        differ |= len({reading["verdict"] for reading in given}) > 1
        for reading in given:
            verdicts.setdefault(reading["id"], []).append(Turned(label, verdict_word(words, reading["verdict"])))
    readings = tuple(
        ReadingView(
            id=clean(reading["id"]),
            says=texts.say(spec, f"interpretation.{used['id']}.reading.{reading['id']}.says", reading["says"]),
            source=clean(reading["source"]),
            is_adopted=adoption is not None and adoption["reading"] == reading["id"],
            verdicts=tuple(verdicts[reading["id"]]),
        )
        for reading in used["readings"]
    )
    return Interpretation(
        id=clean(used["id"]),
        question=texts.say(spec, f"interpretation.{used['id']}.question", used["question"]),
        status=_status(words, used),
        turns=words.say("interpretation.differ" if differ else "interpretation.agree"),
        readings=readings,
    )


def _status(words: Catalogue, used: Mapping[str, Any]) -> str:
    adoption = used["adoption"]
    if adoption is None:
        return words.say(f"interpretation.{used['status']}")
    params = {"reading": adoption["reading"], "who": adoption["by"], "on": adoption["on"], "decision": adoption["decision"]}
    return words.say("interpretation.adopted", {name: clean(text) for name, text in params.items()})


def budgets_of(words: Catalogue, record: Mapping[str, Any]) -> tuple[tuple[Budget, ...], str]:
    """Return the budgets of what a finding used, of the scan and of the pieces' scans, and how many more the record holds."""
    units = _units(record)
    shown, more = [], 0
    for piece, holder in _scanned(record):
        used = {name for finding in holder["findings"] for name in _used_by(finding)}
        for budget in (holder.get("scan") or _NO_SCAN)["budgets"]:
            if budget["quantity"] in used:
                shown.append(_budget(words, budget, units.get(budget["quantity"]), piece))
            else:
                more += 1
    return tuple(shown), words.say("page.more_budgets", {"n": str(more)}) if more else ""


def _used_by(finding: Mapping[str, Any]) -> Iterator[str]:
    """Yield every quantity that a finding was decided by, those too that only bound or give another."""
    used = finding["interpretation"]
    for holder in (finding, *(() if used is None else used["readings"])):
        for part in (holder, *holder["places"]):
            if part["reading"] is not None:
                yield part["reading"]["quantity"]
                yield from (word for mark in part["reading"]["marks"] for word in mark.split()[1:])
                yield from (part["reading"]["evidence"] or "").partition(" of ")[2].split(", ")


_NO_SCAN: Mapping[str, Any] = {"budgets": ()}


def _scanned(record: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return what may have a scan: the article, and each piece under its name; pieces of records from before lack the keys."""
    return [("", record), *((clean(piece["name"]), piece) for piece in record["pieces"])]


def _units(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the unit of every quantity that was read; a budget itself names none."""
    found: dict[str, str] = {}
    for _, holder in _scanned(record):
        for row in holder["unused"]:
            _note_unit(found, row)
    for _, _, finding in _all_findings(record):
        used = finding["interpretation"]
        for holder in (finding, *finding["places"], *(() if used is None else used["readings"])):
            _note_unit(found, holder)
    return found


def _note_unit(found: dict[str, str], holder: Mapping[str, Any]) -> None:
    if holder["reading"] is not None:
        found[holder["reading"]["quantity"]] = holder["reading"]["unit"]


def _budget(words: Catalogue, budget: Mapping[str, Any], unit: str | None, piece: str) -> Budget:
    squares = [Decimal(line["standard_uncertainty"]) ** 2 for line in budget["contributions"]]
    total = sum(squares, Decimal(0)) or Decimal(1)
    lines = []
    for line, square in zip(budget["contributions"], squares, strict=True):
        standard = number(words, line["standard_uncertainty"], unit)
        lines.append(BudgetLine(clean(line["says"] or line["name"]), standard, round(square / total * 100)))
    name = ": ".join(part for part in (piece, clean(budget["quantity"])) if part)
    return Budget(name, tuple(lines), number(words, budget["expanded"], unit))


def not_checked_of(words: Catalogue, texts: SpecWords, record: Mapping[str, Any]) -> Table:
    """Return the clauses that were not checked; of pieces only those that the record's head does not name already."""
    columns = tuple(words.say(f"column.{name}") for name in ("clause", "what", "status", "reason"))
    rows: dict[tuple[str, ...], None] = {}
    for holder in (record, *record["pieces"]):
        for clause in holder["not_checked"]:
            spec = holder["spec"]
            note = texts.say(spec, f"clause.{clause['clause']}.note", clause["note"])
            rows[clean(clause["clause"]), clean(clause["row"] or ""), words.name("status", clause["status"]), note] = None
    return Table(columns, tuple(rows))


def unused_of(words: Catalogue, record: Mapping[str, Any]) -> Table:
    """Return readings and failed attempts that no requirement of the edition uses, those of pieces too."""
    columns = tuple(words.say(f"column.{name}") for name in ("quantity", "place", "measured"))
    rows = [
        (
            ": ".join(part for part in (piece, clean(row["quantity"])) if part),
            clean(words.name("place", row["place"])) if row["place"] else "",
            clean(row["unmeasured"] or "") if row["reading"] is None else reading_text(words, row["reading"]),
        )
        for piece, holder in (("", record), *((clean(piece["name"]), piece) for piece in record["pieces"]))
        for row in holder["unused"]
    ]
    return Table(columns, tuple(rows))


def elsewhere_of(words: Catalogue, record: Mapping[str, Any]) -> Table:
    """Return how the same submission stands under other editions."""
    columns = tuple(words.say(f"column.{name}") for name in ("edition", "verdict", "differs"))
    rows = []
    for other in record["elsewhere"]:
        word = verdict_word(words, other["verdict"])
        differs = clean(", ".join(other["differs"])) or words.say("page.none")
        rows.append((clean(other["edition"]), f"{word.symbol} {word.word}", differs))
    return Table(columns, tuple(rows))
