"""What bounds a request: bytes, parts, time, places; all before anything is parsed or measured."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from api.settings import Settings
from tests.api.conftest import EXAMPLES, Door
from tests.api.test_problems import problem_of

JSON = {"Content-Type": "application/json"}


async def pieces(*parts: bytes, pause: float = 0) -> AsyncIterator[bytes]:
    """Yield a body in pieces, so that its length is not announced."""
    for part in parts:
        await asyncio.sleep(pause)
        yield part


def padded(size: int) -> bytes:
    """Return a good sheet of exactly so many bytes."""
    sheet = json.dumps(json.loads((EXAMPLES / "ball.json").read_bytes())).encode()
    return sheet + b" " * (size - len(sheet))


def test_a_sheet_exactly_at_the_limit_is_taken(door_with: Callable[..., Door]) -> None:
    small = door_with(sheet_limit=4_000)
    assert small.check(padded(4_000)).status_code == 200
    told = problem_of(small.check(padded(4_001)), 413, "body_too_large")
    assert told["limit"] == 4_000


def test_a_body_that_announces_too_much_is_refused_unread(door_with: Callable[..., Door]) -> None:
    async def untouched() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    answer = door_with()("POST", "/api/v1/check", content=untouched(), headers={**JSON, "Content-Length": "5000001"})
    problem_of(answer, 413, "body_too_large")


def test_a_body_that_announces_nothing_is_cut_off_at_the_limit(door_with: Callable[..., Door]) -> None:
    seen = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal seen
        while True:
            seen += 1_000
            yield b" " * 1_000

    answer = door_with(sheet_limit=10_000)("POST", "/api/v1/check", content=endless(), headers=JSON)
    problem_of(answer, 413, "body_too_large")
    assert "content-length" not in answer.request.headers
    assert seen <= 12_000


def test_a_body_in_pieces_is_taken(door: Door) -> None:
    data = padded(3_000)
    answer = door("POST", "/api/v1/check", content=pieces(data[:7], data[7:1_000], data[1_000:]), headers=JSON)
    assert answer.status_code == 200


def test_a_form_in_single_bytes_is_taken(door: Door) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="sheet"; filename="b.json"\r\n\r\n' + padded(900) + b"\r\n--b--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    single = pieces(*(body[at : at + 1] for at in range(len(body))))
    assert door("POST", "/api/v1/check", content=single, headers=headers).status_code == 200


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "9" * 40])
def test_a_length_that_is_no_number_is_400(door: Door, length: str) -> None:
    answer = door("POST", "/api/v1/check", content=pieces(b"{}"), headers={**JSON, "Content-Length": length})
    problem_of(answer, 400, "malformed")


def test_a_whole_form_is_bounded(door_with: Callable[..., Door], scan: bytes) -> None:
    small = door_with(body_limit=50_000)
    problem_of(small.form(files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"}), 413, "body_too_large")


@pytest.mark.parametrize("name", ["sheet", "adopted"])
def test_a_sheet_in_a_form_is_bounded_by_itself(door_with: Callable[..., Door], name: str) -> None:
    small = door_with(sheet_limit=2_000)
    told = problem_of(small.form(files={name: ("x.json", padded(2_001))}), 413, "body_too_large")
    assert name in told["detail"]


def test_a_scan_is_not_bound_by_the_limit_of_sheets(door_with: Callable[..., Door], scan: bytes) -> None:
    small = door_with(sheet_limit=2_000)
    assert small.form(files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"}).status_code == 200


def test_a_lot_is_bounded(door_with: Callable[..., Door], lot: bytes) -> None:
    assert door_with(lot_limit=2).check(lot, kind="text/csv").status_code == 200
    told = problem_of(door_with(lot_limit=1).check(lot, kind="text/csv"), 422, "input_refused")
    assert [problem["code"] for problem in told["problems"]] == ["lot_too_large"]


def test_a_lot_far_too_long_is_refused_before_it_is_read(door: Door) -> None:
    began = time.perf_counter()
    told = problem_of(door.check(b"x\n" * 2_000_000, kind="text/csv"), 422, "input_refused")
    assert time.perf_counter() - began < 1
    assert [problem["code"] for problem in told["problems"]] == ["lot_too_large"]


def test_a_body_that_drips_is_given_up(door_with: Callable[..., Door]) -> None:
    slow = pieces(*[b" "] * 50, pause=0.05)
    answer = door_with(body_seconds=0.15)("POST", "/api/v1/check", content=slow, headers=JSON)
    problem_of(answer, 408, "body_timeout")


class Held:
    """Holds a door's places until it is let go."""

    def __init__(self, door: Door, places: Any, count: int = 1) -> None:
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        self.work = [door.portal.start_task_soon(places.run, self._wait) for _ in range(count)]
        for _ in range(count):
            assert self.begun.acquire(timeout=5)

    def _wait(self) -> None:
        self.begun.release()
        assert self.go.wait(10)

    def free(self) -> None:
        self.go.set()
        for work in self.work:
            work.result(5)


