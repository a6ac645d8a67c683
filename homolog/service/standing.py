"""Owns how a type of the register stands: its decisions from its events, and what is kept of them for lists."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from homolog.register import types
from homolog.register.session import Session
from homolog.register.types import PeriodRecord, TypeRecord
from homolog.service.desk import Desk
from homolog.service.workflow.entries import decisions_of
from homolog.service.workflow.event import Event
from homolog.service.workflow.standing import Decision, Period, periods_of


def decisions(record: TypeRecord, events: Iterable[Event], desk: Desk) -> tuple[Decision, ...]:
    """Return the decisions about a type; one that the rules name stands as homologated before any of them."""
    entered = decisions_of(events, desk.process)
    return entered if record.named_by is None else (named_decision(), *entered)


def named_decision() -> Decision:
    """Return what the rules say of a type that they name: it may be used, on every day, until somebody decides otherwise."""
    return Decision(entry=0, step="homologate", on=date.min, entered_by="", confirmed_by=None)


def keep_standing(session: Session, desk: Desk, record: TypeRecord, events: Iterable[Event]) -> None:
    """Keep for lists how a type stands by all its decisions."""
    types.set_periods(session, record, periods_for(desk, decisions(record, events, desk)))


def periods_for(desk: Desk, found: Iterable[Decision]) -> tuple[PeriodRecord, ...]:
    """Return the periods that decisions give, as they are kept."""
    return tuple(_record(period) for period in periods_of(found, desk.process))


def _record(period: Period) -> PeriodRecord:
    standing = period.standing
    data: dict[str, Any] = {
        name: value.isoformat()
        for name, value in (("until", standing.until), ("usable_until", standing.usable_until), ("retest_by", standing.retest_by))
        if value is not None
    }
    if standing.by is not None and standing.by.entry:
        data["entry"] = standing.by.entry
    return PeriodRecord(since=period.since, until=period.until, status=standing.status, is_usable=standing.is_usable, data=data)
