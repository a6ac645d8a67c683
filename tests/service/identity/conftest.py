"""People for the tests of who somebody is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from homolog.register import accounts, audit, grants, organisations
from homolog.register.accounts import Person
from homolog.register.database import Database
from homolog.service.actor import Actor
from homolog.service.identity import passwords, sessions
from homolog.service.identity.limits import SignInLimits
from homolog.service.identity.sessions import Came, Opened

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
PASSWORD = "correct horse battery"  # noqa: S105
CAME = Came(address="address:198.51.100.7", agent="a browser")
LIMITS = SignInLimits(one=5, name=20, address=10)


@dataclass
class People:
    """A register, and a clock that a test moves."""

    database: Database
    hashed: str
    now: datetime = START
    number: int = 0

    def later(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now

    def person(self, *roles: str, email: str | None = None, password: bool = True) -> Person:
        self.number += 1
        with self.database.write() as session:
            made = accounts.add(
                session,
                email=email or f"p{self.number}@a.example",
                name=f"Person {self.number}",
                language="en",
                password=self.hashed if password else None,
                now=self.now,
            )
            for role in roles:
                grants.add(session, account_id=made.id, role=role, since=self.now, until=None, by=None, now=self.now)
        return made

    def organisation(self, *members: Person, kind: str = "manufacturer") -> str:
        with self.database.write() as session:
            made = organisations.add(session, kind=kind, name="Swift Ltd", now=self.now)
            for member in members:
                organisations.add_member(session, made.id, member.id, by=member.id, now=self.later(seconds=1))
        return made.id

    def actor(self, person: Person) -> Actor:
        with self.database.read() as session:
            actor = sessions.known(session, person.id, self.now)
        assert actor is not None
        return actor

    def sign_in(self, person: Person, password: str = PASSWORD, came: Came = CAME) -> Opened:
        return sessions.sign_in(self.database, email=person.email, password=password, came=came, limits=LIMITS, now=self.now)

    def actions(self) -> list[str]:
        """Return what the audit log says was done, the first first; it must hold."""
        with self.database.read() as session:
            assert audit.check(session).broken_at is None
            return [entry.action for entry in reversed(audit.entries(session))]


@pytest.fixture(scope="session")
def _hashed() -> str:
    return passwords.hashed(PASSWORD)


@pytest.fixture
def people(database: Database, _hashed: str) -> People:
    return People(database, _hashed)
