"""What the service does before it takes its first request and after its last."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from fastapi import FastAPI

from api import log
from homolog.errors import HomologError, MeasuringFailed

if TYPE_CHECKING:
    from api.service import Service


@asynccontextmanager
async def started(app: FastAPI) -> AsyncIterator[None]:
    """Try the sandbox and open the register.

    Each ring of the sandbox that this machine lacks is logged; without them the service runs all the same.
    """
    await anyio.to_thread.run_sync(tell_rings)
    async with anyio.create_task_group() as beside:
        # Not waited for: whoever comes first waits no longer than before, and who only checks a sheet not for a database.
        beside.start_soon(anyio.to_thread.run_sync, warm, app.state.service)
        beside.start_soon(anyio.to_thread.run_sync, app.state.service.register.warm)
        yield
    app.state.service.register.close()


def warm(service: Service) -> None:
    """Load what the first readers would wait for: rules, words, templates, the description. Nothing is opened or written."""
    from api.specs import interface_bytes
    from api.templates import load
    from api.words import LANGUAGES, words

    try:
        import homolog.service.desk  # noqa: F401 -- the register's libraries

        for lang in LANGUAGES:
            words(lang)
        load()
        interface_bytes()
        service.shelf.load()
    except (HomologError, OSError, ValueError) as error:
        log.fault("something that pages or checks need cannot be loaded", error)  # each request that needs it says so too


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
