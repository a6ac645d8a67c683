"""Owns what of a vote may be seen by whom while it is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from homolog.service.workflow.case import Ballot, Case
from homolog.service.workflow.event import Event, frozen

HIDDEN = frozen({"choice": "hidden"})


def shown(events: Iterable[Event], case: Case, account: str | None) -> tuple[Event, ...]:
    """Return events as an account may see them: in an open secret vote, all votes but its own say only that they were given."""
    hidden = {event.id for event in _secret(case.ballot) if event.by != account}
    return tuple(replace(event, data=HIDDEN) if event.id in hidden else event for event in events)


def _secret(ballot: Ballot | None) -> tuple[Event, ...]:
    if ballot is None or ballot.tally is not None or ballot.counting.secret == "no":  # noqa: S105 -- a key of the rule
        return ()
    return ballot.votes
