"""`/api/v1/organisations`: manufacturers and laboratories, their profiles and members."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from api.call import Call
from api.me import Name
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown, Taken

if TYPE_CHECKING:
    from homolog.service.identity.organisations import Company, Member, Profile

ROUTES: list[Operation] = []
Line = Annotated[str, Field(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
Email = Annotated[str, Field(min_length=3, max_length=254, pattern=r"^[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+$")]


class OrganisationWanted(Taken):
    """An organisation to make."""

    kind: Literal["manufacturer", "laboratory"]
    name: Name


class OrganisationChange(Taken):
    """A new name."""

    name: Name


class Closing(Taken):
    """Whether something is closed."""

    closed: bool


class OrganisationShown(Shown):
    """An organisation."""

    id: str
    kind: str
    name: str
    created_at: datetime
    closed_at: datetime | None


class OrganisationPage(Shown):
    """Organisations, the oldest first."""

    items: list[OrganisationShown]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


class CompanyProfile(Taken):
    """What an organisation says of itself."""

    legal_name: Line = ""
    address: Annotated[str, Field(max_length=1000, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*$")] = ""
    country: Line = ""
    contact: Line = ""
    email: Line = ""
    telephone: Line = ""
    website: Line = ""


class ProfileShown(Shown):
    """A profile; number 0 if nothing was said yet."""

    number: int
    at: datetime | None
    profile: CompanyProfile


class MemberShown(Shown):
    """A member."""

    id: str
    account_id: str
    name: str
    email: str
    since: datetime


class MemberList(Shown):
    """All members, the earliest first."""

    items: list[MemberShown]


class MemberInvited(Taken):
    """Whom to invite."""

    email: Email


class InvitationMade(Shown):
    """A link that works once."""

    link: str = Field(description="To be handed to the person; it is shown this once.")


@operation(
    ROUTES,
    "GET",
    "/api/v1/organisations",
    action="organisation.list",
    summary="List organisations",
    answer=OrganisationPage,
)
def list_organisations(call: Call, paging: Paging) -> Reply:
    """List your organisations; the board and administrators see all."""
    from homolog.service.identity import organisations

    found = organisations.list_organisations(call.actor, call.stores.database, after=paging.after, limit=paging.wanted)
    items, cursor = paging.cut(found, lambda one: one.id)
    return Reply(body=OrganisationPage(items=[shown(one) for one in items], next=cursor))


@operation(
    ROUTES,
    "POST",
    "/api/v1/organisations",
    action="organisation.make",
    summary="Make an organisation",
    answer=OrganisationShown,
    status=201,
)
def make_organisation(call: Call, wanted: OrganisationWanted) -> Reply:
    """Make an organisation; its first member comes by invitation."""
    from homolog.service.identity import organisations

    made = organisations.make(call.actor, call.stores.database, kind=wanted.kind, name=wanted.name, now=call.now)
    return _reply(made, location=f"/api/v1/organisations/{made.id}")


@operation(
    ROUTES,
    "GET",
    "/api/v1/organisations/{organisation}",
    action="organisation.read",
    summary="Show an organisation",
    answer=OrganisationShown,
)
def show_organisation(call: Call, organisation: str) -> Reply:
    """Show an organisation."""
    from homolog.service.identity import organisations

    return _reply(organisations.view(call.actor, call.stores.database, organisation))


@operation(
    ROUTES,
    "PUT",
    "/api/v1/organisations/{organisation}",
    action="organisation.change",
    summary="Change an organisation's name",
    answer=OrganisationShown,
    needs_match=True,
)
def change_organisation(call: Call, organisation: str, change: OrganisationChange) -> Reply:
    """Change an organisation's name."""
    from homolog.service.identity import organisations

    changed = organisations.rename(
        call.actor, call.stores.database, organisation, name=change.name, now=call.now, expected=call.expected
    )
    return _reply(changed)


