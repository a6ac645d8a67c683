"""Attributes in conditions, groups and lists: declared, and with values from their closed lists."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.requirement import Approved, Condition, Count, Differs, Limit, OneOf, Requirement, Uniform


def conditions_of(requirement: Requirement) -> Iterator[tuple[DocumentPath, Condition]]:
    """Yield each condition of a requirement with its place inside it."""
    yield ("when",), requirement.when
    if isinstance(requirement, Limit):
        for index, case in enumerate(requirement.cases):
            yield ("cases", index, "when"), case.when
    if isinstance(requirement, Count | Uniform | Differs):
        yield ("of",), requirement.of
    if isinstance(requirement, Differs):
        yield ("against",), requirement.against
    if isinstance(requirement, OneOf):
        yield ("values",), {requirement.attribute: requirement.values}


def attributes_of(requirement: Requirement) -> Iterator[tuple[DocumentPath, str]]:
    """Yield each attribute that a requirement compares by, with its place inside it."""
    if isinstance(requirement, Uniform | Differs | Approved):
        yield ("by",), requirement.by
    if isinstance(requirement, Count | Uniform | Differs) and requirement.each is not None:
        yield ("each",), requirement.each
    if isinstance(requirement, OneOf):
        yield ("attribute",), requirement.attribute


def lint_attributes(subject: Subject) -> Iterator[Complaint]:
    """Complain of attributes that are not declared, and of values outside their lists."""
    for index, requirement in enumerate(subject.spec.requirements):
        path: DocumentPath = ("requirements", index)
        for inside, condition in conditions_of(requirement):
            yield from _condition(subject, (*path, *inside), requirement.id, condition)
        for inside, name in attributes_of(requirement):
            if name not in subject.closed_lists and not isinstance(requirement, OneOf):
                yield _undeclared(subject, (*path, *inside), requirement.id, name)
    for index, example in enumerate(subject.spec.examples):
        declared: Condition = {name: (value,) for name, value in example.attributes.items()}
        yield from _condition(subject, ("examples", index, "attributes"), example.name, declared)


def _undeclared(subject: Subject, path: DocumentPath, owner: str, name: str) -> Complaint:
    return subject.error(
        path,
        about=owner,
        what=f"the attribute {name!r} is not declared",
        todo="declare it under attributes, or correct the name",
        code="attribute_unknown",
    )


def _condition(subject: Subject, path: DocumentPath, owner: str, condition: Condition) -> Iterator[Complaint]:
    for name, values in condition.items():
        here = (*path, name)
        if name not in subject.closed_lists:
            yield _undeclared(subject, here, owner, name)
            continue
        closed = subject.closed_lists[name]
        for value in values:
            if closed is not None and value not in closed:
                yield subject.error(
                    here,
                    about=owner,
                    what=f"{value!r} is none of the values of {name}",
                    todo=f"write one of {', '.join(closed)}",
                    code="attribute_value",
                )
