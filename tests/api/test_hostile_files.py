"""Files of people who mean harm: nothing of them runs in a browser, and nobody gets at others' by knowing a digest."""

from __future__ import annotations

import shutil
from typing import Any
from urllib.parse import quote

import pytest
from anyio.from_thread import BlockingPortal

from homolog.register.database import Database
from tests.api import made
from tests.api.world import World, make_world

SCRIPT = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, _migrated_sqlite: Any, portal: BlockingPortal) -> World:
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copy(_migrated_sqlite, folder / "homolog.db")
    return make_world(Database.open(f"sqlite:///{folder / 'homolog.db'}"), folder, portal)


@pytest.mark.parametrize("name", ["x.svg", 'a".html', "page.html\u202egnp.png", "front.png"])
@pytest.mark.parametrize("data", [SCRIPT, b"<script>alert(1)</script>", b"GIF89a/*<script>*/", b"%PDF-1.7 <script>"])
def test_what_is_no_photo_is_kept_and_never_shown(world: World, name: str, data: bytes) -> None:
    maker = world.guest("manufacturer")
    application = made.application(world, maker)
    url = f"/api/v1/applications/{application}/files"
    sent = world.door("POST", f"{url}?name={quote(name)}", content=data, headers=maker.headers)
    if sent.status_code == 422:
        return  # a name that cannot be
    answer = world.send(world.guest("board"), "GET", f"{url}/{sent.json()['sha256']}")
    assert answer.content == data
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    told = answer.headers["content-disposition"]
    assert told.startswith('attachment; filename="')
    assert told.count('"') == 2
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "private, no-cache"


def test_a_photo_that_hides_a_page_is_a_photo(world: World) -> None:
    maker = world.guest("manufacturer")
    application = made.application(world, maker)
    digest = made.attach(world, maker, application, b"\x89PNG\r\n\x1a\n<script>alert(1)</script>", "x.html")
    answer = world.send(maker, "GET", f"/api/v1/applications/{application}/files/{digest}")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    held = {"If-None-Match": answer.headers["etag"]}
    assert world.send(maker, "GET", f"/api/v1/applications/{application}/files/{digest}", **held).status_code == 304


def test_knowing_a_digest_opens_nothing(world: World) -> None:
    owner, stranger = world.guest("manufacturer"), world.guest("manufacturer")
    theirs, own = made.application(world, owner), made.application(world, stranger)
    digest = made.attach(world, owner, theirs, b"a secret drawing", "drawing.bin")
    held = {"If-None-Match": f'"{digest}"'}
    for address in (
        f"/api/v1/applications/{theirs}/files/{digest}",
        f"/api/v1/applications/{own}/files/{digest}",
        f"/api/v1/reports/{digest}",
    ):
        assert world.send(stranger, "GET", address).status_code == 404
        assert world.send(stranger, "GET", address, **held).status_code == 404
    assert world.send(world.guest("visitor"), "GET", f"/api/v1/applications/{theirs}/files/{digest}").status_code == 401
