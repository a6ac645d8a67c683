"""The page of one's own account."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from api.agents import agent_name
from api.call import Asked
from api.me import MeChange, PasswordChange
from api.page_route import Form, done, page_route
from api.problems import Failure
from api.sender import dropped_cookie_header
from api.templates import page
from api.tokens import TokenWanted
from api.unfit import taken
from homolog.service.permissions import SCOPES

ROUTES: list[Route] = []
_SAID = ("saved", "made", "joined", "member_ended", "password", "session_ended", "token_ended", "passkey_made", "passkey_ended")


def show_account(
    call: Asked, failure: Failure | None = None, form: Form | None = None, secret: str | None = None, **_: str
) -> Response:
    """Show who one is, where one is signed in, and one's tokens."""
    from homolog.service.identity import passkeys, people, sessions, tokens

    database = call.stores.database
    said = call.request.query_params.get("done", "")
    return page(
        call.request,
        "account.html.j2",
        failure=failure,
        failed="token" if form is not None and "token_name" in form else "",
        said=said if said in _SAID and failure is None else "",
        secret=secret,
        profile=people.view(call.actor, database, call.actor.account or ""),
        passkeys=passkeys.list_passkeys(call.actor, database),
        sessions=sessions.list_sessions(call.actor, database, now=call.now),
        session_id=call.session_id,
        agent_name=agent_name,
        tokens=tokens.list_tokens(call.actor, database, limit=1000),
        scopes=SCOPES,
    )


page_route(ROUTES, "GET", "/account", action="account.read")(show_account)


@page_route(ROUTES, "POST", "/account", action="account.change", again=show_account)
def change_account(call: Asked, form: Form) -> Response:
    """Change one's name and language."""
    from homolog.service.identity import people

    change = taken(MeChange, {name: form[name] for name in ("name", "language") if name in form})
    people.change(
        call.actor,
        call.stores.database,
        call.actor.account or "",
        name=change.name,
        language=change.language,
        now=call.now,
        expected=version_of(form),
    )
    return done("/account", "saved")


@page_route(ROUTES, "POST", "/account/password", action="account.password", again=show_account)
def change_own_password(call: Asked, form: Form) -> Response:
    """Choose a new password."""
    from homolog.service.identity import people

    change = taken(PasswordChange, {name: form[name] for name in ("old", "new") if form.get(name)})
    people.change_password(
        call.actor, call.stores.database, old=change.old, new=change.new, session_id=call.session_id, now=call.now
    )
    return done("/account", "password")


@page_route(ROUTES, "POST", "/account/sessions/{session}/end", action="session.end", again=show_account)
def end_own_session(call: Asked, session: str, form: Form) -> Response:
    """End a session: of this browser, or another."""
    from homolog.service.identity import sessions

    sessions.end_session(call.actor, call.stores.database, session, now=call.now)
    if session != call.session_id:
        return done("/account", "session_ended")
    answer = done("/sign-in", "signed_out")
    answer.headers.update(dropped_cookie_header(call.settings))
    return answer


@page_route(ROUTES, "POST", "/account/tokens", action="token.make", again=show_account)
def make_own_token(call: Asked, form: Form) -> Response:
    """Make a token and show it, this once."""
    from homolog.service.identity import tokens

    scopes = [scope for scope in form.get("scopes", "").splitlines() if scope]
    wanted = taken(TokenWanted, {"name": form.get("token_name", ""), "days": form.get("days", ""), "scopes": scopes})
    secret, _ = tokens.make(
        call.actor, call.stores.database, name=wanted.name, scopes=wanted.scopes, days=wanted.days, now=call.now
    )
    return show_account(call, secret=secret)


@page_route(ROUTES, "POST", "/account/tokens/{token}/end", action="token.end", again=show_account)
def end_own_token(call: Asked, token: str, form: Form) -> Response:
    """End a token."""
    from homolog.service.identity import tokens

    tokens.end(call.actor, call.stores.database, token, now=call.now)
    return done("/account", "token_ended")


@page_route(ROUTES, "POST", "/account/passkeys/{passkey}/end", action="passkey.end", again=show_account)
def end_own_passkey(call: Asked, passkey: str, form: Form) -> Response:
    """Forget a passkey."""
    from homolog.service.identity import passkeys

    passkeys.end(call.actor, call.stores.database, passkey, now=call.now)
    return done("/account", "passkey_ended")


def version_of(form: Form) -> int | None:
    """Return the version that a form was made from; None if it does not say."""
    text = form.get("version", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else None
