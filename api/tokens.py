"""`/api/v1/tokens`: one's own API tokens."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from api.call import Call
from api.me import Name
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown, Taken

if TYPE_CHECKING:
    from homolog.service.identity.tokens import Token

ROUTES: list[Operation] = []


class TokenWanted(Taken):
    """A token to make."""

    name: Name
    scopes: Annotated[list[str], Field(min_length=1, max_length=50)]
    days: Annotated[int, Field(ge=1, le=366, description="How long it is good for.")]


class TokenShown(Shown):
    """A token, without its secret."""

    id: str
    name: str
    scopes: list[str]
    created_at: datetime
    until: datetime
    used_at: datetime | None = Field(description="When it was last used, to about ten minutes.")
    revoked_at: datetime | None


class TokenMade(Shown):
    """A new token."""

    token: TokenShown
    secret: str = Field(description="What a program sends as Authorization: Bearer; it is shown this once.")


class TokenPage(Shown):
    """Tokens, the oldest first."""

    items: list[TokenShown]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(
    ROUTES,
    "POST",
    "/api/v1/tokens",
    action="token.make",
    summary="Make a token",
    answer=TokenMade,
    status=201,
    is_repeatable=False,
    problems=("conflicting",),
)
def make_token(call: Call, wanted: TokenWanted) -> Reply:
    """Make a token for a program; only a person in a browser can, and it can do no more than that person."""
    from homolog.service.identity import tokens

    secret, token = tokens.make(
        call.actor, call.stores.database, name=wanted.name, scopes=wanted.scopes, days=wanted.days, now=call.now
    )
    return Reply(body=TokenMade(token=_shown(token), secret=secret), location=f"/api/v1/tokens/{token.id}")


@operation(ROUTES, "GET", "/api/v1/tokens", action="token.read", summary="List your tokens", answer=TokenPage)
def list_tokens(call: Call, paging: Paging) -> Reply:
    """List your tokens, those that are over too."""
    from homolog.service.identity import tokens

    found = tokens.list_tokens(call.actor, call.stores.database, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda token: token.id)
    return Reply(body=TokenPage(items=[_shown(token) for token in items], next=cursor))


@operation(ROUTES, "GET", "/api/v1/tokens/{token}", action="token.read", summary="Show one of your tokens", answer=TokenShown)
def show_token(call: Call, token: str) -> Reply:
    """Show a token, without its secret."""
    from homolog.service.identity import tokens

    return Reply(body=_shown(tokens.view(call.actor, call.stores.database, token)))


@operation(ROUTES, "DELETE", "/api/v1/tokens/{token}", action="token.end", summary="End one of your tokens")
def end_token(call: Call, token: str) -> Reply:
    """End a token at once."""
    from homolog.service.identity import tokens

    tokens.end(call.actor, call.stores.database, token, now=call.now)
    return Reply()


def _shown(token: Token) -> TokenShown:
    return TokenShown(
        id=token.id,
        name=token.name,
        scopes=list(token.scopes),
        created_at=token.created_at,
        until=token.until,
        used_at=token.used_at,
        revoked_at=token.revoked_at,
    )
