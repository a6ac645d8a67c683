"""The shipped packs: whole, frozen, accounted for row by row, registered, and proposals only."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from homolog.evaluate.examples import run_examples
from homolog.gate.yaml_text import parse_yaml
from homolog.spec.coverage import coverage
from homolog.spec.library import Library, LoadedEdition
from homolog.spec.lint import lint
from homolog.spec.requirement import Limit
from tests.packs.conftest import LIBRARY, OWN_SPECS, name_of, spec_of, table_of

OWN = pytest.mark.parametrize(("edition", "item"), OWN_SPECS, ids=[name_of(edition, item) for edition, item in OWN_SPECS])
EDITIONS = pytest.mark.parametrize(
    "edition", LIBRARY.editions.values(), ids=lambda edition: f"{edition.file.body}-{edition.file.label}"
)
HAND = {"gauge", "caliper", "ruler"}
ITEMS = {"board", "goal", "ball", "figure", "goalkeeper", "set", "match"}


def test_the_packs_are_these() -> None:
    assert {
        (body, label): {item for item in edition.file.files if edition.owns(item)}
        for (body, label), edition in LIBRARY.editions.items()
    } == {
        ("fistf", "4.0"): ITEMS,
        ("fistf", "14-2014"): {"goalkeeper"},
        ("fistf-indoor", "4.0"): {"board", "set", "match"},
        ("ua-amateur", "undated"): {"match"},
    }


@EDITIONS
def test_every_item_is_regulated_or_said_not_to_be(edition: LoadedEdition) -> None:
    assert set(edition.file.files) | set(edition.file.unregulated) == ITEMS
    assert not set(edition.file.files) & set(edition.file.unregulated)
    assert all(len(reason.split()) > 5 for reason in edition.file.unregulated.values())


def test_the_linter_finds_nothing_to_say(specs_root: Path) -> None:
    assert [str(complaint) for complaint in lint(specs_root, run_examples=run_examples)] == []


@OWN
def test_the_examples_come_out_as_they_say(edition: LoadedEdition, item: str) -> None:
    loaded = spec_of(edition, item)
    assert run_examples(loaded) == ()
    expected = {verdict for example in loaded.spec.examples for verdict in example.expect.values()}
    assert {"conform", "nonconform"} <= expected
    assert expected & {"inconclusive", "needs_judgement", "not_measured"}


@EDITIONS
def test_every_row_of_the_table_is_accounted_for(edition: LoadedEdition) -> None:
    covered = coverage(edition)
    assert covered.unaccounted == ()
    assert covered.unknown_clauses == ()
    assert covered.percent == 100


@EDITIONS
def test_the_tables_hold_no_sentences(edition: LoadedEdition) -> None:
    with (edition.folder / "clauses.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert header == ["clause", "item", "row", "unit", "min", "max", "nominal", "kind", "scope"]
    assert (
        len(table_of(edition)) == {"4.0": 192, "14-2014": 11, "undated": 27}[edition.file.label]
        or edition.file.body == "fistf-indoor"
    )
    assert max(len(value.split()) for row in table_of(edition) for value in row.values()) <= 5


@OWN
def test_nothing_shipped_is_adopted(edition: LoadedEdition, item: str) -> None:
    questions = spec_of(edition, item).spec.interpretations
    assert {question.status for question in questions} == {"proposed"}
    assert [reading.id for reading in questions[0].readings] == ["guarded", "simple"]


@OWN
def test_every_reading_says_where_it_comes_from(edition: LoadedEdition, item: str) -> None:
    for question in spec_of(edition, item).spec.interpretations:
        for reading in question.readings:
            assert reading.says
            assert reading.source


@OWN
def test_every_requirement_says_the_rule_in_words(edition: LoadedEdition, item: str) -> None:
    assert all(requirement.says for requirement in spec_of(edition, item).spec.requirements)


@OWN
def test_a_plain_sheet_measured_by_hand_is_allowed(edition: LoadedEdition, item: str) -> None:
    spec = spec_of(edition, item).spec
    for name, quantity in spec.quantities.items():
        if quantity.unit == "mm":
            assert {entry if isinstance(entry, str) else entry.method for entry in quantity.methods} >= HAND, name
    assert all(method.floor_U is None for method in spec.methods.values())
    assert all(method.default_U for method in spec.methods.values())


@OWN
def test_the_first_line_leads_an_editor_to_the_schema(edition: LoadedEdition, item: str) -> None:
    path = edition.path_of(item)
    assert path is not None
    first = path.read_text("utf-8").partition("\n")[0]
    assert first == "# yaml-language-server: $schema=../../schema/homolog-spec-1.json"


def test_every_id_is_registered_with_its_kind_and_quantity(specs_root: Path) -> None:
    register = parse_yaml((specs_root / "ids.yaml").read_bytes(), "ids.yaml").value
    assert isinstance(register, dict)
    ids = register["ids"]
    assert isinstance(ids, dict)
    used = {}
    for edition, item in OWN_SPECS:
        for requirement in spec_of(edition, item).spec.requirements:
            used[requirement.id] = {"item": item, "kind": requirement.kind}
            if isinstance(requirement, Limit):
                used[requirement.id]["of"] = requirement.of
    assert {name: {key: text for key, text in entry.items() if key != "since"} for name, entry in ids.items()} == used  # type: ignore[union-attr]


def test_the_circular_follows_4_0_and_leaves_unknown_what_its_copy_lacks(library: Library, specs_root: Path) -> None:
    before, after = (spec_of(library.edition("fistf", label), "goalkeeper") for label in ("4.0", "14-2014"))
    assert after.spec.edition.supersedes == "4.0"
    assert after.spec.edition.transition is not None
    assert after.spec.edition.transition.policy == "unknown"
    assert after.spec.edition.incomplete
    assert str(before.spec.edition.effective.to) == "2014-05-07"
    assert str(after.spec.edition.effective.since) == "2014-05-08"
    register = parse_yaml((specs_root / "ids.yaml").read_bytes(), "ids.yaml").value
    assert isinstance(register, dict)
    gone = set(before.requirements) - set(after.requirements)
    assert set(register["tombstones"]) == {"gk.width"}
    assert gone == {"gk.width", *register["unknown"]}
    assert "gk.handle_length" in register["unknown"]


def test_an_indoor_match_uses_the_equipment_files_of_4_0_unchanged(library: Library) -> None:
    indoor, outdoor = library.edition("fistf-indoor", "4.0"), library.edition("fistf", "4.0")
    for item in ("goal", "ball", "figure", "goalkeeper"):
        assert indoor.path_of(item) == outdoor.path_of(item)
        assert indoor.file.files[item].sha256 == outdoor.file.files[item].sha256 == spec_of(outdoor, item).sha256  # type: ignore[index]


def test_part_three_is_never_held_against_an_indoor_board_for_certain(library: Library) -> None:
    spec = spec_of(library.edition("fistf-indoor", "4.0"), "board").spec
    questions = {question.id: question for question in spec.interpretations}
    for requirement in spec.requirements:
        if requirement.clause.startswith("III-") and requirement.kind == "limit":
            assert requirement.interpretation is not None
            assert any(reading.demands == "nothing" for reading in questions[requirement.interpretation].readings)


def test_the_amateur_sheet_gives_no_number_for_any_equipment(library: Library) -> None:
    edition = library.edition("ua-amateur", "undated")
    spec = spec_of(edition, "match").spec
    assert {quantity.unit for quantity in spec.quantities.values()} == {"count", "deg"}
    assert all(requirement.purposes == ("match",) for requirement in spec.requirements)
    assert edition.spec("ball") is None
    assert "nothing of its size" in edition.file.unregulated["ball"]
