"""Sending files from an application's page: a form with files, as browsers send it without scripts."""

from __future__ import annotations

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.application_pages import show_application
from api.call import Asked
from api.faults import failure_of
from api.file_form import take_form
from api.multipart import Part
from api.page_route import done
from api.problems import Failure
from api.sent import label_of
from api.templates import page
from homolog.errors import HomologError, Problem

_NOT_AGAIN = frozenset({"form_refused", "not_found", "not_ready", "internal", "sign_in_needed", "not_allowed"})


async def attach(request: Request) -> Response:
    """Attach the files that were chosen."""
    return await take_form(request, action="application.attach", take=_attached, refused=_refused)


def _attached(asked: Asked, parts: list[Part]) -> Response:
    from homolog.service import applications

    application = asked.request.path_params["application"]
    files = [part for part in parts if part.name == "files" and part.filename and part.data]
    if not files:
        problem = Problem("files", "no file was chosen", "choose one, or several", "nothing_chosen")
        raise Failure("input_refused", "No file was chosen.", problems=[problem])
    for part in files:
        applications.attach(
            asked.actor,
            asked.desk,
            application,
            [part.data],
            label_of(part),
            now=asked.now,
            limit=asked.service.settings.body_limit,
        )
    return done(f"/applications/{application}", "attached")


async def _refused(request: Request, failure: Failure) -> Response:
    asked: Asked | None = getattr(request.state, "asked", None)
    if asked is None or failure.code in _NOT_AGAIN:
        shown = page(request, "refused.html.j2", status=failure.status, failure=failure)
    else:
        application = request.path_params["application"]
        try:
            shown = await anyio.to_thread.run_sync(lambda: show_application(asked, application, failure=failure))
        except HomologError as error:  # it is not for whoever sent the file
            missing = failure_of(error)
            return page(request, "refused.html.j2", status=missing.status, failure=missing)
        shown.status_code = failure.status
    for name, value in failure.headers.items():
        shown.headers[name] = value
    return shown


ROUTES: tuple[Route, ...] = (Route("/applications/{application}/files", attach, methods=["POST"]),)
