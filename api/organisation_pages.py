"""Pages of an organisation: its name, profile, members and invitations."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from api.account_pages import version_of
from api.call import Asked
from api.organisations import CompanyProfile, MemberInvited, OrganisationChange
from api.page_route import Form, done, page_route
from api.problems import Failure
from api.templates import page
from api.unfit import taken
from homolog.service.permissions import may, relation_to_organisation

ROUTES: list[Route] = []
_SAID = ("saved", "member_ended", "joined", "made")
_FIELDS = ("legal_name", "address", "country", "contact", "email", "telephone", "website")


def show_organisation(
    call: Asked,
    organisation: str,
    failure: Failure | None = None,
    form: Form | None = None,
    link: tuple[str, str] | None = None,
    **_: str,
) -> Response:
    """Show an organisation with its members and profile."""
    from homolog.service.identity import organisations

    actor, database = call.actor, call.stores.database
    relation = relation_to_organisation(actor, organisation)
    said = call.request.query_params.get("done", "")
    profile = organisations.profile(actor, database, organisation)
    return page(
        call.request,
        "organisation.html.j2",
        failure=failure,
        said=said if said in _SAID and failure is None else "",
        link=link,
        company=organisations.view(actor, database, organisation),
        members=organisations.members(actor, database, organisation),
        profile=profile,
        content={name: str(profile.content.get(name, "")) for name in _FIELDS},
        can_change=may(actor, "organisation.change", relation),
        can_write=may(actor, "profile.change", relation),
        can_close=may(actor, "organisation.disable", relation),
    )


page_route(ROUTES, "GET", "/organisations/{organisation}", action="organisation.read")(show_organisation)


@page_route(ROUTES, "POST", "/organisations/{organisation}", action="organisation.change", again=show_organisation)
def rename(call: Asked, organisation: str, form: Form) -> Response:
    """Change the name."""
    from homolog.service.identity import organisations

    change = taken(OrganisationChange, {"name": form.get("name", "")})
    organisations.rename(call.actor, call.stores.database, organisation, name=change.name, now=call.now, expected=version_of(form))
    return done(f"/organisations/{organisation}", "saved")


@page_route(ROUTES, "POST", "/organisations/{organisation}/profile", action="profile.change", again=show_organisation)
def write_profile(call: Asked, organisation: str, form: Form) -> Response:
    """Write a new version of the profile."""
    from homolog.service.identity import organisations

    lines = {name: form.get(name, "").replace("\r\n", "\n") for name in _FIELDS}
    content = taken(CompanyProfile, lines).model_dump()
    organisations.put_profile(call.actor, call.stores.database, organisation, content, now=call.now, expected=version_of(form))
    return done(f"/organisations/{organisation}", "saved")


@page_route(ROUTES, "POST", "/organisations/{organisation}/closed", action="organisation.disable", again=show_organisation)
def close_or_open(call: Asked, organisation: str, form: Form) -> Response:
    """Close the organisation, or open it again."""
    from homolog.service.identity import organisations

    organisations.set_disabled(
        call.actor,
        call.stores.database,
        organisation,
        is_disabled=form.get("closed") == "yes",
        now=call.now,
        expected=version_of(form),
    )
    return done(f"/organisations/{organisation}", "saved")


@page_route(ROUTES, "POST", "/organisations/{organisation}/invitations", action="member.invite", again=show_organisation)
def invite(call: Asked, organisation: str, form: Form) -> Response:
    """Make a link for a person, and show it this once."""
    from homolog.service.identity import invitations

    invited = taken(MemberInvited, {"email": form.get("invited", "")})
    secret = invitations.invite(call.actor, call.stores.database, email=invited.email, organisation_id=organisation, now=call.now)
    return show_organisation(call, organisation, link=(invited.email, f"{call.settings.base_url}/join/{secret}"))


@page_route(ROUTES, "POST", "/organisations/{organisation}/members/{member}/end", action="member.end", again=show_organisation)
def end_member(call: Asked, organisation: str, member: str, form: Form) -> Response:
    """End a membership; who ends their own sees the organisation no more."""
    from homolog.service.identity import organisations

    database = call.stores.database
    own = {one.id for one in organisations.members(call.actor, database, organisation) if one.account_id == call.actor.account}
    organisations.end_membership(call.actor, database, organisation, member, now=call.now)
    return done("/account" if member in own else f"/organisations/{organisation}", "member_ended")
