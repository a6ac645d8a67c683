"""Places for work: a fixed number at the same time, a short queue, and no waiting beyond it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from api.problems import Failure

_Result = TypeVar("_Result")


class Places:
    """Runs blocking work in threads, as many at once as there are places."""

    def __init__(self, places: int, *, queue: int, queue_seconds: float) -> None:
        self._free = anyio.Semaphore(places)
        self._threads = anyio.CapacityLimiter(places)
        self._queue = queue
        self._queue_seconds = queue_seconds
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return self._waiting

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run work in a thread and return what it returns.

        Raises:
            Failure: All places are taken and the queue is full, or none came free in time.
        """
        await self._take()
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._threads)
        finally:
            self._free.release()

    async def _take(self) -> None:
        try:
            self._free.acquire_nowait()
        except anyio.WouldBlock:
            await self._wait()

    async def _wait(self) -> None:
        if self._waiting >= self._queue:
            raise self._busy()
        self._waiting += 1
        try:
            with anyio.fail_after(self._queue_seconds):
                await self._free.acquire()
        except TimeoutError:
            raise self._busy() from None
        finally:
            self._waiting -= 1

    def _busy(self) -> Failure:
        return Failure("busy", "All places are taken; try again.", headers={"Retry-After": str(max(int(self._queue_seconds), 1))})
