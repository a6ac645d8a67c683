"""Running the examples that stand inside a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from homolog.errors import HomologError
from homolog.evaluate.assess import assess
from homolog.evaluate.methods import unit_of
from homolog.quantity import Answer, Article, Reading, Role, parse_measure
from homolog.quantity.article import ROLES
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Example, Spec

_DAY = date.max  # examples bring no adoption: what the spec itself says is adopted holds, whatever its day
_READING_KEYS = {"value", "U", "gauge", "result", "at_least", "at_most", "method", "instrument"}
_ANSWER_KEYS = {"answer", "role", "by", "reading", "place"}


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
    if quantity not in spec.quantities and quantity not in spec.derived:
        raise ValueError(f"the quantity {quantity!r} is not known")
    if any(isinstance(value, Mapping) for value in entry.values()):
        return [_reading(spec, quantity, part, place) for place, part in entry.items()]
    return [_reading(spec, quantity, entry, None)]


def _reading(spec: Spec, quantity: str, entry: Mapping[str, Any], place: str | None) -> Reading:
    _refuse_others(entry, _READING_KEYS)
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
        _refuse_others(entry, {"votes"})
        return [_answer(asks, vote, role="board") for vote in entry["votes"]]
    return [_answer(asks, one) for one in (entry if isinstance(entry, list) else [entry])]


def _answer(asks: str, entry: Any, *, role: Role | None = None) -> Answer:
    _refuse_others(entry, _ANSWER_KEYS if role is None else _ANSWER_KEYS - {"role"})
    role = role or entry.get("role")
    if entry.get("answer") not in ("yes", "no") or role not in ROLES:
        raise ValueError(f"{asks}: an answer is yes or no, in one of the roles {', '.join(ROLES)}")
    return Answer(
        asks=asks,
        yes=entry["answer"] == "yes",
        role=role,
        by=entry.get("by"),
        reading=entry.get("reading"),
        place=entry.get("place"),
    )


def _refuse_others(entry: Any, known: set[str]) -> None:
    if not isinstance(entry, Mapping):
        raise TypeError(f"{str(entry)[:40]!r} is no mapping; write some of {', '.join(sorted(known))}")
    others = ", ".join(sorted(entry.keys() - known))
    if others:
        raise ValueError(f"{others}: not known; write one of {', '.join(sorted(known))}")
