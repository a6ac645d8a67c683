"""What a measuring process may use."""

from __future__ import annotations

from dataclasses import dataclass

GIB = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one job may use; whatever goes beyond is ended.

    Attributes:
        seconds: Wall time, and processor time.
        memory_bytes: Address space.
        resident_bytes: Memory that is really taken, by the process and its copies together.
        file_bytes: Largest file that may be written, which lives in memory at most.
        may_fork: Whether the process may copy itself, for the CAD kernel.
    """

    seconds: float = 120.0
    memory_bytes: int = 6 * GIB
    resident_bytes: int = 3 * GIB
    file_bytes: int = 0
    may_fork: bool = False
