"""Work that somebody has asked for, what became of it, and the processes that do it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index
from sqlmodel import Field

from homolog.register.columns import CanonicalJson, Ordered, UtcTime
from homolog.register.tables.base import APPEND_ONLY, PASSING, Row


class Job(Row, table=True):
    """A piece of work; it is done once it has an end.

    Attributes:
        kind: What is to be done, as the service names it.
        params: On what.
        parent: The job that this one is a part of.
        by: Who asked for it; None is the command line.
    """

    __table_args__ = (Index("ix_job_parent_id", "parent", "id"), Index("ix_job_by_id", "by", "id"), APPEND_ONLY)

    id: str = Field(primary_key=True, sa_type=Ordered)
    kind: str
    params: str = Field(sa_type=CanonicalJson)
    parent: str | None = Field(default=None, foreign_key="job.id", sa_type=Ordered)
    by: str | None = Field(default=None, foreign_key="account.id")
    at: datetime = Field(sa_type=UtcTime)


class JobEnd(Row, table=True):
    """How a job ended, written in the transaction that does what the job was for: so it is done once, however often it was begun.

    Attributes:
        result: What came of it, or the problems.
        by: Who cancelled it.
    """

    __table_args__ = (CheckConstraint("outcome in ('done', 'failed', 'cancelled')", name="outcome"), APPEND_ONLY)

    job_id: str = Field(primary_key=True, foreign_key="job.id", sa_type=Ordered)
    outcome: str
    result: str = Field(sa_type=CanonicalJson)
    by: str | None = Field(default=None, foreign_key="account.id")
    at: datetime = Field(sa_type=UtcTime)


class JobProgress(Row, table=True):
    """How far a job is, as long as it has no end.

    Attributes:
        attempt: How often it was handed to the workers.
        done: Of `total` steps; both 0 while nobody knows.
        word: What is being done.
        worker: Who does it; None while it waits.
    """

    __table_args__ = PASSING

    job_id: str = Field(primary_key=True, foreign_key="job.id", sa_type=Ordered)
    attempt: int
    done: int = 0
    total: int = 0
    word: str
    worker: str | None = None


class Worker(Row, table=True):
    """A process that works.

    Attributes:
        beat: A number that grows while it lives; no clocks of two machines are compared.
    """

    __table_args__ = PASSING

    id: str = Field(primary_key=True)
    host: str
    process: int
    started_at: datetime = Field(sa_type=UtcTime)
    beat: int = Field(sa_type=BigInteger)
