"""Whether the service lives, and whether it can judge."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api import log
from api.problems import Failure
from api.service import service_of
from homolog.errors import HomologError, MeasuringFailed
from homolog.version import VERSION

_FRESH = {"Cache-Control": "no-store"}


async def healthz(request: Request) -> Response:
    """Say that the process is up."""
    return JSONResponse({"status": "up", "version": VERSION}, headers=_FRESH)


async def readyz(request: Request) -> Response:
    """Say whether all specs load and a scan can be measured, and behind which rings; the first call loads and tries them."""
    service = service_of(request)
    try:
        specs = await service.reading.run(service.shelf.load)
    except (HomologError, OSError) as error:
        log.fault("the rules do not load", error)
        raise Failure("not_ready", "The rules do not load; the log says why.") from None
    if not specs:
        raise Failure("not_ready", "There are no rules.")
    try:
        sandbox = await service.reading.run(_sandbox)
    except MeasuringFailed as error:
        log.fault("no scan can be measured", error)
        raise Failure("not_ready", "No scan can be measured; the log says why.") from None
    return JSONResponse({"status": "ready", "version": VERSION, "specs": specs, "sandbox": sandbox}, headers=_FRESH)


def _sandbox() -> list[dict[str, str | bool]]:
    from homolog.scan.sandbox.rings import rings

    return [{"ring": ring.name, "holds": ring.is_there, "says": ring.why} for ring in rings()]
