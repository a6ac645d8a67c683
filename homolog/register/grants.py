"""Roles given to people: rows that are written once, and their ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register.ids import new_id
from homolog.register.tables.accounts import RoleGrant, RoleGrantEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One role given to one person.

    Attributes:
        until: When it ends by itself; None if never.
        by: Who gave it; None for the command line.
        ended_at: When it was taken back.
    """

    id: str
    account_id: str
    role: str
    since: datetime
    until: datetime | None
    at: datetime
    by: str | None
    ended_at: datetime | None
    reason: str | None

    def holds_at(self, moment: datetime) -> bool:
        """Whether the role may be acted in at a moment."""
        is_over = (self.until is not None and self.until <= moment) or (self.ended_at is not None and self.ended_at <= moment)
        return self.since <= moment and not is_over


def of_account(session: Session, account_id: str) -> tuple[Grant, ...]:
    """Return every role that a person was ever given, the oldest first."""
    return _found(session, RoleGrant.account_id == account_id)


def of_role(session: Session, role: str) -> tuple[Grant, ...]:
    """Return every grant of a role, the oldest first."""
    return _found(session, RoleGrant.role == role)


def add(
    session: Session, *, account_id: str, role: str, since: datetime, until: datetime | None, by: str | None, now: datetime
) -> Grant:
    """Give a role."""
    row = RoleGrant(id=new_id(now), account_id=account_id, role=role, since=since, until=until, at=now, by=by)
    session.add(row)
    session.flush()
    return _grant(row, None)


def end(session: Session, grant_id: str, *, by: str | None, reason: str, now: datetime) -> None:
    """Take a role back."""
    session.add(RoleGrantEnd(grant_id=grant_id, at=now, by=by, reason=reason))
    session.flush()


def _found(session: Session, condition: object) -> tuple[Grant, ...]:
    query = (
        select(RoleGrant, RoleGrantEnd)
        .join(RoleGrantEnd, col(RoleGrantEnd.grant_id) == col(RoleGrant.id), isouter=True)
        .where(condition)  # type: ignore[arg-type]
        .order_by(col(RoleGrant.id))
    )
    return tuple(_grant(row, over) for row, over in session.exec(query))


def _grant(row: RoleGrant, over: RoleGrantEnd | None) -> Grant:
    return Grant(
        id=row.id,
        account_id=row.account_id,
        role=row.role,
        since=row.since,
        until=row.until,
        at=row.at,
        by=row.by,
        ended_at=None if over is None else over.at,
        reason=None if over is None else over.reason,
    )
