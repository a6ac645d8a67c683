"""First the bytes are safe, then a row says so."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from homolog.errors import InputRefused, UsageError
from homolog.register.database import Database
from homolog.register.files import Blob, FileDamaged, Files, check, sweep
from homolog.register.ids import new_id
from homolog.register.tables.accounts import Account
from homolog.register.tables.files import StoredFile, Upload, UploadPart

NOW = datetime.now(UTC)
LATER = NOW + timedelta(days=2)


def store(database: Database, files: Files, data: bytes) -> Blob:
    blob = files.receive([data])
    with database.write() as session:
        files.record(session, blob, now=NOW)
    return blob


def test_a_file_comes_back_byte_for_byte(database: Database, files: Files) -> None:
    data = os.urandom(3_000_001)
    blob = store(database, files, data)
    assert blob == Blob(hashlib.sha256(data).hexdigest(), len(data))
    assert files.read(blob.digest) == data
    assert list(check(database, files)) == []


def test_an_empty_file_is_a_file(database: Database, files: Files) -> None:
    blob = store(database, files, b"")
    assert files.read(blob.digest) == b""
    assert list(check(database, files)) == []


def test_the_same_bytes_are_stored_once(database: Database, files: Files, tmp_path: Path) -> None:
    assert store(database, files, b"same") == store(database, files, b"same")
    assert len([path for path in (tmp_path / "files").rglob("*") if path.is_file()]) == 1


def test_a_file_that_is_too_large_leaves_nothing(files: Files, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="larger than 4 bytes"):
        files.receive([b"123", b"45"], limit=4)
    assert files.receive([b"12", b"34"], limit=4).size == 4
    assert len([path for path in (tmp_path / "files").rglob("*") if path.is_file()]) == 1


def test_a_sender_that_stops_leaves_nothing(files: Files, tmp_path: Path) -> None:
    def pieces() -> object:
        yield b"123"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        files.receive(pieces())  # type: ignore[arg-type]
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []


def test_other_bytes_than_announced_are_refused(files: Files) -> None:
    digest = hashlib.sha256(b"right").hexdigest()
    assert files.receive([b"right"], expected=digest).digest == digest
    with pytest.raises(InputRefused, match="was announced") as error:
        files.receive([b"wrong"], expected=digest)
    assert error.value.problems[0].code == "file_other"


def test_a_row_is_not_written_without_its_file(database: Database, files: Files) -> None:
    with pytest.raises(FileDamaged, match="swept"), database.write() as session:
        files.record(session, Blob("0" * 64, 4), now=NOW)
    with database.read() as session:
        assert session.get(StoredFile, "0" * 64) is None


def test_changed_and_lost_files_are_seen(database: Database, files: Files, tmp_path: Path) -> None:
    good, changed, lost = (store(database, files, data) for data in (b"good", b"changed", b"lost"))
    folder = tmp_path / "files" / "sha256"
    (folder / changed.digest[:2] / changed.digest).write_bytes(b"chanGed")
    (folder / lost.digest[:2] / lost.digest).unlink()
    with pytest.raises(FileDamaged, match="not those that were stored"):
        files.read(changed.digest)
    with pytest.raises(FileDamaged, match="gone"):
        files.read(lost.digest)
    assert files.read(good.digest) == b"good"
    said = list(check(database, files))
    assert len(said) == 2
    assert {line.partition(":")[0] for line in said} == {changed.digest, lost.digest}


def test_a_sweep_takes_rubbish_only(database: Database, files: Files, tmp_path: Path) -> None:
    kept, rubbish = store(database, files, b"kept"), files.receive([b"rubbish"])
    (tmp_path / "files" / "incoming" / "half").write_bytes(b"half a fi")
    assert sweep(database, files, now=NOW).files == 0  # whoever brought it may still be about to write the row
    swept = sweep(database, files, now=LATER)
    assert (swept.files, swept.size, swept.spooled) == (1, 7, 1)
    assert files.place.held(rubbish.digest) is None
    assert files.read(kept.digest) == b"kept"


def test_bytes_that_come_again_are_young_again(database: Database, files: Files, tmp_path: Path) -> None:
    blob = files.receive([b"again"])
    path = tmp_path / "files" / "sha256" / blob.digest[:2] / blob.digest
    os.utime(path, (0, 0))
    files.receive([b"again"])
    assert sweep(database, files, now=NOW).files == 0
    os.utime(path, (0, 0))
    assert sweep(database, files, now=NOW).files == 1


def test_parts_of_an_upload_under_way_are_no_rubbish(database: Database, files: Files) -> None:
    part = files.receive([b"part"])
    with database.write() as session:
        session.add(account := Account(id=new_id(NOW), email="a", email_key="a", name="A", created_at=NOW))
        upload = Upload(
            id=new_id(NOW), account_id=account.id, name="x", media_type="y", created_at=NOW, until=LATER + timedelta(days=1)
        )
        session.add_all([upload, UploadPart(upload_id=upload.id, begin=0, size=4, digest=part.digest, at=NOW)])
    assert sweep(database, files, now=LATER).files == 0
    assert sweep(database, files, now=LATER + timedelta(days=2)).files == 1


def test_other_places_are_refused() -> None:
    with pytest.raises(UsageError, match="ftp://"):
        Files.open("ftp://example.org/files")
