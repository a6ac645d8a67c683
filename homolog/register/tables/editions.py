"""Rules that a board has entered and decided on, and whom a draft would hit."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from homolog.register.columns import CanonicalJson, Ordered, UtcTime
from homolog.register.tables.base import APPEND_ONLY, Row


class RuleDraft(Row, table=True):
    """A change of the rules as somebody entered it: an edition's files, or readings of interpretations.

    Attributes:
        body: Whose rules.
        label: The edition's; of adoptions None.
        content: The files by their paths, or the adoptions.
    """

    __table_args__ = (CheckConstraint("kind in ('edition', 'adoption')", name="kind"), APPEND_ONLY)

    id: str = Field(primary_key=True, sa_type=Ordered)
    kind: str
    body: str
    label: str | None = None
    content: str = Field(sa_type=CanonicalJson)
    by: str = Field(foreign_key="account.id")
    at: datetime = Field(sa_type=UtcTime)


class RuleDecision(Row, table=True):
    """The board's decision on a draft: from then on it is published, or dropped.

    Attributes:
        on: The day on which it was decided; from when the rules count, they say themselves.
        text: The decision in words, or where it is written down.
    """

    __table_args__ = (CheckConstraint("outcome in ('published', 'dropped')", name="outcome"), APPEND_ONLY)

    draft_id: str = Field(primary_key=True, foreign_key="rule_draft.id", sa_type=Ordered)
    outcome: str
    on: date
    text: str
    by: str = Field(foreign_key="account.id")
    at: datetime = Field(sa_type=UtcTime)


class ScanMeasured(Row, table=True):
    """What was measured of a scan, so that other rules can be asked of it without measuring again.

    Attributes:
        key: Digest of the scan and of all that was said of it.
        measurer: Digest of the programs that measured it; others may measure otherwise.
        digest: The stored file of the measurement.
    """

    __table_args__ = APPEND_ONLY

    key: str = Field(primary_key=True)
    measurer: str = Field(primary_key=True)
    digest: str = Field(foreign_key="stored_file.digest")
    at: datetime = Field(sa_type=UtcTime)


class ImpactPlan(Row, table=True):
    """What an impact run does not look at.

    Attributes:
        job_id: The impact run.
        found: How many submissions the draft says nothing of, and how many were never measured.
    """

    __table_args__ = APPEND_ONLY

    job_id: str = Field(primary_key=True, foreign_key="job.id", sa_type=Ordered)
    found: str = Field(sa_type=CanonicalJson)


class ImpactRow(Row, table=True):
    """What a draft would change for one stored submission.

    Attributes:
        job_id: The impact run.
        found: Verdicts before and after, and the findings that differ.
    """

    __table_args__ = (Index("ix_impact_row_application_id", "application_id"), APPEND_ONLY)

    job_id: str = Field(primary_key=True, foreign_key="job.id", sa_type=Ordered)
    application_id: str = Field(primary_key=True, foreign_key="application.id", sa_type=Ordered)
    found: str = Field(sa_type=CanonicalJson)
