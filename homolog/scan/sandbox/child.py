"""One job in a forked process: the rings go on, the job runs, the process leaves."""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import sys
import sysconfig
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NoReturn

import homolog
from homolog.scan.sandbox import kernel, landlock, seccomp
from homolog.scan.sandbox.limits import Limits

PAYLOAD, ANSWER = 0, 3
"""Where the job is read and where the answer goes; 1 and 2 are for what libraries print."""
Work = Callable[[BinaryIO], bytes]


def run(entry: str, limits: Limits, folder: str, descriptors: tuple[int, int, int], supervisor: int) -> NoReturn:
    """Run a job in this process, which is a fresh copy of the supervisor, and end it; nothing of the supervisor runs on.

    Args:
        entry: Module and function that do the work, `module:function`.
        limits: What may be used.
        folder: An empty folder to stand in; it loses its name at once, so that nothing can ever be put there.
        descriptors: Where the job is read, where the answer goes, and where messages go.
        supervisor: The process that forked.
    """
    code = 1
    try:
        _settle(folder, descriptors, supervisor)
        work = _work_of(entry)
        missing = put_on_rings(limits)
        _write(json.dumps(missing).encode() + b"\n")
        with open(PAYLOAD, "rb", closefd=False) as stream:
            answer = work(stream)
        _write(answer)
        code = 0
    except BaseException:
        with suppress(BaseException):
            traceback.print_exc()
            sys.stderr.flush()
    finally:
        os._exit(code)


def put_on_rings(limits: Limits) -> dict[str, str]:
    """Limit this process for good; return the rings that could not be put on, each with the reason."""
    rings: dict[str, Callable[[], None]] = {
        "limits": lambda: _limit(limits),
        "privileges": _give_up_privileges,
        "files": lambda: landlock.restrict(code_folders()),
        "calls": lambda: seccomp.restrict(may_fork=limits.may_fork),
    }
    missing = {}
    for name, put_on in rings.items():
        try:
            put_on()
        except (OSError, ValueError) as error:
            missing[name] = str(error)
    return missing


def code_folders() -> list[str]:
    """Return where the installed code lies, which is all that may be read."""
    paths = sysconfig.get_paths()
    own = str(Path(homolog.__file__).parent)
    return sorted({own, *(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))})


def _settle(folder: str, descriptors: tuple[int, int, int], supervisor: int) -> None:
    """Lead a session that ends with the supervisor, hold nothing open but the job, stand in an empty folder without a name."""
    os.setsid()
    with suppress(OSError):
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:
        os._exit(1)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # First up out of the way, then down to their places: one may stand where another must go.
    payload, answer, messages = (_above(descriptor) for descriptor in descriptors)
    for source, target in ((payload, PAYLOAD), (messages, 1), (messages, 2), (answer, ANSWER)):
        os.dup2(source, target, inheritable=False)
    os.closerange(ANSWER + 1, 1 << 16)
    os.lseek(PAYLOAD, 0, os.SEEK_SET)
    os.chdir(folder)
    Path(folder).rmdir()
    sys.dont_write_bytecode = True
    gc.enable()


def _above(descriptor: int) -> int:
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64)


def _work_of(entry: str) -> Work:
    module, _, function = entry.partition(":")
    work: Work = getattr(importlib.import_module(module), function)
    return work


def _limit(limits: Limits) -> None:
    seconds = max(1, int(limits.seconds) + 1)
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)  # at the lower one a signal that says why, at the upper one the end
    _lower(resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes)
    _lower(resource.RLIMIT_NOFILE, 64, 64)
    if not limits.may_fork:
        _lower(resource.RLIMIT_NPROC, 0, 0)  # holds for all but the super-user, whom the ring of calls holds
    _lower(resource.RLIMIT_AS, limits.memory_bytes, limits.memory_bytes)


def _lower(kind: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))


def _give_up_privileges() -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.drop_capabilities()


def _write(data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(ANSWER, left) :]
