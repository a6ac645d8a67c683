"""The view's rows: one a requirement, with its places and readings nested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homolog.report.bars import bar_svg
from homolog.report.messages import Catalogue
from homolog.report.texts import SpecWords
from homolog.report.view_head import Word, verdict_word
from homolog.report.wording import clean, limit_text, margin_text, mark_text, number, probability_text, reading_text, statement_text

_SILENT = ("conform", "not_measured", "not_applicable")
_ASKING = ("ask_board", "ask_laboratory", "ask_inspector")


@dataclass(frozen=True, slots=True)
class Bar:
    """The drawing of a margin, and the same in words."""

    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Part:
    """One place, or one reading of an interpretation at one place.

    Attributes:
        may_fold: Whether nothing was read there and nobody says why, so that a word says it all.
    """

    label: str
    says: str
    measured: str
    limit: str
    margin: str
    bar: Bar | None
    verdict: Word
    why: str
    may_fold: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One requirement.

    Attributes:
        parts_say: What the parts are: places, or readings of an interpretation.
        note: What the spec's authors remark, such as that the points to look at are their own.
        counts: Whether the row counts on its own, and not only through an `any_of`.
        parts: Those that are shown line by line.
        folded: Those that on paper one line stands for: of a row that is met all, else those without a number.
        fold: That line; it holds what was measured.
        remarks: Method and instrument, marks, answers, basis: small print under the measured value.
    """

    anchor: str
    id: str
    clause: str
    says: str
    counts: bool
    criteria: tuple[str, ...]
    note: str
    measured: str
    remarks: tuple[str, ...]
    limit: str
    margin: str
    bar: Bar | None
    verdict: Word
    why: str
    next: str
    notes: tuple[str, ...]
    parts_say: str
    parts: tuple[Part, ...]
    folded: tuple[Part, ...]
    fold: str


