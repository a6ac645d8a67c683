"""What an empty sheet asks: the quantities, questions and attributes of a spec with their limits in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from homolog.spec.load import LoadedSpec
from homolog.spec.model import Spec
from homolog.spec.requirement import Limit
from homolog.spec.words import say_condition, say_limit
from homolog.submission.vocabulary import Term, Vocabulary

_OPEN_PLACES = ("1", "2", "3")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantityRow:
    """One reading that is asked for."""

    quantity: str
    place: str
    unit: str
    meaning: str
    limit: str
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One question; `is_judged` where the board votes on it, so that nobody else's answer counts."""

    question: str
    meaning: str
    readings: tuple[str, ...]
    clause: str
    is_judged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeRow:
    """One attribute; `allowed` is empty where any short text will do."""

    attribute: str
    meaning: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """The contents of an empty sheet.

    Attributes:
        piece_columns: For a set or match, the columns of its table of pieces; empty otherwise.
    """

    item: str
    title: str
    quantities: tuple[QuantityRow, ...]
    questions: tuple[QuestionRow, ...]
    attributes: tuple[AttributeRow, ...]
    piece_columns: tuple[str, ...] = ()
    piece_choices: Mapping[str, tuple[str, ...]] | None = None


def blank_of(loaded: LoadedSpec, pieces: Iterable[LoadedSpec] = ()) -> Blank:
    """Gather what an empty sheet for a spec asks.

    Args:
        loaded: The spec.
        pieces: For a set or match, the specs of its pieces, whose plain quantities become columns.
    """
    spec = loaded.spec
    vocabulary = Vocabulary.of([loaded])
    limits = _limits(spec)
    clauses = {requirement.id: requirement.clause for requirement in spec.requirements}
    conditions = {
        requirement.id: f" Only where {say_condition(requirement.when)}." if requirement.when else ""
        for requirement in spec.requirements
    }
    asked = [term for term in vocabulary.quantities.values() if not term.is_derived]
    has_pieces = spec.item in ("set", "match")
    return Blank(
        item=spec.item,
        title=f"{spec.source.issuer} {spec.edition.label}, {spec.title or spec.item}",
        quantities=tuple(row for term in asked for row in _rows(term, "; ".join(limits.get(term.id, ())))),
        questions=tuple(
            QuestionRow(
                question=question.id,
                meaning=f"{_line(question.ask)}{conditions[question.id]}",
                readings=question.readings,
                clause=clauses[question.id],
                is_judged=question.is_judged,
            )
            for question in vocabulary.questions.values()
            if question.id in clauses
        ),
        attributes=tuple(
            AttributeRow(attribute=key, meaning=_line(attribute.what), allowed=attribute.values or ())
            for key, attribute in spec.attributes.items()
        ),
        piece_columns=tuple(_piece_columns(vocabulary, pieces)) if has_pieces else (),
        piece_choices={key: values for key, values in vocabulary.attributes.items() if values} if has_pieces else None,
    )


def _rows(term: Term, limit: str) -> Iterable[QuantityRow]:
    places = _OPEN_PLACES if term.has_open_places else (term.places or ("",))
    for place in places:
        yield QuantityRow(
            quantity=term.id,
            place=place,
            unit=term.unit,
            meaning=_line(term.what),
            limit=limit,
            methods=tuple(method for method in term.methods if not _is_scan(method)),
        )


def _is_scan(method: str) -> bool:
    return method == "cad" or method.startswith("scan.")


def _line(text: str) -> str:
    return " ".join(text.split())


def _limits(spec: Spec) -> dict[str, list[str]]:
    """Return the limits on each quantity, in words."""
    found: dict[str, list[str]] = {}
    interpretations = {entry.id: entry for entry in spec.interpretations}
    for requirement in spec.requirements:
        if not isinstance(requirement, Limit):
            continue
        for bounds, when in [(requirement, requirement.when), *((case, case.when) for case in requirement.cases)]:
            if bounds.is_bounded:
                condition = f" where {say_condition(when)}" if when else ""
                told = f"{say_limit(bounds)}{condition} ({requirement.clause})"
                found.setdefault(requirement.of, []).append(told)
        interpretation = interpretations.get(requirement.interpretation or "")
        for reading in interpretation.readings if interpretation else ():
            bounds = reading if reading.is_bounded else requirement
            if (reading.uses or reading.is_bounded) and bounds.is_bounded:
                told = f"{say_limit(bounds)} by {requirement.interpretation}, reading {reading.id} ({requirement.clause})"
                found.setdefault(reading.uses or requirement.of, []).append(told)
    return found


def _piece_columns(outer: Vocabulary, pieces: Iterable[LoadedSpec]) -> Iterable[str]:
    yield "item"
    for key in outer.attributes:
        yield f"attribute.{key}"
    seen = set()
    for loaded in pieces:
        for key, quantity in loaded.spec.quantities.items():
            if key not in seen and not quantity.each:
                seen.add(key)
                yield from (f"{key}[{quantity.unit}]", f"{key}.U", f"{key}.method")
