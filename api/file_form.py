"""A page's form with files, as browsers send it without scripts: who may, whether it is our own page, and what was sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from api.asking import ask
from api.call import Asked
from api.faults import failure_of
from api.multipart import Part
from api.problems import Failure
from api.sender import Sender, require_own_page
from api.sent import MULTIPART, read_parts
from api.service import service_of
from homolog.errors import HomologError


async def take_form(
    request: Request,
    *,
    action: str,
    take: Callable[[Asked, list[Part]], Response],
    refused: Callable[[Request, Failure], Awaitable[Response]],
) -> Response:
    """Return what `take` answers to the parts of a form of ours; it runs in a thread. `refused` shows what was wrong."""
    service = service_of(request)
    try:
        asked = await anyio.to_thread.run_sync(lambda: ask(request, service, action=action, is_form=True))
        request.state.asked = asked
        _refuse_other(request)
        async with service.uploads.held():
            parts = await read_parts(request, service.settings)
            return await anyio.to_thread.run_sync(lambda: _taken(asked, parts, take))
    except Failure as failure:
        return await refused(request, failure)
    except HomologError as error:
        return await refused(request, failure_of(error))


def _refuse_other(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MULTIPART:
        raise Failure("media_type", "This page takes its own form only.", more={"taken": [MULTIPART]})


def _taken(asked: Asked, parts: list[Part], take: Callable[[Asked, list[Part]], Response]) -> Response:
    token = next((part.data.decode("utf-8", "replace") for part in parts if part.name == "form_token"), "")
    sender = Sender(actor=asked.actor, session_id=asked.session_id, secret=asked.secret)
    require_own_page(asked.request, sender, asked.settings, form_token=token)
    return take(asked, parts)
