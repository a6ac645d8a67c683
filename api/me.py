"""`/api/v1/me`: one's own account."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from api.call import Call
from api.operation import Operation, operation
from api.reply import Reply, Shown, Taken

if TYPE_CHECKING:
    from homolog.service.identity.people import Grant, Profile

ROUTES: list[Operation] = []
Language = Literal["en", "uk", "it"]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
Password = Annotated[str, Field(min_length=1, max_length=1000)]


class GrantShown(Shown):
    """A role that was given."""

    id: str
    role: str
    since: datetime
    until: datetime | None = Field(description="When it ends by itself; null if never.")
    ended_at: datetime | None = Field(description="When it was taken back.")
    reason: str | None = Field(description="Why it was taken back.")


def shown_grant(grant: Grant) -> GrantShown:
    """Return a grant as it is shown."""
    return GrantShown(
        id=grant.id, role=grant.role, since=grant.since, until=grant.until, ended_at=grant.ended_at, reason=grant.reason
    )


class OrganisationRef(Shown):
    """An organisation that somebody belongs to."""

    id: str
    kind: str
    name: str


class Me(Shown):
    """An account, as its owner sees it."""

    id: str
    email: str
    name: str
    language: str
    has_password: bool
    created_at: datetime
    roles: list[str]
    grants: list[GrantShown]
    organisations: list[OrganisationRef]
    scopes: list[str] | None = Field(description="What the token is limited to; null in a browser.")


class MeChange(Taken):
    """What a person may change of themselves."""

    name: Name
    language: Language


class PasswordChange(Taken):
    """A new password."""

    old: Password | None = Field(default=None, description="The one until now, if there is one.")
    new: Password


@operation(ROUTES, "GET", "/api/v1/me", action="account.read", summary="Show your own account", answer=Me)
def show_me(call: Call) -> Reply:
    """Show who you are to the service, with your roles and organisations."""
    from homolog.service.identity import people

    profile = people.view(call.actor, call.stores.database, call.actor.account or "")
    return Reply(body=_me(call, profile), version=profile.person.version)


@operation(
    ROUTES, "PUT", "/api/v1/me", action="account.change", summary="Change your name or language", answer=Me, needs_match=True
)
def change_me(call: Call, change: MeChange) -> Reply:
    """Change what you say of yourself."""
    from homolog.service.identity import people

    profile = people.change(
        call.actor,
        call.stores.database,
        call.actor.account or "",
        name=change.name,
        language=change.language,
        now=call.now,
        expected=call.expected,
    )
    return Reply(body=_me(call, profile), version=profile.person.version)


@operation(
    ROUTES,
    "POST",
    "/api/v1/me/password",
    action="account.password",
    summary="Choose a new password",
    is_repeatable=False,
)
def change_password(call: Call, change: PasswordChange) -> Reply:
    """Choose a new password; all your other sessions end."""
    from homolog.service.identity import people

    people.change_password(
        call.actor, call.stores.database, old=change.old, new=change.new, session_id=call.session_id, now=call.now
    )
    return Reply()


def _me(call: Call, profile: Profile) -> Me:
    person, actor = profile.person, call.actor
    return Me(
        id=person.id,
        email=person.email,
        name=person.name,
        language=person.language,
        has_password=person.has_password,
        created_at=person.created_at,
        roles=sorted(actor.roles),
        grants=[shown_grant(grant) for grant in profile.grants],
        organisations=[OrganisationRef(id=one.id, kind=one.kind, name=one.name) for one in profile.organisations],
        scopes=None if actor.scopes is None else sorted(actor.scopes),
    )
