"""Kills the service as it runs, web server and worker, again and again, and looks at what is left.

Usage: python tools/kill_service.py [KILLS] [--databases sqlite,postgresql] [--seed N]

`homolog serve` and its worker run as they would for a federation. Clients bring applications from their first words to the
certificate: they send files, take steps, ask for assessments, vote, decide and certify, and ask again with the same key where no
answer came. The server, the worker or both are killed (SIGKILL) at a moment by chance and started again. Then all that was
answered must be there, nothing may be there twice, no history may be half told, and the audit log and the log of seals must hold.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402
from sqlmodel import select  # noqa: E402

from homolog.register import applications as kept_applications  # noqa: E402
from homolog.register import audit, jobs, organisations  # noqa: E402
from homolog.register.database import Database  # noqa: E402
from homolog.register.files import Files  # noqa: E402
from homolog.register.files import check as faults_of_files  # noqa: E402
from homolog.register.migrate import migrate  # noqa: E402
from homolog.register.tables.types import RegisteredType  # noqa: E402
from homolog.seal.key_folder import make_keys  # noqa: E402
from homolog.service.consistency import check as faults_of_histories  # noqa: E402
from homolog.service.desk import Desk  # noqa: E402
from homolog.service.jobs.asked import ask_assessment  # noqa: E402
from homolog.service.log_check import check as faults_of_log  # noqa: E402
from tests.api.world import Guest, World  # noqa: E402
from tests.databases import create_database, server  # noqa: E402
from tests.service.people import PHOTO, SHEET  # noqa: E402

CLIENTS = 3
ONCE = (
    "start",
    "describe",
    "accept_memorandum",
    "submit",
    "receive_sample",
    "measure",
    "open_vote",
    "close_vote",
    "decide",
    "certify",
)
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass
class Said:
    """What the service answered, before and between all kills."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    events: dict[tuple[str, int], str] = field(default_factory=dict)
    files: set[tuple[str, str]] = field(default_factory=set)
    votes: set[tuple[str, str]] = field(default_factory=set)
    certificates: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many answers there were that something was done."""
        with self.lock:
            return len(self.events) + len(self.files) + len(self.certificates) + len(self.jobs)

    def note(self, kind: str, key: Any, value: Any = None) -> None:
        """Keep what was answered."""
        with self.lock:
            place = getattr(self, kind)
            place.add(key) if isinstance(place, set) else place.__setitem__(key, value)


class Service:
    """`homolog serve` with its worker, in a group of processes of its own."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(environment["HOMOLOG_DATA"], "serve.log")
        self.process: subprocess.Popen[bytes] | None = None
        self.former: list[int] = []

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = [sys.executable, "-m", "homolog.cli.main", "serve", "--port", str(self.port), "--workers", "1"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True)
        until = time.monotonic() + 180
        while time.monotonic() < until:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/healthz", trust_env=False, timeout=5).status_code == 200:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"the service does not start again: {self.log.read_text()[-2000:]}")

    def group(self, of: int) -> dict[int, str]:
        """Return what runs in the group of a process, with its command line."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, IndexError):
                    state = (entry / "stat").read_text().rpartition(")")[2].split()
                    if int(state[2]) == of and state[0] != "Z":
                        found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def kill(self, whom: str) -> None:
        """Kill the server, the worker, or all, and start again what does not come again by itself.

        A server that is killed alone leaves its worker behind, which has to end by itself; a worker alone is started anew by
        its keeper.
        """
        if self.process is None:
            return
        server = self.process.pid
        group = self.group(server)
        of = {
            "server": [server],
            "worker": [one for one, words in group.items() if " work " in words and "--kept" not in words],
            "both": list(group),
        }
        for victim in of[whom]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        if whom != "worker":
            self.process.wait()
            self.former.append(server)

    def left_behind(self) -> dict[int, str]:
        """Return what is left of servers that were killed, once they had time to end."""
        until = time.monotonic() + 60
        while (left := {one: words for of in self.former for one, words in self.group(of).items()}) and time.monotonic() < until:
            time.sleep(0.5)
        return left

    def end(self) -> None:
        """Kill all that is left."""
        for of in [*self.former, *([self.process.pid] if self.process is not None else [])]:
            for one in self.group(of):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()


class Stopped(Exception):
    """The run is over; a client that waits for an answer goes home."""


class Client(threading.Thread):
    """Brings one application after the other to its end, over HTTP, whatever happens to the server."""

    def __init__(self, world: World, desk: Desk, url: str, said: Said, stop: threading.Event, number: int) -> None:
        super().__init__(daemon=True)
        self.world, self.desk, self.url, self.said, self.stop, self.number = world, desk, url, said, stop, number
        self.chance = random.Random(number)  # noqa: S311
        self.maker, self.lab = world.guest("manufacturer"), world.guest("laboratory")
        self.board = [world.guest("board") for _ in range(3)]
        company = self.maker.organisation or ""
        with world.database.write() as session:
            organisations.put_profile(session, company, {"address": "1 Table Street"}, by=self.maker.id, now=world.now)
        self.http = httpx.Client(trust_env=False, timeout=60)
        self.count = 0

    def run(self) -> None:
        """Go on until the run is over."""
        try:
            while True:
                self.one()
        except Stopped:
            pass
        except Exception as error:  # told by the next look
            self.said.faults.append(f"client {self.number}: {error!r}")
        finally:
            self.http.close()

    def ask(
        self, guest: Guest, method: str, path: str, body: Any = None, data: bytes | None = None, *, key: str | None = None
    ) -> Any:
        """Ask until there is an answer; the same key each time, so that what was done unseen is not done again."""
        headers = dict(guest.headers) | ({} if key is None else {"Idempotency-Key": key})
        headers |= {"If-Match": "*"} if path.endswith("/steps") else {}
        content = data if body is None else json.dumps(body).encode()
        headers |= (
            {} if content is None else {"Content-Type": "application/json" if body is not None else "application/octet-stream"}
        )
        while not self.stop.is_set():
            try:
                answer = self.http.request(method, self.url + path, content=content, headers=headers)
            except httpx.HTTPError:
                time.sleep(0.1)
                continue
            busy = answer.status_code == 409 and "idempotency_key_busy" in answer.text
            if answer.status_code == 500:
                self.said.faults.append(f"{method} {path}: 500 {answer.text[:300]}")
            if answer.status_code not in AGAIN and not busy:
                return answer
            time.sleep(0.2)
        raise Stopped

    def taken(self, answer: Any, what: str) -> Any:
        """Note an answer of a step; raise AssertionError if it was refused."""
        if answer.status_code not in (200, 201):
            raise AssertionError(f"{what}: {answer.status_code} {answer.text[:400]}")
        told = answer.json()
        for event in told["events"]:
            self.said.note("events", (told["id"], event["number"]), event["step"])
        return told

    def step(self, guest: Guest, application: str, step: str, **said: Any) -> Any:
        """Take a step once."""
        key = f"{self.number}-{self.count}-{step}-{guest.id}"
        path = f"/api/v1/applications/{application}/steps"
        return self.taken(self.ask(guest, "POST", path, {"step": step, "said": said}, key=key), step)

    def attach(self, guest: Guest, application: str, data: bytes, name: str) -> str:
        """Send a file."""
        answer = self.ask(guest, "POST", f"/api/v1/applications/{application}/files?name={quote(name)}", data=data)
        if answer.status_code != 201:
            raise AssertionError(f"attach: {answer.status_code} {answer.text[:400]}")
        digest: str = answer.json()["sha256"]
        self.said.note("files", (application, digest))
        return digest

    def one(self) -> None:
        """Bring one application to its certificate."""
        self.count += 1
        wanted = {"organisation": self.maker.organisation, "item": "ball"}
        begun = self.taken(self.ask(self.maker, "POST", "/api/v1/applications", wanted, key=f"{self.number}-{self.count}"), "start")
        made: str = begun["id"]
        photo = self.attach(self.maker, made, PHOTO + os.urandom(self.chance.randrange(1, 400_000)), "front.png")
        sheet = self.attach(self.maker, made, SHEET.encode(), "own.yaml")
        name, variants = f"Swift {self.number} {self.count}", [{"name": "white"}]
        self.step(self.maker, made, "describe", family="none", name=name, variants=variants, photos=[photo], sheet=sheet)
        self.step(self.maker, made, "accept_memorandum", version="draft-1", language="en", person="Mary Swift", office="director")
        self.step(self.maker, made, "submit")
        self.step(self.lab, made, "receive_sample", holder=self.lab.organisation, pieces=3, condition="whole")
        measured = self.attach(self.lab, made, SHEET.encode() + f"# {name}\n".encode(), "measured.yaml")
        self.step(self.lab, made, "measure", laboratory=self.lab.organisation, person="Lena Lab", sheet=measured)
        self.assess(made)
        self.decide(made)

    def assess(self, made: str) -> None:
        """Ask for an assessment: at once, or as a job that the worker does."""
        if self.chance.random() < 0.5:
            job = ask_assessment(self.world.actor(self.board[0]), self.desk, made, now=self.world.now)
            self.said.note("jobs", job.id, made)
        while (state := self.ask(self.board[0], "GET", f"/api/v1/applications/{made}").json()["state"]) == "measured":
            if made not in self.said.jobs.values():
                answer = self.ask(self.board[0], "POST", f"/api/v1/applications/{made}/assessment")
                # 409, 412: done before by the request whose answer was lost
                if answer.status_code not in (200, 409, 412):
                    raise AssertionError(f"assess: {answer.status_code} {answer.text[:400]}")
            self.stop.wait(0.2)
        if state != "assessed":
            raise AssertionError(f"assess: {state}")

    def decide(self, made: str) -> None:
        """Vote, decide, certify."""
        reasons = [{"clause": "III-3.1", "text": "It keeps them."}]
        closes = (self.world.now + timedelta(days=7)).isoformat()
        electors = [one.id for one in self.board]
        self.step(self.board[0], made, "open_vote", proposal="approve", reasons=reasons, closes=closes, electors=electors)
        for member in self.board:
            self.step(member, made, "vote", choice="yes")
            self.said.note("votes", (made, member.id))
        self.step(self.board[1], made, "close_vote")
        self.step(self.board[1], made, "decide", text="So be it.")
        answer = self.ask(self.board[2], "POST", f"/api/v1/applications/{made}/certificate", {})
        if answer.status_code == 201:
            self.said.note("certificates", made, answer.json()["number"])
        elif self.ask(self.board[2], "GET", f"/api/v1/applications/{made}").json()["state"] != "certified":
            raise AssertionError(f"certify: {answer.status_code} {answer.text[:400]}")
        head = self.ask(Guest(role="visitor"), "GET", "/api/v1/log")
        if head.status_code == 200:
            self.said.note("heads", head.text)


def look(desk: Desk, said: Said) -> None:
    """Compare a register with what was answered; raise AssertionError at what is lost, half there or there twice."""
    _hold(not said.faults, f"{said.faults[:3]}")
    with said.lock:
        events, files, votes = dict(said.events), set(said.files), set(said.votes)
        certificates, asked = dict(said.certificates), dict(said.jobs)
    with desk.database.read() as session:
        known = kept_applications.all_ids(session, after=None, limit=1_000_000)
        stored = {one: kept_applications.events(session, one) for one in known}
        attached = {(one, file.digest) for one in known for file in kept_applications.attached(session, one)}
        certified = Counter(session.exec(select(RegisteredType.application_id)).all())
        numbers = dict(session.exec(select(RegisteredType.application_id, RegisteredType.number)).all())
        chain = audit.check(session)
        states = {one: jobs.find(session, one) for one in asked}
    there = {(one, event.seq): event.step for one, found in stored.items() for event in found}
    _hold(events.items() <= there.items(), f"answered steps are gone: {sorted(events.items() - there.items())[:3]}")
    _hold(files <= attached, f"answered files are gone: {sorted(files - attached)[:3]}")
    _hold(chain.broken_at is None, f"the audit log does not hold from {chain.broken_at} on")
    for one, found in stored.items():
        _hold([event.seq for event in found] == list(range(1, len(found) + 1)), f"{one} has gaps or doubles in its events")
        steps = Counter(event.step for event in found)
        twice = [step for step in ONCE if steps[step] > 1]
        _hold(not twice, f"{one} took {twice} twice")
        voters = [event.by for event in found if event.step == "vote"]
        _hold(len(voters) == len(set(voters)), f"{one} has two votes of one member")
        _hold({account for of, account in votes if of == one} <= set(voters), f"a vote of {one} is gone")
        _hold(certified[one] == steps["certify"], f"{one} is half certified: {certified[one]} types, {steps['certify']} steps")
        of_jobs = sum(1 for of in asked.values() if of == one)
        _hold(not of_jobs or steps["assess"] <= of_jobs, f"{one} was assessed {steps['assess']} times for {of_jobs} jobs")
    for one, number in certificates.items():
        _hold(numbers.get(one) == number, f"the type {number} is gone")
    for one, state in states.items():
        _hold(state is not None, f"job {one} is gone")
        _hold(state is None or state.outcome in (None, "done"), f"job {one} ended as {state and state.outcome}: {state}")
    faults = [*faults_of_files(desk.database, desk.files), *faults_of_histories(desk), *faults_of_log(desk)]
    _hold(not faults, f"{faults[:3]}")


def _hold(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise AssertionError(otherwise)


@contextlib.contextmanager
def register(kind: str) -> Iterator[tuple[World, Desk, dict[str, str]]]:
    """Yield an empty register and the environment in which a service finds it."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="homolog-kill-", ignore_cleanup_errors=True)))
        url = f"sqlite:///{folder / 'homolog.db'}"
        if kind == "postgresql":
            url = create_database(stack.enter_context(server(is_durable=True)), "kills")
        database = Database.open(url)
        stack.callback(database.close)
        migrate(database)
        now = datetime.now(UTC).replace(microsecond=0)
        make_keys(folder / "keys", issuer="Sample federation", at=now - timedelta(minutes=1), until=now + timedelta(days=700))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMOLOG_")}
        environment |= {"HOMOLOG_DATABASE": url, "HOMOLOG_DATA": str(folder), "HOMOLOG_REQUESTS_PER_MINUTE": "1000000"}
        desk = Desk(database=database, files=Files.open(str(folder / "files")))
        yield World(database, None), desk, environment  # type: ignore[arg-type] -- who is made here comes by HTTP


