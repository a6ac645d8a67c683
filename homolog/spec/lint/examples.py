"""Examples inside a spec: they ask about what is there, come out as they say, and show each requirement both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from homolog.errors import HomologError
from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.coverage import rows_of
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Example
from homolog.spec.requirement import Approved, Requirement

ExampleRunner = Callable[[LoadedSpec, Example], Mapping[str, str]]
"""Judges an example: the verdict's name by requirement id. Given from above, as specs know no evaluation."""

VERDICTS = ("conform", "inconclusive", "needs_judgement", "not_measured", "error", "nonconform", "not_applicable")


def lint_examples(subject: Subject, run_example: ExampleRunner | None) -> Iterator[Complaint]:
    """Complain of examples that name what is not there, or whose verdicts are others."""
    names: list[str] = []
    for index, example in enumerate(subject.spec.examples):
        path: DocumentPath = ("examples", index)
        if example.name in names:
            yield subject.error(
                (*path, "name"), id=example.name, what="two examples have this name", todo="rename one", code="example_twice"
            )
        names.append(example.name)
        faults = [*_names(subject, path, example)]
        yield from faults
        if run_example is not None and not faults:
            yield from _outcome(subject, path, example, run_example)
    yield from _shown(subject)


def _names(subject: Subject, path: DocumentPath, example: Example) -> Iterator[Complaint]:
    if not example.expect:
        yield subject.error(path, id=example.name, what="it expects nothing", todo="say which verdicts must come out", code="example_empty")
    for quantity in example.given:
        if quantity not in subject.dimensions:
            yield subject.error(
                (*path, "given", quantity),
                id=example.name,
                what=f"the quantity {quantity!r} is not known",
                todo="write one of this file's quantities",
                code="quantity_unknown",
            )
    asked = {name for requirement in subject.spec.requirements for name in (requirement.id, *rows_of(requirement))}
    for key, names in (("answers", [*example.answers]), ("expect", [*example.expect])):
        known = asked if key == "answers" else set(subject.loaded.requirements)
        for name in names:
            if name not in known:
                yield subject.error(
                    (*path, key, name),
                    id=example.name,
                    what=f"the requirement {name!r} is not known",
                    todo="write one of this file's requirements",
                    code="requirement_unknown",
                )
    for name, verdict in example.expect.items():
        if verdict not in VERDICTS:
            yield subject.error(
                (*path, "expect", name),
                id=example.name,
                what=f"{verdict!r} is no verdict",
                todo=f"write one of {', '.join(VERDICTS)}",
                code="verdict_unknown",
            )


def _outcome(subject: Subject, path: DocumentPath, example: Example, run_example: ExampleRunner) -> Iterator[Complaint]:
    try:
        found = run_example(subject.loaded, example)
    except HomologError as error:
        yield subject.error(
            path, id=example.name, what=f"it cannot be judged: {error}".rstrip("."), todo="mend the example", code="example_refused"
        )
        return
    for name, expected in example.expect.items():
        verdict = found.get(name, "no finding")
        if verdict != expected:
            yield subject.error(
                (*path, "expect", name),
                id=example.name,
                what=f"{name} comes out as {verdict}, not {expected}",
                todo="mend the requirement or the example",
                code="example_fails",
            )


def _shown(subject: Subject) -> Iterator[Complaint]:
    """Warn of requirements that no example shows conforming, or failing."""
    shown: dict[str, set[str]] = {}
    for example in subject.spec.examples:
        for name, verdict in example.expect.items():
            shown.setdefault(name, set()).add(verdict)
    for index, requirement in enumerate(subject.spec.requirements):
        missing = [verdict for verdict in ("conform", "nonconform") if verdict not in shown.get(requirement.id, ())]
        if "nonconform" in missing and _has_lenient_reading(subject, requirement):
            missing.remove("nonconform")
        if missing and not isinstance(requirement, Approved):  # it needs a register, which an example does not have
            yield subject.warning(
                ("requirements", index),
                id=requirement.id,
                what=f"no example shows it {' or '.join(missing)}",
                todo="add one",
                code="example_missing",
            )


def _has_lenient_reading(subject: Subject, requirement: Requirement) -> bool:
    """Whether a reading demands nothing, so that no article can fail while the interpretation is open."""
    interpretation = subject.interpretations.get(requirement.interpretation or "")
    return interpretation is not None and any(reading.demands == "nothing" for reading in interpretation.readings)
