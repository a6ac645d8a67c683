"""Examples inside a spec: they ask about what is there, come out as they say, and show each requirement both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Example
from homolog.spec.requirement import Count, Differs, Limit, OneOf, Requirement, Uniform
from homolog.spec.rows import answer_names


class Mismatch(Protocol):
    """An expectation of an example that does not come out; `requirement` is empty if the example cannot be read."""

    @property
    def example(self) -> str:
        """The example's name."""

    @property
    def requirement(self) -> str:
        """The requirement whose verdict was expected, or `verdict` for the whole."""

    @property
    def expected(self) -> str:
        """The verdict that the example names."""

    @property
    def found(self) -> str:
        """The verdict that came out, or why there is none."""


ExampleRunner = Callable[[LoadedSpec], Iterable[Mismatch]]
"""Judges all examples of a spec. It is handed in from above, as specs know no evaluation."""

VERDICTS = ("conform", "inconclusive", "needs_judgement", "not_measured", "error", "nonconform", "not_applicable")
_READING_KEYS = ("value", "U", "gauge", "result", "at_least", "at_most", "method", "instrument")


def lint_examples(subject: Subject, run_examples: ExampleRunner | None) -> Iterator[Complaint]:
    """Complain of examples that name what is not there, or whose verdicts are others."""
    places: dict[str, int] = {}
    faults: list[Complaint] = []
    for index, example in enumerate(subject.spec.examples):
        path: DocumentPath = ("examples", index)
        if example.name in places:
            faults.append(
                subject.error(
                    (*path, "name"), about=example.name, what="two examples have this name", todo="rename one", code="example_twice"
                )
            )
        places[example.name] = index
        faults.extend(_names(subject, path, example))
    yield from faults
    if run_examples is not None and not faults:
        for mismatch in run_examples(subject.loaded):
            yield _fails(subject, ("examples", places[mismatch.example]), mismatch)
    yield from _shown(subject)


def _fails(subject: Subject, path: DocumentPath, mismatch: Mismatch) -> Complaint:
    if not mismatch.requirement:
        what, todo = f"it cannot be judged: {mismatch.found}".rstrip("."), "write it as a sheet is written"
    else:
        what = f"{mismatch.requirement} comes out as {mismatch.found}, not {mismatch.expected}"
        todo = "mend the requirement or the example"
    return subject.error(
        (*path, "expect", mismatch.requirement), about=mismatch.example, what=what, todo=todo, code="example_fails"
    )


def _names(subject: Subject, path: DocumentPath, example: Example) -> Iterator[Complaint]:
    if not example.expect:
        yield subject.error(
            path, about=example.name, what="it expects nothing", todo="say which verdicts must come out", code="example_empty"
        )
    for quantity in example.given:
        if quantity not in subject.dimensions:
            yield subject.error(
                (*path, "given", quantity),
                about=example.name,
                what=f"the quantity {quantity!r} is not known",
                todo="write one of this file's quantities",
                code="quantity_unknown",
            )
        for key in _strange_keys(example.given[quantity]):
            yield subject.error(
                (*path, "given", quantity),
                about=example.name,
                what=f"{quantity} has the key {key!r}, which no reading has",
                todo=f"write one of {', '.join(_READING_KEYS)}",
                code="example_key",
            )
    asked = {name for names in answer_names(subject.spec.requirements).values() for name in names}
    for key, names in (("answers", [*example.answers]), ("expect", [*example.expect])):
        known = asked if key == "answers" else {*subject.loaded.requirements, "verdict"}
        for name in names:
            if name not in known:
                yield subject.error(
                    (*path, key, name),
                    about=example.name,
                    what=f"the requirement {name!r} is not known",
                    todo="write one of this file's requirements",
                    code="requirement_unknown",
                )
    for name, verdict in example.expect.items():
        if verdict not in VERDICTS:
            yield subject.error(
                (*path, "expect", name),
                about=example.name,
                what=f"{verdict!r} is no verdict",
                todo=f"write one of {', '.join(VERDICTS)}",
                code="verdict_unknown",
            )


def _strange_keys(entry: Mapping[str, object]) -> list[str]:
    """Return the keys that no reading has; a reading a place has its own keys one level down."""
    places = [part for part in entry.values() if isinstance(part, Mapping)]
    return [key for part in (places or [entry]) for key in part if key not in _READING_KEYS]


def _shown(subject: Subject) -> Iterator[Complaint]:
    """Warn of requirements judged from data that no example shows conforming, or failing.

    People's answers and the register pass through as they are: an example of them would show nothing of the spec.
    """
    shown: dict[str, set[str]] = {}
    for example in subject.spec.examples:
        for name, verdict in example.expect.items():
            shown.setdefault(name, set()).add(verdict)
    for index, requirement in enumerate(subject.spec.requirements):
        missing = [verdict for verdict in ("conform", "nonconform") if verdict not in shown.get(requirement.id, ())]
        if "nonconform" in missing and _has_lenient_reading(subject, requirement):
            missing.remove("nonconform")
        if missing and isinstance(requirement, Limit | Count | Uniform | Differs | OneOf):
            yield subject.warning(
                ("requirements", index),
                about=requirement.id,
                what=f"no example shows it {' or '.join(missing)}",
                todo="add one",
                code="example_missing",
            )


def _has_lenient_reading(subject: Subject, requirement: Requirement) -> bool:
    """Whether a reading demands nothing, so that no article can fail while the interpretation is open."""
    interpretation = subject.interpretations.get(requirement.interpretation or "")
    return interpretation is not None and any(reading.demands == "nothing" for reading in interpretation.readings)
