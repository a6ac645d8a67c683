"""Looking up who sits on the board, who has ever belonged to an organisation, and what an organisation says of itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col, select

from homolog.register.tables.accounts import Account, Membership, Organisation, OrganisationProfile, RoleGrant, RoleGrantEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationRecord:
    """An organisation with its latest profile.

    Attributes:
        profile_text: The profile as canonical JSON; None if there is none.
    """

    id: str
    kind: str
    name: str
    is_disabled: bool
    profile: Mapping[str, Any]
    profile_text: str | None


def holders_of(session: Session, role: str, now: datetime) -> tuple[str, ...]:
    """Return the accounts that hold a role at a moment, in the order of their ids."""
    query = (
        select(RoleGrant.account_id)
        .join(Account, col(Account.id) == col(RoleGrant.account_id))
        .join(RoleGrantEnd, col(RoleGrantEnd.grant_id) == col(RoleGrant.id), isouter=True)
        .where(
            RoleGrant.role == role,
            col(RoleGrant.since) <= now,
            or_(col(RoleGrant.until).is_(None), col(RoleGrant.until) > now),
            or_(col(RoleGrantEnd.at).is_(None), col(RoleGrantEnd.at) > now),
            col(Account.disabled_at).is_(None),
        )
    )
    return tuple(sorted(set(session.exec(query))))


def ever_members(session: Session, organisation_id: str) -> frozenset[str]:
    """Return every account that is or was a member of an organisation."""
    return frozenset(session.exec(select(Membership.account_id).where(Membership.organisation_id == organisation_id)))


def names(session: Session, accounts: Collection[str]) -> dict[str, str]:
    """Return the names of accounts."""
    rows = session.exec(select(Account).where(col(Account.id).in_(sorted(accounts))))
    return {row.id: row.name for row in rows}


def laboratories(session: Session, *, limit: int) -> tuple[tuple[str, str], ...]:
    """Return the open laboratories, id and name, the oldest first."""
    query = select(Organisation).where(Organisation.kind == "laboratory", col(Organisation.disabled_at).is_(None))
    return tuple((row.id, row.name) for row in session.exec(query.order_by(col(Organisation.id)).limit(limit)))


def organisation(session: Session, organisation_id: str) -> OrganisationRecord | None:
    """Return an organisation, or None."""
    row = session.get(Organisation, organisation_id)
    if row is None:
        return None
    query = (
        select(OrganisationProfile.content)
        .where(OrganisationProfile.organisation_id == organisation_id)
        .order_by(col(OrganisationProfile.number).desc())
    )
    text = session.exec(query.limit(1)).first()
    return OrganisationRecord(
        id=row.id,
        kind=row.kind,
        name=row.name,
        is_disabled=row.disabled_at is not None,
        profile={} if text is None else json.loads(text),
        profile_text=text,
    )
