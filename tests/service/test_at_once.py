"""Several people at once: each step is taken once or refused, and no number is given twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

from homolog.service import applications, types
from homolog.service.actor import VISITOR
from homolog.service.identity.refusals import ChangedMeanwhile
from homolog.service.workflow.refusal import StepRefused
from tests.service.people import World


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Make calls at one moment; a refusal is a result too."""
    gate = threading.Barrier(len(calls))

    def made(call: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return call()
        except (StepRefused, ChangedMeanwhile) as refused:
            return [problem.code for problem in refused.problems]

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(made, calls))


def test_votes_at_one_moment_are_all_there_and_the_vote_is_closed_once(world: World) -> None:
    application = world.submit()
    world.measure(application)
    world.assess(application)
    reasons = [{"clause": "III-3.1", "text": "It holds."}]
    world.take(world.anna, application, "open_vote", proposal="approve", reasons=reasons, closes="2027-01-01T00:00:00+00:00")
    board, now = (world.anna, world.boris, world.carla), world.now

    def step(actor: Any, name: str, **data: Any) -> Callable[[], Any]:
        return lambda: applications.take(actor, world.desk, application, name, data, now=now).case.state

    choices = [step(actor, "vote", choice=choice) for actor in board for choice in ("no", "yes")]
    assert together(*choices) == ["voting"] * 6
    closed = together(*(step(actor, "close_vote") for actor in board))
    assert sorted(map(str, closed))[0] == "['step_not_now']"
    assert [one for one in closed if isinstance(one, list)] == [["step_not_now"]] * 2
    case = applications.view(world.anna, world.desk, application, now=now).case
    assert case.ballot is not None
    assert len(case.ballot.votes) == 6
    assert case.ballot.tally is not None
    assert case.ballot.tally.yes + case.ballot.tally.no == 3


def test_one_looked_at_state_takes_one_change(world: World) -> None:
    application = world.begin()
    seen, now = applications.view(world.mary, world.desk, application, now=world.at).seq, world.now

    def describe(name: str) -> Callable[[], Any]:
        return lambda: (
            applications.take(world.mary, world.desk, application, "describe", {"name": name}, now=now, expected=seen).seq
        )

    found = together(*(describe(f"Swift {number}") for number in range(4)))
    assert sorted(map(str, found)) == [str(seen + 1), *(["['changed_meanwhile']"] * 3)]


def test_certificates_at_one_moment_enter_one_type_each(world: World) -> None:
    made = []
    for name in ("Swift", "Swallow"):
        application = world.begin()
        world.describe(application, name=name)
        world.take(world.mary, application, "submit")
        world.measure(application)
        world.assess(application)
        world.vote(application)
        made.append(application)
    found = together(*(lambda one=one: world.issue(one).record.number for one in (*made, *made)))
    numbers = [one for one in found if isinstance(one, str)]
    assert sorted(numbers) == ["HML-B-0001", "HML-B-0002"]
    for number in numbers:
        assert types.view(VISITOR, world.desk, number, day=date(2026, 12, 1)).seq == 2
