"""The board changes a register's rules from the command line."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from homolog.cli.work import Stop
from homolog.register.database import Database
from homolog.register.files import Files
from tests.cli.conftest import Run
from tests.service.people import world_of
from tests.service.test_editions import next_ball

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def _register(database: Database, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("HOMOLOG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOMOLOG_DATABASE", str(database.url))
    monkeypatch.setenv("HOMOLOG_FILES", str(tmp_path / "files"))
    # The program has the real clock: the people were there before.
    world_of(database, files, at=datetime.now(UTC) - timedelta(days=1))


def test_one_member_enters_an_edition_and_another_publishes_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ball.yaml").write_bytes(next_ball())
    entered = run("edition", "enter", str(tmp_path / "ball.yaml"), "--by", "anna@a.example", "--json")
    assert entered.code == 0, entered.err
    assert entered.record["since"] == {"ball": "2027-06-01"}
    words = ("edition", "decide", entered.record["id"], "--outcome", "published", "--text", "Minutes 8")
    refused = run(*words, "--by", "anna@a.example")
    assert refused.code == 4
    assert "does not decide" in refused.err
    assert run(*words, "--by", "boris@a.example").code == 0
    assert "published" in run("edition", "list", "--by", "anna@a.example").out


def test_a_faulty_draft_is_told_by_the_exit_code(run: Run, tmp_path: Path) -> None:
    faulty = next_ball(("kind: limit, of: ball.mass", "kind: limit, of: ball.weight"))
    (tmp_path / "ball.yaml").write_bytes(faulty)
    entered = run("edition", "enter", str(tmp_path / "ball.yaml"), "--by", "anna@a.example")
    assert entered.code == 1
    assert "fistf/5.0/ball.yaml:" in entered.out


def test_who_is_not_on_the_board_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ball.yaml").write_bytes(next_ball())
    assert run("edition", "enter", str(tmp_path / "ball.yaml"), "--by", "mary@a.example").code == 2
    assert run("edition", "enter", str(tmp_path / "ball.yaml"), "--by", "nobody@a.example").code == 2


def test_the_word_to_stop_ends_a_wait_at_once_and_is_not_forgotten() -> None:
    stop = Stop()
    assert not stop.after(0.0)
    stop.say()
    begun = time.monotonic()
    assert stop.after(30.0)
    assert stop.after(30.0)
    assert time.monotonic() - begun < 5
