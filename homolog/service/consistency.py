"""Owns looking whether what is kept for lists is what the events give: a list that lies would be a wrong answer too."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.errors import HomologError
from homolog.register import applications, search, types
from homolog.register.session import Session
from homolog.register.types import TypeRecord
from homolog.service.casework import event_of, summary_of
from homolog.service.desk import Desk
from homolog.service.standing import decisions, periods_for
from homolog.service.workflow.case import state_of

_PAGE = 200


def check(desk: Desk) -> Iterator[str]:
    """Yield what is wrong with applications and types, a sentence each; silence is a promise.

    Every history is worked out anew: each event must follow from those before it, each count of votes must come out as
    recorded, and what is kept beside must be what comes out.
    """
    yield from _applications(desk)
    yield from _types(desk)


def _applications(desk: Desk) -> Iterator[str]:
    after: str | None = None
    while True:
        with desk.database.read() as session:
            ids = applications.all_ids(session, after=after, limit=_PAGE)
            faults = [fault for one in ids for fault in _application(session, desk, one)]
        yield from faults
        if len(ids) < _PAGE:
            return
        after = ids[-1]


def _application(session: Session, desk: Desk, application_id: str) -> Iterator[str]:
    record = applications.find(session, application_id)
    if record is None:
        return
    try:
        case = state_of((event_of(one) for one in applications.events(session, application_id)), desk.process)
    except HomologError as error:
        yield f"application {application_id}: {error}"
        return
    kept = applications.summary(session, application_id)
    if kept is None or summary_of(record, case, kept.at) != kept:
        yield f"application {application_id}: the list does not show what its events give."


def _types(desk: Desk) -> Iterator[str]:
    after: str | None = None
    while True:
        with desk.database.read() as session:
            records = search.all_types(session, after=after, limit=_PAGE)
            kept = types.periods(session, [record.id for record in records])
            faults = [fault for record in records for fault in _type(session, desk, record, kept[record.id])]
        yield from faults
        if len(records) < _PAGE:
            return
        after = records[-1].sort_key


def _type(session: Session, desk: Desk, record: TypeRecord, kept: tuple[types.PeriodRecord, ...]) -> Iterator[str]:
    try:
        events = [event_of(one) for one in types.events(session, record.id)]
        found = periods_for(desk, decisions(record, events, desk))
    except HomologError as error:
        yield f"type {record.number}: {error}"
        return
    if found != kept:
        yield f"type {record.number}: the register does not show what its decisions give."
