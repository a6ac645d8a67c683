"""The names that a sheet may use come from the specs, and from several editions together."""

from __future__ import annotations

import pytest

from homolog.errors import SpecError
from homolog.spec.load import load_spec
from homolog.submission.vocabulary import Vocabulary
from tests.submission.sheets import HEAD, SPECS, spec_of, vocabulary_of


def test_sub_quantities_take_unit_from_the_quantity_they_belong_to() -> None:
    term = vocabulary_of("goalkeeper").quantities["goalkeeper.volume.outer"]
    assert (term.unit, term.methods, term.is_derived) == ("mm3", ("displacement",), False)
    assert "goalkeeper.volume.material" in vocabulary_of("goalkeeper").quantities


def test_differences_and_limits_about_zero_may_be_negative() -> None:
    terms = vocabulary_of("goalkeeper").quantities
    assert [key for key, term in terms.items() if term.is_signed] == ["goalkeeper.offset", "goalkeeper.height_minus_width"]


def test_places_are_closed_or_open() -> None:
    terms = vocabulary_of("board").quantities
    assert terms["board.penalty_area_depth"].places == ("end_a", "end_b")
    assert (terms["board.line_width"].has_open_places, terms["board.playing_area_length"].has_places) == (True, False)
    assert vocabulary_of("board").places == {"end_a", "end_b"}


def test_questions_go_by_requirement_and_by_row() -> None:
    board, keeper = vocabulary_of("board").questions, vocabulary_of("goalkeeper").questions
    assert sorted(board) == ["board.cloth", "board.cloth_smooth_and_true", "board.level"]
    assert sorted(keeper) == ["gk.complete", "gk.human_body", "goalkeeper.complete", "goalkeeper.human_body"]
    assert keeper["goalkeeper.human_body"].requirements == ("gk.human_body",)


def test_roles_of_pieces_are_those_of_the_set() -> None:
    assert vocabulary_of("set").roles == ("field_figure", "spare_goalkeeper", "goalkeeper")


def edition(body: str) -> Vocabulary:
    other = load_spec((HEAD.format(item="goalkeeper") + body).encode(), "test/2/goalkeeper.yaml")
    return Vocabulary.of([spec_of("goalkeeper"), other])


def test_two_editions_join_their_names() -> None:
    both = edition(
        "attributes: {family: {what: f, values: [none, zeugo]}, maker: {what: m, values: [A]}}\n"
        "quantities:\n"
        "  goalkeeper.height: {unit: cm, what: h, methods: [ruler], each: [end_a]}\n"
        "  goalkeeper.small_end: {unit: mm, what: s, methods: [caliper]}\n"
        "requirements: [{id: gk.outline, kind: inspect, ask: is it, clause: '1'}]\n"
    )
    height = both.quantities["goalkeeper.height"]
    assert (height.unit, height.places, height.methods) == ("mm", ("end_a",), ("gauge", "caliper", "scan.extent", "ruler"))
    assert "goalkeeper.small_end" in both.quantities
    assert "gk.outline" in both.questions
    assert (both.attributes["family"], both.attributes["maker"]) == (("none", "flat", "toccer", "zeugo"), None)


def test_one_quantity_has_one_dimension_in_all_editions() -> None:
    with pytest.raises(SpecError, match="in another edition"):
        edition("quantities: {goalkeeper.height: {unit: g, what: h, methods: [ruler]}}\nrequirements: []\n")


def test_a_vocabulary_is_of_one_item() -> None:
    with pytest.raises(SpecError, match="of one item"):
        Vocabulary.of([spec_of("board"), spec_of("figure")])
    with pytest.raises(SpecError, match="not of none"):
        Vocabulary.of([])
    assert Vocabulary.of([], item="ball").quantities == {}


def test_every_small_spec_can_be_read() -> None:
    assert {vocabulary_of(item).item for item in SPECS} == set(SPECS)
