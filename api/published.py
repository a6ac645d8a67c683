"""What the register gives to everybody that is no JSON operation: exports, the feed, files and codes of types."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from api.asking import asked_of
from api.call import Asked
from api.given import disposition, file_answer
from api.problems import Failure
from api.sent import refuse_parameters
from api.specs import cached

if TYPE_CHECKING:
    from homolog.service.desk import Desk
    from homolog.service.types import Wanted

_SVG = "image/svg+xml"
_FEED = "application/feed+json"
_FEED_ENTRIES = 100


async def export(request: Request) -> Response:
    """Give the whole register: as CSV, as JSON, or as the extract that `homolog check --register` reads."""
    asked = await asked_of(request, action="type.read")
    refuse_parameters(request, "leave them out")
    ending = request.path_params["ending"]
    if ending not in _EXPORTS:
        raise Failure("not_found", f"The register is given as {', '.join(_EXPORTS)}.")
    media_type, name, lines = _EXPORTS[ending]
    pieces = await anyio.to_thread.run_sync(lambda: lines(asked))
    headers = {"Content-Disposition": disposition(name), "Cache-Control": "no-cache"}
    return StreamingResponse(pieces, media_type=media_type, headers=headers)


async def feed(request: Request) -> Response:
    """Give the last changes as JSON Feed 1.1, the newest first."""
    asked = await asked_of(request, action="type.read")
    refuse_parameters(request, "leave them out")
    data = await anyio.to_thread.run_sync(lambda: _feed(asked))
    return cached(request, json.dumps(data, ensure_ascii=False).encode(), _FEED)


async def type_file(request: Request) -> Response:
    """Give a public file of a type."""
    asked = await asked_of(request, action="type.read")
    refuse_parameters(request, "leave them out")
    number, digest = request.path_params["number"], request.path_params["sha256"]

    def found() -> Response:
        from homolog.service import types

        name, pieces = types.read_file(asked.desk, number, digest)
        return file_answer(request, name, pieces, digest=digest, is_public=True)

    return await anyio.to_thread.run_sync(found)


async def type_code(request: Request) -> Response:
    """Give the code to scan that leads to a type's page."""
    asked = await asked_of(request, action="type.read")
    refuse_parameters(request, "leave them out")

    def found() -> bytes:
        from homolog.report.qr import qr_svg
        from homolog.service import types

        view = types.view(asked.actor, asked.desk, request.path_params["number"], day=asked.today)
        return qr_svg(asked.sealer.type_url(view.record.number)).encode()

    return cached(request, await anyio.to_thread.run_sync(found), _SVG)


def _feed(asked: Asked) -> dict[str, Any]:
    from homolog.service import shown, types

    base = asked.settings.base_url
    found = types.last_changes(asked.desk, limit=_FEED_ENTRIES)
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"Register of types, {asked.desk.body}",
        "home_page_url": f"{base}/types",
        "feed_url": f"{base}/api/v1/feed.json",
        "items": [
            {
                "id": f"{base}/types/{quote(one.type_number)}#change-{one.number}",
                "url": f"{base}/types/{quote(one.type_number)}",
                "title": f"{one.type_number} {one.name}: {one.what}",
                "content_text": f"{one.type_number} {one.name}: {one.what}" + ("" if one.on is None else f", from {one.on} on"),
                "date_published": one.at.isoformat(),
                "_homolog": shown.change(one),
            }
            for one in found
        ],
    }


def _wanted(asked: Asked) -> Wanted:
    from homolog.service.types import wanted_of

    return wanted_of(item=None, family=None, status=None, on=asked.today)


def _csv(asked: Asked) -> Iterator[bytes]:
    from homolog.service.exports import csv_lines

    return csv_lines(asked.desk, _wanted(asked))


def _json(asked: Asked) -> Iterator[bytes]:
    from homolog.service.exports import json_lines

    return json_lines(asked.desk, _wanted(asked))


def _extract(asked: Asked) -> Iterator[bytes]:
    from homolog.service.exports import extract

    desk: Desk = asked.desk
    return iter([extract(desk, day=asked.today)])


_EXPORTS: dict[str, tuple[str, str, Callable[[Asked], Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", "register.csv", _csv),
    "json": ("application/json", "register.json", _json),
    "extract.json": ("application/json", "register-extract.json", _extract),
}

ROUTES: tuple[Route, ...] = (
    Route("/api/v1/register.{ending}", export, methods=["GET"]),
    Route("/api/v1/feed.json", feed, methods=["GET"]),
    Route("/api/v1/types/{number}/files/{sha256}", type_file, methods=["GET"]),
    Route("/api/v1/types/{number}/code.svg", type_code, methods=["GET"]),
)
