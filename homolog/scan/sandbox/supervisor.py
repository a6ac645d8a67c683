"""The supervisor: one process with one thread that has the libraries loaded, forks for each job, and ends what goes too far.

It is started by `homolog.scan.sandbox.client` with one end of a socket as its standard input. A request is a line of JSON with
four descriptors: the job, where the answer goes, where messages go, and a socket on which the supervisor says at the end what
became of the job. Whoever asked and closes that socket early has the job ended. A request without descriptors has libraries
loaded, and nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
import traceback
from dataclasses import asdict, dataclass
from typing import Any

from homolog.scan.sandbox import child
from homolog.scan.sandbox.limits import Limits
from homolog.scan.sandbox.processes import family, resident_bytes

LENGTH, DESCRIPTORS = 4, 4
_GLANCE_MS = 10
"""How often the memory of running jobs is looked at: in that time a process takes some 30 MB more."""
_MAX_COPIES = 4
"""Processes that a job with the right to copy itself may consist of."""


@dataclass(slots=True, kw_only=True)
class Job:
    """A job that runs."""

    process: int
    limits: Limits
    folder: str
    status: socket.socket
    until: float
    ended_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What became of a job; `ended_for` is time, memory or copies where the supervisor ended it, and else empty."""

    returncode: int
    ended_for: str
    processor_seconds: float
    peak_bytes: int


def main() -> None:
    """Serve until the process that started this one closes its end or is gone; then leave at once."""
    control = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waking, wake = os.pipe()
    for end in (waking, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    jobs: dict[int, Job] = {}
    gc.disable()  # a collection after the fork would touch, and so copy, every page; the children collect for themselves
    try:
        _serve(control, waking, jobs)
    except Exception:
        traceback.print_exc()
    finally:
        for job in jobs.values():
            _kill(job.process)
        os._exit(0)  # taking the libraries down in good order would take as long as a fork, and nobody needs it


def _serve(control: socket.socket, waking: int, jobs: dict[int, Job]) -> None:
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(waking, select.POLLIN)
    parent = _watch_parent(poll)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll(_GLANCE_MS if jobs else None)}
        if parent in ready:
            return
        if waking in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(waking, 4096)
        if control.fileno() in ready:
            request = receive(control)
            if request is None:
                return
            job = _answer(*request)
            if job is not None:
                jobs[job.status.fileno()] = job
                poll.register(job.status, select.POLLIN)
        for descriptor, job in list(jobs.items()):
            if descriptor in ready:
                job.ended_for = "left"  # whoever asked has gone
            if _look_after(job):
                poll.unregister(descriptor)
                del jobs[descriptor]
                job.status.close()


def _watch_parent(poll: select.poll) -> int | None:
    """See the parent's end even while a copy of it holds the other end of the socket open."""
    parent = int(sys.argv[1])
    with contextlib.suppress(AttributeError, OSError):
        handle = os.pidfd_open(parent)
        poll.register(handle, select.POLLIN)
        if os.getppid() != parent:
            raise SystemExit
        return handle
    return None


def receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return the next request with its descriptors; None where the other end is closed."""
    try:
        head, descriptors, _, _ = socket.recv_fds(control, LENGTH, DESCRIPTORS)
        if len(head) < LENGTH:
            return None
        text = b""
        while len(text) < int.from_bytes(head, "little"):
            piece = control.recv(int.from_bytes(head, "little") - len(text))
            if not piece:
                return None
            text += piece
    except ConnectionError:
        return None
    return json.loads(text), descriptors


def _answer(request: dict[str, Any], descriptors: list[int]) -> Job | None:
    """Load what is asked for, once, and then fork for the job if there is one, so that the fork has it."""
    for need in request["needs"]:
        with contextlib.suppress(Exception):  # the job itself says what is missing, in its own words
            _load(need)
    if len(descriptors) == DESCRIPTORS:
        return _start(request, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    return None


def _start(request: dict[str, Any], descriptors: list[int]) -> Job | None:
    limits = Limits(**request["limits"])
    job, answer, messages, status = descriptors
    gc.freeze()
    supervisor = os.getpid()
    try:
        folder = tempfile.mkdtemp(prefix="homolog-job-")
        until = time.monotonic() + limits.seconds
        process = os.fork()
    except OSError as error:
        os.write(messages, f"no process can be started: {error.strerror}".encode())
        os.close(status)
        return None
    finally:
        if os.getpid() == supervisor:
            for descriptor in (job, answer, messages):
                os.close(descriptor)
    if process == 0:
        child.run(request["entry"], limits, folder, (job, answer, messages), supervisor)
    return Job(process=process, limits=limits, folder=folder, status=socket.socket(fileno=status), until=until)


@functools.cache
def _load(need: str) -> None:
    """Load a module, or call a function that loads several, `module:function`."""
    module, _, function = need.partition(":")
    loaded = importlib.import_module(module)
    if function:
        getattr(loaded, function)()


def _look_after(job: Job) -> bool:
    """End a job that goes too far, and say whether it has ended; then its end has been reported."""
    if not job.ended_for:
        job.ended_for = _excess(job)
    if job.ended_for:
        _kill(job.process)
    if os.waitid(os.P_PID, job.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        return False
    _kill(job.process)  # what it left behind, while its number is still its own
    with contextlib.suppress(FileNotFoundError):  # it takes its folder's name away itself, if it comes that far
        os.rmdir(job.folder)  # noqa: PTH106
    _, status, usage = os.wait4(job.process, 0)
    ended = Ended(
        returncode=os.waitstatus_to_exitcode(status),
        ended_for=job.ended_for,
        processor_seconds=usage.ru_utime + usage.ru_stime,
        peak_bytes=usage.ru_maxrss * 1024,
    )
    with contextlib.suppress(OSError):
        job.status.sendall(json.dumps(asdict(ended)).encode())
    return True


def _excess(job: Job) -> str:
    if time.monotonic() > job.until:
        return "time"
    members = family(job.process) if job.limits.may_fork else [job.process]
    if len(members) > _MAX_COPIES:
        return "copies"
    return "memory" if sum(map(resident_bytes, members)) > job.limits.resident_bytes else ""


def _kill(process: int) -> None:
    """End a child and its session."""
    for end in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(process, signal.SIGKILL)


if __name__ == "__main__":
    main()
