"""Pages that a one-time link leads to: an invitation, a new password."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from api.call import Asked
from api.me import MeChange
from api.page_route import Form, done, page_route
from api.problems import Failure
from api.sender import cookie_header
from api.sessions import came_of
from api.templates import page
from api.unfit import taken
from api.words import language_of

ROUTES: list[Route] = []


def show_join(call: Asked, invitation: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show what a link invites to."""
    from homolog.service.identity import invitations

    found = invitations.look(call.stores.database, invitation, now=call.now)
    name = "" if form is None else form.get("name", "")
    return page(call.request, "join.html.j2", failure=failure, invitation=found, link=invitation, typed=name)


page_route(ROUTES, "GET", "/join/{invitation}", action="invitation.accept")(show_join)


@page_route(ROUTES, "POST", "/join/{invitation}", action="invitation.accept", again=show_join)
def join(call: Asked, invitation: str, form: Form) -> Response:
    """Make the account, or join with the one that is there."""
    from homolog.service.identity import invitations

    database = call.stores.database
    if call.actor.account is not None:
        organisation = invitations.join(call.actor, database, invitation, now=call.now)
        return done("/account" if organisation is None else f"/organisations/{organisation}", "joined")
    person = taken(MeChange, {"name": form.get("name", ""), "language": language_of(call.request)})
    opened = invitations.accept(
        database,
        invitation,
        name=person.name,
        password=form.get("password", ""),
        language=person.language,
        came=came_of(call),
        now=call.now,
    )
    answer = done("/account", "made")
    answer.headers.update(cookie_header(call.settings, opened.secret))
    return answer


def show_new_password(call: Asked, reset: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show the form for a new password."""
    from homolog.service.identity import invitations

    email = invitations.look_reset(call.stores.database, reset, now=call.now)
    return page(call.request, "new_password.html.j2", failure=failure, email=email, link=reset)


page_route(ROUTES, "GET", "/new-password/{reset}", action="invitation.accept")(show_new_password)


@page_route(ROUTES, "POST", "/new-password/{reset}", action="invitation.accept", again=show_new_password)
def choose_password(call: Asked, reset: str, form: Form) -> Response:
    """Choose the new password, and sign in."""
    from homolog.service.identity import invitations

    opened = invitations.reset(call.stores.database, reset, password=form.get("password", ""), came=came_of(call), now=call.now)
    answer = done("/account", "password")
    answer.headers.update(cookie_header(call.settings, opened.secret))
    return answer
