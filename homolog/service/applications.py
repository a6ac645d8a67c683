"""Owns the way of an application for those who walk it: begin, attach, take steps, look, list."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from homolog.errors import Problem
from homolog.register import applications, people
from homolog.register.applications import ApplicationRecord, Summary
from homolog.register.applications import Attached as Attached
from homolog.register.files import Blob
from homolog.register.ids import new_id
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.casework import Folder, add, is_laboratory, is_maker, read, set_now, write
from homolog.service.desk import Desk
from homolog.service.missing import Missing
from homolog.service.permissions import require
from homolog.service.workflow.apply import apply
from homolog.service.workflow.case import FEDERATION, Case, state_of
from homolog.service.workflow.event import Event, frozen
from homolog.service.workflow.next import Next, next_steps, state_says
from homolog.service.workflow.refusal import StepRefused
from homolog.service.workflow.secrecy import shown
from homolog.service.workflow.values import is_text
from homolog.spec.process import Step

RESUBMITTED = ("refused", "sent_back", "dropped")
"""The ends after which an application can be followed up by a new one."""
_ELSEWHERE = ("starts", "assesses", "certifies")
_DECIDING = ("opens_vote", "votes", "closes_vote", "decides", "judges")
_MAX_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An application as an actor may see it.

    Attributes:
        says: Where it stands, in words.
        events: What happened; votes of an open secret vote say only that they were given, and others than the board see none.
        next: What can come next, the actor's own steps first.
        follow_ups: Later applications that follow it up.
    """

    record: ApplicationRecord
    case: Case
    says: str
    events: tuple[Event, ...]
    files: tuple[Attached, ...]
    next: tuple[Next, ...]
    follow_ups: tuple[str, ...]

    @property
    def seq(self) -> int:
        """Number of the last event: whoever changes it names the one that he has looked at."""
        return self.case.seq


def start(
    actor: Actor, desk: Desk, *, organisation: str, item: str, resubmits: str | None = None, now: datetime, lang: str = "en"
) -> View:
    """Begin an application.

    Raises:
        StepRefused: The actor may not, or it follows up one that it cannot.
    """
    require(actor, "application.begin")
    application_id = new_id(now)
    data = {"organisation": organisation, "item": item, **({} if resubmits is None else {"resubmits": resubmits})}
    with desk.database.write() as session:
        event = apply((), "start", actor, now, data, process=desk.process, event_id=new_id(now))
        if not is_maker(session, organisation):
            raise StepRefused(Problem("organisation", "it is no manufacturer that can apply", "write another", "step_value"))
        earlier = None if resubmits is None else _earlier(session, desk, actor, organisation, resubmits)
        record = ApplicationRecord(
            id=application_id, organisation_id=organisation, item=item, resubmits=resubmits, at=now, by=event.by
        )
        applications.begin(session, record)
        write(session, desk, record, event)
        set_now(session, record, state_of((event,), desk.process), now)
        if earlier is not None:
            _take_along(session, earlier, application_id, now)
        return _view(session, desk, actor, read(session, desk, actor, application_id), now, lang)


def _earlier(session: Session, desk: Desk, actor: Actor, organisation: str, resubmits: str) -> Folder:
    """Return the application that is followed up."""
    earlier = read(session, desk, actor, resubmits)
    if earlier.record.organisation_id != organisation:
        raise Missing.because("there is no such application", todo="look at the list of yours")
    if earlier.case.state not in RESUBMITTED:
        what = f"the earlier application is {earlier.case.state}, so there is nothing to follow up"
        raise StepRefused(Problem("resubmits", what, "wait for its end", "step_value"))
    return earlier


