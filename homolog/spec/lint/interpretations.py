"""Interpretations: used where a requirement can carry them, with readings that differ in what they demand."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.interpretation import Interpretation, InterpretationReading
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.requirement import Inspect, Limit, Requirement

DECISION = "INT-decision"
_CARRIERS = Limit | Inspect


def lint_interpretations(subject: Subject) -> Iterator[Complaint]:
    """Complain of interpretations that are missing, unused, or do not fit their requirements."""
    used = {requirement.interpretation for requirement in subject.spec.requirements}
    for index, interpretation in enumerate(subject.spec.interpretations):
        if interpretation.id not in used and not interpretation.is_decision_rule:
            yield subject.error(
                ("interpretations", index, "id"),
                about=interpretation.id,
                what="no requirement uses the interpretation",
                todo="name it in a requirement, or remove it",
                code="interpretation_unused",
            )
        for number, reading in enumerate(interpretation.readings):
            yield from _reading(subject, ("interpretations", index, "readings", number), interpretation, reading)
    for index, requirement in enumerate(subject.spec.requirements):
        if requirement.interpretation is not None:
            yield from _use(subject, ("requirements", index), requirement, requirement.interpretation)
        elif requirement.basis == "interpreted":
            yield subject.error(
                ("requirements", index, "basis"),
                about=requirement.id,
                what="the basis is interpreted, but no interpretation is named",
                todo="name it, or write basis: implied",
                code="interpretation_missing",
            )
    yield from _decision(subject)


def _decision(subject: Subject) -> Iterator[Complaint]:
    decision = subject.interpretations.get(DECISION)
    shape = [(reading.id, reading.decision) for reading in decision.readings] if decision else []
    if shape != [("guarded", "guarded"), ("simple", "simple")]:
        yield subject.error(
            ("interpretations", subject.spec.interpretations.index(decision)) if decision else ("interpretations",),
            about=DECISION,
            what="the file does not say how uncertainty enters a verdict",
            todo="give INT-decision the readings guarded and simple, in this order, each with its decision",
            code="decision_rule",
        )
    for index, interpretation in enumerate(subject.spec.interpretations):
        if interpretation.is_decision_rule and interpretation.id != DECISION:
            yield subject.error(
                ("interpretations", index, "id"),
                about=interpretation.id,
                what="a second decision rule",
                todo=f"keep {DECISION} alone",
                code="decision_rule",
            )


def _reading(
    subject: Subject, path: DocumentPath, interpretation: Interpretation, reading: InterpretationReading
) -> Iterator[Complaint]:
    measures = reading.uses is not None or reading.is_bounded
    demands = [measures, reading.ask is not None, reading.demands is not None, reading.decision is not None]
    if sum(demands) > 1:
        yield subject.error(
            path,
            about=interpretation.id,
            what=f"the reading {reading.id!r} demands two things at once",
            todo="keep a quantity with its limit, a question to ask, demands: nothing, or a decision",
            code="reading_double",
        )
    if reading.is_bounded and not reading.source:
        yield subject.error(
            path,
            about=interpretation.id,
            what=f"the reading {reading.id!r} has numbers but does not say where they come from",
            todo="name their source",
            code="reading_source",
        )


def _use(subject: Subject, path: DocumentPath, requirement: Requirement, name: str) -> Iterator[Complaint]:
    interpretation = subject.interpretations.get(name)
    here = (*path, "interpretation")
    if interpretation is None:
        yield subject.error(
            here,
            about=requirement.id,
            what=f"the interpretation {name!r} is not known",
            todo="write it under interpretations, or correct the name",
            code="interpretation_unknown",
        )
        return
    if not isinstance(requirement, _CARRIERS) or interpretation.is_decision_rule:
        carrier = (
            "the decision rule belongs to all requirements"
            if interpretation.is_decision_rule
            else f"a {requirement.kind} has no readings"
        )
        yield subject.error(
            here,
            about=requirement.id,
            what=f"{name} cannot be used here: {carrier}",
            todo="let a limit or an inspect carry the interpretation",
            code="interpretation_kind",
        )
        return
    if interpretation.status == "withdrawn":
        yield subject.error(
            here,
            about=requirement.id,
            what=f"{name} is withdrawn",
            todo="name another, or propose it again",
            code="interpretation_withdrawn",
        )
    may_stand = _has_own_limit(requirement)
    for reading in interpretation.readings:
        yield from _fit(subject, here, requirement, reading, may_stand=may_stand)
        may_stand = may_stand and not _is_empty(reading)


def _has_own_limit(requirement: Requirement) -> bool:
    return isinstance(requirement, Limit) and (requirement.is_bounded or bool(requirement.cases))


def _is_empty(reading: InterpretationReading) -> bool:
    return not (reading.is_bounded or reading.uses or reading.ask or reading.demands)


def _fit(
    subject: Subject, path: DocumentPath, requirement: Requirement, reading: InterpretationReading, *, may_stand: bool
) -> Iterator[Complaint]:
    """Complain of a reading that leaves open what is asked of the article under it.

    One reading of a requirement with a limit of its own may let that limit stand, as against others that change it.
    """
    if isinstance(requirement, Limit):
        if _is_empty(reading) and not may_stand:
            yield subject.error(
                path,
                about=requirement.id,
                what=f"the reading {reading.id!r} of {requirement.interpretation} changes nothing",
                todo="give it a limit, a quantity, a question or demands: nothing",
                code="reading_empty",
            )
    elif reading.is_bounded or reading.uses:
        yield subject.error(
            path,
            about=requirement.id,
            what=f"the reading {reading.id!r} of {requirement.interpretation} measures, but people answer an inspect",
            todo="write kind: limit with the quantity under of; its other readings may still ask",
            code="reading_kind",
        )
