"""Kills a process that stores files and writes rows, again and again, and looks at what is left.

Usage: python tools/kill_test.py [KILLS] [--database URL] [--seed N]

Without a URL it runs on SQLite and on a PostgreSQL of its own. The victim has four threads. One stores a file and writes, in one
transaction, its row, an upload that names it and an entry of the audit log, and says so once that is done; another counts a number
up, a third gives a role and takes it back. The process is killed (SIGKILL) at a moment by chance. Then all that was said must be
there, nothing may be half there, and the audit log must hold; the next victim goes on in the same register.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sqlmodel import col, func  # noqa: E402
from sqlmodel import select as query  # noqa: E402

from homolog.register import audit  # noqa: E402
from homolog.register.backup import restore  # noqa: E402
from homolog.register.database import Database  # noqa: E402
from homolog.register.files import Files, check, sweep  # noqa: E402
from homolog.register.ids import new_id  # noqa: E402
from homolog.register.migrate import migrate  # noqa: E402
from homolog.register.tables.accounts import Account, RoleGrant, RoleGrantEnd  # noqa: E402
from homolog.register.tables.audit import AuditEntry  # noqa: E402
from homolog.register.tables.files import StoredFile, Upload  # noqa: E402

THREADS = 4
COUNTER = "counter"


@dataclass(slots=True)
class Said:
    """What all victims acknowledged so far."""

    uploads: dict[str, str] = field(default_factory=dict)
    grants: set[str] = field(default_factory=set)
    count: int = 0


def victim(url: str, folder: str, output: Connection) -> None:
    """Store and write until somebody kills this process; say what is done, once it is."""
    database, files = Database.open(url), Files.open(folder)
    lock = threading.Lock()

    def say(*words: str) -> None:
        with lock:
            output.send(words)

    threads = [threading.Thread(target=_work, args=(database, files, number, say), daemon=True) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _work(database: Database, files: Files, number: int, say: Callable[..., None]) -> None:
    chance = random.Random()  # noqa: S311 -- sizes of files
    while True:
        now = datetime.now(UTC)
        kind = (number + chance.randrange(3)) % 3
        if kind == 0:
            blob = files.receive(os.urandom(200_000) for _ in range(chance.randrange(1, 6)))
            upload = Upload(
                id=new_id(now), account_id=COUNTER, name="x", media_type="y", size=blob.size, digest=blob.digest,
                created_at=now, finished_at=now, until=now,
            )  # fmt: skip
            with database.write() as session:
                files.record(session, blob, now=now)
                session.add(upload)
                audit.record(session, now=now, account_id=COUNTER, action="upload.finished", object=f"upload:{upload.id}")
            say("upload", upload.id, blob.digest)
        elif kind == 1:
            with database.write() as session:
                account = session.get_one(Account, COUNTER)
                account.version += 1
                count = account.version
                audit.record(session, now=now, account_id=COUNTER, action="counted", object=f"count:{count}")
            say("count", str(count))
        else:
            grant = RoleGrant(id=new_id(now), account_id=COUNTER, role="referee", since=now, at=now)
            with database.write() as session:
                session.add_all([grant, RoleGrantEnd(grant_id=grant.id, at=now, reason="")])
                audit.record(session, now=now, account_id=COUNTER, action="role.given", object=f"grant:{grant.id}")
                audit.record(session, now=now, account_id=COUNTER, action="role.taken", object=f"grant:{grant.id}")
            say("grant", grant.id)


def run(url: str, folder: Path, kills: int, chance: random.Random) -> Said:
    """Kill so many victims; raise AssertionError at the first thing that is lost, half there, or there twice."""
    database, files = Database.open(url), Files.open(folder)
    migrate(database)
    with database.write() as session:
        session.add(Account(id=COUNTER, email="c", email_key="c", name="C", created_at=datetime.now(UTC), version=0))
    said = Said()
    for _ in range(kills):
        _kill_one(url, folder, chance, said)
        look(database, files, said)
    faults = list(check(database, files))
    _hold(not faults, f"damaged files: {faults}")
    sweep(database, files, now=datetime.now(UTC))
    database.close()
    return said


@functools.cache
def _processes() -> ForkServerContext:
    """Return what victims are forked from: a process that has loaded the libraries, without a thread or an open database."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["kill_test"])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
    return context


