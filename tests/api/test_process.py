"""The service as it runs: a process of its own, asked over the loopback, ended by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.conftest import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]


class Running:
    """A service that listens on a free port."""

    def __init__(self, folder: Path, *, port: int = 0, **settings: str) -> None:
        command = [sys.executable, "-m", "uvicorn", "api.app:app", "--port", str(port), "--log-level", "info", "--no-use-colors"]
        environment = {**os.environ, **settings, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        self.up = threading.Event()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()
        assert self.up.wait(60), "".join(self.lines)
        port = next(line for line in self.lines if "running on" in line).split("127.0.0.1:")[1].split()[0]
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            if "running on" in line:
                self.up.set()
        self.process.stderr.close()

    def end(self) -> int:
        """Ask it to stop, and return how it ended."""
        self.process.terminate()
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            self.reader.join(5)
            self.client.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    service = Running(tmp_path)
    yield service
    service.end()


def test_a_service_checks_sheets_and_scans_and_ends_cleanly(running: Running, tmp_path: Path, scan: bytes) -> None:
    client = running.client
    assert client.get("/readyz").json()["status"] == "ready"
    sheet = (EXAMPLES / "ball.json").read_bytes()
    record = client.post("/api/v1/check", content=sheet, headers={"Content-Type": "application/json"})
    assert record.json()["verdict"] == "conform"
    measured = client.post("/api/v1/check", files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"})
    assert measured.json()["scan"]["triangles"] == 1472
    assert client.get("/nothing").headers["content-type"] == "application/problem+json"
    assert running.end() in (0, -signal.SIGTERM)
    log = "".join(running.lines)
    assert "Finished server process" in log
    assert "Traceback" not in log
    assert list(tmp_path.iterdir()) == []


def test_a_signal_lets_a_measurement_end_first(running: Running, scan: bytes) -> None:
    answers: list[Any] = []

    def ask() -> None:
        answers.append(running.client.post("/api/v1/check", files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"}))

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.4)
    running.process.send_signal(signal.SIGTERM)
    asking.join(30)
    assert answers[0].status_code == 200
    running.process.wait(10)


def test_a_large_body_is_refused_over_the_wire(tmp_path: Path) -> None:
    service = Running(tmp_path, HOMOLOG_SHEET_LIMIT="10000")
    try:
        body = (b" " * 4_000 for _ in range(5))
        answer = service.client.post("/api/v1/check", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert answer.json()["limit"] == 10_000
    finally:
        service.end()


def test_a_wrong_setting_stops_the_start_with_its_name(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOMOLOG_BODY_LIMIT": "lots"}
    done = subprocess.run(
        [sys.executable, "-c", "import api.app"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "HOMOLOG_BODY_LIMIT is 'lots'; write a whole number" in done.stderr


def test_starting_loads_no_rules_templates_or_meshes() -> None:
    heavy = {"numpy", "scipy", "jinja2", "yaml", "typst", "structlog", "homolog.check"}
    ask = f"import sys, api.app; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_those_who_come_first_at_the_same_time_all_get_an_answer(running: Running) -> None:
    paths = ["/api/v1/me", "/account", "/types", "/api/v1/types", "/api/v1/keys", "/api/v1/log", "/rules", "/sign-in", "/audit"]
    headers = {"Cookie": "homolog=0123456789"}
    together = threading.Barrier(3 * len(paths))

    def ask(path: str) -> int:
        together.wait(30)
        return httpx.get(f"{running.client.base_url}{path}", headers=headers, timeout=60, trust_env=False).status_code

    with ThreadPoolExecutor(3 * len(paths)) as pool:
        statuses = list(pool.map(ask, 3 * paths))
    assert 500 not in statuses
    assert "request failed" not in "".join(running.lines)


def test_no_request_loads_a_library_that_is_not_loaded_before_it() -> None:
    """Two requests that load the same one at the same time may get it half loaded."""
    ask = """
import sys
from api.app import app
from api.start import load_libraries
load_libraries()
print(sorted({"sqlalchemy", "sqlmodel", "joserfc", "argon2", "jinja2", "webauthn"} - set(sys.modules)))
print(sorted({"dbos", "trimesh", "scipy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]
