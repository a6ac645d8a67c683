"""An upload goes on where it was, and becomes exactly the file that was sent."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from homolog.errors import InputRefused
from homolog.register import uploads
from homolog.register.database import Database
from homolog.register.files import Files, sweep
from homolog.register.tables.accounts import Account
from homolog.register.tables.files import Upload, UploadPart
from homolog.register.uploads import State, UploadElsewhere

NOW = datetime.now(UTC)
LIMIT = 10_000_000
DATA = os.urandom(2_500_000)


@pytest.fixture(autouse=True)
def _account(database: Database) -> None:
    with database.write() as session:
        session.add(Account(id="ann", email="a", email_key="a", name="A", created_at=NOW))


def begin(database: Database, *, size: int | None = len(DATA), expected: str | None = None) -> State:
    with database.write() as session:
        return uploads.begin(
            session, now=NOW, account_id="ann", name="../x.stl", media_type="model/stl", size=size, expected=expected
        )


def state(database: Database, upload: State, *, account: str = "ann", now: datetime = NOW) -> State | None:
    with database.read() as session:
        return uploads.state(session, upload.id, account_id=account, now=now)


def add(database: Database, files: Files, upload: State, part: slice, *, begin: int | None = None) -> State:
    data = DATA[part]
    place = part.start or 0 if begin is None else begin
    pieces = (data[at : at + 100_000] for at in range(0, len(data), 100_000))
    return uploads.add_part(database, files, upload, begin=place, pieces=pieces, now=NOW, limit=LIMIT)


def test_parts_become_the_file_that_was_sent(database: Database, files: Files) -> None:
    upload = begin(database, expected=hashlib.sha256(DATA).hexdigest())
    upload = add(database, files, upload, slice(0, 1_000_000))
    assert upload.offset == 1_000_000
    upload = add(database, files, upload, slice(1_000_000, None))
    done = uploads.finish(database, files, upload, now=NOW)
    assert done.digest == hashlib.sha256(DATA).hexdigest()
    assert done.size == done.offset == len(DATA)
    assert files.read(done.digest) == DATA
    assert uploads.finish(database, files, upload, now=NOW) == done
    assert state(database, upload) == done


def test_parts_are_rubbish_once_the_file_is_there(database: Database, files: Files) -> None:
    upload = add(database, files, begin(database), slice(0, 1_000_000))
    upload = add(database, files, upload, slice(1_000_000, None))
    assert sweep(database, files, now=NOW + timedelta(days=2)).files == 0
    done = uploads.finish(database, files, upload, now=NOW)
    assert sweep(database, files, now=NOW + timedelta(days=2)).files == 2
    assert files.read(done.digest or "") == DATA


def test_a_whole_file_is_taken_at_once(database: Database, files: Files) -> None:
    upload = begin(database, size=None)
    done = uploads.receive_whole(database, files, upload, pieces=[DATA], now=NOW, limit=LIMIT)
    assert (done.digest, done.size) == (hashlib.sha256(DATA).hexdigest(), len(DATA))
    with pytest.raises(UploadElsewhere):
        uploads.receive_whole(database, files, done, pieces=[DATA], now=NOW, limit=LIMIT)


def test_a_part_that_came_twice_is_taken_once(database: Database, files: Files) -> None:
    upload = begin(database)
    after = add(database, files, upload, slice(0, 1_000_000))
    with pytest.raises(UploadElsewhere, match="stands at 1000000"):  # the sender did not hear of it
        add(database, files, upload, slice(0, 1_000_000))
    with pytest.raises(UploadElsewhere, match="go on from byte 1000000"):
        add(database, files, after, slice(0, 10), begin=999_999)
    assert state(database, upload) == after


def test_an_unfinished_upload_is_no_file(database: Database, files: Files) -> None:
    upload = add(database, files, begin(database), slice(0, 1_000_000))
    with pytest.raises(InputRefused, match="1000000 of 2500000 bytes"):
        uploads.finish(database, files, upload, now=NOW)
    with pytest.raises(InputRefused, match="3 of 2500000 bytes"):
        uploads.receive_whole(database, files, begin(database), pieces=[b"abc"], now=NOW, limit=LIMIT)


def test_more_than_was_announced_is_refused(database: Database, files: Files) -> None:
    upload = begin(database, size=10)
    with pytest.raises(InputRefused, match="larger than 10 bytes"):
        uploads.add_part(database, files, upload, begin=0, pieces=[b"12345678901"], now=NOW, limit=LIMIT)
    upload = begin(database, size=None)
    with pytest.raises(InputRefused, match="larger than 5 bytes"):
        uploads.receive_whole(database, files, upload, pieces=[b"123456"], now=NOW, limit=5)
    assert upload.offset == 0


def test_other_bytes_than_announced_are_refused(database: Database, files: Files) -> None:
    upload = begin(database, expected=hashlib.sha256(b"other").hexdigest())
    upload = add(database, files, upload, slice(0, None))
    with pytest.raises(InputRefused, match="was announced"):
        uploads.finish(database, files, upload, now=NOW)
    found = state(database, upload)
    assert found is not None
    assert found.digest is None


def test_an_upload_of_somebody_else_is_none(database: Database) -> None:
    upload = begin(database)
    assert state(database, upload, account="ben") is None
    assert state(database, upload) == upload


def test_an_upload_that_nobody_went_on_with_is_forgotten(database: Database, files: Files) -> None:
    upload = add(database, files, begin(database), slice(0, 10))
    done = uploads.receive_whole(database, files, begin(database), pieces=[DATA], now=NOW, limit=LIMIT)
    later = NOW + uploads.KEPT
    assert state(database, upload, now=later - timedelta(seconds=1)) == upload
    assert state(database, upload, now=later) is None
    with database.write() as session:
        uploads.forget(session, now=later)
    with database.read() as session:
        assert session.exec(select(UploadPart)).all() == []
        assert session.exec(select(Upload.id)).all() == [done.id]
    assert sweep(database, files, now=later).files == 1