def restore_into(source: str, url: str, folder: str) -> None:
    """Restore a backup, unless somebody kills this process."""
    restore(Path(source), Database.open(url), Files.open(folder), keys=Path(folder, "keys"))


def killed_after(seconds: float, work: Callable[..., None], *words: str) -> bool:
    """Start work in a process, kill it after a while, and say whether it was still at work."""
    process = _processes().Process(target=work, args=words)
    process.start()
    time.sleep(seconds)
    process.kill()
    process.join()
    return process.exitcode == -signal.SIGKILL


def _kill_one(url: str, folder: Path, chance: random.Random, said: Said) -> None:
    ours, theirs = _processes().Pipe(duplex=False)
    process = _processes().Process(target=victim, args=(url, str(folder), theirs))
    process.start()
    theirs.close()
    begun = ours.poll(60)  # it has begun when it says its first word
    time.sleep(chance.uniform(0, 0.3))
    _hold(begun and process.exitcode is None, "the victim ended by itself")
    process.kill()
    process.join()
    with contextlib.suppress(EOFError, OSError):  # OSError: killed within a word
        while True:
            _note(said, *ours.recv())


def _note(said: Said, kind: str, *words: str) -> None:
    if kind == "upload":
        said.uploads[words[0]] = words[1]
    elif kind == "grant":
        said.grants.add(words[0])
    else:
        said.count = max(said.count, int(words[0]))


def look(database: Database, files: Files, said: Said) -> None:
    """Compare a register with what was acknowledged."""
    with database.read() as session:
        uploads = dict(session.exec(query(Upload.id, Upload.digest)).all())
        stored = dict(session.exec(query(StoredFile.digest, StoredFile.size)).all())
        grants = set(session.exec(query(RoleGrant.id)).all())
        ends = set(session.exec(query(RoleGrantEnd.grant_id)).all())
        count = session.get_one(Account, COUNTER).version
        told = session.exec(query(AuditEntry.object, func.count()).group_by(col(AuditEntry.object))).all()
        chain = audit.check(session)
    _hold(chain.broken_at is None, f"the audit log does not hold from {chain.broken_at} on")
    _hold(said.uploads.items() <= uploads.items(), "an acknowledged upload is gone")
    _hold(said.grants <= grants, "an acknowledged role is gone")
    _hold(said.count <= count, f"the counter is {count}, and {said.count} was acknowledged")
    _hold(grants == ends, "a role was given and not taken back: half a transaction")
    _hold(set(uploads.values()) == stored.keys(), "an upload without its file's row, or the other way round")
    expected = {f"upload:{one}": 1 for one in uploads} | {f"grant:{one}": 2 for one in grants}
    expected |= {f"count:{number}": 1 for number in range(1, count + 1)}
    _hold(dict(told) == expected, "rows and the audit log tell different stories")
    for digest, size in stored.items():
        held = files.place.held(digest)
        _hold(held is not None and held.size == size, f"the row of {digest} has no file")


def _hold(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise AssertionError(otherwise)


@contextlib.contextmanager
def own_postgresql() -> Iterator[str]:
    """Yield the URL of an empty database in a PostgreSQL of its own, which waits for the disk as it would in earnest."""
    from tests.databases import create_database, server

    with server(is_durable=True) as folder:
        yield create_database(folder, "kills")


def main() -> None:
    """Kill, look, and print figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kills", nargs="?", type=int, default=100)
    parser.add_argument("--database", help="an empty database; SQLite and a PostgreSQL of its own if left out")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="homolog-kill-") as folder, contextlib.ExitStack() as stack:
        urls = [chosen.database] if chosen.database else [f"sqlite:///{folder}/kill.db", stack.enter_context(own_postgresql())]
        for number, url in enumerate(urls):
            start = time.monotonic()
            said = run(url, Path(folder, f"files{number}"), chosen.kills, random.Random(chosen.seed))  # noqa: S311
            kind, seconds = url.partition(":")[0], time.monotonic() - start
            print(f"{kind}: {chosen.kills} kills in {seconds:.0f} s, seed {chosen.seed}. Acknowledged: {len(said.uploads)} files,")
            print(f"    {said.count} changes, {len(said.grants)} pairs of rows. All there, nothing half, the audit log holds.")


if __name__ == "__main__":
    main()
