"""What the system tells of other processes: their copies and the memory they take."""

from __future__ import annotations

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident_bytes(process: int) -> int:
    """Return the memory that a process really takes; 0 where the system does not tell or the process has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def family(process: int) -> list[int]:
    """Return a process and all that came from it, as far as the system tells."""
    found = [process]
    for member in found:
        try:
            children = Path(f"/proc/{member}/task/{member}/children").read_text()
        except OSError:
            continue
        found.extend(int(number) for number in children.split())
    return found


def can_tell() -> bool:
    """Whether the system tells how much memory a process takes."""
    return resident_bytes(os.getpid()) > 0
