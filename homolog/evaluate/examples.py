"""Running the examples that stand inside a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from homolog.errors import HomologError
from homolog.evaluate.assess import assess
from homolog.evaluate.methods import unit_of
from homolog.quantity import Answer, Article, Reading, parse_measure
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Example, Spec

_DAY = date(2000, 1, 1)  # examples adopt nothing, so the day does not matter


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expected verdict that did not come out, or an example that cannot be read."""

    example: str
    requirement: str
    expected: str
    found: str


def run_examples(loaded: LoadedSpec) -> tuple[Mismatch, ...]:
    """Return every expectation of a spec's examples that does not hold."""
    return tuple(mismatch for example in loaded.spec.examples for mismatch in run_example(loaded, example))


def run_example(loaded: LoadedSpec, example: Example) -> tuple[Mismatch, ...]:
    """Return the expectations of one example that do not hold."""
    try:
        article = article_of(loaded.spec, example)
    except (HomologError, KeyError, TypeError, ValueError) as error:
        return (Mismatch(example.name, "", "a sheet that can be read", str(error)),)
    assessment = assess(loaded, article, purpose=example.purpose, on=_DAY)
    found = {finding.requirement: finding.verdict.value for finding in assessment.findings} | {"verdict": assessment.verdict.value}
    return tuple(
        Mismatch(example.name, name, verdict, found.get(name, "no such requirement"))
        for name, verdict in example.expect.items()
        if found.get(name) != verdict
    )


def article_of(spec: Spec, example: Example) -> Article:
    """Return the article that an example describes in short.

    Raises:
        HomologError, KeyError, TypeError, ValueError: The example is not written as a sheet.
    """
    return Article(
        item=spec.item,
        name=example.name,
        attributes=dict(example.attributes),
        readings=tuple(reading for name, entry in example.given.items() for reading in _readings(spec, name, entry)),
        answers=tuple(answer for asks, entry in example.answers.items() for answer in _answers(asks, entry)),
        pieces=tuple(_piece(spec, number, dict(entry)) for number, entry in enumerate(example.pieces, 1)),
    )


def _piece(spec: Spec, number: int, entry: Mapping[str, Any]) -> Article:
    attributes = {name: str(value) for name, value in entry.items() if name not in ("name", "item")}
    return Article(item=str(entry.get("item", "figure")), name=str(entry.get("name", number)), attributes=attributes)


def _readings(spec: Spec, quantity: str, entry: Mapping[str, Any]) -> list[Reading]:
    if any(isinstance(value, Mapping) for value in entry.values()):
        return [_reading(spec, quantity, part, place) for place, part in entry.items()]
    return [_reading(spec, quantity, entry, None)]


def _reading(spec: Spec, quantity: str, entry: Mapping[str, Any], place: str | None) -> Reading:
    unit = unit_of(spec, quantity)
    numbers = {
        name: parse_measure(str(entry[name])).to(unit) for name in ("value", "U", "gauge", "at_least", "at_most") if name in entry
    }
    return Reading(
        quantity=quantity,
        unit=unit,
        method=entry.get("method", "gauge" if "gauge" in entry else None),
        value=numbers.get("value"),
        expanded_uncertainty=numbers.get("U"),
        lo=numbers.get("at_least"),
        hi=numbers.get("at_most"),
        gauge_size=numbers.get("gauge"),
        gauge_result=entry.get("result"),
        instrument=entry.get("instrument"),
        place=place,
    )


def _answers(asks: str, entry: Any) -> list[Answer]:
    if isinstance(entry, Mapping) and "votes" in entry:
        return [Answer(asks=asks, yes=vote["answer"] == "yes", role="board", by=vote.get("by")) for vote in entry["votes"]]
    if isinstance(entry, Mapping):
        return _answers(asks, [entry])
    return [
        Answer(
            asks=asks,
            yes=one["answer"] == "yes",
            role=one["role"],
            by=one.get("by"),
            reading=one.get("reading"),
            place=one.get("place"),
        )
        for one in entry
    ]
