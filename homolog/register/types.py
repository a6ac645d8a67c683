"""Reading and writing the register of types; what may be entered by whom is decided above."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import delete, func
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import Select

from homolog.register.columns import json_text
from homolog.register.events import StoredEvent, event_of_row
from homolog.register.folding import beginnings, fold, words
from homolog.register.tables.base import METADATA
from homolog.register.tables.types import (
    RegisteredType,
    TypeChange,
    TypeEvent,
    TypeFile,
    TypeNumber,
    TypePeriod,
    TypeWord,
)

LETTERS: Final[Mapping[str, str]] = {"ball": "B", "figure": "F", "goalkeeper": "G"}
FileKind: TypeAlias = Literal["photo", "certificate", "report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRecord:
    """A type, as it was entered; see `RegisteredType`."""

    id: str
    number: str
    item: str
    family: str
    name: str
    maker: str
    organisation_id: str | None
    application_id: str | None
    body: str
    edition: str
    named_by: str | None
    named_id: str | None
    details: Mapping[str, Any]
    at: datetime

    @property
    def sort_key(self) -> str:
        """By which lists go: the folded name, then the number; two blanks come before whatever makes a name longer."""
        return f"{fold(self.name)}  {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodRecord:
    """How a type stands over some days."""

    since: date
    until: date | None
    status: str
    is_usable: bool
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRecord:
    """One line of the feed."""

    number: int
    type_id: str
    type_number: str
    name: str
    at: datetime
    what: str
    on: date | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """A public file of a type."""

    kind: FileKind
    digest: str
    name: str
    at: datetime


def take_number(session: Session, item: str, application_id: str | None, *, now: datetime) -> str:
    """Give out the next number of an item; an application that has one keeps it."""
    if application_id is not None:
        known = number_for(session, application_id)
        if known is not None:
            return known
    letter = LETTERS[item]
    last = session.exec(select(func.max(TypeNumber.ordinal)).where(TypeNumber.letter == letter)).one()
    ordinal = (last or 0) + 1
    number = f"HML-{letter}-{ordinal:04d}"
    session.add(TypeNumber(number=number, letter=letter, ordinal=ordinal, application_id=application_id, at=now))
    session.flush()
    return number


def number_for(session: Session, application_id: str) -> str | None:
    """Return the number that was given to an application, or None."""
    return session.exec(select(TypeNumber.number).where(TypeNumber.application_id == application_id)).first()


def enter(session: Session, record: TypeRecord) -> None:
    """Enter a type and the words by which it is found: its name, maker, family and number."""
    values = {name: getattr(record, name) for name in record.__slots__ if name != "details"}
    found = words(" ".join((record.name, record.maker, record.family, record.number, *record.details.get("also", ()))))
    found_by = "".join(f" {word}" for word in sorted(found))
    session.add(RegisteredType(**values, details=json_text(record.details), sort_key=record.sort_key, found_by=found_by))
    session.add_all(TypeWord(beginning=one, sort_key=record.sort_key, type_id=record.id) for one in sorted(beginnings(found)))
    session.flush()


def append(session: Session, type_id: str, event: StoredEvent) -> None:
    """Add an event; two of one number are refused by the database."""
    session.add(TypeEvent(type_id=type_id, **event.columns))
    session.flush()


def events(session: Session, type_id: str) -> tuple[StoredEvent, ...]:
    """Return the events of a type by their numbers."""
    rows = session.exec(select(TypeEvent).where(TypeEvent.type_id == type_id).order_by(col(TypeEvent.seq)))
    return tuple(event_of_row(row) for row in rows)


def set_periods(session: Session, record: TypeRecord, periods: Iterable[PeriodRecord]) -> None:
    """Keep what a type's decisions give, in place of what was kept before."""
    session.exec(delete(TypePeriod).where(col(TypePeriod.type_id) == record.id))
    session.add_all(
        TypePeriod(
            type_id=record.id,
            since=period.since,
            until=period.until,
            status=period.status,
            is_usable=period.is_usable,
            sort_key=record.sort_key,
            data=json_text(period.data),
        )
        for period in periods
    )
    session.flush()


def periods(session: Session, type_ids: Sequence[str]) -> dict[str, tuple[PeriodRecord, ...]]:
    """Return the periods of types, each's in the order of days."""
    table = METADATA.tables["type_period"]  # bare columns: a page of the register is read far more often than written
    query: Any = table.select().where(table.c.type_id.in_(type_ids)).order_by(table.c.type_id, table.c.since)
    rows: Any = session.execute(query)
    found: dict[str, tuple[PeriodRecord, ...]] = dict.fromkeys(type_ids, ())
    for row in rows:
        found[row.type_id] = (*found[row.type_id], _period(row))
    return found


def add_change(session: Session, type_id: str, what: str, on: date | None, data: Mapping[str, Any], *, now: datetime) -> int:
    """Add a line to the feed and return its number; one writer at a time leaves no gap."""
    number = (session.exec(select(func.max(TypeChange.number))).one() or 0) + 1
    session.add(TypeChange(number=number, type_id=type_id, at=now, what=what, on=on, data=json_text(data)))
    session.flush()
    return number


