"""`/api/v1/passkeys`: one's own passkeys, and signing in with one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from api.call import Call
from api.me import Name
from api.operation import Operation, operation
from api.reply import Reply, Shown, Taken
from api.sessions import SessionBegun, begun, came_of, limits_of

if TYPE_CHECKING:
    from homolog.service.identity.passkeys import Key, Party

ROUTES: list[Operation] = []


class PasskeyOptions(Shown):
    """What the browser's own function is given."""

    public_key: dict[str, Any] = Field(description="`publicKey` of navigator.credentials, as JSON (WebAuthn level 3).")


class PasskeyMade(Taken):
    """A key that a device has made."""

    name: Name
    credential: dict[str, Any] = Field(description="The credential as JSON (WebAuthn level 3).")


class PasskeyUsed(Taken):
    """What a device has signed."""

    credential: dict[str, Any] = Field(description="The credential as JSON (WebAuthn level 3).")


class PasskeyShown(Shown):
    """A passkey."""

    id: str
    name: str
    created_at: datetime
    used_at: datetime | None


class PasskeyList(Shown):
    """All passkeys of one account."""

    items: list[PasskeyShown]


@operation(ROUTES, "GET", "/api/v1/passkeys", action="passkey.read", summary="List your passkeys", answer=PasskeyList)
def list_passkeys(call: Call) -> Reply:
    """List your passkeys."""
    from homolog.service.identity import passkeys

    return Reply(body=PasskeyList(items=[_shown(key) for key in passkeys.list_passkeys(call.actor, call.stores.database)]))


@operation(
    ROUTES,
    "POST",
    "/api/v1/passkeys/options",
    action="passkey.make",
    summary="Begin to make a passkey",
    answer=PasskeyOptions,
    is_repeatable=False,
)
def passkey_options(call: Call) -> Reply:
    """Return what navigator.credentials.create is given; good for five minutes."""
    from homolog.service.identity import passkeys

    options = passkeys.making(call.actor, call.stores.database, _party(call), now=call.now)
    return Reply(body=PasskeyOptions(public_key=options))


@operation(
    ROUTES,
    "POST",
    "/api/v1/passkeys",
    action="passkey.make",
    summary="Keep a passkey",
    answer=PasskeyShown,
    status=201,
    is_repeatable=False,
    problems=("conflicting",),
)
def make_passkey(call: Call, made: PasskeyMade) -> Reply:
    """Keep what navigator.credentials.create gave."""
    from homolog.service.identity import passkeys

    key = passkeys.make(call.actor, call.stores.database, _party(call), made.credential, name=made.name, now=call.now)
    return Reply(body=_shown(key), location="/api/v1/passkeys")


@operation(ROUTES, "DELETE", "/api/v1/passkeys/{passkey}", action="passkey.end", summary="Forget one of your passkeys")
def end_passkey(call: Call, passkey: str) -> Reply:
    """Forget a passkey at once."""
    from homolog.service.identity import passkeys

    passkeys.end(call.actor, call.stores.database, passkey, now=call.now)
    return Reply()


@operation(
    ROUTES,
    "POST",
    "/api/v1/sessions/passkey/options",
    action="session.begin",
    summary="Begin to sign in with a passkey",
    answer=PasskeyOptions,
    is_repeatable=False,
)
def sign_in_options(call: Call) -> Reply:
    """Return what navigator.credentials.get is given; good for five minutes."""
    from homolog.service.identity import passkeys

    return Reply(body=PasskeyOptions(public_key=passkeys.signing_in(call.stores.database, _party(call), now=call.now)))


@operation(
    ROUTES,
    "POST",
    "/api/v1/sessions/passkey",
    action="session.begin",
    summary="Sign in with a passkey",
    answer=SessionBegun,
    status=201,
    is_repeatable=False,
)
def sign_in_with_passkey(call: Call, used: PasskeyUsed) -> Reply:
    """Sign in with what navigator.credentials.get gave; the answer sets the cookie of the session."""
    from homolog.service.identity import passkeys

    opened = passkeys.sign_in(
        call.stores.database, _party(call), used.credential, came=came_of(call), limits=limits_of(call), now=call.now
    )
    return begun(call, opened)


def _party(call: Call) -> Party:
    from homolog.service.identity.passkeys import Party

    return Party.of(call.settings.base_url)


def _shown(key: Key) -> PasskeyShown:
    return PasskeyShown(id=key.id, name=key.name, created_at=key.created_at, used_at=key.used_at)
