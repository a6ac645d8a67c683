"""What the service does before it takes its first request and after its last."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI

from api import log
from homolog.errors import MeasuringFailed


@asynccontextmanager
async def started(app: FastAPI) -> AsyncIterator[None]:
    """Try the sandbox and open the register.

    Each ring of the sandbox that this machine lacks is logged; without them the service runs all the same.
    """
    await anyio.to_thread.run_sync(tell_rings)
    # Beside the first requests: whoever only checks a sheet does not wait for a database.
    threading.Thread(target=app.state.service.register.warm, daemon=True).start()
    yield
    app.state.service.register.close()


def tell_rings() -> None:
    """Log the rings that are missing."""
    from homolog.scan.sandbox.rings import rings

    try:
        missing = [ring for ring in rings() if not ring.is_there]
    except MeasuringFailed as error:
        log.fault("no scan can be measured", error)
        return
    for ring in missing:
        log.warning("the sandbox lacks a ring; see docs/sandbox.md", ring=ring.name, why=ring.why)
