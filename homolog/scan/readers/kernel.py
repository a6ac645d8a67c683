"""A process of its own for the CAD kernel, which some damaged files end or hold up for ever.

It is a copy of the measuring process, under the same limits, and hands its answer over through a pipe. Whatever becomes of
it, the measuring process goes on and can say so.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from dataclasses import asdict

from homolog.errors import InputRefused, Problem

SECONDS = 25.0
_DONE, _REFUSED = b"+", b"-"


def in_process_of_its_own(work: Callable[[], bytes], name: str, *, seconds: float = SECONDS) -> bytes:
    """Return what the work returns, done in a copy of this process.

    Args:
        work: What is done; it may raise InputRefused.
        name: What the messages call the file.
        seconds: Wall and processor time after which the copy is ended.

    Raises:
        InputRefused: The work refuses the file, ends the process, or takes too long.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _work(work, reading, writing, seconds)
    os.close(writing)
    try:
        answer = _read_all(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        if _is_running(process):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    if answer is None:
        raise _refused(name, f"the CAD kernel made no mesh of the file within {seconds:g} s")
    if answer[:1] == _REFUSED:
        raise InputRefused(*(Problem(**problem) for problem in json.loads(answer[1:])))
    if answer[:1] != _DONE:
        raise _refused(name, "the file ended the CAD kernel")
    return answer[1:]


def _refused(name: str, what: str) -> InputRefused:
    return InputRefused.because(what, where=name, todo="export the body again, or as STL or 3MF", code="step_kernel")


def _work(work: Callable[[], bytes], reading: int, writing: int, seconds: float) -> None:
    """Do the work in the copy and leave it at once, whatever happens: nothing of the original may run twice."""
    try:
        os.close(reading)
        os.dup2(2, 1)  # what the kernel prints must not stand in the measuring process's answer
        ceiling = resource.getrlimit(resource.RLIMIT_CPU)[1]
        spent = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (spent if ceiling < 0 else min(spent, ceiling), ceiling))
        try:
            answer = _DONE + work()
        except InputRefused as refusal:
            answer = _REFUSED + json.dumps([asdict(problem) for problem in refusal.problems]).encode()
        left = memoryview(answer)
        while left:
            left = left[os.write(writing, left) :]
    finally:
        os._exit(0)


def _read_all(reading: int, until: float) -> bytes | None:
    """Return all that comes until the other side closes; None if it takes too long."""
    pieces: list[bytes] = []
    while True:
        if not select.select([reading], [], [], max(0.0, until - time.monotonic()))[0]:
            return None
        piece = os.read(reading, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _is_running(process: int) -> bool:
    return os.waitpid(process, os.WNOHANG) == (0, 0)
