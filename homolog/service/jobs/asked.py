"""Owns what people do with jobs: ask for one, look how far it is, follow it, cancel it. No job library is loaded for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from homolog.register import applications, audit, jobs
from homolog.register.database import Database
from homolog.register.ids import is_id, new_id
from homolog.register.jobs import JobRecord as JobRecord  # what is handed out here
from homolog.register.jobs import JobState as JobState
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.casework import read
from homolog.service.desk import Desk
from homolog.service.missing import Missing
from homolog.service.permissions import may, relation_to_account, require
from homolog.service.workflow.next import next_steps
from homolog.service.workflow.refusal import StepRefused

GLANCE: Final = 0.5
"""Seconds between two looks of whoever follows a job."""


def ask(
    session: Session, actor: Actor, kind: str, params: Mapping[str, Any], *, parent: str | None = None, now: datetime
) -> JobRecord:
    """Enter a job in the transaction of whoever has looked whether the actor may have it; a worker takes it up soon."""
    record = JobRecord(id=new_id(now), kind=kind, params=dict(params), parent=parent, by=actor.account, at=now)
    jobs.add(session, record)
    if parent is None:
        about = f"job:{record.id}"
        audit.record(session, now=now, account_id=actor.account, action=f"job.{kind}", object=about, details=dict(params))
    return record


def ask_assessment(actor: Actor, desk: Desk, application_id: str, *, lang: str = "en", now: datetime) -> JobRecord:
    """Have what was measured last of an application assessed, with its scans.

    Raises:
        Missing: There is no such application, or it is not for the actor.
        SignInNeeded: Nobody has signed in.
        NotAllowed: The actor's token has no scope for it.
        StepRefused: The actor may not assess it, or it cannot be assessed now.
    """
    require(actor, "job.ask", "own")
    with desk.database.write() as session:
        folder = read(session, desk, actor, application_id)
        steps = [one for one in next_steps(folder.case, actor, now, process=desk.process, lang=lang) if one.step == "assess"]
        if not steps or not steps[0].is_yours:
            what = f"an application that is {folder.case.state} is not yours to assess"
            raise StepRefused.because(what, todo="look at what comes next", code="step_not_now")
        if steps[0].blocks:
            raise StepRefused(*steps[0].blocks)
        return ask(session, actor, "assess", {"application": application_id, "lang": lang}, now=now)


def ask_rendering(
    actor: Actor,
    desk: Desk,
    application_id: str,
    digest: str,
    *,
    form: str = "pdf",
    lang: str = "en",
    verify_url: str | None = None,
    now: datetime,
) -> JobRecord:
    """Have a stored report of an application set anew as a page or a PDF, perhaps in another language.

    Raises:
        Missing: There is no such application or report, or it is not for the actor.
    """
    require(actor, "job.ask", "own")
    params = {"application": application_id, "report": digest, "form": form, "lang": lang}
    with desk.database.write() as session:
        read(session, desk, actor, application_id)
        if applications.name_of(session, application_id, digest) is None:
            raise Missing.because("there is no such file", todo="look at the application's list")
        return ask(session, actor, "render", params | ({} if verify_url is None else {"verify_url": verify_url}), now=now)


def status(actor: Actor, database: Database, job_id: str) -> JobState:
    """Return where a job is.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    with database.read() as session:
        return _found(session, actor, job_id, "job.read")


def listed(actor: Actor, database: Database, *, after: str | None = None, limit: int = 50) -> tuple[JobState, ...]:
    """Return jobs, the newest first: the actor's own, for the board and administrators all."""
    require(actor, "job.read")
    by = None if may(actor, "job.read", "foreign") else actor.account
    with database.read() as session:
        return jobs.listed(session, by=by, after=after, limit=max(1, min(limit, 200)))


def cancel(actor: Actor, database: Database, job_id: str, *, now: datetime) -> JobState:
    """End a job and all its parts; once this returns, nothing of it takes effect any more. One that has ended stays as it is.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    with database.write() as session:
        _found(session, actor, job_id, "job.cancel")
        ended = [one for one in (job_id, *jobs.open_parts(session, job_id)) if _cancelled(session, actor, one, now)]
        if ended:
            about = f"job:{job_id}"
            audit.record(
                session, now=now, account_id=actor.account, action="job.cancel", object=about, details={"jobs": len(ended)}
            )
        return _found(session, actor, job_id, "job.cancel")


def _cancelled(session: Session, actor: Actor, job_id: str, now: datetime) -> bool:
    return jobs.end(session, job_id, "cancelled", {}, by=actor.account, at=now)


def watch(actor: Actor, database: Database, job_id: str, *, seconds: float = 3600.0, glance: float = GLANCE) -> Iterator[JobState]:
    """Yield where a job is, at once and at each change, until it has ended or the time is over; this blocks between.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    until = time.monotonic() + seconds
    last: JobState | None = None
    while True:
        found = status(actor, database, job_id)
        if found != last:
            yield found
        if found.outcome is not None or time.monotonic() >= until:
            return
        last = found
        time.sleep(glance)


async def follow(
    actor: Actor, database: Database, job_id: str, *, seconds: float = 3600.0, glance: float = GLANCE
) -> AsyncIterator[JobState]:
    """Yield what `watch` yields, for server-sent events: the loop is never blocked."""
    until = time.monotonic() + seconds
    last: JobState | None = None
    while True:
        found = await asyncio.to_thread(status, actor, database, job_id)
        if found != last:
            yield found
        if found.outcome is not None or time.monotonic() >= until:
            return
        last = found
        await asyncio.sleep(glance)


def _found(session: Session, actor: Actor, job_id: str, action: str) -> JobState:
    found = jobs.find(session, job_id) if is_id(job_id) else None
    require(actor, action, relation_to_account(actor, None if found is None else found.record.by))
    if found is None:
        raise Missing.because("there is no such job", todo="look at the list of yours")
    return found
