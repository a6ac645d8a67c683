"""Owns one thing that happened to an application or a type: immutable, numbered, with what was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from homolog.service.actor import Role
from homolog.service.workflow.refusal import HistoryDamaged

Data: TypeAlias = Mapping[str, Any]
"""What was said with a step: JSON values, frozen. Days are written as 2026-11-30, moments with their offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One step that was taken.

    Attributes:
        id: Permanent id, made by the caller.
        seq: Its number among the events of its subject, from 1. The order of events is this, never the clock's.
        at: When it was recorded; aware.
        by: The account that took it.
        role: In which role.
        to: The state after it.
        data: What was said, read-only.
        process: Digest of the table of steps under which it was allowed.
    """

    id: str
    seq: int
    at: datetime
    by: str
    role: Role
    step: str
    to: str
    data: Data
    process: str


def in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return events by their numbers.

    Raises:
        HistoryDamaged: A number is missing or there twice.
    """
    ordered = tuple(sorted(events, key=lambda event: event.seq))
    for expected, event in enumerate(ordered, 1):
        if event.seq != expected:
            raise HistoryDamaged.because(
                f"event {event.id} has number {event.seq} where {expected} was to come",
                todo="restore the history from a backup",
            )
    return ordered


def frozen(value: Any) -> Any:
    """Return a JSON value with its lists as tuples and its mappings read-only."""
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): frozen(one) for key, one in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(one) for one in value)
    return value


def thawed(value: Any) -> Any:
    """Return a frozen value as plain JSON: the inverse of `frozen`."""
    if isinstance(value, Mapping):
        return {key: thawed(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [thawed(one) for one in value]
    return value
