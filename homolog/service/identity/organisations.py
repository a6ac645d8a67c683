"""Organisations: who looks at them, changes them, and leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from homolog.register import audit, organisations
from homolog.register.database import Database
from homolog.register.organisations import Company as Company
from homolog.register.organisations import Member as Member
from homolog.register.organisations import Profile as Profile
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.identity.refusals import Conflicting, require_version
from homolog.service.missing import Missing
from homolog.service.permissions import may, relation_to_organisation, require

Kind = Literal["manufacturer", "laboratory"]


def list_organisations(actor: Actor, database: Database, *, after: str | None = None, limit: int = 50) -> tuple[Company, ...]:
    """Return the organisations that an actor may look at, the oldest first: all, or their own."""
    require(actor, "organisation.list")
    only = None if may(actor, "organisation.list", "foreign") else actor.organisations
    with database.read() as session:
        return organisations.page(session, after=after, limit=limit, only=only)


def view(actor: Actor, database: Database, organisation_id: str) -> Company:
    """Return an organisation.

    Raises:
        Missing: There is none, or it is not for this actor.
    """
    require(actor, "organisation.read", relation_to_organisation(actor, organisation_id))
    with database.read() as session:
        return found(session, organisation_id)


def make(actor: Actor, database: Database, *, kind: Kind, name: str, now: datetime) -> Company:
    """Make an organisation; its first member comes by invitation."""
    require(actor, "organisation.make")
    with database.write() as session:
        made = organisations.add(session, kind=kind, name=name, now=now)
        _record(session, actor, "organisation.make", made.id, now, {"kind": kind, "name": name})
        return made


def rename(
    actor: Actor, database: Database, organisation_id: str, *, name: str, now: datetime, expected: int | None = None
) -> Company:
    """Change an organisation's name.

    Raises:
        Missing: There is none, or it is not for this actor.
        ChangedMeanwhile: It is another version than the expected one.
    """
    require(actor, "organisation.change", relation_to_organisation(actor, organisation_id))
    with database.write() as session:
        before = found(session, organisation_id)
        require_version(expected, before.version)
        _record(session, actor, "organisation.change", organisation_id, now, {"name": name, "before": before.name})
        return organisations.change(session, organisation_id, name=name, disabled_at=before.disabled_at)


def set_disabled(
    actor: Actor, database: Database, organisation_id: str, *, is_disabled: bool, now: datetime, expected: int | None = None
) -> Company:
    """Close an organisation, so that its members no longer act for it, or open it again."""
    require(actor, "organisation.disable")
    with database.write() as session:
        before = found(session, organisation_id)
        require_version(expected, before.version)
        if is_disabled == (before.disabled_at is not None):
            return before
        action = "organisation.disable" if is_disabled else "organisation.enable"
        _record(session, actor, action, organisation_id, now, {})
        return organisations.change(session, organisation_id, name=before.name, disabled_at=now if is_disabled else None)


def members(actor: Actor, database: Database, organisation_id: str) -> tuple[Member, ...]:
    """Return who belongs to an organisation.

    Raises:
        Missing: There is none, or it is not for this actor.
    """
    require(actor, "member.list", relation_to_organisation(actor, organisation_id))
    with database.read() as session:
        found(session, organisation_id)
        return organisations.members(session, organisation_id)


def end_membership(actor: Actor, database: Database, organisation_id: str, member_id: str, *, now: datetime) -> None:
    """End somebody's membership, or one's own.

    Raises:
        Missing: There is no such member, or they are not for this actor.
        Conflicting: It is the last member, and the actor is no administrator.
    """
    relation = relation_to_organisation(actor, organisation_id)
    require(actor, "member.end", relation)
    with database.write() as session:
        there = organisations.members(session, organisation_id)
        member = next((one for one in there if one.id == member_id), None)
        if member is None:
            raise Missing.because("there is no such member", todo="look at the list")
        if len(there) == 1 and not may(actor, "member.end", "foreign"):
            raise Conflicting.because(
                "the last member stays, or nobody could act for the organisation", todo="invite another one", code="last_member"
            )
        organisations.end_membership(session, member_id, by=actor.account or "", now=now)
        _record(session, actor, "member.end", organisation_id, now, {"account": member.account_id})


def profile(actor: Actor, database: Database, organisation_id: str) -> Profile:
    """Return what an organisation says of itself.

    Raises:
        Missing: There is no such organisation, or it is not for this actor.
    """
    require(actor, "profile.read", relation_to_organisation(actor, organisation_id))
    with database.read() as session:
        found(session, organisation_id)
        return organisations.profile(session, organisation_id)


def put_profile(
    actor: Actor,
    database: Database,
    organisation_id: str,
    content: Mapping[str, Any],
    *,
    now: datetime,
    expected: int | None = None,
) -> Profile:
    """Write a new version of an organisation's profile; those before it stay, applications name the one they were made with.

    Raises:
        Missing: There is no such organisation, or it is not the actor's.
        ChangedMeanwhile: It is another version than the expected one.
    """
    require(actor, "profile.change", relation_to_organisation(actor, organisation_id))
    with database.write() as session:
        require_version(expected, organisations.profile(session, organisation_id).number)
        written = organisations.put_profile(session, organisation_id, content, by=actor.account or "", now=now)
        _record(session, actor, "profile.change", organisation_id, now, {"number": written.number})
        return written


def found(session: Session, organisation_id: str) -> Company:
    """Return an organisation.

    Raises:
        Missing: There is none.
    """
    company = organisations.find(session, organisation_id)
    if company is None:
        raise Missing.because("there is no such organisation", todo="look at the list")
    return company


def _record(session: Session, actor: Actor, action: str, organisation_id: str, now: datetime, details: dict[str, Any]) -> None:
    about = f"organisation:{organisation_id}"
    audit.record(session, now=now, account_id=actor.account, action=action, object=about, details=details)
