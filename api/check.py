"""`POST /api/v1/check`: a sheet, a scan, or both in; the record or a report out."""

from __future__ import annotations

from datetime import UTC, date, datetime

from starlette.requests import Request
from starlette.responses import Response

from api.accept import chosen
from api.answer import ONE, Answer, answer_of
from api.faults import failure_of
from api.sent import Sent, read_sent
from api.service import Service, service_of
from api.turns import address_of
from homolog.errors import HomologError


async def check(request: Request) -> Response:
    """Judge what a program sends."""
    service = service_of(request)
    take_turn(request, service)
    accept = accept_of(request)
    chosen(accept, ONE)  # a form that is never given is refused before the body is read
    async with service.uploads.held():
        sent = await read_sent(request, service.settings)
        answer = await judged(sent, service, accept=accept)
    return answer.response()


async def judged(sent: Sent, service: Service, *, accept: str | None) -> Answer:
    """Judge in a thread; scans have places of their own, so that sheets do not wait for them.

    Raises:
        Failure: It could not be judged, or there is no place.
    """
    places = service.judging if not sent.scans else service.measuring
    try:
        return await places.run(lambda: answer_of(sent, service.shelf, service.settings, accept=accept, today=today()))
    except HomologError as error:
        raise failure_of(error, is_form=sent.is_form) from None


def take_turn(request: Request, service: Service) -> None:
    """Count a check.

    Raises:
        Failure: There were too many from this address.
    """
    service.turns.take(address_of(request), "check", service.settings.checks_per_minute)


def accept_of(request: Request) -> str | None:
    """Return the header Accept; several are one list."""
    return ",".join(request.headers.getlist("accept")) or None


def today() -> date:
    """Return the day in UTC: a server stands in no place of its own."""
    return datetime.now(UTC).date()
