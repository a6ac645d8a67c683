"""The administrator's pages: accounts, roles, organisations, the audit log."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from starlette.responses import Response
from starlette.routing import Route

from api.account_pages import version_of
from api.accounts import AccountInvited, GrantWanted
from api.call import Asked
from api.organisations import OrganisationWanted
from api.page_route import Form, done, page_route
from api.paging import cursor_of, key_of
from api.problems import Failure
from api.templates import page
from api.unfit import taken
from homolog.errors import Problem

ROUTES: list[Route] = []
_AT_ONCE = 50
_SAID = ("saved", "role_given", "role_ended", "made")


def show_accounts(
    call: Asked, failure: Failure | None = None, form: Form | None = None, link: tuple[str, str] | None = None
) -> Response:
    """Show accounts in the order of their addresses, and all organisations."""
    from homolog.service.identity import organisations, people

    asked = call.request.query_params
    wanted, cursor = asked.get("email", "")[:254], asked.get("cursor")
    after = None if cursor is None else key_of(cursor)
    database = call.stores.database
    found = people.list_people(call.actor, database, after=after, limit=_AT_ONCE + 1, email=wanted)
    return page(
        call.request,
        "accounts.html.j2",
        failure=failure,
        said="made" if asked.get("done") == "made" and failure is None else "",
        link=link,
        wanted=wanted,
        people=found[:_AT_ONCE],
        cursor=cursor_of(found[_AT_ONCE - 1].email) if len(found) > _AT_ONCE else "",
        companies=organisations.list_organisations(call.actor, database, limit=1000),
    )


page_route(ROUTES, "GET", "/accounts", action="account.list")(show_accounts)


@page_route(ROUTES, "POST", "/accounts", action="invitation.make", again=show_accounts)
def invite_person(call: Asked, form: Form) -> Response:
    """Make a link to an account, and show it this once."""
    from homolog.service.identity import invitations

    invited = taken(AccountInvited, {"email": form.get("invited", "")})
    secret = invitations.invite(call.actor, call.stores.database, email=invited.email, organisation_id=None, now=call.now)
    return show_accounts(call, link=(invited.email, f"{call.settings.base_url}/join/{secret}"))


@page_route(ROUTES, "POST", "/organisations", action="organisation.make", again=show_accounts)
def make_organisation(call: Asked, form: Form) -> Response:
    """Make an organisation."""
    from homolog.service.identity import organisations

    wanted = taken(OrganisationWanted, {name: form.get(name, "") for name in ("kind", "name")})
    made = organisations.make(call.actor, call.stores.database, kind=wanted.kind, name=wanted.name, now=call.now)
    return done(f"/organisations/{made.id}", "made")


def show_person(
    call: Asked, account: str, failure: Failure | None = None, form: Form | None = None, link: str = "", **_: str
) -> Response:
    """Show an account with its roles."""
    from homolog.service.identity import people, roles

    said = call.request.query_params.get("done", "")
    return page(
        call.request,
        "person.html.j2",
        failure=failure,
        said=said if said in _SAID and failure is None else "",
        link=link,
        profile=people.view(call.actor, call.stores.database, account),
        now=call.now,
        granted=roles.GRANTED,
    )


page_route(ROUTES, "GET", "/accounts/{account}", action="account.list")(show_person)


@page_route(ROUTES, "POST", "/accounts/{account}/closed", action="account.disable", again=show_person)
def close_or_open(call: Asked, account: str, form: Form) -> Response:
    """Close an account, or open it again."""
    from homolog.service.identity import people

    people.set_disabled(
        call.actor,
        call.stores.database,
        account,
        is_disabled=form.get("closed") == "yes",
        now=call.now,
        expected=version_of(form),
    )
    return done(f"/accounts/{account}", "saved")


@page_route(ROUTES, "POST", "/accounts/{account}/password-links", action="account.reset", again=show_person)
def make_password_link(call: Asked, account: str, form: Form) -> Response:
    """Make a link to a new password, and show it this once."""
    from homolog.service.identity import invitations

    secret = invitations.make_reset(call.actor, call.stores.database, account, now=call.now)
    return show_person(call, account, link=f"{call.settings.base_url}/new-password/{secret}")


@page_route(ROUTES, "POST", "/accounts/{account}/roles", action="grant.make", again=show_person)
def give_role(call: Asked, account: str, form: Form) -> Response:
    """Give a role until the end of a day."""
    from homolog.service.identity import roles

    wanted = taken(GrantWanted, {"role": form.get("role", ""), "until": _end_of(form.get("last_day", ""))})
    roles.give(call.actor, call.stores.database, account, role=wanted.role, until=wanted.until, now=call.now)
    return done(f"/accounts/{account}", "role_given")


@page_route(ROUTES, "POST", "/accounts/{account}/roles/{grant}/end", action="grant.end", again=show_person)
def end_role(call: Asked, account: str, grant: str, form: Form) -> Response:
    """Take a role back."""
    from homolog.service.identity import roles

    reason = form.get("reason", "").strip()
    if not 0 < len(reason) <= 500:
        raise Failure("usage", "A reason is needed.", problems=[Problem("reason", "it is missing", "write why", "usage")])
    roles.end(call.actor, call.stores.database, account, grant, reason=reason, now=call.now)
    return done(f"/accounts/{account}", "role_ended")


@page_route(ROUTES, "GET", "/audit", action="audit.read")
def show_audit(call: Asked) -> Response:
    """Show the audit log, the latest entries first."""
    from homolog.service.identity import log

    cursor = call.request.query_params.get("cursor")
    after = None if cursor is None else key_of(cursor)
    found = log.entries(call.actor, call.stores.database, after=after, limit=_AT_ONCE + 1)
    more = cursor_of(str(found[_AT_ONCE - 1].number)) if len(found) > _AT_ONCE else ""
    return page(call.request, "audit.html.j2", entries=found[:_AT_ONCE], cursor=more)


def _end_of(day: str) -> datetime | None:
    """Return the moment at which a day is over; None for none.

    Raises:
        Failure: It is no day.
    """
    if not day:
        return None
    try:
        return datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), UTC)
    except (ValueError, OverflowError):
        problem = Problem("last_day", f"{day[:20]!r} is no date", "write as 2026-11-30", "usage")
        raise Failure("usage", "The day cannot be taken.", problems=[problem]) from None
