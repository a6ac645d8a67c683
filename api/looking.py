"""Who looks at a page that is for everybody: known if they have signed in, and never sent away."""

from __future__ import annotations

from datetime import UTC, datetime

import anyio.to_thread
from starlette.requests import Request

from api import log
from api.call import Asked
from api.problems import Failure
from api.sender import Sender, sender_of
from api.service import service_of
from api.turns import address_of
from homolog.errors import HomologError


async def look(request: Request) -> None:
    """Note for `page` who looks, where a cookie may say so."""
    if request.cookies:
        request.state.asked = await anyio.to_thread.run_sync(_looking, request)


def _looking(request: Request) -> Asked | None:
    service, now = service_of(request), datetime.now(UTC)
    try:
        sender = sender_of(request, service, now=now)
    except Failure:
        return None
    except HomologError as error:  # a page that needs no register is shown without one
        log.fault("nobody can be known", error)
        return None
    return None if sender == Sender(actor=sender.actor) else _asked(request, sender, now)


def _asked(request: Request, sender: Sender, now: datetime) -> Asked:
    return Asked(
        request=request,
        service=service_of(request),
        actor=sender.actor,
        now=now,
        expected=None,
        session_id=sender.session_id,
        secret=sender.secret,
        address=address_of(request),
    )
