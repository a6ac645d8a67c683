"""`/api/v1/editions`, `/api/v1/interpretations`: which rules are in force, for everybody."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from pydantic import Field

from api.call import Call
from api.operation import Operation, operation
from api.reply import Reply, Shown

if TYPE_CHECKING:
    from homolog.quantity import Adoption
    from homolog.service.rule_views import EditionView, Question

ROUTES: list[Operation] = []


class ItemShown(Shown):
    """An edition's rules for one item."""

    item: str
    since: date | None = Field(description="First day on which they count; null where it is not known.")
    until: date | None = Field(description="Last day; null where none is set or known.")
    taken_over: bool = Field(description="They stand in another edition, which this one names.")
    in_force: bool = Field(description="An article is judged by them today.")
    sha256: str


class EditionShown(Shown):
    """An edition that is known."""

    body: str
    edition: str
    title: str
    issuer: str
    items: list[ItemShown]


class Editions(Shown):
    """All editions, in the order of bodies and of first effect."""

    today: date
    items: list[EditionShown]


class ReadingShown(Shown):
    """A reading that a reasonable person could adopt."""

    id: str
    says: str
    source: str


class DecisionShown(Shown):
    """A board's dated decision for one reading."""

    reading: str
    by: str
    on: date = Field(description="The day from which it counts.")
    decision: str = Field(description="Where it is written down.")
    requirements: list[str] = Field(description="The only ones that it holds for; empty for all that turn on the question.")


class QuestionShown(Shown):
    """An open question of the rules, with what the board decided on it."""

    id: str
    body: str
    edition: str
    item: str
    clause: str
    question: str
    readings: list[ReadingShown]
    requirements: list[str] = Field(description="Those that turn on it.")
    decisions: list[DecisionShown]
    adopted: str | None = Field(description="The reading that is the rule today; null while all are tried.")


class Questions(Shown):
    """The open questions of the rules in force today."""

    today: date
    items: list[QuestionShown]


@operation(ROUTES, "GET", "/api/v1/editions", action="edition.read", summary="List the editions", answer=Editions)
def list_editions(call: Call) -> Reply:
    """List every edition that is known, shipped or published by the board, and say which of its rules are in force today."""
    from homolog.service.rule_views import editions_known

    found = editions_known(call.actor, call.rules, today=call.today)
    return Reply(body=Editions(today=call.today, items=[_edition(one) for one in found]))


@operation(
    ROUTES,
    "GET",
    "/api/v1/interpretations",
    action="edition.read",
    summary="List the open questions of the rules",
    answer=Questions,
)
def list_interpretations(call: Call) -> Reply:
    """List where the text in force leaves a hole, how it can be read, and what the board has adopted."""
    from homolog.service.rule_views import questions

    found = questions(call.actor, call.rules, today=call.today)
    return Reply(body=Questions(today=call.today, items=[_question(one) for one in found]))


def _edition(view: EditionView) -> EditionShown:
    return EditionShown(
        body=view.body,
        edition=view.label,
        title=view.title,
        issuer=view.issuer,
        items=[
            ItemShown(
                item=one.item,
                since=one.since,
                until=one.until,
                taken_over=one.taken_over,
                in_force=one.is_in_force,
                sha256=one.sha256,
            )
            for one in view.items
        ],
    )


def _question(one: Question) -> QuestionShown:
    interpretation = one.interpretation
    return QuestionShown(
        id=one.id,
        body=one.body,
        edition=one.edition,
        item=one.item,
        clause=interpretation.clause,
        question=interpretation.question,
        readings=[ReadingShown(id=reading.id, says=reading.says, source=reading.source) for reading in interpretation.readings],
        requirements=list(one.requirements),
        decisions=[_decision(decision) for decision in one.decisions],
        adopted=None if one.adopted is None else one.adopted.reading,
    )


def _decision(one: Adoption) -> DecisionShown:
    return DecisionShown(reading=one.reading, by=one.by, on=one.on, decision=one.decision, requirements=list(one.requirements))
