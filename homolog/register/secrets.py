"""Secrets that work once and not for long: found by their digest, used once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col

from homolog.register.columns import json_text
from homolog.register.tables.accounts import OneTimeSecret


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a secret lets do.

    Attributes:
        account_id: Whose it is, or who gave it, as its purpose has it.
    """

    purpose: str
    account_id: str | None
    details: Mapping[str, Any]
    until: datetime


def add(
    session: Session,
    digest: str,
    *,
    purpose: str,
    account_id: str | None,
    details: Mapping[str, Any],
    good_for: timedelta,
    now: datetime,
) -> None:
    """Keep a secret under its digest, and let go those that were over long ago."""
    session.execute(delete(OneTimeSecret).where(col(OneTimeSecret.until) <= now - timedelta(days=1)))
    session.add(
        OneTimeSecret(
            digest=digest,
            purpose=purpose,
            account_id=account_id,
            details=json_text(dict(details)),
            created_at=now,
            until=now + good_for,
        )
    )
    session.flush()


def find(session: Session, digest: str, *, purpose: str, now: datetime) -> Pass | None:
    """Return what a secret lets do now; None if it is none, was used, or is over."""
    row = session.get(OneTimeSecret, digest)
    if row is None or row.purpose != purpose or row.used_at is not None or row.until <= now:
        return None
    return Pass(purpose=row.purpose, account_id=row.account_id, details=json.loads(row.details), until=row.until)


def use(session: Session, digest: str, *, purpose: str, now: datetime) -> Pass | None:
    """Use a secret: as there is one writer at a time, nobody uses it a second time."""
    found = find(session, digest, purpose=purpose, now=now)
    if found is not None:
        row = session.get_one(OneTimeSecret, digest)
        row.used_at = now
        session.add(row)
        session.flush()
    return found
