"""The register's public pages: looking types up, a type, and what stands behind a report or certificate."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.call import Asked
from api.page_route import Form, done, page_route
from api.paging import cursor_of, key_of
from api.problems import Failure
from api.step_form import forms_of, said_of
from api.templates import page
from api.words import language_of

ROUTES: list[Route] = []
ITEMS = ("ball", "figure", "goalkeeper")
STATUSES = ("homologated", "provisional", "retest_due", "suspended", "withdrawn", "expired")
_PAGE = 25
_SAID = ("step_taken",)


def show_types(call: Asked) -> Response:
    """Show the register: what was looked for, or all of it."""
    from homolog.service.exports import row_of
    from homolog.service.types import find, wanted_of

    asked = _asked_for(call.request)
    wanted = wanted_of(
        words=asked["q"], item=asked["item"] or None, family=asked["family"] or None, status=asked["status"] or None, on=call.today
    )
    given = call.request.query_params.get("cursor")
    found = find(call.desk, wanted, after=None if given is None else key_of(given), limit=_PAGE)
    following = None if found.after is None else urlencode({**_filled(asked), "cursor": cursor_of(found.after)})
    return page(
        call.request,
        "types.html.j2",
        asked=asked,
        items=ITEMS,
        statuses=STATUSES,
        rows=[row_of(one) for one in found.found],
        is_first=given is None,
        following=following,
        first=urlencode(_filled(asked)),
    )


page_route(ROUTES, "GET", "/types", action="type.read")(show_types)


def show_type(call: Asked, number: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show a type with its history."""
    from homolog.service import shown, types

    view = types.view(call.actor, call.desk, number, day=call.today)
    said = call.request.query_params.get("done", "")
    steps = types.next_decisions(call.actor, call.desk, view, lang=language_of(call.request))
    return page(
        call.request,
        "type.html.j2",
        type=shown.a_type(view),
        seq=view.seq,
        failure=failure,
        said=said if said in _SAID and failure is None else "",
        steps=forms_of(steps, form),
        first_day=date.min.isoformat(),
    )


page_route(ROUTES, "GET", "/types/{number}", action="type.read")(show_type)


@page_route(ROUTES, "POST", "/types/{number}/steps", action="type.decide", again=show_type)
def decide_on_page(call: Asked, number: str, form: Form) -> Response:
    """Enter a decision about a type, confirm one, or take one back."""
    from homolog.service import issuing

    name = form.get("step", "")
    step = call.desk.process.step(name)
    said = {} if step is None else said_of(step.asks, form)
    issuing.decide(
        call.actor,
        call.desk,
        call.sealer,
        number,
        name,
        said,
        now=call.now,
        today=call.today,
        expected=number_of(form.get("seq", "")),
    )
    return done(f"/types/{number}", "step_taken")


@page_route(ROUTES, "GET", "/verify/{sha256}", action="record.read")
def show_verification(call: Asked, sha256: str) -> Response:
    """Show what the register knows of a report or certificate: when it was entered, by which key, how the type stands."""
    from homolog.service import proofs, records, types
    from homolog.service.missing import Missing

    receipt = proofs.receipt(call.desk, sha256)
    try:
        record = records.find(call.actor, call.desk, sha256)
    except Missing:
        record = None
    standing = [types.view(call.actor, call.desk, number, day=call.today) for number in (() if record is None else record.types)]
    return page(
        call.request,
        "verification.html.j2",
        sha256=sha256,
        kind=receipt.entry.kind,
        entered=receipt.entry.at,
        place=receipt.index + 1,
        kid=receipt.entry.kid,
        issuer=call.sealer.keys().issuer,
        record=record,
        types=[(view.record, view.standing) for view in standing],
        log=f"{call.settings.base_url}/api/v1/log",
    )


def _asked_for(request: Request) -> dict[str, str]:
    found = {name: request.query_params.get(name, "")[:200] for name in ("q", "item", "family", "status")}
    if found["item"] not in ITEMS:
        found["item"] = ""
    if found["status"] not in STATUSES:
        found["status"] = ""
    return found


def _filled(asked: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in asked.items() if value}


def number_of(text: str) -> int | None:
    """Return the number of the last event that a form was made from; None if it does not say."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
