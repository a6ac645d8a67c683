"""Pages for coming and going: signing in and out, and the choice of a language."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from api.call import Asked
from api.page_route import Form, done, form_of, page_route
from api.problems import Failure
from api.sender import cookie_header, dropped_cookie_header
from api.sessions import SignIn, came_of, limits_of
from api.templates import page
from api.unfit import taken
from api.words import COOKIE, LANGUAGES

ROUTES: list[Route] = []
_YEAR = 365 * 24 * 3600
_STATE = "homolog-oidc"


def show_sign_in(call: Asked, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show the form for signing in."""
    given: Mapping[str, str] = form or {}
    wanted = given.get("next") or call.request.query_params.get("next", "")
    said = call.request.query_params.get("done", "")
    return page(
        call.request,
        "sign_in.html.j2",
        failure=failure,
        said=said if said == "signed_out" else "",
        next=local(wanted),
        email=given.get("email", ""),
        provider=urlsplit(call.settings.oidc_issuer).hostname or "",
    )


page_route(ROUTES, "GET", "/sign-in", action="session.begin")(show_sign_in)


@page_route(ROUTES, "POST", "/sign-in", action="session.begin", again=show_sign_in)
def sign_in(call: Asked, form: Form) -> Response:
    """Sign in with address and password."""
    from homolog.service.identity import sessions

    who = taken(SignIn, {name: form[name] for name in ("email", "password") if name in form})
    opened = sessions.sign_in(
        call.stores.database, email=who.email, password=who.password, came=came_of(call), limits=limits_of(call), now=call.now
    )
    answer = done(local(form.get("next", "")) or "/account")
    answer.headers.update(cookie_header(call.settings, opened.secret))
    return answer


@page_route(ROUTES, "GET", "/sign-in/oidc", action="session.begin")
def lead_to_provider(call: Asked) -> Response:
    """Lead to the OpenID provider; what it must bring back is in a cookie of this browser."""
    from homolog.service.identity import oidc

    _require_provider(call)
    lead_to = local(call.request.query_params.get("next", "")) or "/account"
    begun = oidc.begin(call.stores.database, call.settings, lead_to=lead_to, now=call.now)
    answer = RedirectResponse(begun.address, status_code=303)
    secure = call.settings.is_https
    # Lax: the way back is a link from the provider, which Strict would hold the cookie back from.
    answer.set_cookie(_STATE, begun.state, max_age=600, path="/sign-in/oidc", secure=secure, httponly=True, samesite="lax")
    return answer


@page_route(ROUTES, "GET", "/sign-in/oidc/back", action="session.begin", again=show_sign_in)
def come_back(call: Asked) -> Response:
    """Sign in who comes back from the provider."""
    from homolog.service.identity import oidc

    _require_provider(call)
    said = call.request.query_params
    opened, lead_to = oidc.finish(
        call.stores.database,
        call.settings,
        state=said.get("state", ""),
        kept=call.request.cookies.get(_STATE, ""),
        code=said.get("code", ""),
        issuer=said.get("iss"),
        came=came_of(call),
        now=call.now,
    )
    answer = done(lead_to)
    answer.headers.update(cookie_header(call.settings, opened.secret))
    answer.delete_cookie(_STATE, path="/sign-in/oidc")
    return answer


def _require_provider(call: Asked) -> None:
    if not call.settings.oidc_issuer:
        raise Failure("not_found", "No provider is set up here.")


@page_route(ROUTES, "POST", "/sign-out", action="session.end")
def sign_out(call: Asked, form: Form) -> Response:
    """End the session of this browser."""
    from homolog.service.identity import sessions

    if call.secret is not None:
        sessions.sign_out(call.actor, call.stores.database, call.secret, now=call.now)
    answer = done("/sign-in", "signed_out")
    answer.headers.update(dropped_cookie_header(call.settings))
    return answer


async def choose_language(request: Request) -> Response:
    """Keep the language that a reader chooses; it needs no account, and nothing can be done with it."""
    form = await form_of(request)
    lang = form.get("lang", "")
    if lang not in LANGUAGES:
        raise Failure("usage", f"The pages are there in {', '.join(LANGUAGES)}.")
    answer = RedirectResponse(local(request.query_params.get("back", "")) or "/", status_code=303)
    answer.set_cookie(COOKIE, lang, max_age=_YEAR, path="/", httponly=True, samesite="lax")
    return answer


ROUTES.append(Route("/language", choose_language, methods=["POST"]))


def local(address: str) -> str:
    """Return an address if it is one of this service, else nothing: nobody is led away from here by a link that was made for it."""
    is_path = address.startswith("/") and not address.startswith("//")
    return address if is_path and address.isascii() and address.isprintable() and not set(address) & set('\\"<> ') else ""
