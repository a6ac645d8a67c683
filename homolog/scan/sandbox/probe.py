"""A job that tries in earnest what each ring forbids, and says which tries were held."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable
from typing import BinaryIO


def answer(stream: BinaryIO) -> bytes:
    """Return which rings hold, by name, as JSON."""
    stream.read()
    return json.dumps({name: _is_held(attempt) for name, attempt in _ATTEMPTS.items()}).encode()


def _is_held(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, ValueError):
        return True
    return False


def _raise_own_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard + 1))


def _take_precedence() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 1)


def _open_outside() -> None:
    os.close(os.open("..", os.O_RDONLY))  # the folder that all jobs' folders lie in: everybody may read it but for this ring


def _signal_supervisor() -> None:
    os.kill(os.getppid(), 0)


_ATTEMPTS: dict[str, Callable[[], object]] = {
    "limits": _raise_own_limit,
    "privileges": _take_precedence,
    "files": _open_outside,
    "calls": _signal_supervisor,
}
