"""Sends requests that schemathesis makes up from the OpenAPI document to a running service, and holds each answer against it.

Usage: python benchmarks/fuzz.py [--requests 5000] [--seed N]

The service listens on the loopback with a register of its own. Requests come from people of each role, from programs with tokens
and from visitors; half of those that name a thing name one that is there. No answer may be a fault of ours, have a status, type
or body that is not described, or show where it was made; and pages are asked for with the same people and things.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import requests  # noqa: E402
import schemathesis  # noqa: E402
import uvicorn  # noqa: E402
from anyio.from_thread import start_blocking_portal  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.openapi import document  # noqa: E402
from api.routes import PAGES  # noqa: E402
from homolog.register.database import Database  # noqa: E402
from homolog.register.migrate import migrate  # noqa: E402
from homolog.service.permissions import SCOPES  # noqa: E402
from tests.api.bodies import BODIES  # noqa: E402
from tests.api.objects import OBJECTS  # noqa: E402
from tests.api.world import ROLES, Form, Guest, World, make_world  # noqa: E402

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip
FIXED = {"body": "fistf", "edition": "4.0", "item": "ball", "ending": "csv", "code": "usage", "name": "page.css", "form": "json"}
TRACE = re.compile(r"Traceback \(most recent|File \"|site-packages|/homolog/|sqlalchemy|psycopg|sqlite3|SELECT |INSERT ")
# Signing out or closing the one who asks would leave the rest of the run to visitors.
LASTING = ("/closed", "/sessions/{session}", "/me/password", "/account/password", "/sign-out", "/members/{member}")


@dataclass
class Found:
    """What a run saw: statuses, and each fault once by the operation and its kind."""

    sent: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: dict[tuple[str, str], str] = field(default_factory=dict)

    def note(self, operation: str, kind: str, told: str) -> None:
        """Keep a fault, if it is the first of its kind there."""
        self.faults.setdefault((operation, kind), told)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[World, str]]:
    """Yield a register of its own and the address at which a real server answers for it."""
    database = Database.open(f"sqlite:///{folder / 'homolog.db'}")
    migrate(database)
    with start_blocking_portal() as portal:
        world = make_world(database, folder, portal)
        server = uvicorn.Server(uvicorn.Config(world.door.app, port=0, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield world, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            database.close()


class Run:
    """One run: people, their things, and what was seen."""

    def __init__(self, world: World, base: str, chance: int, most: int) -> None:
        self.world, self.base, self.most = world, base, most
        self.chance = random.Random(chance)  # noqa: S311 -- whom and what to ask
        self.found = Found()
        self.session = requests.Session()
        self.session.trust_env = False
        people = [world.guest(role) for role in ROLES]
        self.guests = [*people, *(world.with_token(one, *SCOPES) for one in people[1:])]
        owner = next(one for one in people if one.role == "manufacturer")
        self.things = {name: [make(world, owner), make(world, people[-1] if name != "organisation" and name != "member" else owner)]
                       for name, make in OBJECTS.items()}  # fmt: skip

    def values(self, path: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what stands in a path: things that are there, or what was made up."""
        named = re.findall(r"{(\w+)}", path)
        return {name: self._value(name, (given or {}).get(name)) for name in named}

    def _value(self, name: str, made_up: Any) -> Any:
        if made_up is not None and self.chance.random() < 0.4:
            return made_up
        return self.chance.choice(self.things[name]) if name in self.things else FIXED[name]

    def guest_for(self, path: str) -> Guest:
        """Return somebody to ask as; somebody new where it cannot be undone."""
        guest = self.chance.choice(self.guests)
        return self.world.guest(guest.role) if any(path.endswith(end) for end in LASTING) else guest

    def operation(self, operation: Any, count: int, chance: int) -> None:
        """Ask one operation so many times."""
        positive = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
        negative = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)

        @seed(chance)
        @settings(
            max_examples=count, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=st.one_of(positive, negative))
        def ask(case: Any) -> None:
            self.ask(case)

        ask()

    def ask(self, case: Any) -> None:
        """Send a case as somebody, and look at the answer."""
        case.path_parameters = self.values(case.operation.path, case.path_parameters)
        guest = self.guest_for(case.operation.path)
        made = {name: value for name, value in (case.headers or {}).items() if name.lower() not in ("authorization", "cookie")}
        case.headers = made
        headers = dict(guest.headers)
        if case.operation.method.upper() in ("PUT", "DELETE") and self.chance.random() < 0.8:
            headers["If-Match"] = "*"
        self._hold(
            f"{case.operation.label}",
            lambda: case.call(base_url=self.base, headers=headers, session=self.session, timeout=120),
            case,
        )

    def known(self, method: str, path: str) -> None:
        """Send what is right for an address, with something of it spoilt, as somebody."""
        guest = self.guest_for(path)
        values = self.values(path)
        body: Any = BODIES.get((method, path))
        try:
            sent = body(self.world, guest, values) if callable(body) else body
        except Exception:
            sent = {}
        url = re.sub(r"{(\w+)}", lambda found: requests.utils.quote(str(values[found[1]]), safe=""), path)
        if method == "POST" and sent is None:
            sent = {}
        if isinstance(sent, dict) and sent and self.chance.random() < 0.7:
            spoilt = self.chance.choice(list(sent))
            sent = type(sent)({**sent, spoilt: self.chance.choice(SPOILT)})
        is_form = isinstance(sent, Form) or not path.startswith("/api/")
        if is_form and isinstance(sent, dict):
            sent = Form({name: json.dumps(value) if isinstance(value, dict) else value for name, value in sent.items()})
        query = self.chance.choice(
            ["", "", "?lang=uk", "?next=//evil.example", "?done=x", "?after=x", "?limit=0", "?limit=%00", "?q=%F0"]
        )
        self._hold(f"{method} {path}", lambda: self._send(guest, method, url + query, sent))

    def _send(self, guest: Guest, method: str, url: str, sent: Any) -> Any:
        from urllib.parse import urlencode

        from homolog.service.identity.secret import form_token

        headers = dict(guest.headers)
        data = None
        if isinstance(sent, Form):
            token = {} if guest.secret is None else {"form_token": form_token(guest.secret)}
            data, headers["Content-Type"] = (
                urlencode({**token, **sent}, doseq=True, errors="surrogatepass").encode(),
                "application/x-www-form-urlencoded",
            )
        elif sent is not None:
            data, headers["Content-Type"] = json.dumps(sent).encode(), "application/json"
        return self.session.request(method, self.base + url, data=data, headers=headers, timeout=120, allow_redirects=False)

    def _hold(self, label: str, send: Any, case: Any = None) -> None:
        self.session.cookies.clear()
        log = io.StringIO()
        with contextlib.redirect_stderr(log):
            try:
                answer = send()
            except requests.exceptions.InvalidHeader:
                return  # a header that no client can send
            except (requests.exceptions.RequestException, UnicodeEncodeError) as error:
                if "encode" in str(error) or "label" in str(error):
                    return
                self.found.note(label, "no answer", repr(error))
                return
        self.found.sent += 1
        self.found.statuses[answer.status_code] += 1
        asked = answer.request if hasattr(answer, "request") else None
        sent = " ".join(str(getattr(asked, name, ""))[:600] for name in ("method", "url", "body"))
        told = f"{sent}\n{log.getvalue()[-3000:]}"
        text = answer.content.decode("utf-8", "replace") if hasattr(answer, "content") else ""
        if answer.status_code >= 500:
            self.found.note(label, str(answer.status_code), f"{told}\n{text[:500]}")
        is_data = label.startswith("GET /static") or "/openapi.json" in label
        if not is_data and TRACE.search(text):
            self.found.note(label, "shows where it was made", f"{told}\n{text[:800]}")
        place = str(answer.headers.get("location", ""))
        if "evil.example" in place.partition("?")[0]:
            self.found.note(label, "leads away", f"{told}\n{place}")
        if case is not None:
            try:
                case.validate_response(answer, checks=CHECKS)
            except BaseExceptionGroup as group:
                for one in group.exceptions:
                    self.found.note(label, type(one).__name__, f"{told}\n{answer.status_code} {text[:300]}\n{one}")
            except schemathesis.errors.SchemathesisError as error:
                self.found.note(label, type(error).__name__, f"{told}\n{error}")
            except AssertionError as one:
                self.found.note(label, type(one).__name__, f"{told}\n{answer.status_code} {text[:300]}\n{one}")


