"""From a request to who asks for what: the door of every operation and page of the register."""

from __future__ import annotations

from datetime import UTC, datetime

import anyio.to_thread
from starlette.requests import Request

from api.call import Asked
from api.reply import expected_of
from api.sender import SAFE, require_own_page, sender_of
from api.service import Service, service_of
from api.turns import address_of
from homolog.service.permissions import require


async def asked_of(request: Request, *, action: str) -> Asked:
    """Return who asks, for a route that is no `Operation`: one that answers with a file, or a stream.

    Raises:
        Failure: Nobody comes in with this, it came too often, or a foreign page sent it.
        HomologError: The actor may do this to nothing at all.
    """
    return await anyio.to_thread.run_sync(lambda: ask(request, service_of(request), action=action))


def ask(request: Request, service: Service, *, action: str, needs_match: bool = False, is_form: bool = False) -> Asked:
    """Return who asks; this blocks.

    Args:
        request: The request.
        service: Where it came to.
        action: What is asked for, as the table of permissions names it.
        needs_match: Whether the header If-Match must name a version.
        is_form: Whether the request's form holds a token that its reader looks at, so that it is not looked for here.

    Raises:
        Failure: Nobody comes in with this, it came too often, or a foreign page sent it.
        HomologError: The actor may do this to nothing at all.
    """
    now = datetime.now(UTC)
    address = address_of(request)
    sender = sender_of(request, service, now=now)
    subject = address if sender.actor.account is None else f"account:{sender.actor.account}"
    service.turns.take(subject, "request", service.settings.requests_per_minute)
    if request.method not in SAFE and not is_form:
        require_own_page(request, sender, service.register.settings)
    require(sender.actor, action)
    return Asked(
        request=request,
        service=service,
        actor=sender.actor,
        now=now,
        expected=expected_of(request, is_needed=needs_match),
        session_id=sender.session_id,
        secret=sender.secret,
        address=address,
    )
