"""`POST /api/v1/check`: what goes in, what comes out."""

from __future__ import annotations

import hashlib
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pypdf
import pytest
import yaml

from homolog.check import Question, check
from homolog.check.setup import vocabulary_of
from homolog.spec.library import Library
from homolog.submission.read import read_submissions
from tests.api.conftest import EXAMPLES, Door
from tests.api.shapes import ellipsoid, obj, stl

ON = "2026-11-30"


def verdicts(record: dict[str, Any]) -> dict[str, str]:
    return {finding["requirement"]: finding["verdict"] for finding in record["findings"]}


def test_the_record_is_the_engines_own_to_the_byte(door: Door, ball: dict[str, Any]) -> None:
    data = json.dumps(ball).encode()
    library = Library()
    (submission,) = read_submissions(data, "sheet.json", vocabulary_of(library))
    expected = check(submission, Question(on=date.fromisoformat(ON), library=library)).canonical
    answer = door.check(data, params={"on": ON, "edition": "4.0"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.content == expected


def test_the_record_names_what_was_sent(door: Door, ball: dict[str, Any]) -> None:
    data = json.dumps(ball).encode()
    record = door.check(data, params={"on": ON, "purpose": "self_test", "body": "fistf", "edition": "4.0", "item": "ball"}).json()
    assert record["submission"]["sha256"] == hashlib.sha256(data).hexdigest()
    assert (record["verdict"], record["purpose"], record["on"]) == ("conform", "self_test", ON)
    assert record["spec"]["edition"] == "4.0"


def test_nothing_named_means_edition_4_0_today(door: Door, ball: dict[str, Any]) -> None:
    record = door.check(ball).json()
    assert record["spec"]["edition"] == "4.0"
    assert date.fromisoformat(record["on"])
    assert record["purpose"] == "self_test"


def test_a_day_alone_asks_for_the_edition_in_force_on_it(door: Door) -> None:
    sheet = {"format": "homolog-submission/1", "item": "goalkeeper", "readings": {}}
    assert door.check(sheet, params={"on": "2015-01-01"}).json()["spec"]["edition"] == "14-2014"


def test_yaml_says_the_same_as_json(door: Door, ball: dict[str, Any]) -> None:
    one = door.check(ball, params={"on": ON}).json()
    other = door.check(yaml.safe_dump(ball).encode(), kind="application/yaml", params={"on": ON}).json()
    assert verdicts(one) == verdicts(other)


@pytest.mark.parametrize("kind", ["application/x-yaml", "text/yaml", "text/yaml; charset=UTF-8"])
def test_yaml_has_several_names(door: Door, ball: dict[str, Any], kind: str) -> None:
    assert door.check(yaml.safe_dump(ball).encode(), kind=kind).status_code == 200


def test_a_workbook_is_read(door: Door) -> None:
    from homolog.submission.template import write_template

    spec = Library().edition("fistf", "4.0").spec("ball")
    assert spec is not None
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    record = door.check(write_template(spec, "xlsx"), kind=kind).json()
    assert (record["item"], record["submission"]["format"], record["verdict"]) == ("ball", "xlsx", "not_measured")


def test_an_html_report_runs_nothing_and_loads_nothing(door: Door, ball: dict[str, Any]) -> None:
    answer = door.check(ball, headers={"Accept": "text/html"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert "style-src 'unsafe-inline'; img-src data:" in policy
    assert b"<script" not in answer.content
    assert b"Round 22" in answer.content


def test_a_pdf_report_carries_the_record(door: Door, ball: dict[str, Any]) -> None:
    answer = door.check(ball, headers={"Accept": "application/pdf"}, params={"on": ON})
    assert answer.headers["content-type"] == "application/pdf"
    attached = pypdf.PdfReader(io.BytesIO(answer.content)).attachments
    (held,) = next(iter(attached.values()))
    assert held == door.check(ball, params={"on": ON}).content


@pytest.mark.parametrize("lang", ["en", "uk", "it"])
def test_a_report_speaks_the_language_asked_for(door: Door, ball: dict[str, Any], lang: str) -> None:
    answer = door.check(ball, headers={"Accept": "text/html"}, params={"lang": lang})
    assert f'<html lang="{lang}">'.encode() in answer.content


def test_a_lot_is_answered_with_a_record_a_line(door: Door, lot: bytes) -> None:
    answer = door.check(lot, kind="text/csv")
    assert answer.headers["content-type"] == "application/jsonl"
    lines = answer.content.decode().splitlines(keepends=True)
    assert all(line.endswith("\n") for line in lines)
    assert [json.loads(line)["submission"]["row"] for line in lines] == [2, 3]


def test_json_lines_have_an_older_name(door: Door, lot: bytes) -> None:
    answer = door.check(lot, kind="text/csv", headers={"Accept": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"


@pytest.mark.parametrize("wanted", ["text/html", "application/pdf", "application/json"])
def test_a_lot_has_no_report_of_its_own(door: Door, lot: bytes, wanted: str) -> None:
    problem = door.check(lot, kind="text/csv", headers={"Accept": wanted})
    assert problem.status_code == 406
    assert problem.json()["type"] == "/problems/several_submissions"
    assert "2 submissions" in problem.json()["detail"]
    assert problem.json()["available"] == ["application/jsonl", "application/x-ndjson"]


def test_one_submission_may_be_asked_for_as_json_lines(door: Door, ball: dict[str, Any]) -> None:
    answer = door.check(ball, headers={"Accept": "application/jsonl"}, params={"on": ON})
    assert answer.content == door.check(ball, params={"on": ON}).content + b"\n"


def test_a_form_with_a_sheet_says_the_same_as_the_sheet(door: Door) -> None:
    data = (EXAMPLES / "goalkeeper.yaml").read_bytes()
    alone = door.check(data, kind="application/yaml", params={"on": ON}).json()
    form = door.form(files={"sheet": ("sheet.yaml", data)}, data={"on": ON, "purpose": "self_test", "edition": ""}).json()
    assert form == alone
    named = door.form(files={"sheet": ("goalkeeper.yaml", data)}).json()
    assert named["submission"]["name"] == "goalkeeper.yaml"


def test_adoptions_change_what_decides(door: Door) -> None:
    files = {
        "sheet": ("goalkeeper.yaml", (EXAMPLES / "goalkeeper.yaml").read_bytes()),
        "adopted": ("board.yaml", (EXAMPLES / "adoptions.yaml").read_bytes()),
    }
    record = door.form(files=files, data={"on": ON}).json()
    assert {adoption["interpretation"] for adoption in record["adoptions"]} == {"INT-decision", "INT-rod-straight"}
    assert record["decision_rule"]["rule"] == "simple"


def test_a_scan_alone_is_measured(door: Door, scan: bytes) -> None:
    answer = door.form(files={"scan": ("keeper.stl", scan)}, data={"item": "goalkeeper", "unit": "mm", "source": "laser"})
    record = answer.json()
    assert answer.status_code == 200, record
    assert record["scan"]["sha256"] == hashlib.sha256(scan).hexdigest()
    assert (record["scan"]["unit"], record["scan"]["source"]) == ("mm", "laser")
    assert [note["code"] for note in record["notes"]] == ["edition_by_default"]
    assert record["submission"]["name"] == "keeper.stl"


def test_the_example_scan_is_judged_with_its_sheet(door: Door) -> None:
    files = {
        "sheet": ("goalkeeper-scan.yaml", (EXAMPLES / "goalkeeper-scan.yaml").read_bytes()),
        "scan": ("goalkeeper.stl", (EXAMPLES / "goalkeeper.stl").read_bytes()),
    }
    answer = door.form(files=files, data={"on": ON}, headers={"Accept": "application/pdf"})
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(b"%PDF")


def test_a_scan_of_another_format_is_measured_too(door: Door) -> None:
    data = obj(ellipsoid())
    record = door.form(files={"scan": ("Keeper.OBJ", data)}, data={"item": "goalkeeper"}).json()
    assert [(note["code"], note["params"]) for note in record["notes"]] == [
        ("edition_by_default", {"edition": "4.0"}),
        ("unit_assumed", {"unit": "mm"}),
    ]
    assert (record["submission"]["format"], record["scan"]["sha256"]) == ("obj", hashlib.sha256(data).hexdigest())


def test_a_sheet_and_its_scan_are_one_submission(door: Door, scan: bytes) -> None:
    files = {"sheet": ("k.yaml", (EXAMPLES / "goalkeeper-scan.yaml").read_bytes()), "scan": ("goalkeeper.stl", scan)}
    record = door.form(files=files, data={"on": ON}).json()
    assert record["submission"]["name"] == "k.yaml"
    assert record["scan"]["source"] == "structured_light"
    assert any(finding["answers"] for finding in record["findings"])
    assert any(finding["reading"] and finding["reading"]["method"] == "scan.volume" for finding in record["findings"])


REFERRING = b"""format: homolog-submission/1
item: ball
scans: [{file: article.stl}, {file: ball.stl, reference: {diameter: 25 mm, U: 0.002 mm}}]
"""


def sphere(diameter: float) -> list[Any]:
    return ellipsoid(a=diameter / 2, b=diameter / 2, c=diameter / 2, rings=60, segments=90)


def test_an_article_and_its_reference_come_as_two_parts(door: Door) -> None:
    article, ball = (stl(sphere(d + 0.04)) for d in (22.0, 25.0))
    parts = [("sheet", ("sheet.yaml", REFERRING)), ("scan", ("ball.stl", ball)), ("scan", ("article.stl", article))]
    record = door.form(files=parts, data={"on": ON}).json()
    assert record["scan"]["sha256"] == hashlib.sha256(article).hexdigest()
    (reference,) = record["scan"]["instrument"]["references"]
    assert reference["sha256"] == hashlib.sha256(ball).hexdigest()
    assert float(record["scan"]["instrument"]["offset_correction"]) == pytest.approx(0.02, abs=0.003)


@pytest.mark.parametrize(
    ("names", "code"),
    [(["article.stl"], "scan_missing"), (["article.stl", "ball.stl", "x.stl"], "scan_other"), (["article.stl"] * 2, "scan_other")],
)
def test_scans_that_the_sheet_does_not_account_for_are_refused(door: Door, scan: bytes, names: list[str], code: str) -> None:
    answer = door.form(files=[("sheet", ("sheet.yaml", REFERRING)), *(("scan", (name, scan)) for name in names)])
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, code)


def test_several_scans_without_a_sheet_are_refused(door: Door, scan: bytes) -> None:
    answer = door.form(files=[("scan", ("a.stl", scan)), ("scan", ("b.stl", scan))], data={"item": "ball"})
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "scan_count")


@pytest.mark.parametrize(
    ("files", "fields", "code"),
    [
        ({"scan": "k.stl"}, {}, "item_missing"),
        ({"sheet": "goalkeeper-scan.yaml"}, {}, "scan_missing"),
        ({"sheet": "goalkeeper-scan.yaml", "scan": "other.stl"}, {}, "scan_other"),
        ({"sheet": "goalkeeper-scan.yaml", "scan": "goalkeeper.stl"}, {"unit": "cm"}, "usage"),
        ({"sheet": "figure.csv", "scan": "k.stl"}, {"item": "figure"}, "scan_count"),
        ({"scan": "k.stl"}, {"item": "board"}, "scan_item"),
        ({"scan": "k.stl"}, {"item": "set"}, "scan_plate"),
        ({"scan": "k.stl"}, {"item": "match"}, "scan_plate"),
        ({"sheet": "ball.json"}, {"edition": "9.9"}, "edition_unknown"),
        ({"sheet": "ball.json"}, {"body": "nobody"}, "body_unknown"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    door: Door, scan: bytes, files: dict[str, str], fields: dict[str, str], code: str
) -> None:
    sent = {name: (file, scan if name == "scan" else (EXAMPLES / file).read_bytes()) for name, file in files.items()}
    answer = door.form(files=sent, data=fields)
    assert answer.status_code == 422
    assert [problem["code"] for problem in answer.json()["problems"]] == [code]


def test_the_scans_of_a_sets_pieces_come_beside_its_sheet(door: Door, scan: bytes) -> None:
    pieces = [
        {"name": name, "item": "goalkeeper", "attributes": {"role": "goalkeeper"}, "scans": [{"file": f"{name}.stl", "unit": "mm"}]}
        for name in ("one", "two")
    ]
    sheet = json.dumps({"format": "homolog-submission/1", "item": "set", "pieces": pieces}).encode()
    other = scan[:80].ljust(80, b" ").replace(b" ", b"_", 1) + scan[80:]  # another header, so another scan
    files = [("sheet", ("set.json", sheet)), ("scan", ("two.stl", other)), ("scan", ("one.stl", scan))]
    record = door.form(files=files).json()
    assert [piece["scan"]["sha256"] for piece in record["pieces"]] == [hashlib.sha256(data).hexdigest() for data in (scan, other)]
    missing = door.form(files=files[:2]).json()
    assert [problem["code"] for problem in missing["problems"]] == ["scan_missing"]
    alone = door.form(files=files[1:], data={"item": "goalkeeper"}).json()
    assert [problem["code"] for problem in alone["problems"]] == ["scan_count"]


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd.json", "C:\\sheets\\passwd.json", "/abs/passwd.json", "pass\x7f\u202ewd.json", "." * 50 + "passwd.json"],
)
def test_a_file_name_is_a_label_and_never_a_path(door: Door, ball: dict[str, Any], name: str) -> None:
    record = door.form(files={"sheet": (name, json.dumps(ball).encode())}).json()
    assert "passwd" in record["submission"]["name"] or "wd.json" in record["submission"]["name"]
    assert not set(record["submission"]["name"]) & set("/\\\u202e\x7f")


def test_an_endless_file_name_is_cut(door: Door, ball: dict[str, Any]) -> None:
    record = door.form(files={"sheet": ("n" * 900 + ".json", json.dumps(ball).encode())}).json()
    assert len(record["submission"]["name"]) <= 120
    assert record["submission"]["name"].endswith(".json")


def test_a_part_without_an_ending_is_read_by_its_type(door: Door, ball: dict[str, Any]) -> None:
    record = door.form(files={"sheet": ("blob", json.dumps(ball).encode(), "application/json")}).json()
    assert record["submission"]["name"] == "blob.json"


def test_files_that_were_not_chosen_count_as_left_out(door: Door, ball: dict[str, Any]) -> None:
    none = (b"", b"", "application/octet-stream")
    empty = {"scan": none, "adopted": none}
    assert door.form(files={"sheet": ("b.json", json.dumps(ball).encode()), **empty}).status_code == 200


def test_nothing_is_written(door: Door, ball: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    big = json.dumps(ball).encode() + b" " * 2_000_000
    assert door.form(files={"sheet": ("b.json", big)}).status_code == 200
    assert list(tmp_path.iterdir()) == []
