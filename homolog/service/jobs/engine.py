"""Owns the job library: its database beside the register, one queue, one workflow, and what becomes of those of the dead."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID
from dbos import WorkflowStatusString as Status

from homolog.register.database import Database, write_ahead
from homolog.register.database import DatabaseUnavailable as Unavailable
from homolog.register.places import FilesUnavailable

QUEUE: Final = "homolog"
SCHEMA: Final = "homolog_jobs"
VERSION: Final = "homolog-jobs-1"
"""Pinned: a job that was asked for before an update is done after it. It changes with the form of a workflow's words alone."""
POLL: Final = 0.1
"""Seconds between two looks into the queue: what a job waits at least."""
TRIES: Final = 5
"""How often what may pass, such as a database that restarts, is tried; the waits between double from two seconds."""
NAME: Final = "homolog.job"
MOST: Final = 500
STARTS: Final = 5

_doer: list[Callable[[str], str]] = []
"""What does a job by its id; one a process."""


@DBOS.step(
    name="homolog.do",
    retries_allowed=True,
    max_attempts=TRIES,
    interval_seconds=2.0,
    should_retry=lambda error: isinstance(error, Unavailable | FilesUnavailable),
)
def _do(job_id: str) -> str:
    return _doer[0](job_id)


@DBOS.workflow(name=NAME, max_recovery_attempts=1000)
def _workflow(job_id: str) -> str:
    return _do(job_id)


def jobs_url(database: Database) -> str:
    """Return where the library keeps its own tables: a file beside SQLite's, or a schema of its own in PostgreSQL."""
    if not database.is_sqlite:
        return database.url.render_as_string(hide_password=False)
    path = Path(str(database.url.database))
    return f"sqlite:///{path.with_name(f'{path.stem}-jobs{path.suffix}')}"


def start(database: Database, worker: str, do: Callable[[str], str]) -> None:
    """Let this process work.

    Args:
        database: The register's.
        worker: A name that no other process has or had.
        do: Does a job by its id and returns a word on it.

    Raises:
        DatabaseUnavailable: It did not answer.
    """
    url = jobs_url(database)
    if database.is_sqlite:
        write_ahead(url.removeprefix("sqlite:///"))
    _doer[:] = [do]
    config: DBOSConfig = {
        "name": "homolog",
        "system_database_url": url,
        "dbos_system_schema": SCHEMA,
        "application_version": VERSION,
        "executor_id": worker,
        "serializer": DBOSPortableJSONSerializer(),  # its own default would run whatever stands in the database
        "log_level": "WARNING",
        "sys_db_pool_size": 5,
        "max_executor_threads": 8,
        "use_listen_notify": False,
        "enable_otlp": False,
    }
    for again in range(STARTS, -1, -1):  # several processes that start at once may stand in each other's way
        try:
            _launch(config)
        except Exception as error:
            DBOS.destroy()
            if not again:
                raise Unavailable.because(f"the jobs' tables cannot be had: {error}", todo="look at it, then try again") from error
            time.sleep(1.0)
        else:
            return


def _launch(config: DBOSConfig) -> None:
    DBOS(config=config)
    logging.getLogger("dbos").setLevel(logging.WARNING)
    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    # One job a process: so cancelling one ends its measuring processes and nobody else's.
    DBOS.register_queue(QUEUE, worker_concurrency=1, polling_interval_sec=POLL, on_conflict="always_update")


def stop() -> None:
    """Let this process take nothing more."""
    DBOS.destroy()


def hand_over(job_id: str, attempt: int) -> None:
    """Queue a job; to queue one attempt twice is to queue it once."""
    with SetWorkflowID(f"{job_id}:{attempt}"):
        DBOS.enqueue_workflow(QUEUE, _workflow, job_id)


def lost(attempts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return those attempts that are over, or that nobody knows of."""
    wanted = {f"{job_id}:{attempt}": (job_id, attempt) for job_id, attempt in attempts}
    if not wanted:
        return []
    found = DBOS.list_workflows(workflow_ids=list(wanted), load_input=False, load_output=False)
    alive = {one.workflow_id for one in found if one.status in (Status.PENDING.value, Status.ENQUEUED.value, Status.DELAYED.value)}
    return [attempt for name, attempt in wanted.items() if name not in alive]


def give_back(is_dead: Callable[[str], bool]) -> int:
    """Put what dead workers had in their hands back into the queue; return how many jobs those were."""
    held = DBOS.list_workflows(status=Status.PENDING.value, name=NAME, load_input=False, load_output=False, limit=MOST)
    given = 0
    for one in held:
        if one.executor_id is not None and is_dead(one.executor_id):
            DBOS.resume_workflow(one.workflow_id, queue_name=QUEUE)
            given += 1
    return given


def forget(before: datetime) -> int:
    """Let the library forget what was over before a moment, some at a time; the register keeps its own record of it."""
    over = [Status.SUCCESS.value, Status.ERROR.value, Status.CANCELLED.value, Status.MAX_RECOVERY_ATTEMPTS_EXCEEDED.value]
    found = DBOS.list_workflows(
        status=over, name=NAME, completed_before=before.isoformat(), load_input=False, load_output=False, limit=MOST
    )
    if found:
        DBOS.delete_workflows([one.workflow_id for one in found])
    return len(found)
