"""The page of a check: all that was found, the record, the report and the scan in one answer."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import httpx
import pytest

from api.spots import spots_of
from homolog.report.messages import catalogue
from tests.api.conftest import EXAMPLES, Door
from tests.api.test_page import Elements, sheet, submit


def checked(door: Door, files: dict[str, Any], **fields: str) -> httpx.Response:
    answer = submit(door, files, format="page", **fields)
    assert answer.status_code == 200, answer.text
    return answer


def carried(page: httpx.Response) -> dict[str, bytes]:
    """Return what the page's addresses of data hold, by the names under which they are saved."""
    links = [link for link in Elements(page.text).all("a") if "download" in link]
    return {str(link["download"]): base64.b64decode(str(link["href"]).partition(",")[2]) for link in links}


@pytest.fixture(scope="module")
def keeper(door: Door) -> httpx.Response:
    return checked(door, {"scan": ("goalkeeper.stl", (EXAMPLES / "goalkeeper.stl").read_bytes())}, item="goalkeeper")


def test_every_finding_stands_with_its_verdict_and_next_step(door: Door) -> None:
    page = checked(door, sheet("goalkeeper.yaml"))
    record = json.loads(carried(page)["homolog-report.json"])
    applying = [finding for finding in record["findings"] if finding["verdict"] != "not_applicable"]
    assert len(re.findall('<li class="finding ', page.text)) == len(applying)
    for finding in applying:
        assert f"<code>{finding['requirement']}</code>" in page.text


def test_the_record_is_the_one_that_programs_get(door: Door) -> None:
    data = (EXAMPLES / "ball.json").read_bytes()
    wanted = door.form(files={"sheet": ("ball.json", data)}, data={"edition": "4.0"}).content
    assert carried(checked(door, sheet()))["homolog-report.json"] == wanted


def test_the_report_is_a_document(door: Door) -> None:
    assert carried(checked(door, sheet()))["homolog-report.pdf"].startswith(b"%PDF-")


def test_a_page_of_a_sheet_has_no_scan(door: Door) -> None:
    page = checked(door, sheet())
    assert set(carried(page)) == {"homolog-report.pdf", "homolog-report.json"}
    assert "<canvas" not in page.text


def test_a_scan_is_carried_as_named_meshes(keeper: httpx.Response) -> None:
    data = carried(keeper)["homolog-scan.glb"]
    head = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert [mesh["name"] for mesh in head["meshes"]] == ["body", "rod", "handle"]


def test_the_page_keeps_to_the_policy_of_pages(keeper: httpx.Response) -> None:
    elements = Elements(keeper.text)
    assert [script["src"] for script in elements.all("script")] == ["/static/viewer.js"]
    assert not elements.all("style")
    assert not [name for _, attributes in elements.found for name in attributes if name == "style" or name.startswith("on")]
    assert "unsafe" not in keeper.headers["content-security-policy"]
    assert keeper.headers["cache-control"] == "private, no-cache"


def test_the_pictures_are_there_without_a_script(keeper: httpx.Response) -> None:
    assert len([image for image in Elements(keeper.text).all("img") if str(image["src"]).startswith("data:image/svg")]) == 4


@pytest.mark.parametrize(("lang", "says"), [("en", "requirements"), ("uk", "не виміряно"), ("it", "non misurato")])
def test_the_report_on_the_page_is_in_its_language(door: Door, lang: str, says: str) -> None:
    page = checked(door, sheet("goalkeeper.yaml"), lang=lang)
    assert f'<div lang="{lang}">' in page.text
    assert says in page.text


def test_a_lot_is_refused_with_a_way_out(door: Door) -> None:
    answer = submit(door, sheet("figure.csv"), item="figure", format="page")
    assert answer.status_code == 406
    assert "JSON" in answer.text


def test_problems_bring_back_what_was_stated(door: Door, scan: bytes) -> None:
    more = {"attribute": "pose=bent", "temperature": "23 degC"}
    answer = submit(door, {"scan": ("k.stl", scan)}, format="page", item="goalkeeper", **more)
    assert answer.status_code == 422
    assert '<option value="pose=bent" selected>' in answer.text
    assert 'value="23 degC"' in answer.text


def finding(quantity: str, verdict: str, limit: dict[str, Any], **reading: Any) -> dict[str, Any]:
    read = {"quantity": quantity, "unit": "mm", "value": "40", "U": "0.1", "evidence": "scan:ab", **reading}
    return {"requirement": "gk.x", "verdict": verdict, "limit": {"min": None, "max": None, "unit": "mm", **limit}, "reading": read}


def spots(*findings: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    record = {"findings": findings, "scan": {"facts": {"base_height": "4.8 mm"}}}
    return [(spot.meshes, spot.how, spot.most, spot.floor) for spot in spots_of(catalogue("en"), record)]


def test_a_height_is_coloured_from_the_limit_up() -> None:
    assert spots(finding("goalkeeper.height", "nonconform", {"max": "39"})) == [("body", "from_below", "39", "")]


def test_a_thickness_leaves_the_base_out() -> None:
    found = spots(finding("goalkeeper.figure_thickness", "nonconform", {"max": "6"}))
    assert found == [("body", "from_middle", "6", "4.8")]


def test_a_length_below_a_least_one_colours_the_whole_part() -> None:
    assert spots(finding("goalkeeper.rod_length", "inconclusive", {"min": "60"})) == [("rod", "whole", "0", "")]


def test_what_is_met_and_what_no_scan_showed_colours_nothing() -> None:
    met = finding("goalkeeper.height", "conform", {"max": "39"})
    by_hand = finding("goalkeeper.height", "nonconform", {"max": "39"}, evidence=None)
    assert spots(met, by_hand) == []
