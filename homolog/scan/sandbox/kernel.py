"""Calls to the Linux kernel that the standard library does not offer; each raises OSError as the library's own do."""

from __future__ import annotations

import ctypes
import functools
import os
import platform

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522


class MissingCall(OSError):
    """The system has no such call, or it is not known which number it has here."""


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def machine() -> str:
    """Return the processor's name as the kernel spells it, or an empty text where the system is no Linux."""
    return platform.machine() if platform.system() == "Linux" else ""


def prctl(option: int, value: int, more: int = 0) -> None:
    """Set an attribute of this process.

    Raises:
        OSError: The kernel refuses.
    """
    if not machine():
        raise MissingCall("there is no prctl on this system")
    number = ctypes.c_ulong
    _check(_library().prctl(ctypes.c_int(option), number(value), number(more), number(0), number(0)))


def syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call; a buffer is handed over by its address.

    Raises:
        OSError: The kernel refuses.
    """
    if not machine():
        raise MissingCall("there are no Linux system calls on this system")
    words = [argument if isinstance(argument, ctypes.Array) else ctypes.c_long(argument or 0) for argument in arguments]
    call = _library().syscall
    call.restype = ctypes.c_long
    return _check(call(ctypes.c_long(number), *words))


def drop_capabilities() -> None:
    """Give up every privilege of the super-user that the kernel lets a process give up.

    Raises:
        OSError: The kernel refuses.
    """
    number = _SYS_CAPSET.get(machine())
    if number is None:
        raise MissingCall("the number of capset is not known here")
    head = ctypes.create_string_buffer(_CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4), 8)
    syscall(number, head, ctypes.create_string_buffer(24))


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
