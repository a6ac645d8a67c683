"""Jobs: asked for, begun, ended once; and the workers that are alive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from homolog.register.columns import json_text
from homolog.register.tables.jobs import Job, JobEnd, JobProgress, Worker

QUEUED = "queued"
"""The word of a job that waits for a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRecord:
    """A job as it was asked for."""

    id: str
    kind: str
    params: Mapping[str, Any]
    parent: str | None
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """Where a job is.

    Attributes:
        outcome: done, failed or cancelled; None while it has no end.
        result: What came of it; None while it has no end.
        done: Of `total` steps; both 0 while nobody knows.
        word: What is being done.
        worker: Who does it.
    """

    record: JobRecord
    outcome: str | None
    result: Mapping[str, Any] | None
    ended_at: datetime | None
    attempt: int
    done: int
    total: int
    word: str
    worker: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A worker as it is known; two looks with the same beat are a sign that it does not live."""

    id: str
    host: str
    process: int
    started_at: datetime
    beat: int


def add(session: Session, record: JobRecord) -> None:
    """Enter a job."""
    session.add(
        Job(
            id=record.id,
            kind=record.kind,
            params=json_text(dict(record.params)),
            parent=record.parent,
            by=record.by,
            at=record.at,
        )
    )
    session.flush()


def find(session: Session, job_id: str) -> JobState | None:
    """Return a job, or None if there is none."""
    found = _states(session, Job.id == job_id)
    return found[0] if found else None


def listed(session: Session, *, by: str | None = None, after: str | None = None, limit: int = 50) -> tuple[JobState, ...]:
    """Return jobs that are no part of another, the newest first, from before an id on.

    Args:
        session: One that reads.
        by: Whose; None is of all.
        after: The last id of the page before.
        limit: Most that are returned.
    """
    wanted: list[Any] = [col(Job.parent).is_(None)]
    wanted += [] if by is None else [col(Job.by) == by]
    wanted += [] if after is None else [col(Job.id) < after]
    return _states(session, *wanted, limit=limit, newest=True)


def new(session: Session, *, limit: int) -> tuple[str, ...]:
    """Return jobs that no worker has heard of, the oldest first."""
    query = (
        select(Job.id)
        .join(JobEnd, col(JobEnd.job_id) == col(Job.id), isouter=True)
        .join(JobProgress, col(JobProgress.job_id) == col(Job.id), isouter=True)
        .where(col(JobEnd.job_id).is_(None), col(JobProgress.job_id).is_(None))
        .order_by(col(Job.id))
        .limit(limit)
    )
    return tuple(session.exec(query))


def handed_over(session: Session, job_id: str, attempt: int) -> None:
    """Note that a job was handed to the workers, unless it has ended meanwhile."""
    if session.get(JobEnd, job_id) is None:
        session.merge(JobProgress(job_id=job_id, attempt=attempt, word=QUEUED))


def under_way(session: Session, *, after: str = "", limit: int = 500) -> tuple[tuple[str, int], ...]:
    """Return the jobs without an end that were handed to the workers, each with its last attempt, from after an id on.

    A job that waits for its parts is left out: they will end it.
    """
    part, part_end = aliased(Job), aliased(JobEnd)
    open_part = (
        select(part.id)
        .join(part_end, col(part_end.job_id) == col(part.id), isouter=True)
        .where(part.parent == JobProgress.job_id, col(part_end.job_id).is_(None))
    )
    query = (
        select(JobProgress.job_id, JobProgress.attempt)
        .join(JobEnd, col(JobEnd.job_id) == col(JobProgress.job_id), isouter=True)
        .where(col(JobEnd.job_id).is_(None), col(JobProgress.job_id) > after, ~open_part.exists())
        .order_by(col(JobProgress.job_id))
        .limit(limit)
    )
    return tuple(session.exec(query))


def tell(session: Session, job_id: str, *, done: int, total: int, word: str, worker: str) -> bool:
    """Say how far a job is; return whether it is still wanted."""
    if session.get(JobEnd, job_id) is not None:
        return False
    row = session.get(JobProgress, job_id) or JobProgress(job_id=job_id, attempt=1, word=word)
    row.done, row.total, row.word, row.worker = done, total, word, worker
    session.add(row)
    session.flush()
    return True


def has_ended(session: Session, job_id: str) -> bool:
    """Whether a job has its end."""
    return session.get(JobEnd, job_id) is not None


def end(session: Session, job_id: str, outcome: str, result: Mapping[str, Any], *, by: str | None = None, at: datetime) -> bool:
    """Write a job's end, once; return whether this was its end.

    Whoever does what the job was for does it in the same transaction, and only if this says yes.
    """
    if session.get(JobEnd, job_id) is not None:
        return False
    session.add(JobEnd(job_id=job_id, outcome=outcome, result=json_text(dict(result)), by=by, at=at))
    progress = session.get(JobProgress, job_id)
    if progress is not None:
        session.delete(progress)
    session.flush()
    return True


def open_parts(session: Session, job_id: str) -> tuple[str, ...]:
    """Return the parts of a job that have no end."""
    query = (
        select(Job.id)
        .join(JobEnd, col(JobEnd.job_id) == col(Job.id), isouter=True)
        .where(Job.parent == job_id, col(JobEnd.job_id).is_(None))
        .order_by(col(Job.id))
    )
    return tuple(session.exec(query))


def has_parts(session: Session, job_id: str) -> bool:
    """Whether a job was divided."""
    return session.exec(select(Job.id).where(Job.parent == job_id).limit(1)).first() is not None


def failed_parts(session: Session, job_id: str) -> tuple[JobState, ...]:
    """Return the parts of a job that failed."""
    return _states(session, Job.parent == job_id, JobEnd.outcome == "failed")


def count(session: Session) -> dict[str, int]:
    """Return how many jobs have each outcome; those without an end under `open`."""
    query = select(JobEnd.outcome, func.count()).select_from(JobEnd).group_by(col(JobEnd.outcome))
    ended = dict(session.exec(query).all())
    total = session.exec(select(func.count()).select_from(Job)).one()
    return {**ended, "open": total - sum(ended.values())}


# Workers


def arrive(session: Session, beat: Beat) -> None:
    """Enter a worker, or let it come back after it was taken for dead."""
    session.merge(Worker(**{name: getattr(beat, name) for name in ("id", "host", "process", "started_at", "beat")}))
    session.flush()


def leave(session: Session, worker_ids: Iterable[str]) -> None:
    """Forget workers."""
    for worker_id in worker_ids:
        row = session.get(Worker, worker_id)
        if row is not None:
            session.delete(row)
    session.flush()


def workers(session: Session) -> tuple[Beat, ...]:
    """Return all workers that are known."""
    query = select(Worker).order_by(col(Worker.id))
    return tuple(Beat(**row.model_dump()) for row in session.exec(query))


def _states(session: Session, *wanted: Any, limit: int | None = None, newest: bool = False) -> tuple[JobState, ...]:
    query = (
        select(Job, JobEnd, JobProgress)
        .join(JobEnd, col(JobEnd.job_id) == col(Job.id), isouter=True)
        .join(JobProgress, col(JobProgress.job_id) == col(Job.id), isouter=True)
        .where(*wanted)
        .order_by(col(Job.id).desc() if newest else col(Job.id))
    )
    if limit is not None:
        query = query.limit(limit)
    return tuple(_state(*row) for row in session.exec(query))


def _state(row: Job, over: JobEnd | None, progress: JobProgress | None) -> JobState:
    return JobState(
        record=JobRecord(id=row.id, kind=row.kind, params=json.loads(row.params), parent=row.parent, by=row.by, at=row.at),
        outcome=None if over is None else over.outcome,
        result=None if over is None else json.loads(over.result),
        ended_at=None if over is None else over.at,
        attempt=0 if progress is None else progress.attempt,
        done=0 if progress is None else progress.done,
        total=0 if progress is None else progress.total,
        word=QUEUED if progress is None else progress.word,
        worker=None if progress is None else progress.worker,
    )
