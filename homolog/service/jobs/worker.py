"""Owns a process that works: it takes jobs, says that it lives, and takes over what the dead had in their hands.

Nothing here decides whether a job is done: that is its end in the register, written with its effect. So a job may be begun twice,
by a worker that was taken for dead and by the one that took it over, and still takes effect once.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any, Final

from homolog.errors import HomologError, MeasuringFailed, Problem
from homolog.register import jobs
from homolog.register.database import DatabaseUnavailable
from homolog.register.jobs import Beat, JobRecord
from homolog.register.places import FilesUnavailable
from homolog.scan.sandbox.client import abandoned
from homolog.service.jobs import engine, kinds
from homolog.service.jobs.work import NotWanted, Work
from homolog.service.rules import Rules
from homolog.service.sealing import Sealer

GLANCE: Final = 0.5
"""Seconds between two looks for new jobs, and for whether the one in hand is still wanted."""
BEAT: Final = 5.0
"""Seconds between two signs of life."""
PATIENCE: Final = 30.0
"""Seconds without a sign after which a worker is taken for dead."""
REPAIR: Final = 10.0
"""Seconds between two looks for jobs that got lost on the way to the workers."""
MOST_ATTEMPTS: Final = 5
_AT_ONCE: Final = 500
_KEPT: Final = timedelta(days=7)
_log = logging.getLogger(__name__)


class Worker:
    """A worker; one a process."""

    def __init__(self, rules: Rules, sealer: Sealer, clock: Callable[[], datetime], *, patience: float = PATIENCE) -> None:
        """Get ready; nothing is taken before `run`.

        Args:
            rules: The stores, and the rules as they are when a job begins.
            sealer: Signs what jobs issue.
            clock: Gives the moment, aware.
            patience: Seconds without a sign of life after which another worker is taken for dead.
        """
        self.id = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(6)}"
        self._rules, self._sealer, self._clock, self._patience = rules, sealer, clock, patience
        self._database = rules.database
        self._beat = Beat(id=self.id, host=socket.gethostname(), process=os.getpid(), started_at=clock(), beat=0)
        self._seen: dict[str, tuple[int, float]] = {}
        self._turn = threading.Lock()
        self._in_hand: str | None = None
        self._dropped: str | None = None
        self._unwanted, self._broken_off = ExitStack(), ExitStack()
        self._is_stopping = False
        self._due: dict[str, float] = {}

    def run(self, is_over: Callable[[float], bool]) -> None:
        """Work until told to stop; then break off what is in hand and give it back, so that another worker does it.

        Args:
            is_over: Waits for some seconds and says whether to stop.

        Raises:
            DatabaseUnavailable: It did not answer at the start.
        """
        self._sign()
        engine.start(self._database, self.id, self._do)
        try:
            while not is_over(GLANCE):
                self._look()
        finally:
            self._leave()

    # What is done now and then

    def _look(self) -> None:
        """Do what is due; a fault that may pass is logged and tried again."""
        for what, every in ((self._drop_unwanted, 0.0), (self._hand_over, 0.0), (self._sign, BEAT), (self._take_over, BEAT)):
            self._at_times(what, every)
        self._at_times(self._repair, REPAIR)
        self._at_times(self._forget, 600.0)

    def _at_times(self, what: Callable[[], None], every: float) -> None:
        now = time.monotonic()
        if now < self._due.get(what.__name__, 0.0):
            return
        self._due[what.__name__] = now + every
        try:
            what()
        except HomologError as error:
            _log.warning("%s: %s", what.__name__.strip("_"), error)
        except Exception:
            _log.exception("%s failed", what.__name__.strip("_"))

    def _drop_unwanted(self) -> None:
        """Break off the job in hand where it was cancelled; its measuring processes end at once."""
        job_id = self._in_hand
        if job_id is None or job_id == self._dropped:
            return
        with self._database.read() as session:
            is_over = jobs.has_ended(session, job_id)
        with self._turn:
            if is_over and self._in_hand == job_id:
                self._dropped = job_id
                self._unwanted.enter_context(abandoned())  # until it has noticed, so that it does not go on with the next scan

    def _hand_over(self) -> None:
        """Queue the jobs that were asked for. Every worker does so; queued twice is queued once."""
        with self._database.read() as session:
            found = jobs.new(session, limit=_AT_ONCE)
        if not found:
            return
        for job_id in found:
            engine.hand_over(job_id, 1)
        with self._database.write() as session:
            for job_id in found:
                jobs.handed_over(session, job_id, 1)

    def _sign(self) -> None:
        """Say that this process lives; after it was taken for dead it comes back."""
        self._beat = Beat(
            id=self.id,
            host=self._beat.host,
            process=self._beat.process,
            started_at=self._beat.started_at,
            beat=self._beat.beat + 1,
        )
        with self._database.write() as session:
            jobs.arrive(session, self._beat)

    def _take_over(self) -> None:
        """Give what the dead had in their hands to the living; how long nothing was heard, this process's own clock says."""
        with self._database.read() as session:
            known = jobs.workers(session)
        now = time.monotonic()
        fresh = {one.id: self._seen.get(one.id, (-1, now)) for one in known}
        self._seen = {one.id: (one.beat, fresh[one.id][1] if fresh[one.id][0] == one.beat else now) for one in known}
        dead = {name for name, (_, since) in self._seen.items() if now - since > self._patience and name != self.id}
        living = self._seen.keys() - dead | {self.id}
        given = engine.give_back(lambda executor: executor not in living)
        if dead:
            with self._database.write() as session:
                jobs.leave(session, dead)
        if dead or given:
            _log.warning("%d workers were silent for %d s; %d jobs go to others", len(dead), self._patience, given)

    def _repair(self) -> None:
        """Hand over again what got lost: the library's tables were emptied, or a job was dropped without an end."""
        after = ""
        while True:
            with self._database.read() as session:
                page = jobs.under_way(session, after=after, limit=_AT_ONCE)
            for job_id, attempt in engine.lost(page):
                self._again(job_id, attempt + 1)
            if len(page) < _AT_ONCE:
                return
            after = page[-1][0]

    def _again(self, job_id: str, attempt: int) -> None:
        if attempt <= MOST_ATTEMPTS:
            engine.hand_over(job_id, attempt)
        with self._database.write() as session:
            if attempt <= MOST_ATTEMPTS:
                jobs.handed_over(session, job_id, attempt)
            else:
                what = f"it was begun {MOST_ATTEMPTS} times, and no worker came to its end"
                problem = Problem("", what, "look at the workers' logs, then ask for it again", "job_lost")
                jobs.end(session, job_id, "failed", {"problems": [_shown(problem)]}, at=self._clock())

    def _forget(self) -> None:
        engine.forget(self._clock() - _KEPT)

    # A job

    def _do(self, job_id: str) -> str:
        """Do a job, its end included; return a word for the library."""
        with self._database.read() as session:
            state = jobs.find(session, job_id)
        if state is None or state.outcome is not None:
            return "over"
        self._in_hand = job_id
        try:
            return self._try(state.record)
        finally:
            with self._turn:
                self._in_hand = None
                self._unwanted.close()

    def _try(self, job: JobRecord) -> str:
        work = Work(rules=self._rules, sealer=self._sealer, desk=self._rules.desk(), job=job, worker=self.id, clock=self._clock)
        try:
            try:
                work.tell("begun")
                kinds.do(work)
            except MeasuringFailed:  # out of time or memory, perhaps because others took it: once more, then it is an answer
                self._unless_stopping()
                work.tell("again")
                kinds.do(work)
        except NotWanted:
            return "over"
        except (DatabaseUnavailable, FilesUnavailable):
            self._unless_stopping()
            raise
        except HomologError as error:
            return self._failed(work, error.problems)
        except Exception as error:
            _log.exception("the job %s failed", job.id)
            what = f"it failed inside: {type(error).__name__}: {error}"
            return self._failed(work, (Problem("", what, "report what the worker's log says of it", "job_failed"),))
        return "done"

    def _failed(self, work: Work, problems: tuple[Problem, ...]) -> str:
        self._unless_stopping()
        with self._database.write() as session:
            result: dict[str, Any] = {"problems": [_shown(problem) for problem in problems]}
            jobs.end(session, work.job.id, "failed", result, at=self._clock())
        return "failed"

    def _unless_stopping(self) -> None:
        """Say nothing of a job that was broken off because this process stops: it is given back, and this thread ends with it."""
        if self._is_stopping:
            threading.Event().wait()

    def _leave(self) -> None:
        """Break off what is in hand, give it back, and be forgotten."""
        self._is_stopping = True
        self._broken_off.enter_context(abandoned())  # for good: this process ends
        try:
            engine.give_back(lambda executor: executor == self.id)
            with self._database.write() as session:
                jobs.leave(session, [self.id])
        except Exception:  # the others find out by themselves
            _log.exception("leaving failed")


def _shown(problem: Problem) -> dict[str, str]:
    return {"where": problem.where, "what": problem.what, "todo": problem.todo, "code": problem.code}
