"""Has many jobs done by two workers, kills one half-way for good, and looks whether each was done exactly once.

Usage: python -m benchmarks.jobs [--jobs N] [--databases sqlite,postgresql] [--workers N] [--no-kill]

Each job assesses an application of its own: a step is written and a report stored. One line of JSON for each database: how long it
took, which ends there are, and how many applications were assessed once. Exit code 1 if that is not all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from homolog.register import applications, jobs
from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.migrate import migrate
from homolog.service.jobs.asked import ask_assessment
from homolog.service.sealing import prepare_keys
from homolog.service.settings import Settings
from tests.databases import create_database, server
from tests.service.people import World, world_of

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def register(kind: str) -> Iterator[tuple[World, dict[str, str]]]:
    """Yield a new register with people, and the environment in which a program finds it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="homolog-jobs-")))
        url = f"sqlite:///{folder / 'homolog.db'}"
        if kind == "postgresql":
            url = create_database(stack.enter_context(server(is_durable=True)), "jobs")
        database = Database.open(url)
        stack.callback(database.close)
        migrate(database)
        prepare_keys(Settings.from_environment({"HOMOLOG_DATA": str(folder)}), now=datetime.now(UTC) - timedelta(days=1))
        # Workers have the real clock: what the people did lies before it.
        world = world_of(database, Files.open(folder / "files"), at=datetime.now(UTC) - timedelta(days=60))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMOLOG_")}
        yield world, environment | {"HOMOLOG_DATABASE": url, "HOMOLOG_FILES": str(folder / "files"), "HOMOLOG_DATA": str(folder)}


def start(environment: dict[str, str], number: int = 1) -> list[subprocess.Popen[bytes]]:
    """Start workers, each by itself, as on machines of their own."""
    words = [sys.executable, "-m", "homolog.cli.main", "work", "--patience", "10", "--nice", "0"]
    return [subprocess.Popen(words, env=environment, cwd=ROOT, stderr=subprocess.DEVNULL) for _ in range(number)]


def done(world: World) -> dict[str, int]:
    """Return how many jobs have which end."""
    with world.desk.database.read() as session:
        return jobs.count(session)


def measure(kind: str, number: int, workers: int, *, is_killed: bool) -> dict[str, Any]:
    """Have the jobs done, and return what was seen."""
    with register(kind) as (world, environment):
        waiting = []
        for place in range(number):
            application = world.begin()
            world.describe(application, f"Swift {place}")
            world.take(world.mary, application, "submit")
            world.measure(application)
            waiting.append(application)
        for application in waiting:
            ask_assessment(world.anna, world.desk, application, now=datetime.now(UTC))
        running = start(environment, workers)
        begun = time.monotonic()
        killed_at = None
        try:
            while (found := done(world))["open"]:
                if is_killed and killed_at is None and number - found["open"] >= number // 2:
                    running.pop().kill()
                    killed_at = number - found["open"]
                time.sleep(0.2)
                if time.monotonic() - begun > 120 + 2.0 * number:
                    break
        finally:
            seconds = time.monotonic() - begun
            for process in running:
                process.terminate()
            for process in running:
                process.wait(60)
        with world.desk.database.read() as session:
            steps = [[event.step for event in applications.events(session, application)] for application in waiting]
        return {
            "database": kind,
            "jobs": number,
            "workers": workers,
            "killed_at": killed_at,
            "ends": found,
            "done_once": sum(taken.count("assess") == 1 for taken in steps),
            "seconds": round(seconds, 1),
            "a_second": round(number / seconds, 1),
        }


def main() -> int:
    """Measure as the words ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--no-kill", action="store_true")
    chosen = parser.parse_args()
    is_bad = False
    for kind in chosen.databases.split(","):
        found = measure(kind, chosen.jobs, chosen.workers, is_killed=not chosen.no_kill)
        print(json.dumps(found), flush=True)
        is_bad |= found["done_once"] != chosen.jobs or found["ends"] != {"done": chosen.jobs, "open": 0}
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
