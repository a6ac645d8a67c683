"""`/api/v1/audit`: the log of who did what, which nobody can edit."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from api.call import Call
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown

if TYPE_CHECKING:
    from homolog.service.identity.log import Entry

ROUTES: list[Operation] = []


class EntryShown(Shown):
    """One thing that somebody did."""

    number: int
    at: datetime
    account_id: str | None = Field(description="Who; null for the command line, jobs, and who was not let in.")
    action: str
    object: str
    details: dict[str, Any]
    previous: str = Field(description="Digest of the entry before.")
    digest: str = Field(description="SHA-256 of all other members as canonical JSON, the details as their text.")


class EntryPage(Shown):
    """Entries, the latest first."""

    items: list[EntryShown]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(ROUTES, "GET", "/api/v1/audit", action="audit.read", summary="Read the audit log", answer=EntryPage)
def list_audit_entries(call: Call, paging: Paging) -> Reply:
    """Read who did what, the latest first. Each entry names the digest of the one before, so that none can be changed unseen."""
    from homolog.service.identity import log

    found = log.entries(call.actor, call.stores.database, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda entry: str(entry.number))
    return Reply(body=EntryPage(items=[shown(entry) for entry in items], next=cursor))


def shown(entry: Entry) -> EntryShown:
    """Return an entry as it is shown."""
    return EntryShown(
        number=entry.number,
        at=entry.at,
        account_id=entry.account_id,
        action=entry.action,
        object=entry.object,
        details=json.loads(entry.details),
        previous=entry.previous,
        digest=entry.digest,
    )
