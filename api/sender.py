"""Who sends a request: an actor from a cookie or a token, and whether a change comes from a page of ours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from api.problems import Failure
from api.service import Service
from homolog.service.actor import VISITOR, Actor

if TYPE_CHECKING:
    from homolog.service.settings import Settings

COOKIE: Final = "homolog"
FORM_HEADER: Final = "x-form-token"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_COOKIE_SECONDS = 14 * 24 * 3600  # as long as a session can last; the server decides anyway
_BEARER = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who sends a request.

    Attributes:
        session_id: Of the session that the cookie is of.
        secret: What the cookie holds.
    """

    actor: Actor
    session_id: str | None = None
    secret: str | None = None


def cookie_name(settings: Settings) -> str:
    """Return the cookie's name; the prefix has a browser insist on https, this host, and no other path."""
    return f"__Host-{COOKIE}" if settings.is_https else COOKIE


def sender_of(request: Request, service: Service, *, now: datetime) -> Sender:
    """Return who sends a request; this blocks if the request names somebody.

    Raises:
        Failure: The header Authorization lets nobody in.
    """
    given = request.headers.get("authorization")
    if given is not None:
        return Sender(actor=_of_token(given, service, now))
    # Without a register nobody has signed in; a cookie of ours is then somebody else's on the same host.
    secret = request.cookies.get(f"__Host-{COOKIE}") or request.cookies.get(COOKIE)
    if not secret:
        return Sender(actor=VISITOR)
    from homolog.service.identity.sessions import actor_of

    secret = request.cookies.get(cookie_name(service.register.settings))
    found = None if not secret else actor_of(service.register.stores.database, secret, now=now)
    if found is None:
        return Sender(actor=VISITOR)
    return Sender(actor=found[0], session_id=found[1], secret=secret)


def _of_token(given: str, service: Service, now: datetime) -> Actor:
    scheme, _, token = given.strip().partition(" ")
    if scheme.lower() == "bearer":
        from homolog.service.identity.tokens import actor_of

        found = actor_of(service.register.stores.database, token.strip(), now=now)
        if found is not None:
            return found
    raise Failure("credentials_refused", "The header Authorization lets nobody in; it is Bearer with a token.", headers=_BEARER)


def require_own_page(request: Request, sender: Sender, settings: Settings, *, form_token: str | None = None) -> None:
    """Refuse a change that a signed-in browser was made to send by a foreign page.

    A browser says where a request comes from; one that does not must send the token that our pages hold.

    Args:
        request: The request.
        sender: Who sends it; who comes with a token or with nothing cannot be misused so.
        settings: Where people reach the service.
        form_token: What a form holds; None looks into the header X-Form-Token.

    Raises:
        Failure: It comes from elsewhere.
    """
    if request.method in SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site not in (None, "same-origin", "none") or (origin not in (None, "null") and not _is_ours(origin, request, settings)):
        raise Failure("form_refused", "The request was sent by a page of another site.")
    if sender.secret is None:
        # Nothing of theirs can be misused, but they could be signed in as somebody else; a page that hides itself is not ours.
        if origin == "null" and site != "same-origin":
            raise Failure("form_refused", "The request was sent by a page that does not say which it is.")
        return
    from homolog.service.identity.secret import is_form_token

    token = form_token if form_token is not None else request.headers.get(FORM_HEADER)
    if token is not None:
        if not is_form_token(sender.secret, token):
            raise Failure("form_refused", "The form is of another session; open the page again.")
    elif site != "same-origin" and (origin is None or origin == "null"):
        raise Failure("form_refused", "The request says nowhere that it comes from a page of this service.")


def _is_ours(origin: str, request: Request, settings: Settings) -> bool:
    parts = urlsplit(origin)
    named = urlsplit(settings.base_url)
    # A proxy may change the scheme, but a browser does not let a foreign page choose the header Host.
    return parts.netloc == request.headers.get("host", "") or (parts.scheme, parts.netloc) == (named.scheme, named.netloc)


def cookie_header(settings: Settings, secret: str) -> dict[str, str]:
    """Return the header that gives a browser its session."""
    answer = Response()
    answer.set_cookie(
        cookie_name(settings), secret, max_age=_COOKIE_SECONDS, path="/", secure=settings.is_https, httponly=True, samesite="lax"
    )
    return {"Set-Cookie": answer.headers["set-cookie"]}


def dropped_cookie_header(settings: Settings) -> dict[str, str]:
    """Return the header that takes its session from a browser."""
    answer = Response()
    answer.delete_cookie(cookie_name(settings), path="/", secure=settings.is_https, httponly=True, samesite="lax")
    return {"Set-Cookie": answer.headers["set-cookie"]}
