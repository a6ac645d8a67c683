"""What the command line does with accounts: whoever runs it owns the database anyway, and each step is in the audit log."""

from __future__ import annotations

from datetime import datetime

from homolog.register import accounts, audit, sessions
from homolog.register.accounts import Person
from homolog.register.database import Database
from homolog.register.grants import Grant
from homolog.service.identity import passwords, people, roles
from homolog.service.missing import Missing


def create_administrator(database: Database, *, email: str, name: str, language: str, password: str, now: datetime) -> Person:
    """Make an account with the role of an administrator.

    Raises:
        Conflicting: There is an account of this address.
        InputRefused: The password is easily guessed.
    """
    passwords.require_password(password, email=email)
    hashed = passwords.hashed(password)
    with database.write() as session:
        person = people.make(session, by=None, email=email, name=name, language=language, password=hashed, now=now)
        roles.give_in(session, person.id, role="administrator", since=now, until=None, by=None, now=now)
        return person


def grant(database: Database, *, email: str, role: str, until: datetime | None, now: datetime) -> Grant:
    """Give a role to the account of an address.

    Raises:
        Missing: There is no such account.
        InputRefused: The role is not known, or over before it begins.
    """
    with database.write() as session:
        return roles.give_in(
            session, _found(accounts.find_by_email(session, email)).id, role=role, since=now, until=until, by=None, now=now
        )


def set_password(database: Database, *, email: str, password: str, now: datetime) -> Person:
    """Give an account a new password; all its sessions end.

    Raises:
        Missing: There is no such account.
        InputRefused: The password is easily guessed.
    """
    passwords.require_password(password, email=email)
    hashed = passwords.hashed(password)
    with database.write() as session:
        person = _found(accounts.find_by_email(session, email))
        accounts.set_password(session, person.id, hashed)
        sessions.end_all(session, person.id, now=now)
        audit.record(session, now=now, account_id=None, action="account.password", object=f"account:{person.id}")
        return person


def _found(person: Person | None) -> Person:
    if person is None:
        raise Missing.because("there is no account of this address", todo="make one with: homolog admin create")
    return person
