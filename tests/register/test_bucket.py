"""A bucket keeps what a folder keeps."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from homolog.register.backup import backup, restore
from homolog.register.database import Database
from homolog.register.files import FileDamaged, Files, check, sweep
from homolog.register.migrate import migrate
from homolog.register.places import FilesUnavailable
from tests.bucket import Bucket, bucket_server

NOW = datetime.now(UTC)


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with bucket_server() as found:
        yield found


@pytest.fixture
def files(bucket: Bucket) -> Files:
    return Files.open("s3://register/some/place", bucket.options)


@pytest.mark.parametrize("size", [0, 1, 5_000_000, 12_000_001])
def test_a_file_comes_back_byte_for_byte(files: Files, bucket: Bucket, size: int) -> None:
    data = os.urandom(size)
    blob = files.receive(data[at : at + 99_999] for at in range(0, size, 99_999))
    assert blob.size == size
    assert files.read(blob.digest) == data
    assert b"".join(files.place.read(blob.digest, size // 2)) == data[size // 2 :]
    assert list(bucket.objects) == [f"some/place/sha256/{blob.digest[:2]}/{blob.digest}"]
    held = files.place.held(blob.digest)
    assert held is not None
    assert (held.digest, held.size) == (blob.digest, size)
    assert abs(held.since - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_rubbish_is_swept_and_damage_is_seen(database: Database, files: Files, bucket: Bucket) -> None:
    kept, rubbish, lost = (files.receive([data]) for data in (b"kept", b"rubbish", b"lost"))
    with database.write() as session:
        files.record(session, kept, now=NOW)
        files.record(session, lost, now=NOW)
    for key, (body, _) in list(bucket.objects.items()):
        bucket.objects[key] = (body, 0)
    assert sweep(database, files, now=NOW).files == 1
    assert files.place.held(rubbish.digest) is None
    bucket.objects = {key: found for key, found in bucket.objects.items() if lost.digest not in key}
    assert [line.partition(":")[0] for line in check(database, files)] == [lost.digest]
    with pytest.raises(FileDamaged, match="gone"):
        files.read(lost.digest)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_register_moves_from_a_bucket_to_a_folder_and_back(
    database: Database, files: Files, bucket: Bucket, tmp_path: Path
) -> None:
    blob = files.receive([os.urandom(6_000_000)])
    with database.write() as session:
        files.record(session, blob, now=NOW)
    backup(database, files, tmp_path / "one.tar", now=NOW)
    small, folder = Database.open(f"sqlite:///{tmp_path}/small.db"), Files.open(tmp_path / "files")
    restore(tmp_path / "one.tar", small, folder, keys=tmp_path / "keys")
    assert folder.read(blob.digest) == files.read(blob.digest)
    backup(small, folder, tmp_path / "two.tar", now=NOW)
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()
    bucket.objects.clear()
    again = Database.open(f"sqlite:///{tmp_path}/again.db")
    migrate(again)
    restore(tmp_path / "two.tar", again, files, keys=tmp_path / "keys")
    assert list(check(again, files)) == []
    small.close()
    again.close()


def test_a_bucket_that_is_not_there_is_named(bucket: Bucket) -> None:
    with pytest.raises(FilesUnavailable, match="does not exist; make it"):
        Files.open("s3://other", bucket.options).receive([b"x"])


def test_a_bucket_that_does_not_know_us_is_said(bucket: Bucket) -> None:
    with pytest.raises(FilesUnavailable, match="failed"):
        Files.open("s3://register", {**bucket.options, "access_key_id": "nobody"}).receive([b"x"])


def test_a_disk_that_takes_no_more_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    files = Files.open(tmp_path / "files")
    files.receive([b"there"])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        with pytest.raises(FilesUnavailable, match="File too large"):
            files.receive([os.urandom(700_000), os.urandom(700_000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert len([path for path in (tmp_path / "files").rglob("*") if path.is_file()]) == 1


def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "files").write_text("in the way")
    with pytest.raises(FilesUnavailable, match=r"the store of files failed: (Not a directory|File exists)"):
        Files.open(tmp_path / "files").receive([b"x"])