@operation(
    ROUTES,
    "PUT",
    "/api/v1/organisations/{organisation}/closed",
    action="organisation.disable",
    summary="Close an organisation, or open it again",
    answer=OrganisationShown,
    needs_match=True,
)
def close_organisation(call: Call, organisation: str, change: Closing) -> Reply:
    """Close an organisation, so that its members no longer act for it, or open it again."""
    from homolog.service.identity import organisations

    changed = organisations.set_disabled(
        call.actor, call.stores.database, organisation, is_disabled=change.closed, now=call.now, expected=call.expected
    )
    return _reply(changed)


@operation(
    ROUTES,
    "GET",
    "/api/v1/organisations/{organisation}/profile",
    action="profile.read",
    summary="Show an organisation's profile",
    answer=ProfileShown,
)
def show_profile(call: Call, organisation: str) -> Reply:
    """Show what an organisation says of itself."""
    from homolog.service.identity import organisations

    return _profile(organisations.profile(call.actor, call.stores.database, organisation))


@operation(
    ROUTES,
    "PUT",
    "/api/v1/organisations/{organisation}/profile",
    action="profile.change",
    summary="Write an organisation's profile",
    answer=ProfileShown,
    needs_match=True,
)
def put_profile(call: Call, organisation: str, profile: CompanyProfile) -> Reply:
    """Write a new version of an organisation's profile; those before it stay."""
    from homolog.service.identity import organisations

    content = profile.model_dump()
    written = organisations.put_profile(
        call.actor, call.stores.database, organisation, content, now=call.now, expected=call.expected
    )
    return _profile(written)


@operation(
    ROUTES,
    "GET",
    "/api/v1/organisations/{organisation}/members",
    action="member.list",
    summary="List an organisation's members",
    answer=MemberList,
)
def list_members(call: Call, organisation: str) -> Reply:
    """List who belongs to an organisation."""
    from homolog.service.identity import organisations

    found = organisations.members(call.actor, call.stores.database, organisation)
    return Reply(body=MemberList(items=[_member(one) for one in found]))


@operation(
    ROUTES,
    "DELETE",
    "/api/v1/organisations/{organisation}/members/{member}",
    action="member.end",
    summary="End a membership",
    problems=("conflicting",),
)
def end_member(call: Call, organisation: str, member: str) -> Reply:
    """End somebody's membership, or your own; the last member stays."""
    from homolog.service.identity import organisations

    organisations.end_membership(call.actor, call.stores.database, organisation, member, now=call.now)
    return Reply()


@operation(
    ROUTES,
    "POST",
    "/api/v1/organisations/{organisation}/invitations",
    action="member.invite",
    summary="Invite a person to an organisation",
    answer=InvitationMade,
    status=201,
    is_repeatable=False,
)
def invite_member(call: Call, organisation: str, invited: MemberInvited) -> Reply:
    """Make a link by which a person joins an organisation, once; hand it to them yourself."""
    from homolog.service.identity import invitations

    secret = invitations.invite(call.actor, call.stores.database, email=invited.email, organisation_id=organisation, now=call.now)
    return Reply(body=InvitationMade(link=f"{call.settings.base_url}/join/{secret}"))


def shown(company: Company) -> OrganisationShown:
    """Return an organisation as it is shown."""
    return OrganisationShown(
        id=company.id, kind=company.kind, name=company.name, created_at=company.created_at, closed_at=company.disabled_at
    )


def _reply(company: Company, location: str | None = None) -> Reply:
    return Reply(body=shown(company), version=company.version, location=location)


def _profile(profile: Profile) -> Reply:
    known = {name: text for name, text in profile.content.items() if name in CompanyProfile.model_fields}
    body = ProfileShown(number=profile.number, at=profile.at, profile=CompanyProfile(**known))
    return Reply(body=body, version=profile.number)


def _member(member: Member) -> MemberShown:
    return MemberShown(id=member.id, account_id=member.account_id, name=member.name, email=member.email, since=member.at)
