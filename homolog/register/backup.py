"""Backup and restore of a whole register: from and to SQLite or PostgreSQL, a folder or a bucket, in any pairing.

A backup holds what happened. What only passes (sessions, secrets for one use, parts of unfinished uploads) stays behind. The same
register gives the same bytes wherever it lies; so a restored one is proved by copying it out once more before it counts.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import Session, select

from homolog.errors import InputRefused
from homolog.register import audit
from homolog.register.archive import (
    MANIFEST,
    Archive,
    BackupRefused,
    is_member,
    new_archive,
    open_archive,
    pieces_of,
    read_manifest,
    refused,
    sync,
)
from homolog.register.columns import json_text, time_text
from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.migrate import migrate, newest, require_current, revision
from homolog.register.rows import copied_tables, copy_of, filled_tables, put_rows
from homolog.register.tables import METADATA
from homolog.register.tables.files import StoredFile
from homolog.version import VERSION

FORMAT: Final = "homolog-backup/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a backup holds, or a restore brought back."""

    rows: int
    files: int
    size: int
    keys: int
    damaged: tuple[str, ...] = ()


def backup(
    database: Database, files: Files, target: Path, *, now: datetime, keys: Path | None = None, leave_damaged: bool = False
) -> Done:
    """Write a backup of one state of the register; it may be at work meanwhile.

    Args:
        database: At this version's revision.
        files: The store that its rows name.
        target: A new folder, or a new file whose name ends in .tar.
        now: Aware.
        keys: Folder of the signing keys, if they are to be in it: whoever has the backup can then sign.
        leave_damaged: Leave out files that are gone or have other bytes, and say so in the backup.

    Raises:
        UsageError: The target is there already.
        FileDamaged: A stored file is gone or has other bytes, and such are not to be left out.
        BackupRefused: The audit log does not hold.
    """
    require_current(database)
    with tempfile.TemporaryDirectory(prefix="homolog-backup-") as folder, new_archive(target) as archive:
        # One snapshot for all tables. The files come after it: they never change, and none that a row names ever goes.
        with database.connect(is_write=False) as connection:
            tables = _copy_tables(connection, Path(folder))
            chain_found = _whole_audit(connection)
            rows = connection.execute(select(StoredFile.digest, StoredFile.size).order_by(StoredFile.digest)).all()
        damaged = sorted(digest for digest, size in rows if leave_damaged and not files.is_whole(digest, size))
        stored = [(digest, size) for digest, size in rows if digest not in damaged]
        found_keys = _keys_in(keys)
        manifest = {
            "format": FORMAT,
            "engine": VERSION,
            "revision": newest(),
            "at": time_text(now),
            "tables": tables,
            "files": {"count": len(stored), "size": sum(size for _, size in stored), "damaged": damaged},
            "keys": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found_keys},
            "audit": {"entries": chain_found.entries, "head": chain_found.head},
        }
        _add_bytes(archive, MANIFEST, json_text(manifest).encode())
        for digest, size in stored:
            archive.add(f"files/{digest}", size, files.stream(digest))
        for path in found_keys:
            _add_bytes(archive, f"keys/{path.name}", path.read_bytes())
        for name in tables:
            copied = Path(folder, name)
            with copied.open("rb") as stream:
                archive.add(f"tables/{name}.jsonl", copied.stat().st_size, pieces_of(stream))
    count = sum(table["rows"] for table in tables.values())
    return Done(rows=count, files=len(stored), size=sum(size for _, size in stored), keys=len(found_keys), damaged=tuple(damaged))


def restore(source: Path, database: Database, files: Files, *, keys: Path) -> Done:
    """Bring a backup back into an empty register; it is there whole, byte for byte, or not at all.

    Args:
        source: What `backup` wrote.
        database: Empty: without tables, or with this version's tables and no row in them.
        files: Where the files go; what is there already does not matter.
        keys: Where the keys go that the backup holds; none of another content may be there.

    Raises:
        BackupRefused: It is no backup, it is damaged or of another version, or the place is not empty.
    """
    with open_archive(source) as members:
        manifest = _manifest(read_manifest(members, source), source)
        _make_ready(database)
        count = size = 0
        found_keys: list[str] = []
        table: tuple[str, IO[bytes]] | None = None
        for name, stream in members:
            part, _, rest = name.partition("/")
            if part == "tables":
                table = (name, stream)
                break
            if part == "files":
                size += _receive(files, rest, stream, source)
                count += 1
            else:
                _put_key(keys, rest, stream.read(), manifest, source)
                found_keys.append(rest)
        if (count, size) != (manifest["files"]["count"], manifest["files"]["size"]) or sorted(found_keys) != sorted(
            manifest["keys"]
        ):
            raise refused(source, "files or keys are missing from it")
        try:
            with database.connect(is_write=True) as connection:
                _require_empty(database, connection)
                _put_tables(connection, chain([table] if table else [], members), source)
                _require_same(connection, files, manifest, source)
        except (IntegrityError, StatementError) as error:
            raise refused(source, f"its rows do not belong together: {str(error.orig).partition(chr(10))[0]}") from error
    rows = sum(table["rows"] for table in manifest["tables"].values())
    return Done(rows=rows, files=count, size=size, keys=len(found_keys), damaged=tuple(manifest["files"]["damaged"]))


