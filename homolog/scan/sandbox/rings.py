"""Which rings lie around the measuring process on this machine, found out by trying."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from homolog.scan.sandbox.job import run_job
from homolog.scan.sandbox.limits import Limits
from homolog.scan.sandbox.processes import can_tell

_HOLDS = {
    "process": "every file is read and measured in a process of its own, which is ended when its time is over",
    "resident": "a process that holds more than 3 GiB of memory is ended",
    "limits": "address space, processor time, file size, open files and processes are limited",
    "privileges": "the process has given up every privilege of the super-user, and cannot get any back",
    "files": "no file can be opened but those of the installed code, and no TCP connection be made (Landlock)",
    "calls": "sockets, programs, signals to others and everything else that measuring does not need are refused (seccomp)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """One of the rings: what it holds where it is there, why it is missing where it is not."""

    name: str
    is_there: bool
    why: str


@cache
def rings() -> tuple[Ring, ...]:
    """Return every ring, outermost first; the kernel is asked once a process, by a job that tries what is forbidden.

    Raises:
        MeasuringFailed: Not even the trial came back.
    """
    done = run_job("homolog.scan.sandbox.probe:answer", (), Limits(seconds=10.0), name="the trial of the sandbox")
    missing = dict(done.missing)
    missing |= {name: "it was put on and did not hold" for name, held in done.answer.items() if not held and name not in missing}
    if not can_tell():
        missing["resident"] = "the system does not tell how much memory a process holds"
    return tuple(Ring(name=name, is_there=name not in missing, why=missing.get(name, says)) for name, says in _HOLDS.items())
