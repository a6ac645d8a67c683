"""The pages for people: hand in a sheet or a scan, read the report; works without a script in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from api.accept import HTML, JSON, JSON_LINES, PDF
from api.asked_form import Form, choices_of
from api.check import judged, take_turn, today
from api.checked import checked_page
from api.looking import look
from api.multipart import Part
from api.openapi import BODIES, document
from api.problems import ALL_KINDS, Failure
from api.sent import body_type, read_parts, refuse_parameters, sent_of
from api.service import Service, service_of
from api.templates import page
from api.words import language_of
from homolog.errors import Problem

_PAGE = "page"
_FORMATS = {"html": HTML, "pdf": PDF, "json": f"{JSON}, {JSON_LINES};q=0.5"}


async def show(request: Request) -> Response:
    """Show the form."""
    refuse_parameters(request, "leave them out")
    return await _form_page(request, Form())


async def submit(request: Request) -> Response:
    """Judge what a person hands in; what cannot be judged brings the form back, with the problems."""
    service = service_of(request)
    parts: list[Part] = []
    try:
        take_turn(request, service)
        async with service.uploads.held():
            parts = await _parts(request, service)
            return await _judged(request, parts, service)
    except Failure as failure:
        return await _form_page(request, Form.of(parts), failure)


async def problem(request: Request) -> Response:
    """Explain a kind of problem: the page that its `type` leads to."""
    code = request.path_params["code"]
    await look(request)
    if code not in ALL_KINDS:
        raise Failure("not_found", f"There is no kind of problem called {code[:40]!r}.")
    return page(request, "problem.html.j2", code=code, kind=ALL_KINDS[code], kinds=ALL_KINDS)


async def operations(request: Request) -> Response:
    """List the operations for programs."""
    await look(request)
    return await anyio.to_thread.run_sync(lambda: page(request, "operations.html.j2", document=document(), bodies=BODIES))


async def _parts(request: Request, service: Service) -> list[Part]:
    if body_type(request) != "multipart/form-data":
        raise Failure("media_type", "This page takes its own form only; programs send sheets to /api/v1/check.")
    return await read_parts(request, service.settings)


async def _judged(request: Request, parts: Iterable[Part], service: Service) -> Response:
    given, own = [], {}
    for part in parts:
        if part.name in ("format", "rules"):
            own[part.name] = part.data.decode("utf-8", "replace")
        elif part.filename is not None or part.data:  # an empty field is one that was left alone
            given.append(part)
    wanted = own.get("format", "html")
    if wanted not in (_PAGE, *_FORMATS):
        raise _unknown("format", wanted, (_PAGE, *_FORMATS))
    sent = sent_of([*given, *_rules(own.get("rules", ""), given)], service.settings)
    if sent.sheet is None and sent.fields.item is None:
        problem = Problem("What it is", "a scan alone does not say what it shows", "choose it from the list", "item_missing")
        raise Failure("usage", "One more choice is needed.", problems=[problem])
    if wanted == _PAGE:
        return await checked_page(request, sent, service)
    answer = await judged(sent, service, accept=_FORMATS[wanted])
    return answer.response(save=wanted != "html")


def _rules(chosen: str, given: Iterable[Part]) -> list[Part]:
    """Return the fields that a choice of rules stands for; no edition means the one in force on the day."""
    if not chosen:
        return []
    body, _, edition = chosen.partition("/")
    pairs = {"body": body, "edition": edition}
    if not edition and not any(part.name == "on" for part in given):
        pairs["on"] = today().isoformat()
    return [_field(name, value) for name, value in pairs.items() if value]


def _field(name: str, value: str) -> Part:
    return Part(name=name, filename=None, media_type="", data=value.encode())


def _unknown(name: str, value: str, known: Iterable[str]) -> Failure:
    problem = Problem(f"field {name}", f"{value[:40]!r} is not known", f"use one of {', '.join(known)}", "usage")
    return Failure("usage", "The form has a field that cannot be taken.", problems=[problem])


async def _form_page(request: Request, form: Form, failure: Failure | None = None) -> Response:
    service = service_of(request)
    await look(request)
    choices = await service.reading.run(lambda: choices_of(service.shelf, language_of(request)))
    status = 200 if failure is None else failure.status
    shown: Mapping[str, Any] = {**choices, "asked": form, "failure": failure}
    answer = page(request, "index.html.j2", status=status, **shown)
    for name, value in ({} if failure is None else failure.headers).items():
        answer.headers[name] = value
    return answer
