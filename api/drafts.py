"""`/api/v1/drafts`: the board's work on the rules, entered by one member and decided on by another."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from api.call import Call
from api.jobs import JobShown, accepted
from api.operation import Operation, operation
from api.paging import Paging
from api.problems import Failure
from api.reply import Reply, Shown, Taken
from homolog.errors import SpecError

if TYPE_CHECKING:
    from homolog.service.editions import View

ROUTES: list[Operation] = []
FILES_LIMIT = 4_000_000
Word = Annotated[str, Field(min_length=1, max_length=200)]


class EditionWanted(Taken):
    """Files of an edition, by their paths in its folder; spec files alone will do, the edition before gives the rest."""

    files: Annotated[
        dict[str, str], Field(min_length=1, max_length=200, description="As ball.yaml, edition.yaml, i18n/uk/ball.yaml, ids.yaml.")
    ]
    body: Annotated[str | None, Field(max_length=40, description="Whose rules, where no edition.yaml says it.")] = None


class AdoptionWanted(Taken):
    """A decision for one reading of an open question."""

    interpretation: Word
    reading: Word
    by: Word = Field(description="Who decides, as the report will say it.")
    on: Annotated[date, Field(strict=False, description="The day from which it counts.")]
    decision: Annotated[str, Field(min_length=1, max_length=2000, description="Where it is written down.")]
    requirements: Annotated[list[Word], Field(max_length=100, description="The only ones it holds for; empty for all.")] = Field(
        default_factory=list
    )
    body: Word | None = None
    edition: Word | None = None


class AdoptionsWanted(Taken):
    """Decisions on open questions of the rules."""

    adoptions: Annotated[list[AdoptionWanted], Field(min_length=1, max_length=100)]


class OutcomeWanted(Taken):
    """The board's decision on a draft."""

    outcome: Literal["published", "dropped"]
    text: Annotated[str, Field(min_length=1, max_length=20_000, description="The decision in words, or where it is written down.")]


class ImpactWanted(Taken):
    """How an impact run works."""

    measuring: Literal["stored", "again"] = Field(
        "stored",
        description="stored: readings as they were kept, where the programs that measure are the same. again: every scan anew.",
    )


class OutcomeShown(Shown):
    """What the board decided on a draft."""

    outcome: Literal["published", "dropped"]
    on: date
    text: str
    by: str
    at: datetime


class ComplaintShown(Shown):
    """What the linter says of one place; an error stands in the way of publishing."""

    severity: Literal["error", "warning"]
    where: str
    about: str
    what: str
    todo: str
    code: str


class ChangeShown(Shown):
    """What changes against the edition before, in words."""

    id: str
    direction: str
    what: str
    old: str
    new: str
    clause_old: str | None
    clause_new: str | None


class DraftLine(Shown):
    """A draft in a list."""

    id: str
    kind: Literal["edition", "adoption"]
    body: str
    edition: str | None
    by: str
    at: datetime
    decision: OutcomeShown | None


class DraftShown(DraftLine):
    """A draft, and what it changes."""

    since: dict[str, date | Literal["unknown"]] = Field(description="From when it counts, by item or by interpretation.")
    transitions: dict[str, dict[str, Any]] = Field(description="What becomes of types of the edition before, by item.")
    sound: bool = Field(description="The linter finds no error.")
    complaints: list[ComplaintShown]
    changes: dict[str, list[ChangeShown]] = Field(description="By item.")
    adoptions: list[dict[str, Any]]


class DraftPage(Shown):
    """Drafts, the newest first."""

    items: list[DraftLine]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(
    ROUTES,
    "POST",
    "/api/v1/drafts/editions",
    action="rule.enter",
    summary="Enter a draft of an edition",
    answer=DraftShown,
    status=201,
    is_repeatable=False,
    problems=("step_refused",),
    body_limit=FILES_LIMIT,
)
def enter_edition(call: Call, wanted: EditionWanted) -> Reply:
    """Enter a draft: it is looked through, compared with the edition before in words, and changes nothing until it is published."""
    from homolog.service import editions

    files = {name: text.encode() for name, text in wanted.files.items()}
    return _made(read_in(lambda: editions.enter_edition(call.actor, call.rules, files, body=wanted.body, now=call.now)))


