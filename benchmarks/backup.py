"""How long a register of many reports takes to back up and to restore, and whether it comes back byte for byte.

Usage: python benchmarks/backup.py [REPORTS] [--scan BYTES]

Each report is judged by the program from a sheet of its own, and stored with its record, its page and a scan's worth of bytes; each
has an upload and an entry of the audit log. The register moves from SQLite to PostgreSQL and back; the three backups are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from homolog.check import Question, check, vocabulary_of  # noqa: E402
from homolog.register import audit  # noqa: E402
from homolog.register.backup import backup, restore  # noqa: E402
from homolog.register.database import Database  # noqa: E402
from homolog.register.files import Files  # noqa: E402
from homolog.register.files import check as faults_of  # noqa: E402
from homolog.register.ids import new_id  # noqa: E402
from homolog.register.migrate import migrate  # noqa: E402
from homolog.register.tables.accounts import Account  # noqa: E402
from homolog.register.tables.files import Upload  # noqa: E402
from homolog.report import to_html, to_json  # noqa: E402
from homolog.spec.library import Library  # noqa: E402
from homolog.submission.read import read_submissions  # noqa: E402
from tests.databases import create_database, server  # noqa: E402

SHEET = (ROOT / "examples" / "goalkeeper.yaml").read_text()
R = TypeVar("R")


def _timed(says: str, work: Callable[[], R]) -> R:
    start = time.monotonic()
    found = work()
    print(f"{says:42} {time.monotonic() - start:6.1f} s")
    return found


def _fill(database: Database, files: Files, reports: int, scan: int) -> None:
    library = Library()
    question = Question(on=date(2014, 1, 1), body="fistf", edition="4.0", purpose="self_test", library=library)
    known, now = vocabulary_of(library), datetime.now(UTC)
    with database.write() as session:
        session.add(Account(id="maker", email="m", email_key="m", name="Maker", created_at=now))
    for number in range(reports):
        sheet = SHEET.replace("Keeper 7", f"Keeper {number}").replace("38.2 mm", f"{36 + number % 300 / 100:.2f} mm").encode()
        (submission,) = read_submissions(sheet, "sheet.yaml", known, None)
        report = check(submission, question)
        parts = {
            "report.json": to_json(report),
            "report.html": to_html(report, "en"),
            "sheet.yaml": sheet,
            "scan.stl": os.urandom(scan),
        }
        blobs = {name: files.receive([data]) for name, data in parts.items()}
        with database.write() as session:
            for name, blob in blobs.items():
                files.record(session, blob, now=now)
                session.add(
                    Upload(
                        id=new_id(now),
                        account_id="maker",
                        name=name,
                        media_type="application/octet-stream",
                        size=blob.size,
                        digest=blob.digest,
                        created_at=now,
                        finished_at=now,
                        until=now,
                    )
                )
            audit.record(session, now=now, account_id="maker", action="report.stored", object=f"file:{blobs['report.json'].digest}")


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main() -> None:
    """Fill, back up, restore on the other database and back; print times, sizes and digests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="?", type=int, default=1000)
    parser.add_argument("--scan", type=int, default=100_000, help="bytes of what stands for a scan")
    chosen = parser.parse_args()
    now = datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="homolog-backup-") as name, ExitStack() as stack:
        folder = Path(name)
        large_url = create_database(stack.enter_context(server(is_durable=True)), "moved")
        urls = [f"sqlite:///{folder}/one.db", large_url, f"sqlite:///{folder}/three.db"]
        places = [(Database.open(url), Files.open(folder / f"files{number}")) for number, url in enumerate(urls)]
        migrate(places[0][0])
        _timed(f"judge and store {chosen.reports} reports", lambda: _fill(*places[0], chosen.reports, chosen.scan))
        targets = [folder / f"{number}.tar" for number in range(3)]
        for number, (database, files) in enumerate(places):
            kind = "SQLite" if database.is_sqlite else "PostgreSQL"
            if number:
                before = targets[number - 1]
                _timed(f"restore into {kind}", lambda: restore(before, database, files, keys=folder / "keys"))  # noqa: B023 -- called now
            done = _timed(f"back up {kind}", lambda: backup(database, files, targets[number], now=now))  # noqa: B023
        faults = [fault for database, files in places for fault in faults_of(database, files)]
        for database, _ in places:
            database.close()
        digests = [_digest(target) for target in targets]
        print(f"{done.rows} rows, {done.files} files of {done.size} bytes; a backup has {targets[0].stat().st_size} bytes")
        print(f"damaged files after all: {len(faults)}; the three backups: {digests}")
        if faults or len(set(digests)) != 1:
            sys.exit("not the same")
        print("the same byte for byte")


if __name__ == "__main__":
    main()
