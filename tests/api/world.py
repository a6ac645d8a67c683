"""A register behind the door with people of every role, each with things of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
from anyio.from_thread import BlockingPortal

from api.app import create_app
from api.settings import Settings
from homolog.register import accounts, grants, organisations
from homolog.register.accounts import Person
from homolog.register.database import Database
from homolog.seal.key_folder import make_keys
from homolog.service.actor import Actor
from homolog.service.identity import passwords, sessions, tokens
from homolog.service.identity.secret import form_token
from homolog.service.identity.sessions import Came
from homolog.service.settings import Settings as HostSettings
from tests.api.conftest import Door

ROLES = ("visitor", "person", "manufacturer", "laboratory", "referee", "board", "administrator")
PASSWORD = "correct horse battery"  # noqa: S105
GRANTED = ("laboratory", "referee", "board", "administrator")


@cache
def password_hash() -> str:
    return passwords.hashed(PASSWORD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """Somebody with a browser.

    Attributes:
        person: None for a visitor.
        organisation: One that the person is a member of, if the role has such.
        secret: What the session's cookie holds.
    """

    role: str
    person: Person | None = None
    organisation: str | None = None
    secret: str | None = None
    token: str | None = None

    @property
    def id(self) -> str:
        assert self.person is not None
        return self.person.id

    @property
    def headers(self) -> dict[str, str]:
        if self.token is not None:
            return {"Authorization": f"Bearer {self.token}"}
        same = {"Sec-Fetch-Site": "same-origin"}
        return same if self.secret is None else {**same, "Cookie": f"homolog={self.secret}"}


class Form(dict[str, Any]):
    """What a page's form sends; the token of the guest's session goes with it."""


@dataclass
class World:
    """One register, one door."""

    database: Database
    door: Door
    numbers: Any = field(default_factory=count)

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    def guest(self, role: str) -> Guest:
        """Make somebody new of a role, signed in; nobody else has anything to do with them."""
        if role == "visitor":
            return Guest(role=role)
        number, now = next(self.numbers), self.now
        with self.database.write() as session:
            person = accounts.add(
                session,
                email=f"{role}{number}@a.example",
                name=f"{role} {number}",
                language="en",
                password=password_hash(),
                now=now,
            )
            organisation = None
            if role in ("manufacturer", "laboratory"):
                organisation = organisations.add(session, kind=role, name=f"{role} {number} Ltd", now=now).id
                organisations.add_member(session, organisation, person.id, by=person.id, now=now)
            if role in GRANTED:
                grants.add(session, account_id=person.id, role=role, since=now - timedelta(1), until=None, by=None, now=now)
            opened = sessions.open_session(session, person, how="password", came=Came(address="address:test"), now=now)
        return Guest(role=role, person=person, organisation=organisation, secret=opened.secret)

    def actor(self, guest: Guest) -> Actor:
        """Return who the guest is to the service."""
        with self.database.read() as session:
            actor = sessions.known(session, guest.id, self.now)
        assert actor is not None
        return actor

    def with_token(self, guest: Guest, *scopes: str) -> Guest:
        """Return the guest as a program with a token of theirs."""
        secret, _ = tokens.make(self.actor(guest), self.database, name="t", scopes=scopes, days=1, now=self.now)
        return replace(guest, token=secret, secret=None)

    def send(self, guest: Guest, method: str, url: str, body: Any = None, **headers: str) -> httpx.Response:
        """Send a request as a guest's browser does."""
        more: dict[str, Any] = {}
        if isinstance(body, Form):
            token = {} if guest.secret is None else {"form_token": form_token(guest.secret)}
            more["content"] = urlencode({**token, **body}, doseq=True).encode()
            headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        elif body is not None:
            more["content"] = json.dumps(body).encode()
            headers = {"Content-Type": "application/json", **headers}
        return self.door(method, url, headers={**guest.headers, **headers}, **more)


def make_world(database: Database, folder: Path, portal: BlockingPortal, **settings: Any) -> World:
    """Return a door to a migrated database."""
    if not (folder / "keys").exists():
        now = datetime.now(UTC).replace(microsecond=0)
        make_keys(folder / "keys", issuer="Sample federation", at=now - timedelta(minutes=1), until=now + timedelta(days=700))
    url = database.url.render_as_string(hide_password=False)
    host = HostSettings.from_environment({"HOMOLOG_DATA": str(folder), "HOMOLOG_DATABASE": url})
    app = create_app(Settings(**{"requests_per_minute": 1_000_000, "checks_per_minute": 1_000_000, **settings}), host)
    return World(database, Door(app, portal))
