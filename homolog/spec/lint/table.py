"""The edition's clause table beside its specs: every row accounted for, every named row there, the same numbers in both."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from homolog.quantity import UNITS
from homolog.spec.clause_table import ClauseRow
from homolog.spec.coverage import cover
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.requirement import Count, Limit, Requirement
from homolog.spec.rows import rows_of
from homolog.spec.sides import Side, sides_of


def lint_table(table: tuple[ClauseRow, ...], shown: str, specs: list[Subject], own: list[Subject]) -> Iterator[Complaint]:
    """Complain of rows without an account, rows that are not there, and limits that differ from the table's numbers.

    Args:
        table: The edition's rows.
        shown: The table's name in complaints.
        specs: All specs that the edition names; a row may be accounted for by any of them.
        own: The edition's own specs; only they must agree with its table.
    """
    for covered in cover(table, [subject.loaded for subject in specs]):
        if not covered.is_accounted_for:
            row = covered.row
            yield Complaint(
                severity="error",
                where=f"{shown}:{row.line}:1",
                id=row.row,
                what=f"no requirement checks the row of clause {row.clause}, and no reason is given",
                todo="write a requirement that covers it, or list clause and row with a status and a note",
                code="row_unaccounted",
            )
    rows = {(row.clause, row.row): row for row in table}
    clauses = {row.clause for row in table}
    for subject in own:
        for index, clause in enumerate(subject.spec.clauses):
            if clause.id not in clauses or (clause.row is not None and (clause.id, clause.row) not in rows):
                yield subject.error(
                    ("clauses", index),
                    about=clause.id,
                    what=f"the clause table has no {clause.row or 'row'} under {clause.id}",
                    todo="correct the name, or add the row to clauses.csv",
                    code="row_unknown",
                )
        for index, requirement in enumerate(subject.spec.requirements):
            for name in requirement.covers:
                if (requirement.clause, name) not in rows:
                    yield subject.error(
                        ("requirements", index, "covers"),
                        about=requirement.id,
                        what=f"the clause table has no {name} under {requirement.clause}",
                        todo="correct the name, or add the row to clauses.csv",
                        code="row_unknown",
                    )
            yield from _numbers(subject, index, requirement, rows)


def _numbers(subject: Subject, index: int, requirement: Requirement, rows: dict[tuple[str, str], ClauseRow]) -> Iterator[Complaint]:
    """Complain of a plain limit whose numbers are not those of the one row that it covers."""
    named = [row for name in rows_of(requirement) if (row := rows.get((requirement.clause, name))) is not None]
    if len(named) != 1 or not isinstance(requirement, Limit | Count) or not (named[0].min or named[0].max):
        return
    if isinstance(requirement, Limit) and (requirement.cases or not requirement.is_bounded):
        return
    row, sides = named[0], sides_of(requirement)
    for key, number, side in (("min", row.min, sides.lower), ("max", row.max, sides.upper)):
        if _base(row, number) != _value(side):
            yield subject.error(
                ("requirements", index),
                about=requirement.id,
                what=f"its {key} is not the one that the clause table gives {row.row}, {'none' if number is None else number}",
                todo="make both say what the source says",
                code="limit_differs",
            )


def _base(row: ClauseRow, number: Decimal | None) -> Decimal | None:
    return None if number is None else number * UNITS[row.unit].factor


def _value(side: Side | None) -> Decimal | None:
    return None if side is None else side.value
