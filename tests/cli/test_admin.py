"""The first administrator of a register, made where nobody can sign in yet."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from homolog.register import accounts, audit
from homolog.register.database import Database

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"  # noqa: S105


def run(folder: Path, *words: str, stdin: str = f"{PASSWORD}\n") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOMOLOG_DATA": str(folder)}
    command = [sys.executable, "-m", "homolog.cli.main", "admin", *words]
    return subprocess.run(command, cwd=folder, env=environment, input=stdin, capture_output=True, text=True, check=False)


def roles(folder: Path, email: str) -> set[str]:
    from datetime import UTC, datetime

    database = Database.open(f"sqlite:///{folder / 'homolog.db'}")
    with database.read() as session:
        found = accounts.find_by_email(session, email)
        assert found is not None
        assert audit.check(session).broken_at is None
        held = set(accounts.rights(session, found.id, datetime.now(UTC)).roles)
    database.close()
    return held


def test_an_administrator_is_made_and_gets_other_roles(tmp_path: Path) -> None:
    made = run(tmp_path, "create", "root@a.example", "--name", "Root")
    assert made.returncode == 0, made.stderr
    assert "root@a.example, an administrator" in made.stderr
    assert roles(tmp_path, "root@a.example") == {"administrator"}
    given = run(tmp_path, "grant", "root@a.example", "board", "--until", "2099-12-31")
    assert given.returncode == 0, given.stderr
    assert roles(tmp_path, "root@a.example") == {"administrator", "board"}
    changed = run(tmp_path, "password", "root@a.example", stdin="another battery staple\n")
    assert changed.returncode == 0, changed.stderr


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("create", "root", "--name", "Root"), PASSWORD, "is no e-mail address"),
        (("create", "root@a.example", "--name", "Root"), "", "there is no password on stdin"),
        (("create", "root@a.example", "--name", "Root"), "short", "it has 5 letters"),
        (("grant", "nobody@a.example", "board"), "", "there is no account of this address"),
        (("grant", "nobody@a.example", "board", "--until", "tomorrow"), "", "is not a date"),
        (("password", "nobody@a.example"), PASSWORD, "there is no account of this address"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_made(tmp_path: Path, words: tuple[str, ...], stdin: str, said: str) -> None:
    refused = run(tmp_path, *words, stdin=stdin)
    assert refused.returncode in (2, 4)
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_password_is_no_argument(tmp_path: Path) -> None:
    refused = run(tmp_path, "create", "root@a.example", "--name", "Root", "--password", PASSWORD)
    assert refused.returncode == 2
    assert "--password" in refused.stderr
