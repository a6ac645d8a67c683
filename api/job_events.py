"""`/api/v1/jobs/{job}/events`: how far a job is, told as it changes (server-sent events)."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from api import log
from api.asking import asked_of
from api.body import Uploads
from api.call import Asked
from api.jobs import JobShown, shown_job
from api.problems import Failure
from api.sent import refuse_parameters
from homolog.errors import HomologError

if TYPE_CHECKING:
    from homolog.service.jobs.asked import JobState

EVENTS = "text/event-stream"
GLANCE = 0.5
"""Seconds between two looks; nobody waits in a thread between them."""
HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that nothing on the way takes the line for dead."""
LONGEST = 600.0
"""Seconds after which a line ends: the browser comes again, and is asked again who it is."""
RETRY_MS = 2000
MOST_LISTENERS = 500
_listeners = Uploads(MOST_LISTENERS)


async def events(request: Request) -> Response:
    """Tell how far a job is, at once and at each change, until it has ended."""
    asked = await asked_of(request, action="job.read")
    refuse_parameters(request, "leave them out")
    look = _look(asked)
    first = shown_job(await anyio.to_thread.run_sync(look))
    seen = request.headers.get("last-event-id", "")
    if first.ended_at is not None and seen == id_of(first):
        return Response(status_code=204)  # what makes a browser stop coming back
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_held(told(first, look, seen=seen)), media_type=EVENTS, headers=headers)


async def told(
    first: JobShown,
    look: Callable[[], JobState],
    *,
    seen: str = "",
    glance: float = GLANCE,
    heartbeat: float = HEARTBEAT,
    longest: float = LONGEST,
) -> AsyncIterator[str]:
    """Yield the events of a job.

    Args:
        first: How far it was when it was asked.
        look: Says how far it is; this blocks.
        seen: The id of the last event that the listener had, which is not sent a second time.
        glance: Seconds between two looks.
        heartbeat: Seconds of silence before a comment.
        longest: Seconds after which the line ends.
    """
    yield f"retry: {RETRY_MS}\n\n"
    begun = quiet = anyio.current_time()
    job, last = first, seen
    while True:
        if id_of(job) != last:
            yield event_of(job)
            last, quiet = id_of(job), anyio.current_time()
        elif anyio.current_time() - quiet >= heartbeat:
            yield ": still here\n\n"
            quiet = anyio.current_time()
        if job.ended_at is not None or anyio.current_time() - begun >= longest:
            return
        await anyio.sleep(glance)
        try:
            job = shown_job(await anyio.to_thread.run_sync(look))
        except HomologError as error:  # the line ends, and the browser comes again
            log.fault("a job cannot be followed", error)
            return


def id_of(job: JobShown) -> str:
    """Return what tells one state of a job from another; the same on every machine, so that a listener may change over."""
    return hashlib.sha256(job.model_dump_json().encode()).hexdigest()[:16]


def event_of(job: JobShown) -> str:
    """Return a job as an event: `progress`, or `end` when nothing more will come."""
    kind = "progress" if job.ended_at is None else "end"
    return f"id: {id_of(job)}\nevent: {kind}\ndata: {job.model_dump_json()}\n\n"


def _look(asked: Asked) -> Callable[[], JobState]:
    from homolog.service.jobs.asked import status

    database, job = asked.stores.database, asked.request.path_params["job"]
    return lambda: status(asked.actor, database, job)


async def _held(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield the lines while one of the places for listeners is held; where all are taken, the browser comes again later."""
    try:
        async with _listeners.held():
            async for line in lines:
                yield line
    except Failure:
        yield "retry: 10000\n\n"


ROUTES: tuple[Route, ...] = (Route("/api/v1/jobs/{job}/events", events, methods=["GET"]),)
