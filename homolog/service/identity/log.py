"""Reading the audit log."""

from __future__ import annotations

from homolog.register import audit
from homolog.register.audit import Entry as Entry
from homolog.register.database import Database
from homolog.service.actor import Actor
from homolog.service.permissions import require


def entries(actor: Actor, database: Database, *, after: str | None = None, limit: int = 50) -> tuple[Entry, ...]:
    """Return entries, the latest first.

    Args:
        actor: Who asks.
        database: Where.
        after: Number of the last entry that was seen, as text; what is no number is taken for the beginning.
        limit: How many at most.
    """
    require(actor, "audit.read")
    is_number = after is not None and after.isascii() and after.isdecimal() and len(after) < 18
    with database.read() as session:
        return audit.entries(session, before=int(after or "0") if is_number else None, limit=limit)
