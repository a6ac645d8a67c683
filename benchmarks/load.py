"""Asks pages and the interface at a fixed rate while two mesh jobs run, and prints how long each route takes.

Usage: python -m benchmarks.load [--rate 100] [--seconds 30] [--types 1000] [--no-jobs] [--profile FILE]

`homolog serve` and two workers run for real on SQLite, on the loopback. Requests are sent at their moments whether or not earlier
ones were answered, and how long one takes counts from its moment on: a service that falls behind cannot hide it. One line of JSON
a route: answers, p50, p99 and longest in ms; then the processor time of the server and of the workers, which says more than the
clock where the machine has other work. Exit code 1 if p99 of all is above 250 ms or an answer was no success.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.impact import fill
from benchmarks.jobs import register
from homolog.register import accounts, types
from homolog.register.ids import new_id
from homolog.service.identity import sessions as opening
from homolog.service.identity.sessions import Came
from homolog.service.jobs.asked import ask_assessment
from homolog.service.seeding import seed
from homolog.service.standing import keep_standing
from tests.service.people import World

ROOT = Path(__file__).resolve().parents[1]
MOST_MS = 250


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request: what it is called in the table, and its bytes."""

    name: str
    data: bytes


def signed_in(world: World, name: str) -> str:
    """Return the cookie of somebody who has signed in."""
    now = datetime.now(UTC)
    account = world.actors[name].account or ""
    with world.desk.database.write() as session:
        person = accounts.find(session, account)
        if person is None:
            raise LookupError(name)
        return opening.open_session(session, person, how="password", came=Came(address="address:load"), now=now).secret


def enter_types(world: World, number: int) -> None:
    """Enter so many types, so that lists and searches have something to find."""
    now = datetime.now(UTC)
    for first in range(0, number, 200):
        with world.desk.database.write() as session:
            for place in range(first, min(first + 200, number)):
                name = f"Kestrel {place}"
                made = types.TypeRecord(
                    id=new_id(now), number=types.take_number(session, "ball", None, now=now), item="ball", family="none", name=name,
                    maker=f"Maker {place % 50}", organisation_id=None, application_id=None, body="fistf", edition="4.0",
                    named_by="III-3.2", named_id=name, details={}, at=now,
                )  # fmt: skip
                types.enter(session, made)
                keep_standing(session, world.desk, made, ())


def requests_of(world: World) -> list[Wanted]:
    """Return what visitors, a manufacturer and the board ask for, as often as they would."""
    maker, board = signed_in(world, "mary"), signed_in(world, "anna")
    with world.desk.database.read() as session:
        from homolog.register import applications

        application = applications.all_ids(session, after=None, limit=1)[0]
    public = [
        "/", "/types", "/types?q=kestrel", "/types/HML-B-0003", "/sign-in", "/static/page.css", "/rules", "/api/v1/types",
        "/api/v1/types?q=kestrel", "/api/v1/types/HML-B-0003", "/api/v1/specs", "/api/v1/specs/fistf/4.0/ball",
        "/api/v1/openapi.json", "/api/v1/feed.json", "/healthz", "/metrics",
    ]  # fmt: skip
    own = ["/account", "/applications", f"/applications/{application}", f"/api/v1/applications/{application}", "/api/v1/me"]
    found = [_get(path, path, None) for path in public]
    found += [_get(path.replace(application, "{application}") + " (maker)", path, maker) for path in own]
    found += [_get(path.replace(application, "{application}") + " (board)", path, board) for path in own]
    return found


