"""API tokens: found by the digest of what a program sends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register.columns import json_text
from homolog.register.ids import new_id
from homolog.register.tables.accounts import ApiToken


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token for programs; what it is is shown once, when it is made."""

    id: str
    account_id: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    until: datetime
    used_at: datetime | None
    revoked_at: datetime | None

    def is_open_at(self, moment: datetime) -> bool:
        """Whether it lets a program in at a moment."""
        return self.revoked_at is None and moment < self.until


def add(
    session: Session, digest: str, *, account_id: str, name: str, scopes: Iterable[str], until: datetime, now: datetime
) -> Token:
    """Keep a new token under its digest."""
    text = json_text(sorted(scopes))
    row = ApiToken(id=new_id(now), digest=digest, account_id=account_id, name=name, scopes=text, created_at=now, until=until)
    session.add(row)
    session.flush()
    return _token(row)


def find(session: Session, digest: str) -> Token | None:
    """Return the token of a digest, or None."""
    row = session.exec(select(ApiToken).where(ApiToken.digest == digest)).first()
    return None if row is None else _token(row)


def of_account(session: Session, account_id: str, *, after: str | None = None, limit: int = 1000) -> tuple[Token, ...]:
    """Return a person's tokens, those that are over too, the oldest first."""
    query = select(ApiToken).where(ApiToken.account_id == account_id).order_by(col(ApiToken.id)).limit(limit)
    if after is not None:
        query = query.where(col(ApiToken.id) > after)
    return tuple(_token(row) for row in session.exec(query))


def used(session: Session, token_id: str, now: datetime) -> None:
    """Note that a token was used."""
    row = session.get_one(ApiToken, token_id)
    row.used_at = now
    session.add(row)


def revoke(session: Session, token_id: str, now: datetime) -> None:
    """End a token."""
    row = session.get_one(ApiToken, token_id)
    row.revoked_at = now
    session.add(row)


def _token(row: ApiToken) -> Token:
    return Token(
        id=row.id,
        account_id=row.account_id,
        name=row.name,
        scopes=tuple(json.loads(row.scopes)),
        created_at=row.created_at,
        until=row.until,
        used_at=row.used_at,
        revoked_at=row.revoked_at,
    )
