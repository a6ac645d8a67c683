# ruff: noqa: E501 -- a table of edits reads best with one case a line
"""What the linter says of a single file: each case changes one thing in a clean spec."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from homolog.errors import UsageError
from homolog.evaluate.examples import run_examples
from homolog.spec.lint import Complaint, lint
from tests.spec.sample import SPEC, Edit, at, edited


def complaints_of(folder: Path, *edits: Edit) -> tuple[str, tuple[Complaint, ...]]:
    text = edited(SPEC, *edits)
    (folder / "keeper.yaml").write_text(text, encoding="utf-8")
    return text, lint(folder / "keeper.yaml", run_examples=run_examples)


def test_the_sample_has_no_fault_and_no_doubt(tmp_path: Path) -> None:
    assert complaints_of(tmp_path)[1] == ()


# severity, code, id, what stands at the place, edits
ONE = [
    # the loader
    ("error", "spec_invalid", "gk.height", "maks: 39 mm", [("goalkeeper.height, max: 39 mm", "goalkeeper.height, maks: 39 mm")]),
    ("error", "spec_invalid", "gk.height", "kind: limits", [("gk.height, kind: limit,", "gk.height, kind: limits,")]),
    ("error", "spec_invalid", "gk.height", "max: 39,", [("goalkeeper.height, max: 39 mm", "goalkeeper.height, max: 39")]),
    ("error", "spec_invalid", "goalkeeper.height", "unit: mn", [("height: {unit: mm,", "height: {unit: mn,")]),
    ("error", "spec_invalid", "gk.height", "{id: gk.height", [("height, max: 39 mm", "height, min: 40 mm, max: 39 mm")]),
    ("error", "spec_invalid", "gk.flare", "{when: {pose: bent}", [("within: 2 mm", "min: 2 mm, max: 1 mm")]),
    ("error", "spec_invalid", "material", "{id: material", [("max: 2.5 cm3", "max: 2.5 cm3, min: 3 cm3")]),
    ("error", "yaml_invalid", "", 'most"}', [("At most 39 mm high.", 'At "most')]),
    ("error", "id_twice", "", "id: gk.height", [("- {id: gk.volume, kind", "- {id: gk.height, kind")]),
    # limits
    ("error", "limit_dimension", "gk.height", "{id: gk.height", [("height, max: 39 mm", "height, max: 39 g")]),
    ("error", "limit_dimension", "gk.volume", "{id: material", [("max: 2.5 cm3", "max: 2.5 mm")]),
    ("error", "nominal_bare", "gk.height", "{id: gk.height", [("height, max: 39 mm", "height, min: 3.9 cm, max: 39 mm")]),
    ("error", "nominal_bare", "gk.volume", "{id: material", [("max: 2.5 cm3", "min: 2500 mm3, max: 2.5 cm3")]),
    ("error", "nominal_bare", "gk.flare", "{when: {pose: bent}", [("within: 2 mm", "within: 0 mm")]),
    ("error", "limit_missing", "gk.height", "{id: gk.height", [("height, max: 39 mm,", "height,")]),
    ("error", "limit_missing", "gk.flare", "{when: {pose: bent}", [(", within: 2 mm", "")]),
    ("error", "limit_missing", "gk.volume", "{id: gk.volume", [("goalkeeper.volume, max: 2700 mm3,", "goalkeeper.volume,")]),
    ("error", "cases_incomplete", "gk.flare", "cases:", [("      - {when: {pose: bent}, within: 2 mm}\n", "")]),
    ("error", "cases_overlap", "gk.flare", "cases:", [("{when: {pose: bent}", "{when: {pose: [bent, upright]}")]),
    # names
    ("error", "quantity_unknown", "gk.height", "of: goalkeeper.heigth", [("of: goalkeeper.height, max", "of: goalkeeper.heigth, max")]),
    ("error", "quantity_unknown", "INT-contents", "uses: x", [("uses: goalkeeper.volume.outer, says", "uses: x, says")]),
    ("error", "quantity_unknown", "goalkeeper.volume", "measures: x", [("measures: goalkeeper.volume.outer", "measures: x")]),
    ("error", "quantity_unknown", "goalkeeper.flare", "x]", [("[goalkeeper.top, goalkeeper.foot]", "[goalkeeper.top, x]")]),
    ("error", "quantity_dimension", "goalkeeper.volume.material", "at_most: goalkeeper.height", [("at_most: goalkeeper.volume.outer", "at_most: goalkeeper.height")]),
    ("error", "quantity_dimension", "goalkeeper.flare", "unit: mm", [("op: difference, of", "op: ratio, of")]),
    ("error", "derived_operands", "goalkeeper.flare", "of: [", [("goalkeeper.foot], unit", "goalkeeper.foot, goalkeeper.top], unit")]),
    ("error", "derived_operands", "goalkeeper.flare", "of: [", [("difference, of: [goalkeeper.top, goalkeeper.foot]", "sum, of: [goalkeeper.top]")]),
    ("error", "derived_places", "goalkeeper.flare", "of: [", [("of: [goalkeeper.top, goalkeeper.foot]", "of: [goalkeeper.height, goalkeeper.foot]")]),
    ("error", "method_unknown", "goalkeeper.top", "kaliper]", [("above\", methods: [caliper]", "above\", methods: [kaliper]")]),
    ("error", "method_twice", "goalkeeper.top", "caliper], each", [("above\", methods: [caliper]", "above\", methods: [caliper, caliper]")]),
    ("error", "limit_dimension", "goalkeeper.height", "{method: caliper", [("ceiling_U: 0.15 mm", "ceiling_U: 0.15 g")]),
    ("error", "method_uncertainty", "goalkeeper.height", "{method: caliper", [("ceiling_U: 0.15 mm", "ceiling_U: 0.05 mm")]),
    ("error", "circle", "goalkeeper.volume.outer", "at_most: goalkeeper.volume.outer", [("methods: [scan.volume]}", "methods: [scan.volume], at_most: goalkeeper.volume.outer}")]),
    ("error", "circle", "gk.either", "requirements: [", [("[gk.body, gk.approved]", "[gk.body, gk.either]")]),
    ("error", "requirement_unknown", "gk.either", "gk.bodi", [("[gk.body, gk.approved]", "[gk.bodi, gk.approved]")]),
    ("error", "any_of_twice", "gk.either", "gk.body]", [("[gk.body, gk.approved]", "[gk.body, gk.body]")]),
    # attributes
    ("error", "attribute_unknown", "gk.alike", "by: collar", [("of: {role: field}, by: colour", "of: {role: field}, by: collar")]),
    ("error", "attribute_unknown", "gk.colour", "values: [red", [("attribute: colour", "attribute: collar")]),
    ("error", "attribute_unknown", "of two colours", "posture: bent", [("  - name: of two colours", "  - name: of two colours\n    attributes: {posture: bent}")]),
    ("error", "attribute_value", "gk.either", "pose: [upright, bend]", [("when: {pose: [upright, bent]}", "when: {pose: [upright, bend]}")]),
    ("error", "attribute_value", "gk.unlike", "role: keeper", [("of: {role: spare}, against", "of: {role: keeper}, against")]),
    ("error", "attribute_unknown", "gk.alike", "each: player", [("of: {role: field}, by: colour", "of: {role: field}, each: player, by: colour")]),
    # clauses
    ("error", "clause_unknown", "gk.height", 'clause: "9"', [('39 mm, clause: "1"', '39 mm, clause: "9"')]),
    ("error", "clause_unknown", "INT-contents", 'clause: "9"', [('INT-contents\n    clause: "1"', 'INT-contents\n    clause: "9"')]),
    ("error", "clause_twice", "2", "{id: \"2\"", [('  - {id: "2", status: judged}', '  - {id: "2", status: judged}\n  - {id: "2", status: judged}')]),
    ("error", "clause_unchecked", "6", "{id: \"6\"", [('  - {id: "2", status: judged}', '  - {id: "2", status: judged}\n  - {id: "6", status: checked}')]),
    ("error", "clause_unexplained", "4", "{id: \"4\"", [(', note: "only the colour"', "")]),
    ("error", "clause_status", "2", "{id: \"2\"", [("status: judged", 'status: informative, note: "no"')]),
    # interpretations
    ("error", "interpretation_unknown", "gk.volume", "interpretation: INT-x", [("interpretation: INT-contents", "interpretation: INT-x")]),
    ("error", "interpretation_missing", "gk.fixed", "basis: interpreted", [("interpretation: INT-fixed, note", "note")]),
    ("error", "interpretation_kind", "gk.colour", "interpretation: INT-fixed", [("hue]}", "hue], interpretation: INT-fixed}")]),
    ("error", "interpretation_kind", "gk.height", "interpretation: INT-decision", [('says: "At', 'interpretation: INT-decision, says: "At')]),
    ("error", "interpretation_withdrawn", "gk.fixed", "interpretation: INT-fixed", [('fixed?"\n    status: proposed', 'fixed?"\n    status: withdrawn')]),
    ("error", "decision_rule", "INT-decision", "id: INT-decision", [("id: guarded, decision: guarded", "id: zones, decision: guarded")]),
    ("error", "reading_double", "INT-fixed", "{id: free", [("demands: nothing,", "demands: nothing, ask: \"Free?\",")]),
    ("error", "reading_source", "INT-contents", "{id: material", [(', source: "a comparable rule"', "")]),
    ("error", "reading_empty", "gk.volume", "interpretation: INT-contents", [("uses: goalkeeper.volume.outer, says", "says"), ("uses: goalkeeper.volume.material, max: 2.5 cm3, says", "says")]),
    ("error", "reading_kind", "gk.fixed", "interpretation: INT-fixed", [("{id: free, demands: nothing,", "{id: free, uses: goalkeeper.height, max: 1 mm, source: x,")]),
    # examples
    ("error", "example_twice", "inside", "name: inside", [("name: of two colours", "name: inside")]),
    ("error", "example_empty", "of two colours", "name: of two colours", [("expect: {gk.alike: nonconform}", "expect: {}")]),
    ("error", "quantity_unknown", "inside", "goalkeeper.hite", [("goalkeeper.height: {value: 38 mm", "goalkeeper.hite: {value: 38 mm")]),
    ("error", "example_key", "inside", "goalkeeper.height: {value", [("38 mm, U: 0.1 mm", "38 mm, u: 0.1 mm")]),
    ("error", "example_key", "inside", "goalkeeper.foot: {left", [("right: {value: 3.5 mm,", "right: {val: 3.5 mm,")]),
    ("error", "requirement_unknown", "inside", "gk.fix:", [("answers: {gk.fixed:", "answers: {gk.fix:")]),
    ("error", "requirement_unknown", "of two colours", "gk.like", [("{gk.alike: nonconform}", "{gk.like: nonconform}")]),
    ("error", "verdict_unknown", "of two colours", "gk.alike: wrong", [("{gk.alike: nonconform}", "{gk.alike: wrong}")]),
    ("error", "example_fails", "of two colours", "gk.alike: conform", [("{gk.alike: nonconform}", "{gk.alike: conform}")]),
    ("error", "example_fails", "inside", "expect: {", [("goalkeeper.height: {value: 38 mm", "goalkeeper.height: {value: 38 g")]),
    # use
    ("warning", "example_missing", "gk.alike", "{id: gk.alike", [("expect: {gk.alike: nonconform}", "expect: {gk.approved: not_measured}")]),
    ("warning", "attribute_unused", "size", "size:", [("  colour: {what", "  size: {what: size}\n  colour: {what")]),
    ("warning", "method_unused", "rule", "rule:", [("  scan.volume: {says", "  rule: {says: rule, form: value}\n  scan.volume: {says")]),
    ("warning", "quantity_unit", "goalkeeper.depth", "goalkeeper.depth:", [("quantities:\n", "quantities:\n  goalkeeper.depth: {unit: in, what: depth, methods: [caliper]}\n")]),
    ("warning", "quantity_unit", "goalkeeper.wait", "goalkeeper.wait:", [("quantities:\n", "quantities:\n  goalkeeper.wait: {unit: min, what: wait, methods: [caliper]}\n")]),
    ("warning", "quantity_unused", "goalkeeper.depth", "goalkeeper.depth:", [("quantities:\n", "quantities:\n  goalkeeper.depth: {unit: mm, what: depth, methods: [caliper]}\n")]),
    ("warning", "quantity_unused", "goalkeeper.sum", "goalkeeper.sum:", [("derived:\n", "derived:\n  goalkeeper.sum: {op: sum, of: [goalkeeper.top, goalkeeper.foot], unit: mm, what: sum}\n")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("severity", "code", "about", "place", "edits"), ONE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_fault_is_named_at_its_place(tmp_path: Path, severity: str, code: str, about: str, place: str, edits: list[Edit]) -> None:
    text, complaints = complaints_of(tmp_path, *edits)
    found = [complaint for complaint in complaints if complaint.code == code and complaint.id == about]
    assert found, "\n".join(str(complaint) for complaint in complaints)
    assert {complaint.severity for complaint in found} == {severity}
    assert any(at(text, complaint).startswith(place) for complaint in found), [at(text, complaint) for complaint in found]
    assert all(complaint.what and complaint.todo for complaint in found)


def codes(complaints: Iterable[Complaint]) -> list[tuple[str, str]]:
    return [(complaint.code, complaint.id) for complaint in complaints]


def test_a_complaint_reads_as_one_line_with_place_subject_and_remedy(tmp_path: Path) -> None:
    _, complaints = complaints_of(tmp_path, ("height, max: 39 mm", "height, max: 39 g"))
    line = next(str(complaint) for complaint in complaints if complaint.code == "limit_dimension")
    assert line == (
        f"{tmp_path.as_posix()}/keeper.yaml:57:5: error: gk.height: 'at most 39 g' is no limit of goalkeeper.height, "
        "which is a length; write it in one of mm, cm, m, in. [limit_dimension]"
    )


def test_a_complaint_without_a_subject_begins_with_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "keeper.yaml").write_text("", encoding="utf-8")
    (complaint,) = lint(tmp_path / "keeper.yaml")
    assert str(complaint) == f"{tmp_path.as_posix()}/keeper.yaml:1:1: error: the file is empty; send the whole file. [file_empty]"


def test_text_that_is_not_utf_8_is_named_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "keeper.yaml").write_bytes(b"a: b\nc: \xff\n")
    (complaint,) = lint(tmp_path / "keeper.yaml")
    assert complaint.place[1:] == (2, 1)


def test_two_decision_rules_are_one_too_many(tmp_path: Path) -> None:
    rule = "  - {id: INT-risk, clause: \"1\", question: q, status: proposed, readings: [{id: a, decision: simple, says: a}, {id: b, decision: guarded, says: b}]}\n"  # fmt: skip
    _, complaints = complaints_of(tmp_path, ("  - id: INT-contents\n", f"{rule}  - id: INT-contents\n"))
    assert codes(complaints) == [("decision_rule", "INT-risk")]


def test_a_file_without_a_decision_rule_is_refused(tmp_path: Path) -> None:
    start = SPEC.index("  - id: INT-decision")
    rule = SPEC[start : SPEC.index("  - id: INT-contents")]
    _, complaints = complaints_of(tmp_path, (rule, ""))
    assert codes(complaints) == [("decision_rule", "INT-decision")]


def test_an_interpretation_that_no_requirement_names_is_refused(tmp_path: Path) -> None:
    _, complaints = complaints_of(tmp_path, ("basis: interpreted, interpretation: INT-fixed, ", ""))
    assert codes(complaints) == [("interpretation_unused", "INT-fixed")]


def test_a_nominal_whose_readings_give_the_tolerance_is_no_bare_one(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path,
        ("goalkeeper.volume, max: 2700 mm3", "goalkeeper.volume, min: 2700 mm3, max: 2700 mm3"),
        ("uses: goalkeeper.volume.outer, says", "uses: goalkeeper.volume.outer, min: 1 mm3, max: 2700 mm3, source: x, says"),
    )
    assert codes(complaints) == []


def test_a_nominal_that_a_reading_leaves_exact_is_a_bare_one(tmp_path: Path) -> None:
    _, complaints = complaints_of(tmp_path, ("goalkeeper.volume, max: 2700 mm3", "goalkeeper.volume, min: 2700 mm3, max: 2700 mm3"))
    assert ("nominal_bare", "gk.volume") in codes(complaints)


def test_a_number_of_pieces_may_be_exact(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path,
        ("height: {unit: mm, what: \"height\", methods: [gauge, {method: caliper, ceiling_U: 0.15 mm}]}", "height: {unit: count, what: n, methods: [gauge, caliper]}"),
        ("of: goalkeeper.height, max: 39 mm", "of: goalkeeper.height, min: 2 count, max: 2 count"),
        ("value: 38 mm, U: 0.1 mm", "value: 2 count, U: 0 count"),
        ("value: 39.5 mm, U: 0.1 mm", "value: 3 count, U: 0 count"),
    )  # fmt: skip
    assert codes(complaints) == []


@pytest.mark.parametrize(
    ("edits", "about", "code"),
    [
        ([("height, max: 39 mm", "height, min: 0 mm")], "gk.height", "never_fails"),
        ([("height, max: 39 mm", "height, above: -1 mm")], "gk.height", "never_fails"),
        ([("height, max: 39 mm", "height, max: -1 mm")], "gk.height", "never_holds"),
        ([("height, max: 39 mm", "height, below: 0 mm")], "gk.height", "never_holds"),
        ([("op: difference, of", "op: sum, of"), ("within: 2 mm", "min: 0 mm")], "gk.flare", "never_fails"),
        ([("op: difference, of", "op: distance, of"), ("within: 2 mm", "min: 0 mm")], "gk.flare", "never_fails"),
        ([("min: 2, max: 10", "min: 0")], "gk.ten", "never_fails"),
        ([('colour: {what: "main colour"}', "colour: {what: c, values: [red, blue, green]}"), ("values: [red, blue], clause", "values: [red, blue, green], clause")], "gk.colour", "never_fails"),
        ([('colour: {what: "main colour"}', "colour: {what: c, values: [red]}")], "gk.alike", "never_fails"),
        ([('colour: {what: "main colour"}', "colour: {what: c, values: [red]}")], "gk.unlike", "never_holds"),
        ([('{id: by-pull, ask: "Does it stay when pulled?",', "{id: by-pull, demands: nothing,")], "gk.fixed", "never_fails"),
    ],
)  # fmt: skip
def test_a_requirement_that_decides_nothing_is_doubted(tmp_path: Path, edits: list[Edit], about: str, code: str) -> None:
    _, complaints = complaints_of(tmp_path, *edits)
    severities = [complaint.severity for complaint in complaints if (complaint.code, complaint.id) == (code, about)]
    assert severities == ["warning"]


@pytest.mark.parametrize(
    "edits",
    [
        [("height, max: 39 mm", "height, above: 0 mm")],  # 0 itself fails
        [("height, max: 39 mm", "height, max: 0 mm")],  # 0 itself conforms
        [("within: 2 mm", "min: 0 mm")],  # a difference may be negative
        [("height: {unit: mm,", "height: {unit: deg,"), ("height, max: 39 mm", "height, min: 0 deg")],
    ],
)
def test_a_limit_at_zero_that_decides_something_is_not_doubted(tmp_path: Path, edits: list[Edit]) -> None:
    _, complaints = complaints_of(tmp_path, *edits)
    assert not [complaint for complaint in complaints if complaint.code.startswith("never_")]


def test_a_derived_quantity_that_turns_in_a_circle_is_named_once_a_part(tmp_path: Path) -> None:
    circle = "".join(
        f"  goalkeeper.{one}: {{op: sum, of: [goalkeeper.{other}, goalkeeper.foot], unit: mm, what: x}}\n"
        for one, other in ("ab", "ba")
    )
    _, complaints = complaints_of(
        tmp_path, ("derived:\n", f"derived:\n{circle}"), ("of: goalkeeper.height, max: 39 mm", "of: goalkeeper.a, max: 39 mm")
    )
    assert [about for code, about in codes(complaints) if code == "circle"] == ["goalkeeper.a", "goalkeeper.b"]


def test_a_case_by_free_text_cannot_cover_every_article(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path, ("{when: {pose: bent}, within: 2 mm}", "{when: {pose: bent, colour: red}, within: 2 mm}")
    )
    found = [complaint for complaint in complaints if complaint.code == "cases_incomplete"]
    assert [complaint.what for complaint in found] == ["no limit holds where pose is bent"]


def test_cases_need_not_cover_articles_that_the_requirement_leaves_out(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path,
        ("      - {when: {pose: bent}, within: 2 mm}\n", ""),
        ('clause: "3"\n    cases', 'clause: "3"\n    when: {pose: upright}\n    cases'),
    )
    assert "cases_incomplete" not in [code for code, _ in codes(complaints)]


def test_a_general_limit_covers_what_no_case_names(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path,
        ("      - {when: {pose: bent}, within: 2 mm}\n", ""),
        ('clause: "3"\n    cases', 'clause: "3"\n    within: 2 mm\n    cases'),
    )
    assert codes(complaints) == []


def test_cases_that_name_no_attribute_that_is_declared_are_told_apart_by_other_values(tmp_path: Path) -> None:
    _, complaints = complaints_of(tmp_path, ("{when: {pose: bent}, within", "{when: {colour: red}, within"), ("{when: {pose: upright}, within", "{when: {colour: blue}, within"))  # fmt: skip
    found = [complaint.what for complaint in complaints if complaint.code == "cases_incomplete"]
    assert found == ["no limit holds where its attributes are others"]


def test_without_a_runner_examples_are_read_but_not_judged(tmp_path: Path) -> None:
    text = edited(SPEC, ("{gk.alike: nonconform}", "{gk.alike: conform}"))
    (tmp_path / "keeper.yaml").write_text(text, encoding="utf-8")
    assert codes(lint([tmp_path / "keeper.yaml"])) == [("example_missing", "gk.alike")]


def test_a_folder_outside_a_library_is_read_file_by_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(edited(SPEC, ("height, max: 39 mm,", "height,")), encoding="utf-8")
    places = [Path(complaint.place[0]).name for complaint in lint(tmp_path)]
    assert places == ["a.yaml", "b.yaml"]


def test_a_path_that_is_not_there_is_a_fault_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no"):
        lint(tmp_path / "nothing.yaml")


def test_files_here_are_named_as_a_person_would_type_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("keeper.yaml").write_text("", encoding="utf-8")
    (complaint,) = lint(Path("keeper.yaml"))
    assert complaint.where == "keeper.yaml:1:1"


def test_a_spread_takes_its_parts_at_whatever_places_they_have(tmp_path: Path) -> None:
    _, complaints = complaints_of(
        tmp_path,
        ("op: difference, of: [goalkeeper.top, goalkeeper.foot]", "op: spread, of: [goalkeeper.height, goalkeeper.foot]"),
    )
    assert not [code for code, _ in codes(complaints) if code.startswith("derived")]


def test_a_lone_file_is_read_by_itself_whatever_lies_beside_its_folder(tmp_path: Path) -> None:
    _, alone = complaints_of(tmp_path)
    stranger = tmp_path.parent / f"{tmp_path.name}-other" / "4.0"
    stranger.mkdir(parents=True)
    (stranger / "edition.yaml").write_text("no edition at all")
    _, beside = complaints_of(tmp_path)
    assert [complaint.code for complaint in beside] == [complaint.code for complaint in alone]
