"""Drafts of rules, the board's decisions on them, and what was measured once for all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from homolog.register.columns import json_text
from homolog.register.tables.editions import ImpactPlan, ImpactRow, RuleDecision, RuleDraft, ScanMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the board decided on a draft.

    Attributes:
        outcome: published or dropped.
        on: The day on which it was decided.
    """

    outcome: str
    on: date
    text: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A change of the rules.

    Attributes:
        kind: edition or adoption.
        label: The edition's; of adoptions None.
        content: Of an edition `files`, the digests of its files by their paths; of adoptions the list of them.
        decision: None while the board has not decided.
    """

    id: str
    kind: str
    body: str
    label: str | None
    content: Mapping[str, Any]
    by: str
    at: datetime
    decision: Decision | None = None


def add(session: Session, draft: Draft) -> None:
    """Enter a draft."""
    session.add(
        RuleDraft(
            id=draft.id,
            kind=draft.kind,
            body=draft.body,
            label=draft.label,
            content=json_text(dict(draft.content)),
            by=draft.by,
            at=draft.at,
        )
    )
    session.flush()


def find(session: Session, draft_id: str) -> Draft | None:
    """Return a draft, or None if there is none."""
    found = _drafts(session, RuleDraft.id == draft_id)
    return found[0] if found else None


def listed(session: Session, *, after: str | None = None, limit: int = 50) -> tuple[Draft, ...]:
    """Return drafts, the newest first, from before an id on."""
    wanted = () if after is None else (col(RuleDraft.id) < after,)
    return _drafts(session, *wanted, newest=True, limit=limit)


def published(session: Session, *, known_at: datetime | None = None) -> tuple[Draft, ...]:
    """Return what the board has published, in the order of its decisions; as it was known at a moment, if one is given."""
    wanted: list[Any] = [RuleDecision.outcome == "published"]
    wanted += [] if known_at is None else [col(RuleDecision.at) <= known_at]
    found = _drafts(session, *wanted)
    return tuple(sorted(found, key=lambda one: (one.decision.at if one.decision else one.at, one.id)))


def decide(session: Session, draft_id: str, decision: Decision) -> None:
    """Write the board's decision; a second one is refused by the database."""
    session.add(
        RuleDecision(
            draft_id=draft_id,
            outcome=decision.outcome,
            on=decision.on,
            text=decision.text,
            by=decision.by,
            at=decision.at,
        )
    )
    session.flush()


# What was measured


def measured(session: Session, key: str, measurer: str) -> str | None:
    """Return the digest of the file with what was measured, or None if these programs did not measure it."""
    row = session.get(ScanMeasured, (key, measurer))
    return None if row is None else row.digest


def keep_measured(session: Session, key: str, measurer: str, digest: str, *, now: datetime) -> None:
    """Keep what was measured, once."""
    if session.get(ScanMeasured, (key, measurer)) is None:
        session.add(ScanMeasured(key=key, measurer=measurer, digest=digest, at=now))
        session.flush()


# Impact runs


def add_plan(session: Session, job_id: str, found: Mapping[str, Any]) -> None:
    """Write what an impact run leaves out."""
    session.add(ImpactPlan(job_id=job_id, found=json_text(dict(found))))
    session.flush()


def plan_of(session: Session, job_id: str) -> dict[str, Any]:
    """Return what an impact run leaves out."""
    row = session.get(ImpactPlan, job_id)
    return {} if row is None else dict(json.loads(row.found))


def add_impact(session: Session, job_id: str, application_id: str, found: Mapping[str, Any]) -> None:
    """Write what a draft would change for one submission; the same a second time is refused by the database."""
    session.add(ImpactRow(job_id=job_id, application_id=application_id, found=json_text(dict(found))))


def impact_rows(
    session: Session, job_id: str, *, after: str = "", limit: int | None = None
) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return what an impact run has found so far, in the order of the applications' ids."""
    query = (
        select(ImpactRow.application_id, ImpactRow.found)
        .where(ImpactRow.job_id == job_id, col(ImpactRow.application_id) > after)
        .order_by(col(ImpactRow.application_id))
    )
    rows = session.exec(query if limit is None else query.limit(limit))
    return tuple((application_id, json.loads(found)) for application_id, found in rows)


def impact_count(session: Session, job_id: str) -> int:
    """Return how many submissions an impact run has looked at so far."""
    return session.exec(select(func.count()).select_from(ImpactRow).where(ImpactRow.job_id == job_id)).one()


def _drafts(session: Session, *wanted: Any, newest: bool = False, limit: int | None = None) -> tuple[Draft, ...]:
    query = (
        select(RuleDraft, RuleDecision)
        .join(RuleDecision, col(RuleDecision.draft_id) == col(RuleDraft.id), isouter=True)
        .where(*wanted)
        .order_by(col(RuleDraft.id).desc() if newest else col(RuleDraft.id))
    )
    if limit is not None:
        query = query.limit(limit)
    return tuple(_draft(*row) for row in session.exec(query))


def _draft(row: RuleDraft, decided: RuleDecision | None) -> Draft:
    return Draft(
        id=row.id,
        kind=row.kind,
        body=row.body,
        label=row.label,
        content=json.loads(row.content),
        by=row.by,
        at=row.at,
        decision=None
        if decided is None
        else Decision(outcome=decided.outcome, on=decided.on, text=decided.text, by=decided.by, at=decided.at),
    )