class RowMaker:
    """Makes rows in one language."""

    def __init__(self, words: Catalogue, texts: SpecWords) -> None:
        self.words, self.texts = words, texts

    def rows(self, findings: Iterable[Mapping[str, Any]], spec: Mapping[str, Any], prefix: str) -> tuple[Row, ...]:
        """Return the rows of findings, in the record's order."""
        return tuple(self._row(finding, spec, f"{prefix}{index}") for index, finding in enumerate(findings, 1))

    def _row(self, finding: Mapping[str, Any], spec: Mapping[str, Any], anchor: str) -> Row:
        key = f"requirement.{finding['requirement']}"
        says = self.texts.say(spec, f"{key}.says", finding["says"]) or self.texts.say(spec, f"{key}.ask", finding["ask"])
        criteria = (self.texts.say(spec, f"{key}.criteria.{i}", text) for i, text in enumerate(finding["criteria"], 1))
        parts_say, parts = self._parts(finding, spec)
        is_met = finding["verdict"] == "conform"
        folded = tuple(part for part in parts if part.may_fold or (is_met and part.verdict.code == "conform"))
        return Row(
            anchor=anchor,
            id=clean(finding["requirement"]),
            clause=clean(finding["clause"]),
            says=says or clean(finding["requirement"]),
            counts=finding["alternative_of"] is None,
            criteria=tuple(criteria),
            note=self.texts.say(spec, f"{key}.note", finding["note"]),
            measured=self._measured(finding),
            remarks=tuple(self._remarks(finding)),
            limit=limit_text(self.words, finding["limit"]),
            margin=margin_text(self.words, finding["margin"], finding["limit"]),
            bar=self._bar(finding, finding["guarded"] or finding["verdict"]),
            verdict=verdict_word(self.words, finding["verdict"]),
            why=self._why(finding),
            next=self._next(finding, spec, says),
            notes=tuple(self._notes(finding)),
            parts_say=parts_say,
            parts=tuple(part for part in parts if part not in folded),
            folded=folded,
            fold=self._fold(finding, parts_say, folded),
        )

    def _why(self, finding: Mapping[str, Any]) -> str:
        """Return why; where it comes from another reading of the interpretation than the one shown, name that reading."""
        text, used, source = statement_text(self.words, "why", finding["why"]), finding["interpretation"], _source(finding)
        if source is None or used["adoption"] is not None or used["readings"][0]["why"] == finding["why"]:
            return text
        return self.words.say("interpretation.under", {"reading": clean(source["id"]), "why": text})

    def _next(self, finding: Mapping[str, Any], spec: Mapping[str, Any], says: str) -> str:
        """Return the next step; where people have to answer, with the question that they have to answer."""
        step, source = finding["next"], _source(finding)
        text = statement_text(self.words, "next", step)
        if step is None or step["code"] not in _ASKING:
            return text
        question = "" if source is None else self._asked(finding["interpretation"], source, spec)
        question = question or self.texts.say(spec, f"requirement.{finding['requirement']}.ask", finding["ask"])
        return f"{text} {question}" if question and question != says else text

    def _asked(self, used: Mapping[str, Any], reading: Mapping[str, Any], spec: Mapping[str, Any]) -> str:
        return self.texts.say(spec, f"interpretation.{used['id']}.reading.{reading['id']}.ask", reading["ask"])

    def _measured(self, finding: Mapping[str, Any]) -> str:
        if finding["reading"] is not None or finding["kind"] == "limit":
            return reading_text(self.words, finding["reading"])
        return ""

    def _remarks(self, finding: Mapping[str, Any]) -> list[str]:
        words, reading = self.words, finding["reading"]
        remarks = []
        if reading is not None:
            place = clean(words.name("place", reading["place"])) if reading["place"] else ""
            how = (self._methods(reading["method"]), clean(reading["instrument"] or ""), place)
            remarks.append(", ".join(part for part in how if part))
        remarks += [mark_text(words, mark) for mark in finding["marks"]]
        if finding["probability"] is not None:
            remarks.append(words.say("label.probability", {"p": probability_text(words, finding["probability"])}))
        remarks += [self._answer(answer) for answer in finding["answers"]]
        return [remark for remark in remarks if remark]

    def _methods(self, method: str | None) -> str:
        return ", ".join(clean(self.words.name("method", name)) for name in (method or "").split(", ") if name)

    def _answer(self, answer: Mapping[str, Any]) -> str:
        said = self.words.say("label.yes" if answer["yes"] else "label.no")
        who = self.words.name("role", answer["role"])
        about = [clean(self.words.name("place", answer["place"])) if answer["place"] else "", clean(answer["reading"] or "")]
        about.append(self.words.say("label.as_stated") if answer.get("stated") else "")
        person = f"{clean(answer['by'])}, {who}" if answer["by"] else who
        return f"{said} ({'; '.join(part for part in (person, *about) if part)})"

    def _notes(self, finding: Mapping[str, Any]) -> list[str]:
        words, notes = self.words, []
        if finding["basis"] != "stated":
            notes.append(words.name("basis", finding["basis"]))
        used = finding["interpretation"]
        if used is not None:
            params = {"interpretation": clean(used["id"]), "status": words.name("status", used["status"])}
            notes.append(words.say("interpretation.of", params))
        if finding["alternative_of"] is not None:
            notes.append(words.say("label.alternative_of", {"requirement": clean(finding["alternative_of"])}))
        decision = finding["decision"]
        if decision is not None and decision["adoption"] is not None and _has_number(finding):
            notes.append(words.say(f"decision.{decision['rule']}_short"))
        return notes

    def _bar(self, holder: Mapping[str, Any], verdict: str) -> Bar | None:
        limit = holder["limit"]
        labels = {} if limit is None else {side: number(self.words, limit[side]) for side in ("min", "max")}
        svg = bar_svg(holder["reading"], limit, labels)
        if svg is None:
            return None
        params = {
            "reading": reading_text(self.words, holder["reading"]),
            "limit": limit_text(self.words, limit),
            "verdict": self.words.name("verdict", verdict),
        }
        return Bar(svg, self.words.say("bar.alt", params))

    def _parts(self, finding: Mapping[str, Any], spec: Mapping[str, Any]) -> tuple[str, tuple[Part, ...]]:
        used = finding["interpretation"]
        if used is None:
            return self.words.say("column.place"), tuple(self._part(place, "", "") for place in finding["places"])
        parts = []
        for reading in used["readings"]:
            key = f"interpretation.{used['id']}.reading.{reading['id']}"
            told = (self.texts.say(spec, f"{key}.says", reading["says"]), self._asked(used, reading, spec))
            says = " ".join(dict.fromkeys(part for part in told if part))
            label = clean(reading["id"])
            places = reading["places"] or (dict(reading) | {"place": None},)
            parts += [self._part(place, label, says if first else "") for first, place in _marked(places)]
        return self.words.say("column.reading"), tuple(parts)

    def _fold(self, finding: Mapping[str, Any], parts_say: str, folded: Sequence[Part]) -> str:
        """Return the line that stands for the folded parts, with what was measured, or else how each stands."""
        if not folded:
            return ""
        if finding["verdict"] == "conform" and all(part.verdict.code == "conform" for part in folded):
            listed = (f"{part.label} {part.measured}".rstrip() for part in folded)
            return self.words.say("fold.met", {"parts": parts_say, "list": "; ".join(listed)})
        told = (f"{part.label}: {part.verdict.word}" + (f", {part.measured}" if not part.may_fold else "") for part in folded)
        return self.words.say("fold.open", {"parts": parts_say, "list": "; ".join(told)})

    def _part(self, place: Mapping[str, Any], label: str, says: str) -> Part:
        spot = clean(self.words.name("place", place["place"])) if place["place"] else ""
        reading = place["reading"]
        return Part(
            label=", ".join(part for part in (label, spot) if part) or self.words.say("label.place_whole"),
            says=says,
            measured=reading_text(self.words, reading) if reading is not None or place["limit"] is not None else "",
            limit=limit_text(self.words, place["limit"]),
            margin=margin_text(self.words, place["margin"], place["limit"]),
            bar=self._bar(place, place["verdict"]),
            verdict=verdict_word(self.words, place["verdict"]),
            why=statement_text(self.words, "why", place["why"]),
            may_fold=reading is None and place["verdict"] in _SILENT and (place["why"] or {}).get("code") != "reading_unmeasured",
        )


def _has_number(finding: Mapping[str, Any]) -> bool:
    """Whether a number was held against a limit, so that a decision rule has something to decide."""
    used = finding["interpretation"]
    holders = (finding,) if used is None else used["readings"]
    return any(part["guarded"] is not None for holder in holders for part in (holder, *holder["places"]))


def _source(finding: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the reading of an interpretation that the finding comes from: the adopted one, else the first with its reason."""
    used = finding["interpretation"]
    if used is None:
        return None
    if used["adoption"] is not None:
        return next((reading for reading in used["readings"] if reading["id"] == used["adoption"]["reading"]), None)
    return next((reading for reading in used["readings"] if reading["why"] == finding["why"]), None)


def _marked(places: Iterable[Mapping[str, Any]]) -> list[tuple[bool, Mapping[str, Any]]]:
    return [(index == 0, place) for index, place in enumerate(places)]