@operation(
    ROUTES,
    "POST",
    "/api/v1/drafts/adoptions",
    action="rule.enter",
    summary="Enter a draft of decisions on open questions",
    answer=DraftShown,
    status=201,
    is_repeatable=False,
    problems=("step_refused",),
)
def enter_adoptions(call: Call, wanted: AdoptionsWanted) -> Reply:
    """Enter decisions on interpretations; they count once another member of the board has published them."""
    return _made(adopted(call, wanted))


@operation(ROUTES, "GET", "/api/v1/drafts", action="rule.read", summary="List drafts of rules", answer=DraftPage)
def list_drafts(call: Call, paging: Paging) -> Reply:
    """List drafts, the newest first, those that are decided on too."""
    from homolog.service import editions

    found = editions.listed(call.actor, call.rules, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda one: one.id)
    return Reply(body=DraftPage(items=[DraftLine(**_line(one)) for one in items], next=cursor))


@operation(ROUTES, "GET", "/api/v1/drafts/{draft}", action="rule.read", summary="Show a draft of rules", answer=DraftShown)
def show_draft(call: Call, draft: str) -> Reply:
    """Show what the linter says of a draft, and what it changes, in words."""
    from homolog.service import editions

    return Reply(body=shown_draft(editions.look(call.actor, call.rules, draft)))


@operation(
    ROUTES,
    "POST",
    "/api/v1/drafts/{draft}/decision",
    action="rule.decide",
    summary="Decide on a draft of rules",
    answer=DraftShown,
    is_repeatable=False,
    problems=("step_refused",),
)
def decide_on_draft(call: Call, draft: str, wanted: OutcomeWanted) -> Reply:
    """Publish a draft or drop it, as another member than the one who entered it: a dated decision that is never changed."""
    from homolog.service import editions

    view = editions.decide(call.actor, call.rules, draft, wanted.outcome, wanted.text, now=call.now, today=call.today)
    return Reply(body=shown_draft(view))


@operation(
    ROUTES,
    "POST",
    "/api/v1/drafts/{draft}/impacts",
    action="rule.impact",
    summary="Find out whom a draft would hit",
    answer=JobShown,
    status=202,
)
def ask_for_impact(call: Call, draft: str, wanted: ImpactWanted) -> Reply:
    """Ask for an impact run: all stored submissions under the draft, by workers. Its result is at `/api/v1/impacts/{job}`."""
    from homolog.service import impact

    record = impact.ask_impact(call.actor, call.rules, draft, measuring=wanted.measuring, now=call.now, today=call.today)
    return accepted(record)


def adopted(call: Call, wanted: AdoptionsWanted) -> View:
    """Enter decisions as a draft."""
    from homolog.service import editions

    told = [one.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for one in wanted.adoptions]
    data = json.dumps({"format": "homolog-adoptions/1", "adoptions": told}).encode()
    return editions.enter_adoptions(call.actor, call.rules, data, "adoptions.json", now=call.now)


def read_in(enter: Callable[[], View]) -> View:
    """Enter files as a draft; that they cannot be read is the sender's matter, not the engine's.

    Raises:
        Failure: They are no edition.
    """
    try:
        return enter()
    except SpecError as error:
        raise Failure("input_refused", "The files are no edition.", problems=error.problems) from None


def shown_draft(view: View) -> DraftShown:
    """Return a draft as programs see it."""
    return DraftShown(
        **_line(view.draft),
        since=dict(view.since),
        transitions={item: dict(found) for item, found in view.transitions.items()},
        sound=view.is_sound,
        complaints=[
            ComplaintShown(severity=one.severity, where=one.where, about=one.id, what=one.what, todo=one.todo, code=one.code)
            for one in view.complaints
        ],
        changes={
            item: [
                ChangeShown(
                    id=one.id,
                    direction=one.direction,
                    what=one.what,
                    old=one.old,
                    new=one.new,
                    clause_old=one.clause_old,
                    clause_new=one.clause_new,
                )
                for one in found
            ]
            for item, found in view.changes.items()
        },
        adoptions=[dict(one) for one in view.adoptions],
    )


def _made(view: View) -> Reply:
    return Reply(body=shown_draft(view), location=f"/api/v1/drafts/{view.draft.id}")


def _line(draft: Any) -> dict[str, Any]:
    decided = draft.decision
    outcome = None
    if decided is not None:
        outcome = OutcomeShown(outcome=decided.outcome, on=decided.on, text=decided.text, by=decided.by, at=decided.at)
    return {
        "id": draft.id,
        "kind": draft.kind,
        "body": draft.body,
        "edition": draft.label,
        "by": draft.by,
        "at": draft.at,
        "decision": outcome,
    }
