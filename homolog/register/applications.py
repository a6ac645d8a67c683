"""Reading and writing applications: their events, their files, and where they stand; who may is decided above."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register.events import StoredEvent, event_of_row
from homolog.register.tables.applications import Application, ApplicationEvent, ApplicationFile, ApplicationNow, ProcessTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationRecord:
    """An application, as it was begun."""

    id: str
    organisation_id: str
    item: str
    resubmits: str | None
    at: datetime
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file of an application."""

    digest: str
    name: str
    at: datetime
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """An application in a list."""

    id: str
    organisation_id: str
    item: str
    name: str
    state: str
    seq: int
    at: datetime


def keep_process(session: Session, sha256: str, text: str, *, now: datetime) -> None:
    """Keep a table of steps, once."""
    if session.get(ProcessTable, sha256) is None:
        session.add(ProcessTable(sha256=sha256, text=text, at=now))
        session.flush()


def begin(session: Session, record: ApplicationRecord) -> None:
    """Enter a new application."""
    session.add(
        Application(
            id=record.id,
            organisation_id=record.organisation_id,
            item=record.item,
            resubmits=record.resubmits,
            at=record.at,
            by=record.by,
        )
    )


def find(session: Session, application_id: str) -> ApplicationRecord | None:
    """Return an application, or None if there is none of this id."""
    row = session.get(Application, application_id)
    return None if row is None else ApplicationRecord(**row.model_dump())


def append(session: Session, application_id: str, event: StoredEvent) -> None:
    """Add an event; two of one number are refused by the database."""
    session.add(ApplicationEvent(application_id=application_id, **event.columns))
    session.flush()


def events(session: Session, application_id: str) -> tuple[StoredEvent, ...]:
    """Return the events of an application by their numbers."""
    query = select(ApplicationEvent).where(ApplicationEvent.application_id == application_id).order_by(col(ApplicationEvent.seq))
    return tuple(event_of_row(row) for row in session.exec(query))


def attach(
    session: Session, application_id: str, digest: str, name: str, *, attachment_id: str, at: datetime, by: str | None
) -> None:
    """Attach a stored file; one that is attached already keeps the name it came with."""
    if name_of(session, application_id, digest) is None:
        session.add(ApplicationFile(id=attachment_id, application_id=application_id, digest=digest, name=name, at=at, by=by))
        session.flush()


def name_of(session: Session, application_id: str, digest: str) -> str | None:
    """Return the name under which a file is attached, or None if it is not."""
    query = select(ApplicationFile.name).where(ApplicationFile.application_id == application_id, ApplicationFile.digest == digest)
    return session.exec(query).first()


def attached(session: Session, application_id: str) -> tuple[Attached, ...]:
    """Return the files of an application in the order in which they came."""
    order = (col(ApplicationFile.at), col(ApplicationFile.name), col(ApplicationFile.digest))
    query = select(ApplicationFile).where(ApplicationFile.application_id == application_id).order_by(*order)
    return tuple(Attached(digest=row.digest, name=row.name, at=row.at, by=row.by) for row in session.exec(query))


def with_file(session: Session, digest: str) -> tuple[str, ...]:
    """Return the applications to which a stored file is attached."""
    query = select(ApplicationFile.application_id).where(ApplicationFile.digest == digest)
    return tuple(session.exec(query.order_by(col(ApplicationFile.application_id))))


def set_now(session: Session, summary: Summary) -> None:
    """Keep where an application stands, for lists."""
    session.merge(
        ApplicationNow(
            application_id=summary.id,
            organisation_id=summary.organisation_id,
            item=summary.item,
            name=summary.name,
            state=summary.state,
            seq=summary.seq,
            at=summary.at,
        )
    )
    session.flush()


def listed(
    session: Session,
    *,
    organisations: Collection[str] | None = None,
    not_of: Collection[str] = (),
    states: Collection[str] | None = None,
    after: str | None = None,
    limit: int = 50,
) -> tuple[Summary, ...]:
    """Return applications, the oldest first, from after an id on.

    Args:
        session: One that reads.
        organisations: Of these alone; None is of all.
        not_of: Of none of these.
        states: In one of these; None is in any.
        after: The last id of the page before.
        limit: Most that are returned.
    """
    query = select(ApplicationNow).order_by(col(ApplicationNow.application_id)).limit(limit)
    if organisations is not None:
        query = query.where(col(ApplicationNow.organisation_id).in_(organisations))
    if not_of:
        query = query.where(col(ApplicationNow.organisation_id).not_in(not_of))
    if states is not None:
        query = query.where(col(ApplicationNow.state).in_(states))
    if after is not None:
        query = query.where(col(ApplicationNow.application_id) > after)
    return tuple(_summary(row) for row in session.exec(query))


def summary(session: Session, application_id: str) -> Summary | None:
    """Return what is kept of an application for lists, or None."""
    row = session.get(ApplicationNow, application_id)
    return None if row is None else _summary(row)


def all_ids(session: Session, *, after: str | None, limit: int) -> tuple[str, ...]:
    """Return the ids of all applications, in their order, from after one on."""
    query = select(Application.id).order_by(col(Application.id)).limit(limit)
    return tuple(session.exec(query if after is None else query.where(col(Application.id) > after)))


def follow_ups(session: Session, application_id: str) -> tuple[str, ...]:
    """Return the applications that follow this one up."""
    return tuple(session.exec(select(Application.id).where(Application.resubmits == application_id).order_by(col(Application.id))))


def _summary(row: ApplicationNow) -> Summary:
    return Summary(
        id=row.application_id,
        organisation_id=row.organisation_id,
        item=row.item,
        name=row.name,
        state=row.state,
        seq=row.seq,
        at=row.at,
    )
