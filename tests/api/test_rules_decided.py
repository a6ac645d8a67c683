"""The board's work through the door: an adoption decides later assessments, and a draft says beforehand whom it hits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal

from api.job_events import event_of, id_of, told
from api.jobs import JobShown
from homolog.errors import HomologError
from tests.api import rules_made
from tests.api.walk import Walk, signing_world
from tests.api.world import Form, Guest, World
from tests.service.people import SHEET

ROOT = Path(__file__).resolve().parents[2]
LIGHT = SHEET.replace("1.51 g", "1.49 g")
TIGHTER = (("id: as-written, min: 1.45 g", "id: as-written, min: 1.50 g"),)


@pytest.fixture
def world(tmp_path: Path, _migrated_sqlite: Any, portal: BlockingPortal) -> World:
    return signing_world(tmp_path, _migrated_sqlite, portal)


def sent(world: World, guest: Guest, url: str, body: Any, status: int) -> Any:
    answer = world.send(guest, "POST", url, body)
    assert answer.status_code == status, answer.text
    return answer


def got(world: World, guest: Guest, url: str) -> Any:
    answer = world.send(guest, "GET", url)
    assert answer.status_code == 200, answer.text
    return answer.json()


@contextmanager
def working(world: World, folder: Path) -> Iterator[None]:
    """Let a worker of its own process work for the register."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMOLOG_")}
    environment |= {"HOMOLOG_DATA": str(folder), "HOMOLOG_DATABASE": world.database.url.render_as_string(hide_password=False)}
    process = subprocess.Popen([sys.executable, "-m", "homolog.cli.main", "work"], env=environment, cwd=ROOT)
    try:
        yield
    finally:
        process.terminate()
        assert process.wait(60) == 0