def run(kind: str, kills: int, chance: random.Random, clients: int = CLIENTS) -> Said:
    """Kill so many times; raise AssertionError at the first thing that does not hold."""
    said, stop = Said(), threading.Event()
    with register(kind) as (world, desk, environment):
        service = Service(environment)
        working = [Client(world, desk, service.url, said, stop, number) for number in range(clients)]
        try:
            service.start()
            for client in working:
                client.start()
            for number in range(kills):
                _wait_for(said, chance)
                whom = chance.choice(["server", "worker", "both"])
                service.kill(whom)
                look(desk, said)
                if whom != "worker":
                    service.start()
                print(f"{kind} {number + 1}: {whom}; {said.count} answers", file=sys.stderr, flush=True)
            _wait_for(said, chance)
            _finish(desk, said)
            stop.set()
            for client in working:
                client.join(90)
            look(desk, said)
            left = service.left_behind()
            _hold(not left, f"a worker outlives its server: {left}")
            words = [sys.executable, "-m", "homolog.cli.main", "store", "check"]
            done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
            _hold(done.returncode == 0, f"homolog store check: {done.stdout[-800:]}{done.stderr[-800:]}")
            log = service.log.read_text()
            _hold("Traceback" not in log, f"the service logged a fault: {log[log.find('Traceback') - 1500 :][:4000]}")
        except AssertionError as error:
            log = service.log.read_text()
            raise AssertionError(f"{error}\n{log[max(0, log.find('Traceback') - 200) :][:4000]}") from None
        finally:
            stop.set()
            service.end()
    return said


