"""Signed-in browsers: found by the digest of what their cookie holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from homolog.register.ids import is_id
from homolog.register.tables.accounts import LoginSession


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A session; see `LoginSession`."""

    id: str
    account_id: str
    how: str
    agent: str
    created_at: datetime
    seen_at: datetime
    idle_until: datetime
    until: datetime
    ended_at: datetime | None

    def is_open_at(self, moment: datetime) -> bool:
        """Whether it lets its owner in at a moment."""
        return self.ended_at is None and moment < self.idle_until and moment < self.until


def add(session: Session, digest: str, signed_in: SignedIn) -> None:
    """Keep a new session under the digest of its token."""
    session.add(
        LoginSession(
            token_digest=digest,
            id=signed_in.id,
            account_id=signed_in.account_id,
            how=signed_in.how,
            agent=signed_in.agent,
            created_at=signed_in.created_at,
            seen_at=signed_in.seen_at,
            idle_until=signed_in.idle_until,
            until=signed_in.until,
            ended_at=None,
        )
    )
    session.flush()


def find(session: Session, digest: str) -> SignedIn | None:
    """Return the session of a token's digest, or None."""
    row = session.get(LoginSession, digest)
    return None if row is None else _signed_in(row)


def open_of(session: Session, account_id: str, now: datetime) -> tuple[SignedIn, ...]:
    """Return a person's open sessions, the latest first."""
    query = (
        select(LoginSession)
        .where(LoginSession.account_id == account_id, col(LoginSession.ended_at).is_(None))
        .order_by(col(LoginSession.created_at).desc(), col(LoginSession.id).desc())
    )
    found = (_signed_in(row) for row in session.exec(query))
    return tuple(one for one in found if one.is_open_at(now))


def seen(session: Session, digest: str, *, now: datetime, idle_until: datetime) -> None:
    """Note that a session was used."""
    row = session.get_one(LoginSession, digest)
    row.seen_at, row.idle_until = now, idle_until
    session.add(row)


def end(session: Session, session_id: str, *, now: datetime) -> None:
    """End a session; one that is over stays as it is."""
    if is_id(session_id):
        _end(session, LoginSession.id == session_id, now)


def end_all(session: Session, account_id: str, *, now: datetime) -> None:
    """End all sessions of a person."""
    _end(session, LoginSession.account_id == account_id, now)


def _end(session: Session, condition: object, now: datetime) -> None:
    query = update(LoginSession).where(condition, col(LoginSession.ended_at).is_(None))  # type: ignore[arg-type]
    session.exec(query.values(ended_at=now))


def _signed_in(row: LoginSession) -> SignedIn:
    return SignedIn(
        id=row.id,
        account_id=row.account_id,
        how=row.how,
        agent=row.agent,
        created_at=row.created_at,
        seen_at=row.seen_at,
        idle_until=row.idle_until,
        until=row.until,
        ended_at=row.ended_at,
    )
