"""Stored files, named by their SHA-256: first the bytes are safe, then a row says so.

A file without a row is rubbish of somebody who died between the two, and `sweep` removes it. A row without its file cannot come
about: the row is written only while the file is seen to be there, and nothing is swept meanwhile, as there is one writer at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

from obstore.store import S3Store
from sqlmodel import Session, col, select

from homolog.errors import HomologError, InputRefused, UsageError
from homolog.register.database import Database
from homolog.register.places import Bucket, Folder, Place, told
from homolog.register.tables.files import StoredFile, Upload, UploadPart

if TYPE_CHECKING:
    from obstore.store import S3Config

GRACE: Final = timedelta(days=1)
"""How old a file without a row must be before it is rubbish; whoever brought it has a day to write the row."""


class FileDamaged(HomologError):
    """A stored file is gone, or its bytes are not those that were stored."""

    code: ClassVar[str] = "file_damaged"
    exit_code: ClassVar[int] = 5


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes that are safe in the store.

    Attributes:
        digest: SHA-256, hexadecimal.
        size: Bytes.
    """

    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Files:
    """The store of files."""

    place: Place

    @classmethod
    def open(cls, where: str | Path, options: Mapping[str, str] | None = None) -> Self:
        """Open a store; nothing is written.

        Args:
            where: A folder, or `s3://BUCKET/PREFIX`.
            options: For a bucket: endpoint, region, access_key_id, secret_access_key.

        Raises:
            UsageError: It is neither.
        """
        text = str(where)
        if "://" not in text:
            return cls(Folder(Path(text)))
        return cls(_bucket(text, dict(options or {})))

    def receive(self, pieces: Iterable[bytes], *, limit: int | None = None, expected: str | None = None) -> Blob:
        """Take bytes in; when this returns they are on the disk, and a row for them may be written.

        Args:
            pieces: The bytes, as they come.
            limit: Most bytes that are taken.
            expected: SHA-256 that they must have.

        Raises:
            InputRefused: They are too many, or others than announced; nothing of them is kept.
            FilesUnavailable: The store did not take them.
        """
        digest, size = hashlib.sha256(), 0
        with self.place.spool() as spooled:
            for piece in pieces:
                size += len(piece)
                if limit is not None and size > limit:
                    raise InputRefused.because(
                        f"the file is larger than {limit} bytes", todo="send a smaller one", code="file_too_large"
                    )
                digest.update(piece)
                with told():
                    spooled.write(piece)
            found = digest.hexdigest()
            if expected is not None and expected != found:
                what = f"the bytes that came have the digest {found}, and {expected[:64]} was announced"
                raise InputRefused.because(what, todo="send the file again", code="file_other")
            self.place.keep(spooled, found)
        return Blob(found, size)

    def record(self, session: Session, blob: Blob, *, now: datetime) -> None:
        """Write the row of bytes that were received, in the transaction whose rows name them.

        Args:
            session: One that writes.
            blob: What `receive` returned.
            now: Aware.

        Raises:
            FileDamaged: The bytes are not there any more; receive them again.
        """
        if session.get(StoredFile, blob.digest) is not None:
            return
        held = self.place.held(blob.digest)
        if held is None or held.size != blob.size:
            raise FileDamaged.because("the file was swept before its row was written", where=blob.digest, todo="send it again")
        session.add(StoredFile(digest=blob.digest, size=blob.size, at=now))
        session.flush()

    def read(self, digest: str) -> bytes:
        """Return a stored file, having seen that it is the one that was stored.

        Raises:
            FileDamaged: It is not, or it is gone.
        """
        return b"".join(self.stream(digest))

    def stream(self, digest: str) -> Iterator[bytes]:
        """Yield a stored file in pieces; the last one comes only if all of them are what was stored.

        Raises:
            FileDamaged: They are not, or the file is gone.
        """
        found, last = hashlib.sha256(), b""
        try:
            for piece in self.place.read(digest):
                found.update(piece)
                if last:
                    yield last
                last = piece
        except FileNotFoundError:
            raise FileDamaged.because("the stored file is gone", where=digest, todo="restore it from a backup") from None
        if found.hexdigest() != digest:
            what = "the stored file's bytes are not those that were stored"
            raise FileDamaged.because(what, where=digest, todo="restore it from a backup")
        if last:
            yield last

    def is_whole(self, digest: str, size: int) -> bool:
        """Whether a stored file is there with its bytes."""
        try:
            return sum(len(piece) for piece in self.stream(digest)) == size
        except FileDamaged:
            return False


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep let go."""

    files: int
    size: int
    spooled: int


def sweep(database: Database, files: Files, *, now: datetime, grace: timedelta = GRACE) -> Swept:
    """Let go files without a row, older than the grace, and what dead processes left half gathered."""
    before = now - grace
    count = size = 0
    for held in files.place.all():
        if held.since >= before:
            continue
        # Looked at once more as the only writer: a row may have been written, or the bytes brought again, since they were listed.
        with database.write() as session:
            again = files.place.held(held.digest)
            if again is None or again.since >= before or _is_named(session, held.digest, now):
                continue
            files.place.remove(held.digest)
            count, size = count + 1, size + held.size
    return Swept(files=count, size=size, spooled=files.place.forget_spooled(before))


def check(database: Database, files: Files) -> Iterator[str]:
    """Yield what is wrong, a sentence each: a row whose file is gone or has other bytes. Silence is a promise."""
    with database.read() as session:
        rows = session.exec(select(StoredFile.digest, StoredFile.size).order_by(col(StoredFile.digest))).all()
    for digest, size in rows:
        try:
            found = sum(len(piece) for piece in files.stream(digest))
        except FileDamaged as error:
            yield str(error.problems[0])
            continue
        if found != size:
            yield f"{digest}: the row says {size} bytes, and {found} are there."


def _bucket(url: str, options: dict[str, str]) -> Bucket:
    scheme, _, rest = url.partition("://")
    name, _, prefix = rest.partition("/")
    if scheme != "s3" or not name:
        raise UsageError.because(f"files cannot be stored at {url[:80]}", todo="name a folder, or s3://BUCKET/PREFIX")
    config: S3Config = {"bucket": name, "disable_bulk_delete": True}
    config.update(options)  # type: ignore[typeddict-item]
    is_plain = options.get("endpoint", "").startswith("http://")
    store = S3Store(
        prefix=prefix.strip("/") or None,
        config=config,
        client_options={"allow_http": is_plain, "timeout": timedelta(seconds=60), "connect_timeout": timedelta(seconds=5)},
        # A request waits for its answer meanwhile; better to say that the store is away than to hold everybody up.
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=20)},
    )
    return Bucket(store)


def _is_named(session: Session, digest: str, now: datetime) -> bool:
    if session.get(StoredFile, digest) is not None:
        return True
    parts = select(UploadPart.digest).join(Upload, col(Upload.id) == col(UploadPart.upload_id))
    waiting = parts.where(UploadPart.digest == digest, col(Upload.finished_at).is_(None), Upload.until > now)
    return session.exec(waiting.limit(1)).first() is not None
