"""A register with people at a place where workers of their own processes find it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.jobs import JobState
from homolog.service.jobs.asked import status
from homolog.service.sealing import prepare_keys
from homolog.service.settings import Settings
from tests.service.people import World, world_of

ROOT = Path(__file__).resolve().parents[3]


@dataclass
class Place:
    """A register and the environment in which a program finds it."""

    world: World
    environment: dict[str, str]
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    measuring: set[int] = field(default_factory=set)

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "homolog.cli.main", "work", "--nice", "0", *options]
        self.started.append(subprocess.Popen(words, env=self.environment, cwd=ROOT))
        return self.started[-1]

    @contextmanager
    def working(self, *options: str) -> Iterator[subprocess.Popen[bytes]]:
        process = self.start(*options)
        try:
            yield process
        finally:
            process.terminate()
            assert process.wait(60) == 0

    def until_over(self, job_id: str, seconds: float = 90.0) -> JobState:
        return until(
            lambda: status(self.world.anna, self.world.desk.database, job_id), lambda one: one.outcome is not None, seconds
        )


T = TypeVar("T")


def until(look: Callable[[], T], holds: Callable[[T], bool], seconds: float = 90.0) -> T:
    """Look until something holds, and return what was seen then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if holds(found):
            return found
        time.sleep(0.1)
    pytest.fail(f"it did not come to hold in {seconds} s: {look()}")


@pytest.fixture
def place(database: Database, files: Files, tmp_path: Path) -> Iterator[Place]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMOLOG_")}
    environment |= {
        "HOMOLOG_DATABASE": database.url.render_as_string(hide_password=False),
        "HOMOLOG_FILES": str(tmp_path / "files"),
        "HOMOLOG_DATA": str(tmp_path),
    }
    prepare_keys(Settings.from_environment({"HOMOLOG_DATA": str(tmp_path)}), now=datetime.now(UTC) - timedelta(days=1))
    # Workers have the real clock: what the people did lies before it.
    made = Place(world_of(database, files, at=datetime.now(UTC) - timedelta(days=1)), environment)
    yield made
    for process in made.started:  # of a test that failed before its end
        if process.poll() is None:
            process.kill()
        process.wait()
