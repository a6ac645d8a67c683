"""Accounts: finding, making and changing them; what they may do today."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register import grants, organisations
from homolog.register.ids import is_id, new_id
from homolog.register.tables.accounts import Account


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An account as the service knows it; the password's hash is not part of it."""

    id: str
    email: str
    name: str
    language: str
    has_password: bool
    created_at: datetime
    disabled_at: datetime | None
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What an account may act as at a moment.

    Attributes:
        roles: Granted ones, and manufacturer for members of one.
        organisations: Ids of those that it is a member of.
    """

    roles: frozenset[str]
    organisations: frozenset[str]


def email_key(email: str) -> str:
    """Return the form of an address that is there once: compatible letters folded, case folded."""
    return unicodedata.normalize("NFKC", email.strip()).casefold()


def find(session: Session, account_id: str) -> Person | None:
    """Return an account, or None."""
    row = session.get(Account, account_id) if is_id(account_id) else None
    return None if row is None else _person(row)


def find_by_email(session: Session, email: str) -> Person | None:
    """Return the account of an address, or None."""
    row = session.exec(select(Account).where(Account.email_key == email_key(email))).first()
    return None if row is None else _person(row)


def password_of(session: Session, account_id: str) -> str | None:
    """Return the hash of an account's password."""
    return session.get_one(Account, account_id).password


def add(session: Session, *, email: str, name: str, language: str, password: str | None, now: datetime) -> Person:
    """Make an account.

    Args:
        session: One that writes.
        email: Nobody else's; see `find_by_email`.
        name: As the person writes it.
        language: en, uk or it.
        password: An argon2id hash, or None.
        now: Aware.
    """
    row = Account(
        id=new_id(now),
        email=email.strip(),
        email_key=email_key(email),
        name=name,
        language=language,
        password=password,
        created_at=now,
        confirmed_at=None,
    )
    session.add(row)
    session.flush()
    return _person(row)


def change(session: Session, account_id: str, *, name: str, language: str) -> Person:
    """Change what a person says of themselves."""
    row = session.get_one(Account, account_id)
    row.name, row.language, row.version = name, language, row.version + 1
    session.add(row)
    return _person(row)


def set_password(session: Session, account_id: str, password: str | None) -> None:
    """Put the hash of a new password."""
    row = session.get_one(Account, account_id)
    row.password, row.version = password, row.version + 1
    session.add(row)


def set_disabled(session: Session, account_id: str, at: datetime | None) -> Person:
    """Close an account from a moment on, or open it again."""
    row = session.get_one(Account, account_id)
    row.disabled_at, row.version = at, row.version + 1
    session.add(row)
    return _person(row)


def page(session: Session, *, after: str | None, limit: int, email: str | None = None) -> tuple[Person, ...]:
    """Return accounts in the order of their folded addresses.

    Args:
        session: Any.
        after: The address of the last one that was seen.
        limit: How many at most.
        email: The beginning of an address.
    """
    query = select(Account).order_by(col(Account.email_key)).limit(limit)
    if after is not None:
        query = query.where(col(Account.email_key) > email_key(after))
    if email:
        query = query.where(col(Account.email_key).startswith(email_key(email), autoescape=True))
    return tuple(_person(row) for row in session.exec(query))


def rights(session: Session, account_id: str, now: datetime) -> Rights:
    """Return what an account may act as at a moment."""
    member = organisations.of_account(session, account_id)
    roles = {grant.role for grant in grants.of_account(session, account_id) if grant.holds_at(now)}
    if any(one.kind == "manufacturer" for one in member):
        roles.add("manufacturer")
    return Rights(roles=frozenset(roles), organisations=frozenset(one.id for one in member))


def _person(row: Account) -> Person:
    return Person(
        id=row.id,
        email=row.email,
        name=row.name,
        language=row.language,
        has_password=row.password is not None,
        created_at=row.created_at,
        disabled_at=row.disabled_at,
        version=row.version,
    )
