"""The page for people, as a browser without scripts meets it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from tests.api.conftest import EXAMPLES, Door
from tests.api.test_limits import Held

PAGES = ("/", "/api/v1/docs", "/problems/usage")


class Elements(HTMLParser):
    """All elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def sheet(name: str = "ball.json") -> dict[str, Any]:
    return {"sheet": (name, (EXAMPLES / name).read_bytes())}


def submit(door: Door, files: dict[str, Any], **fields: str) -> httpx.Response:
    """Press a button as a browser does: every field is sent, also the empty ones."""
    usual = {
        "item": "",
        "purpose": "self_test",
        "rules": "fistf/4.0",
        "on": "",
        "source": "",
        "unit": "",
        "lang": "en",
        "format": "html",
    }
    none = (b"", b"", "application/octet-stream")
    return door.form("/", files={"sheet": none, "scan": none, "adopted": none, **files}, data={**usual, **fields})


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_script_or_style_inside_it(door: Door, path: str) -> None:
    page = door.get(path)
    elements = Elements(page.text)
    assert all(script["src"] for script in elements.all("script"))
    assert not elements.all("style")
    names = {name for _, attributes in elements.found for name in attributes}
    assert not {name for name in names - {"on"} if name == "style" or name.startswith("on")}
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy


@pytest.mark.parametrize("path", PAGES)
def test_everything_that_a_page_loads_is_shipped(door: Door, path: str) -> None:
    elements = Elements(door.get(path).text)
    loaded = [found.get("src") or found.get("href") for tag in ("script", "link", "img") for found in elements.all(tag)]
    assert loaded
    for address in loaded:
        assert address is not None
        assert address.startswith("/static/")
        assert door.get(address).status_code == 200