def _take_along(session: Session, earlier: Folder, application_id: str, now: datetime) -> None:
    """Attach what the applicant had said the type by, so that only what has changed is sent again."""
    facts = earlier.case.facts
    wanted = {*facts.get("photos", ()), *facts.get("scans", ()), *((facts["sheet"],) if "sheet" in facts else ())}
    for file in applications.attached(session, earlier.record.id):
        if file.digest in wanted:
            applications.attach(session, application_id, file.digest, file.name, attachment_id=new_id(now), at=now, by=file.by)


def take(
    actor: Actor,
    desk: Desk,
    application_id: str,
    step: str,
    data: Mapping[str, Any],
    *,
    now: datetime,
    expected: int | None = None,
    lang: str = "en",
) -> View:
    """Take a step of an application.

    What the service knows itself it adds: the company's profile, the memorandum's digest, the rule of counting, the electors.

    Args:
        actor: Who.
        desk: Where.
        application_id: Which.
        step: As `next` of a view names it.
        data: What is said with it.
        now: Aware.
        expected: The number of the last event that the actor has looked at; another one is refused.
        lang: Language of the words in the view.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: The account has no role for it, or the token no scope.
        Missing: There is no such application, or it is not for the actor.
        StepRefused: With every reason that is known; nothing was written.
    """
    known = desk.process.step(step)
    if known is not None and known.effect in _ELSEWHERE:
        raise StepRefused.because(f"{step} has a way of its own", todo="take that one", code="step_elsewhere")
    require(actor, "application.decide" if known is not None and known.effect in _DECIDING else "application.step")
    if known is not None and known.effect == "accepts_memorandum":  # its bytes are safe before a row speaks of them
        desk.files.receive([desk.memorandum.data], expected=desk.memorandum.sha256)
    with desk.database.write() as session:
        folder = read(session, desk, actor, application_id)
        said = dict(data) if known is None else _completed(session, desk, folder, known, data, now)
        if known is not None:
            _check(session, desk, folder, known, said)
        folder = add(session, desk, actor, folder, step, said, now=now, expected=expected)
        return _view(session, desk, actor, folder, now, lang)


