"""A restored register is the one that was backed up, byte for byte, on either database; or nothing is there."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, Boolean, Date, Integer, LargeBinary, String, Text
from sqlmodel import select
from sqlmodel.sql.sqltypes import AutoString

from homolog.errors import UsageError
from homolog.register import audit
from homolog.register.archive import BackupRefused
from homolog.register.backup import Done, backup, restore
from homolog.register.columns import CanonicalJson, Ordered, UtcTime, json_text
from homolog.register.database import Database
from homolog.register.files import FileDamaged, Files, check
from homolog.register.ids import new_id
from homolog.register.migrate import migrate
from homolog.register.tables import METADATA
from homolog.register.tables.accounts import Account, ApiToken, LoginSession, Passkey, RoleGrant, RoleGrantEnd
from homolog.register.tables.files import StoredFile, Upload
from homolog.seal.key_folder import make_keys, open_folder

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
NAMES = ("Łukasz Ó", "Юлія", "zoë", "Zoe", "ångström", "a b", "a-b", 'quote " and \\ slash', "line\nbreak", "𝛼")
Opener = Callable[[str], Database]


@pytest.fixture
def opened(empty_url: Callable[[str], str], request: pytest.FixtureRequest) -> Opener:
    def new(kind: str) -> Database:
        database = Database.open(empty_url(kind))
        request.addfinalizer(database.close)
        return database

    return new


def fill(database: Database, files: Files) -> list[bytes]:
    """Put something of every kind of column into a register; return the files' bytes."""
    data = [b"", b"one", os.urandom(2_500_000)]
    blobs = [files.receive([part]) for part in data]
    with database.write() as session:
        accounts = [
            Account(id=new_id(NOW), email=name, email_key=f"{name}@x", name=name, created_at=NOW + timedelta(microseconds=number))
            for number, name in enumerate(NAMES)
        ]
        session.add_all(accounts)
        for blob in blobs:
            files.record(session, blob, now=NOW)
        grant = RoleGrant(id=new_id(NOW), account_id=accounts[0].id, role="board", since=NOW, at=NOW, by=accounts[1].id)
        session.add_all([grant, RoleGrantEnd(grant_id=grant.id, at=NOW, by=None, reason="it was time")])
        key = Passkey(
            id=new_id(NOW),
            account_id=accounts[0].id,
            credential="c",
            public_key=bytes(range(256)),
            sign_count=0,
            name="k",
            created_at=NOW,
        )
        scopes = json_text(["b", "a", {"é": None}])
        token = ApiToken(id=new_id(NOW), digest="d", account_id=accounts[0].id, name="t", scopes=scopes, created_at=NOW, until=NOW)
        who = {"id": new_id(NOW), "account_id": accounts[0].id, "created_at": NOW, "until": NOW}
        upload = Upload(**who, name="x.stl", media_type="model/stl", size=3, digest=blobs[1].digest)
        passing = LoginSession(**who, token_digest="s", how="password", agent="", seen_at=NOW, idle_until=NOW)  # noqa: S106
        session.add_all([key, token, upload, passing])
        for number in range(5):
            audit.record(session, now=NOW, account_id=accounts[0].id, action="x", object=f"y:{number}", details={"ї": [1, None]})
    return data


def everything(root: Path) -> dict[str, bytes]:
    """Return all of a backup; its own time is not of the register."""
    found = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    manifest = json.loads(found["backup.json"])
    manifest.pop("at")
    return {**found, "backup.json": json_text(manifest).encode()}


@pytest.mark.parametrize("form", ["folder", "tar"])
@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
@pytest.mark.parametrize("here", ["sqlite", "postgresql"])
def test_what_comes_back_is_what_was_there(here: str, there: str, form: str, opened: Opener, tmp_path: Path) -> None:
    source, files = opened(here), Files.open(tmp_path / "files")
    migrate(source)
    data = fill(source, files)
    target = tmp_path / ("one.tar" if form == "tar" else "one")
    done = backup(source, files, target, now=NOW)
    assert done == Done(rows=len(NAMES) + 3 + 2 + 1 + 1 + 1 + 5, files=3, size=sum(map(len, data)), keys=0)

    copy, other_files = opened(there), Files.open(tmp_path / "other")
    assert restore(target, copy, other_files, keys=tmp_path / "keys") == done
    assert list(check(copy, other_files)) == []
    with copy.read() as session:
        assert audit.check(session).entries == 5
        assert sorted(session.exec(select(Account.name)).all()) == sorted(NAMES)
        assert session.exec(select(LoginSession)).all() == []
        digests = session.exec(select(StoredFile.digest).order_by(StoredFile.size)).all()  # type: ignore[arg-type]
    assert [other_files.read(digest) for digest in digests] == data

    backup(source, files, tmp_path / "first", now=NOW)
    backup(copy, other_files, tmp_path / "second", now=NOW + timedelta(days=1))
    assert everything(tmp_path / "first") == everything(tmp_path / "second")