def _wait_for(said: Said, chance: random.Random) -> None:
    """Wait until some more has been answered, and then a moment."""
    wanted, until = said.count + chance.randrange(1, 25), time.monotonic() + 120
    while said.count < wanted and time.monotonic() < until:
        time.sleep(0.02)
    _hold(said.count >= wanted or not said.faults, f"{said.faults[:3]}")
    time.sleep(chance.uniform(0, 0.2))


def _finish(desk: Desk, said: Said) -> None:
    """Wait until every job that was asked for is done, though its worker was killed."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        with desk.database.read() as session:
            states = [jobs.find(session, one) for one in dict(said.jobs)]
        if all(one is not None and one.outcome is not None for one in states):
            return
        time.sleep(0.5)
    raise AssertionError("a job that was asked for is never done")


def main(words: Sequence[str] | None = None) -> None:
    """Kill, look, and print figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kills", nargs="?", type=int, default=100)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args(words)
    for kind in chosen.databases.split(","):
        start = time.monotonic()
        said = run(kind, chosen.kills, random.Random(chosen.seed))  # noqa: S311 -- when and whom to kill
        seconds = time.monotonic() - start
        print(f"{kind}: {chosen.kills} kills in {seconds:.0f} s, seed {chosen.seed}. Answered: {len(said.events)} steps,")
        print(
            f"    {len(said.files)} files, {len(said.votes)} votes, {len(said.certificates)} certificates, {len(said.jobs)} jobs."
        )
        print("    All there, nothing twice or half; the audit log and the log of seals hold.")


if __name__ == "__main__":
    main()
