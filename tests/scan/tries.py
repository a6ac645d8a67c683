"""Jobs for the sandbox that misbehave on purpose; each runs in a measuring process, named as `tests.scan.tries:function`.

A try at something forbidden answers with what came of it: `held` and the error's name, or `got` with what it got hold of.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from homolog.scan.worker import answer

GIB = 1 << 30


def try_forbidden(stream: BinaryIO) -> bytes:
    """Try one of the forbidden things, named by the job's first line; the second line is its argument."""
    name = stream.readline().decode().strip()
    argument = stream.readline().decode().strip()
    try:
        got = FORBIDDEN[name](argument)
    except (OSError, ValueError, RuntimeError) as error:
        number = getattr(error, "errno", None)
        return json.dumps({"held": errno.errorcode.get(number or 0, type(error).__name__)}).encode()
    return json.dumps({"got": str(got)}).encode()


def _raw(number: int, *arguments: Any) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    result = int(library.syscall(ctypes.c_long(number), *(ctypes.c_long(item) for item in arguments)))
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def _fork(_: str) -> int:
    process = os.fork()
    if process == 0:
        os._exit(0)
    return process


def _thread(_: str) -> str:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return "a thread"


def _execute(_: str) -> None:
    os.execv(sys.executable, [sys.executable, "-c", "print(1)"])  # noqa: S606


def _write(path: str) -> int:
    return Path(path).write_text("x")


def _write_job(_: str) -> int:
    return os.write(os.open("/proc/self/fd/0", os.O_WRONLY), b"x")


def _connect(port: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port)), 2) as peer:
        return str(peer.recv(10))


def _raise_memory_limit(_: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


FORBIDDEN: dict[str, Callable[[str], Any]] = {
    "open a file outside": lambda path: Path(path).read_bytes(),
    "open the system's list of users": lambda _: Path("/etc/passwd").read_bytes(),
    "list a folder outside": os.listdir,
    "read the supervisor's memory": lambda _: os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY),
    "write a file outside": _write,
    "write a file in its own folder": lambda _: _write("here"),
    "change the job it was given": _write_job,
    "change a file's rights": lambda path: Path(path).chmod(0o777),
    "remove a file": lambda path: Path(path).unlink(),
    "connect to a server": _connect,
    "open a datagram socket": lambda _: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "open a local socket": lambda _: socket.socket(socket.AF_UNIX),
    "replace itself by a program": _execute,
    "start a program": lambda _: subprocess.run(["true"], check=True),
    "copy itself": _fork,
    "start a thread": _thread,
    "signal the supervisor": lambda _: os.kill(os.getppid(), signal.SIGKILL),
    "signal everybody": lambda _: os.kill(-1, signal.SIGTERM),
    "leave its session": lambda _: os.setsid(),
    "raise its memory limit": _raise_memory_limit,
    "enter a new name space": lambda _: _raw(272 if os.uname().machine == "x86_64" else 97, 0x10000000),
    "trace the supervisor": lambda _: _raw(101 if os.uname().machine == "x86_64" else 117, 16, os.getppid(), 0, 0),
    "set up a ring of orders to the kernel": lambda _: _raw(425, 1, 0),
}


def look_around(stream: BinaryIO) -> bytes:
    """Say what a job finds: its environment, folder and open descriptors."""
    stream.read()
    descriptors = [number for number in range(64) if _is_open(number)]
    return json.dumps({"environment": sorted(os.environ), "folder": _list_here(), "open": descriptors}).encode()


def _list_here() -> list[str] | str:
    try:
        return [str(path) for path in Path().iterdir()]
    except PermissionError:
        return "refused"


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def echo(stream: BinaryIO) -> bytes:
    """Say how much came and what it begins with."""
    data = stream.read()
    return json.dumps({"bytes": len(data), "head": data[:8].decode()}).encode()


def sleep(stream: BinaryIO) -> bytes:
    """Sleep as long as the job says."""
    time.sleep(float(stream.readline()))
    return b"{}"


def loop(stream: BinaryIO) -> bytes:
    """Compute for ever."""
    while True:
        pass


def abort(stream: BinaryIO) -> bytes:
    """Crash as libraries do that find themselves damaged."""
    os.abort()


def fault(stream: BinaryIO) -> bytes:
    """Read where nothing is."""
    return ctypes.string_at(8, 8)


def leave(stream: BinaryIO) -> bytes:
    """End with the code for success and without an answer."""
    os._exit(0)


def leave_with_a_code(stream: BinaryIO) -> bytes:
    """End with a code."""
    os._exit(3)


def stumble(stream: BinaryIO) -> bytes:
    """Raise what nobody expects."""
    raise ZeroDivisionError("a wheel came off")


def answer_nonsense(stream: BinaryIO) -> bytes:
    """Answer with half a list."""
    return b"[1, 2"


def answer_a_list(stream: BinaryIO) -> bytes:
    """Answer with what is no object."""
    return b"[1, 2]"


def answer_deeply(stream: BinaryIO) -> bytes:
    """Answer with more brackets than a reader follows."""
    return b"[" * 1_000_000


def answer_at_length(stream: BinaryIO) -> bytes:
    """Answer with more than anybody reads."""
    return b'{"a": "' + b"x" * (300 << 20) + b'"}'


def chatter(stream: BinaryIO) -> bytes:
    """Print more than pipes hold, on both sides, and answer."""
    for _ in range(200):
        os.write(1, b"x" * 65536)
        os.write(2, b"y" * 65536)
    return b'{"said": true}'


def take_address_space(stream: BinaryIO) -> bytes:
    """Reserve more than the limit without touching it."""
    kept = [mmap.mmap(-1, GIB) for _ in range(8)]
    return json.dumps({"got": len(kept)}).encode()


def take_memory(stream: BinaryIO) -> bytes:
    """Touch as many MiB as the job says."""
    size = int(stream.readline()) << 20
    block = mmap.mmap(-1, size)
    for at in range(0, size, 4096):
        block[at] = 1
    time.sleep(0.2)
    return b'{"got": true}'


def write_a_huge_file(stream: BinaryIO) -> bytes:
    """Fill a file that lives in memory, as the CAD kernel does, beyond the limit of a file."""
    handle = os.memfd_create("huge")
    written = 0
    try:
        while written < GIB:
            written += os.write(handle, bytes(1 << 20))
    except OSError as error:
        return json.dumps({"held": errno.errorcode[error.errno or 0], "written": written}).encode()
    return json.dumps({"got": written}).encode()


def fork_without_end(stream: BinaryIO) -> bytes:
    """Copy itself, and let the copies copy themselves."""
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)


def leave_a_copy_behind(stream: BinaryIO) -> bytes:
    """Answer, while a copy goes on that would write into the pipe of the messages later."""
    process = os.fork()
    if process == 0:
        time.sleep(60)
        os._exit(0)
    return json.dumps({"process": process}).encode()


def measure(stream: BinaryIO) -> bytes:
    """Do what the worker does, and say which modules it had to load."""
    before = set(sys.modules)
    answer(stream)
    return json.dumps({"loaded": sorted(set(sys.modules) - before)}).encode()
