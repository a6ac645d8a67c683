"""The ring of seccomp: from here on the kernel takes only the calls that measuring needs."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator, Sequence

from homolog.scan.sandbox.calls import AARCH64, FORBIDDEN, FREE, X86_64
from homolog.scan.sandbox.kernel import MissingCall, machine, prctl

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_ARCHITECTURE = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY
_NEW_SPACES = 0x7E020080
"""Flags of clone that ask for namespaces."""
_TERMINAL = (0x5401, 0x5413, 0x5451)
"""Whether a file is a terminal, how large, and closing it on exec: what Python asks of every file it opens."""

_COPYING = ("fork", "wait4", "memfd_create", "openat", "open")
"""What the CAD kernel needs besides: a copy of the process, and opening its files in memory for writing."""

_Step = tuple[int, int, int, int]
"""Operation, jumps where it holds and where not, value."""
_Test = tuple[int, int, int]
"""An operation, its value, and whether the call is allowed where it holds (1) or where it does not (0)."""
_Rule = tuple[str, int, tuple[_Test, ...], int]
"""A call, which of its arguments is looked at, the tests on it, and the error where none allows it."""


def restrict(*, may_fork: bool) -> None:
    """Leave this process and its children only the calls that measuring needs.

    Args:
        may_fork: The CAD kernel runs in a copy of the process, and writes to a file in memory under a name.

    Raises:
        OSError: The kernel has no seccomp, refuses, or the processor is not known here.
    """
    install(program(may_fork=may_fork))


def install(program: Sequence[_Step]) -> None:
    """Hand a filter to the kernel, which keeps it for this process and its children.

    Raises:
        OSError: The kernel has no seccomp, or refuses.
    """
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(steps))
    buffer = ctypes.create_string_buffer(head, len(head))
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(buffer))


def program(*, may_fork: bool) -> list[_Step]:
    """Return the filter.

    Raises:
        MissingCall: The processor is not known here.
    """
    if machine() not in _ARCHITECTURE:
        raise MissingCall(errno.ENOSYS, f"no filter is written for the processor {machine() or 'of this system'}")
    architecture, numbers = _ARCHITECTURE[machine()]
    steps = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    free = [*FREE, *(_COPYING if may_fork else ())]
    for name in _known(free, numbers):
        steps += [(_EQUAL, 0, 1, numbers[name]), (_RETURN, 0, 0, _ALLOW)]
    rules = _rules(may_fork=may_fork)
    for name, argument, tests, error in rules:
        if name in numbers:
            steps += _looked_at(numbers[name], argument, tests, error)
    conditional = {rule[0] for rule in rules}
    for name in _known(FORBIDDEN, numbers):
        if name not in free and name not in conditional:
            steps += [(_EQUAL, 0, 1, numbers[name]), (_RETURN, 0, 0, _ERROR | errno.EPERM)]
    return [*steps, (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]


def _rules(*, may_fork: bool) -> list[_Rule]:
    me = os.getpid()
    rules: list[_Rule] = [
        ("ioctl", 1, tuple((_EQUAL, number, 1) for number in _TERMINAL), errno.ENOTTY),
        ("tgkill", 0, ((_EQUAL, me, 1),), errno.EPERM),  # abort(), and nobody else
        ("prlimit64", 0, ((_EQUAL, 0, 1),), errno.EPERM),  # its own limits, which without privileges only go down
    ]
    if may_fork:
        rules += [
            ("clone", 0, ((_ANY_BIT, _NEW_SPACES, 0),), errno.EPERM),
            ("kill", 0, ((_AT_LEAST, 0x80000000, 0),), errno.EPERM),  # one process, never a group or all
        ]
    else:
        rules += [
            ("clone", 0, (), errno.EAGAIN),  # libraries go on with the thread they have
            ("openat", 2, ((_ANY_BIT, _WRITING, 0),), errno.EACCES),
            ("open", 1, ((_ANY_BIT, _WRITING, 0),), errno.EACCES),
        ]
    return rules


def _looked_at(number: int, argument: int, tests: tuple[_Test, ...], error: int) -> Iterator[_Step]:
    """Yield the steps for one call: skip them for other calls; the lower half of the argument decides."""
    body: list[_Step] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument)]
    for operation, value, allows in tests:
        body += [(operation, 0 if allows else 1, 1 if allows else 0, value), (_RETURN, 0, 0, _ALLOW)]
    body.append((_RETURN, 0, 0, _ERROR | error))
    yield (_EQUAL, 0, len(body), number)
    yield from body


def _known(names: Iterable[str], numbers: dict[str, int]) -> Iterator[str]:
    return (name for name in names if name in numbers)
