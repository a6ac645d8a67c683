"""API tokens: made and ended by their owner in a browser, and who comes with one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from homolog.errors import InputRefused
from homolog.register import audit, tokens
from homolog.register.database import Database
from homolog.register.tokens import Token as Token
from homolog.service.actor import Actor
from homolog.service.identity.refusals import Conflicting
from homolog.service.identity.secret import digest_of, new_secret
from homolog.service.identity.sessions import known
from homolog.service.missing import Missing
from homolog.service.permissions import SCOPES, require

PREFIX: Final = "hml_"
"""So that a token which was published by mistake is found by those who look for such."""

LONGEST: Final = timedelta(days=366)
MOST: Final = 50
_NOTED: Final = timedelta(minutes=10)


def make(actor: Actor, database: Database, *, name: str, scopes: Iterable[str], days: int, now: datetime) -> tuple[str, Token]:
    """Make a token; return it with what is kept of it.

    Raises:
        InputRefused: A scope is not known, or the token would be good for too long.
        Conflicting: The person has too many.
    """
    require(actor, "token.make", "own")
    wanted = frozenset(scopes)
    unknown = sorted(wanted - set(SCOPES))
    if unknown or not wanted:
        what = f"{unknown[0][:40]!r} is not known" if unknown else "no scope is named"
        raise InputRefused.because(what, where="scopes", todo=f"use some of {', '.join(SCOPES)}", code="scope_unknown")
    if not 0 < days <= LONGEST.days:
        raise InputRefused.because(f"{days} days", where="days", todo=f"write 1 to {LONGEST.days}", code="token_days")
    account_id = actor.account or ""
    secret = PREFIX + new_secret()
    with database.write() as session:
        if sum(token.is_open_at(now) for token in tokens.of_account(session, account_id)) >= MOST:
            raise Conflicting.because(f"you have {MOST} tokens", todo="end one that you do not use", code="too_many_tokens")
        until = now + timedelta(days=days)
        token = tokens.add(session, digest_of(secret), account_id=account_id, name=name, scopes=wanted, until=until, now=now)
        details = {"token": token.id, "name": name, "scopes": sorted(wanted)}
        audit.record(session, now=now, account_id=account_id, action="token.make", object=f"account:{account_id}", details=details)
        return secret, token


def list_tokens(actor: Actor, database: Database, *, after: str | None = None, limit: int = 50) -> tuple[Token, ...]:
    """Return the actor's own tokens, the oldest first."""
    require(actor, "token.read", "own")
    with database.read() as session:
        return tokens.of_account(session, actor.account or "", after=after, limit=limit)


def view(actor: Actor, database: Database, token_id: str) -> Token:
    """Return one of the actor's own tokens.

    Raises:
        Missing: The actor has none of this id.
    """
    found = next((token for token in list_tokens(actor, database, limit=10_000) if token.id == token_id), None)
    if found is None:
        raise Missing.because("you have no such token", todo="look at the list")
    return found


def end(actor: Actor, database: Database, token_id: str, *, now: datetime) -> None:
    """End one of the actor's own tokens; one that is over stays as it is.

    Raises:
        Missing: The actor has none of this id.
    """
    require(actor, "token.end")
    token = view(actor, database, token_id)
    with database.write() as session:
        if token.revoked_at is None:
            tokens.revoke(session, token_id, now)
            about = f"account:{actor.account}"
            audit.record(session, now=now, account_id=actor.account, action="token.end", object=about, details={"token": token_id})


def actor_of(database: Database, secret: str, *, now: datetime) -> Actor | None:
    """Return who comes with a token; None if it lets nobody in."""
    if not secret.startswith(PREFIX):
        return None
    with database.read() as session:
        token = tokens.find(session, digest_of(secret))
        if token is None or not token.is_open_at(now):
            return None
        actor = known(session, token.account_id, now)
    if actor is not None and (token.used_at is None or now - token.used_at >= _NOTED):
        with database.write() as session:
            tokens.used(session, token.id, now)
    return None if actor is None else replace(actor, scopes=frozenset(token.scopes), via="token")
