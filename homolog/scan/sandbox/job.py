"""One job through the sandbox, from the caller's side: bytes in, the answer or an error out."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from homolog.errors import MeasuringFailed, Problem
from homolog.scan.sandbox.client import Supervisor, start_job
from homolog.scan.sandbox.limits import GIB, Limits

MAX_ANSWER = 256 << 20
_MAX_MESSAGES = 1 << 16
_PATIENCE = 60.0
"""How much longer than a job's own time to wait for the supervisor: it may have to load libraries first."""
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A job that answered.

    Attributes:
        answer: What it answered, a JSON object.
        missing: Rings that could not be put on, each with the reason.
        processor_seconds: Processor time that it took.
        peak_bytes: The most memory that it held.
    """

    answer: dict[str, Any]
    missing: MappingProxyType[str, str]
    processor_seconds: float
    peak_bytes: int


@dataclass(slots=True)
class _Ends:
    """Our ends of a job's channels, and what has come through them."""

    answer: int
    messages: int
    status: socket.socket
    answered: bytearray = field(default_factory=bytearray)
    said: bytearray = field(default_factory=bytearray)
    ended: bytearray = field(default_factory=bytearray)


def run_job(entry: str, payload: Sequence[bytes], limits: Limits, *, name: str, needs: Sequence[str] = ()) -> Done:
    """Run one job in a process of its own, behind every ring that the system has.

    Args:
        entry: Module and function that take the payload as a stream and return JSON as bytes, `module:function`.
        payload: What the job reads, piece after piece.
        limits: What it may use.
        name: What messages call the job's file.
        needs: What the supervisor loads before it forks: modules, or calls as `module:function`.

    Raises:
        MeasuringFailed: The job ran out of time or memory, crashed, or answered nonsense.
    """
    with _memory_file(payload) as job:
        ours = _ask(entry, job.fileno(), limits, needs, name)
        if not ours.ended and not ours.answered:
            # The supervisor ended before the job began, so it was not the job that ended it.
            ours = _ask(entry, job.fileno(), limits, needs, name)
    return _judge(ours, limits, name)


def _ask(entry: str, job: int, limits: Limits, needs: Sequence[str], name: str) -> _Ends:
    with ExitStack() as stack:
        ours, theirs = _channels(stack)
        try:
            asked = start_job(entry, needs, limits, (job, *theirs))
        except OSError as error:
            raise _failed(name, f"the measuring process cannot be started: {error}", "try again", "measuring_crashed") from None
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        _listen(ours, asked, time.monotonic() + limits.seconds + _PATIENCE)
    return ours


def _memory_file(payload: Sequence[bytes]) -> Any:
    """Return a file without a name, in memory where the system can, that holds the payload and cannot be changed any more."""
    if hasattr(os, "memfd_create"):
        import fcntl

        file = open(os.memfd_create("job", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "wb")  # noqa: PTH123, SIM115
        for piece in payload:
            file.write(piece)
        file.flush()
        seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
        fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, seals)
        return file
    spare = tempfile.TemporaryFile()  # noqa: SIM115 -- the caller closes it
    for piece in payload:
        spare.write(piece)
    spare.flush()
    return spare


def _channels(stack: ExitStack) -> tuple[_Ends, tuple[int, int, int]]:
    """Return our ends and the other ends; ours are closed by the stack, theirs by whoever hands them over."""
    answer, answer_in = os.pipe()
    messages, messages_in = os.pipe()
    status, status_in = socket.socketpair()
    for descriptor in (answer, messages):
        stack.callback(os.close, descriptor)
        os.set_blocking(descriptor, False)
    stack.callback(status.close)
    status.setblocking(False)
    return _Ends(answer, messages, status), (answer_in, messages_in, status_in.detach())


