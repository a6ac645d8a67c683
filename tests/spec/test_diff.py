# ruff: noqa: E501 -- a table of edits reads best with one case a line
"""Two editions compared by permanent id: what moved, and in which direction."""

import pytest

from homolog.spec.diff import Change, diff
from homolog.spec.ids import load_ids
from tests.spec.sample import SPEC, Edit, Shelf, load


def changes(*edits: Edit) -> list[tuple[str, str, str]]:
    return [(change.id, change.direction, change.what) for change in diff(load(), load(SPEC, *edits))]


def test_an_edition_does_not_differ_from_itself() -> None:
    assert diff(load(), load()) == ()


ONE = [
    # limits, each side for itself
    ("gk.height", "loosened", "height: at most 39 mm -> at most 39.5 mm (loosened)", [("height, max: 39 mm", "height, max: 39.5 mm")]),
    ("gk.height", "tightened", "height: at most 39 mm -> at most 38.9 mm (tightened)", [("height, max: 39 mm", "height, max: 38.9 mm")]),
    ("gk.height", "tightened", "height: at most 39 mm -> less than 39 mm (tightened)", [("height, max: 39 mm", "height, below: 39 mm")]),
    ("gk.height", "tightened", "height: at most 39 mm -> 1 to 39 mm (tightened)", [("height, max: 39 mm", "height, min: 1 mm, max: 39 mm")]),
    ("gk.height", "changed", "height: at most 39 mm -> 1 to 40 mm (changed)", [("height, max: 39 mm", "height, min: 1 mm, max: 40 mm")]),
    ("gk.height", "changed", "height: at most 39 mm -> at least 39 mm (changed)", [("height, max: 39 mm", "height, min: 39 mm")]),
    ("gk.height", "changed", "height, quantity: goalkeeper.height at most 39 mm -> goalkeeper.flare at most 39 mm (changed)", [("of: goalkeeper.height, max", "of: goalkeeper.flare, max")]),
    ("gk.height", "changed", "height, kind: limit: height: at most 39 mm -> inspect: Is it low? (changed)", [("gk.height, kind: limit, of: goalkeeper.height, max: 39 mm", "gk.height, kind: inspect, ask: Is it low?")]),
    ("gk.flare", "loosened", None, [("{when: {pose: bent}, within: 2 mm}", "{when: {pose: bent}, within: 3 mm}")]),
    ("gk.flare", "changed", None, [("{when: {pose: bent}, within: 2 mm}", "{when: {pose: bent}, within: 3 mm}"), ("{when: {pose: upright}, within: 1 mm}", "{when: {pose: upright}, within: 0.5 mm}")]),
    ("gk.flare", "loosened", None, [("      - {when: {pose: bent}, within: 2 mm}\n", "")]),
    # where it applies
    ("gk.height", "loosened", "height, when: always -> pose is bent (loosened)", [('says: "At', 'when: {pose: bent}, says: "At')]),
    ("gk.either", "loosened", "either, when: pose is upright or bent -> pose is bent (loosened)", [("when: {pose: [upright, bent]}", "when: {pose: bent}")]),
    ("gk.height", "loosened", "height, when: always -> colour is red (loosened)", [('says: "At', 'when: {colour: red}, says: "At')]),
    ("gk.ten", "tightened", "ten, purposes: match and self_test -> match, recheck, self_test and type_approval (tightened)", [(", purposes: [match, self_test]", "")]),
    ("gk.ten", "loosened", "ten, purposes: match and self_test -> match (loosened)", [("purposes: [match, self_test]", "purposes: [match]")]),
    ("gk.ten", "changed", "ten, purposes: match and self_test -> recheck (changed)", [("purposes: [match, self_test]", "purposes: [recheck]")]),
    # other kinds
    ("gk.ten", "tightened", "ten: 2 to 10 -> 3 to 10 (tightened)", [("min: 2, max: 10", "min: 3, max: 10")]),
    ("gk.ten", "loosened", "ten: 2 to 10 -> at most 10 (loosened)", [("min: 2, max: 10", "max: 10")]),
    ("gk.ten", "changed", "ten, pieces: role is field -> role is spare (changed)", [("kind: count, of: {role: field}", "kind: count, of: {role: spare}")]),
    ("gk.ten", "changed", "ten, counted apart by: none -> pose (changed)", [("kind: count, of: {role: field}", "kind: count, of: {role: field}, each: pose")]),
    ("gk.alike", "changed", None, [("of: {role: field}, by: colour", "of: {role: field}, each: pose, by: colour")]),
    ("gk.volume", "interpretation", None, [("uses: goalkeeper.volume.material, max", "uses: goalkeeper.volume.outer, max")]),
    ("gk.alike", "changed", None, [("of: {role: field}, by: colour", "of: {}, by: colour")]),
    ("gk.unlike", "changed", None, [("against: {role: field}", "against: {}")]),
    ("gk.colour", "loosened", "colour, values: red or blue -> red, blue or green (loosened)", [("values: [red, blue]", "values: [red, blue, green]")]),
    ("gk.colour", "tightened", "colour, values: red or blue -> red (tightened)", [("values: [red, blue]", "values: [red]")]),
    ("gk.colour", "changed", "colour, values: red or blue -> red or green (changed)", [("values: [red, blue]", "values: [red, green]")]),
    ("gk.colour", "changed", "colour, attribute: colour -> role (changed)", [("attribute: colour", "attribute: role")]),
    ("gk.approved", "changed", None, [("kind: approved, by: colour", "kind: approved, by: role")]),
    ("gk.either", "loosened", None, [("[gk.body, gk.approved]", "[gk.body, gk.approved, gk.fixed]")]),
    ("gk.fixed", "loosened", "fixed, alternative of: none -> gk.either (loosened)", [("[gk.body, gk.approved]", "[gk.body, gk.approved, gk.fixed]")]),
    ("gk.approved", "tightened", "approved, alternative of: gk.either -> none (tightened)", [("[gk.body, gk.approved]", "[gk.body, gk.fixed]")]),
    ("gk.body", "changed", "body, alternative of: gk.either -> gk.other (changed)", [("id: gk.either", "id: gk.other")]),
    ("gk.body", "changed", "body, question: A body? -> A human body? (changed)", [("A body?", "A human body?")]),
    ("gk.body", "changed", "body, criteria: a head; a trunk -> a head (changed)", [('["a head", "a trunk"]', '["a head"]')]),
    ("gk.body", "tightened", "body, panel: 3 votes, majority -> 3 votes, unanimous (tightened)", [("pass: majority", "pass: unanimous")]),
    ("gk.body", "changed", "body, panel: 3 votes, majority -> 5 votes, majority (changed)", [("votes: 3", "votes: 5")]),
    ("gk.fixed", "changed", "fixed, question: Is it fixed? -> Is it fast? (changed)", [("Is it fixed?", "Is it fast?")]),
    # how it is proven
    ("gk.height", "method", "height, method caliper of goalkeeper.height: default U 0.1 mm, floor U 0.01 mm, ceiling U 0.15 mm -> none (method)", [("[gauge, {method: caliper, ceiling_U: 0.15 mm}]", "[gauge]")]),
    ("gk.height", "method", "height, method scan.volume of goalkeeper.height: none -> scan.volume/1 (method)", [("[gauge, {method: caliper", "[gauge, scan.volume, {method: caliper")]),
    ("gk.height", "method", "height, method gauge of goalkeeper.height: default U 0.02 mm, go/no-go -> default U 0.03 mm, go/no-go (method)", [("default_U: 0.02 mm", "default_U: 0.03 mm")]),
    ("gk.flare", "method", None, [("default_U: 0.1 mm", "default_U: 0.12 mm")]),
    ("gk.volume", "method", "volume, method scan.volume of goalkeeper.volume.outer: scan.volume/1 -> of the design, scan.volume/1 (method)", [("form: value, algorithm", "form: value, evidence: design, algorithm")]),
    ("gk.volume", "method", "volume, method scan.volume of goalkeeper.volume: measures goalkeeper.volume.outer, scan.volume/1 -> measures goalkeeper.volume.material, scan.volume/1 (method)", [("measures: goalkeeper.volume.outer", "measures: goalkeeper.volume.material")]),
    # what is measured
    ("gk.height", "changed", "height, what of goalkeeper.height: height -> height with base (changed)", [('what: "height"', 'what: "height with base"')]),
    ("gk.height", "editorial", "height, unit of goalkeeper.height: mm -> cm (editorial)", [("height: {unit: mm", "height: {unit: cm")]),
    ("gk.height", "changed", "height, feature of goalkeeper.height: external -> internal (changed)", [("height: {unit: mm,", "height: {unit: mm, feature: internal,")]),
    ("gk.flare", "changed", "flare, places of goalkeeper.top: left, right -> every (changed)", [('above", methods: [caliper], each: [left, right]', 'above", methods: [caliper], each: every')]),
    ("gk.flare", "changed", None, [("op: difference, of: [goalkeeper.top, goalkeeper.foot]", "op: sum, of: [goalkeeper.top, goalkeeper.foot]")]),
    # how it is read
    ("gk.volume", "interpretation", None, [("max: 2.5 cm3", "max: 2.6 cm3")]),
    ("gk.fixed", "interpretation", None, [('fixed?"\n    status: proposed', 'fixed?"\n    status: withdrawn')]),
    ("gk.volume", "interpretation", "volume, interpretation: INT-contents proposed: outer (goalkeeper.volume.outer); material (goalkeeper.volume.material, at most 2.5 cm³) -> none (interpretation)", [(", interpretation: INT-contents", "")]),
    ("gk.volume", "interpretation", "volume, basis: implied -> interpreted (interpretation)", [("basis: implied", "basis: interpreted")]),
    ("INT-decision", "interpretation", "INT-decision: INT-decision proposed: guarded (by zones); simple (at shared risk) -> INT-decision proposed: guarded (by the zones); simple (at shared risk) (interpretation)", [("by zones", "by the zones")]),
    ("INT-decision", "interpretation", None, [("enter?\"\n    status: proposed", "enter?\"\n    status: adopted\n    adoption: {reading: simple, by: board, on: 2026-01-02, decision: minutes}")]),
    # words
    ("gk.height", "editorial", "height, clause: 1 -> 3 (editorial)", [('39 mm, clause: "1"', '39 mm, clause: "3"')]),
    ("gk.height", "editorial", "height, words: At most 39 mm high. -> Not higher. (editorial)", [("At most 39 mm high.", "Not higher.")]),
    ("gk.fixed", "editorial", "fixed, note: By hand. -> none (editorial)", [(', note: "By hand."', "")]),
    ("attribute.pose", "changed", "pose, values: upright, bent -> upright, bent, leaning (changed)", [("values: [upright, bent]", "values: [upright, bent, leaning]")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "direction", "what", "edits"), ONE, ids=lambda value: value[:40] if isinstance(value, str) else ""
)
def test_each_move_has_its_direction(name: str, direction: str, what: str | None, edits: list[Edit]) -> None:
    found = changes(*edits)
    assert (name, direction) in [change[:2] for change in found], found
    if what is not None:
        assert (name, direction, what) in found, found


def test_a_limit_in_another_unit_is_the_same_limit() -> None:
    assert changes(("height, max: 39 mm", "height, max: 3.9 cm")) == []


def test_a_condition_that_names_every_value_is_no_condition() -> None:
    assert [
        change for change in changes(('says: "At', 'when: {pose: [upright, bent]}, says: "At')) if change[1] != "editorial"
    ] == []


def test_a_strict_limit_made_inclusive_is_looser() -> None:
    old, new = load(SPEC, ("height, max: 39 mm", "height, below: 39 mm")), load()
    assert [change.direction for change in diff(old, new)] == ["loosened"]


def test_a_panel_that_need_no_longer_agree_is_looser() -> None:
    old, new = load(SPEC, ("pass: majority", "pass: unanimous")), load()
    assert [change.direction for change in diff(old, new)] == ["loosened"]


def test_a_decision_rule_that_is_new_is_a_change_of_interpretation() -> None:
    start = SPEC.index("  - id: INT-decision")
    old = load(SPEC, (SPEC[start : SPEC.index("  - id: INT-contents")], ""))
    assert [(change.id, change.direction, change.old) for change in diff(old, load())] == [("INT-decision", "interpretation", "")]


def test_an_attribute_that_is_new_changes_nothing_by_itself() -> None:
    assert changes(("  colour: {what", "  size: {what: s, values: [small]}\n  colour: {what")) == []


def test_a_method_that_is_not_defined_is_named_all_the_same() -> None:
    old, new = load(SPEC, ('  gauge: {says: "gauge", form: go_no_go, default_U: 0.02 mm}\n', "")), load()
    assert [(change.direction, change.old) for change in diff(old, new)] == [("method", "allowed")]


def test_a_quantity_that_is_not_defined_has_nothing_to_compare() -> None:
    edit = ("of: goalkeeper.height, max", "of: goalkeeper.hat, max")
    assert diff(load(SPEC, edit), load(SPEC, edit)) == ()


HEIGHT = SPEC[SPEC.index("  - {id: gk.height") : SPEC.index("  - {id: gk.volume")]
LOST: tuple[Edit, ...] = ((HEIGHT, ""),)
BREAKS_OFF = ('  label: "4.0"', '  label: "5.0"\n  incomplete: "it breaks off"')


def test_a_requirement_that_is_gone_is_removed() -> None:
    assert diff(load(), load(SPEC, *LOST)) == (
        Change(id="gk.height", direction="removed", what="height: removed", old="height: at most 39 mm", clause_old="1"),
    )


def test_a_requirement_that_is_new_is_added() -> None:
    assert diff(load(SPEC, *LOST), load()) == (
        Change(id="gk.height", direction="added", what="height: added", new="height: at most 39 mm", clause_new="1"),
    )


def test_silence_of_an_incomplete_source_proves_nothing() -> None:
    (change,) = diff(load(), load(SPEC, *LOST, BREAKS_OFF))
    assert (change.direction, change.what) == ("unknown", "height: not in the known part of 5.0 (unknown)")


def test_what_an_incomplete_older_source_lacks_may_not_be_new() -> None:
    (change,) = diff(load(SPEC, *LOST, BREAKS_OFF), load())
    assert (change.direction, change.what) == ("unknown", "height: not in the known part of 5.0 (unknown)")


def test_a_tombstone_speaks_where_an_incomplete_source_is_silent(shelf: Shelf) -> None:
    shelf.write("ids.yaml", shelf.read("ids.yaml") + 'tombstones: {gk.height: [{dropped: "fistf 5.0", why: gone}]}\n')
    ids, cut = load_ids(shelf.root / "ids.yaml"), load(SPEC, *LOST, BREAKS_OFF)
    assert [change.direction for change in diff(load(), cut, ids)] == ["removed"]
    assert [change.direction for change in diff(cut, load(), ids)] == ["added"]


def test_the_register_may_call_a_single_id_unknown(shelf: Shelf) -> None:
    shelf.write("ids.yaml", shelf.read("ids.yaml") + 'unknown: {gk.height: [{since: "fistf 4.0", why: lost}]}\n')
    ids = load_ids(shelf.root / "ids.yaml")
    assert [change.direction for change in diff(load(), load(SPEC, *LOST), ids)] == ["unknown"]
    assert [change.direction for change in diff(load(SPEC, *LOST), load(), ids)] == ["unknown"]
