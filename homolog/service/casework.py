"""Owns reading an application from the register and writing what was added to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from homolog.errors import Problem
from homolog.register import applications, audit, people
from homolog.register.applications import ApplicationRecord, Summary
from homolog.register.events import StoredEvent
from homolog.register.ids import is_id, new_id
from homolog.register.session import Session
from homolog.service.actor import Actor, Role
from homolog.service.desk import Desk
from homolog.service.identity.refusals import require_version
from homolog.service.missing import Missing
from homolog.service.workflow.apply import apply
from homolog.service.workflow.case import Case, after, state_of
from homolog.service.workflow.event import Event, frozen, thawed
from homolog.service.workflow.refusal import StepRefused
from homolog.service.workflow.who import conflict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """An application as it was read: what it is, what happened, and where it stands."""

    record: ApplicationRecord
    events: tuple[Event, ...]
    case: Case


def event_of(stored: StoredEvent) -> Event:
    """Return a stored event as one of the workflow."""
    return Event(
        id=stored.id,
        seq=stored.seq,
        at=stored.at,
        by=stored.by,
        role=cast("Role", stored.role),
        step=stored.step,
        to=stored.to_state,
        data=frozen(stored.data),
        process=stored.process,
    )


def stored_of(event: Event) -> StoredEvent:
    """Return an event of the workflow as it is stored."""
    return StoredEvent(
        id=event.id,
        seq=event.seq,
        at=event.at,
        by=event.by,
        role=event.role,
        step=event.step,
        to_state=event.to,
        data=thawed(event.data),
        process=event.process,
    )


def read(session: Session, desk: Desk, actor: Actor, application_id: str) -> Folder:
    """Return an application that the actor may see.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    folder = folder_of(session, desk, application_id) if is_id(application_id) else None
    if folder is not None and may_see(actor, folder.record, folder.case):
        return folder
    raise Missing.because("there is no such application", todo="look at the list of yours")


def folder_of(session: Session, desk: Desk, application_id: str) -> Folder | None:
    """Return an application, whoever looks; what is made of it for somebody is theirs to answer for."""
    record = applications.find(session, application_id)
    if record is None:
        return None
    events = tuple(event_of(one) for one in applications.events(session, application_id))
    return Folder(record=record, events=events, case=state_of(events, desk.process))


def may_see(actor: Actor, record: ApplicationRecord, case: Case) -> bool:
    """Whether an application is for an actor: its applicant, the board, and laboratories that are independent of it.

    While it is being written it is the applicant's alone.
    """
    if actor.account is None:
        return False
    if record.organisation_id in actor.organisations:
        return True
    if case.state == "draft":
        return False
    return "board" in actor.roles or ("laboratory" in actor.roles and conflict_of(actor, case) is None)


def add(
    session: Session,
    desk: Desk,
    actor: Actor,
    folder: Folder,
    step: str,
    data: Mapping[str, Any],
    *,
    now: datetime,
    expected: int | None = None,
) -> Folder:
    """Take a step and write it; who may and what must hold is asked of the workflow, in the transaction that writes.

    Raises:
        ChangedMeanwhile: It has gone on since it was looked at.
        StepRefused: With every reason that is known; nothing was written.
    """
    require_version(expected, folder.case.seq)
    known = desk.process.step(step)
    if known is not None and known.effect != "declares_conflict" and all(who.role != "manufacturer" for who in known.who):
        refuse_insiders(session, actor, folder.record.organisation_id)
    event = apply(folder.events, step, actor, now, data, process=desk.process, event_id=new_id(now))
    problems = _unattached(session, desk, folder, event)
    if problems:
        raise StepRefused(*problems)
    write(session, desk, folder.record, event)
    events, case = (*folder.events, event), after(folder.case, event, desk.process)
    set_now(session, folder.record, case, now)
    return Folder(record=folder.record, events=events, case=case)


def refuse_insiders(session: Session, actor: Actor, organisation_id: str | None) -> None:
    """Refuse who belongs or has ever belonged to an organisation whose matter is judged.

    Raises:
        StepRefused: The actor does, or did.
    """
    if organisation_id is not None and actor.account in people.ever_members(session, organisation_id):
        what = "you belong or belonged to the organisation whose matter this is"
        raise StepRefused.because(what, todo="leave it to another", code="conflict_of_interest")


def write(session: Session, desk: Desk, record: ApplicationRecord, event: Event) -> None:
    """Write one event, with its entry in the audit log."""
    applications.keep_process(session, desk.process.sha256, desk.process.data.decode("utf-8"), now=event.at)
    applications.append(session, record.id, stored_of(event))
    details = {"seq": event.seq, "event": event.id, "to": event.to}
    action, about = f"application.{event.step}", f"application:{record.id}"
    audit.record(session, now=event.at, account_id=event.by, action=action, object=about, details=details)


def set_now(session: Session, record: ApplicationRecord, case: Case, now: datetime) -> None:
    """Keep where an application stands, for lists."""
    applications.set_now(session, summary_of(record, case, now))


def summary_of(record: ApplicationRecord, case: Case, now: datetime) -> Summary:
    """Return an application as lists show it."""
    return Summary(
        id=record.id,
        organisation_id=record.organisation_id,
        item=record.item,
        name=str(case.facts.get("name", "")),
        state=case.state,
        seq=case.seq,
        at=now,
    )


def _unattached(session: Session, desk: Desk, folder: Folder, event: Event) -> list[Problem]:
    """Return the files that a step names and that nobody has attached; a company's profile is no file."""
    step = desk.process.step(event.step)
    problems = []
    for asked in () if step is None else step.asks:
        if asked.kind not in ("digest", "digests") or asked.name not in event.data or asked.name == "company":
            continue
        value = event.data[asked.name]
        for digest in (value,) if isinstance(value, str) else value:
            if applications.name_of(session, folder.record.id, digest) is None:
                what = f"the file {digest[:12]}… is not attached to this application"
                problems.append(Problem(asked.name, what, "send it first", "file_unattached"))
    return problems


def is_maker(session: Session, organisation_id: str) -> bool:
    """Whether an organisation can apply."""
    found = people.organisation(session, organisation_id)
    return found is not None and found.kind == "manufacturer" and not found.is_disabled


def is_laboratory(session: Session, organisation_id: str) -> bool:
    """Whether an organisation is a laboratory that works."""
    found = people.organisation(session, organisation_id)
    return found is not None and found.kind == "laboratory" and not found.is_disabled
