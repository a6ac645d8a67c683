"""Where bytes lie under their digest: a folder, or a bucket that speaks S3."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, ClassVar, Final, Protocol

import obstore
from obstore.exceptions import BaseError
from obstore.exceptions import NotFoundError as NotInBucket
from obstore.store import S3Store

from homolog.errors import HomologError

PIECE: Final = 1 << 20
"""Bytes that are read at a time."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a place says of bytes that it holds."""

    digest: str
    size: int
    since: datetime


class FilesUnavailable(HomologError):
    """The store did not take a file, or did not give one; no row speaks of it."""

    code: ClassVar[str] = "files_unavailable"
    exit_code: ClassVar[int] = 5


class Place(Protocol):
    """What a store of bytes must do; every name is a digest."""

    def spool(self) -> AbstractContextManager[IO[bytes]]:
        """Return a file that gathers bytes whose digest is not known yet; it is gone afterwards unless it was kept."""

    def keep(self, spooled: IO[bytes], digest: str) -> None:
        """Have the bytes under their digest, whole and on the disk, when this returns; what was there is replaced by the same.

        Raises:
            FilesUnavailable: The place does not take them.
        """

    def held(self, digest: str) -> Held | None:
        """Return what is there, if anything."""

    def read(self, digest: str, begin: int = 0) -> Iterator[bytes]:
        """Yield the bytes from an offset on.

        Raises:
            FileNotFoundError: There are none.
        """

    def all(self) -> Iterator[Held]:
        """Yield everything that is there."""

    def remove(self, digest: str) -> None:
        """Let bytes go; fine if there are none."""

    def forget_spooled(self, before: datetime) -> int:
        """Let go what processes gathered and left behind when they died; return how many files."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of this machine, or one that several share.

    The bucket's library writes files too, but does not wait until they are on the disk: the file, its name and its folder.
    """

    root: Path

    @contextlib.contextmanager
    def spool(self) -> Iterator[IO[bytes]]:
        """See `Place`."""
        with told():
            self._incoming.mkdir(parents=True, exist_ok=True)
            stream = tempfile.NamedTemporaryFile(dir=self._incoming, delete=False)  # noqa: SIM115 -- closed below
        try:
            yield stream
        finally:
            with contextlib.suppress(OSError):  # a full disk, already said
                stream.close()
            Path(stream.name).unlink(missing_ok=True)

    def keep(self, spooled: IO[bytes], digest: str) -> None:
        """See `Place`."""
        target = self._path(digest)
        with told():
            spooled.flush()
            os.fsync(spooled.fileno())
            target.parent.mkdir(parents=True, exist_ok=True)
            Path(spooled.name).replace(target)
            # All of the way up, even where nothing was made: who made a folder may have died before its name was on the disk.
            for folder in (target.parent, target.parent.parent, self.root):
                _sync(folder)

    def held(self, digest: str) -> Held | None:
        """See `Place`."""
        try:
            state = self._path(digest).stat()
        except FileNotFoundError:
            return None
        return Held(digest, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC))

    def read(self, digest: str, begin: int = 0) -> Iterator[bytes]:
        """See `Place`."""
        with self._path(digest).open("rb") as stream:
            stream.seek(begin)
            while piece := stream.read(PIECE):
                yield piece

    def all(self) -> Iterator[Held]:
        """See `Place`."""
        for path in sorted((self.root / "sha256").glob("??/*")):
            held = self.held(path.name)
            if held is not None:
                yield held

    def remove(self, digest: str) -> None:
        """See `Place`."""
        self._path(digest).unlink(missing_ok=True)

    def forget_spooled(self, before: datetime) -> int:
        """See `Place`."""
        old = [path for path in self._incoming.glob("*") if datetime.fromtimestamp(path.stat().st_mtime, UTC) < before]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    @property
    def _incoming(self) -> Path:
        return self.root / "incoming"

    def _path(self, digest: str) -> Path:
        return self.root / "sha256" / digest[:2] / digest


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket that speaks S3; it has an object whole or not at all."""

    store: S3Store

    def spool(self) -> AbstractContextManager[IO[bytes]]:
        """See `Place`."""
        return tempfile.TemporaryFile()

    def keep(self, spooled: IO[bytes], digest: str) -> None:
        """See `Place`."""
        spooled.seek(0)
        try:
            with told():
                obstore.put(self.store, _key(digest), spooled)
        except FileNotFoundError as error:
            what = "the bucket that files are stored in does not exist"
            raise FilesUnavailable.because(what, todo="make it, or name another one in HOMOLOG_FILES") from error

    def held(self, digest: str) -> Held | None:
        """See `Place`."""
        try:
            with told():
                found = obstore.head(self.store, _key(digest))
        except FileNotFoundError:
            return None
        return _held(found)

    def read(self, digest: str, begin: int = 0) -> Iterator[bytes]:
        """See `Place`."""
        with told():
            options: Any = {"range": {"offset": begin}} if begin else None
            for piece in obstore.get(self.store, _key(digest), options=options).stream(PIECE):
                yield bytes(piece)

    def all(self) -> Iterator[Held]:
        """See `Place`."""
        with told():
            for page in obstore.list(self.store, prefix="sha256"):
                yield from (_held(found) for found in page)

    def remove(self, digest: str) -> None:
        """See `Place`."""
        with told(), contextlib.suppress(NotInBucket):
            obstore.delete(self.store, _key(digest))

    def forget_spooled(self, before: datetime) -> int:
        """See `Place`; a bucket never shows what is not whole, and a temporary file has no name."""
        return 0


def _key(digest: str) -> str:
    return f"sha256/{digest[:2]}/{digest}"


def _held(found: Any) -> Held:
    return Held(found["path"].rpartition("/")[2], found["size"], found["last_modified"])


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Turn what a disk or a bucket complains of into one error; bytes that are not there stay `FileNotFoundError`."""
    try:
        yield
    except (NotInBucket, FileNotFoundError) as error:
        raise FileNotFoundError(str(error).partition("\n")[0]) from error
    except (BaseError, OSError) as error:
        why = getattr(error, "strerror", None) or _short(error)
        raise FilesUnavailable.because(f"the store of files failed: {why}", todo="look at it, then try again") from error


def _short(error: BaseException) -> str:
    return str(error).partition("\n")[0][:300]


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
