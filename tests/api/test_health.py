"""What the service says of itself: the rings around its measuring, and those that a machine lacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from homolog.errors import MeasuringFailed, Problem
from homolog.scan.sandbox import rings as place
from homolog.scan.sandbox.rings import rings
from tests.api.conftest import Door
from tests.api.test_problems import problem_of
from tests.scan.test_sandbox import WITHOUT_LANDLOCK, need

ROOT = Path(__file__).resolve().parents[2]
STARTED = """
import anyio, httpx
from api.app import create_app
async def ask():
    app = create_app()
    async with app.router.lifespan_context(app):
        print("started", file=sys.stderr, flush=True)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://door") as client:
            print((await client.get("/readyz")).text)
anyio.run(ask)
"""


def test_ready_lists_every_ring_with_what_it_holds(door: Door) -> None:
    told = door.get("/readyz").json()["sandbox"]
    assert [(row["ring"], row["holds"], row["says"]) for row in told] == [(ring.name, ring.is_there, ring.why) for ring in rings()]
    assert {"process", "limits", "files", "calls"} <= {row["ring"] for row in told}


def test_a_machine_without_landlock_is_told_and_logged_when_the_service_starts() -> None:
    need("files")
    done = subprocess.run([sys.executable, "-c", WITHOUT_LANDLOCK + STARTED], cwd=ROOT, capture_output=True, text=True, check=True)
    (row,) = [row for row in json.loads(done.stdout)["sandbox"] if row["ring"] == "files"]
    assert (row["holds"], row["says"]) == (False, "[Errno 38] Function not implemented")
    before, started, _ = done.stderr.partition("started")
    assert started
    (line,) = [json.loads(line) for line in before.splitlines() if "lacks a ring" in line]
    assert (line["level"], line["ring"], line["why"]) == ("warning", "files", row["says"])


def test_a_service_that_can_measure_nothing_is_not_ready(door: Door, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def fail() -> None:
        raise MeasuringFailed(Problem("", "no process can be started", "", "measuring_crashed"))

    monkeypatch.setattr(place, "rings", fail)
    problem_of(door.get("/readyz"), 503, "not_ready")
    assert "no scan can be measured" in capsys.readouterr().err
