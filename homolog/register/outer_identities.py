"""People as somebody else's OpenID provider names them."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, select

from homolog.register.ids import new_id
from homolog.register.tables.accounts import OuterIdentity


def find(session: Session, *, issuer: str, subject: str) -> str | None:
    """Return the account of an identity, or None."""
    query = select(OuterIdentity.account_id).where(OuterIdentity.issuer == issuer, OuterIdentity.subject == subject)
    return session.exec(query).first()


def add(session: Session, *, account_id: str, issuer: str, subject: str, now: datetime) -> None:
    """Bind an identity to an account, for good."""
    session.add(OuterIdentity(id=new_id(now), account_id=account_id, issuer=issuer, subject=subject, created_at=now))
    session.flush()
