"""Roles: given and taken back by an administrator, or by the command line."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from homolog.errors import InputRefused
from homolog.register import accounts, audit, grants
from homolog.register.database import Database
from homolog.register.grants import Grant as Grant
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.identity.refusals import Conflicting
from homolog.service.missing import Missing
from homolog.service.permissions import relation_to_account, require

GRANTED: Final = ("board", "laboratory", "referee", "administrator")
"""Roles that are given; a manufacturer is whoever belongs to one."""


def list_grants(actor: Actor, database: Database, account_id: str) -> tuple[Grant, ...]:
    """Return every role that a person was ever given.

    Raises:
        Missing: There is no such account, or it is not for this actor.
    """
    require(actor, "grant.list", relation_to_account(actor, account_id))
    with database.read() as session:
        _require_account(session, account_id)
        return grants.of_account(session, account_id)


def give(
    actor: Actor,
    database: Database,
    account_id: str,
    *,
    role: str,
    since: datetime | None = None,
    until: datetime | None = None,
    now: datetime,
) -> Grant:
    """Give a person a role.

    Raises:
        Missing: There is no such account.
        Conflicting: It is the actor's own: nobody raises themselves.
        InputRefused: The role is not known, or it would end before it begins.
    """
    require(actor, "grant.make")
    with database.write() as session:
        _require_account(session, account_id)
        if account_id == actor.account:
            raise Conflicting.because("nobody gives themselves a role", todo="ask another administrator", code="self_refused")
        return give_in(session, account_id, role=role, since=since or now, until=until, by=actor.account, now=now)


def give_in(
    session: Session, account_id: str, *, role: str, since: datetime, until: datetime | None, by: str | None, now: datetime
) -> Grant:
    """Give a role in the transaction of whoever may: an administrator, or the command line.

    Raises:
        InputRefused: The role is not known, or it would end before it begins.
    """
    if role not in GRANTED:
        todo = f"use one of {', '.join(GRANTED)}"
        raise InputRefused.because(f"{role[:40]!r} is no role that is given", where="role", todo=todo, code="role_unknown")
    if until is not None and until <= max(since, now):
        raise InputRefused.because(
            "the role would be over before it begins", where="until", todo="choose a later day", code="role_over"
        )
    grant = grants.add(session, account_id=account_id, role=role, since=since, until=until, by=by, now=now)
    details = {
        "grant": grant.id,
        "role": role,
        "since": since.isoformat(),
        "until": None if until is None else until.isoformat(),
    }
    audit.record(session, now=now, account_id=by, action="role.give", object=f"account:{account_id}", details=details)
    return grant


def end(actor: Actor, database: Database, account_id: str, grant_id: str, *, reason: str, now: datetime) -> None:
    """Take a role back.

    Raises:
        Missing: The account has no such role that is not over.
        Conflicting: It is the last administrator.
    """
    require(actor, "grant.end")
    with database.write() as session:
        found = next((grant for grant in grants.of_account(session, account_id) if grant.id == grant_id), None)
        if found is None or found.ended_at is not None:
            raise Missing.because("the account has no such role", todo="look at its roles")
        if found.role == "administrator" and not _other_administrators(session, grant_id, now):
            raise Conflicting.because(
                "the last administrator stays", todo="give the role to another person first", code="last_administrator"
            )
        grants.end(session, grant_id, by=actor.account, reason=reason, now=now)
        details = {"grant": grant_id, "role": found.role, "reason": reason}
        audit.record(session, now=now, account_id=actor.account, action="role.end", object=f"account:{account_id}", details=details)


def _other_administrators(session: Session, grant_id: str, now: datetime) -> bool:
    there = [grant for grant in grants.of_role(session, "administrator") if grant.id != grant_id and grant.holds_at(now)]
    people = (accounts.find(session, grant.account_id) for grant in there)
    return any(person is not None and person.disabled_at is None for person in people)


def _require_account(session: Session, account_id: str) -> None:
    if accounts.find(session, account_id) is None:
        raise Missing.because("there is no such account", todo="look at the list")