SPOILT: list[Any] = [
    "", " ", "\0", "x" * 3000, "=1+1", "<script>alert(1)</script>", "\ud800", "\u202e", "𝒶@a.example", "9" * 400, -1, 1e308, None,
    [], {}, True, ["x"] * 300, {"a": {"b": {"c": []}}}, "0001-01-01", "9999-12-31T23:59:59+14:00", "10000-01-01", "//evil.example",
]  # fmt: skip


def fuzz(count: int, chance: int) -> Found:
    """Send so many requests; return what was seen."""
    schema = schemathesis.openapi.from_dict(document())
    operations = [result.ok() for result in schema.get_all_operations()]
    known = [*BODIES, *(("GET", page.path) for page in PAGES if "GET" in (page.methods or ()))]
    with tempfile.TemporaryDirectory(prefix="homolog-fuzz-") as folder, served(Path(folder)) as (world, base):
        run = Run(world, base, chance, count)
        each = max(1, round(count * 0.7 / len(operations)))
        for number, operation in enumerate(operations):
            run.operation(operation, each, chance + number)
        while run.found.sent < count:
            run.known(*run.chance.choice(known))
        return run.found


def main() -> None:
    """Send, and print what was seen; exit with 1 if anything is at fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    start = time.monotonic()
    found = fuzz(chosen.requests, chosen.seed)
    print(f"{found.sent} requests in {time.monotonic() - start:.0f} s, seed {chosen.seed}: {dict(sorted(found.statuses.items()))}")
    for (operation, kind), told in found.faults.items():
        print(f"\n== {operation}: {kind}\n{told}")
    print(f"{len(found.faults)} faults")
    sys.exit(1 if found.faults else 0)


if __name__ == "__main__":
    main()