def test_keys_come_along_only_when_asked_for(database: Database, files: Files, opened: Opener, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    make_keys(keys, issuer="Federation", at=NOW, until=NOW + timedelta(days=365))
    (keys / ".lock").write_bytes(b"")
    own = {path.name: path.read_bytes() for path in keys.iterdir() if not path.name.startswith(".")}
    assert backup(database, files, tmp_path / "without", now=NOW).keys == 0
    assert backup(database, files, tmp_path / "with", now=NOW, keys=keys).keys == len(own) == 3
    assert not (tmp_path / "without" / "keys").exists()
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "with" / "keys").iterdir()} == {0o600}
    restore(tmp_path / "with", opened("sqlite"), Files.open(tmp_path / "a"), keys=tmp_path / "new")
    assert {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()} == own
    assert open_folder(tmp_path / "new") is not None  # it looks at the rights too
    changed = tmp_path / "new" / max(own)
    changed.write_bytes(b"another")
    with pytest.raises(BackupRefused, match="never replaced"):
        restore(tmp_path / "with", opened("sqlite"), Files.open(tmp_path / "b"), keys=tmp_path / "new")
    assert changed.read_bytes() == b"another"


@pytest.fixture
def made(database: Database, files: Files, tmp_path: Path) -> Path:
    fill(database, files)
    backup(database, files, tmp_path / "made", now=NOW)
    return tmp_path / "made"


def refuses(source: Path, opened: Opener, tmp_path: Path, match: str) -> None:
    target = opened("sqlite")
    migrate(target)
    with pytest.raises(BackupRefused, match=match):
        restore(source, target, Files.open(tmp_path / "target"), keys=tmp_path / "keys")
    with target.read() as session:
        assert session.exec(select(Account)).all() == []
        assert audit.check(session).entries == 0


def spoil(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("name", "old", "new", "match"),
    [
        ("tables/account.jsonl", b"Zoe", b"Zoo", "rows of account"),
        ("tables/account.jsonl", b'"name"', b'"nome"', "no row of the table account"),
        ("tables/account.jsonl", b"{", b"", "no row of the table account"),
        ("tables/account.jsonl", b"2026-", b"20x6-", "no row of the table account"),
        ("tables/api_token.jsonl", b'[\\"b\\",', b'[ \\"b\\",', "do not belong together: .* is not canonical"),
        ("tables/audit_entry.jsonl", b"y:1", b"y:7", "rows of audit_entry"),
        ("backup.json", b"homolog-backup/1", b"homolog-backup/2", "none of ours"),
        ("backup.json", b'"revision":"', b'"revision":"9', "is of revision 9"),
        ("backup.json", b"{", b"[", "none of ours"),
    ],
)
def test_a_changed_backup_is_refused(
    made: Path, opened: Opener, tmp_path: Path, name: str, old: bytes, new: bytes, match: str
) -> None:
    spoil(made / name, old, new)
    refuses(made, opened, tmp_path, match)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_changed_or_missing_file_is_refused(made: Path, opened: Opener, tmp_path: Path) -> None:
    largest = max((made / "files").iterdir(), key=lambda path: path.stat().st_size)
    whole = largest.read_bytes()
    largest.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    refuses(made, opened, tmp_path, "the bytes of files/.* are others")
    largest.unlink()
    refuses(made, opened, tmp_path, "files or keys are missing")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ["account", "stored_file", "audit_entry"])
def test_a_missing_table_is_refused(made: Path, opened: Opener, tmp_path: Path, name: str) -> None:
    (made / "tables" / f"{name}.jsonl").unlink()
    refuses(made, opened, tmp_path, f"the rows of {name} are not those")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ["tables/alembic_version.jsonl", "files/../../outside", "tables/account.jsonl/x", "readme.txt"])
