"""What the service does before it takes its first request and after its last."""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from fastapi import FastAPI

from api import log
from homolog.errors import HomologError, MeasuringFailed

if TYPE_CHECKING:
    from api.service import Service

# What modules of these rooms import where they use it.
_WHERE_USED = ("argon2.exceptions", "webauthn", "segno", "xlsxwriter")


@asynccontextmanager
async def started(app: FastAPI) -> AsyncIterator[None]:
    """Try the sandbox and open the register.

    Each ring of the sandbox that this machine lacks is logged; without them the service runs all the same.
    """
    await anyio.to_thread.run_sync(tell_rings)
    # Waited for: requests that come at once and load libraries at the same time get some of them half loaded.
    await anyio.to_thread.run_sync(warm, app.state.service)
    async with anyio.create_task_group() as beside:
        # Not waited for: whoever only checks a sheet waits for no database.
        beside.start_soon(anyio.to_thread.run_sync, app.state.service.register.warm)
        yield
    app.state.service.register.close()


def warm(service: Service) -> None:
    """Load what requests would load: libraries, rules, words, templates, the description. Nothing is opened or written."""
    from api.specs import interface_bytes
    from api.templates import load
    from api.words import LANGUAGES, words

    try:
        load_libraries()
        for lang in LANGUAGES:
            words(lang)
        load()
        interface_bytes()
        service.shelf.load()
    except (HomologError, OSError, ValueError) as error:
        log.fault("something that pages or checks need cannot be loaded", error)  # each request that needs it says so too


def load_libraries() -> None:
    """Import every module of the rooms that requests use; of the jobs, which have workers of their own, what asks for one."""
    import homolog.check
    import homolog.report
    import homolog.seal
    import homolog.service

    for room in (homolog.check, homolog.report, homolog.seal, homolog.service):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not module.name.startswith("homolog.service.jobs."):
                import_module(module.name)
    for name in ("homolog.service.jobs.asked", *_WHERE_USED):
        import_module(name)


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
