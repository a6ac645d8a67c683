"""Limits: each has a number, in the dimension of its quantity, with room for what is measured, for every article."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.quantity.units import units_of
from homolog.spec.cases import OTHER, combinations, limit_in, matches
from homolog.spec.interpretation import Bounds
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.requirement import Limit, Requirement
from homolog.spec.sides import dimension_of_bounds, sides_of
from homolog.spec.words import say_condition, say_limit


@dataclass(frozen=True)
class StatedLimit:
    """A limit as one requirement uses it: its own, a case's, or one that a reading of its interpretation brings."""

    path: DocumentPath
    requirement: Requirement
    quantity: str
    bounds: Bounds
    is_open_to_readings: bool = False
    """Whether every reading brings what it demands, so that the requirement's own number only names the nominal."""

    @property
    def name(self) -> str:
        """The requirement's id."""
        return self.requirement.id


def stated_limits(subject: Subject) -> Iterator[StatedLimit]:
    """Yield every limit of a file that has a number and whose quantity is known."""
    places = {interpretation.id: index for index, interpretation in enumerate(subject.spec.interpretations)}
    for index, requirement in enumerate(subject.spec.requirements):
        path: DocumentPath = ("requirements", index)
        own = requirement if isinstance(requirement, Limit) else None
        if own is not None and own.of in subject.dimensions:
            known = subject.interpretations.get(own.interpretation or "")
            is_open = known is not None and not any(_is_silent(reading) for reading in known.readings)
            if own.is_bounded:
                yield StatedLimit(path, own, own.of, own, is_open)
            for number, case in enumerate(own.cases):
                yield StatedLimit((*path, "cases", number), own, own.of, case, is_open)
        interpretation = subject.interpretations.get(requirement.interpretation or "")
        for number, reading in enumerate(interpretation.readings if interpretation else ()):
            quantity = reading.uses or (own.of if own else None)
            if quantity in subject.dimensions and reading.is_bounded:
                yield StatedLimit(
                    ("interpretations", places[requirement.interpretation or ""], "readings", number),
                    requirement,
                    quantity or "",
                    reading,
                )


def lint_limits(subject: Subject) -> Iterator[Complaint]:
    """Complain of limits in a wrong dimension, bare nominals, and requirements or cases without a limit."""
    for stated in stated_limits(subject):
        dimension = subject.dimensions[stated.quantity]
        if dimension_of_bounds(stated.bounds) != dimension:
            yield subject.error(
                stated.path,
                about=stated.name,
                what=f"{say_limit(stated.bounds)!r} is no limit of {stated.quantity}, which is a {dimension}",
                todo=f"write it in one of {units_of(dimension)}",
                code="limit_dimension",
            )
        elif sides_of(stated.bounds).is_single_value and dimension != "count" and not stated.is_open_to_readings:
            yield subject.error(
                stated.path,
                about=stated.name,
                what=f"{say_limit(stated.bounds)!r} leaves no tolerance, so nothing measured could ever conform",
                todo="give min and max, or name an interpretation whose readings do",
                code="nominal_bare",
            )
    for index, requirement in enumerate(subject.spec.requirements):
        if isinstance(requirement, Limit):
            yield from _without_limit(subject, ("requirements", index), requirement)


def _without_limit(subject: Subject, path: DocumentPath, requirement: Limit) -> Iterator[Complaint]:
    for number, case in enumerate(requirement.cases):
        if not case.is_bounded:
            yield subject.error(
                (*path, "cases", number),
                about=requirement.id,
                what="a case without a limit",
                todo="give min or max",
                code="limit_missing",
            )
    if requirement.cases:
        yield from _cases(subject, path, requirement)
    elif not requirement.is_bounded:
        interpretation = subject.interpretations.get(requirement.interpretation or "")
        silent = [reading.id for reading in interpretation.readings if _is_silent(reading)] if interpretation else []
        if interpretation is None:
            yield subject.error(
                path,
                about=requirement.id,
                what="there is no limit",
                todo="give min, max, above, below or within",
                code="limit_missing",
            )
        for reading in silent:
            yield subject.error(
                path,
                about=requirement.id,
                what=f"neither the requirement nor the reading {reading!r} of {requirement.interpretation} has a limit",
                todo="give one of them min or max",
                code="limit_missing",
            )


def _is_silent(reading: Bounds) -> bool:
    return not (reading.is_bounded or getattr(reading, "ask", None) or getattr(reading, "demands", None))


def _cases(subject: Subject, path: DocumentPath, requirement: Limit) -> Iterator[Complaint]:
    """Complain of articles for which no case holds, and of those for which two do."""
    conditions = [case.when for case in requirement.cases]
    for values in combinations([*conditions, requirement.when], subject.closed_lists):
        if not matches(requirement.when, values):
            continue
        article = say_condition({name: (value,) for name, value in values.items() if value != OTHER}) or "its attributes are others"
        if limit_in(requirement, values) is None:
            yield subject.error(
                (*path, "cases"),
                about=requirement.id,
                what=f"no limit holds where {article}",
                todo="add a case, or give the requirement a general limit",
                code="cases_incomplete",
            )
        if sum(matches(condition, values) for condition in conditions) > 1:
            yield subject.error(
                (*path, "cases"),
                about=requirement.id,
                what=f"two cases hold where {article}",
                todo="let only one of them hold",
                code="cases_overlap",
            )
