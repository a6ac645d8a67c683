"""The board's work on the rules: entered by one, decided by another, used by all later assessments."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from homolog.data import specs_dir
from homolog.errors import InputRefused
from homolog.report import read_report
from homolog.service import editions
from homolog.service.assessing import assess
from homolog.service.editions import RulesRefused
from homolog.service.permissions import NotAllowed
from homolog.service.rules import Rules
from tests.service.people import World

TODAY = date(2026, 12, 1)
BALL = (specs_dir() / "fistf" / "4.0" / "ball.yaml").read_text(encoding="utf-8")
HEAD = '  label: "4.0"\n  status: published\n  effective: {from: unknown, basis: inferred}\n'
NEXT = """  label: "5.0"
  status: published
  effective: {from: 2027-06-01, basis: stated}
  supersedes: "4.0"
  transition: {policy: grace, until: 2028-01-01}
"""
ADOPTIONS = b"""
format: homolog-adoptions/1
adoptions:
  - {interpretation: INT-ball-diameter, reading: READING, by: The board, on: 2026-11-01, decision: Minutes 7}
"""
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def next_ball(*changes: tuple[str, str]) -> bytes:
    """Return the next edition's rules for a ball."""
    text = BALL
    for old, new in ((HEAD, NEXT), *changes):
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def adoptions_for(interpretation: str, reading: str, on: str = "2026-11-01") -> bytes:
    text = ADOPTIONS.decode().replace("INT-ball-diameter", interpretation).replace("READING", reading)
    return text.replace("2026-11-01", on).encode()


@pytest.fixture
def rules(world: World) -> Rules:
    return Rules(world.desk)


def test_an_edition_is_in_force_from_its_day_on_once_another_member_has_published_it(world: World, rules: Rules) -> None:
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball()}, now=world.now)
    assert entered.is_sound
    assert entered.since == {"ball": date(2027, 6, 1)}
    assert entered.transitions["ball"]["until"] == "2028-01-01"
    assert rules.library().in_force("fistf", "ball", date(2027, 6, 1)).file.label == "4.0"
    editions.decide(world.boris, rules, entered.draft.id, "published", "Minutes 8", now=world.now, today=TODAY)
    library = rules.library()
    assert library.in_force("fistf", "ball", date(2027, 5, 31)).file.label == "4.0"
    assert library.in_force("fistf", "ball", date(2027, 6, 1)).file.label == "5.0"
    assert library.in_force("fistf", "figure", date(2027, 6, 1)).file.label == "4.0"
    assert library.edition("fistf", "5.0").spec("figure") is not None


def test_what_was_known_on_a_day_stays_as_it_was_known(world: World, rules: Rules) -> None:
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball()}, now=world.now)
    before = world.now
    editions.decide(world.boris, rules, entered.draft.id, "published", "Minutes 8", now=world.now, today=TODAY)
    assert rules.library(known_at=before).in_force("fistf", "ball", date(2027, 6, 1)).file.label == "4.0"
    assert rules.library(known_at=world.now).in_force("fistf", "ball", date(2027, 6, 1)).file.label == "5.0"


def test_a_draft_says_what_it_changes_in_words(world: World, rules: Rules) -> None:
    tighter = ("id: as-written, min: 1.45 g", "id: as-written, min: 1.47 g")
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball(tighter)}, now=world.now)
    changes = [(change.id, change.direction) for change in entered.changes["ball"]]
    assert changes == [("ball.mass", "interpretation")]  # an open reading is no rule yet


def test_who_has_entered_a_draft_does_not_decide_on_it(world: World, rules: Rules) -> None:
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball()}, now=world.now)
    with pytest.raises(RulesRefused) as refused:
        editions.decide(world.anna, rules, entered.draft.id, "published", "Minutes 8", now=world.now, today=TODAY)
    assert refused.value.problems[0].code == "four_eyes"


def test_a_draft_is_decided_on_once(world: World, rules: Rules) -> None:
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball()}, now=world.now)
    editions.decide(world.boris, rules, entered.draft.id, "dropped", "Not now", now=world.now, today=TODAY)
    with pytest.raises(RulesRefused) as refused:
        editions.decide(world.carla, rules, entered.draft.id, "published", "Now", now=world.now, today=TODAY)
    assert refused.value.problems[0].code == "decided_already"
    assert ("fistf", "5.0") not in rules.library().editions


def test_a_faulty_draft_can_be_looked_at_and_not_published(world: World, rules: Rules) -> None:
    faulty = next_ball(("kind: limit, of: ball.mass", "kind: limit, of: ball.weight"))
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": faulty}, now=world.now)
    assert not entered.is_sound
    assert all(complaint.where.startswith("fistf/5.0/") for complaint in entered.complaints)
    with pytest.raises(RulesRefused) as refused:
        editions.decide(world.boris, rules, entered.draft.id, "published", "Minutes", now=world.now, today=TODAY)
    assert {problem.code for problem in refused.value.problems} == {"edition_faulty"}


def test_an_edition_without_a_day_is_not_published(world: World, rules: Rules) -> None:
    undated = next_ball(("from: 2027-06-01, basis: stated", "from: unknown, basis: inferred"))
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": undated}, now=world.now)
    with pytest.raises(RulesRefused):
        editions.decide(world.boris, rules, entered.draft.id, "published", "Minutes", now=world.now, today=TODAY)


