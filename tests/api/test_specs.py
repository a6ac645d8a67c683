"""`GET /api/v1/specs`: the rules as data, with a tag that tells whether they changed."""

from __future__ import annotations

import hashlib
from typing import Any

import jsonschema
import pytest
import yaml

from homolog.data import specs_dir
from homolog.spec.library import Library
from tests.api.conftest import Door
from tests.api.test_problems import problem_of

BALL = "/api/v1/specs/fistf/4.0/ball"


def test_every_edition_is_listed(door: Door) -> None:
    listed = door.get("/api/v1/specs").json()["bodies"]
    found = {(body["body"], edition["edition"]) for body in listed for edition in body["editions"]}
    assert found == set(Library().editions)


def test_an_edition_names_its_items_with_their_digests(door: Door) -> None:
    edition = door.get("/api/v1/specs/fistf/4.0").json()
    ball = next(item for item in edition["items"] if item["item"] == "ball")
    assert ball["sha256"] == hashlib.sha256((specs_dir() / "fistf/4.0/ball.yaml").read_bytes()).hexdigest()
    assert (ball["href"], ball["id"]) == (BALL, "fistf.ball")
    assert set(ball["effective"]) == {"from", "to", "basis"}


def test_every_address_in_the_list_leads_to_what_it_says(door: Door) -> None:
    for body in door.get("/api/v1/specs").json()["bodies"]:
        for edition in body["editions"]:
            assert door.get(edition["href"]).json() == edition
            for item in edition["items"]:
                assert door.get(item["href"]).json()["sha256"] == item["sha256"]


def test_a_spec_is_given_as_the_file_that_its_digest_is_of(door: Door) -> None:
    answer = door.get(BALL, headers={"Accept": "application/yaml"})
    assert answer.headers["content-type"] == "application/yaml"
    assert answer.content == (specs_dir() / "fistf/4.0/ball.yaml").read_bytes()
    assert answer.headers["etag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'


def test_a_spec_as_json_says_what_its_file_says(door: Door) -> None:
    document = door.get(BALL).json()["spec"]
    assert document["quantities"]["ball.diameter"]["unit"] == "mm"
    assert document.keys() == yaml.safe_load((specs_dir() / "fistf/4.0/ball.yaml").read_text()).keys()


@pytest.mark.parametrize(
    "path", ["/api/v1/specs", "/api/v1/specs/fistf/4.0", BALL, "/api/v1/openapi.json", "/api/v1/schemas/report", "/static/page.js"]
)
def test_what_did_not_change_is_not_sent_again(door: Door, path: str) -> None:
    first = door.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "public, max-age=300"
    for held in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = door.get(path, headers={"If-None-Match": held})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert door.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_two_forms_of_a_spec_have_two_tags(door: Door) -> None:
    assert door.get(BALL).headers["etag"] != door.get(BALL, headers={"Accept": "application/yaml"}).headers["etag"]
    assert door.get(BALL).headers["vary"] == "Accept"


@pytest.mark.parametrize("path", ["nobody/4.0", "fistf/9", "fistf/4.0/chair", "fistf/4.0/..%2F14-2014", "fistf/4.0/edition.yaml"])
def test_what_there_is_not_is_404(door: Door, path: str) -> None:
    problem_of(door.get(f"/api/v1/specs/{path}"), 404, "not_found")


def test_what_an_edition_does_not_regulate_is_404_with_the_reason(door: Door) -> None:
    told = problem_of(door.get("/api/v1/specs/fistf/14-2014/ball"), 404, "not_found")
    assert "regulates the goalkeeper only" in told["detail"]


def test_a_form_that_is_not_given_is_406(door: Door) -> None:
    told = problem_of(door.get(BALL, headers={"Accept": "text/html"}), 406, "not_acceptable")
    assert told["available"] == ["application/json", "application/yaml"]


def test_the_schema_of_the_record_holds_for_a_record(door: Door, ball: dict[str, Any]) -> None:
    schema = door.get("/api/v1/schemas/report").json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(door.check(ball).json())


def test_health_says_that_the_process_is_up(door: Door) -> None:
    assert door.get("/healthz").json()["status"] == "up"


def test_ready_means_that_every_spec_loads(door: Door) -> None:
    told = door.get("/readyz").json()
    assert told["status"] == "ready"
    assert told["specs"] == sum(len(edition.file.files) for edition in Library().editions.values())


def test_rules_that_do_not_load_are_told(door_with: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: Any) -> None:
    (tmp_path / "a" / "1").mkdir(parents=True)
    (tmp_path / "a" / "1" / "edition.yaml").write_text("format: nonsense\n")
    broken = door_with()
    monkeypatch.setitem(broken.service.shelf.__dict__, "library", Library(tmp_path))
    problem_of(broken.get("/readyz"), 503, "not_ready")
    assert "SpecError" in capsys.readouterr().err
    assert broken.get("/healthz").status_code == 200


def test_no_rules_at_all_is_not_ready(door_with: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    empty = door_with()
    monkeypatch.setitem(empty.service.shelf.__dict__, "library", Library(tmp_path))
    problem_of(empty.get("/readyz"), 503, "not_ready")