def test_static_files_have_their_types(door: Door) -> None:
    assert door.get("/static/page.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert door.get("/static/page.css").headers["content-type"] == "text/css; charset=utf-8"
    assert door.get("/static/mark.svg").headers["content-type"] == "image/svg+xml"


def test_every_field_has_its_label(door: Door) -> None:
    elements = Elements(door.get("/").text)
    fields = {found["id"] for tag in ("input", "select") for found in elements.all(tag)}
    assert fields == {label["for"] for label in elements.all("label")}
    of_all = {"sheet", "scan", "adopted", "item", "purpose", "rules", "on", "source", "unit", "lang"}
    attributes = {f"attribute-{name}" for name in ("family", "pose", "base_form", "material")}
    conditions = {"temperature", "temperature_U", "material", "reference", "reference_diameter", "reference_U"}
    assert fields == of_all | attributes | conditions


def test_every_edition_can_be_chosen(door: Door) -> None:
    values = {option["value"] for option in Elements(door.get("/").text).all("option")}
    listed = door.get("/api/v1/specs").json()["bodies"]
    assert {f"{body['body']}/{edition['edition']}" for body in listed for edition in body["editions"]} <= values
    assert "fistf/" in values


def test_a_sheet_is_answered_with_the_report(door: Door) -> None:
    answer = submit(door, sheet())
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "Round 22" in answer.text
    assert answer.headers["content-disposition"].startswith("inline")


def test_a_scan_is_answered_with_the_report(door: Door, scan: bytes) -> None:
    answer = submit(door, {"scan": ("k.stl", scan)}, item="goalkeeper", unit="mm")
    assert answer.status_code == 200, answer.text
    assert "2700" in answer.text


@pytest.mark.parametrize(("wanted", "kind"), [("pdf", "application/pdf"), ("json", "application/json")])
def test_the_same_can_be_kept_as_a_file(door: Door, wanted: str, kind: str) -> None:
    answer = submit(door, sheet(), format=wanted)
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"] == f'attachment; filename="homolog-report.{wanted}"'


def test_a_lot_can_be_kept_as_json_lines(door: Door) -> None:
    answer = submit(door, sheet("figure.csv"), item="figure", format="json")
    assert answer.headers["content-type"] == "application/jsonl"
    assert 'filename="homolog-report.jsonl"' in answer.headers["content-disposition"]


def test_a_lot_has_no_page_and_the_form_says_why(door: Door) -> None:
    answer = submit(door, sheet("figure.csv"), item="figure")
    assert answer.status_code == 406
    assert "a record a line" in answer.text


def test_the_edition_in_force_on_the_day_can_be_chosen(door: Door) -> None:
    record = submit(door, sheet("goalkeeper.yaml"), rules="fistf/", on="2015-01-01", format="json").json()
    assert record["spec"]["edition"] == "14-2014"
    today = submit(door, sheet("goalkeeper.yaml"), rules="fistf/", format="json").json()
    assert today["spec"]["edition"] == today["spec"]["in_force"] or today["spec"]["in_force"] is None


def test_what_is_refused_brings_the_form_back_with_every_problem(door: Door) -> None:
    broken = b"format: homolog-submission/1\nitem: ball\nreadings:\n  ball.diametre: {value: 22 mm}\ncolour: <b>red</b>\n"
    answer = submit(door, {"sheet": ("ball.yaml", broken)}, purpose="match", lang="it")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "unsafe" not in answer.headers["content-security-policy"]
    text = answer.text
    assert 'role="alert"' in text
    assert "<code>ball.yaml:4:3</code>" in text
    assert "<code>ball.yaml:5:1</code>" in text
    assert "ball.diameter" in text
    assert '<option value="match" selected>' in text
    assert '<option value="it" selected>' in text
    assert re.search(r"<details open>", text)


@pytest.mark.parametrize(
    ("files", "fields", "says"),
    [
        ({}, {}, "Neither a sheet nor a scan was sent"),
        ({"sheet": ("<img src=x>.json", b"{")}, {}, "_img src=x_.json"),
        ({"sheet": ("b.json", b"{}")}, {"format": "docx"}, "field format"),
        (sheet(), {"rules": "<b>nobody/1"}, "&lt;b&gt;nobody"),
        ({"sheet": ("b.json", b"{}")}, {"item": '"><script>'}, "&#34;&gt;&lt;script&gt;"),
        ({"scan": ("k.stl", b"solid")}, {}, "a scan alone does not say what it shows"),
    ],
)
def test_what_was_sent_is_shown_as_text_only(door: Door, files: dict[str, Any], fields: dict[str, str], says: str) -> None:
    answer = submit(door, files, **fields)
    assert answer.status_code == 422
    assert says in answer.text
    assert "<script>" not in answer.text
    assert "<img src=x" not in answer.text


def test_a_form_that_is_too_large_comes_back_as_a_page(door_with: Callable[..., Door]) -> None:
    answer = submit(door_with(body_limit=1_000), {"sheet": ("b.json", b" " * 2_000)})
    assert (answer.status_code, answer.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "more than 1000 bytes" in answer.text


def test_a_page_without_a_place_says_when_to_come_back(door_with: Callable[..., Door]) -> None:
    busy = door_with(sheets=1, queue=0, queue_seconds=2)
    held = Held(busy, busy.service.judging)
    answer = submit(busy, sheet())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    held.free()


def test_the_page_takes_its_own_form_only(door: Door) -> None:
    answer = door("POST", "/", content=b"{}", headers={"Content-Type": "application/json"})
    assert answer.status_code == 415
    assert "/api/v1/check" in answer.text


def test_a_long_list_of_problems_is_cut(door: Door) -> None:
    readings = {f"ball.unknown_{number}": {"value": "1 mm"} for number in range(130)}
    data = json.dumps({"format": "homolog-submission/1", "item": "ball", "readings": readings}).encode()
    answer = submit(door, {"sheet": ("b.json", data)})
    assert answer.text.count("<li>") < 120
    assert "And 30 more" in answer.text
