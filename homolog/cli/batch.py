"""Doing many pieces of work at once and handing the results on in their order."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import TypeVar

W = TypeVar("W")
R = TypeVar("R")

_AHEAD = 2
"""Pieces of work a worker that may be finished, or under way, before their turn: more would only fill the memory."""


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    work: Iterable[W], do: Callable[[W], R], jobs: int, *, abandon: Callable[[], AbstractContextManager[None]]
) -> Generator[R, None, None]:
    """Yield what each piece of work gives, in the order of the work, however many are done at once.

    Args:
        work: Pieces of work.
        do: Does one; called from several threads, or from this one where there is one job.
        jobs: How many at once.
        abandon: Ends what is under way, and keeps more from starting; used where not all results are wanted any more.
    """
    if jobs == 1:
        yield from map(do, work)
        return
    waiting: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="check")
    try:
        for one in work:
            waiting.append(pool.submit(do, one))
            if len(waiting) > _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        with abandon():
            pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


class Interrupts:
    """Ctrl-C, which waits while something is being handed out."""

    def __init__(self) -> None:
        """Nothing is being handed out yet."""
        self._is_held = False
        self._came = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take Ctrl-C over for a while; outside the main thread nothing changes."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._interrupted)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Finish what is done here before Ctrl-C counts."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._came:
            raise KeyboardInterrupt

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if not self._is_held:
            raise KeyboardInterrupt
        self._came = True