def test_a_tar_file_of_somebody_else_is_refused(made: Path, opened: Opener, tmp_path: Path, name: str) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as tar:
        tar.add(made / "backup.json", "backup.json")
        member = tarfile.TarInfo(name)
        member.size = 1
        tar.addfile(member, io.BytesIO(b"x"))
    refuses(evil, opened, tmp_path, "no place in it|files or keys are missing|no table of ours")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_link_in_a_tar_file_is_refused(made: Path, opened: Opener, tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as tar:
        tar.add(made / "backup.json", "backup.json")
        member = tarfile.TarInfo("files/" + "0" * 64)
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(member)
    refuses(evil, opened, tmp_path, "no place in it")


def test_what_is_no_backup_is_refused(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "text.tar").write_text("no tar")
    refuses(tmp_path / "text.tar", opened, tmp_path, "cannot be read as a tar file")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="does not exist"):
        restore(tmp_path / "nothing", opened("sqlite"), Files.open(tmp_path / "t"), keys=tmp_path / "keys")


def test_a_register_with_rows_is_left_alone(made: Path, database: Database, files: Files, tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="holds rows already"):
        restore(made, database, files, keys=tmp_path / "keys")
    with database.read() as session:
        assert audit.check(session).entries == 5


def test_a_restore_that_was_cut_off_is_repeated(made: Path, opened: Opener, tmp_path: Path) -> None:
    target, files = opened("sqlite"), Files.open(tmp_path / "target")
    shutil.copytree(made, tmp_path / "cut")
    (tmp_path / "cut" / "tables" / "upload.jsonl").unlink()
    with pytest.raises(BackupRefused):
        restore(tmp_path / "cut", target, files, keys=tmp_path / "keys")
    assert restore(made, target, files, keys=tmp_path / "keys").files == 3


def test_a_damaged_file_is_not_backed_up_in_silence(database: Database, files: Files, tmp_path: Path) -> None:
    fill(database, files)
    path = max((tmp_path / "files" / "sha256").rglob("*"), key=lambda one: one.stat().st_size if one.is_file() else -1)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    for target in ("folder", "file.tar"):
        with pytest.raises(FileDamaged):
            backup(database, files, tmp_path / target, now=NOW)
        assert not (tmp_path / target).exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_damaged_file_is_left_out_only_by_name(database: Database, files: Files, opened: Opener, tmp_path: Path) -> None:
    fill(database, files)
    path = max((tmp_path / "files" / "sha256").rglob("*"), key=lambda one: one.stat().st_size if one.is_file() else -1)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    done = backup(database, files, tmp_path / "b", now=NOW, leave_damaged=True)
    assert (done.files, done.damaged) == (2, (path.name,))
    copy, other = opened("sqlite"), Files.open(tmp_path / "other")
    assert restore(tmp_path / "b", copy, other, keys=tmp_path / "keys") == done
    assert [fault.partition(":")[0] for fault in check(copy, other)] == [path.name]
    small = min((tmp_path / "b" / "files").iterdir(), key=lambda one: one.stat().st_size)
    small.unlink()
    refuses(tmp_path / "b", opened, tmp_path, "files or keys are missing")


def test_a_whole_register_leaves_nothing_out(database: Database, files: Files, tmp_path: Path) -> None:
    fill(database, files)
    backup(database, files, tmp_path / "one.tar", now=NOW, leave_damaged=True)
    backup(database, files, tmp_path / "two.tar", now=NOW)
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()


def test_a_backup_never_replaces_another(database: Database, files: Files, tmp_path: Path) -> None:
    backup(database, files, tmp_path / "b.tar", now=NOW)
    with pytest.raises(UsageError, match="exists already"):
        backup(database, files, tmp_path / "b.tar", now=NOW)
    with pytest.raises(UsageError, match="does not exist"):
        backup(database, files, tmp_path / "no" / "b.tar", now=NOW)


def test_columns_are_of_kinds_that_a_backup_keeps() -> None:
    # A float or a database's own number would come back as another one; a new kind needs its own way out and in.
    known = (AutoString, String, Text, Integer, BigInteger, Boolean, LargeBinary, Date, UtcTime, CanonicalJson, Ordered)
    others = [str(column) for table in METADATA.tables.values() for column in table.columns if type(column.type) not in known]
    assert others == []
    assert all(len(table.primary_key.columns) for table in METADATA.tables.values())
    assert date.fromisoformat("2026-11-30").isoformat() == "2026-11-30"
