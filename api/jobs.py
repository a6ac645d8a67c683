"""`/api/v1/jobs`: work that takes longer than an answer may."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from api.call import Call
from api.operation import Operation, operation
from api.paging import Paging
from api.problems import Failure
from api.reply import Reply, Shown, Taken
from homolog.errors import Problem

if TYPE_CHECKING:
    from homolog.service.jobs.asked import JobRecord, JobState

ROUTES: list[Operation] = []
State = Literal["queued", "running", "done", "failed", "cancelled"]
Id = Annotated[str, Field(min_length=1, max_length=64)]


class JobWanted(Taken):
    """A job to ask for."""

    kind: Literal["assess", "render"] = Field(description="assess: judge what was measured. render: set a stored report anew.")
    application: Id
    report: Annotated[str | None, Field(max_length=64, description="To render: SHA-256 of the report.")] = None
    form: Annotated[Literal["pdf", "html"] | None, Field(description="To render: as what.")] = None
    lang: Literal["en", "uk", "it"] = "en"


class JobShown(Shown):
    """A job, and how far it is."""

    id: str
    kind: str
    about: dict[str, Any] = Field(description="What was asked for.")
    by: str | None = Field(description="The account that asked for it.")
    at: datetime
    state: State
    word: str = Field(description="What is being done; empty once it has ended.")
    done: int = Field(description="Of `total`; both 0 while nobody knows.")
    total: int
    ended_at: datetime | None
    result: dict[str, Any] | None = Field(description="What came of it; `problems` where it failed.")


class JobPage(Shown):
    """Jobs, the newest first."""

    items: list[JobShown]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(
    ROUTES,
    "POST",
    "/api/v1/jobs",
    action="job.ask",
    summary="Ask for a job",
    answer=JobShown,
    status=202,
    problems=("step_refused", "not_found"),
)
def ask_for_job(call: Call, wanted: JobWanted) -> Reply:
    """Ask for work on an application; look at the address in Location, or follow `/events` below it. Workers take it up soon."""
    from homolog.service.jobs import asked

    if wanted.kind == "assess":
        record = asked.ask_assessment(call.actor, call.desk, wanted.application, lang=wanted.lang, now=call.now)
    elif wanted.report is None:
        problem = Problem("report", "it is missing", "write the SHA-256 of a report of the application", "usage")
        raise Failure("usage", "The job cannot be asked for so.", problems=[problem])
    else:
        record = asked.ask_rendering(
            call.actor,
            call.desk,
            wanted.application,
            wanted.report,
            form=wanted.form or "pdf",
            lang=wanted.lang,
            verify_url=f"{call.settings.base_url}/verify/{wanted.report}",
            now=call.now,
        )
    return accepted(record)


@operation(ROUTES, "GET", "/api/v1/jobs", action="job.read", summary="List jobs", answer=JobPage)
def list_jobs(call: Call, paging: Paging) -> Reply:
    """List your jobs, the newest first; for the board and administrators everybody's."""
    from homolog.service.jobs import asked

    found = asked.listed(call.actor, call.stores.database, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda one: one.record.id)
    return Reply(body=JobPage(items=[shown_job(one) for one in items], next=cursor))


@operation(ROUTES, "GET", "/api/v1/jobs/{job}", action="job.read", summary="Show a job", answer=JobShown)
def show_job(call: Call, job: str) -> Reply:
    """Show how far a job is; the ETag changes with it, so that asking again costs little."""
    from homolog.service.jobs import asked

    return Reply(body=shown_job(asked.status(call.actor, call.stores.database, job)))


@operation(ROUTES, "POST", "/api/v1/jobs/{job}/cancellation", action="job.cancel", summary="Cancel a job", answer=JobShown)
def cancel_job(call: Call, job: str) -> Reply:
    """End a job and all its parts: once this is answered nothing of it takes effect. One that has ended stays as it is."""
    from homolog.service.jobs import asked

    return Reply(body=shown_job(asked.cancel(call.actor, call.stores.database, job, now=call.now)))


def accepted(record: JobRecord) -> Reply:
    """Return the answer to who asked for a job: what was asked for, and where to look."""
    body = _job(record, state="queued", word="queued", done=0, total=0, ended_at=None, result=None)
    return Reply(body=body, location=f"/api/v1/jobs/{record.id}")


def state_of(state: JobState) -> State:
    """Return a job's state in one word."""
    match state.outcome:
        case "done" | "failed" | "cancelled" as ended:
            return ended
        case _:
            return "queued" if state.word == "queued" else "running"


def shown_job(state: JobState) -> JobShown:
    """Return a job as programs see it; who works on it is nobody else's business."""
    return _job(
        state.record,
        state=state_of(state),
        word="" if state.outcome else state.word,
        done=state.done,
        total=state.total,
        ended_at=state.ended_at,
        result=None if state.result is None else dict(state.result),
    )


def _job(record: JobRecord, **how: Any) -> JobShown:
    return JobShown(id=record.id, kind=record.kind, about=dict(record.params), by=record.by, at=record.at, **how)
