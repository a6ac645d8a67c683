"""Sending an edition's files from the board's page: a form with files, as browsers send it without scripts."""

from __future__ import annotations

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.call import Asked
from api.draft_pages import show_drafts
from api.drafts import FILES_LIMIT, read_in
from api.file_form import take_form
from api.multipart import Part
from api.page_route import done
from api.problems import Failure
from api.sent import label_of
from api.templates import page
from homolog.errors import Problem

_AGAIN = frozenset({"input_refused", "step_refused", "usage", "malformed", "body_too_large"})


async def enter(request: Request) -> Response:
    """Enter the files that were chosen as a draft."""
    return await take_form(request, action="rule.enter", take=_entered, refused=_refused)


def _entered(asked: Asked, parts: list[Part]) -> Response:
    from homolog.service import editions

    files = _files(parts)
    view = read_in(lambda: editions.enter_edition(asked.actor, asked.rules, files, now=asked.now))
    return done(f"/drafts/{view.draft.id}", "entered")


def _files(parts: list[Part]) -> dict[str, bytes]:
    """Return the files by their paths in the edition's folder: translations by their language, all else by their names.

    A browser tells the names of files without their folders, so each language has a field of its own.
    """
    found: dict[str, bytes] = {}
    problems = []
    for part in parts:
        if part.filename is None or not part.data:
            continue
        folder = part.name.removeprefix("files").replace("_", "/")
        name = f"{folder.strip('/')}/{label_of(part)}".strip("/")
        if name in found:
            problems.append(Problem(name, "it is there twice", "choose it once", "usage"))
        found[name] = part.data
    if not found:
        problems.append(Problem("files", "no file was chosen", "choose at least one spec file", "nothing_chosen"))
    if sum(map(len, found.values())) > FILES_LIMIT:
        problems.append(Problem("files", f"they have more than {FILES_LIMIT} bytes", "choose fewer", "usage"))
    if problems:
        raise Failure("input_refused", "The files cannot be taken.", problems=problems)
    return found


async def _refused(request: Request, failure: Failure) -> Response:
    asked: Asked | None = getattr(request.state, "asked", None)
    if asked is None or failure.code not in _AGAIN:
        shown = page(request, "refused.html.j2", status=failure.status, failure=failure)
    else:
        shown = await anyio.to_thread.run_sync(lambda: show_drafts(asked, failure=failure))
    for name, value in failure.headers.items():
        shown.headers[name] = value
    return shown


ROUTES: tuple[Route, ...] = (Route("/drafts/editions", enter, methods=["POST"]),)
