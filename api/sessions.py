"""`/api/v1/sessions`: signing in, and one's open sessions."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from api.call import Call
from api.me import Password
from api.operation import Operation, operation
from api.reply import Reply, Shown, Taken
from api.sender import cookie_header, dropped_cookie_header
from homolog.service.identity.secret import form_token

if TYPE_CHECKING:
    from homolog.service.identity.limits import SignInLimits
    from homolog.service.identity.sessions import Came, Opened, SignedIn

ROUTES: list[Operation] = []


class SignIn(Taken):
    """Who signs in."""

    email: Annotated[str, Field(min_length=3, max_length=254)]
    password: Password


class SessionShown(Shown):
    """An open session."""

    id: str
    how: str = Field(description="password, passkey or oidc.")
    agent: str = Field(description="What the browser calls itself.")
    created_at: datetime
    seen_at: datetime
    idle_until: datetime = Field(description="When it ends if nobody comes.")
    until: datetime = Field(description="When it ends in any case.")
    is_this: bool = Field(description="Whether this request came with it.")


class SessionBegun(Shown):
    """A new session; its secret is in the cookie."""

    session: SessionShown
    form_token: str = Field(description="For the header X-Form-Token of a program that keeps the cookie and is no browser.")


class SessionList(Shown):
    """All open sessions of one account."""

    items: list[SessionShown]


def limits_of(call: Call) -> SignInLimits:
    """Return how often one may try to sign in."""
    from homolog.service.identity.limits import SignInLimits

    chosen = call.service.settings
    return SignInLimits(one=chosen.sign_in_tries, name=10 * chosen.sign_in_tries, address=chosen.sign_in_tries_address)


def came_of(call: Call) -> Came:
    """Return where somebody who signs in comes from."""
    from homolog.service.identity.sessions import Came

    return Came(address=call.address, agent=call.request.headers.get("user-agent", ""), secret=call.secret)


@operation(
    ROUTES,
    "POST",
    "/api/v1/sessions",
    action="session.begin",
    summary="Sign in",
    answer=SessionBegun,
    status=201,
    is_repeatable=False,
)
def begin_session(call: Call, who: SignIn) -> Reply:
    """Sign in with address and password; the answer sets the cookie of the session. Programs use a token instead."""
    from homolog.service.identity import sessions

    opened = sessions.sign_in(
        call.stores.database, email=who.email, password=who.password, came=came_of(call), limits=limits_of(call), now=call.now
    )
    return begun(call, opened)


@operation(ROUTES, "GET", "/api/v1/sessions", action="session.read", summary="List your open sessions", answer=SessionList)
def list_sessions(call: Call) -> Reply:
    """List where you are signed in."""
    from homolog.service.identity import sessions

    found = sessions.list_sessions(call.actor, call.stores.database, now=call.now)
    return Reply(body=SessionList(items=[_shown(one, call.session_id) for one in found]))


@operation(ROUTES, "DELETE", "/api/v1/sessions/{session}", action="session.end", summary="End one of your sessions")
def end_session(call: Call, session: str) -> Reply:
    """Sign a browser out: this one or another."""
    from homolog.service.identity import sessions

    sessions.end_session(call.actor, call.stores.database, session, now=call.now)
    is_this = session == call.session_id
    return Reply(headers=dropped_cookie_header(call.settings) if is_this else {})


def begun(call: Call, opened: Opened) -> Reply:
    """Return the answer to who has signed in."""
    shown = SessionBegun(session=_shown(opened.session, opened.session.id), form_token=form_token(opened.secret))
    return Reply(body=shown, location=f"/api/v1/sessions/{opened.session.id}", headers=cookie_header(call.settings, opened.secret))


def _shown(one: SignedIn, this: str | None) -> SessionShown:
    return SessionShown(
        id=one.id,
        how=one.how,
        agent=one.agent,
        created_at=one.created_at,
        seen_at=one.seen_at,
        idle_until=one.idle_until,
        until=one.until,
        is_this=one.id == this,
    )
