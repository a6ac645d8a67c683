"""Things that addresses name, one maker a name: `{token}` in a path is made by OBJECTS["token"] for its owner."""

from __future__ import annotations

from collections.abc import Callable

from homolog.register import grants, organisations
from homolog.register import sessions as kept_sessions
from homolog.service.identity import invitations, sessions, tokens
from homolog.service.identity.secret import digest_of
from homolog.service.identity.sessions import Came
from tests.api import made, rules_made
from tests.api.world import Guest, World
from tests.authenticator import make_passkey

Maker = Callable[[World, Guest], str]


def token(world: World, owner: Guest) -> str:
    _, made = tokens.make(world.actor(owner), world.database, name="mine", scopes=["account:read"], days=1, now=world.now)
    return made.id


def session(world: World, owner: Guest) -> str:
    with world.database.write() as open_session:
        assert owner.person is not None
        opened = sessions.open_session(open_session, owner.person, how="password", came=Came(address="a"), now=world.now)
        found = kept_sessions.find(open_session, digest_of(opened.secret))
    assert found is not None
    return found.id


def organisation(world: World, owner: Guest) -> str:
    assert owner.organisation is not None
    return owner.organisation


def member(world: World, owner: Guest) -> str:
    """Make somebody another member of the owner's organisation."""
    other = world.guest("person")
    with world.database.write() as open_session:
        organisations.add_member(open_session, organisation(world, owner), other.id, by=owner.id, now=world.now)
        there = organisations.members(open_session, organisation(world, owner))
    return next(one.id for one in there if one.account_id == other.id)


def account(world: World, owner: Guest) -> str:
    return owner.id


def grant(world: World, owner: Guest) -> str:
    with world.database.write() as open_session:
        given = grants.add(open_session, account_id=owner.id, role="referee", since=world.now, until=None, by=None, now=world.now)
    return given.id


def invitation(world: World, owner: Guest) -> str:
    """Invite the owner, or somebody new, to an organisation."""
    inviter = world.guest("manufacturer")
    email = "new@a.example" if owner.person is None else owner.person.email
    return invitations.invite(
        world.actor(inviter), world.database, email=email, organisation_id=inviter.organisation, now=world.now
    )


def reset(world: World, owner: Guest) -> str:
    return invitations.make_reset(world.actor(world.guest("administrator")), world.database, owner.id, now=world.now)


def passkey(world: World, owner: Guest) -> str:
    return make_passkey(world.actor(owner), world.database, world.now)[0].id


OBJECTS: dict[str, Maker] = {
    "sha256": made.record,  # first: files of an application and of a type are of its digest
    "application": made.application,
    "draft": rules_made.draft,  # before the job: an impact run is of a draft
    "job": rules_made.job,
    "number": made.a_type,
    "upload": made.upload,
    "passkey": passkey,
    "invitation": invitation,
    "reset": reset,
    "token": token,
    "session": session,
    "organisation": organisation,
    "member": member,
    "account": account,
    "grant": grant,
}
