"""Owns what whoever does a job works with: the stores, a clock, and the ways to tell and to end it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from homolog.errors import HomologError
from homolog.register import jobs
from homolog.register.jobs import JobRecord
from homolog.register.session import Session
from homolog.service.actor import VISITOR, Actor
from homolog.service.desk import Desk
from homolog.service.identity.sessions import known
from homolog.service.rules import Rules
from homolog.service.sealing import Sealer

SELDOM: Final = 0.5
"""Seconds between two words on how far a job is: each waits for the disk."""


class NotWanted(Exception):
    """The job has its end already: somebody cancelled it, or another worker did it. Nothing more is done."""


class NobodyThere(HomologError):
    """Whoever asked for the job has no account any more."""

    code = "job_owner_gone"
    exit_code = 4


@dataclass(slots=True)
class Work:
    """One job in the hands of one worker; `desk` has the rules as they stood when it was begun."""

    rules: Rules
    sealer: Sealer
    desk: Desk
    job: JobRecord
    worker: str
    clock: Callable[[], datetime]
    _word: str = ""
    _told: float = 0.0

    @property
    def now(self) -> datetime:
        """The moment."""
        return self.clock()

    def actor(self) -> Actor:
        """Return whoever asked for the job, with what they may today.

        Raises:
            NobodyThere: The account was closed meanwhile.
        """
        if self.job.by is None:
            return VISITOR
        with self.desk.database.read() as session:
            actor = known(session, self.job.by, self.now)
        if actor is None:
            raise NobodyThere.because("the account that asked for this is closed", todo="ask for it with another one")
        return actor

    def tell(self, word: str, done: int = 0, total: int = 0) -> None:
        """Say how far it is.

        Raises:
            NotWanted: It has its end already.
        """
        moment = time.monotonic()
        if word == self._word and moment - self._told < SELDOM:
            return
        self._word, self._told = word, moment
        with self.desk.database.write() as session:
            if not jobs.tell(session, self.job.id, done=done, total=total, word=word, worker=self.worker):
                raise NotWanted

    def end(self, session: Session, result: Mapping[str, Any], outcome: str = "done") -> None:
        """End it in the transaction that does what it was for.

        Raises:
            NotWanted: It has its end already; the transaction must not be kept, and is not, as this leaves it.
        """
        if not jobs.end(session, self.job.id, outcome, result, at=self.now):
            raise NotWanted
