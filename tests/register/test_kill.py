"""A process that is killed in the middle loses nothing that it said was done, and leaves nothing half done."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from homolog.register.backup import backup, restore
from homolog.register.database import Database
from homolog.register.files import Files, sweep
from homolog.register.migrate import migrate
from homolog.register.tables.accounts import Account, RoleGrant
from homolog.register.tables.files import StoredFile, Upload

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 30, tzinfo=UTC)


sys.path.append(str(ROOT / "tools"))

import kill_test as tool  # noqa: E402


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_five_kills_lose_nothing(kind: str, empty_url: Callable[[str], str], tmp_path: Path) -> None:
    url = empty_url(kind)
    said = tool.run(url, tmp_path / "files", 5, random.Random(1))  # noqa: S311
    assert len(said.uploads) + len(said.grants) + said.count >= 5
    # What the killed ones left half received, and files whose rows were never written, are found and let go.
    database, files = Database.open(url), Files.open(tmp_path / "files")
    sweep(database, files, now=datetime.now(UTC) + timedelta(days=2))
    tool.look(database, files, said)
    with database.read() as session:
        rows = session.exec(select(StoredFile.digest)).all()
    assert sorted(held.digest for held in files.place.all()) == sorted(rows)
    assert not list((tmp_path / "files" / "incoming").iterdir())
    database.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_look_sees_what_is_lost_and_what_is_half(database: Database, files: Files, tmp_path: Path) -> None:
    with database.write() as session:
        session.add(tool.Account(id=tool.COUNTER, email="c", email_key="c", name="C", created_at=NOW, version=0))
    tool.look(database, files, tool.Said())
    for said in (tool.Said(uploads={"a": "b"}), tool.Said(grants={"a"}), tool.Said(count=1)):
        with pytest.raises(AssertionError, match="acknowledged"):
            tool.look(database, files, said)
    with database.write() as session:
        session.add(StoredFile(digest="a", size=1, at=NOW))
    with pytest.raises(AssertionError, match="without its file's row"):
        tool.look(database, files, tool.Said())
    with database.write() as session:
        session.add(Upload(id="u", account_id=tool.COUNTER, name="x", media_type="y", digest="a", created_at=NOW, until=NOW))
        tool.audit.record(session, now=NOW, account_id=None, action="x", object="upload:u")
    with pytest.raises(AssertionError, match="has no file"):
        tool.look(database, files, tool.Said())
    with database.write() as session:
        session.add(RoleGrant(id="g", account_id=tool.COUNTER, role="board", since=NOW, at=NOW))
    with pytest.raises(AssertionError, match="half a transaction"):
        tool.look(database, files, tool.Said())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_restore_that_is_killed_leaves_nothing_and_is_repeated(
    database: Database, files: Files, kind: str, empty_url: Callable[[str], str], tmp_path: Path
) -> None:
    with database.write() as session:
        session.add_all(
            Account(id=f"{number:06}", email="x", email_key=f"{number}", name="N", created_at=NOW) for number in range(5000)
        )
    for number in range(40):
        blob = files.receive([b"%d" % number])
        with database.write() as session:
            files.record(session, blob, now=NOW)
    backup(database, files, tmp_path / "b.tar", now=NOW)
    url = empty_url(kind)
    target = Database.open(url)
    migrate(target)
    killed = 0
    for wait in (0.05, 0.15, 0.3, 0.6, 1.0):
        killed += tool.killed_after(wait, tool.restore_into, str(tmp_path / "b.tar"), url, str(tmp_path / "other"))
        with target.read() as session:
            rows = len(session.exec(select(Account.id)).all())
        assert rows in (0, 5000)
        if rows:
            break
    else:
        restore(tmp_path / "b.tar", target, Files.open(tmp_path / "other"), keys=tmp_path / "keys")
    assert killed
    backup(target, Files.open(tmp_path / "other"), tmp_path / "again.tar", now=NOW)
    assert (tmp_path / "again.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()
    target.close()
