"""Accounts: looking at them, changing one's own, closing others; made by the command line and by invitations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from homolog.register import accounts, audit, grants, organisations, sessions
from homolog.register.accounts import Person as Person
from homolog.register.database import Database
from homolog.register.grants import Grant as Grant
from homolog.register.organisations import Company
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.identity import passwords
from homolog.service.identity.refusals import Conflicting, NotSignedIn, require_version
from homolog.service.missing import Missing
from homolog.service.permissions import relation_to_account, require


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A person with what they may act as."""

    person: Person
    grants: tuple[Grant, ...]
    organisations: tuple[Company, ...]


def view(actor: Actor, database: Database, account_id: str) -> Profile:
    """Return an account.

    Raises:
        Missing: There is none, or it is not for this actor.
    """
    require(actor, "account.read", relation_to_account(actor, account_id))
    with database.read() as session:
        return _profile(session, account_id)


def list_people(
    actor: Actor, database: Database, *, after: str | None = None, limit: int = 50, email: str | None = None
) -> tuple[Person, ...]:
    """Return accounts in the order of their addresses, from after one on."""
    require(actor, "account.list")
    with database.read() as session:
        return accounts.page(session, after=after, limit=limit, email=email)


def change(
    actor: Actor, database: Database, account_id: str, *, name: str, language: str, now: datetime, expected: int | None = None
) -> Profile:
    """Change one's own name and language.

    Raises:
        ChangedMeanwhile: It is another version than the expected one.
    """
    require(actor, "account.change", relation_to_account(actor, account_id))
    with database.write() as session:
        require_version(expected, _found(session, account_id).version)
        accounts.change(session, account_id, name=name, language=language)
        details = {"name": name, "language": language}
        _record(session, actor, "account.change", account_id, now, details)
        return _profile(session, account_id)


def change_password(actor: Actor, database: Database, *, old: str | None, new: str, session_id: str | None, now: datetime) -> None:
    """Choose a new password; all other sessions end.

    Args:
        actor: Whose.
        database: Where.
        old: The password until now; None for who has none.
        new: The new one.
        session_id: The session that stays.
        now: Aware.

    Raises:
        NotSignedIn: The old password is another one.
        InputRefused: The new one is too easily guessed.
    """
    require(actor, "account.password", "own")
    account_id = actor.account or ""
    with database.read() as session:
        person, stored = _found(session, account_id), accounts.password_of(session, account_id)
    if stored is not None and not passwords.fits(stored, old or ""):
        raise NotSignedIn.because("the old password is another one", where="old", todo="write it again")
    passwords.require_password(new, email=person.email, where="new")
    hashed = passwords.hashed(new)
    with database.write() as session:
        if accounts.password_of(session, account_id) != stored:
            raise NotSignedIn.because("the password was changed meanwhile", where="old", todo="write the new one")
        accounts.set_password(session, account_id, hashed)
        for other in sessions.open_of(session, account_id, now):
            if other.id != session_id:
                sessions.end(session, other.id, now=now)
        _record(session, actor, "account.password", account_id, now, {})


def set_disabled(
    actor: Actor, database: Database, account_id: str, *, is_disabled: bool, now: datetime, expected: int | None = None
) -> Profile:
    """Close an account, with all its sessions, or open it again.

    Raises:
        Missing: There is no such account.
        Conflicting: It is the actor's own.
    """
    require(actor, "account.disable")
    with database.write() as session:
        person = _found(session, account_id)
        require_version(expected, person.version)
        if account_id == actor.account:
            raise Conflicting.because("nobody closes their own account", todo="ask another administrator", code="self_refused")
        if is_disabled != (person.disabled_at is not None):
            accounts.set_disabled(session, account_id, now if is_disabled else None)
            sessions.end_all(session, account_id, now=now)
            _record(session, actor, "account.disable" if is_disabled else "account.enable", account_id, now, {})
        return _profile(session, account_id)


def make(session: Session, *, by: str | None, email: str, name: str, language: str, password: str | None, now: datetime) -> Person:
    """Make an account, in the transaction of whoever may: the command line, an invitation.

    Args:
        session: One that writes.
        by: Who lets the person in; None for the command line.
        email: Nobody else's.
        name: As the person writes it.
        language: en, uk or it.
        password: An argon2id hash.
        now: Aware.

    Raises:
        Conflicting: Somebody has this address.
    """
    if accounts.find_by_email(session, email) is not None:
        raise Conflicting.because(
            "there is an account of this address", where="email", todo="sign in with it", code="account_there"
        )
    person = accounts.add(session, email=email, name=name, language=language, password=password, now=now)
    audit.record(session, now=now, account_id=by, action="account.make", object=f"account:{person.id}", details={"email": email})
    return person


def _found(session: Session, account_id: str) -> Person:
    person = accounts.find(session, account_id)
    if person is None:
        raise Missing.because("there is no such account", todo="look at the list")
    return person


def _profile(session: Session, account_id: str) -> Profile:
    return Profile(
        person=_found(session, account_id),
        grants=grants.of_account(session, account_id),
        organisations=organisations.of_account(session, account_id),
    )


def _record(session: Session, actor: Actor, action: str, account_id: str, now: datetime, details: dict[str, str]) -> None:
    audit.record(session, now=now, account_id=actor.account, action=action, object=f"account:{account_id}", details=details)
