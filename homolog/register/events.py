"""Owns events as they lie in the database: one form for those of applications and those of types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from homolog.register.columns import json_text


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event as it lies in the database; `data` are JSON values."""

    id: str
    seq: int
    at: datetime
    by: str
    role: str
    step: str
    to_state: str
    data: Mapping[str, Any]
    process: str

    @property
    def columns(self) -> dict[str, Any]:
        """What the tables of events have alike."""
        return {name: getattr(self, name) for name in self.__slots__} | {"data": json_text(self.data)}


class EventRow(Protocol):
    """A row of either table of events; its `data` are JSON as text."""

    id: str
    seq: int
    at: datetime
    by: str
    role: str
    step: str
    to_state: str
    data: str
    process: str


def event_of_row(row: EventRow) -> StoredEvent:
    """Return the event that a row holds."""
    return StoredEvent(
        id=row.id,
        seq=row.seq,
        at=row.at,
        by=row.by,
        role=row.role,
        step=row.step,
        to_state=row.to_state,
        data=json.loads(row.data),
        process=row.process,
    )
