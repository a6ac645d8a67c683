"""`GET /api/v1/specs`: the rules as data, to be read and cached by programs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from api.accept import JSON, YAML, chosen
from api.check import accept_of
from api.openapi import document
from api.problems import Failure
from api.sent import refuse_parameters
from api.service import Shelf, service_of
from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.spec.library import LoadedEdition
    from homolog.spec.load import LoadedSpec

_CACHE = "public, max-age=300"
_SCHEMA = "application/schema+json"
_OPENAPI = "application/openapi+json"


async def bodies(request: Request) -> Response:
    """List the bodies with their editions."""
    refuse_parameters(request, "leave them out")
    chosen(accept_of(request), (JSON,))
    service = service_of(request)
    return cached(request, await service.reading.run(lambda: _json(_bodies(service.shelf))), JSON)


async def edition(request: Request) -> Response:
    """Show one edition."""
    refuse_parameters(request, "leave them out")
    chosen(accept_of(request), (JSON,))
    service = service_of(request)
    found = await service.reading.run(lambda: _edition(edition_at(request, service.shelf)))
    return cached(request, _json(found), JSON)


async def item(request: Request) -> Response:
    """Give one spec: as its parsed document, or as the file that the digest is of."""
    refuse_parameters(request, "leave them out")
    form = chosen(accept_of(request), (JSON, YAML))
    service = service_of(request)
    loaded, raw = await service.reading.run(lambda: _spec(request, service.shelf))
    if form == YAML:
        return cached(request, raw, YAML, digest=loaded.sha256)
    document = {"sha256": loaded.sha256, "spec": loaded.document.value}
    return cached(request, _json(document), JSON, digest=f"{loaded.sha256}-json")


async def report_schema(request: Request) -> Response:
    """Give the JSON Schema of the record."""
    from homolog.data import templates_dir

    refuse_parameters(request, "leave them out")
    form = chosen(accept_of(request), (_SCHEMA, JSON))
    return cached(request, (templates_dir() / "report" / "schema" / "homolog-report-1.json").read_bytes(), form)


async def interface(request: Request) -> Response:
    """Give the description of this interface."""
    refuse_parameters(request, "leave them out")
    form = chosen(accept_of(request), (JSON, _OPENAPI))
    return cached(request, await anyio.to_thread.run_sync(interface_bytes), form)


@cache
def interface_bytes() -> bytes:
    """Return the description of this interface as it is sent; made once, in a while that others must not wait for."""
    return _json(document())


def edition_at(request: Request, shelf: Shelf) -> LoadedEdition:
    """Return the edition that an address names.

    Raises:
        Failure: There is none.
    """
    try:
        return shelf.library.edition(request.path_params["body"], request.path_params["edition"])
    except UsageError as error:
        raise Failure("not_found", "There is no such edition.", problems=error.problems) from None


def cached(request: Request, data: bytes, media_type: str, *, digest: str | None = None) -> Response:
    """Return an answer that clients may keep: 304 where they hold these bytes already."""
    tag = f'"{digest or hashlib.sha256(data).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": _CACHE, "Vary": "Accept"}
    held = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    if tag in held or "*" in held:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=media_type, headers=headers)


def _bodies(shelf: Shelf) -> dict[str, Any]:
    found: dict[str, list[dict[str, Any]]] = {}
    for (body, _), loaded in shelf.library.editions.items():
        found.setdefault(body, []).append(_edition(loaded))
    return {"bodies": [{"body": body, "editions": editions} for body, editions in found.items()]}


def _edition(loaded: LoadedEdition) -> dict[str, Any]:
    file = loaded.file
    address = f"/api/v1/specs/{file.body}/{file.label}"
    return {
        "body": file.body,
        "edition": file.label,
        "title": file.title,
        "issuer": file.issuer,
        "note": file.note,
        "href": address,
        "items": [_item(item, spec, address) for item in file.files if (spec := loaded.spec(item)) is not None],
        "unregulated": dict(file.unregulated),
    }


def _item(name: str, loaded: LoadedSpec, address: str) -> dict[str, Any]:
    spec = loaded.spec
    effective = spec.edition.effective.model_dump(mode="json", by_alias=True)
    return {
        "item": name,
        "id": spec.id,
        "title": spec.title,
        "status": spec.edition.status,
        "effective": effective,
        "requirements": len(spec.requirements),
        "sha256": loaded.sha256,
        "href": f"{address}/{name}",
    }


def _spec(request: Request, shelf: Shelf) -> tuple[LoadedSpec, bytes]:
    """Return a spec and its file's bytes.

    Raises:
        Failure: The edition has no spec for the item.
    """
    found, name = edition_at(request, shelf), request.path_params["item"]
    loaded, path = found.spec(name), found.path_of(name)
    if loaded is None or path is None:
        why = found.file.unregulated.get(name)
        detail = f"{found.file.body} {found.file.label} has no spec for {name[:40]!r}."
        raise Failure("not_found", f"{detail} {why}" if why else detail)
    return loaded, path.read_bytes()


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
