"""Things that addresses name, one maker a name: `{token}` in a path is made by OBJECTS["token"] for its owner."""

from __future__ import annotations

from collections.abc import Callable

from homolog.register import sessions as kept_sessions
from homolog.service.identity import sessions, tokens
from homolog.service.identity.secret import digest_of
from homolog.service.identity.sessions import Came
from tests.api import made
from tests.api.world import Guest, World

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


OBJECTS: dict[str, Maker] = {
    "token": token,
    "session": session,
    "sha256": made.record,  # first: files of the other two are of its digest
    "application": made.application,
    "number": made.a_type,
}
