"""The audit log: entries that name the digest of the one before, so that none can be changed, dropped or put in unseen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session, col, select

from homolog.register.columns import json_text, time_text
from homolog.register.tables.audit import AuditEntry

START: Final = "0" * 64
"""What the first entry names as the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that somebody did; see `AuditEntry`."""

    number: int
    at: datetime
    account_id: str | None
    action: str
    object: str
    details: str
    previous: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """What looking through the whole log found.

    Attributes:
        entries: How many hold.
        head: Digest of the last one that holds.
        broken_at: Number of the first that does not hold, or is missing; None if all hold.
    """

    entries: int
    head: str
    broken_at: int | None


def record(
    session: Session,
    *,
    now: datetime,
    account_id: str | None,
    action: str,
    object: str,  # noqa: A002 -- the log's own word
    details: Mapping[str, Any] | None = None,
) -> str:
    """Enter what is being done, in the transaction that does it; return the entry's digest.

    Args:
        session: One that writes; as there is one writer at a time, no other entry comes between.
        now: Aware.
        account_id: Who; None for the command line and for jobs.
        action: As `role.given`.
        object: As `account:ID`.
        details: JSON without secrets.
    """
    last = session.exec(select(AuditEntry).order_by(col(AuditEntry.number).desc()).limit(1)).first()
    entry: dict[str, Any] = {
        "number": 1 if last is None else last.number + 1,
        "at": time_text(now),
        "account_id": account_id,
        "action": action,
        "object": object,
        "details": json_text(dict(details or {})),
        "previous": START if last is None else last.digest,
    }
    digest = _digest(entry)
    session.add(AuditEntry(**{**entry, "at": now, "digest": digest}))
    session.flush()
    return digest


def check(session: Session) -> Chain:
    """Look at every entry and say whether the chain holds."""
    rows = session.exec(select(AuditEntry).order_by(col(AuditEntry.number)).execution_options(yield_per=1000))
    return check_entries(_entry(row) for row in rows)


def check_entries(entries: Iterable[Entry]) -> Chain:
    """Say whether entries, in their order, are a whole chain from the first on."""
    number, head = 0, START
    for entry in entries:
        hashed = {
            "number": entry.number,
            "at": time_text(entry.at),
            "account_id": entry.account_id,
            "action": entry.action,
            "object": entry.object,
            "details": entry.details,
            "previous": entry.previous,
        }
        if entry.number != number + 1 or entry.previous != head or entry.digest != _digest(hashed):
            return Chain(entries=number, head=head, broken_at=number + 1)
        number, head = entry.number, entry.digest
    return Chain(entries=number, head=head, broken_at=None)


def entries(session: Session, *, before: int | None = None, limit: int = 100) -> tuple[Entry, ...]:
    """Return entries, the newest first, from before a number on."""
    query = select(AuditEntry).order_by(col(AuditEntry.number).desc()).limit(limit)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    return tuple(_entry(row) for row in session.exec(query))


def _entry(row: AuditEntry) -> Entry:
    return Entry(**row.model_dump())


def _digest(entry: Mapping[str, Any]) -> str:
    return hashlib.sha256(json_text(entry).encode()).hexdigest()