def test_no_place_and_no_queue_is_503_with_a_time_to_come_back(door_with: Callable[..., Door], ball: dict[str, Any]) -> None:
    busy = door_with(sheets=1, queue=0, queue_seconds=3)
    held = Held(busy, busy.service.judging)
    answer = busy.check(ball)
    problem_of(answer, 503, "busy")
    assert answer.headers["retry-after"] == "3"
    held.free()
    assert busy.check(ball).status_code == 200


def test_who_waits_too_long_is_sent_away(door_with: Callable[..., Door], ball: dict[str, Any]) -> None:
    busy = door_with(sheets=1, queue=1, queue_seconds=0.05)
    held = Held(busy, busy.service.judging)
    problem_of(busy.check(ball), 503, "busy")
    held.free()


def test_who_waits_in_the_queue_is_served(door_with: Callable[..., Door], ball: dict[str, Any]) -> None:
    busy = door_with(sheets=1, queue=1, queue_seconds=10)
    held = Held(busy, busy.service.judging)
    more: dict[str, Any] = {"content": json.dumps(ball).encode(), "headers": JSON}
    waiting = busy.portal.start_task_soon(lambda: busy.send("POST", "/api/v1/check", **more))
    while busy.portal.call(lambda: asyncio.sleep(0.01, busy.service.judging.waiting)) == 0:
        pass
    problem_of(busy.check(ball), 503, "busy")
    held.free()
    assert waiting.result(10).status_code == 200


def test_scans_and_sheets_have_places_of_their_own(door_with: Callable[..., Door], ball: dict[str, Any], scan: bytes) -> None:
    busy = door_with(measurements=1, queue=0)
    held = Held(busy, busy.service.measuring)
    assert busy.check(ball).status_code == 200
    problem_of(busy.form(files={"scan": ("k.stl", scan)}, data={"item": "goalkeeper"}), 503, "busy")
    held.free()


def test_the_service_answers_while_a_scan_is_measured(door_with: Callable[..., Door], scan: bytes) -> None:
    free = door_with(measurements=1)
    more: dict[str, Any] = {"files": {"scan": ("k.stl", scan)}, "data": {"item": "goalkeeper"}}
    measuring = free.portal.start_task_soon(lambda: free.send("POST", "/api/v1/check", **more))
    answered = 0
    while not measuring.done():
        assert free.get("/healthz").status_code == 200
        answered += 1
    assert measuring.result().status_code == 200
    assert answered > 20


def test_bodies_held_at_the_same_time_are_bounded(door_with: Callable[..., Door], ball: dict[str, Any]) -> None:
    narrow = door_with(uploads=1)
    go = asyncio.Event()

    async def half() -> AsyncIterator[bytes]:
        yield b" "
        await go.wait()
        yield json.dumps(ball).encode()

    waiting = narrow.portal.start_task_soon(lambda: narrow.send("POST", "/api/v1/check", content=half(), headers=JSON))
    while narrow.portal.call(lambda: asyncio.sleep(0.01, narrow.service.uploads.count)) == 0:
        pass
    answer = narrow.check(ball)
    problem_of(answer, 503, "busy")
    assert answer.headers["retry-after"]
    narrow.portal.call(go.set)
    assert waiting.result(10).status_code == 200
    assert narrow.check(ball).status_code == 200


def test_settings_come_from_the_environment() -> None:
    settings = Settings.from_environment(
        {"HOMOLOG_BODY_LIMIT": "1000", "HOMOLOG_MEASUREMENTS": " 3 ", "HOMOLOG_QUEUE": "0", "PATH": "/"}
    )
    assert (settings.body_limit, settings.measurements, settings.queue) == (1_000, 3, 0)
    assert settings.sheet_limit == Settings().sheet_limit == 5_000_000
    assert Settings().body_limit == 50_000_000


@pytest.mark.parametrize(
    ("name", "text"),
    [("HOMOLOG_BODY_LIMIT", "50MB"), ("HOMOLOG_BODY_LIMIT", "0"), ("HOMOLOG_MEASUREMENTS", "-1"), ("HOMOLOG_UPLOADS", "٣")],
)
def test_a_setting_that_is_no_number_stops_the_start(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=name):
        Settings.from_environment({name: text})
