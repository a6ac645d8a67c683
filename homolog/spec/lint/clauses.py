"""The list of clauses: each named clause is in it once, and what it says of a clause is true."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.model import Clause
from homolog.spec.rows import rows_of

_NEEDS_REASON = ("partly", "not_checkable", "informative")


def lint_clauses(subject: Subject) -> Iterator[Complaint]:
    """Complain of clauses that are named but not listed, listed twice, or listed as what they are not."""
    listed = {clause.id for clause in subject.spec.clauses}
    seen: set[tuple[str, str | None]] = set()
    for index, clause in enumerate(subject.spec.clauses):
        path: DocumentPath = ("clauses", index)
        if (clause.id, clause.row) in seen:
            yield subject.error(
                path,
                about=clause.id,
                what="the clause is listed twice",
                todo="keep one entry a clause, or a row",
                code="clause_twice",
            )
        seen.add((clause.id, clause.row))
        yield from _status(subject, path, clause)
    for index, requirement in enumerate(subject.spec.requirements):
        if requirement.clause not in listed:
            yield _unlisted(subject, ("requirements", index, "clause"), requirement.id, requirement.clause)
    for index, interpretation in enumerate(subject.spec.interpretations):
        if interpretation.clause not in listed:
            yield _unlisted(subject, ("interpretations", index, "clause"), interpretation.id, interpretation.clause)


def _unlisted(subject: Subject, path: DocumentPath, owner: str, clause: str) -> Complaint:
    return subject.error(
        path,
        about=owner,
        what=f"clause {clause} is not in the list of clauses",
        todo="list it under clauses",
        code="clause_unknown",
    )


def _status(subject: Subject, path: DocumentPath, clause: Clause) -> Iterator[Complaint]:
    checking = [
        requirement.id
        for requirement in subject.spec.requirements
        if requirement.clause == clause.id and (clause.row is None or clause.row in rows_of(requirement))
    ]
    if clause.status in _NEEDS_REASON and not clause.note:
        yield subject.error(
            path, about=clause.id, what=f"{clause.status} without a reason", todo="say why in a note", code="clause_unexplained"
        )
    if clause.status in {"checked", "judged"} and not checking:
        yield subject.error(
            path,
            about=clause.id,
            what=f"listed as {clause.status}, but no requirement cites it",
            todo="write the requirement, or list it as partly, not_checkable or informative and say why",
            code="clause_unchecked",
        )
    if clause.status in {"not_checkable", "informative"} and checking:
        yield subject.error(
            path,
            about=clause.id,
            what=f"listed as {clause.status}, but {checking[0]} checks it",
            todo="list it as checked, judged or partly",
            code="clause_status",
        )
