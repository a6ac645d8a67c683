"""`/api/v1/applications/{application}/files`: files of an application, streamed both ways."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import AsyncIterator, Iterator

import anyio.from_thread
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.asking import asked_of
from api.body import chunks
from api.call import Asked
from api.given import file_answer
from api.problems import Failure
from homolog.errors import Problem

_DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/=]{44}):")


async def attach(request: Request) -> Response:
    """Take a file in: the body is its bytes, `name` in the query its name."""
    asked = await asked_of(request, action="application.attach")
    name, expected = _name(request), announced(request)
    settings = asked.service.settings
    async with asked.service.uploads.held():
        body = chunks(request, limit=settings.body_limit, seconds=settings.body_seconds)
        digest = await anyio.to_thread.run_sync(lambda: _attach(asked, name, pieces_of(body), expected))
    application = request.path_params["application"]
    address = f"/api/v1/applications/{application}/files/{digest}"
    told = json.dumps({"sha256": digest, "name": name}, ensure_ascii=False).encode()
    return Response(
        told, status_code=201, media_type="application/json", headers={"Location": address, "Cache-Control": "private, no-cache"}
    )


async def give(request: Request) -> Response:
    """Give a file of an application."""
    asked = await asked_of(request, action="application.read")
    application, digest = request.path_params["application"], request.path_params["sha256"]

    def found() -> Response:
        from homolog.service import applications

        name, pieces = applications.read_file(asked.actor, asked.desk, application, digest)
        return file_answer(request, name, pieces, digest=digest, is_public=False)

    return await anyio.to_thread.run_sync(found)


def pieces_of(body: AsyncIterator[bytes]) -> Iterator[bytes]:
    """Yield a body's pieces in a worker thread, each as it comes: no more of it is held than one piece."""

    async def following() -> bytes | None:
        return await anext(body, None)

    while (piece := anyio.from_thread.run(following)) is not None:
        yield piece


def announced(request: Request) -> str | None:
    """Return the SHA-256 that the header Content-Digest announces (RFC 9530), in hexadecimal; None if there is none.

    Raises:
        Failure: It cannot be read.
    """
    given = request.headers.get("content-digest")
    if given is None:
        return None
    found = _DIGEST.fullmatch(given.strip())
    try:
        digest = base64.b64decode(found[1], validate=True) if found is not None else b""
    except binascii.Error:
        digest = b""
    if len(digest) != 32:
        problem = Problem("header Content-Digest", "it is no SHA-256", "write it as sha-256=:BASE64:", "usage")
        raise Failure("usage", "The digest cannot be read.", problems=[problem])
    return digest.hex()


def _name(request: Request) -> str:
    problems = [
        Problem(f"parameter {name[:40]}", "it is not read here", "leave it out", "usage")
        for name in request.query_params
        if name != "name"
    ]
    given = request.query_params.getlist("name")
    if len(given) != 1 or not given[0].strip():
        problems.append(Problem("parameter name", "the file has no name, or several", "write ?name=front.png", "usage"))
    if problems:
        raise Failure("usage", "The address cannot be taken.", problems=problems)
    return given[0].strip()


def _attach(asked: Asked, name: str, pieces: Iterator[bytes], expected: str | None) -> str:
    from homolog.service import applications

    return applications.attach(
        asked.actor,
        asked.desk,
        asked.request.path_params["application"],
        pieces,
        name,
        now=asked.now,
        limit=asked.service.settings.body_limit,
        expected=expected,
    )


ROUTES: tuple[Route, ...] = (
    Route("/api/v1/applications/{application}/files", attach, methods=["POST"]),
    Route("/api/v1/applications/{application}/files/{sha256}", give, methods=["GET"]),
)