def until_over(world: World, guest: Guest, job: str, seconds: float = 120.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = got(world, guest, job)
        if found["ended_at"] is not None:
            return found
        time.sleep(0.2)
    pytest.fail(f"the job did not end: {found}")


def test_an_adoption_that_two_members_decided_is_used_and_named_by_later_assessments(world: World) -> None:
    walk = Walk(world)
    walk.submitted()
    walk.measured()
    anna, boris = walk.board[:2]
    entered = sent(world, anna, "/api/v1/drafts/adoptions", {"adoptions": [rules_made.adoption()]}, 201)
    address = entered.headers["location"]
    refused = sent(world, anna, f"{address}/decision", {"outcome": "published", "text": "Minutes 7"}, 409)
    assert refused.json()["problems"][0]["code"] == "same_person"
    (question,) = [one for one in got(world, anna, "/api/v1/interpretations")["items"] if one["id"] == "INT-ball-mass"]
    assert question["adopted"] is None
    before = read(world, anna, walk.assessed())
    assert "adoptions" not in before or not [one for one in before["adoptions"] if one["in_force"]]
    decided = sent(world, boris, f"{address}/decision", {"outcome": "published", "text": "Minutes 7"}, 200).json()
    assert decided["decision"]["outcome"] == "published"
    (question,) = [
        one for one in got(world, Guest(role="visitor"), "/api/v1/interpretations")["items"] if one["id"] == "INT-ball-mass"
    ]
    assert (question["adopted"], question["decisions"][0]["decision"]) == ("as-written", "Minutes 7")
    after = read(world, anna, walk.assessed())
    (used,) = [one for one in after["adoptions"] if one["in_force"]]
    assert (used["interpretation"], used["reading"], used["by"]) == ("INT-ball-mass", "as-written", "The board")


def read(world: World, guest: Guest, digest: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(world.send(guest, "GET", f"/api/v1/reports/{digest}").content)
    return found


def test_a_draft_that_tightens_a_limit_names_whom_it_hits(world: World, tmp_path: Path) -> None:
    heavy, light = Walk(world), Walk(world)
    for walk, name, sheet in ((heavy, "Swift", SHEET), (light, "Kestrel", LIGHT)):
        walk.submitted(name)
        walk.measured(sheet)
    anna, boris = heavy.board[:2]
    files = {"ball.yaml": rules_made.next_ball(*TIGHTER).decode()}
    entered = sent(world, anna, "/api/v1/drafts/editions", {"files": files}, 201)
    shown = entered.json()
    assert (shown["edition"], shown["sound"], shown["since"]) == ("5.0", True, {"ball": "2027-06-01"})
    assert [one["id"] for one in shown["changes"]["ball"]] == ["ball.mass"]
    asked = sent(world, anna, f"{entered.headers['location']}/impacts", {}, 202)
    job = asked.headers["location"]
    assert asked.json()["state"] == "queued"
    with working(world, tmp_path):
        ended = until_over(world, boris, job)
    assert ended["state"] == "done", ended
    assert (ended["result"]["looked_at"], ended["result"]["hit"]) == (2, 1)
    found = got(world, boris, job.replace("jobs", "impacts"))
    (row,) = found["items"]
    assert (row["name"], row["before"]["verdict"], row["after"]["edition"]) == ("Kestrel", "conform", "5.0")
    assert row["after"]["verdict"] != "conform"
    assert [change["requirement"] for change in row["changes"]] == ["ball.mass"]
    assert "as-written: not met" in row["changes"][0]["after"]["why"]
    assert found["grace"]["ball"]["until"] == "2028-01-01"
    assert len(got(world, boris, f"{job.replace('jobs', 'impacts')}?show=all")["items"]) == 2
    page = world.send(boris, "GET", job.replace("/api/v1/jobs", "/impacts")).text
    assert "Kestrel" in page
    assert "until 2028-01-01" in page
    stream = world.send(boris, "GET", f"{job}/events").text
    assert stream.startswith("retry: ")
    assert stream.count("event: end\n") == 1
    last = stream.partition("id: ")[2].partition("\n")[0]
    assert world.send(boris, "GET", f"{job}/events", **{"Last-Event-ID": last}).status_code == 204


def test_a_published_edition_judges_from_its_day_on_and_stands_in_the_list(world: World) -> None:
    anna, boris = world.guest("board"), world.guest("board")
    files = {"ball.yaml": rules_made.next_ball().decode()}
    address = sent(world, anna, "/api/v1/drafts/editions", {"files": files}, 201).headers["location"]
    assert "5.0" not in [one["edition"] for one in got(world, anna, "/api/v1/editions")["items"]]
    page = address.removeprefix("/api/v1")
    assert sent(world, boris, f"{page}/decision", Form(outcome="published", text="Minutes 8"), 303).headers["location"] == (
        f"{page}?done=published"
    )
    listed = got(world, Guest(role="visitor"), "/api/v1/editions")["items"]
    (ball,) = [item for one in listed if one["edition"] == "5.0" for item in one["items"] if item["item"] == "ball"]
    is_on = datetime.now(UTC).date().isoformat() >= "2027-06-01"
    assert (ball["since"], ball["in_force"]) == ("2027-06-01", is_on)


def test_files_that_are_no_edition_are_refused_with_their_places(world: World) -> None:
    anna = world.guest("board")
    broken = rules_made.next_ball().decode().replace("kind: limit", "kind: limmit", 1)
    refused = sent(world, anna, "/api/v1/drafts/editions", {"files": {"ball.yaml": broken}}, 422).json()
    assert refused["type"] == "/problems/input_refused"
    assert refused["problems"][0]["where"].startswith("ball.yaml:")
    leading_out = sent(world, anna, "/api/v1/drafts/editions", {"files": {"../ball.yaml": broken}}, 422).json()
    assert leading_out["problems"][0]["code"] == "edition_file"


def shown(**how: Any) -> JobShown:
    told = {"state": "running", "word": "comparing", "done": 0, "total": 0, "ended_at": None, "result": None}
    return JobShown(id="j", kind="impact", about={}, by=None, at=datetime(2026, 12, 1, tzinfo=UTC), **{**told, **how})


class Looks:
    """Says how far a job is: one state a look, the last for ever."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *states: JobShown) -> None:
        self.states = list(states)
        monkeypatch.setattr("api.job_events.shown_job", lambda one: one)

    def __call__(self) -> Any:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


def lines(first: JobShown, looks: Any, **how: Any) -> list[str]:
    async def gathered() -> list[str]:
        return [line async for line in told(first, looks, **{"glance": 0.0, **how})]

    return anyio.run(gathered)


def test_each_change_is_told_once_and_the_end_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    half, whole = shown(done=1, total=2), shown(state="done", ended_at=datetime(2026, 12, 1, 1, tzinfo=UTC), result={})
    found = lines(half, Looks(monkeypatch, half, half, whole))
    assert found == ["retry: 2000\n\n", event_of(half), event_of(whole)]


def test_what_a_listener_had_is_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    half, whole = shown(done=1, total=2), shown(state="done", ended_at=datetime(2026, 12, 1, 1, tzinfo=UTC), result={})
    assert lines(half, Looks(monkeypatch, half, whole), seen=id_of(half)) == ["retry: 2000\n\n", event_of(whole)]


def test_a_quiet_line_has_a_heartbeat_and_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    half = shown(done=1, total=2)
    found = lines(half, Looks(monkeypatch, half), glance=0.01, heartbeat=0.05, longest=0.3)
    assert found[:2] == ["retry: 2000\n\n", event_of(half)]
    assert 1 <= len(found[2:]) <= 6
    assert set(found[2:]) == {": still here\n\n"}


def test_a_line_ends_where_the_job_cannot_be_looked_at_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Any:
        raise HomologError.because("the database does not answer", todo="try again")

    monkeypatch.setattr("api.job_events.shown_job", lambda one: one)
    assert len(lines(shown(), gone)) == 2
