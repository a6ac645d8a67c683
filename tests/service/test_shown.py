"""Applications and types as JSON: all of it can be written, and secrets stay where they are."""

from __future__ import annotations

import json
from datetime import date

import pytest

from homolog.register.database import Database
from homolog.register.search import Wanted
from homolog.service import applications, shown, types
from homolog.service.actor import VISITOR
from homolog.service.seeding import seed
from tests.service.people import World

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
TODAY = date(2026, 12, 1)


def test_an_application_is_written_out_at_each_of_its_stations(world: World, database: Database) -> None:
    application = world.begin()

    def told(name: str) -> dict[str, object]:
        view = applications.view(world.actors[name], world.desk, application, now=world.at)
        value: dict[str, object] = json.loads(json.dumps(shown.application(view)))
        return value

    assert (told("mary")["state"], told("mary")["says"]) == ("draft", "Being written")
    world.describe(application)
    world.take(world.mary, application, "submit")
    world.measure(application)
    world.assess(application)
    reasons = [{"clause": "III-3.1", "text": "It holds."}]
    world.take(world.anna, application, "open_vote", proposal="approve", reasons=reasons, closes="2027-01-01T00:00:00+00:00")
    world.take(world.anna, application, "vote", choice="no", text="A private word")
    for name in ("mary", "boris", "lena"):
        text = json.dumps(told(name))
        assert "A private word" not in text
        assert '"choice": "no"' not in text
    assert "A private word" in json.dumps(told("anna"))
    steps = {one["step"]: one for one in told("boris")["next"]}  # type: ignore[union-attr, attr-defined]
    assert (steps["vote"]["yours"], steps["close_vote"]["blocked_by"][0]["code"]) == (True, "step_not_now")
    (vote,) = told("mary")["votes"]  # type: ignore[misc, attr-defined]
    assert (vote["tally"], vote["voted"]) == (None, [])
    (summary,) = applications.listed(world.anna, world.desk)
    assert shown.summary(summary)["state"] == "voting"


def test_a_type_is_written_out_with_its_history(world: World, database: Database) -> None:
    seed(world.desk, now=world.now)
    number = world.homologated().record.number
    told = json.loads(json.dumps(shown.a_type(types.view(VISITOR, world.desk, number, day=TODAY))))
    assert (told["number"], told["standing"]["status"], told["standing"]["since"]) == ("HML-B-0003", "homologated", "2026-12-01")
    assert [one["what"] for one in told["changes"]] == ["homologate"]
    named = json.loads(json.dumps(shown.a_type(types.view(VISITOR, world.desk, "HML-B-0001", day=TODAY))))
    assert (named["named_by"], named["standing"]["since"], named["decisions"][0]["confirmed_by"]) == ("III-3.2", None, None)
    listed = shown.page(types.find(world.desk, Wanted(item="ball", on=TODAY)))
    assert [one["number"] for one in listed["types"]] == ["HML-B-0001", "HML-B-0003", "HML-B-0002"]
    assert listed["after"] is None
