"""Owns who acts: account, roles, organisations and scopes, as every function of the service takes them first."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["manufacturer", "laboratory", "referee", "board", "administrator"]
Via: TypeAlias = Literal["none", "session", "token", "cli"]

ROLES: tuple[Role, ...] = ("manufacturer", "laboratory", "referee", "board", "administrator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Whoever asks for something, as the edge has established it; nothing here is taken from a request's own words.

    Attributes:
        account: The account's id; None for a visitor.
        roles: What the account may act as today. A visitor has none.
        organisations: Ids of the organisations that the account is a member of today.
        scopes: What an API token is limited to; None where nothing limits the account's own rights.
        via: How the actor came in.
    """

    account: str | None
    roles: frozenset[Role]
    organisations: frozenset[str]
    scopes: frozenset[str] | None
    via: Via


VISITOR = Actor(account=None, roles=frozenset(), organisations=frozenset(), scopes=None, via="none")
