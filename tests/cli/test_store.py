"""A host looks after the register from the command line."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from homolog.register import audit
from homolog.register.database import Database
from homolog.register.files import Files
from homolog.service.desk import open_desk
from homolog.service.seeding import seed
from homolog.service.settings import Settings
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("HOMOLOG_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def put(data: bytes) -> str:
    database, files = Database.open("sqlite:///homolog-data/homolog.db"), Files.open("homolog-data/files")
    blob = files.receive([data])
    with database.write() as session:
        files.record(session, blob, now=NOW)
        audit.record(session, now=NOW, account_id=None, action="file.stored", object=f"file:{blob.digest}")
    database.close()
    return blob.digest


def test_migrating_makes_the_tables_once(run: Run) -> None:
    assert "went from empty to 0001" in run("migrate").err
    assert "is at 0001 already" in run("migrate").err


@pytest.mark.parametrize("words", [("backup", "b"), ("store", "check"), ("store", "sweep")])
def test_without_tables_the_way_is_named(run: Run, words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert ran.code == 5
    assert "run: homolog migrate" in ran.err


def test_a_backup_comes_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("migrate")
    digest = put(b"a scan")
    ran = run("backup", "all.tar")
    assert ran.code == 0
    assert "wrote all.tar: 2 rows, 1 files of 6 bytes" in ran.err
    monkeypatch.setenv("HOMOLOG_DATA", "second")
    ran = run("restore", "all.tar")
    assert (ran.code, "2 rows, 1 files of 6 bytes, 0 keys, all as backed up" in ran.err) == (0, True)
    assert Files.open("second/files").read(digest) == b"a scan"
    ran = run("store", "check")
    assert (ran.code, ran.out) == (0, "")
    ran = run("restore", "all.tar")
    assert ran.code == 4
    assert "holds rows already" in ran.err


def test_a_damaged_file_is_named(run: Run) -> None:
    run("migrate")
    digest = put(b"a scan")
    Path("homolog-data/files/sha256", digest[:2], digest).write_bytes(b"a scam")
    ran = run("store", "check")
    assert ran.code == 1
    assert ran.out.startswith(digest)
    assert run("backup", "b").code == 5
    ran = run("backup", "b", "--leave-damaged")
    assert ran.code == 1
    assert f"without the damaged file {digest}" in ran.err


def test_a_sweep_says_what_it_removed(run: Run) -> None:
    run("migrate")
    put(b"kept")
    rubbish = Files.open("homolog-data/files").receive([b"rubbish"])
    os.utime(Path("homolog-data/files/sha256", rubbish.digest[:2], rubbish.digest), (0, 0))
    assert "removed 1 files of 7 bytes" in run("store", "sweep").err
    assert run("store", "check").code == 0


def test_settings_are_shown_with_where_they_came_from(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMOLOG_DATABASE", "postgresql://ann:secret@db/homolog")
    monkeypatch.setenv("HOMOLOG_BODY_LIMIT", "1000")
    assert "postgresql://ann:***@db/homolog  [HOMOLOG_DATABASE]" in run("config", "show").out
    found = run("config", "show", "--json").record
    assert found["HOMOLOG_DATABASE"] == {"value": "postgresql://ann:***@db/homolog", "source": "HOMOLOG_DATABASE"}
    assert found["HOMOLOG_BODY"]["source"] == "default"
    assert found["HOMOLOG_BODY_LIMIT"]["value"] == "1000"


def test_a_misspelt_setting_stops_everything(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMOLOG_DATABSE", "postgresql://db/homolog")
    assert run("serve").code == 2
    assert not Path("homolog-data").exists()


def test_the_extract_of_a_register_is_what_a_check_looks_into(run: Run, tmp_path: Path) -> None:
    run("migrate")
    with open_desk(Settings.from_environment()) as desk:
        seed(desk, now=datetime.now(UTC))
    register, sheet = tmp_path / "register.json", tmp_path / "ball.yaml"
    assert run("store", "extract", "-o", register).code == 0
    assert run("store", "check").code == 0
    sheet.write_text("format: homolog-submission/1\nitem: ball\nattributes: {type: Zeugo}\n")
    ran = run("check", sheet, "--json", "--purpose", "match", "--register", register)
    verdicts = {one["requirement"]: one["verdict"] for one in ran.record["findings"]}
    assert verdicts["ball.type_homologated"] == "conform"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_serving_makes_its_own_tables_and_answers(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "homolog.cli.main", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert answer(f"http://127.0.0.1:{port}/healthz", service)
        finally:
            service.send_signal(signal.SIGTERM)
            _, said = service.communicate(timeout=20)
    assert "made the tables of" in said
    assert "entered the 15 types that the rules of fistf name" in said
    assert (tmp_path / "homolog-data" / "homolog.db").is_file()
    assert ((tmp_path / "homolog-data").stat().st_mode & 0o777) == 0o700


def answer(url: str, service: subprocess.Popen[str]) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and service.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5) as found:  # noqa: S310 -- our own address
                json.loads(found.read())
                return True
        except OSError:
            time.sleep(0.1)
    return False


def test_serving_touches_no_database_that_somebody_chose(
    run: Run, empty_url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMOLOG_DATABASE", empty_url("postgresql"))
    ran = run("serve")
    assert ran.code == 5
    assert "is empty, and 0001 is wanted; run: homolog migrate" in ran.err
    assert "went from empty to 0001" in run("migrate").err
