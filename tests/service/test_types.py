"""The register of types, on both databases."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from homolog.check import read_extract
from homolog.errors import InputRefused
from homolog.evaluate.verdict import Verdict
from homolog.register import audit
from homolog.register import types as rows
from homolog.register.ids import new_id
from homolog.register.search import Wanted
from homolog.seal.forms import read_form
from homolog.seal.status import TypeStatus
from homolog.service import exports, types
from homolog.service.actor import VISITOR
from homolog.service.identity.refusals import ChangedMeanwhile
from homolog.service.missing import Missing
from homolog.service.permissions import NotAllowed, SignInNeeded
from homolog.service.seeding import seed
from homolog.service.standing import keep_standing
from homolog.service.workflow.refusal import StepRefused
from tests.service.people import World

TODAY = date(2026, 12, 1)
REASONS = [{"clause": "III-4.3.2", "text": "It is made otherwise now."}]


def enter(world: World, name: str, **changes: Any) -> str:
    """Enter a type as if the rules named it, so that a test of the search needs no votes."""
    values: dict[str, Any] = {"item": "figure", "family": "sports", "maker": "Maker", "named_by": "III-4.3.2", "details": {}}
    values |= changes
    with world.desk.database.write() as session:
        number = rows.take_number(session, values["item"], None, now=world.now)
        record = rows.TypeRecord(
            id=new_id(world.at),
            number=number,
            name=name,
            organisation_id=None,
            application_id=None,
            body="fistf",
            edition="4.0",
            named_id=None,
            at=world.at,
            **values,
        )
        rows.enter(session, record)
        keep_standing(session, world.desk, record, ())
    return number


def found(world: World, words: str = "", **more: Any) -> list[str]:
    page = types.find(world.desk, Wanted(words=words, on=more.pop("on", TODAY), **more))
    return [one.type.name for one in page.found]


def codes(refused: pytest.ExceptionInfo[StepRefused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


# What the rules name


def test_the_types_that_the_rules_name_are_there_from_the_start_and_only_once(world: World) -> None:
    first = seed(world.desk, now=world.now)
    assert len(first) == 15
    assert first[:3] == ("HML-B-0001", "HML-B-0002", "HML-F-0001")
    assert seed(world.desk, now=world.now) == ()
    view = types.view(VISITOR, world.desk, "HML-B-0002", day=date(1999, 1, 1))
    assert (view.record.name, view.record.named_by) == ("Zeugo ball", "III-3.2")
    assert view.standing is not None
    assert view.standing.is_usable
    assert [change.what for change in view.changes] == ["named_in_rules"]


def test_a_register_of_another_body_begins_empty(world: World) -> None:
    from dataclasses import replace

    assert seed(replace(world.desk, body="other"), now=world.now) == ()


def test_a_type_that_the_rules_name_can_be_withdrawn_with_a_grace_date(world: World) -> None:
    seed(world.desk, now=world.now)
    said = {"on": "2027-01-01", "grace": "2027-12-31", "reasons": REASONS}
    view = types.take(world.anna, world.desk, "HML-F-0003", "withdraw", said, now=world.now, today=TODAY)
    assert [event.step for event in view.waiting] == ["withdraw"]
    types.take(world.boris, world.desk, "HML-F-0003", "confirm", {"entry": 1}, now=world.now, today=TODAY)
    assert found(world, status="withdrawn", on=date(2027, 6, 1)) == ["Sports"]
    assert found(world, status="withdrawn") == []

    def usable(day: date) -> bool:
        standing = types.standing_of(world.desk, "HML-F-0003", day=day)
        assert standing is not None
        return standing.is_usable

    assert [usable(date(2026, 12, 31)), usable(date(2027, 12, 31)), usable(date(2028, 1, 1))] == [True, True, False]
    with pytest.raises(StepRefused) as refused:
        types.take(world.anna, world.desk, "HML-F-0003", "homologate", {"on": "2027-01-01"}, now=world.now, today=TODAY)
    assert codes(refused) == ["decision_out_of_order"]


# Decisions


def test_a_decision_needs_two_and_never_the_maker(world: World) -> None:
    number = world.homologated().record.number
    inside = world.person("inside", "board", of=world.organisations["Swift Ltd"])
    said = {"on": "2027-01-01", "reasons": REASONS}
    with pytest.raises(StepRefused) as refused:
        types.take(inside, world.desk, number, "suspend", said, now=world.now, today=TODAY)
    assert codes(refused) == ["conflict_of_interest"]
    for actor, error in ((world.mary, NotAllowed), (world.lena, NotAllowed), (VISITOR, SignInNeeded)):
        with pytest.raises(error):
            types.take(actor, world.desk, number, "suspend", said, now=world.now, today=TODAY)
    view = types.take(world.anna, world.desk, number, "suspend", said, now=world.now, today=TODAY)
    with pytest.raises(StepRefused) as alone:
        types.take(world.anna, world.desk, number, "confirm", {"entry": view.seq}, now=world.now, today=TODAY)
    assert codes(alone) == ["four_eyes"]
    assert types.view(VISITOR, world.desk, number, day=TODAY).waiting == ()
    assert types.view(inside, world.desk, number, day=TODAY).waiting == ()
    assert [change.what for change in types.changes(world.desk)] == ["homologate"]
    types.take(world.carla, world.desk, number, "confirm", {"entry": view.seq}, now=world.now, today=TODAY)
    changes = types.changes(world.desk, after=1)
    assert [(change.number, change.what, change.on, change.type_number) for change in changes] == [
        (2, "suspend", date(2027, 1, 1), number)
    ]
    assert [one.type.number for one in types.find(world.desk, Wanted(status="suspended", on=date(2027, 1, 1))).found] == [number]


def test_an_entry_names_what_was_looked_at(world: World) -> None:
    number = enter(world, "Swift")
    said = {"on": "2027-01-01", "reasons": REASONS}
    types.take(world.anna, world.desk, number, "suspend", said, now=world.now, today=TODAY, expected=0)
    with pytest.raises(ChangedMeanwhile):
        types.take(world.boris, world.desk, number, "suspend", said, now=world.now, today=TODAY, expected=0)
    with pytest.raises(Missing):
        types.view(VISITOR, world.desk, "HML-F-9999", day=TODAY)
    with world.desk.database.read() as session:
        assert audit.check(session).broken_at is None


def test_the_status_is_told_in_the_form_that_is_signed(world: World) -> None:
    number = world.homologated().record.number
    view = types.take(
        world.anna,
        world.desk,
        number,
        "withdraw",
        {"on": "2027-01-01", "grace": "2027-06-30", "reasons": REASONS},
        now=world.now,
        today=TODAY,
    )
    types.take(world.boris, world.desk, number, "confirm", {"entry": view.seq}, now=world.now, today=TODAY)

    def status(day: date) -> TypeStatus:
        data = types.status_data(world.desk, number, issuer="FISTF", now=world.at, day=day)
        return read_form(TypeStatus, data, "status")

    assert (status(TODAY).status, status(TODAY).until) == ("homologated", None)
    withdrawn = status(date(2027, 3, 1))
    assert (withdrawn.status, withdrawn.since, withdrawn.until) == ("withdrawn", date(2027, 1, 1), date(2027, 6, 30))
    assert withdrawn.says == "III-4.3.2: It is made otherwise now."
    assert len(withdrawn.reports) == len(withdrawn.certificates) == 1
    assert types.status_data(world.desk, number, issuer="FISTF", now=world.at, day=date(2020, 1, 1)) is None


# Search


def test_a_type_is_found_by_any_of_its_words_in_any_alphabet(world: World) -> None:
    seed(world.desk, now=world.now)
    assert found(world, "zeugo") == ["Zeugo", "Zeugo", "Zeugo ball"]
    assert found(world, "Зеуго", item="ball") == ["Zeugo ball"]
    assert found(world, "SPÖRTS", item="goalkeeper") == ["Sports"]
    assert found(world, "subb ball") == ["Subbuteo ball"]
    assert found(world, "ball subb") == ["Subbuteo ball"]
    assert found(world, "HML-F-0003") == ["Sports"]
    assert found(world, "hml f 0003") == ["Sports"]
    assert found(world, family="woodentop") == ["Woodentop", "Woodentop"]
    assert found(world, "toccer sports") == []
    assert found(world, "nothing of this") == []


def test_words_longer_than_the_index_are_told_apart(world: World) -> None:
    enter(world, "Profibasement")
    enter(world, "Profibases")
    assert found(world, "profibasem") == ["Profibasement"]
    assert found(world, "profibas") == ["Profibasement", "Profibases"]


def test_marks_alone_find_nothing_and_are_no_pattern(world: World) -> None:
    enter(world, "Swift")
    for words in ("%", "_", "'; drop table type_word; --", "***", "%%%%%%%%%wift"):
        assert found(world, words) == []
    assert found(world, "swift%") == ["Swift"]
    assert found(world) == ["Swift"]


def test_pages_show_each_type_once_in_the_order_of_names(world: World) -> None:
    names = sorted(f"Model {letter}" for letter in "abcdefg")
    for name in reversed(names):
        enter(world, name, maker="Mo Dell")
    shown, after = [], None
    for _ in range(4):
        page = types.find(world.desk, Wanted(words="mo", on=TODAY), after=after, limit=2)
        shown += [one.type.name for one in page.found]
        after = page.after
    assert after is None
    assert shown == names
    page = types.find(world.desk, Wanted(on=TODAY), limit=3)
    rest = types.find(world.desk, Wanted(on=TODAY), after=page.after)
    assert [one.type.name for one in (*page.found, *rest.found)] == names


def test_a_shorter_name_comes_before_a_longer_one(world: World) -> None:
    for name in ("Swift II", "Swiftly", "Swift"):
        enter(world, name)
    assert found(world) == ["Swift", "Swift II", "Swiftly"]


# Files for others


def test_the_register_as_csv_holds_no_formula(world: World) -> None:
    enter(world, "=cmd|' /C calc'!A0", maker='@Maker, "and" sons')
    enter(world, "\uff1d1+1", maker="Wide")  # a wide =, which some spreadsheets take for one
    seed(world.desk, now=world.now)
    text = b"".join(exports.csv_lines(world.desk, Wanted(on=TODAY))).decode()
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) == 17
    assert next(line for line in lines if line["maker"] == "Wide")["name"] == "'\uff1d1+1"
    odd = next(line for line in lines if line["maker"].endswith("sons"))
    assert odd["name"] == "'=cmd|' /C calc'!A0"
    assert odd["maker"] == '\'@Maker, "and" sons'
    ball = next(line for line in lines if line["number"] == "HML-B-0001")
    assert (ball["named_by"], ball["status"], ball["since"], ball["usable"]) == ("III-3.2", "homologated", "", "yes")


def test_the_register_as_json_is_one_document(world: World) -> None:
    assert json.loads(b"".join(exports.json_lines(world.desk, Wanted(on=TODAY))))["types"] == []
    seed(world.desk, now=world.now)
    value = json.loads(b"".join(exports.json_lines(world.desk, Wanted(item="ball", on=TODAY))))
    assert value["format"] == "homolog-register-list/1"
    assert [one["name"] for one in value["types"]] == ["Subbuteo ball", "Zeugo ball"]


def test_an_extract_says_what_may_be_used_when(world: World) -> None:
    seed(world.desk, now=world.now)
    view = world.homologated()
    data = exports.extract(world.desk, day=TODAY)
    assert exports.extract(world.desk, day=TODAY) == data
    register = read_extract(data, "register.json")
    assert (register.on, register.body) == (TODAY, "fistf")

    def verdict(name: str, day: date, item: str) -> Verdict:
        return register.look_up(item, name, day).verdict

    assert verdict("swift", TODAY, "ball") is Verdict.CONFORM
    assert verdict(view.record.number, TODAY, "ball") is Verdict.CONFORM
    assert verdict("Swift", date(2026, 11, 30), "ball") is Verdict.NONCONFORM
    assert verdict("Swift", TODAY, "figure") is Verdict.NONCONFORM
    assert verdict("Toccer", date(1999, 1, 1), "figure") is Verdict.CONFORM
    assert verdict("Subbuteo", TODAY, "ball") is Verdict.CONFORM


TWO_OF_ONE_NAME = json.dumps(
    {
        "format": "homolog-register/1",
        "body": "b",
        "on": "2026-12-01",
        "types": [{"number": number, "item": "ball", "names": [name], "usable": []} for number, name in (("1", "A"), ("2", "a"))],
    }
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "homolog-register/2", "body": "b", "on": "2026-12-01", "types": []}',
        '{"format": "homolog-register/1", "body": "b", "on": "yesterday", "types": []}',
        '{"format": "homolog-register/1", "body": "b", "on": "2026-12-01", "types": [], "more": 1}',
        '{"format": "homolog-register/1", "body": "b", "body": "c", "on": "2026-12-01", "types": []}',
        TWO_OF_ONE_NAME,
        "[" * 100_000,
    ],
)
def test_what_is_no_extract_is_refused(text: str) -> None:
    with pytest.raises(InputRefused):
        read_extract(text.encode(), "register.json")


def test_a_register_of_years_keeps_its_numbers(world: World) -> None:
    world.at = datetime(2030, 1, 1, tzinfo=UTC)
    assert enter(world, "One") == "HML-F-0001"
    assert enter(world, "Two", item="goalkeeper") == "HML-G-0001"
    assert enter(world, "Three") == "HML-F-0002"


def test_a_whole_number_means_that_one_type(world: World) -> None:
    seed(world.desk, now=world.now)
    words = {"item": None, "family": None, "status": None, "on": TODAY}
    found = types.find(world.desk, types.wanted_of(words=" hml-f-0001 ", **words)).found
    assert [one.type.number for one in found] == ["HML-F-0001"]
    # As words alone they are the beginnings of "HML", "Flat" and "0001", which another type has too.
    assert len(types.find(world.desk, Wanted(words="hml-f-0001", on=TODAY)).found) == 2
    assert types.find(world.desk, types.wanted_of(words="HML-F-9999", **words)).found == ()
