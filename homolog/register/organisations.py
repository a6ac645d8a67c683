"""Organisations: manufacturers and laboratories, their members and profiles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from homolog.register.columns import json_text
from homolog.register.ids import is_id, new_id
from homolog.register.tables.accounts import Account, Membership, MembershipEnd, Organisation, OrganisationProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """An organisation."""

    id: str
    kind: str
    name: str
    created_at: datetime
    disabled_at: datetime | None
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person who belongs to an organisation.

    Attributes:
        id: The membership's.
    """

    id: str
    organisation_id: str
    account_id: str
    name: str
    email: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What an organisation says of itself; number 0 if it has said nothing."""

    number: int
    at: datetime | None
    by: str | None
    content: Mapping[str, Any]


def find(session: Session, organisation_id: str) -> Company | None:
    """Return an organisation, or None."""
    row = session.get(Organisation, organisation_id) if is_id(organisation_id) else None
    return None if row is None else _company(row)


def add(session: Session, *, kind: str, name: str, now: datetime) -> Company:
    """Make an organisation."""
    row = Organisation(id=new_id(now), kind=kind, name=name, created_at=now)
    session.add(row)
    session.flush()
    return _company(row)


def change(session: Session, organisation_id: str, *, name: str, disabled_at: datetime | None) -> Company:
    """Change an organisation."""
    row = session.get_one(Organisation, organisation_id)
    row.name, row.disabled_at, row.version = name, disabled_at, row.version + 1
    session.add(row)
    return _company(row)


def page(session: Session, *, after: str | None, limit: int, only: frozenset[str] | None = None) -> tuple[Company, ...]:
    """Return organisations, the oldest first.

    Args:
        session: Any.
        after: Id of the last one that was seen.
        limit: How many at most.
        only: None for all.
    """
    query = select(Organisation).order_by(col(Organisation.id)).limit(limit)
    if after is not None:
        query = query.where(col(Organisation.id) > after)
    if only is not None:
        query = query.where(col(Organisation.id).in_(sorted(only)))
    return tuple(_company(row) for row in session.exec(query))


def of_account(session: Session, account_id: str) -> tuple[Company, ...]:
    """Return the open organisations that a person is a member of now."""
    query = (
        select(Organisation)
        .join(Membership, col(Membership.organisation_id) == col(Organisation.id))
        .join(MembershipEnd, col(MembershipEnd.membership_id) == col(Membership.id), isouter=True)
        .where(
            Membership.account_id == account_id,
            col(MembershipEnd.membership_id).is_(None),
            col(Organisation.disabled_at).is_(None),
        )
        .order_by(col(Organisation.id))
        .distinct()
    )
    return tuple(_company(row) for row in session.exec(query))


def members(session: Session, organisation_id: str) -> tuple[Member, ...]:
    """Return who belongs to an organisation now, the earliest first."""
    query = (
        select(Membership, Account)
        .join(Account, col(Account.id) == col(Membership.account_id))
        .join(MembershipEnd, col(MembershipEnd.membership_id) == col(Membership.id), isouter=True)
        .where(Membership.organisation_id == organisation_id, col(MembershipEnd.membership_id).is_(None))
        .order_by(col(Membership.id))
    )
    return tuple(_member(row, account) for row, account in session.exec(query))


def add_member(session: Session, organisation_id: str, account_id: str, *, by: str, now: datetime) -> None:
    """Make a person a member; one who is already stays so."""
    if any(member.account_id == account_id for member in members(session, organisation_id)):
        return
    session.add(Membership(id=new_id(now), organisation_id=organisation_id, account_id=account_id, at=now, by=by))
    session.flush()


def end_membership(session: Session, membership_id: str, *, by: str, now: datetime) -> None:
    """End a membership."""
    session.add(MembershipEnd(membership_id=membership_id, at=now, by=by))
    session.flush()


def profile(session: Session, organisation_id: str) -> Profile:
    """Return an organisation's profile as it is now."""
    query = select(OrganisationProfile).where(OrganisationProfile.organisation_id == organisation_id)
    row = session.exec(query.order_by(col(OrganisationProfile.number).desc()).limit(1)).first()
    if row is None:
        return Profile(number=0, at=None, by=None, content={})
    return Profile(number=row.number, at=row.at, by=row.by, content=json.loads(row.content))


def put_profile(session: Session, organisation_id: str, content: Mapping[str, Any], *, by: str, now: datetime) -> Profile:
    """Write a new version of an organisation's profile; those before it stay."""
    query = select(func.max(OrganisationProfile.number)).where(OrganisationProfile.organisation_id == organisation_id)
    number = (session.exec(query).one() or 0) + 1
    text = json_text(dict(content))
    row = OrganisationProfile(id=new_id(now), organisation_id=organisation_id, number=number, at=now, by=by, content=text)
    session.add(row)
    session.flush()
    return Profile(number=number, at=now, by=by, content=dict(content))


def _company(row: Organisation) -> Company:
    return Company(
        id=row.id, kind=row.kind, name=row.name, created_at=row.created_at, disabled_at=row.disabled_at, version=row.version
    )


def _member(row: Membership, account: Account) -> Member:
    return Member(
        id=row.id,
        organisation_id=row.organisation_id,
        account_id=row.account_id,
        name=account.name,
        email=account.email,
        at=row.at,
    )