def _completed(session: Session, desk: Desk, folder: Folder, step: Step, data: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return what is said with a step, with what the service knows better than whoever says it."""
    said = dict(data)
    if step.effect == "describes":
        profile = people.organisation(session, folder.record.organisation_id)
        said.pop("company", None)
        if profile is not None and profile.profile_text is not None:
            said["company"] = hashlib.sha256(profile.profile_text.encode()).hexdigest()
    if step.effect == "accepts_memorandum":
        _keep_memorandum(session, desk, folder, now)
        said["memorandum"] = desk.memorandum.sha256
        version = desk.memorandum.memorandum.version
        if said.get("version") not in (None, version):
            what = f"the memorandum is now version {version}, another one was shown"
            raise StepRefused.because(what, todo="read it again", code="memorandum_changed")
    if step.effect == "opens_vote":
        said.setdefault("counting", desk.process.process.counting.model_dump())
        said.setdefault("electors", list(electors(session, folder, now)))
    return said


def electors(session: Session, folder: Folder, now: datetime) -> tuple[str, ...]:
    """Return the members of the board who are independent in a matter."""
    case = folder.case
    barred = case.conflicts | case.applicants | case.taken.get("measure", frozenset())
    barred |= people.ever_members(session, folder.record.organisation_id)
    return tuple(account for account in people.holders_of(session, "board", now) if account not in barred)


def _keep_memorandum(session: Session, desk: Desk, folder: Folder, now: datetime) -> None:
    """Keep the text that is being accepted with the application."""
    memorandum = desk.memorandum
    desk.files.record(session, Blob(memorandum.sha256, len(memorandum.data)), now=now)
    name = f"memorandum-{memorandum.memorandum.version}.yaml"
    applications.attach(session, folder.record.id, memorandum.sha256, name, attachment_id=new_id(now), at=now, by=None)


def _check(session: Session, desk: Desk, folder: Folder, step: Step, said: Mapping[str, Any]) -> None:
    """Refuse values that only the register can tell to be wrong."""
    problems = []
    if step.effect == "sends_sample_on" and "to" in said and not is_laboratory(session, str(said["to"])):
        problems.append(Problem("to", "it is no laboratory of the register", "write a laboratory's id", "step_value"))
    named = ("laboratory", "holder") if step.effect in ("measures", "receives_sample") else ()
    problems += [
        Problem(name, "it is no laboratory of the register", "write a laboratory's id", "step_value")
        for name in named
        if said.get(name) not in (None, FEDERATION) and not is_laboratory(session, str(said[name]))
    ]
    if step.effect == "opens_vote" and isinstance(said.get("electors"), list):
        members = people.ever_members(session, folder.record.organisation_id)
        inside = [account for account in said["electors"] if account in members]
        if inside:
            what = f"they belong or belonged to the applicant: {', '.join(inside)}"
            problems.append(Problem("electors", what, "leave them out", "conflict_of_interest"))
    if step.effect == "judges" and str(said.get("requirement")) not in _judged(desk, folder):
        known = ", ".join(_judged(desk, folder)) or "nothing"
        what = "the rules do not leave this to the board"
        problems.append(Problem("requirement", what, f"write one of: {known}", "step_value"))
    if problems:
        raise StepRefused(*problems)


def _judged(desk: Desk, folder: Folder) -> tuple[str, ...]:
    """Return the ids of the requirements on which the board rules."""
    owners = desk.library.owners(desk.body, folder.record.item)
    specs = [edition.spec(folder.record.item) for edition in owners]
    found = [one.id for loaded in specs if loaded is not None for one in loaded.spec.requirements if one.kind == "judge"]
    return tuple(dict.fromkeys(found))


def attach(
    actor: Actor,
    desk: Desk,
    application_id: str,
    pieces: Iterable[bytes],
    name: str,
    *,
    now: datetime,
    limit: int,
    expected: str | None = None,
) -> str:
    """Attach a file to an application and return its digest; nothing is said of it yet, a step does that.

    Attaching the same bytes again changes nothing.

    Args:
        actor: Who.
        desk: Where.
        application_id: Which.
        pieces: The file's bytes, as they come; they are safe before a row speaks of them.
        name: The file's name; its ending says how it is read.
        now: Aware.
        limit: Most bytes.
        expected: The digest that the sender announced.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: The account has no role for it, or the token no scope.
        Missing: There is no such application, or it is not for the actor.
        InputRefused: The file is too large, or its name cannot be.
    """
    require(actor, "application.attach")
    _refuse_name(name)
    with desk.database.read() as session:
        _refuse_closed(read(session, desk, actor, application_id))
    blob = desk.files.receive(pieces, limit=limit, expected=expected)
    attach_blob(actor, desk, application_id, blob, name, now=now)
    return blob.digest


def attach_blob(actor: Actor, desk: Desk, application_id: str, blob: Blob, name: str, *, now: datetime) -> None:
    """Attach a file that is in the store already, such as one that was uploaded in parts."""
    require(actor, "application.attach")
    _refuse_name(name)
    with desk.database.write() as session:
        _refuse_closed(read(session, desk, actor, application_id))
        desk.files.record(session, blob, now=now)
        applications.attach(session, application_id, blob.digest, name, attachment_id=new_id(now), at=now, by=actor.account)


def _refuse_name(name: str) -> None:
    if not is_text(name, _MAX_NAME) or "\n" in name:
        raise StepRefused(Problem("name", "it is no name of a file", "write one line of at most 200 characters", "step_value"))


def _refuse_closed(folder: Folder) -> None:
    if folder.case.state in (*RESUBMITTED, "certified"):
        raise StepRefused.because(f"the application is {folder.case.state}", todo="begin a new one", code="step_not_now")


def read_file(actor: Actor, desk: Desk, application_id: str, digest: str) -> tuple[str, Iterator[bytes]]:
    """Return the name and the bytes of a file of an application.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: The account has no role for it, or the token no scope.
        Missing: There is none, or it is not for the actor.
    """
    require(actor, "application.read")
    with desk.database.read() as session:
        read(session, desk, actor, application_id)
        name = applications.name_of(session, application_id, digest)
    if name is None:
        raise Missing.because("there is no such file", todo="look at the application's list")
    return name, desk.files.stream(digest)


def view(actor: Actor, desk: Desk, application_id: str, *, now: datetime, lang: str = "en") -> View:
    """Return an application as an actor may see it.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: The account has no role for it, or the token no scope.
        Missing: There is none, or it is not for the actor.
    """
    require(actor, "application.read")
    return as_seen(actor, desk, application_id, now=now, lang=lang)


def views(actor: Actor, desk: Desk, application_ids: Sequence[str], *, now: datetime, lang: str = "en") -> tuple[View, ...]:
    """Return several applications as `view` does, all at one moment of the database.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: The account has no role for it, or the token no scope.
        Missing: One is not there, or not for the actor.
    """
    require(actor, "application.read")
    with desk.database.read() as session:
        return tuple(_view(session, desk, actor, read(session, desk, actor, one), now, lang) for one in application_ids)


def as_seen(actor: Actor, desk: Desk, application_id: str, *, now: datetime, lang: str) -> View:
    """Return an application to whoever has just done something to it: a token that may do it need not be one that may look.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    with desk.database.read() as session:
        return _view(session, desk, actor, read(session, desk, actor, application_id), now, lang)


def listed(
    actor: Actor, desk: Desk, *, states: Sequence[str] | None = None, after: str | None = None, limit: int = 50
) -> tuple[Summary, ...]:
    """Return the applications that an actor may see: an applicant's own, for board and laboratories all that are handed in."""
    require(actor, "application.list")
    size = max(1, min(limit, 200))
    with desk.database.read() as session:
        if not {"board", "laboratory"} & actor.roles:
            return applications.listed(session, organisations=actor.organisations, states=states, after=after, limit=size)
        begun = [state.id for state in desk.process.process.states if state.of == "application" and state.id != "draft"]
        wanted = begun if states is None else [state for state in states if state in begun]
        hidden = () if "board" in actor.roles else actor.organisations
        return applications.listed(session, not_of=hidden, states=wanted, after=after, limit=size)


def _view(session: Session, desk: Desk, actor: Actor, folder: Folder, now: datetime, lang: str) -> View:
    # How each member voted is the board's own matter: applicants and laboratories learn the count.
    is_outside = folder.record.organisation_id in actor.organisations or "board" not in actor.roles
    return View(
        record=folder.record,
        case=_case_for(folder, actor, is_outside=is_outside),
        says=state_says(folder.case, process=desk.process, lang=lang),
        events=_seen(folder, actor, is_outside=is_outside),
        files=applications.attached(session, folder.record.id),
        next=next_steps(folder.case, actor, now, process=desk.process, lang=lang),
        follow_ups=applications.follow_ups(session, folder.record.id),
    )


def _case_for(folder: Folder, actor: Actor, *, is_outside: bool) -> Case:
    """Return the case with the votes that the actor may see; others than the board see the count alone."""
    ballots = tuple(
        replace(ballot, votes=() if is_outside else shown(ballot.votes, folder.case, actor.account))
        for ballot in folder.case.ballots
    )
    return replace(folder.case, ballots=ballots)


def _seen(folder: Folder, actor: Actor, *, is_outside: bool) -> tuple[Event, ...]:
    """Return the events as an actor may see them; how each member voted is nothing for others than the board."""
    events = shown(folder.events, folder.case, actor.account)
    if not is_outside:
        return events
    return tuple(_bare(event) if event.step in ("vote", "declare_conflict") else event for event in events)


def _bare(event: Event) -> Event:
    return replace(event, data=frozen({}))
