"""A request's body: read as it comes, never more of it than allowed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from starlette.requests import ClientDisconnect, Request

from api.problems import Failure

_LENGTH = re.compile(r"[0-9]{1,18}")
_CLOSE = {"Connection": "close"}


async def chunks(request: Request, *, limit: int, seconds: float) -> AsyncIterator[bytes]:
    """Yield the body's pieces.

    Raises:
        Failure: The body is announced or found to be larger than the limit, comes too slowly, or breaks off.
    """
    check_length(request, limit)
    deadline = anyio.current_time() + seconds
    stream = request.stream()
    seen = 0
    while True:
        chunk = await _next(stream, deadline, seconds)
        if chunk is None:
            return
        seen += len(chunk)
        if seen > limit:
            raise too_large("The body", limit)
        yield chunk


async def whole(request: Request, *, limit: int, seconds: float) -> bytes:
    """Return the whole body.

    Raises:
        Failure: As for `chunks`.
    """
    found = bytearray()
    async for chunk in chunks(request, limit=limit, seconds=seconds):
        found += chunk
    return bytes(found)


def check_length(request: Request, limit: int) -> None:
    """Refuse a body by the length that it announces, before any of it is read.

    Raises:
        Failure: The length is above the limit, or no number.
    """
    announced = request.headers.get("content-length")
    if announced is None:
        return
    if _LENGTH.fullmatch(announced) is None:
        raise Failure("malformed", "The header Content-Length is not a number.", headers=_CLOSE)
    if int(announced) > limit:
        raise too_large("The body", limit)


def too_large(what: str, limit: int) -> Failure:
    """Return the problem of something with too many bytes."""
    return Failure("body_too_large", f"{what} has more than {limit} bytes.", headers=_CLOSE, more={"limit": limit})


async def _next(stream: AsyncIterator[bytes], deadline: float, seconds: float) -> bytes | None:
    try:
        with anyio.fail_after(max(deadline - anyio.current_time(), 0)):
            return await anext(stream, None)
    except TimeoutError:
        raise Failure("body_timeout", f"The body did not arrive within {seconds:g} s.", headers=_CLOSE) from None
    except ClientDisconnect:
        raise Failure("malformed", "The body broke off before its end.", headers=_CLOSE) from None


class Uploads:
    """Counts the bodies that are held at the same time, so that their sum is bounded."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    @property
    def count(self) -> int:
        """How many are held."""
        return self._held

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold one body.

        Raises:
            Failure: As many as allowed are held already.
        """
        if self._held >= self._most:
            raise Failure("busy", "Too many uploads at the same time.", headers={"Retry-After": "5", **_CLOSE})
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