def _feed() -> Select[TypeChange, RegisteredType]:
    """Return the lines of the feed, each with its type."""
    return select(TypeChange, RegisteredType).join(RegisteredType, col(RegisteredType.id) == col(TypeChange.type_id))


def changes(session: Session, *, after: int = 0, limit: int = 100) -> tuple[ChangeRecord, ...]:
    """Return lines of the feed, the oldest first, from after a number on."""
    query = _feed().where(TypeChange.number > after).order_by(col(TypeChange.number)).limit(limit)
    return tuple(_change(change, of) for change, of in session.exec(query))


def last_changes(session: Session, *, limit: int) -> tuple[ChangeRecord, ...]:
    """Return the last lines of the feed, the newest first."""
    query = _feed().order_by(col(TypeChange.number).desc()).limit(limit)
    return tuple(_change(change, of) for change, of in session.exec(query))


def changes_of(session: Session, type_id: str) -> tuple[ChangeRecord, ...]:
    """Return the lines of the feed about one type, the oldest first."""
    query = _feed().where(TypeChange.type_id == type_id).order_by(col(TypeChange.number))
    return tuple(_change(change, of) for change, of in session.exec(query))


def add_file(session: Session, type_id: str, kind: FileKind, digest: str, name: str, *, file_id: str, now: datetime) -> None:
    """Make a stored file a public one of a type, once."""
    query = select(TypeFile.id).where(TypeFile.type_id == type_id, TypeFile.kind == kind, TypeFile.digest == digest)
    if session.exec(query).first() is None:
        session.add(TypeFile(id=file_id, type_id=type_id, kind=kind, digest=digest, name=name, at=now))
        session.flush()


def files_of(session: Session, type_id: str) -> tuple[FileRecord, ...]:
    """Return the public files of a type by kind, time and name."""
    order = (col(TypeFile.kind), col(TypeFile.at), col(TypeFile.name), col(TypeFile.digest))
    rows = session.exec(select(TypeFile).where(TypeFile.type_id == type_id).order_by(*order))
    return tuple(FileRecord(kind=row.kind, digest=row.digest, name=row.name, at=row.at) for row in rows)  # type: ignore[arg-type]


def is_public(session: Session, digest: str) -> bool:
    """Whether a stored file belongs to a type of the register."""
    return session.exec(select(TypeFile.id).where(TypeFile.digest == digest).limit(1)).first() is not None


def resting_on(session: Session, digest: str) -> tuple[str, ...]:
    """Return the ids of the types of which a stored file is the report or the certificate."""
    query = select(TypeFile.type_id).where(TypeFile.digest == digest, col(TypeFile.kind).in_(("report", "certificate")))
    return tuple(session.exec(query.order_by(col(TypeFile.type_id))))


def find(session: Session, *, number: str | None = None, type_id: str | None = None) -> TypeRecord | None:
    """Return a type by its number or its id, or None."""
    query = select(RegisteredType)
    query = query.where(RegisteredType.number == number) if type_id is None else query.where(RegisteredType.id == type_id)
    row = session.exec(query).first()
    return None if row is None else record_of(row)


def with_name(session: Session, item: str, name: str) -> str | None:
    """Return the number of a type of an item that has a name, however it is written, or None."""
    key = f"{fold(name)}  "
    query = select(RegisteredType.number).where(
        RegisteredType.item == item, col(RegisteredType.sort_key) >= key, col(RegisteredType.sort_key) < f"{key}~"
    )
    return session.exec(query.limit(1)).first()


def named(session: Session) -> dict[str, TypeRecord]:
    """Return the types that the rules name, by their permanent ids."""
    rows = session.exec(select(RegisteredType).where(col(RegisteredType.named_id).is_not(None)))
    return {row.named_id: record_of(row) for row in rows if row.named_id is not None}


def of_organisation(session: Session, organisation_id: str) -> tuple[TypeRecord, ...]:
    """Return the types of an organisation in the order of lists."""
    query = select(RegisteredType).where(RegisteredType.organisation_id == organisation_id)
    return tuple(record_of(row) for row in session.exec(query.order_by(col(RegisteredType.sort_key))))


_NAMES: Final = tuple(name for name in TypeRecord.__slots__ if name != "details")


def record_of(row: Any) -> TypeRecord:
    """Return a row of the table of types, or a tuple of its columns, as a value."""
    return TypeRecord(**{name: getattr(row, name) for name in _NAMES}, details=json.loads(row.details))


def _period(row: Any) -> PeriodRecord:
    return PeriodRecord(since=row.since, until=row.until, status=row.status, is_usable=row.is_usable, data=json.loads(row.data))


def _change(row: TypeChange, of: RegisteredType) -> ChangeRecord:
    return ChangeRecord(
        number=row.number,
        type_id=row.type_id,
        type_number=of.number,
        name=of.name,
        at=row.at,
        what=row.what,
        on=row.on,
        data=json.loads(row.data),
    )
