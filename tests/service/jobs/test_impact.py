"""The impact run: whom a draft of rules would hit, found by workers together, the same as one after another."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from homolog.register import editions as stored
from homolog.service import editions, impact
from homolog.service.compared import comparison_of
from homolog.service.jobs import asked
from homolog.service.permissions import NotAllowed
from homolog.service.rules import Rules
from tests.service.jobs.conftest import Place, until
from tests.service.people import SHEET, World
from tests.service.test_editions import next_ball

STRICTER = next_ball(("id: as-written, min: 1.45 g", "id: as-written, min: 1.50 g"))
"""Under it a ball of 1.49 g fails one reading of the rule, which it kept before."""
LIGHT = SHEET.replace("1.51 g", "1.49 g")


@pytest.fixture
def rules(place: Place) -> Rules:
    return Rules(place.world.desk)


def apply_with(world: World, sheet: str) -> str:
    application = world.submit()
    world.measure(application, sheet=sheet)
    return application


def entered(world: World, rules: Rules, ball: bytes = STRICTER) -> str:
    return editions.enter_edition(world.anna, rules, {"ball.yaml": ball}, now=world.now).draft.id


def alone(rules: Rules, draft_id: str, known_at: datetime, today: date) -> bytes:
    with rules.database.read() as session:
        draft = stored.find(session, draft_id)
    assert draft is not None
    comparison = comparison_of(rules, draft, known_at=known_at, today=today, measuring="stored")
    return impact.canonical(impact.one_after_another(comparison, now=datetime.now(UTC)))


def test_it_names_who_changes_verdict_finding_by_finding(place: Place, rules: Rules) -> None:
    world = place.world
    heavy, light = apply_with(world, SHEET), apply_with(world, LIGHT)
    unmeasured = world.submit()
    job = impact.ask_impact(world.anna, rules, entered(world, rules), now=world.now, today=world.at.date())
    with place.working():
        place.until_over(job.id)
    found = impact.look(world.boris, rules, job.id)
    assert found.job.outcome == "done", found.job.result
    assert set(found.rows) == {heavy, light}
    assert set(found.hit) == {light}
    assert [change["requirement"] for change in found.hit[light]["changes"]] == ["ball.mass"]
    assert found.rows[heavy]["after"]["edition"] == "5.0"
    assert found.job.result is not None
    assert (found.job.result["looked_at"], found.job.result["hit"], found.job.result["unmeasured"]) == (2, 1, 1)
    assert unmeasured not in found.rows


def test_two_workers_find_what_one_finds_after_another(place: Place, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    world = place.world
    for sheet in (SHEET, LIGHT) * 2:
        apply_with(world, sheet)
    draft = entered(world, rules)
    job = impact.ask_impact(world.anna, rules, draft, now=world.now, today=world.at.date())
    with place.working("--processes", "2"):
        place.until_over(job.id)
    found = impact.look(world.anna, rules, job.id)
    assert impact.canonical(found.rows) == alone(rules, draft, job.at, date.fromisoformat(str(job.params["today"])))


def test_it_survives_the_death_of_its_worker(place: Place, rules: Rules) -> None:
    world = place.world
    for number in range(70):  # three parts
        name = f"Swift {number}"
        application = world.begin()
        world.describe(application, name)
        world.take(world.mary, application, "submit")
        world.measure(application, sheet=LIGHT if number % 2 else SHEET)
    job = impact.ask_impact(world.anna, rules, entered(world, rules), now=world.now, today=world.at.date())
    dying = place.start("--patience", "2")
    until(lambda: impact.look(world.anna, rules, job.id).job.total, lambda total: total > 0)
    dying.kill()
    dying.wait()
    assert impact.look(world.anna, rules, job.id).job.outcome is None
    with place.working("--patience", "2"):
        found = place.until_over(job.id)
    assert found.outcome == "done"
    assert found.result is not None
    assert (found.result["looked_at"], found.result["hit"]) == (70, 35)


def test_cancelling_it_ends_all_of_its_parts(place: Place, rules: Rules) -> None:
    world = place.world
    apply_with(world, SHEET)
    job = impact.ask_impact(world.anna, rules, entered(world, rules), now=world.now, today=world.at.date())
    assert asked.cancel(world.anna, rules.database, job.id, now=world.now).outcome == "cancelled"
    with place.working():
        other = impact.ask_impact(world.anna, rules, entered(world, rules), now=world.now, today=world.at.date())
        place.until_over(other.id)
    assert impact.look(world.anna, rules, job.id).rows == {}


def test_the_grace_is_the_drafts_own_and_else_the_boards(place: Place, rules: Rules) -> None:
    world = place.world
    told = editions.enter_edition(world.anna, rules, {"ball.yaml": STRICTER}, now=world.now).draft
    assert impact.grace_of(rules, told)["ball"]["until"] == "2028-01-01"
    open_ended = STRICTER.replace(b"{policy: grace, until: 2028-01-01}", b"{policy: unknown}")
    untold = editions.enter_edition(world.anna, rules, {"ball.yaml": open_ended}, now=world.now).draft
    assert impact.grace_of(rules, untold)["ball"]["until"] is None
    assert "The board sets it" in impact.grace_of(rules, untold)["ball"]["says"]


@pytest.mark.parametrize("name", ["mary", "lena", "ralf"])
def test_only_the_board_asks_for_it(place: Place, rules: Rules, name: str) -> None:
    draft = entered(place.world, rules)
    with pytest.raises(NotAllowed):
        impact.ask_impact(place.world.actors[name], rules, draft, now=place.world.now, today=place.world.at.date())