def _copy_tables(connection: Connection, folder: Path) -> dict[str, dict[str, Any]]:
    found = {}
    for table in copied_tables():
        with Path(folder, table.name).open("wb") as stream:
            copied = copy_of(connection, table, stream.write)
        found[table.name] = {"rows": copied.rows, "sha256": copied.sha256}
    return found


def _whole_audit(connection: Connection) -> audit.Chain:
    with Session(connection) as session:
        found = audit.check(session)
    if found.broken_at is not None:
        what = f"the audit log does not hold from entry {found.broken_at} on"
        raise BackupRefused.because(what, todo="look at homolog store check, and keep the database as it is")
    return found


def _keys_in(folder: Path | None) -> list[Path]:
    if folder is None or not folder.is_dir():
        return []
    found = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    for path in found:
        if not is_member(f"keys/{path.name}"):
            todo = "name it with letters, digits, dots and dashes"
            raise BackupRefused.because(f"the key {path.name} has a name that could not be restored", todo=todo)
    return found


def _add_bytes(archive: Archive, name: str, data: bytes) -> None:
    archive.add(name, len(data), [data])


def _manifest(data: bytes, source: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(data)
        is_known = found["format"] == FORMAT
        told = [found["revision"], found["engine"], found["audit"]["head"], found["files"]["count"], found["files"]["size"]]
        told += [part for table in found["tables"].values() for part in (table["rows"], table["sha256"])]
        is_known = is_known and isinstance(found["keys"], dict) and all(isinstance(part, str | int) for part in told)
        is_known = is_known and isinstance(found["files"]["damaged"], list)
    except (ValueError, KeyError, TypeError, AttributeError):
        is_known = False
    if not is_known:
        raise refused(source, f"its {MANIFEST} is none of ours")
    if found["revision"] != newest():
        raise BackupRefused.because(
            f"the backup is of revision {found['revision']}, and this version of the program has {newest()}",
            where=str(source),
            todo=f"restore it with version {found['engine']}, then run homolog migrate with this one",
        )
    return found


def _make_ready(database: Database) -> None:
    if revision(database) is None:
        migrate(database)
    require_current(database)
    with database.connect(is_write=False) as connection:
        _require_empty(database, connection)


def _require_empty(database: Database, connection: Connection) -> None:
    filled = filled_tables(connection)
    if filled:
        what = f"the database {database.shown} holds rows already, in {', '.join(filled[:3])}"
        raise BackupRefused.because(what, todo="restore into an empty database; what is there is left as it is")


def _receive(files: Files, digest: str, stream: IO[bytes], source: Path) -> int:
    try:
        return files.receive(pieces_of(stream), expected=digest).size
    except InputRefused:
        raise refused(source, f"the bytes of files/{digest} are others") from None


def _put_key(folder: Path, name: str, data: bytes, manifest: dict[str, Any], source: Path) -> None:
    if hashlib.sha256(data).hexdigest() != manifest["keys"].get(name):
        raise refused(source, f"the bytes of keys/{name} are others")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / name
    if target.exists():
        if target.read_bytes() != data:
            raise BackupRefused.because(f"another key is at {target} already", todo="move it away; keys are never replaced")
        return
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    sync(folder)


def _put_tables(connection: Connection, members: Iterable[tuple[str, IO[bytes]]], source: Path) -> None:
    known = {table.name: table for table in copied_tables()}
    for name, stream in members:
        table = known.get(name.removeprefix("tables/").removesuffix(".jsonl"))
        if table is None:
            raise refused(source, f"{name} is no table of ours, or stands in the wrong place")
        try:
            put_rows(connection, table, stream)
        except ValueError as error:
            raise refused(source, str(error)) from None


def _require_same(connection: Connection, files: Files, manifest: dict[str, Any], source: Path) -> None:
    """Copy everything out once more: what was restored must be what was backed up, to the last byte."""
    for table in copied_tables():
        copied = copy_of(connection, table, len)
        if manifest["tables"].get(table.name) != {"rows": copied.rows, "sha256": copied.sha256}:
            raise refused(source, f"the rows of {table.name} are not those that were backed up")
    if _whole_audit(connection).head != manifest["audit"]["head"]:
        raise refused(source, "its audit log is another one")
    for digest, size in _stored(connection):
        held = files.place.held(digest)
        if (held is None or held.size != size) and digest not in manifest["files"]["damaged"]:
            raise refused(source, f"the file {digest} is missing from it")


def _stored(connection: Connection) -> Iterator[tuple[str, int]]:
    table = METADATA.tables["stored_file"]
    yield from (tuple(row) for row in connection.execute(select(table.c.digest, table.c.size)))
