"""The door under test: one application, called without a network."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from api.app import create_app
from api.settings import Settings
from tests.api.shapes import ellipsoid, stl

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Content = bytes | AsyncIterator[bytes]


class Door:
    """Sends requests to an application and waits for the answers."""

    def __init__(self, app: FastAPI, portal: BlockingPortal) -> None:
        self.app = app
        self.portal = portal

    @property
    def service(self) -> Any:
        return self.app.state.service

    async def send(self, method: str, url: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://door") as client:
            client.headers.pop("accept", None)
            return await client.request(method, url, **more)

    def __call__(self, method: str, url: str, **more: Any) -> httpx.Response:
        return self.portal.call(lambda: self.send(method, url, **more))

    def get(self, url: str, **more: Any) -> httpx.Response:
        return self("GET", url, **more)

    def check(self, sheet: dict[str, Any] | bytes, *, kind: str = "application/json", **more: Any) -> httpx.Response:
        """Send a sheet as a body of its own."""
        headers = {"Content-Type": kind, **more.pop("headers", {})}
        content = sheet if isinstance(sheet, bytes) else json.dumps(sheet).encode()
        return self("POST", "/api/v1/check", content=content, headers=headers, **more)

    def form(self, url: str = "/api/v1/check", **more: Any) -> httpx.Response:
        return self("POST", url, **more)


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as running:
        yield running


@pytest.fixture(scope="session")
def door(portal: BlockingPortal) -> Door:
    return Door(create_app(Settings(checks_per_minute=1_000_000, requests_per_minute=1_000_000)), portal)


@pytest.fixture
def door_with(portal: BlockingPortal) -> Callable[..., Door]:
    """Return a door with settings of its own."""
    return lambda **settings: Door(create_app(Settings(**settings)), portal)


@pytest.fixture
def ball() -> dict[str, Any]:
    """Return a sheet of a ball that meets what it measures."""
    sheet: dict[str, Any] = json.loads((EXAMPLES / "ball.json").read_bytes())
    return sheet


@pytest.fixture
def lot() -> bytes:
    return b"item,ball.mass[g],ball.mass.U,ball.mass.method\nball,1.51,0.01,scale\nball,1.52,0.01,scale\n"


@pytest.fixture(scope="session")
def scan() -> bytes:
    return stl(ellipsoid())
