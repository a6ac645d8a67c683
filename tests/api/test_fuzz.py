"""Whatever is sent, the answer is a record or a problem, and never a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.problems import KINDS
from api.sent import SHEET_TYPES
from tests.api.conftest import Door

BOUNDED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
NAMES = st.sampled_from(["item", "unit", "source", "purpose", "body", "edition", "on", "lang", "sheet", "x", ""]) | st.text(
    max_size=8
)
VALUES = st.sampled_from(["ball", "mm", "fistf", "4.0", "9999-12-31", "0001-01-01", "uk", "match", ""]) | st.text(max_size=12)
WORDS = st.sampled_from(
    [
        *("format", "homolog-submission/1", "item", "ball", "goalkeeper", "set", "readings", "answers", "scans", "pieces"),
        *(
            "attributes",
            "ball.diameter",
            "ball.mass",
            "value",
            "U",
            "method",
            "caliper",
            "family",
            "none",
            "22 mm",
            "1e999",
            "-0 mm",
        ),
    ]
)
JSON = st.recursive(
    WORDS | st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=5),
    max_leaves=25,
)
TYPES = st.sampled_from([*SHEET_TYPES, "multipart/form-data; boundary=b", "multipart/form-data", "text/plain"])
ACCEPTS = st.sampled_from(["*/*", "application/json", "text/html", "application/jsonl", ";;q=,", "text/html;q=0,*/*"])


def expect_no_fault(answer: Any) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        told = answer.json()
        assert told["type"].removeprefix("/problems/") in KINDS
        assert told["status"] == answer.status_code


@BOUNDED
@given(query=st.lists(st.tuples(NAMES, VALUES), max_size=5), accept=ACCEPTS)
def test_any_query(door: Door, query: list[tuple[str, str]], accept: str) -> None:
    sheet = {"format": "homolog-submission/1", "item": "ball", "readings": {"ball.mass": {"value": "1.5 g", "method": "scale"}}}
    expect_no_fault(door.check(sheet, params=query, headers={"Accept": accept}))


@BOUNDED
@given(value=JSON)
def test_any_json(door: Door, value: Any) -> None:
    expect_no_fault(door.check(json.dumps(value).encode()))


@BOUNDED
@given(inner=st.dictionaries(st.sampled_from(["readings", "answers", "attributes", "scans", "pieces", "notes"]), JSON, max_size=4))
def test_any_sheet(door: Door, inner: dict[str, Any]) -> None:
    expect_no_fault(door.check(json.dumps({"format": "homolog-submission/1", "item": "ball", **inner}).encode()))


@BOUNDED
@given(data=st.binary(max_size=300), kind=TYPES, accept=ACCEPTS)
def test_any_bytes(door: Door, data: bytes, kind: str, accept: str) -> None:
    expect_no_fault(door.check(data, kind=kind, headers={"Accept": accept}))


@BOUNDED
@given(
    parts=st.lists(st.tuples(NAMES, st.none() | st.text(max_size=12), st.binary(max_size=60)), max_size=5),
    cut=st.none() | st.integers(0, 200),
)
def test_any_form(door: Door, parts: list[tuple[str, str | None, bytes]], cut: int | None) -> None:
    body = b""
    for name, filename, data in parts:
        label = "" if filename is None else f'; filename="{filename}"'
        head = f'Content-Disposition: form-data; name="{name}"{label}'.encode("utf-8", "replace")
        body += b"--b\r\n" + head + b"\r\n\r\n" + data + b"\r\n"
    expect_no_fault(door.check((body + b"--b--\r\n")[:cut], kind="multipart/form-data; boundary=b"))


@BOUNDED
@given(facets=st.binary(max_size=250), count=st.integers(0, 6), name=st.text(max_size=10))
def test_any_scan(door: Door, facets: bytes, count: int, name: str) -> None:
    data = b"\0" * 80 + count.to_bytes(4, "little") + facets
    safe = name.encode("utf-8", "replace").decode() or "k"
    expect_no_fault(door.form(files={"scan": (f"{safe}.stl", data)}, data={"item": "goalkeeper"}))


@BOUNDED
@given(
    path=st.lists(
        st.sampled_from(["api", "v1", "specs", "fistf", "4.0", "ball", "..", "%2e", "", "static", "problems"]), max_size=7
    )
)
def test_any_address(door: Door, path: list[str]) -> None:
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        answer = door(method, "http://door/" + "/".join(path))
        assert answer.status_code < 500


@pytest.mark.parametrize("depth", [40, 5_000])
def test_deep_nesting_is_refused(door: Door, depth: int) -> None:
    assert door.check(b"[" * depth + b"]" * depth).status_code in (400, 422)
    assert door.check(b"{a: " * depth + b"}" * depth, kind="application/yaml").status_code in (400, 422)
