"""`/api/v1/accounts`: the administrator's work on accounts, roles and invitations."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Query
from pydantic import AwareDatetime, Field

from api.call import Call
from api.me import GrantShown, OrganisationRef, shown_grant
from api.operation import Operation, operation
from api.organisations import Closing, Email, InvitationMade
from api.paging import Paging
from api.reply import Reply, Shown, Taken

if TYPE_CHECKING:
    from homolog.service.identity.people import Person, Profile

ROUTES: list[Operation] = []
# JSON has no moments, only texts of them; the rest of a body stays strict.
Moment = Annotated[AwareDatetime, Field(strict=False)]


class AccountLine(Shown):
    """An account in a list."""

    id: str
    email: str
    name: str
    created_at: datetime
    closed_at: datetime | None


class AccountPage(Shown):
    """Accounts, in the order of their addresses."""

    items: list[AccountLine]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


class AccountShown(Shown):
    """An account, as an administrator sees it."""

    account: AccountLine
    grants: list[GrantShown]
    organisations: list[OrganisationRef]


class GrantList(Shown):
    """Every role that a person was ever given."""

    items: list[GrantShown]


class GrantWanted(Taken):
    """A role to give."""

    role: Literal["board", "laboratory", "referee", "administrator"]
    since: Moment | None = Field(default=None, description="At once if left out.")
    until: Moment | None = Field(default=None, description="Without end if left out.")


class AccountInvited(Taken):
    """Whom to invite to an account."""

    email: Email


class ResetMade(Shown):
    """A link that works once, for a day."""

    link: str = Field(description="To be handed to the person; it is shown this once.")


@operation(ROUTES, "GET", "/api/v1/accounts", action="account.list", summary="List accounts", answer=AccountPage)
def list_accounts(
    call: Call,
    paging: Paging,
    email: Annotated[str | None, Query(max_length=254, description="The beginning of an address.")] = None,
) -> Reply:
    """List accounts in the order of their addresses."""
    from homolog.service.identity import people

    found = people.list_people(call.actor, call.stores.database, after=paging.after, limit=paging.wanted, email=email)
    items, cursor = paging.cut(found, lambda person: person.email)
    return Reply(body=AccountPage(items=[line(person) for person in items], next=cursor))


@operation(ROUTES, "GET", "/api/v1/accounts/{account}", action="account.read", summary="Show an account", answer=AccountShown)
def show_account(call: Call, account: str) -> Reply:
    """Show an account with its roles and organisations: your own, or as an administrator any."""
    from homolog.service.identity import people

    return _reply(people.view(call.actor, call.stores.database, account))


@operation(
    ROUTES,
    "PUT",
    "/api/v1/accounts/{account}/closed",
    action="account.disable",
    summary="Close an account, or open it again",
    answer=AccountShown,
    needs_match=True,
    problems=("conflicting",),
)
def close_account(call: Call, account: str, change: Closing) -> Reply:
    """Close an account, which ends all its sessions and tokens, or open it again. No account is ever deleted: decisions name it."""
    from homolog.service.identity import people

    changed = people.set_disabled(
        call.actor, call.stores.database, account, is_disabled=change.closed, now=call.now, expected=call.expected
    )
    return _reply(changed)


@operation(
    ROUTES,
    "POST",
    "/api/v1/accounts/{account}/password-links",
    action="account.reset",
    summary="Make a link to a new password",
    answer=ResetMade,
    status=201,
    is_repeatable=False,
    problems=("conflicting",),
)
def make_password_link(call: Call, account: str) -> Reply:
    """Make a link by which a person who has forgotten the password chooses a new one."""
    from homolog.service.identity import invitations

    secret = invitations.make_reset(call.actor, call.stores.database, account, now=call.now)
    return Reply(body=ResetMade(link=f"{call.settings.base_url}/new-password/{secret}"))


@operation(
    ROUTES, "GET", "/api/v1/accounts/{account}/roles", action="grant.list", summary="List an account's roles", answer=GrantList
)
def list_roles(call: Call, account: str) -> Reply:
    """List every role that a person was ever given."""
    from homolog.service.identity import roles

    found = roles.list_grants(call.actor, call.stores.database, account)
    return Reply(body=GrantList(items=[shown_grant(grant) for grant in found]))


@operation(
    ROUTES,
    "POST",
    "/api/v1/accounts/{account}/roles",
    action="grant.make",
    summary="Give a role",
    answer=GrantShown,
    status=201,
    problems=("conflicting",),
)
def give_role(call: Call, account: str, wanted: GrantWanted) -> Reply:
    """Give a person a role, from then on until then. Nobody gives themselves one."""
    from homolog.service.identity import roles

    given = roles.give(
        call.actor, call.stores.database, account, role=wanted.role, since=wanted.since, until=wanted.until, now=call.now
    )
    return Reply(body=shown_grant(given), location=f"/api/v1/accounts/{account}/roles")


@operation(
    ROUTES,
    "DELETE",
    "/api/v1/accounts/{account}/roles/{grant}",
    action="grant.end",
    summary="Take a role back",
    problems=("conflicting",),
)
def end_role(
    call: Call,
    account: str,
    grant: str,
    reason: Annotated[str, Query(min_length=1, max_length=500, description="Why; it stays in the audit log.")],
) -> Reply:
    """Take a role back before its time."""
    from homolog.service.identity import roles

    roles.end(call.actor, call.stores.database, account, grant, reason=reason, now=call.now)
    return Reply()


@operation(
    ROUTES,
    "POST",
    "/api/v1/invitations",
    action="invitation.make",
    summary="Invite a person to an account",
    answer=InvitationMade,
    status=201,
    is_repeatable=False,
)
def invite_person(call: Call, invited: AccountInvited) -> Reply:
    """Make a link by which a person makes an account, once: of a board, a referee. Hand it to them yourself."""
    from homolog.service.identity import invitations

    secret = invitations.invite(call.actor, call.stores.database, email=invited.email, organisation_id=None, now=call.now)
    return Reply(body=InvitationMade(link=f"{call.settings.base_url}/join/{secret}"))


def line(person: Person) -> AccountLine:
    """Return an account as a line of a list."""
    return AccountLine(
        id=person.id, email=person.email, name=person.name, created_at=person.created_at, closed_at=person.disabled_at
    )


def _reply(profile: Profile) -> Reply:
    body = AccountShown(
        account=line(profile.person),
        grants=[shown_grant(grant) for grant in profile.grants],
        organisations=[OrganisationRef(id=one.id, kind=one.kind, name=one.name) for one in profile.organisations],
    )
    return Reply(body=body, version=profile.person.version)
