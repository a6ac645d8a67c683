"""Signing in and out: sessions of browsers, and who comes with one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, cast

from homolog.register import accounts, audit, sessions
from homolog.register.accounts import Person
from homolog.register.database import Database
from homolog.register.ids import new_id
from homolog.register.session import Session
from homolog.register.sessions import SignedIn as SignedIn
from homolog.service.actor import Actor, Role
from homolog.service.identity import passwords
from homolog.service.identity.limits import SignInLimits, count_try
from homolog.service.identity.refusals import NotSignedIn
from homolog.service.identity.secret import digest_of, new_secret
from homolog.service.missing import Missing
from homolog.service.permissions import relation_to_account, require

IDLE: Final = timedelta(hours=8)
"""How long nobody may come before a session ends."""

LONGEST: Final = timedelta(days=14)
"""When it ends in any case."""

_NOTED: Final = timedelta(minutes=1)
_AGENT_LETTERS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A new session.

    Attributes:
        secret: What the cookie holds; it is nowhere else.
    """

    secret: str
    session: SignedIn
    person: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """Where somebody comes from, for limits and for their own list of sessions.

    Attributes:
        address: As `address:198.51.100.7`.
        agent: What the browser calls itself.
        secret: Of the session that the browser has, which the new one replaces.
    """

    address: str
    agent: str = ""
    secret: str | None = None


def sign_in(database: Database, *, email: str, password: str, came: Came, limits: SignInLimits, now: datetime) -> Opened:
    """Open a session for who knows a password.

    Raises:
        TooOften: It was tried too often.
        NotSignedIn: There is no such account, the password is another one, or the account is closed.
    """
    count_try(database, limits, action="sign_in", name=email, address=came.address, now=now)
    with database.read() as session:
        person = accounts.find_by_email(session, email)
        stored = None if person is None else accounts.password_of(session, person.id)
    is_right = passwords.fits(stored, password)
    renewed = passwords.hashed(password) if is_right and stored is not None and passwords.is_outdated(stored) else None
    with database.write() as session:
        person = None if person is None else accounts.find(session, person.id)
        is_unchanged = person is not None and accounts.password_of(session, person.id) == stored
        if person is None or not is_right or not is_unchanged or person.disabled_at is not None:
            whom = "account:unknown" if person is None else f"account:{person.id}"
            audit.record(session, now=now, account_id=None, action="session.refused", object=whom, details={"how": "password"})
        else:
            if renewed is not None:
                accounts.set_password(session, person.id, renewed)
            return open_session(session, person, how="password", came=came, now=now)
    raise NotSignedIn.because("no account has this address and password", todo="write both again")


def open_session(session: Session, person: Person, *, how: str, came: Came, now: datetime) -> Opened:
    """Open a session, with a new secret whatever the browser held, and end the one that it had."""
    if came.secret is not None:
        former = sessions.find(session, digest_of(came.secret))
        if former is not None:
            sessions.end(session, former.id, now=now)
    secret = new_secret()
    signed_in = SignedIn(
        id=new_id(now),
        account_id=person.id,
        how=how,
        agent="".join(letter for letter in came.agent if letter.isprintable())[:_AGENT_LETTERS],
        created_at=now,
        seen_at=now,
        idle_until=now + IDLE,
        until=now + LONGEST,
        ended_at=None,
    )
    sessions.add(session, digest_of(secret), signed_in)
    about = f"account:{person.id}"
    audit.record(session, now=now, account_id=person.id, action="session.begin", object=about, details={"how": how})
    return Opened(secret=secret, session=signed_in, person=person)


def actor_of(database: Database, secret: str, *, now: datetime) -> tuple[Actor, str] | None:
    """Return who comes with a session's secret, and the session's id; None if it lets nobody in."""
    digest = digest_of(secret)
    with database.read() as session:
        found = sessions.find(session, digest)
        if found is None or not found.is_open_at(now):
            return None
        actor = known(session, found.account_id, now)
    if actor is None:
        return None
    if now - found.seen_at >= _NOTED:  # not at each request: a write waits for the disk
        with database.write() as session:
            sessions.seen(session, digest, now=now, idle_until=min(now + IDLE, found.until))
    return actor, found.id


def known(session: Session, account_id: str, now: datetime) -> Actor | None:
    """Return an account as an actor in a session; None if it is closed."""
    person = accounts.find(session, account_id)
    if person is None or person.disabled_at is not None:
        return None
    rights = accounts.rights(session, account_id, now)
    roles = frozenset(cast("Role", role) for role in rights.roles)
    return Actor(account=account_id, roles=roles, organisations=rights.organisations, scopes=None, via="session")


def list_sessions(actor: Actor, database: Database, *, now: datetime) -> tuple[SignedIn, ...]:
    """Return the actor's own open sessions."""
    require(actor, "session.read", "own")
    with database.read() as session:
        return sessions.open_of(session, actor.account or "", now)


def end_session(actor: Actor, database: Database, session_id: str, *, now: datetime) -> None:
    """End one of the actor's own sessions.

    Raises:
        Missing: There is none of this id that is open and theirs.
    """
    require(actor, "session.end")
    with database.write() as session:
        mine = sessions.open_of(session, actor.account or "", now)
        if session_id not in {one.id for one in mine}:
            raise Missing.because("you have no such session", todo="look at the list")
        sessions.end(session, session_id, now=now)
        about = f"account:{actor.account}"
        audit.record(
            session, now=now, account_id=actor.account, action="session.end", object=about, details={"session": session_id}
        )


def sign_out(actor: Actor, database: Database, secret: str, *, now: datetime) -> None:
    """End the session that the actor comes with."""
    with database.write() as session:
        found = sessions.find(session, digest_of(secret))
        if found is None or not found.is_open_at(now) or relation_to_account(actor, found.account_id) != "own":
            return
        sessions.end(session, found.id, now=now)
        _record_end(session, actor, found.id, now)


def _record_end(session: Session, actor: Actor, session_id: str, now: datetime) -> None:
    about, details = f"account:{actor.account}", {"session": session_id}
    audit.record(session, now=now, account_id=actor.account, action="session.end", object=about, details=details)
