"""Every error is a problem as RFC 9457 has it, and none of them tells a trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api.problems import ALL_KINDS, KINDS
from homolog.errors import HomologError, SpecError
from tests.api.conftest import EXAMPLES, Door


def problem_of(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the problem after looking at what every one of them must have."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    told: dict[str, Any] = answer.json()
    assert (told["type"], told["title"], told["status"]) == (f"/problems/{code}", KINDS[code].title, status)
    assert told["detail"]
    assert "Traceback" not in answer.text
    return told


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/v1/specs/", "/api/v1", "/static/../app.py", "/static/none.js", "/problems/none", "/docs"]
)
def test_an_address_without_anything_is_404(door: Door, path: str) -> None:
    problem_of(door.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", "GET, HEAD, OPTIONS, POST"),
        ("/api/v1/check", "OPTIONS, POST"),
        ("/api/v1/specs", "GET, HEAD, OPTIONS"),
        ("/api/v1/specs/fistf/4.0/ball", "GET, HEAD, OPTIONS"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ],
)
def test_another_method_is_405_and_every_method_is_listed(door: Door, path: str, allowed: str) -> None:
    for method in ("DELETE", "PUT", "PATCH", "BREW"):
        answer = door(method, path)
        problem_of(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == allowed
    asked = door("OPTIONS", path)
    assert (asked.status_code, asked.headers["allow"], asked.content) == (204, allowed, b"")


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/v1/specs", "/api/v1/specs/fistf/4.0/ball", "/static/page.css"])
def test_head_is_get_without_the_body(door: Door, path: str) -> None:
    head, get = door("HEAD", path), door.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(get.content))


def test_head_of_nothing_has_no_body_either(door: Door) -> None:
    assert (door("HEAD", "/nothing").status_code, door("HEAD", "/nothing").content) == (404, b"")


def test_a_form_that_is_never_given_is_406_before_anything_is_read(door: Door) -> None:
    answer = door("POST", "/api/v1/check", content=b"not even a sheet", headers={"Accept": "image/png"})
    told = problem_of(answer, 406, "not_acceptable")
    assert told["available"][0] == "application/json"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "/"},
    ],
)
def test_a_body_of_another_type_is_415(door: Door, headers: dict[str, str]) -> None:
    told = problem_of(door("POST", "/api/v1/check", content=b"{}", headers=headers), 415, "media_type")
    assert "application/json" in told["taken"]


def test_a_415_says_what_is_taken(door: Door) -> None:
    answer = door("POST", "/api/v1/check", content=b"x", headers={"Content-Type": "text/plain"})
    assert "multipart/form-data" in answer.headers["accept-post"]


@pytest.mark.parametrize("body", [b'{"format"', b"\xff\xfe", b"{} {}", b'{"a": 1, "b": NaN}', b"[1,]"])
def test_a_body_that_is_no_json_is_400(door: Door, body: bytes) -> None:
    told = problem_of(door.check(body), 400, "malformed")
    assert all(problem["where"].startswith("sheet.json:1") for problem in told["problems"])


def test_a_body_that_is_no_yaml_is_400(door: Door) -> None:
    problem_of(door.check(b"a: [1", kind="application/yaml"), 400, "malformed")


def test_an_empty_body_is_refused(door: Door) -> None:
    told = problem_of(door.check(b""), 422, "input_refused")
    assert [problem["code"] for problem in told["problems"]] == ["file_empty"]


def test_all_that_is_wrong_with_a_sheet_is_listed_with_its_place(door: Door) -> None:
    sheet = b"""format: homolog-submission/1
item: ball
readings:
  ball.diametre: {value: 22 mm, method: caliper}
  ball.mass: {value: 1_5 g, method: scale}
