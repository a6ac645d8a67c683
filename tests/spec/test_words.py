"""Limits and requirements in words, and the texts that are translated."""

from decimal import Decimal

import pytest

from homolog.quantity import parse_measure
from homolog.spec.i18n import source_hash
from homolog.spec.interpretation import Bounds
from homolog.spec.sides import Side, Sides, dimension_of_bounds, sides_of
from homolog.spec.texts import texts_of
from homolog.spec.words import (
    say_condition,
    say_count,
    say_demand,
    say_limit,
    say_list,
    say_measure,
    say_name,
    say_number,
    say_unit,
)
from tests.spec.sample import SPEC, load

LIMITS = [
    ({"max": "39 mm"}, "at most 39 mm"),
    ({"min": "1000 mm"}, "at least 1000 mm"),
    ({"min": "21.5 mm", "max": "22.5 mm"}, "21.5 to 22.5 mm"),
    ({"min": "2 cm", "max": "22.5 mm"}, "2 cm to 22.5 mm"),
    ({"above": "21 mm"}, "more than 21 mm"),
    ({"below": "22 mm"}, "less than 22 mm"),
    ({"above": "21 mm", "max": "22 mm"}, "more than 21 mm and at most 22 mm"),
    ({"min": "21 mm", "below": "22 mm"}, "at least 21 mm and less than 22 mm"),
    ({"within": "5 mm"}, "at most 5 mm either way"),
    ({"min": "60 mm", "max": "6 cm"}, "exactly 6 cm"),
    ({"min": "2 count", "max": "3 count"}, "2 to 3"),
    ({"max": "2700 mm3"}, "at most 2700 mm³"),
    ({"max": "360 deg"}, "at most 360°"),
    ({}, ""),
]


@pytest.mark.parametrize(("bounds", "words"), LIMITS)
def test_a_limit_is_said_in_words(bounds: dict[str, str], words: str) -> None:

    assert say_limit(Bounds.model_validate(bounds)) == words


def test_units_are_written_as_people_write_them() -> None:
    assert [say_unit(unit) for unit in ("mm", "mm3", "cm3", "deg", "count")] == ["mm", "mm³", "cm³", "°", ""]
    assert say_number(Decimal("0.0001"), "g") == "0.0001 g"
    assert say_number(Decimal(10), "count") == "10"
    assert say_measure(parse_measure("1.50 g")) == "1.50 g"


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (("min: 2, max: 10", "min: 10, max: 10"), "exactly 10"),
        (("min: 2, max: 10", "min: 10"), "at least 10"),
        (("min: 2, max: 10", "max: 10"), "at most 10"),
        (("min: 2, max: 10", "min: 2, max: 10"), "2 to 10"),
    ],
)
def test_a_count_is_said_in_words(edit: tuple[str, str], words: str) -> None:
    requirement = load(SPEC, edit).requirements["gk.ten"]
    assert say_count(requirement) == words  # type: ignore[arg-type]
    assert say_demand(requirement) == f"{words} pieces whose role is field"


DEMANDS = {
    "gk.height": "height: at most 39 mm",
    "gk.volume": "volume: at most 2700 mm³",
    "gk.flare": "flare: at most 1 mm either way where pose is upright; at most 2 mm either way where pose is bent",
    "gk.fixed": "Is it fixed?",
    "gk.body": "A body?",
    "gk.ten": "2 to 10 pieces whose role is field",
    "gk.alike": "all pieces whose role is field are alike in colour",
    "gk.unlike": "no pieces whose role is spare are like pieces whose role is field in colour",
    "gk.colour": "colour is red or blue",
    "gk.approved": "the colour stands in the register on the day that counts",
    "gk.either": "at least one of gk.body and gk.approved holds",
}


@pytest.mark.parametrize("name", list(DEMANDS))
def test_every_kind_of_requirement_is_said_in_words(name: str) -> None:
    assert say_demand(load().requirements[name]) == DEMANDS[name]


def test_a_limit_left_to_its_readings_says_so() -> None:
    loaded = load(SPEC, ("goalkeeper.volume, max: 2700 mm3,", "goalkeeper.volume,"))
    assert say_demand(loaded.requirements["gk.volume"]) == "volume: as its interpretation says"


def test_a_general_limit_comes_before_its_cases() -> None:
    loaded = load(SPEC, ('clause: "3"\n    cases', 'clause: "3"\n    within: 3 mm\n    cases'))
    assert say_demand(loaded.requirements["gk.flare"]).startswith("flare: at most 3 mm either way; at most 1 mm")


def test_a_group_without_a_condition_is_all_pieces() -> None:
    loaded = load(SPEC, ("gk.alike, kind: uniform, of: {role: field}", "gk.alike, kind: uniform, of: {}"))
    assert say_demand(loaded.requirements["gk.alike"]) == "all pieces are alike in colour"


def test_pieces_may_be_judged_apart_for_each_value_of_an_attribute() -> None:
    loaded = load(SPEC, ("gk.alike, kind: uniform, of: {role: field}", "gk.alike, kind: uniform, of: {}, each: player"))
    assert say_demand(loaded.requirements["gk.alike"]) == "all pieces are alike in colour, for each player apart"


def test_names_lists_and_conditions_read_as_sentences() -> None:
    assert say_name("goal.post_length.with_crossbar") == "post length, with crossbar"
    assert say_name("base_colour") == "base colour"
    assert say_list(["a"]) == "a"
    assert say_list(["a", "b", "c"], "or") == "a, b or c"
    assert (
        say_condition({"family": ("00_scale", "sports"), "base_colour": ("red",)})
        == "family is 00 scale or sports and base colour is red"
    )
    assert say_condition({}) == ""


def test_sides_are_exact_in_the_base_unit() -> None:
    assert sides_of(Bounds.model_validate({"min": "2 cm", "below": "1 in"})) == Sides(
        Side(Decimal(20)), Side(Decimal("25.4"), is_strict=True)
    )
    assert sides_of(Bounds.model_validate({"within": "1 cm"})) == Sides(Side(Decimal(-10)), Side(Decimal(10)))
    assert sides_of(Bounds()) == Sides()
    assert dimension_of_bounds(Bounds()) is None
    assert not sides_of(Bounds.model_validate({"min": "2 cm"})).is_single_value


def test_every_text_that_people_read_has_a_key() -> None:
    texts = texts_of(load().spec)
    assert list(texts)[:2] == ["title", "attribute.pose.what"]
    assert texts["method.gauge.says"] == "gauge"
    assert texts["quantity.goalkeeper.height.what"] == "height"
    assert texts["derived.goalkeeper.flare.what"] == "top less foot"
    assert texts["interpretation.INT-fixed.question"] == "What is fixed?"
    assert texts["interpretation.INT-fixed.reading.by-pull.says"] == "by pulling"
    assert texts["interpretation.INT-fixed.reading.by-pull.ask"] == "Does it stay when pulled?"
    assert "interpretation.INT-fixed.reading.free.ask" not in texts
    assert texts["requirement.gk.height.says"] == "At most 39 mm high."
    assert texts["requirement.gk.body.ask"] == "A body?"
    assert [texts[f"requirement.gk.body.criteria.{n}"] for n in (1, 2)] == ["a head", "a trunk"]
    assert texts["requirement.gk.fixed.note"] == "By hand."
    assert all(texts.values())


def test_a_translation_names_its_source_by_twelve_letters() -> None:
    assert source_hash("height") == "39e0f5efdc39"
