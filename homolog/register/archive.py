"""A backup as a folder or a tar file: there whole or not at all, and read without trusting it."""

from __future__ import annotations

import io
import os
import re
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, ClassVar, Final, Protocol
from uuid import uuid4

from homolog.errors import HomologError, UsageError
from homolog.register.places import PIECE

MANIFEST: Final = "backup.json"
_MANIFEST_LIMIT: Final = 10_000_000
_NAME = re.compile(r"backup\.json|files/[0-9a-f]{64}|keys/[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}|tables/[a-z_]+\.jsonl", re.ASCII)
_ORDER = ("files", "keys", "tables")


class BackupRefused(HomologError):
    """A backup cannot be made or restored; nothing of it counts."""

    code: ClassVar[str] = "backup_refused"
    exit_code: ClassVar[int] = 4


class Archive(Protocol):
    """A backup that is being written."""

    def add(self, name: str, size: int, pieces: Iterable[bytes]) -> None:
        """Write one member of a known size."""


@contextmanager
def new_archive(target: Path) -> Iterator[Archive]:
    """Hand out a backup to write; it appears under its name when all of it is on the disk.

    Args:
        target: A folder that does not exist yet, or a file whose name ends in .tar.

    Raises:
        UsageError: There is something already, or no place for it.
    """
    if target.exists():
        raise UsageError.because(f"{target} exists already", todo="choose a new name; a backup never replaces another one")
    if not target.absolute().parent.is_dir():
        raise UsageError.because(f"the folder {target.absolute().parent} does not exist", todo="make it first")
    beside = target.absolute().parent / f".{target.name}-{uuid4().hex}"
    try:
        if target.suffix == ".tar":
            with _private(beside) as stream:
                with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
                    yield _Tar(tar)
                stream.flush()
                os.fsync(stream.fileno())
        else:
            beside.mkdir(mode=0o700)
            yield _Folder(beside)
            for folder in (*(path for path in beside.iterdir() if path.is_dir()), beside):
                sync(folder)
        beside.rename(target)
        sync(target.absolute().parent)
    finally:
        if beside.is_dir():
            shutil.rmtree(beside)
        beside.unlink(missing_ok=True)


@contextmanager
def open_archive(source: Path) -> Iterator[Iterator[tuple[str, IO[bytes]]]]:
    """Hand out the members of a backup, each with its bytes; the first is the manifest, tables come last.

    Raises:
        BackupRefused: It is none, or a member has a name that none of ours has, or comes twice.
        UsageError: There is nothing.
    """
    try:
        if source.is_dir():
            yield _checked(_in_folder(source), source)
            return
        with tarfile.open(source, mode="r:") as tar:
            yield _checked(_in_tar(tar), source)
    except FileNotFoundError:
        raise UsageError.because(f"{source} does not exist", todo="name a backup") from None
    except tarfile.TarError as error:
        raise refused(source, f"it cannot be read as a tar file: {error}") from None


def read_manifest(members: Iterator[tuple[str, IO[bytes]]], source: Path) -> bytes:
    """Return the first member, which says what the others are."""
    name, stream = next(members, ("", io.BytesIO()))
    if name != MANIFEST:
        raise refused(source, f"it does not begin with {MANIFEST}")
    data = stream.read(_MANIFEST_LIMIT + 1)
    if len(data) > _MANIFEST_LIMIT:
        raise refused(source, f"its {MANIFEST} is too large")
    return data


def pieces_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield a stream in pieces."""
    while piece := stream.read(PIECE):
        yield piece


def is_member(name: str) -> bool:
    """Whether a backup may hold something of this name."""
    return _NAME.fullmatch(name) is not None


def refused(source: Path, why: str) -> BackupRefused:
    """Return the error that says why a backup cannot be restored."""
    return BackupRefused.because(f"the backup is refused: {why}", where=str(source), todo="take another backup")


def sync(folder: Path) -> None:
    """Wait until a folder's list of names is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class _Tar:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar

    def add(self, name: str, size: int, pieces: Iterable[bytes]) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        self._tar.addfile(member, io.BufferedReader(_Pieces(pieces), PIECE))


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def add(self, name: str, size: int, pieces: Iterable[bytes]) -> None:
        path = self._root / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with _private(path) as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())


class _Pieces(io.RawIOBase):
    """Pieces as a stream that can be read."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces, self._rest = iter(pieces), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _private(path: Path) -> IO[bytes]:
    """Open a new file that nobody else reads: a backup holds passwords' hashes, and perhaps keys."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _checked(members: Iterable[tuple[str, IO[bytes]]], source: Path) -> Iterator[tuple[str, IO[bytes]]]:
    seen: set[str] = set()
    for name, stream in members:
        if not is_member(name) or name in seen:
            raise refused(source, f"{name[:80]!r} has no place in it, or comes twice")
        seen.add(name)
        yield name, stream


def _in_tar(tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    for member in tar:
        stream = tar.extractfile(member) if member.isreg() else None
        yield (member.name, stream) if stream is not None else ("", io.BytesIO())


def _in_folder(root: Path) -> Iterator[tuple[str, IO[bytes]]]:
    paths = [root / MANIFEST, *(path for part in _ORDER for path in sorted((root / part).glob("*")))]
    paths += [path for path in root.iterdir() if path.name not in (MANIFEST, *_ORDER)]
    for path in paths:
        with path.open("rb") as stream:
            yield str(path.relative_to(root)), stream
