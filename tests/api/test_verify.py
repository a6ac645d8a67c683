"""What the service has signed, checked by `homolog verify` as a stranger runs it: over the network, with the log's address."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from anyio.from_thread import BlockingPortal

from homolog.seal.jws import Jws
from homolog.seal.log import read_head
from homolog.seal.merkle import is_consistent
from tests.api.walk import Walk, new_keys, signing_world
from tests.api.world import Guest, World
from tests.service.people import SHEET


@dataclass(frozen=True)
class Site:
    """A register with one homologated type, on the network."""

    world: World
    walk: Walk
    folder: Path
    address: str
    files: dict[str, str]

    def fetch(self, path: str, name: str) -> Path:
        target = self.folder / name
        found = httpx.get(f"{self.address}{path}", timeout=60)
        assert found.status_code == 200, found.text
        target.write_bytes(found.content)
        return target

    def signed(self, kind: str) -> Path:
        return self.fetch(f"/api/v1/reports/{self.files[kind]}/signed", f"{kind}.signed.json")

    def verify(self, file: Path, *more: str, key: Path | None = None) -> tuple[int, dict[str, dict[str, Any]]]:
        """Run the program in a process of its own and return its exit code and its checks."""
        keys = key or self.fetch("/api/v1/keys", "keys.json")
        log = f"{self.address}/api/v1/log"
        command = [sys.executable, "-m", "homolog.cli.main", "verify", str(file), "--key", str(keys), "--log", log, "--json", *more]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.stdout, ran.stderr
        told = json.loads(ran.stdout)
        assert told["exit_code"] == ran.returncode
        return ran.returncode, {check["name"]: check for check in told["checks"]}


@pytest.fixture
def site(tmp_path: Path, _migrated_sqlite: Any, portal: BlockingPortal) -> Iterator[Site]:
    world = signing_world(tmp_path, _migrated_sqlite, portal)
    walk = Walk(world)
    entered = walk.whole()
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(world.door.app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    files = {file["kind"]: file["sha256"] for file in entered["files"]}
    yield Site(world, walk, tmp_path, f"http://127.0.0.1:{listening.getsockname()[1]}", files)
    server.should_exit = True
    thread.join(10)
    listening.close()


def test_what_the_register_signed_holds(site: Site) -> None:
    for kind in ("certificate", "report"):
        code, checks = site.verify(site.signed(kind))
        assert code == 0, checks
        assert {name: check["state"] for name, check in checks.items()} == dict.fromkeys(
            ("content", "signature", "key", "log", "state"), "holds"
        )
        assert "HML-B-0001 (Swift) stands since" in checks["state"]["says"]


def test_a_signed_pdf_holds(site: Site) -> None:
    code, checks = site.verify(site.fetch(f"/api/v1/reports/{site.files['certificate']}/pdf", "certificate.pdf"))
    assert code == 0, checks


def test_a_changed_byte_a_foreign_key_and_an_unknown_record_are_told_apart(site: Site, tmp_path: Path) -> None:
    signed = site.signed("report")
    value = json.loads(signed.read_bytes())
    place = len(value["payload"]) // 2
    other = "A" if value["payload"][place] != "A" else "B"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps({**value, "payload": value["payload"][:place] + other + value["payload"][place + 1 :]}))
    assert site.verify(changed)[0] == 10
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    new_keys(elsewhere)
    assert site.verify(signed, key=elsewhere / "keys")[0] == 12


def test_a_withdrawn_type_is_told_from_one_that_stands(site: Site) -> None:
    url = "/api/v1/types/HML-B-0001"
    first, second, _ = site.walk.board
    reasons = [{"clause": "III-3.1", "text": "Later samples are too large."}]

    def decide(guest: Guest, step: str, **said: Any) -> Any:
        tag = site.world.send(guest, "GET", url).headers["etag"]
        taken = site.world.send(guest, "POST", f"{url}/steps", {"step": step, "said": said}, **{"If-Match": tag})
        assert taken.status_code == 200, taken.text
        return taken.json()

    certificate = site.signed("certificate")
    entered = decide(first, "withdraw", on=site.world.now.date().isoformat(), reasons=reasons)
    assert site.verify(certificate)[0] == 0  # nobody has confirmed it yet
    decide(second, "confirm", entry=entered["number_of_events"])
    code, checks = site.verify(certificate)
    assert (code, checks["state"]["reason"]) == (16, "withdrawn")
    assert "Later samples are too large." in checks["state"]["says"]


def test_what_an_older_key_signed_stands_under_the_new_one(site: Site) -> None:
    certificate = site.signed("certificate")
    new_keys(site.folder, minutes=0)
    code, checks = site.verify(certificate)
    assert code == 0, checks
    walk = Walk(site.world)
    walk.submitted("Swallow")
    walk.measured(SHEET.replace("22.00", "22.01"))
    walk.assessed()
    code, checks = site.verify(certificate)
    assert code == 0, checks
    assert "of 4," in checks["log"]["says"]


def test_the_log_proves_that_it_has_only_grown(site: Site) -> None:
    found = httpx.get(f"{site.address}/api/v1/log/consistency", params={"old": 1, "new": 3}).json()
    old, new = (read_head(Jws.model_validate(found[name]), name) for name in ("old", "new"))
    path = [bytes.fromhex(part) for part in found["path"]]
    assert (old.size, new.size) == (1, 3)
    assert is_consistent(1, 3, bytes.fromhex(old.root), bytes.fromhex(new.root), path)
    assert not is_consistent(1, 3, bytes(32), bytes.fromhex(new.root), path)
    assert httpx.get(f"{site.address}/api/v1/log/consistency", params={"old": 3, "new": 1}).status_code == 422
    assert httpx.get(f"{site.address}/api/v1/log/consistency", params={"old": 1, "new": 9}).status_code == 404
