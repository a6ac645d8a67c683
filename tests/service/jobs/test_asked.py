"""Asking for jobs, without any worker."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from homolog.register import jobs
from homolog.register.jobs import JobState
from homolog.service.actor import VISITOR
from homolog.service.jobs import asked
from homolog.service.permissions import SignInNeeded
from tests.service.people import World


def ask(world: World) -> str:
    application = world.submit()
    world.measure(application)
    return asked.ask_assessment(world.anna, world.desk, application, now=world.now).id


def test_a_new_job_waits(world: World) -> None:
    found = asked.status(world.anna, world.desk.database, ask(world))
    assert (found.outcome, found.word, found.done, found.total) == (None, jobs.QUEUED, 0, 0)


def test_an_end_is_written_once(world: World) -> None:
    job_id = ask(world)
    with world.desk.database.write() as session:
        assert jobs.end(session, job_id, "done", {"by": "one"}, at=world.now)
        assert not jobs.end(session, job_id, "failed", {"by": "another"}, at=world.now)
    assert asked.cancel(world.anna, world.desk.database, job_id, now=world.now).outcome == "done"
    assert asked.status(world.anna, world.desk.database, job_id).result == {"by": "one"}


def test_a_job_is_followed_word_for_word_to_its_end(world: World) -> None:
    job_id = ask(world)
    database = world.desk.database

    async def watched() -> list[JobState]:
        seen: list[JobState] = []
        async for state in asked.follow(world.anna, database, job_id, glance=0.01):
            seen.append(state)
            with database.write() as session:
                if len(seen) == 1:
                    jobs.tell(session, job_id, done=3, total=7, word="measuring", worker="w")
                else:
                    jobs.end(session, job_id, "done", {}, at=world.now)
        return seen

    found = asyncio.run(watched())
    assert [(one.word, one.done, one.total, one.outcome) for one in found] == [
        ("queued", 0, 0, None),
        ("measuring", 3, 7, None),
        ("queued", 0, 0, "done"),
    ]


def test_following_ends_when_its_time_is_over(world: World) -> None:
    job_id = ask(world)
    assert len(list(asked.watch(world.anna, world.desk.database, job_id, seconds=0.05, glance=0.01))) == 1


def test_a_list_shows_ones_own_jobs_and_the_board_all(world: World) -> None:
    job_id = ask(world)
    assert [one.record.id for one in asked.listed(world.boris, world.desk.database)] == [job_id]
    assert asked.listed(world.mary, world.desk.database) == ()
    with pytest.raises(SignInNeeded):
        asked.listed(VISITOR, world.desk.database)


def test_neither_asking_for_jobs_nor_the_command_line_loads_the_job_library() -> None:
    program = "import sys, homolog.cli.main, homolog.service.jobs.asked, homolog.service.impact; print('dbos' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
