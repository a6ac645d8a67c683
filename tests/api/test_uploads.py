"""Files in parts: what was acknowledged is there, whatever happens to the line between two parts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from tests.api.walk import Walk, signing_world
from tests.api.world import Guest, World

DATA = bytes(range(256)) * 40


@pytest.fixture
def world(tmp_path: Path, _migrated_sqlite: Any, portal: BlockingPortal) -> World:
    return signing_world(tmp_path, _migrated_sqlite, portal, body_limit=20_000)


def begin(world: World, guest: Guest, **more: Any) -> str:
    made = world.send(guest, "POST", "/api/v1/uploads", {"name": "scan.stl", **more})
    assert made.status_code == 201, made.text
    return str(made.headers["location"])


def part(world: World, guest: Guest, address: str, at: int, data: bytes) -> Any:
    return world.door("PATCH", address, headers={**guest.headers, "Upload-Offset": str(at)}, content=data)


def test_a_file_comes_in_parts_and_is_attached_whole(world: World) -> None:
    walk = Walk(world)
    digest = hashlib.sha256(DATA).hexdigest()
    address = begin(world, walk.maker, size=len(DATA), sha256=digest)
    assert part(world, walk.maker, address, 0, DATA[:5000]).headers["upload-offset"] == "5000"
    assert part(world, walk.maker, address, 0, DATA[:5000]).status_code == 409  # it is there already
    assert world.send(walk.maker, "GET", address).json()["offset"] == 5000
    early = world.send(walk.maker, "POST", f"{walk.address}/uploads", {"upload": address.rpartition("/")[2]})
    assert (early.status_code, early.json()["problems"][0]["code"]) == (422, "upload_unfinished")
    assert part(world, walk.maker, address, 5000, DATA[5000:]).status_code == 204
    for _ in range(2):
        done = world.send(walk.maker, "POST", f"{walk.address}/uploads", {"upload": address.rpartition("/")[2]})
        assert (done.status_code, done.json()["sha256"]) == (201, digest)
    given = world.send(walk.maker, "GET", done.headers["location"])
    assert given.content == DATA


def test_a_file_that_is_not_what_was_announced_is_refused(world: World) -> None:
    walk = Walk(world)
    address = begin(world, walk.maker, sha256="0" * 64)
    assert part(world, walk.maker, address, 0, DATA).status_code == 204
    refused = world.send(walk.maker, "POST", f"{walk.address}/uploads", {"upload": address.rpartition("/")[2]})
    assert refused.status_code == 422
    assert world.send(walk.maker, "GET", walk.address).json()["files"] == []


def test_a_file_larger_than_announced_or_than_is_taken_is_refused(world: World) -> None:
    maker = world.guest("manufacturer")
    address = begin(world, maker, size=10)
    assert part(world, maker, address, 0, DATA[:11]).status_code == 422
    address = begin(world, maker)
    assert part(world, maker, address, 0, DATA).status_code == 204
    assert part(world, maker, address, len(DATA), DATA).status_code == 422
    assert world.send(maker, "GET", address).json()["offset"] == len(DATA)


def test_nobody_goes_on_with_an_upload_of_others(world: World) -> None:
    maker, other = world.guest("manufacturer"), world.guest("manufacturer")
    address = begin(world, maker)
    assert part(world, other, address, 0, DATA).status_code == 404
    assert world.send(other, "GET", address).status_code == 404
    assert world.send(maker, "GET", address).json()["offset"] == 0