@pytest.mark.parametrize("name", ["../ball.yaml", "/etc/passwd", "i18n/../../ball.yaml", "ball.YAML", "x/ball.yaml"])
def test_a_file_that_leads_out_of_the_edition_is_refused(world: World, rules: Rules, name: str) -> None:
    with pytest.raises(InputRefused) as refused:
        editions.enter_edition(world.anna, rules, {name: next_ball()}, now=world.now)
    assert refused.value.problems[0].code == "edition_file"


def test_an_edition_does_not_name_files_outside_of_the_library(world: World, rules: Rules) -> None:
    edition = 'format: homolog-edition/1\nbody: fistf\nlabel: "5.0"\ntitle: t\nissuer: i\n'
    edition += "files:\n  ball: {file: ../../../x.yaml, sha256: %s}\n"
    with pytest.raises(InputRefused):
        editions.enter_edition(world.anna, rules, {"edition.yaml": (edition % ("0" * 64)).encode()}, now=world.now)


def test_a_published_label_is_taken(world: World, rules: Rules) -> None:
    with pytest.raises(RulesRefused) as refused:
        editions.enter_edition(world.anna, rules, {"ball.yaml": BALL.encode()}, now=world.now)
    assert refused.value.problems[0].code == "edition_label"


@pytest.mark.parametrize("name", ["mary", "lena", "ralf"])
def test_only_the_board_enters_rules(world: World, rules: Rules, name: str) -> None:
    with pytest.raises(NotAllowed):
        editions.enter_edition(world.actors[name], rules, {"ball.yaml": next_ball()}, now=world.now)
    with pytest.raises(NotAllowed):
        editions.enter_adoptions(world.actors[name], rules, adoptions_for("INT-ball-mass", "x"), "a.yaml", now=world.now)


def readings_of(rules: Rules, interpretation: str) -> list[str]:
    spec = rules.library().edition("fistf", "4.0").spec("ball")
    assert spec is not None
    return [reading.id for one in spec.spec.interpretations if one.id == interpretation for reading in one.readings]


def test_an_adoption_is_named_by_all_later_assessments(world: World, rules: Rules) -> None:
    reading = readings_of(rules, "INT-ball-mass")[0]
    application = world.submit()
    world.measure(application)
    entered = editions.enter_adoptions(world.anna, rules, adoptions_for("INT-ball-mass", reading), "a.yaml", now=world.now)
    editions.decide(world.boris, rules, entered.draft.id, "published", "Minutes 7", now=world.now, today=TODAY)
    assess(world.anna, rules.desk(), application, now=world.now, today=TODAY)
    with world.desk.database.read() as session:
        from homolog.register import applications

        events = applications.events(session, application)
    digest = next(event.data["report"] for event in events if event.step == "assess")
    record = read_report(world.desk.files.read(digest)).record
    assert [one["interpretation"] for one in record["adoptions"] if one["in_force"]] == ["INT-ball-mass"]


def test_two_decisions_of_one_day_on_one_question_do_not_differ(world: World, rules: Rules) -> None:
    first, second = readings_of(rules, "INT-ball-mass")[:2]
    for reading in (first, second):
        if reading == second:
            with pytest.raises(InputRefused) as refused:
                editions.enter_adoptions(world.anna, rules, adoptions_for("INT-ball-mass", reading), "a.yaml", now=world.now)
            assert refused.value.problems[0].code == "adoption_overlap"
        else:
            one = editions.enter_adoptions(world.anna, rules, adoptions_for("INT-ball-mass", reading), "a.yaml", now=world.now)
            editions.decide(world.boris, rules, one.draft.id, "published", "Minutes 7", now=world.now, today=TODAY)


def test_a_later_decision_takes_the_place_of_an_earlier_one(world: World, rules: Rules) -> None:
    first, second = readings_of(rules, "INT-ball-mass")[:2]
    for reading, on in ((first, "2026-11-01"), (second, "2026-11-02")):
        one = editions.enter_adoptions(world.anna, rules, adoptions_for("INT-ball-mass", reading, on), "a.yaml", now=world.now)
        editions.decide(world.boris, rules, one.draft.id, "published", "Minutes", now=world.now, today=TODAY)
    from homolog.service.rules import adoptions_of

    with world.desk.database.read() as session:
        found = adoptions_of(session)
        earlier = adoptions_of(session, known_at=world.at - timedelta(minutes=1))
    assert found is not None
    assert [one.reading for one in found.adoptions] == [first, second]
    assert earlier is not None
    assert [one.reading for one in earlier.adoptions] == [first]


def test_a_library_of_the_register_lies_in_a_folder_of_its_own(world: World, rules: Rules) -> None:
    entered = editions.enter_edition(world.anna, rules, {"ball.yaml": next_ball()}, now=world.now)
    root = rules.library(draft=entered.draft).root
    assert root != specs_dir()
    assert not (specs_dir() / "fistf" / "5.0").exists()
    assert Path(root, "fistf", "5.0", "ball.yaml").read_bytes() == next_ball()
    assert rules.library(draft=entered.draft).root == root
