"""Owns what people and organisations are called, for pages: a person's name is for the board and for his own side alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homolog.register import organisations, people
from homolog.service.actor import Actor
from homolog.service.applications import View
from homolog.service.desk import Desk
from homolog.service.permissions import require

_MOST_LABORATORIES = 500


def of_organisations(desk: Desk, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of organisations by their ids."""
    wanted = frozenset(ids)
    with desk.database.read() as session:
        return {one.id: one.name for one in organisations.page(session, after=None, limit=len(wanted) or 1, only=wanted)}


def laboratories(actor: Actor, desk: Desk) -> tuple[tuple[str, str], ...]:
    """Return the laboratories that a sample can be with, id and name: all for the board, for a laboratory's people their own first.

    Raises:
        NotAllowed: The account has nothing to do with samples.
    """
    require(actor, "application.assess")
    with desk.database.read() as session:
        found = people.laboratories(session, limit=_MOST_LABORATORIES)
    return tuple(sorted(found, key=lambda one: (one[0] not in actor.organisations, one[1])))


def of_people(actor: Actor, desk: Desk, view: View) -> Mapping[str, str]:
    """Return the names of those who took part in an application, by account, as far as they are for the actor."""
    by = {event.by for event in view.events} | {one for ballot in view.case.ballots for one in ballot.electors}
    if "board" not in actor.roles or view.record.organisation_id in actor.organisations:
        by &= {actor.account or ""}
    with desk.database.read() as session:
        return people.names(session, by)
