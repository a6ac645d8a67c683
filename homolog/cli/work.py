"""`homolog work`: doing the jobs of a register, in one process or several."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from types import FrameType
from typing import Annotated

import typer

from homolog.cli import talk

Processes = Annotated[int, typer.Option("--processes", min=1, max=64, help="How many processes work, each on one job.")]
Parent = Annotated[int | None, typer.Option("--parent", hidden=True, help="End when this process has ended.")]
Kept = Annotated[bool, typer.Option("--kept", hidden=True, help="Start a process that has ended anew, even if it is the only one.")]

Patience = Annotated[
    float,
    typer.Option("--patience", min=1.0, max=3600.0, help="Seconds without a sign of life after which a worker counts as dead."),
]

Nice = Annotated[
    int,
    typer.Option("--nice", min=0, max=19, help="How much it gives way to others, so that pages are answered while it measures."),
]

LAST = 8.0
"""Seconds after which a worker that was told to stop ends in any case; hosts kill after ten."""
_WAIT = 0.5
_SOON = 5.0


class Stop:
    """The word to stop. A signal says it, in the middle of anything: so it takes no lock, as an event of threads would."""

    def __init__(self) -> None:
        """Nobody has said it yet."""
        self.is_said = False
        self._heard, self._say = os.pipe()
        os.set_blocking(self._say, False)

    def say(self) -> None:
        """Say it."""
        self.is_said = True
        with suppress(BlockingIOError):
            os.write(self._say, b".")

    def after(self, seconds: float) -> bool:
        """Wait so long, or until it is said; return whether it is."""
        if not self.is_said:
            select.select([self._heard], [], [], seconds)
        return self.is_said


def work(processes: Processes = 1, patience: Patience = 30.0, nice: Nice = 10, parent: Parent = None, kept: Kept = False) -> int:
    """Do the register's jobs: measure, assess, render, run impacts. Start as many of these, on as many machines, as you like.

    Stop it by Ctrl-C or SIGTERM: what it has in hand is given back and done by others, or when it is started again.
    """
    stop = Stop()

    def stopping(number: int, frame: FrameType | None) -> None:
        stop.say()

    signal.signal(signal.SIGTERM, stopping)
    signal.signal(signal.SIGINT, stopping)
    if processes > 1 or kept:
        _keep(processes, ["--patience", str(patience), "--nice", str(nice)], parent, stop)
        return 0
    threading.Thread(target=_end_at_last, args=(parent, stop), daemon=True).start()
    os.nice(nice)
    _work(patience, stop)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that wait for what was broken off are not waited for.
    os._exit(0)


def _end_at_last(parent: int | None, stop: Stop) -> None:
    """Stop with the parent; and end even where a database does not answer: what is in hand then goes to others as from the dead."""
    while not stop.is_said:
        time.sleep(_WAIT)
        if parent is not None and os.getppid() != parent:
            stop.say()
    time.sleep(LAST)
    os._exit(0)


def _work(patience: float, stop: Stop) -> None:
    from homolog.scan.sandbox.client import stop as stop_measuring
    from homolog.service.desk import open_desk
    from homolog.service.jobs.worker import Worker
    from homolog.service.rules import Rules
    from homolog.service.sealing import sealer_of
    from homolog.service.settings import Settings

    settings = Settings.from_environment()
    with open_desk(settings) as desk:
        rules = Rules(desk)
        worker = Worker(rules, sealer_of(settings), lambda: datetime.now(UTC), patience=patience)
        talk.note(f"works for {desk.database.shown} as {worker.id}")
        try:
            worker.run(stop.after)
        finally:
            rules.close()
            stop_measuring()


def _keep(processes: int, options: list[str], parent: int | None, stop: Stop) -> None:
    """Keep so many workers alive; one that ends by itself is started again, after a while if it was quick."""
    words = [sys.executable, "-m", "homolog.cli.main", "work", *options, "--parent", str(os.getpid())]
    running: dict[int, tuple[subprocess.Popen[bytes] | None, float]] = dict.fromkeys(range(processes), (None, 0.0))
    while not stop.is_said and (parent is None or os.getppid() == parent):
        now = time.monotonic()
        for place, (process, since) in running.items():
            if (process is None or process.poll() is not None) and (process is None or now - since > _SOON):
                running[place] = (subprocess.Popen(words), now)  # noqa: S603 -- this very program
        stop.after(_WAIT)
    alive = [process for process, _ in running.values() if process is not None and process.poll() is None]
    for process in alive:
        process.terminate()
    for process in alive:
        process.wait()
