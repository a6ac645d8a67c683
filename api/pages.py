"""The pages for people: hand in a sheet or a scan, read the report; works without a script in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.accept import HTML, JSON, JSON_LINES, PDF
from api.blank import TYPES
from api.check import judged, take_turn, today
from api.looking import look
from api.multipart import Part
from api.openapi import BODIES, document
from api.problems import ALL_KINDS, Failure
from api.sent import SHEET_ENDINGS, body_type, read_parts, refuse_parameters, sent_of
from api.service import Service, service_of
from api.templates import page
from homolog.errors import Problem
from homolog.gate.mesh_file import ENDINGS

_FORMATS = {"html": HTML, "pdf": PDF, "json": f"{JSON}, {JSON_LINES};q=0.5"}
_ITEMS = ("goalkeeper", "figure", "ball", "goal", "board", "set", "match")
_CHOICES: Mapping[str, Any] = {
    "scan_endings": ",".join(ENDINGS),
    "blank_endings": tuple(TYPES),
    "sheet_endings": ",".join(SHEET_ENDINGS),
    "items": (("", "As the sheet says"), *((name, name.capitalize()) for name in _ITEMS)),
    "purposes": (
        ("self_test", "My own test"),
        ("type_approval", "Type approval"),
        ("match", "A match"),
        ("recheck", "Recheck of an approved type"),
    ),
    "sources": (
        ("", "As the sheet says"),
        ("structured_light", "Structured light"),
        ("photogrammetry", "Photogrammetry"),
        ("laser", "Laser"),
        ("ct", "Computed tomography"),
        ("cad", "Not scanned: a CAD drawing"),
    ),
    "units": (("", "Find out, or as the sheet says"), ("mm", "mm"), ("cm", "cm"), ("m", "m"), ("in", "inch")),
    "languages": (("en", "English"), ("uk", "Українська"), ("it", "Italiano")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What stands in the form's fields, so that it can be shown again."""

    item: str = ""
    purpose: str = "self_test"
    rules: str = "fistf/4.0"
    on: str = ""
    source: str = ""
    unit: str = ""
    lang: str = "en"

    @property
    def is_open(self) -> bool:
        """Whether a field of the second row is filled in."""
        return bool(self.on or self.source or self.unit) or self.lang != "en"

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Form:
        """Take the fields over from what was sent."""
        known = {field.name for field in fields(cls)}
        sent = {part.name: part.data.decode("utf-8", "replace")[:40] for part in parts if part.filename is None}
        return cls(**{name: text for name, text in sent.items() if name in known})


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
            return await _judged(parts, service)
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
    return page(request, "operations.html.j2", document=document(), bodies=BODIES)


async def _parts(request: Request, service: Service) -> list[Part]:
    if body_type(request) != "multipart/form-data":
        raise Failure("media_type", "This page takes its own form only; programs send sheets to /api/v1/check.")
    return await read_parts(request, service.settings)


async def _judged(parts: Iterable[Part], service: Service) -> Response:
    given, own = [], {}
    for part in parts:
        if part.name in ("format", "rules"):
            own[part.name] = part.data.decode("utf-8", "replace")
        elif part.filename is not None or part.data:  # an empty field is one that was left alone
            given.append(part)
    wanted = own.get("format", "html")
    if wanted not in _FORMATS:
        raise _unknown("format", wanted, _FORMATS)
    sent = sent_of([*given, *_rules(own.get("rules", ""), given)], service.settings)
    if sent.sheet is None and sent.fields.item is None:
        problem = Problem("What it is", "a scan alone does not say what it shows", "choose it from the list", "item_missing")
        raise Failure("usage", "One more choice is needed.", problems=[problem])
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
    rules = await service.reading.run(lambda: _rule_choices(service))
    status = 200 if failure is None else failure.status
    shown: Mapping[str, Any] = {**_CHOICES, "rules": rules, "form": form, "failure": failure}
    answer = page(request, "index.html.j2", status=status, **shown)
    for name, value in ({} if failure is None else failure.headers).items():
        answer.headers[name] = value
    return answer


def _rule_choices(service: Service) -> list[tuple[str, str]]:
    """Return the editions, and for a body with several the one in force on the day."""
    library = service.shelf.library
    choices = [(f"{body}/{label}", edition.file.title) for (body, label), edition in library.editions.items()]
    choices.sort(key=lambda choice: (choice[0] != "fistf/4.0", not choice[0].startswith("fistf/")))
    bodies = dict.fromkeys(body for body, _ in library.editions)
    several = [body for body in bodies if len(library.labels(body)) > 1]
    return [*choices, *((f"{body}/", f"{body.upper()}, the edition in force on the day") for body in several)]
