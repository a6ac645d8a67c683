"""The ring of Landlock: from here on no file can be opened but those of the installed code, and no connection be made."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from contextlib import suppress

from homolog.scan.sandbox.kernel import syscall

# The numbers are the same on every processor.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_RULE_PATH_BENEATH = 1
_READ = (1 << 2) | (1 << 3)
"""Reading a file, listing a folder."""
_FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
"""How many rights over files the kernel knows, by version of its interface; later versions know no more."""
_CONNECTIONS = 0b11
"""Binding and connecting TCP, since version 4."""
_SCOPES = 0b11
"""Reaching processes outside by abstract sockets and by signals, since version 6."""


def version() -> int:
    """Return the version of Landlock's interface; at least 1.

    Raises:
        OSError: The kernel has no Landlock, or it is switched off.
    """
    return syscall(_CREATE_RULESET, None, 0, _VERSION)


def restrict(readable: Iterable[str]) -> None:
    """Take every right over files from this process and its children, but reading below some folders.

    Args:
        readable: Folders that may be read; those that are not there are left out.

    Raises:
        OSError: The kernel has no Landlock, or refuses.
    """
    known = version()
    rights = (1 << _FILE_RIGHTS[min(known, len(_FILE_RIGHTS) - 1)]) - 1
    ruleset = struct.pack("=QQQ", rights, _CONNECTIONS if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    handle = syscall(_CREATE_RULESET, ctypes.create_string_buffer(ruleset[:size], size), size, 0)
    try:
        for folder in readable:
            with suppress(FileNotFoundError, NotADirectoryError):
                _allow(handle, folder)
        syscall(_RESTRICT_SELF, handle, 0)
    finally:
        os.close(handle)


def _allow(handle: int, folder: str) -> None:
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", _READ, place)
        syscall(_ADD_RULE, handle, _RULE_PATH_BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0)
    finally:
        os.close(place)