def _get(name: str, path: str, secret: str | None) -> Wanted:
    cookie = "" if secret is None else f"Cookie: homolog={secret}\r\n"
    return Wanted(name, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{cookie}\r\n".encode())


async def ask(port: int, wanted: Wanted, at: float) -> tuple[str, int, float]:
    """Send a request, and return its status and the seconds since its moment."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(max(0.0, at - loop.time()))
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(wanted.data)
        answer = await reader.read()
        writer.close()
        status = int(answer.split(b" ", 2)[1])
    except (OSError, IndexError, ValueError):
        status = 0
    return wanted.name, status, loop.time() - at


async def send(port: int, found: list[Wanted], rate: float, seconds: float) -> list[tuple[str, int, float]]:
    """Send requests at their moments."""
    loop, chance = asyncio.get_running_loop(), random.Random(1)  # noqa: S311 -- which of them
    start = loop.time() + 0.1
    asked = [ask(port, chance.choice(found), start + number / rate) for number in range(round(rate * seconds))]
    return await asyncio.gather(*asked)


def processor(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def at(values: list[float], part: float) -> float:
    """Return a quantile in ms."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


def measure(chosen: argparse.Namespace) -> bool:
    """Run it all, print, and say whether it was quick enough."""
    with register("sqlite") as (world, environment):
        seed(world.desk, now=world.now)
        enter_types(world, chosen.types)
        fill(world, max(2, round(2 * chosen.seconds)) if chosen.jobs else 2)
        found = requests_of(world)
        environment |= {"HOMOLOG_REQUESTS_PER_MINUTE": "1000000"}
        if chosen.jobs:
            _ask_for_jobs(world)
        serving, port = _serve(environment, 2 if chosen.jobs else 0, chosen.profile)
        try:
            asyncio.run(send(port, found, 5, len(found) / 5 * 2))  # all is loaded once
            before = _times(serving.pid)
            answers = asyncio.run(send(port, found, chosen.rate, chosen.seconds))
            after = _times(serving.pid)
        finally:
            for pid in _group(serving.pid):
                os.kill(pid, signal.SIGINT if pid == serving.pid else signal.SIGTERM)
            serving.wait(60)
    return _tell(answers, before, after, serving.pid)


def _ask_for_jobs(world: World) -> None:
    from homolog.register import applications

    with world.desk.database.read() as session:
        waiting = applications.all_ids(session, after=None, limit=100_000)
    for one in waiting:
        ask_assessment(world.actors["anna"], world.desk, one, now=datetime.now(UTC) - timedelta(seconds=1))


def _serve(environment: dict[str, str], workers: int, profile: str | None) -> tuple[subprocess.Popen[bytes], int]:
    import socket
    import urllib.request

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    words = [sys.executable, "-m", "homolog.cli.main", "serve", "--port", str(port), "--workers", str(workers)]
    if profile is not None:
        words = [sys.executable, "-m", "cProfile", "-o", profile, "-m", "uvicorn", "api.app:app", "--port", str(port)]
    serving = subprocess.Popen(
        words, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return serving, port
    raise TimeoutError("the service does not start")


def _group(of: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[3]) == of and words[0] != "Z":
                found.append(int(entry.name))
    return found


def _times(of: int) -> dict[int, float]:
    return {pid: processor(pid) for pid in _group(of)}


def _tell(answers: list[tuple[str, int, float]], before: dict[int, float], after: dict[int, float], server: int) -> bool:
    by_route: dict[str, list[float]] = defaultdict(list)
    wrong: dict[str, int] = {}
    for name, status, seconds in answers:
        by_route[name].append(seconds)
        if status >= 400 or status == 0:
            wrong[name] = status
    for name, values in sorted(by_route.items(), key=lambda one: -at(one[1], 0.99)):
        line: dict[str, Any] = {
            "route": name,
            "answers": len(values),
            "p50": at(values, 0.5),
            "p99": at(values, 0.99),
            "max": at(values, 1),
        }
        print(json.dumps(line | ({"status": wrong[name]} if name in wrong else {})))
    used = {pid: round(seconds - before.get(pid, 0.0), 2) for pid, seconds in after.items()}
    every = [seconds for _, _, seconds in answers]
    print(json.dumps({
        "all": len(every), "p50": at(every, 0.5), "p99": at(every, 0.99), "server_cpu_s": used.get(server),
        "server_cpu_ms_a_request": round(1000 * used.get(server, 0.0) / len(every), 2),
        "workers_cpu_s": round(sum(seconds for pid, seconds in used.items() if pid != server), 2), "load": os.getloadavg(),
    }))  # fmt: skip
    return at(every, 0.99) <= MOST_MS and not wrong


def main() -> None:
    """Measure, and exit with 1 if it is too slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--types", type=int, default=1000)
    parser.add_argument("--no-jobs", dest="jobs", action="store_false")
    parser.add_argument("--profile", help="write a profile of the server, without workers, to this file")
    sys.exit(0 if measure(parser.parse_args()) else 1)


if __name__ == "__main__":
    main()
