"""The English texts of a spec that people read, each under the key that its translations carry."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.spec.interpretation import Interpretation
from homolog.spec.model import Spec
from homolog.spec.requirement import Inspect, Judge, Requirement


def texts_of(spec: Spec) -> dict[str, str]:
    """Return every text that a catalogue translates, by key, in the file's order; empty texts are left out.

    The keys: `title`; `requirement.<id>.says`, `.ask`, `.criteria.<n>` (n from 1), `.note`; `quantity.<id>.what`;
    `derived.<id>.what`; `interpretation.<id>.question`, `.reading.<id>.says`, `.reading.<id>.ask`;
    `attribute.<name>.what`; `method.<name>.says`.
    """
    return {key: text for key, text in _texts(spec) if text}


def _texts(spec: Spec) -> Iterator[tuple[str, str]]:
    yield "title", spec.title
    for name, attribute in spec.attributes.items():
        yield f"attribute.{name}.what", attribute.what
    for name, method in spec.methods.items():
        yield f"method.{name}.says", method.says
    for name, quantity in spec.quantities.items():
        yield f"quantity.{name}.what", quantity.what
    for name, derived in spec.derived.items():
        yield f"derived.{name}.what", derived.what
    for interpretation in spec.interpretations:
        yield from _of_interpretation(interpretation)
    for requirement in spec.requirements:
        yield from _of_requirement(requirement)


def _of_interpretation(interpretation: Interpretation) -> Iterator[tuple[str, str]]:
    key = f"interpretation.{interpretation.id}"
    yield f"{key}.question", interpretation.question
    for reading in interpretation.readings:
        yield f"{key}.reading.{reading.id}.says", reading.says
        yield f"{key}.reading.{reading.id}.ask", reading.ask or ""


def _of_requirement(requirement: Requirement) -> Iterator[tuple[str, str]]:
    key = f"requirement.{requirement.id}"
    yield f"{key}.says", requirement.says
    if isinstance(requirement, Inspect | Judge):
        yield f"{key}.ask", requirement.ask
        for number, criterion in enumerate(requirement.criteria, start=1):
            yield f"{key}.criteria.{number}", criterion
    yield f"{key}.note", requirement.note
