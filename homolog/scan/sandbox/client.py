"""Asking the supervisor: it is started on first use, started again where it has ended, and ends with this process."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import homolog
from homolog.scan.sandbox.limits import Limits

_PROGRAM = (sys.executable, "-P", "-s", "-m", "homolog.scan.sandbox.supervisor")
_PATIENCE = 3.0


class Supervisor:
    """The supervisor of this process, seen from here."""

    def __init__(self) -> None:
        """Start it; it loads nothing before the first job asks for it."""
        self.owner = os.getpid()
        self._control, theirs = socket.socketpair()
        self._sending = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  fixed program, no shell
                (*_PROGRAM, str(self.owner)),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env=_environment(),
                cwd="/",
                start_new_session=True,
            )

    @property
    def process(self) -> int:
        """The supervisor's process number."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it can still be asked."""
        return self._process.poll() is None

    def send(self, request: bytes, descriptors: Sequence[int]) -> None:
        """Hand over one request.

        Raises:
            ConnectionError: It has ended.
        """
        with self._sending:
            head = len(request).to_bytes(4, "little")
            socket.send_fds(self._control, [head + request], descriptors)

    def end(self) -> None:
        """Let it end what it runs, then itself."""
        self._control.close()
        if self.owner != os.getpid():  # a copy of this process: the supervisor is not its own
            self._process.returncode = 0
            return
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()


_starting = threading.Lock()
_current: list[Supervisor] = []
"""The one supervisor, or none."""
_abandoning: list[None] = []
"""Not empty while none may be started."""


def supervisor() -> Supervisor:
    """Return the supervisor of this process, started if there is none that runs.

    Raises:
        OSError: None can be started, or none may be.
    """
    with _starting:
        if _abandoning:
            raise OSError("the work was broken off")
        if _current and not (_current[0].owner == os.getpid() and _current[0].is_running):
            _current.pop().end()
        if not _current:
            _current.append(Supervisor())
        return _current[0]


def stop() -> None:
    """End the supervisor; the next job starts another."""
    with _starting:
        while _current:
            _current.pop().end()


@contextmanager
def abandoned() -> Iterator[None]:
    """End all jobs of this process at once, and let none start meanwhile."""
    with _starting:
        _abandoning.append(None)
    stop()
    try:
        yield
    finally:
        with _starting:
            _abandoning.pop()


def start_job(entry: str, needs: Sequence[str], limits: Limits, descriptors: Sequence[int]) -> Supervisor:
    """Have a job started, and return the supervisor that looks after it.

    Args:
        entry: Module and function that do the work, `module:function`.
        needs: Modules and `module:function` calls that are loaded before the fork, once.
        limits: What the job may use.
        descriptors: The job, where the answer goes, where messages go, and a socket for what becomes of it.

    Raises:
        OSError: No supervisor can be started.
    """
    return _ask({"entry": entry, "needs": list(needs), "limits": asdict(limits)}, descriptors)


def get_ready(needs: Sequence[str]) -> None:
    """Have libraries loaded while there is other work to do; the answer is not waited for.

    Raises:
        OSError: No supervisor can be started.
    """
    _ask({"needs": list(needs)}, ())


def _ask(request: dict[str, Any], descriptors: Sequence[int]) -> Supervisor:
    text = json.dumps(request).encode()
    with suppress(ConnectionError):
        asked = supervisor()
        asked.send(text, descriptors)
        return asked
    stop()  # it ended after it was last looked at
    asked = supervisor()
    asked.send(text, descriptors)
    return asked


def _environment() -> dict[str, str]:
    """Return a bare environment in which the supervisor finds this very package, with one thread a library."""
    keep = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TMPDIR") if key in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # Large arrays come and go: taken from the heap and kept there, they are not handed out and wiped by the kernel each time.
    heap = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(8 << 30), "MALLOC_TOP_PAD_": str(4 << 20)}
    root = str(Path(homolog.__file__).parent.parent)
    return keep | threads | heap | {"PYTHONPATH": root, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}


def _forget_after_fork() -> None:
    global _starting
    _starting = threading.Lock()  # another thread may have held it in the original


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(stop)
