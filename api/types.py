"""`/api/v1/types`: the register of types, for everybody, and the board's decisions about one."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from api.call import Call
from api.operation import Operation, operation
from api.paging import Paging, cursor_of
from api.reply import Reply, Shown, Taken

if TYPE_CHECKING:
    from homolog.service.types import TypeView

ROUTES: list[Operation] = []
Words = Annotated[str, Query(max_length=200)]
Values = dict[str, Any]
Status = Literal["homologated", "provisional", "retest_due", "suspended", "withdrawn", "expired"]


class TypeLine(Shown):
    """A type in a list; what is not known is empty."""

    number: str
    item: str
    family: str
    name: str
    maker: str
    body: str
    edition: str
    named_by: str = Field(description="The clause that names it in the rules.")
    status: str
    since: str
    until: str
    usable: str = Field(description="yes or no, on the day that was asked for.")
    usable_until: str


class TypePage(Shown):
    """Types in the order of their names."""

    items: list[TypeLine]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


class TypeShown(Shown):
    """A type with its whole history."""

    number: str
    item: str
    family: str
    name: str
    maker: str
    body: str
    edition: str
    named_by: str | None
    application: str | None
    details: Values
    entered: datetime
    number_of_events: int
    on: date = Field(description="The day of `standing`.")
    standing: Values | None
    periods: list[Values]
    decisions: list[Values]
    waiting: list[Values] = Field(description="Entries that a second member is yet to confirm; shown to the board alone.")
    files: list[Values]
    changes: list[Values]


class TypeList(Shown):
    """Types of one's own organisations."""

    items: list[Values]


class ChangeShown(Shown):
    """One change that everybody may know."""

    number: int
    type: str
    name: str
    at: datetime
    what: str
    on: date | None
    data: Values


class ChangePage(Shown):
    """Changes, the oldest first."""

    items: list[ChangeShown]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


class DecisionTaken(Taken):
    """A decision about a type."""

    step: Annotated[str, Field(min_length=1, max_length=64, description="As suspend, withdraw, confirm or take_back.")]
    said: Values = Field(default_factory=dict, description="What the step asks.")


@operation(ROUTES, "GET", "/api/v1/types", action="type.read", summary="Look types up", answer=TypePage)
def find_types(
    call: Call,
    paging: Paging,
    q: Annotated[Words, Query(description="Beginnings of words of the name, maker, family or number, in any alphabet.")] = "",
    item: Annotated[str | None, Query(max_length=40)] = None,
    maker: Annotated[Words, Query(description="Further words, as of the maker's name.")] = "",
    family: Annotated[str | None, Query(max_length=200)] = None,
    status: Annotated[Status | None, Query(description="How it stands on the day.")] = None,
    on: Annotated[date | None, Query(description="The day; today if left out.")] = None,
) -> Reply:
    """Look up types in the register; without anything asked, all of them in the order of their names."""
    from homolog.service.exports import row_of
    from homolog.service.types import find, wanted_of

    wanted = wanted_of(words=f"{q} {maker}".strip(), item=item, family=family, status=status, on=on or call.today)
    found = find(call.desk, wanted, after=paging.after, limit=paging.limit)
    cursor = None if found.after is None else cursor_of(found.after)
    return Reply(body=TypePage(items=[TypeLine(**row_of(one)) for one in found.found], next=cursor))


@operation(ROUTES, "GET", "/api/v1/types/{number}", action="type.read", summary="Show a type", answer=TypeShown)
def show_type(
    call: Call, number: str, on: Annotated[date | None, Query(description="The day; today if left out.")] = None
) -> Reply:
    """Show a type as it stands on a day, with all decisions, files and changes."""
    from homolog.service import types

    view = types.view(call.actor, call.desk, number, day=on or call.today)
    return Reply(body=shown_type(view), version=view.seq)


@operation(
    ROUTES,
    "POST",
    "/api/v1/types/{number}/steps",
    action="type.decide",
    summary="Decide about a type",
    answer=TypeShown,
    needs_match=True,
    problems=("step_refused",),
)
def decide_about_type(call: Call, number: str, wanted: DecisionTaken) -> Reply:
    """Enter a decision, confirm another member's, or take one back; it counts, signed, once a second member has confirmed it."""
    from homolog.service import issuing

    view = issuing.decide(
        call.actor,
        call.desk,
        call.sealer,
        number,
        wanted.step,
        wanted.said,
        now=call.now,
        today=call.today,
        expected=call.expected,
    )
    return Reply(body=shown_type(view), version=view.seq)


@operation(ROUTES, "GET", "/api/v1/changes", action="type.read", summary="List changes of the register", answer=ChangePage)
def list_changes(call: Call, paging: Paging) -> Reply:
    """List what has changed in the register, the oldest first: keep the last cursor to ask on from there."""
    from homolog.service import shown, types

    after = paging.after or ""
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else 0
    found = types.changes(call.desk, after=number, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda one: str(one.number))
    return Reply(body=ChangePage(items=[ChangeShown(**shown.change(one)) for one in items], next=cursor))


@operation(ROUTES, "GET", "/api/v1/me/types", action="type.own", summary="List your organisations' types", answer=TypeList)
def list_own_types(call: Call) -> Reply:
    """List the types that stand in the register for organisations of yours."""
    from homolog.service import shown, types

    return Reply(body=TypeList(items=[shown.record(one) for one in types.types_of(call.actor, call.desk)]))


def shown_type(view: TypeView) -> TypeShown:
    """Return a type as it is sent."""
    from homolog.service import shown

    return TypeShown(**shown.a_type(view))
