"""`/api/v1/applications`: an application on its way from its first words to the certificate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio.from_thread
from fastapi import Query
from pydantic import Field

from api.call import Asked, Call
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown, Taken
from api.types import TypeShown, shown_type

if TYPE_CHECKING:
    from homolog.service.applications import View

ROUTES: list[Operation] = []
Lang = Annotated[Literal["en", "uk", "it"], Query(description="Language of what is said in words.")]
Id = Annotated[str, Field(min_length=1, max_length=64)]
Values = dict[str, Any]


class ApplicationWanted(Taken):
    """An application to begin."""

    organisation: Id = Field(description="Who applies: an organisation that you are a member of.")
    item: Literal["ball", "figure", "goalkeeper"]
    resubmits: Id | None = Field(
        None, description="An application that was refused, sent back or dropped, which this one follows up."
    )


class StepTaken(Taken):
    """A step to take."""

    step: Annotated[str, Field(min_length=1, max_length=64, description="As `next` of what you looked at names it.")]
    said: Values = Field(default_factory=dict, description="What the step asks, by the names in `asks`.")


class CertificateWanted(Taken):
    """A certificate to issue."""

    on: Annotated[date | None, Field(strict=False, description="From when it holds; today if left out.")] = None


class ApplicationShown(Shown):
    """An application, as far as you may see it."""

    id: str
    organisation: str
    item: str
    resubmits: str | None
    followed_up_by: list[str]
    begun: datetime
    number: int = Field(description="Of the last event.")
    state: str
    says: str = Field(description="Where it stands, in words.")
    facts: Values = Field(description="What the applicant said of the type.")
    memorandum: Values | None
    sample: Values
    questions: list[Values]
    assessment: Values | None
    votes: list[Values]
    decision: Values | None
    certificate: Values | None
    events: list[Values]
    files: list[Values]
    next: list[Values] = Field(description="Steps that can come next, yours first, with what each asks and what stands before it.")


class ApplicationLine(Shown):
    """An application in a list."""

    id: str
    organisation: str
    item: str
    name: str
    state: str
    number: int
    changed: datetime


class ApplicationPage(Shown):
    """Applications, the oldest first."""

    items: list[ApplicationLine]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(
    ROUTES,
    "POST",
    "/api/v1/applications",
    action="application.begin",
    summary="Begin an application",
    answer=ApplicationShown,
    status=201,
    problems=("step_refused", "not_found"),
)
def begin_application(call: Call, wanted: ApplicationWanted, lang: Lang = "en") -> Reply:
    """Begin an application for an organisation of yours; until it is handed in, nobody else sees it."""
    from homolog.service import applications

    view = applications.start(
        call.actor,
        call.desk,
        organisation=wanted.organisation,
        item=wanted.item,
        resubmits=wanted.resubmits,
        now=call.now,
        lang=lang,
    )
    return _reply(view, location=f"/api/v1/applications/{view.record.id}")


@operation(
    ROUTES,
    "GET",
    "/api/v1/applications",
    action="application.list",
    summary="List applications",
    answer=ApplicationPage,
)
def list_applications(
    call: Call,
    paging: Paging,
    state: Annotated[str | None, Query(max_length=64, description="Those in this state alone.")] = None,
) -> Reply:
    """List your organisations' applications; for the board and laboratories, all that were handed in."""
    from homolog.service import applications, shown

    states = None if state is None else [state]
    found = applications.listed(call.actor, call.desk, states=states, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda one: one.id)
    return Reply(body=ApplicationPage(items=[ApplicationLine(**shown.summary(one)) for one in items], next=cursor))


@operation(
    ROUTES,
    "GET",
    "/api/v1/applications/{application}",
    action="application.read",
    summary="Show an application",
    answer=ApplicationShown,
)
def show_application(call: Call, application: str, lang: Lang = "en") -> Reply:
    """Show where an application stands, all that happened, and what can come next; votes of an open secret vote are hidden."""
    from homolog.service import applications

    return _reply(applications.view(call.actor, call.desk, application, now=call.now, lang=lang))


@operation(
    ROUTES,
    "POST",
    "/api/v1/applications/{application}/steps",
    action="application.step",
    summary="Take a step of an application",
    answer=ApplicationShown,
    needs_match=True,
    problems=("step_refused",),
)
def take_step(call: Call, application: str, wanted: StepTaken, lang: Lang = "en") -> Reply:
    """Take one of the steps under `next`; the table of steps says who may, and what is asked."""
    from homolog.service import applications

    view = applications.take(
        call.actor, call.desk, application, wanted.step, wanted.said, now=call.now, expected=call.expected, lang=lang
    )
    return _reply(view)


@operation(
    ROUTES,
    "POST",
    "/api/v1/applications/{application}/assessment",
    action="application.assess",
    summary="Assess what was measured",
    answer=ApplicationShown,
    is_repeatable=False,
    problems=("step_refused", "input_refused", "changed_meanwhile", "measuring_failed", "busy"),
)
def assess_application(call: Call, application: str, lang: Lang = "en") -> Reply:
    """Judge what the laboratory measured under the edition in force today, and sign the report; asking again judges again."""
    return _reply(assessed(call, application, lang=lang))


@operation(
    ROUTES,
    "POST",
    "/api/v1/applications/{application}/certificate",
    action="application.certify",
    summary="Issue the certificate",
    answer=TypeShown,
    status=201,
    problems=("step_refused",),
)
def issue_certificate(call: Call, application: str, wanted: CertificateWanted) -> Reply:
    """Issue and sign the certificate of an approved application, and enter the type in the register under its number."""
    from homolog.service import issuing

    view = issuing.issue(call.actor, call.desk, call.sealer, application, on=wanted.on or call.today, now=call.now)
    return Reply(body=shown_type(view), version=view.seq, location=f"/api/v1/types/{view.record.number}")


def assessed(call: Asked, application: str, *, lang: str) -> View:
    """Assess in one of the places for such work, so that scans do not take all of the machine; this blocks."""
    from homolog.service import issuing

    seconds = call.service.settings.scan_seconds
    work: Callable[[], View] = lambda: issuing.assess(  # noqa: E731
        call.actor, call.desk, call.sealer, application, now=call.now, today=call.today, seconds=seconds, lang=lang
    )
    return anyio.from_thread.run(call.service.measuring.run, work)


def _reply(view: View, *, location: str | None = None) -> Reply:
    from homolog.service import shown

    return Reply(body=ApplicationShown(**shown.application(view)), version=view.seq, location=location)
