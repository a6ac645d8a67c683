"""Uploads: whole or in parts, begun by one request and gone on with by another, on whichever machine that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from sqlalchemy import delete
from sqlmodel import Session, col, select

from homolog.errors import InputRefused
from homolog.register.database import Database
from homolog.register.files import Blob, Files
from homolog.register.ids import new_id
from homolog.register.tables.files import Upload, UploadPart

KEPT: Final = timedelta(days=7)
"""How long an unfinished upload waits for its next part."""


class UploadElsewhere(InputRefused):
    """A part does not begin where the upload stands."""

    code: ClassVar[str] = "upload_offset"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """An upload.

    Attributes:
        offset: How many bytes are there; the next part begins here.
        digest: The stored file, once all is there.
    """

    id: str
    account_id: str
    organisation_id: str | None
    name: str
    media_type: str
    size: int | None
    offset: int
    digest: str | None
    created_at: datetime
    until: datetime


def begin(
    session: Session,
    *,
    now: datetime,
    account_id: str,
    organisation_id: str | None = None,
    name: str,
    media_type: str,
    size: int | None = None,
    expected: str | None = None,
) -> State:
    """Begin an upload, with what its sender says of the file; see `Upload`."""
    row = Upload(
        id=new_id(now),
        account_id=account_id,
        organisation_id=organisation_id,
        name=name,
        media_type=media_type,
        size=size,
        expected=expected,
        created_at=now,
        until=now + KEPT,
    )
    session.add(row)
    session.flush()
    return _state(row, 0)


def state(session: Session, upload_id: str, *, account_id: str, now: datetime) -> State | None:
    """Return an upload of an account; None for one of somebody else, or one that was forgotten."""
    row = session.get(Upload, upload_id)
    if row is None or row.account_id != account_id or (row.digest is None and row.until <= now):
        return None
    return _state(row, _offset(session, upload_id))


def add_part(
    database: Database, files: Files, upload: State, *, begin: int, pieces: Iterable[bytes], now: datetime, limit: int
) -> State:
    """Take a part in; it is safe when this returns, whatever happens to the connection afterwards.

    Args:
        database: Where the upload is.
        files: Where its bytes go.
        upload: As `state` gave it, for its owner.
        begin: Where in the file the part begins.
        pieces: Its bytes, as they come.
        now: Aware.
        limit: Bytes of a whole file.

    Raises:
        UploadElsewhere: The upload stands elsewhere, or went on meanwhile; ask where.
        InputRefused: It would be larger than announced, or than is taken.
    """
    most = limit if upload.size is None else min(limit, upload.size)
    if begin != upload.offset or upload.digest is not None:
        raise _elsewhere(begin, upload.offset)
    blob = files.receive(pieces, limit=most - begin)
    with database.write() as session:
        row = session.get_one(Upload, upload.id)
        offset = _offset(session, upload.id)
        if row.digest is not None or offset != begin:
            raise _elsewhere(begin, offset)
        if blob.size:
            session.add(UploadPart(upload_id=row.id, begin=begin, size=blob.size, digest=blob.digest, at=now))
        row.until = now + KEPT
        session.add(row)
        return _state(row, begin + blob.size)


def finish(database: Database, files: Files, upload: State, *, now: datetime) -> State:
    """Put the parts together, once all are there; finishing again changes nothing.

    Raises:
        InputRefused: Bytes are missing, or they are not those that were announced.
    """
    with database.read() as session:
        row = session.get_one(Upload, upload.id)
        parts = session.exec(select(UploadPart).where(UploadPart.upload_id == upload.id).order_by(col(UploadPart.begin))).all()
        offset = sum(part.size for part in parts)
        expected, size = row.expected, row.size
        if row.digest is not None:
            return _state(row, offset)
        digests = [part.digest for part in parts]
    if size is not None and offset != size:
        what = f"{offset} of {size} bytes of the file are there"
        raise InputRefused.because(what, todo=f"send the rest from byte {offset} on", code="upload_unfinished")
    blob = files.receive(_joined(files, digests), expected=expected)
    with database.write() as session:
        row = session.get_one(Upload, upload.id)
        if row.digest is None:
            _conclude(session, files, row, blob, now)
        return _state(row, row.size or 0)


def receive_whole(database: Database, files: Files, upload: State, *, pieces: Iterable[bytes], now: datetime, limit: int) -> State:
    """Take a whole file in for an upload that has no part yet.

    Raises:
        UploadElsewhere: It has parts, or is finished.
        InputRefused: It is larger than is taken, or not what was announced.
    """
    if upload.offset or upload.digest is not None:
        raise _elsewhere(0, upload.offset)
    with database.read() as session:
        expected = session.get_one(Upload, upload.id).expected
    blob = files.receive(pieces, limit=limit if upload.size is None else min(limit, upload.size), expected=expected)
    if upload.size is not None and blob.size != upload.size:
        what = f"{blob.size} of {upload.size} bytes of the file came"
        raise InputRefused.because(what, todo="send the file again", code="upload_unfinished")
    with database.write() as session:
        row = session.get_one(Upload, upload.id)
        if row.digest is not None or _offset(session, row.id):
            raise _elsewhere(0, _offset(session, row.id))
        _conclude(session, files, row, blob, now)
        return _state(row, blob.size)


def forget(session: Session, *, now: datetime) -> None:
    """Let go uploads that nobody went on with; their bytes go with the next sweep."""
    old = select(Upload.id).where(col(Upload.digest).is_(None), Upload.until <= now)
    session.execute(delete(UploadPart).where(col(UploadPart.upload_id).in_(old)))
    session.execute(delete(Upload).where(col(Upload.digest).is_(None), col(Upload.until) <= now))


def _conclude(session: Session, files: Files, row: Upload, blob: Blob, now: datetime) -> None:
    files.record(session, blob, now=now)
    session.execute(delete(UploadPart).where(col(UploadPart.upload_id) == row.id))
    row.digest, row.size, row.finished_at = blob.digest, blob.size, now
    session.add(row)


def _joined(files: Files, digests: Iterable[str]) -> Iterator[bytes]:
    for digest in digests:
        yield from files.stream(digest)


def _offset(session: Session, upload_id: str) -> int:
    sizes = session.exec(select(UploadPart.size).where(UploadPart.upload_id == upload_id)).all()
    return sum(sizes)


def _state(row: Upload, offset: int) -> State:
    return State(
        id=row.id,
        account_id=row.account_id,
        organisation_id=row.organisation_id,
        name=row.name,
        media_type=row.media_type,
        size=row.size,
        offset=(row.size or 0) if row.digest is not None else offset,
        digest=row.digest,
        created_at=row.created_at,
        until=row.until,
    )


def _elsewhere(begin: int, offset: int) -> UploadElsewhere:
    return UploadElsewhere.because(
        f"the part begins at byte {begin}, and the upload stands at {offset}", todo=f"go on from byte {offset}"
    )
