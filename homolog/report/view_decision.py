"""The view's account of the decision rule: the rule in words, and both rules worked out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from homolog.report.messages import Catalogue
from homolog.report.view_head import Word, verdict_word
from homolog.report.wording import bounds_text, clean, limit_text, number, probability_text


@dataclass(frozen=True, slots=True)
class Worked:
    """One reading against one limit under both rules; `interval` is the arithmetic of y - U and y + U."""

    requirement: str
    interval: str
    limit: str
    guarded: Word
    simple: Word
    probability: str


@dataclass(frozen=True, slots=True)
class DecisionView:
    """How uncertainty entered."""

    says: tuple[str, ...]
    rows: tuple[Worked, ...]


def decision_of(words: Catalogue, record: Mapping[str, Any]) -> DecisionView:
    """Return the decision rule in words with the arithmetic of every measured requirement."""
    rule = record["decision_rule"]
    says = [words.say("decision.guarded"), words.say("decision.simple"), *_decided_by(words, rule)]
    rows = tuple(_worked(words, name, holder) for name, holder in _measured(words, record))
    if rows:
        says.append(words.say("decision.arithmetic"))
    return DecisionView(tuple(says), rows)


def adopted_rule(words: Catalogue, record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what page one says of a decision rule that a board adopted: it may be all that makes an answer a yes."""
    rule = record["decision_rule"]
    if rule is None or (rule["adoption"] is None and not rule["except"]):
        return ()
    return (" ".join((*_decided_by(words, rule), words.say("decision.simple"))),)


def _decided_by(words: Catalogue, rule: Mapping[str, Any] | None) -> Iterator[str]:
    if rule is None:
        return
    yield _whose(words, rule)
    if rule["except"]:
        yield words.say("decision.except", {"requirements": clean(", ".join(rule["except"]))})


def _whose(words: Catalogue, rule: Mapping[str, Any]) -> str:
    name = words.say(f"decision.{rule['rule']}_short")
    adoption = rule["adoption"]
    if adoption is not None:
        params = {"who": clean(adoption["by"]), "on": adoption["on"], "decision": clean(adoption["decision"])}
        return words.say("decision.adopted", params | {"rule": name, "interpretation": clean(rule["interpretation"] or "")})
    return words.say("decision.proposed", {"rule": name, "interpretation": clean(rule["interpretation"] or "")})


def _measured(words: Catalogue, record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield everything that was held against a limit: each place, and each reading of an interpretation."""
    groups = [("", record["findings"]), *((clean(piece["name"]), piece["findings"]) for piece in record["pieces"])]
    for piece, findings in groups:
        for finding in findings:
            name = ", ".join(part for part in (piece, clean(finding["requirement"])) if part)
            used = finding["interpretation"]
            holders = [("", finding)] if used is None else [(clean(reading["id"]), reading) for reading in used["readings"]]
            for label, holder in holders:
                for place in holder["places"] or (holder,):
                    spot = place.get("place")
                    about = [label, clean(words.name("place", spot)) if spot else ""]
                    if place["guarded"] is not None and place["reading"] is not None:
                        yield ", ".join(part for part in (name, *about) if part), place


def _worked(words: Catalogue, name: str, holder: Mapping[str, Any]) -> Worked:
    reading = holder["reading"]
    return Worked(
        requirement=name,
        interval=_interval(words, reading),
        limit=limit_text(words, holder["limit"]),
        guarded=verdict_word(words, holder["guarded"]),
        simple=verdict_word(words, holder["simple"] or holder["guarded"]),
        probability=probability_text(words, holder["probability"]),
    )


def _interval(words: Catalogue, reading: Mapping[str, Any]) -> str:
    unit = reading["unit"]
    if "value" not in reading:
        return bounds_text(words, reading["lo"], reading["hi"], unit)
    value, spread = Decimal(reading["value"]), Decimal(reading["U"] or 0)
    y, u = number(words, reading["value"]), number(words, reading["U"] or "0")
    low, high = number(words, format(value - spread, "f"), unit), number(words, format(value + spread, "f"), unit)
    return f"{y} \N{MINUS SIGN} {u} = {low}; {y} + {u} = {high}"
