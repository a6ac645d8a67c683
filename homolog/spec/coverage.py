"""How each row of an edition's clause table is accounted for by its specs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from homolog.spec.clause_table import ClauseRow, read_clause_table
from homolog.spec.library import LoadedEdition
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Clause
from homolog.spec.requirement import Requirement
from homolog.spec.rows import rows_of

_REASONS = ("partly", "not_checkable", "informative")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCoverage:
    """One row of the clause table: the requirements that check it, or why none does."""

    row: ClauseRow
    requirements: tuple[str, ...] = ()
    status: str | None = None
    reason: str = ""

    @property
    def is_accounted_for(self) -> bool:
        """Whether a requirement checks the row or a reason says why none does."""
        return bool(self.requirements or self.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What becomes of every row of an edition.

    Attributes:
        unknown_clauses: Clauses, or rows of clauses, that a spec of the edition names but the table does not hold.
    """

    body: str
    label: str
    rows: tuple[RowCoverage, ...]
    unknown_clauses: tuple[str, ...]

    @property
    def unaccounted(self) -> tuple[ClauseRow, ...]:
        """Rows that neither a requirement nor a reason accounts for."""
        return tuple(covered.row for covered in self.rows if not covered.is_accounted_for)

    @property
    def percent(self) -> Decimal:
        """Rows accounted for in per cent, one decimal, rounded down so that 100 means all; an empty table has 0."""
        if not self.rows:
            return Decimal(0)
        share = Decimal(100) * (len(self.rows) - len(self.unaccounted)) / len(self.rows)
        return share.quantize(Decimal("0.1"), rounding=ROUND_FLOOR)


def coverage(edition: LoadedEdition) -> Coverage:
    """Return how every row of an edition's clause table is accounted for.

    A row is accounted for by a requirement with the row's clause that names the row (or bears its name), or by an entry
    of a spec's list of clauses with the row, a status and a reason.

    Raises:
        SpecError: The table, or one of the edition's specs, cannot be read.
    """
    specs = [loaded for item in edition.file.files if (loaded := edition.spec(item)) is not None]
    own = [loaded for item in edition.file.files if edition.owns(item) and (loaded := edition.spec(item)) is not None]
    table = read_clause_table(edition.folder)
    return Coverage(
        body=edition.file.body,
        label=edition.file.label,
        rows=cover(table, specs),
        unknown_clauses=tuple(dict.fromkeys(_unknown(own, table))),
    )


def cover(table: Iterable[ClauseRow], specs: Iterable[LoadedSpec]) -> tuple[RowCoverage, ...]:
    """Return how each row of a table is accounted for by specs."""
    read = list(specs)
    requirements = [requirement for loaded in read for requirement in loaded.spec.requirements]
    clauses = [clause for loaded in read for clause in loaded.spec.clauses]
    return tuple(_cover(row, requirements, clauses) for row in table)


def _cover(row: ClauseRow, requirements: Iterable[Requirement], clauses: Iterable[Clause]) -> RowCoverage:
    checking = tuple(rule.id for rule in requirements if rule.clause == row.clause and row.row in rows_of(rule))
    if checking:
        return RowCoverage(row=row, requirements=checking)
    for clause in clauses:
        if (clause.id, clause.row) == (row.clause, row.row) and clause.status in _REASONS and clause.note:
            return RowCoverage(row=row, status=clause.status, reason=clause.note)
    return RowCoverage(row=row)


def _unknown(specs: Iterable[LoadedSpec], table: Iterable[ClauseRow]) -> Iterator[str]:
    clauses = {row.clause for row in table}
    rows = {(row.clause, row.row) for row in table}
    for loaded in specs:
        for clause in loaded.spec.clauses:
            if clause.id not in clauses:
                yield clause.id
            elif clause.row is not None and (clause.id, clause.row) not in rows:
                yield f"{clause.id} {clause.row}"
