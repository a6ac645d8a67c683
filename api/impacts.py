"""`/api/v1/impacts/{job}`: what an impact run has found."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from api.call import Call
from api.jobs import JobShown, shown_job
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown

ROUTES: list[Operation] = []


class GraceShown(Shown):
    """Until when types of the edition before may be used, as the draft itself has it."""

    until: date | None = Field(description="null where the draft sets no day: the board sets it.")
    says: str


class ImpactRow(Shown):
    """What a draft would change for one submission."""

    application: str
    item: str | None
    name: str | None
    state: str | None
    number: str | None = Field(description="Of the type that rests on it, if there is one.")
    hit: bool = Field(description="Its verdict is another one under the draft.")
    given: dict[str, Any] | None = Field(description="What it was told when it was assessed.")
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    changes: list[dict[str, Any]] = Field(description="Findings whose verdict differs, each with why.")
    problems: list[dict[str, Any]] = Field(description="What stood in the way of an answer.")


class ImpactShown(Shown):
    """An impact run: how far it is, and what it found so far."""

    job: JobShown
    draft: str
    tally: dict[str, Any] = Field(description="How many were looked at, hit, not judged, and from which verdict to which.")
    grace: dict[str, GraceShown] = Field(description="By item.")
    items: list[ImpactRow] = Field(description="In the order of the applications' ids.")
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(
    ROUTES, "GET", "/api/v1/impacts/{job}", action="rule.read", summary="Show what an impact run has found", answer=ImpactShown
)
def show_impact(
    call: Call,
    job: str,
    paging: Paging,
    show: Annotated[Literal["hit", "all"], Query(description="hit: those whose verdict changes.")] = "hit",
) -> Reply:
    """Show who changes verdict under the draft and why, and the grace that the draft grants."""
    from homolog.service import editions, impact

    found = impact.look(call.actor, call.rules, job)
    draft = editions.find(call.actor, call.rules, str(found.job.record.params["draft"]))
    rows = found.hit if show == "hit" else found.rows
    wanted = sorted(name for name in rows if name > (paging.after or ""))[: paging.wanted]
    names, cursor = paging.cut(wanted, lambda name: name)
    grace = impact.grace_of(call.rules, draft)
    return Reply(
        body=ImpactShown(
            job=shown_job(found.job),
            draft=draft.id,
            tally=impact.tallied(found.rows.values()),
            grace={item: GraceShown(until=one["until"], says=one["says"]) for item, one in grace.items()},
            items=[_row(name, rows[name], is_hit=name in found.hit) for name in names],
            next=cursor,
        )
    )


def _row(application: str, row: Any, *, is_hit: bool) -> ImpactRow:
    words = {name: row.get(name) for name in ("item", "name", "state", "number", "given", "before", "after")}
    return ImpactRow(
        application=application,
        hit=is_hit,
        changes=list(row.get("changes", ())),
        problems=list(row.get("problems", ())),
        **words,
    )