colour: red
"""
    told = problem_of(door.check(sheet, kind="application/yaml"), 422, "input_refused")
    assert told["detail"].startswith("3 things")
    assert {problem["where"] for problem in told["problems"]} == {"sheet.yaml:4:3", "sheet.yaml:5:15", "sheet.yaml:6:1"}
    assert all(set(problem) == {"where", "what", "todo", "code"} for problem in told["problems"])
    assert any("ball.diameter" in problem["todo"] for problem in told["problems"])


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("colour=red", "parameter colour"),
        ("item=", None),
        ("item=chair", "parameter item"),
        ("unit=furlong", "parameter unit"),
        ("purpose=fun", "parameter purpose"),
        ("on=30.11.2026", "parameter on"),
        ("on=2026-02-30", "parameter on"),
        ("on=20261130", "parameter on"),
        ("lang=de", "parameter lang"),
        ("item=ball&item=ball", "parameter item"),
        ("body=" + "x" * 41, "parameter body"),
        ("sheet=x", "parameter sheet"),
    ],
)
def test_a_parameter_that_cannot_be_taken_is_422(door: Door, ball: dict[str, Any], query: str, where: str | None) -> None:
    answer = door("POST", f"/api/v1/check?{query}", content=json.dumps(ball), headers={"Content-Type": "application/json"})
    if where is None:
        assert answer.status_code == 200
        return
    told = problem_of(answer, 422, "usage")
    assert [problem["where"] for problem in told["problems"]] == [where]
    assert all(problem["what"] for problem in told["problems"])


def test_every_parameter_that_cannot_be_taken_is_told_at_once(door: Door, ball: dict[str, Any]) -> None:
    told = problem_of(door.check(ball, params={"colour": "red", "item": "chair", "on": "soon"}), 422, "usage")
    assert {problem["where"] for problem in told["problems"]} == {"parameter colour", "parameter item", "parameter on"}


def test_a_form_has_no_parameters_in_its_address(door: Door, ball: dict[str, Any]) -> None:
    answer = door.form("/api/v1/check?item=ball", files={"sheet": ("b.json", json.dumps(ball).encode())})
    told = problem_of(answer, 422, "usage")
    assert told["problems"][0]["todo"] == "write them as fields of the form"


@pytest.mark.parametrize("path", ["/api/v1/specs?page=2", "/api/v1/schemas/report?x", "/?item=ball"])
def test_an_address_that_reads_no_parameters_takes_none(door: Door, path: str) -> None:
    problem_of(door.get(path), 422, "usage")


def test_a_form_without_a_sheet_and_a_scan_has_nothing_to_judge(door: Door) -> None:
    problem_of(door.form(files={"adopted": ("a.yaml", b"x")}), 422, "nothing_sent")


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ([("colour", (None, b"red"))], "field colour"),
        ([("item", (None, b"ball")), ("item", (None, b"ball"))], "field item"),
        ([("sheet", ("c.json", b"{}"))], "field sheet"),
        ([("scan", (None, b"solid"))], "field scan"),
        ([("item", (None, b"\xff"))], "field item"),
    ],
)
def test_a_field_that_cannot_be_taken_is_422(door: Door, ball: dict[str, Any], parts: list[Any], where: str) -> None:
    answer = door.form(files=[("sheet", ("b.json", json.dumps(ball).encode())), *parts])
    told = problem_of(answer, 422, "usage")
    assert [problem["where"] for problem in told["problems"]] == [where]


def multipart(*parts: bytes, end: bytes = b"--b--\r\n") -> dict[str, Any]:
    body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + end
    return {"content": body, "headers": {"Content-Type": "multipart/form-data; boundary=b"}}


ITEM = b'Content-Disposition: form-data; name="item"\r\n\r\nball'


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, "no boundary"),
        ({"content": b"nothing like it", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}, "multipart"),
        ({"content": b"", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}, "breaks off"),
        (multipart(ITEM, end=b""), "breaks off"),
        (multipart(b"Content-Disposition: form-data\r\n\r\nball"), "no name"),
        (multipart(b'Content-Disposition: attachment; name="item"\r\n\r\nball'), "no name"),
        (multipart(b"\r\nball"), "no name"),
        (multipart(b"X: y\r\nx: z\r\n" + ITEM), "twice"),
        (multipart(b"Content-Transfer-Encoding: base64\r\n" + ITEM), "encoded"),
        (multipart(*[ITEM] * 61), "more than 60 parts"),
        (multipart(b'Content-Disposition: form-data; name="item"\r\n\r\n' + b"x" * 10_001), "10000 bytes"),
        (multipart(b"".join(b"X-%d: y\r\n" % n for n in range(9)) + ITEM), "header"),
        (multipart(b"X: " + b"y" * 3_000 + b"\r\n" + ITEM), "header"),
    ],
)
def test_a_body_that_is_no_form_is_400(door: Door, sent: dict[str, Any], says: str) -> None:
    told = problem_of(door("POST", "/api/v1/check", **sent), 400, "malformed")
    assert says in told["detail"].lower()


@pytest.mark.parametrize("data", [b"", b"solid x", b"\0" * 84, b"x" * 83])
def test_a_broken_scan_is_refused(door: Door, data: bytes) -> None:
    told = problem_of(door.form(files={"scan": ("k.stl", data)}, data={"item": "goalkeeper"}), 422, "input_refused")
    assert told["problems"][0]["where"].startswith("k.stl")


def test_a_scan_cut_short_is_refused(door: Door, scan: bytes) -> None:
    answer = door.form(files={"scan": ("k.stl", scan[:-7])}, data={"item": "goalkeeper"})
    problem_of(answer, 422, "input_refused")


def test_broken_adoptions_are_refused(door: Door) -> None:
    files = {
        "sheet": ("b.json", (EXAMPLES / "ball.json").read_bytes()),
        "adopted": ("a.yaml", b"format: homolog-adoptions/1\nadoptions: []\n"),
    }
    problem_of(door.form(files=files), 422, "input_refused")


def test_a_scan_that_takes_too_long_is_422_because_the_same_would_again(door_with: Callable[..., Door], scan: bytes) -> None:
    hasty = door_with(scan_seconds=0.01)
    answer = hasty.form(files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"})
    told = problem_of(answer, 422, "measuring_failed")
    assert [problem["code"] for problem in told["problems"]] == ["measuring_timeout"]


def fail(door: Door, monkeypatch: pytest.MonkeyPatch, error: Exception) -> httpx.Response:
    """Ask for the specs while loading them raises an error."""

    class Broken:
        @property
        def editions(self) -> Any:
            raise error

    monkeypatch.setitem(door.service.shelf.__dict__, "library", Broken())
    return door.get("/api/v1/specs")


def test_a_fault_that_nobody_foresaw_is_500_and_found_in_the_log(
    door_with: Callable[..., Door], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = problem_of(fail(door_with(), monkeypatch, RuntimeError("the secret")), 500, "internal")
    assert "secret" not in json.dumps(told)
    logged = json.loads(capsys.readouterr().err)
    assert logged["instance"] == told["instance"]
    assert told["instance"].startswith("urn:uuid:")
    assert "RuntimeError: the secret" in logged["exception"]


@pytest.mark.parametrize("error", [SpecError.because("the file has changed"), HomologError.because("odd")])
def test_broken_rules_are_our_fault(
    door_with: Callable[..., Door], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: HomologError
) -> None:
    told = problem_of(fail(door_with(), monkeypatch, error), 500, "internal")
    assert json.loads(capsys.readouterr().err)["instance"] == told["instance"]


def test_every_kind_has_a_page(door: Door) -> None:
    for code, kind in ALL_KINDS.items():
        page = door.get(f"/problems/{code}")
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert f"<h1>{kind.title}</h1>" in page.text.replace("&#39;", "'")


def test_every_answer_has_the_headers_that_protect_it(door: Door, ball: dict[str, Any]) -> None:
    answers = [
        door.get("/"),
        door.get("/nothing"),
        door.get("/api/v1/specs"),
        door.check(ball),
        door("OPTIONS", "/"),
        door("PUT", "/"),
    ]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_a_page_of_another_origin_gets_no_leave(door: Door) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = door("OPTIONS", "/api/v1/check", headers=headers)
    assert not [name for name in answer.headers if name.startswith("access-control")]
