"""`/api/v1/reports/{sha256}`: a report or a certificate by its digest, in each of its forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.accept import HTML, JSON, PDF, chosen
from api.asking import asked_of
from api.call import Asked
from api.check import accept_of
from api.given import disposition
from api.headers import REPORT_POLICY
from api.problems import Failure
from api.words import LANGUAGES, language_of

if TYPE_CHECKING:
    from homolog.service.records import Record

FORMS = {"json": JSON, "html": HTML, "pdf": PDF, "signed": JSON}
_BY_TYPE = {JSON: "json", HTML: "html", PDF: "pdf"}


async def give(request: Request) -> Response:
    """Give a record in the form that the header Accept wants."""
    return await _given(request, _BY_TYPE[chosen(accept_of(request), (JSON, HTML, PDF))])


async def give_form(request: Request) -> Response:
    """Give a record in one form."""
    form = request.path_params["form"]
    if form not in FORMS:
        raise Failure("not_found", f"A record is given as {', '.join(FORMS)}.")
    return await _given(request, form)


async def _given(request: Request, form: str) -> Response:
    asked = await asked_of(request, action="record.read")
    lang = _lang(request)
    work: Callable[[], Response] = lambda: _answer(asked, request.path_params["sha256"], form, lang)  # noqa: E731
    if form == "pdf":  # setting one takes about as long as judging a sheet
        return await asked.service.judging.run(work)
    return await anyio.to_thread.run_sync(work)


def _answer(asked: Asked, sha256: str, form: str, lang: str) -> Response:
    from homolog.service import records

    record = records.find(asked.actor, asked.desk, sha256)
    made = _made(asked, record, form, lang)
    ending = "signed.json" if form == "signed" else form
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Accept, Authorization, Cookie",
        "Content-Disposition": disposition(f"{record.kind}-{sha256[:12]}.{ending}", is_shown=form in ("html", "json")),
    }
    if form == "html":
        headers["Content-Security-Policy"] = REPORT_POLICY
    return Response(made, media_type="text/html; charset=utf-8" if form == "html" else FORMS[form], headers=headers)


def _made(asked: Asked, record: Record, form: str, lang: str) -> bytes:
    from homolog.service import proofs, views

    address = asked.sealer.verify_url(record.sha256)
    match form:
        case "html":
            return views.html(record, lang, address)
        case "pdf":
            return views.signed_pdf(record, lang, address, asked.sealer, now=asked.now)
        case "signed":
            return proofs.signed(asked.desk, record.sha256).canonical() + b"\n"
        case _:
            return record.data


def _lang(request: Request) -> str:
    given = request.query_params.getlist("lang")
    others = [name for name in request.query_params if name != "lang"]
    if others or len(given) > 1 or any(lang not in LANGUAGES for lang in given):
        raise Failure("usage", f"The address takes lang alone, one of {', '.join(LANGUAGES)}.")
    return given[0] if given else language_of(request)


ROUTES: tuple[Route, ...] = (
    Route("/api/v1/reports/{sha256}", give, methods=["GET"]),
    Route("/api/v1/reports/{sha256}/{form}", give_form, methods=["GET"]),
)