def _listen(ours: _Ends, asked: Supervisor, until: float) -> None:
    """Take in what comes until the supervisor has said what became of the job, or has ended."""
    poll = select.poll()
    for descriptor in (ours.answer, ours.messages, ours.status.fileno()):
        poll.register(descriptor, select.POLLIN)
    while True:
        left = until - time.monotonic()
        if left <= 0:
            asked.kill()  # it no longer looks after anything; the jobs end with it
            return
        ready = {descriptor for descriptor, _ in poll.poll(left * 1000)}
        # The status comes last: when it is there, all that the job sent is in the pipes.
        is_over = ours.status.fileno() in ready and not _take(ours.status.fileno(), ours.ended)
        for descriptor, kept, limit in ((ours.answer, ours.answered, MAX_ANSWER), (ours.messages, ours.said, _MAX_MESSAGES)):
            if (is_over or descriptor in ready) and not _take(descriptor, kept, limit, all_of_it=is_over):
                with suppress(KeyError):
                    poll.unregister(descriptor)
        if is_over or len(ours.answered) > MAX_ANSWER:
            return


def _take(descriptor: int, kept: bytearray, limit: int = 1 << 16, *, all_of_it: bool = False) -> bool:
    """Add what has come, up to a little more than the limit; return whether more may come."""
    while True:
        try:
            piece = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        if not piece:
            return False
        if len(kept) <= limit:
            kept += piece
        if not all_of_it:
            return True


def _judge(ours: _Ends, limits: Limits, name: str) -> Done:
    if len(ours.answered) > MAX_ANSWER:
        what = f"the measuring process answered with more than {MAX_ANSWER >> 20} MiB and was ended"
        raise _failed(name, what, "report this with the file", "measuring_crashed")
    said = ours.said.decode("utf-8", "replace")
    if not ours.ended:
        last = _last_line(said)
        what = f"the supervisor of the measuring processes ended before the job did ({last})"
        raise _failed(name, what, "try again", "measuring_crashed")
    ended = json.loads(ours.ended)
    if ended["returncode"] == 0 and not ended["ended_for"]:
        try:
            rings, _, text = bytes(ours.answered).partition(b"\n")
            missing, answer = json.loads(rings), json.loads(text)
        except (ValueError, RecursionError):
            missing, answer = None, None
        if isinstance(answer, dict) and isinstance(missing, dict):
            return Done(
                answer=answer,
                missing=MappingProxyType(missing),
                processor_seconds=ended["processor_seconds"],
                peak_bytes=ended["peak_bytes"],
            )
    raise _explain(name, ended, said, limits)


def _explain(name: str, ended: dict[str, Any], said: str, limits: Limits) -> MeasuringFailed:
    returncode, why = ended["returncode"], ended["ended_for"]
    is_late = returncode in (-signal.SIGXCPU, -signal.SIGKILL) and ended["processor_seconds"] >= limits.seconds
    if why == "time" or is_late:
        what = f"measuring took longer than {limits.seconds:g} s and was ended"
        return _failed(name, what, "reduce the mesh, or allow more time", "measuring_timeout")
    if why == "memory":
        what = f"measuring held more than {limits.resident_bytes / GIB:.1f} GiB of memory and was ended"
        return _failed(name, what, "reduce the mesh, or allow more memory", "measuring_memory")
    if "MemoryError" in said or "bad_alloc" in said or "failed to map segment" in said or "annot allocate memory" in said:
        what = f"measuring needed more than {limits.memory_bytes / GIB:.1f} GiB of memory"
        return _failed(name, what, "reduce the mesh, or allow more memory", "measuring_memory")
    how = f"was ended by signal {-returncode}" if returncode < 0 else f"ended with code {returncode}"
    if why == "copies":
        how = "copied itself too often and was ended"
    return _failed(name, f"the measuring process {how} ({_last_line(said)})", "report this with the file", "measuring_crashed")


def _last_line(said: str) -> str:
    return said.strip().splitlines()[-1][:200] if said.strip() else "no message"


def _failed(name: str, what: str, todo: str, code: str) -> MeasuringFailed:
    return MeasuringFailed(Problem(name, what, todo, code))
