"""A spec, or one of its requirements, as Markdown for people: in a terminal or on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from homolog.errors import UsageError
from homolog.spec.interpretation import InterpretationReading
from homolog.spec.load import LoadedSpec
from homolog.spec.model import MethodUse, Spec
from homolog.spec.requirement import Inspect, Judge, Limit, Requirement
from homolog.spec.words import say_condition, say_demand, say_limit, say_list, say_name, say_unit

Say = Callable[[str, str], str]
"""Returns the translation of a text by its key and English words; `SpecTexts.text` is one."""


def as_written(_key: str, english: str) -> str:
    """Return the English text itself."""
    return english


def render_spec(loaded: LoadedSpec, say: Say = as_written) -> str:
    """Return a whole spec: its edition, requirements, interpretations, and what becomes of each clause."""
    return "\n".join(_spec(loaded.spec, say)) + "\n"


def render_requirement(loaded: LoadedSpec, identifier: str, say: Say = as_written) -> str:
    """Return one requirement with its methods and interpretation.

    Raises:
        UsageError: The spec has no such requirement.
    """
    requirement = loaded.requirements.get(identifier)
    if requirement is None:
        raise UsageError.because(
            f"{loaded.spec.id} {loaded.spec.edition.label} has no requirement {identifier!r}",
            todo=f"use one of {', '.join(loaded.requirements)}",
            code="requirement_unknown",
        )
    spec = loaded.spec
    return "\n".join((*_requirement(spec, requirement, say, "#"), "", f"{_say_edition(spec)} {_say_effect(spec)}")) + "\n"


def render_interpretation(loaded: LoadedSpec, identifier: str, say: Say = as_written) -> str:
    """Return one interpretation: its question, whether a reading is adopted, the readings, and which requirements turn on it.

    Raises:
        UsageError: The spec has no such interpretation.
    """
    spec = loaded.spec
    entry = next((one for one in spec.interpretations if one.id == identifier), None)
    if entry is None:
        raise UsageError.because(
            f"{spec.id} {spec.edition.label} has no interpretation {identifier!r}",
            todo=f"use one of {', '.join(one.id for one in spec.interpretations)}",
            code="interpretation_unknown",
        )
    turning = [requirement.id for requirement in spec.requirements if requirement.interpretation == identifier]
    used = say_list(turning) if turning else "every number" if entry.is_decision_rule else "nothing"
    note = (f"Note: {say(f'interpretation.{identifier}.note', entry.note)}",) if entry.note else ()
    return "\n".join(
        (
            f"# {identifier} ({entry.clause})",
            "",
            *_readings(spec, identifier, say),
            *note,
            f"What turns on it: {used}.",
            "",
            f"{_say_edition(spec)} {_say_effect(spec)}",
            "",
        )
    )


def _spec(spec: Spec, say: Say) -> Iterator[str]:
    edition = spec.edition
    yield f"# {say('title', spec.title) or spec.item.capitalize()}"
    yield ""
    yield f"{_say_edition(spec)} {_say_effect(spec)}"
    source = ", ".join(part for part in (spec.source.document, spec.source.part, spec.source.issuer) if part)
    yield f"Source: {source}."
    for remark in (edition.note, spec.source.note):
        if remark:
            yield remark
    if edition.incomplete:
        yield f"The source is incomplete: {edition.incomplete}"
    for requirement in spec.requirements:
        yield ""
        yield from _requirement(spec, requirement, say, "##")
    rules = [entry for entry in spec.interpretations if entry.is_decision_rule]
    for rule in rules:
        yield ""
        yield f"## {rule.id} ({rule.status})"
        yield ""
        yield from _readings(spec, rule.id, say)
    yield ""
    yield "## Clauses"
    yield ""
    for clause in spec.clauses:
        row = f" ({clause.row})" if clause.row else ""
        yield f"- {clause.id}{row}: {clause.status.replace('_', ' ')}{f'. {clause.note}' if clause.note else ''}"


def _say_edition(spec: Spec) -> str:
    return f"{spec.id}, edition {spec.edition.label} (file {spec.edition.status})."


def _say_effect(spec: Spec) -> str:
    effective = spec.edition.effective
    until = {None: "with no end known", "unknown": "to an unknown day"}.get(effective.to, f"to {effective.to}")  # type: ignore[arg-type]
    since = "from an unknown day" if effective.since == "unknown" else f"from {effective.since}"
    return f"In force {since} {until} ({effective.basis})."


def _requirement(spec: Spec, requirement: Requirement, say: Say, level: str) -> Iterator[str]:
    key = f"requirement.{requirement.id}"
    yield f"{level} {requirement.id} ({requirement.clause})"
    yield ""
    says = say(f"{key}.says", requirement.says) if requirement.says else ""
    if says:
        yield says
    demand = say(f"{key}.ask", requirement.ask) if isinstance(requirement, Inspect | Judge) else _sentence(say_demand(requirement))
    if demand != says:
        yield demand
    if isinstance(requirement, Inspect | Judge):
        for number, criterion in enumerate(requirement.criteria, start=1):
            yield f"- {say(f'{key}.criteria.{number}', criterion)}"
    if isinstance(requirement, Judge):
        yield f"The board decides: {requirement.panel.votes} votes, {requirement.panel.passes}."
    if requirement.when:
        yield f"Only where {say_condition(requirement.when)}."
    if requirement.purposes:
        yield f"Only for {say_list(purpose.replace('_', ' ') for purpose in requirement.purposes)}."
    if isinstance(requirement, Limit):
        yield from _quantity(spec, requirement.of, say)
    if requirement.interpretation:
        yield from _readings(spec, requirement.interpretation, say)
    if requirement.note:
        yield f"Note: {say(f'{key}.note', requirement.note)}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _quantity(spec: Spec, name: str, say: Say) -> Iterator[str]:
    rule = spec.derived.get(name)
    if rule is not None:
        yield f"Worked out: {rule.op} of {say_list(rule.of)}. {say(f'derived.{name}.what', rule.what)}"
        return
    quantity = spec.quantities[name]
    methods = [entry.method if isinstance(entry, MethodUse) else entry for entry in quantity.methods]
    yield f"Measured in {say_unit(quantity.unit) or 'pieces'}: {say(f'quantity.{name}.what', quantity.what)}"
    if quantity.each is not None:
        yield f"At each place: {say_list(quantity.each) if isinstance(quantity.each, tuple) else 'every one there is'}."
    yield f"Methods: {', '.join(methods)}."


def _readings(spec: Spec, name: str, say: Say) -> Iterator[str]:
    entry = next(entry for entry in spec.interpretations if entry.id == name)
    key = f"interpretation.{name}"
    if entry.adoption is not None:
        decided = f"{entry.adoption.reading}, adopted on {entry.adoption.on} by {entry.adoption.by} ({entry.adoption.decision})"
    elif entry.is_decision_rule:
        decided = f"{entry.status}: no reading is adopted"
    else:
        decided = f"{entry.status}: no reading is adopted, so all are tried; where the article fails some only, people decide"
    yield f"{name}: {say(f'{key}.question', entry.question)} {_sentence(decided)}"
    for reading in entry.readings:
        source = f" Source: {reading.source}." if reading.source else ""
        yield f"- {reading.id}: {say(f'{key}.reading.{reading.id}.says', reading.says)}{_demand(reading, key, say)}{source}"


def _demand(reading: InterpretationReading, key: str, say: Say) -> str:
    """Return what an article must meet under a reading, in brackets; empty if its words say all."""
    parts = [say_name(reading.uses)] if reading.uses else []
    parts += [say_limit(reading)] if reading.is_bounded else []
    parts += [say(f"{key}.reading.{reading.id}.ask", reading.ask)] if reading.ask else []
    return f" ({': '.join(parts)})" if parts else ""
