"""A spec in words for people."""

import pytest

from homolog.errors import UsageError
from homolog.spec.library import Library
from homolog.spec.render import render_interpretation, render_requirement, render_spec
from tests.spec.sample import SPEC, load

EDITION = "fistf.goalkeeper, edition 4.0 (file published). In force from an unknown day to 2014-05-07 (inferred)."


def test_a_requirement_is_said_with_its_methods_and_readings() -> None:
    assert render_requirement(load(), "gk.volume") == (
        "# gk.volume (1)\n"
        "\n"
        "Volume: at most 2700 mm³.\n"
        "Measured in mm³: volume\n"
        "Methods: scan.volume.\n"
        "INT-contents: What counts? Proposed: no reading is adopted, so all are tried; "
        "where the article fails some only, people decide.\n"
        "- outer: the outer space (volume, outer)\n"
        "- material: the material (volume, material: at most 2.5 cm³) Source: a comparable rule.\n"
        f"\n{EDITION}\n"
    )


def test_a_question_is_said_with_its_points_and_panel() -> None:
    assert render_requirement(load(), "gk.body") == (
        f"# gk.body (2)\n\nA body?\n- a head\n- a trunk\nThe board decides: 3 votes, majority.\n\n{EDITION}\n"
    )


def test_what_a_requirement_applies_to_is_said() -> None:
    assert "Only for match and self test.\n" in render_requirement(load(), "gk.ten")
    assert "Only where pose is upright or bent.\n" in render_requirement(load(), "gk.either")
    assert "Note: By hand.\n" in render_requirement(load(), "gk.fixed")
    assert "- by-pull: by pulling (Does it stay when pulled?)\n" in render_requirement(load(), "gk.fixed")
    assert "- free: no demand\n" in render_requirement(load(), "gk.fixed")


def test_a_derived_quantity_and_its_places_are_said() -> None:
    assert "Worked out: difference of goalkeeper.top and goalkeeper.foot. top less foot\n" in render_requirement(load(), "gk.flare")
    loaded = load(SPEC, ("of: goalkeeper.height, max: 39 mm", "of: goalkeeper.top, max: 39 mm"))
    assert "At each place: left and right.\n" in render_requirement(loaded, "gk.height")
    every = ('above", methods: [caliper], each: [left, right]', 'above", methods: [caliper], each: every')
    loaded = load(SPEC, ("of: goalkeeper.height, max: 39 mm", "of: goalkeeper.top, max: 39 mm"), every)
    assert "At each place: every one there is.\n" in render_requirement(loaded, "gk.height")


def test_an_interpretation_is_said_with_its_readings_its_status_and_what_turns_on_it() -> None:
    assert render_interpretation(load(), "INT-contents") == (
        "# INT-contents (1)\n"
        "\n"
        "INT-contents: What counts? Proposed: no reading is adopted, so all are tried; "
        "where the article fails some only, people decide.\n"
        "- outer: the outer space (volume, outer)\n"
        "- material: the material (volume, material: at most 2.5 cm³) Source: a comparable rule.\n"
        "What turns on it: gk.volume.\n"
        f"\n{EDITION}\n"
    )


def test_on_the_decision_rule_turns_every_number() -> None:
    text = render_interpretation(load(), "INT-decision")
    assert "Proposed: no reading is adopted.\n" in text
    assert "What turns on it: every number.\n" in text


def test_an_interpretation_that_nothing_names_says_so_and_keeps_its_note() -> None:
    loaded = load(
        SPEC,
        ('counts?"\n    status: proposed', 'counts?"\n    note: "See the minutes."\n    status: proposed'),
        (", basis: implied, interpretation: INT-contents", ""),
    )
    text = render_interpretation(loaded, "INT-contents")
    assert "Note: See the minutes.\nWhat turns on it: nothing.\n" in text


def test_an_interpretation_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="use one of INT-decision, INT-contents, INT-fixed"):
        render_interpretation(load(), "INT-hat")


def test_an_adoption_is_said_with_board_and_day() -> None:
    adoption = "adopted\n    adoption: {reading: outer, by: the board, on: 2026-01-02, decision: minutes 3}"
    loaded = load(SPEC, ('counts?"\n    status: proposed', f'counts?"\n    status: {adoption}'))
    assert "Outer, adopted on 2026-01-02 by the board (minutes 3).\n" in render_requirement(loaded, "gk.volume")


def test_a_whole_spec_begins_with_its_edition_and_ends_with_its_clauses() -> None:
    text = render_spec(load())
    assert text.startswith(f"# Goalkeeper\n\n{EDITION}\nSource: Rules, FISTF.\n")
    assert "\n## gk.height (1)\n\nAt most 39 mm high.\nHeight: at most 39 mm.\n" in text
    assert "\n## INT-decision (proposed)\n" in text
    assert text.endswith("- 4: partly. only the colour\n- 5 (goalkeeper.grip): informative. a rule of play\n")


@pytest.mark.parametrize(
    ("effective", "words"),
    [
        ("{from: 2014-05-08, basis: stated}", "In force from 2014-05-08 with no end known (stated)."),
        ("{from: 2014-05-08, to: unknown, basis: stated}", "In force from 2014-05-08 to an unknown day (stated)."),
    ],
)
def test_the_days_in_force_are_said(effective: str, words: str) -> None:
    assert words in render_spec(load(SPEC, ("{from: unknown, to: 2014-05-07, basis: inferred}", effective)))


def test_what_is_not_known_of_the_source_is_said() -> None:
    loaded = load(
        SPEC,
        ('  label: "4.0"', '  label: "4.0"\n  incomplete: "it breaks off"\n  note: "undated"'),
        ("issuer: FISTF}", 'issuer: FISTF, note: "a copy"}'),
        ('title: "Goalkeeper"\n', ""),
    )
    text = render_spec(loaded)
    assert text.startswith("# Goalkeeper\n")
    assert "\nundated\na copy\nThe source is incomplete: it breaks off\n" in text


def test_words_that_are_the_demand_are_said_once() -> None:
    loaded = load(SPEC, ("At most 39 mm high.", "Height: at most 39 mm."))
    assert render_requirement(loaded, "gk.height").count("at most 39 mm") == 1


def test_a_number_of_pieces_is_measured_in_pieces() -> None:
    loaded = load(SPEC, ("height: {unit: mm, what", "height: {unit: count, what"))
    assert "Measured in pieces: height\n" in render_requirement(loaded, "gk.height")


def test_texts_may_be_said_in_another_language() -> None:
    italian = {"requirement.gk.height.says": "Alto al massimo 39 mm."}
    text = render_requirement(load(), "gk.height", lambda key, english: italian.get(key, english))
    assert text.splitlines()[2] == "Alto al massimo 39 mm."


def test_a_requirement_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"fistf.goalkeeper 4.0 has no requirement 'gk.hat'; use one of gk.height, gk.volume"):
        render_requirement(load(), "gk.hat")


def test_every_shipped_spec_can_be_said() -> None:
    for edition in Library().editions.values():
        for item in edition.file.files:
            loaded = edition.spec(item)
            assert loaded is not None
            assert len(render_spec(loaded)) > 500
