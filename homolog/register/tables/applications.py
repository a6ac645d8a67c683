"""Applications for a type: who applies, every step that was taken, the files that were attached."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from homolog.register.columns import CanonicalJson, Ordered, UtcTime
from homolog.register.tables.base import APPEND_ONLY, Row


class ProcessTable(Row, table=True):
    """A table of steps under which something was allowed, as its file was.

    Attributes:
        sha256: Of the file.
        text: The file.
    """

    __table_args__ = APPEND_ONLY

    sha256: str = Field(primary_key=True)
    text: str
    at: datetime = Field(sa_type=UtcTime)


class Application(Row, table=True):
    """An application.

    Attributes:
        resubmits: The earlier application that it follows up.
    """

    __table_args__ = (CheckConstraint("item in ('ball', 'figure', 'goalkeeper')", name="item"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    organisation_id: str = Field(foreign_key="organisation.id")
    item: str
    resubmits: str | None = Field(default=None, foreign_key="application.id", index=True)
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")


class ApplicationEvent(Row, table=True):
    """One step that was taken: a vote, a decision, a question. What is the case now follows from all of them.

    Attributes:
        seq: Its number in the application, from 1.
        data: What was said with it.
        process: The table of steps under which it was allowed.
    """

    __table_args__ = (UniqueConstraint("application_id", "seq"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    application_id: str = Field(foreign_key="application.id")
    seq: int
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")
    role: str
    step: str
    to_state: str
    data: str = Field(sa_type=CanonicalJson)
    process: str = Field(foreign_key="process_table.sha256")


class ApplicationFile(Row, table=True):
    """A file that was attached to an application; a step may name only what is attached.

    Attributes:
        name: As sent; shown, and its ending says how the file is read.
    """

    __table_args__ = (UniqueConstraint("application_id", "digest"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    application_id: str = Field(foreign_key="application.id")
    digest: str = Field(foreign_key="stored_file.digest", index=True)
    name: str
    at: datetime = Field(sa_type=UtcTime)
    by: str | None = Field(default=None, foreign_key="account.id")


class ApplicationNow(Row, table=True):
    """Where an application stands: what its events give, kept beside them so that lists need not work it out."""

    __table_args__ = (
        Index("ix_application_now_organisation_id_application_id", "organisation_id", "application_id"),
        Index("ix_application_now_state_application_id", "state", "application_id"),
    )

    application_id: str = Field(primary_key=True, foreign_key="application.id", sa_type=Ordered)
    organisation_id: str = Field(foreign_key="organisation.id")
    item: str
    name: str
    state: str
    seq: int
    at: datetime = Field(sa_type=UtcTime)
