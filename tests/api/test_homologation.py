"""From the first words of an application to a signed certificate that a stranger checks, through the door alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from homolog.seal.log import read_receipt
from tests.api.walk import ISSUER, Walk, signing_world
from tests.api.world import Guest, World
from tests.service.people import PHOTO


@pytest.fixture
def world(tmp_path: Path, _migrated_sqlite: Any, portal: BlockingPortal) -> World:
    return signing_world(tmp_path, _migrated_sqlite, portal)


def get(world: World, url: str, **headers: str) -> Any:
    found = world.send(Guest(role="visitor"), "GET", url, **headers)
    assert found.status_code == 200, found.text
    return found


def test_a_type_is_homologated_through_the_door(world: World) -> None:
    entered = Walk(world).whole()
    assert entered["number"] == "HML-B-0001"
    assert entered["standing"]["status"] == "homologated"
    (line,) = get(world, "/api/v1/types?q=swi").json()["items"]
    assert (line["number"], line["status"], line["usable"]) == ("HML-B-0001", "homologated", "yes")
    shown = get(world, "/api/v1/types/HML-B-0001").json()
    assert [file["kind"] for file in shown["files"]] == ["certificate", "photo", "report"]
    photo = shown["files"][1]["sha256"]
    picture = get(world, f"/api/v1/types/HML-B-0001/files/{photo}")
    assert picture.content == PHOTO
    assert picture.headers["content-disposition"].startswith("attachment")
    assert get(world, "/api/v1/types/HML-B-0001/code.svg").headers["content-type"] == "image/svg+xml"
    assert [one["what"] for one in get(world, "/api/v1/changes").json()["items"]] == ["homologate"]
    (entry,) = get(world, "/api/v1/feed.json").json()["items"]
    assert entry["url"].endswith("/types/HML-B-0001")
    assert b"HML-B-0001,ball,none,Swift" in get(world, "/api/v1/register.csv").content
    assert get(world, "/api/v1/register.json").json()["types"][0]["number"] == "HML-B-0001"
    assert get(world, "/api/v1/register.extract.json").json()["types"][0]["names"] == ["Swift"]


def test_what_is_public_is_given_in_all_forms(world: World) -> None:
    entered = Walk(world).whole()
    for file in entered["files"]:
        if file["kind"] == "photo":
            continue
        address = f"/api/v1/reports/{file['sha256']}"
        record = get(world, address)
        assert hashlib.sha256(record.content).hexdigest() == file["sha256"]
        assert b"<html" in get(world, address, Accept="text/html").content
        assert f"/verify/{file['sha256']}" in get(world, f"{address}/html?lang=uk").text
        assert get(world, f"{address}/pdf").content.startswith(b"%PDF-1.7")
        assert get(world, f"{address}/signed").json()["format"] == "homolog-signed/1"


def test_a_report_is_for_its_application_until_a_type_rests_on_it(world: World) -> None:
    walk = Walk(world)
    walk.submitted()
    walk.measured()
    address = f"/api/v1/reports/{walk.assessed()}"
    rival = world.guest("manufacturer")
    for guest, status in (
        (walk.maker, 200),
        (walk.laboratory, 200),
        (walk.board[1], 200),
        (rival, 404),
        (Guest(role="visitor"), 404),
    ):
        for form in ("", "/json", "/html", "/signed"):
            assert world.send(guest, "GET", address + form).status_code == status
    walk.decided()
    walk.certified()
    assert world.send(rival, "GET", address).status_code == 200


def test_reports_certificate_and_status_stand_in_the_log(world: World) -> None:
    entered = Walk(world).whole()
    lines = get(world, "/api/v1/log/entries").json()["items"]
    assert [(one["index"], one["kind"]) for one in lines] == [(0, "report"), (1, "certificate"), (2, "status")]
    by_kind = {file["kind"]: file["sha256"] for file in entered["files"]}
    assert [one["sha256"] for one in lines[:2]] == [by_kind["report"], by_kind["certificate"]]
    receipt = read_receipt(get(world, f"/api/v1/log/{by_kind['certificate']}").json(), "receipt")
    assert (receipt.index, len(receipt.statuses)) == (1, 1)
    nowhere = world.send(Guest(role="visitor"), "GET", f"/api/v1/log/{'0' * 64}")
    assert nowhere.status_code == 404
    assert json.loads(get(world, "/api/v1/keys").content)["issuer"] == ISSUER
