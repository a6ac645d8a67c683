"""Owns the register of types for those who look things up and for the board that decides about a type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from homolog.register import audit, search, types
from homolog.register.ids import new_id
from homolog.register.search import Page
from homolog.register.search import Wanted as Wanted
from homolog.register.session import Session
from homolog.register.types import ChangeRecord, FileRecord, PeriodRecord, TypeRecord
from homolog.service.actor import Actor
from homolog.service.casework import event_of, refuse_insiders, stored_of
from homolog.service.desk import Desk
from homolog.service.identity.refusals import require_version
from homolog.service.missing import Missing
from homolog.service.permissions import may, require
from homolog.service.standing import decisions, keep_standing, named_decision
from homolog.service.workflow.entries import enter as entry_of
from homolog.service.workflow.entries import waiting
from homolog.service.workflow.event import Event
from homolog.service.workflow.next import Next, described, texts_for
from homolog.service.workflow.standing import Decision, Standing, status_on

_NUMBER: Final = re.compile(r"HML-[A-Z]-[0-9]{4,9}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeView:
    """A type with its whole history.

    Attributes:
        standing: How it stands on the day that was asked for; None before its first decision holds.
        decisions: All decisions that count, by their days.
        waiting: Entries that a second person has not confirmed; empty for who is not on the board.
        seq: Number of the last event: whoever changes the type names the one that he has looked at.
    """

    record: TypeRecord
    day: date
    standing: Standing | None
    periods: tuple[PeriodRecord, ...]
    decisions: tuple[Decision, ...]
    waiting: tuple[Event, ...]
    files: tuple[FileRecord, ...]
    changes: tuple[ChangeRecord, ...]
    seq: int


def find(desk: Desk, wanted: Wanted, *, after: str | None = None, limit: int = 50) -> Page:
    """Return a page of the register; it is public, so nobody is asked who he is."""
    with desk.database.read() as session:
        return search.search(session, wanted, after=after, limit=limit)


def wanted_of(*, words: str = "", item: str | None, family: str | None, status: str | None, on: date) -> Wanted:
    """Return what somebody looks for; see `Wanted`. A whole number means that one type, not what its parts begin."""
    number = words.strip().upper()
    if _NUMBER.fullmatch(number):
        return Wanted(number=number, item=item, family=family, status=status, on=on)
    return Wanted(words=words, item=item, family=family, status=status, on=on)


def view(actor: Actor, desk: Desk, number: str, *, day: date) -> TypeView:
    """Return a type as it stands on a day; it is public but for entries that wait for a second person.

    Raises:
        Missing: There is no type of this number.
    """
    with desk.database.read() as session:
        return _view(session, desk, actor, _record(session, number), day)


def standing_of(desk: Desk, number: str, *, day: date) -> Standing | None:
    """Return how a type stands on a day, from its decisions themselves.

    Raises:
        Missing: There is no type of this number.
    """
    with desk.database.read() as session:
        record = _record(session, number)
        return status_on(decisions(record, _events(session, record), desk), day, desk.process)


def take(
    actor: Actor,
    desk: Desk,
    number: str,
    step: str,
    data: Mapping[str, Any],
    *,
    now: datetime,
    today: date,
    expected: int | None = None,
) -> TypeView:
    """Enter a decision about a type, confirm another member's, or take one back.

    Args:
        actor: Who.
        desk: Where.
        number: The type's.
        step: As the table of steps names it.
        data: What is said with it.
        now: Aware.
        today: The day on which the view shows the type.
        expected: The number of the last event that the actor has looked at; another one is refused.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: It is a matter of the board, or the token may not.
        Missing: There is no type of this number.
        ChangedMeanwhile: It has gone on since it was looked at.
        StepRefused: With every reason that is known; nothing was written.
    """
    require(actor, "type.decide")
    with desk.database.write() as session:
        record = _record(session, number)
        events = _events(session, record)
        require_version(expected, len(events))
        refuse_insiders(session, actor, record.organisation_id)
        before = () if record.named_by is None else (named_decision(),)
        event = entry_of(
            events,
            step,
            actor,
            now,
            data,
            maker=record.organisation_id,
            process=desk.process,
            event_id=new_id(now),
            before=before,
        )
        add(session, desk, record, events, event)
        return _view(session, desk, actor, record, today)


def add(session: Session, desk: Desk, record: TypeRecord, events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
    """Write one event about a type, with all that follows from it."""
    from homolog.register import applications

    applications.keep_process(session, desk.process.sha256, desk.process.data.decode("utf-8"), now=event.at)
    types.append(session, record.id, stored_of(event))
    action, about = f"type.{event.step}", f"type:{record.number}"
    audit.record(
        session, now=event.at, account_id=event.by, action=action, object=about, details={"seq": event.seq, "event": event.id}
    )
    after = (*events, event)
    step = desk.process.step(event.step)
    if step is not None and step.effect == "confirms":
        keep_standing(session, desk, record, after)
        confirmed = next(one for one in after if one.seq == event.data["entry"])
        data = {name: value for name, value in stored_of(confirmed).data.items() if name != "on"}
        on = date.fromisoformat(confirmed.data["on"])
        types.add_change(session, record.id, confirmed.step, on, data, now=event.at)
    return after


def status_data(desk: Desk, number: str, *, issuer: str, now: datetime, day: date) -> dict[str, Any] | None:
    """Return what the register says of a type on a day, as plain JSON of the form `homolog-status/1`, to be signed.

    Returns:
        None if the type does not stand in the register on that day.

    Raises:
        Missing: There is no type of this number.
    """
    with desk.database.read() as session:
        record = _record(session, number)
        found = decisions(record, _events(session, record), desk)
        files = types.files_of(session, record.id)
    standing = status_on(found, day, desk.process)
    if standing is None:
        return None
    reasons = () if standing.by is None else standing.by.data.get("reasons", ())
    # On one line, as a signed text has to be.
    says = " ".join(f"{one['clause']}: {' '.join(one['text'].split())}" for one in reasons)[:2_000]
    until = standing.usable_until or standing.retest_by
    return {
        "format": "homolog-status/1",
        "issuer": issuer,
        "at": now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "number": number,
        "names": [record.name, *record.details.get("also", ())],
        "status": standing.status,
        "since": standing.since.isoformat(),
        **({} if until is None else {"until": until.isoformat()}),
        **({"says": says} if says else {}),
        "reports": [file.digest for file in files if file.kind == "report"],
        "certificates": [file.digest for file in files if file.kind == "certificate"],
    }


def changes(desk: Desk, *, after: int = 0, limit: int = 100) -> tuple[ChangeRecord, ...]:
    """Return the feed of changes from after a number on, the oldest first; it is public."""
    with desk.database.read() as session:
        return types.changes(session, after=after, limit=max(1, min(limit, 1000)))


def last_changes(desk: Desk, *, limit: int = 100) -> tuple[ChangeRecord, ...]:
    """Return the last lines of the feed of changes, the newest first; it is public."""
    with desk.database.read() as session:
        return types.last_changes(session, limit=max(1, min(limit, 1000)))


def types_of(actor: Actor, desk: Desk) -> tuple[TypeRecord, ...]:
    """Return the types of the organisations that an actor is a member of."""
    require(actor, "type.own")
    with desk.database.read() as session:
        return tuple(one for each in sorted(actor.organisations) for one in types.of_organisation(session, each))


def read_file(desk: Desk, number: str, digest: str) -> tuple[str, Iterator[bytes]]:
    """Return the name and the bytes of a public file of a type.

    Raises:
        Missing: There is none.
    """
    with desk.database.read() as session:
        record = _record(session, number)
        name = next((one.name for one in types.files_of(session, record.id) if one.digest == digest), None)
    if name is None:
        raise Missing.because("there is no such file", todo="look at the type's page")
    return name, desk.files.stream(digest)


def next_decisions(actor: Actor, desk: Desk, view: TypeView, *, lang: str = "en") -> tuple[Next, ...]:
    """Return the steps that a member of the board can take about a type now; none for others."""
    if not may(actor, "type.decide") or view.record.organisation_id in actor.organisations:
        return ()
    at = "none" if view.standing is None else view.standing.status
    texts = texts_for(desk.process, lang)
    found = []
    for step in desk.process.steps("type"):
        about = step.effect in ("confirms", "takes_back")
        others = [one for one in view.waiting if (one.by == actor.account) == (step.effect == "takes_back")]
        if at in step.start and step.effect != "enters" and (not about or others):
            found.append(described(step, texts, is_yours=True))
    return tuple(found)


def _record(session: Session, number: str) -> TypeRecord:
    record = types.find(session, number=number)
    if record is None:
        raise Missing.because("there is no type of this number in the register", todo="look it up by its name")
    return record


def _events(session: Session, record: TypeRecord) -> tuple[Event, ...]:
    return tuple(event_of(one) for one in types.events(session, record.id))


def _view(session: Session, desk: Desk, actor: Actor, record: TypeRecord, day: date) -> TypeView:
    events = _events(session, record)
    found = decisions(record, events, desk)
    is_board = "board" in actor.roles and record.organisation_id not in actor.organisations
    return TypeView(
        record=record,
        day=day,
        standing=status_on(found, day, desk.process),
        periods=types.periods(session, [record.id])[record.id],
        decisions=tuple(sorted(found, key=lambda one: (one.on, one.entry))),
        waiting=waiting(events, desk.process) if is_board else (),
        files=types.files_of(session, record.id),
        changes=types.changes_of(session, record.id),
        seq=len(events),
    )
