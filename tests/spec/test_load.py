# ruff: noqa: E501 -- a table of edits reads best with one case a line
"""Reading a spec file: what it becomes, and what is refused where."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from homolog.errors import SpecError
from homolog.gate.yaml_text import parse_yaml
from homolog.quantity import UNITS, Measure
from homolog.spec.fields import Day, MeasureText, Texts, Whole
from homolog.spec.ids import edition_name, load_ids, quantity_of
from homolog.spec.interpretation import Bounds, Interpretation
from homolog.spec.load import document_path, load_spec_file, read_model
from homolog.spec.model import MethodUse, Spec
from homolog.spec.requirement import Count, Limit
from tests.spec.sample import SPEC, Edit, Shelf, edited, load


def test_a_spec_becomes_typed_values() -> None:
    spec = load().spec
    assert (spec.id, spec.edition.label, spec.edition.effective.since, spec.edition.effective.to) == (
        "fistf.goalkeeper",
        "4.0",
        "unknown",
        date(2014, 5, 7),
    )
    height = load().requirements["gk.height"]
    assert isinstance(height, Limit)
    assert height.max == Measure(Decimal(39), UNITS["mm"])
    assert height.is_bounded
    assert height.purposes == ()
    assert spec.quantities["goalkeeper.height"].methods[0] == "gauge"
    assert isinstance(spec.quantities["goalkeeper.height"].methods[1], MethodUse)
    assert spec.quantities["goalkeeper.top"].each == ("left", "right")
    assert [reading.decision for reading in spec.interpretations[0].readings] == ["guarded", "simple"]
    assert spec.interpretations[0].is_decision_rule
    assert not spec.interpretations[1].is_decision_rule


def test_every_fault_of_a_file_is_told_at_once() -> None:
    with pytest.raises(SpecError) as refused:
        load(SPEC, ("height, max: 39 mm", "height, max: 39"), ("criteria: [", "criterions: ["), ('title: "Goalkeeper"\n', ""), ("language: en\n", ""))  # fmt: skip
    assert [str(problem) for problem in refused.value.problems] == [
        "4.0/goalkeeper.yaml:1:1: language: the key is missing; add it.",
        "4.0/goalkeeper.yaml:55:57: gk.height.max: '39' is not a number with a unit; write as 38.95 mm, with one of mm, cm, m, in, g, mm3, cm3, ml, s, min, deg, count.",
        "4.0/goalkeeper.yaml:69:5: gk.body.criterions: the key is not known; remove it or correct its spelling.",
    ]


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (('title: "Goalkeeper"', "title: [a]"), "title: not a text; write one text"),
        (('what: "height"', 'what: ""'), "goalkeeper.height.what: the text is empty; write it out"),
        (("gk.height, kind: limit,", "gk.height, kind: limits,"), "gk.height.kind: the kind 'limits' is not known; write one of 'limit', "),
        (("gk.height, kind: limit,", "gk.height,"), "gk.height: the kind is missing; add one, as kind: limit"),
        (("pass: majority", "pass: most"), "gk.body.panel.pass: 'most' is not known; write 'majority' or 'unanimous'"),
        (("votes: 3", "votes: three"), "gk.body.panel.votes: 'three' is not a whole number; write digits only, as 10"),
        (("to: 2014-05-07", "to: 7.5.2014"), "effective.to: '7.5.2014' is not a date; write as 2014-05-08"),
        (("to: 2014-05-07", "to: 2014-02-31"), "effective.to: day is out of range for month"),
        (("height, max: 39 mm", "height, max: {number: 39, unit: mm}"), "gk.height.max: not a number with a unit; write as 39 mm"),
        (("height: {unit: mm,", "height: {unit: ell,"), "goalkeeper.height.unit: unit 'ell' is not known; write one of mm, "),
        (('above", methods: [caliper]', 'above", methods: []'), "goalkeeper.top.methods: too few entries; write at least 1"),
        (('above", methods: [caliper]', 'above", methods: caliper'), "goalkeeper.top.methods: not a list; write as [a, b]"),
        (("when: {pose: [upright, bent]}", "when: {pose: []}"), "gk.either.when.pose: too few entries; write at least 1"),
        (("when: {pose: [upright, bent]}", "when: pose"), "gk.either.when: not a mapping; write its keys, one a line"),
        (("min: 2, max: 10", "min: 11, max: 10"), "gk.ten: min is above max; swap them"),
        (("min: 2, max: 10, ", ""), "gk.ten: a count needs min, max or both"),
        (("{id: guarded, decision: guarded,", "{id: guarded,"), "INT-decision: INT-decision: every reading of a decision rule has a decision"),
        (("{id: material, uses", "{id: outer, uses"), "INT-contents: INT-contents has two readings with one id; rename one"),
        (("    panel: {votes: 3, pass: majority}\n", ""), "gk.body.panel: the key is missing; add it"),
    ],
)  # fmt: skip
def test_a_fault_says_where_what_and_what_to_write(edit: Edit, says: str) -> None:
    with pytest.raises(SpecError) as refused:
        load(SPEC, edit)
    assert any(str(problem).split(" ", 1)[1].startswith(says) for problem in refused.value.problems), str(refused.value)


def test_a_file_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(SpecError, match="f:1:1: the document: not a mapping"):
        read_model(b"- a", "f", Spec)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (("{id: gk.alike, kind", "{id: gk.ten, kind"), "gk.ten: two requirements have this id"),
        (("id: INT-fixed\n", "id: INT-contents\n"), "INT-contents: two interpretations have this id"),
        (("derived:\n  goalkeeper.flare:", "derived:\n  goalkeeper.top:"), "goalkeeper.top: also one of the measured quantities"),
    ],
)
def test_two_things_with_one_id_are_refused(edit: Edit, says: str) -> None:
    with pytest.raises(SpecError) as refused:
        load(SPEC, edit)
    assert refused.value.problems[0].what == says


def test_a_path_keeps_only_what_stands_in_the_document() -> None:
    document = parse_yaml(b"a: [{b: c}]", "f")
    assert document_path(document, ("a", 0, "tag", "b")) == ("a", 0, "b")


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        ({"within": "1 mm", "max": "2 mm"}, "within stands alone"),
        ({"within": "-1 mm"}, "within -1 mm is negative"),
        ({"min": "1 mm", "above": "1 mm"}, "one side has two limits"),
        ({"max": "1 mm", "below": "1 mm"}, "one side has two limits"),
        ({"min": "40 mm", "max": "3.9 cm"}, "the lower limit 40 mm is above the upper limit 3.9 cm; swap them"),
        ({"above": "39 mm", "max": "3.9 cm"}, "nothing lies between 39 mm and 3.9 cm"),
        ({"min": "39 mm", "below": "39 mm"}, "nothing lies between 39 mm and 39 mm"),
        ({"min": "1 g", "max": "2 mm"}, "1 g and 2 mm are of different dimensions"),
    ],
)
def test_sides_that_contradict_each_other_are_refused(bounds: dict[str, str], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Bounds.model_validate(bounds)


@pytest.mark.parametrize(
    "bounds", [{}, {"min": "39 mm", "max": "3.9 cm"}, {"above": "21 mm", "below": "21.01 mm"}, {"within": "0 mm"}]
)
def test_sides_with_room_between_them_are_taken(bounds: dict[str, str]) -> None:
    assert Bounds.model_validate(bounds).is_bounded == bool(bounds)


def adopted(**changes: object) -> dict[str, object]:
    reading = {"id": "a", "says": "x"}
    entry = {"id": "INT-x", "clause": "1", "question": "q", "status": "adopted", "readings": [reading, {"id": "b", "says": "y"}]}
    return entry | {"adoption": {"reading": "a", "by": "board", "on": "2026-01-02", "decision": "minutes 3"}} | changes


def test_an_adoption_names_reading_board_and_day() -> None:
    interpretation = Interpretation.model_validate(adopted())
    assert interpretation.adoption is not None
    assert (interpretation.adoption.reading, interpretation.adoption.on) == ("a", date(2026, 1, 2))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"adoption": None}, "status adopted and an adoption"),
        ({"status": "proposed"}, "status adopted and an adoption"),
        (
            {"adoption": {"reading": "c", "by": "board", "on": "2026-01-02", "decision": "m"}},
            "the adopted reading 'c' is none of a, b",
        ),
    ],
)
def test_an_adoption_and_its_status_go_together(changes: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Interpretation.model_validate(adopted(**changes))


def test_values_made_in_a_program_are_taken_as_they_are() -> None:
    measure = Measure(Decimal(39), UNITS["mm"])
    assert TypeAdapter(MeasureText).validate_python(measure) is measure
    assert TypeAdapter(MeasureText).dump_python(measure) == "39 mm"
    assert TypeAdapter(Whole).validate_python(3) == 3
    assert TypeAdapter(Day).validate_python(date(2014, 5, 8)) == date(2014, 5, 8)
    assert TypeAdapter(Texts).validate_python(["a"]) == ("a",)
    with pytest.raises(ValidationError):
        TypeAdapter(Whole).validate_python(2.5)


def test_one_side_is_enough_for_a_count() -> None:
    count = {"kind": "count", "id": "set.size", "clause": "1", "of": {"role": "field"}}
    assert Count.model_validate(count | {"max": "3"}).max == 3
    assert Count.model_validate(count | {"min": "3"}).min == 3


def test_a_file_is_read_once_a_process(tmp_path: Path) -> None:
    path = tmp_path / "goalkeeper.yaml"
    path.write_text(SPEC, encoding="utf-8")
    assert load_spec_file(path) is load_spec_file(path)
    assert load_spec_file(path).name == "/".join(path.parts[-3:])


def test_the_register_says_where_an_id_was_dropped_and_where_nobody_knows(shelf: Shelf) -> None:
    shelf.write(
        "ids.yaml",
        f'{shelf.read("ids.yaml")}tombstones: {{gk.body: [{{dropped: "fistf 5.0", why: x}}]}}\nunknown: {{gk.ten: [{{since: "fistf 5.0", why: y}}]}}\n',
    )
    ids = load_ids(shelf.root / "ids.yaml")
    assert ids.document.name == "specs/ids.yaml"
    assert ids.is_dropped("gk.body", "fistf 5.0")
    assert not ids.is_dropped("gk.body", "fistf 4.0")
    assert not ids.is_dropped("gk.ten", "fistf 5.0")
    assert ids.is_unknown("gk.ten", "fistf 5.0")
    assert not ids.is_unknown("gk.body", "fistf 5.0")


def test_an_id_is_tied_to_the_quantity_of_its_limit() -> None:
    assert quantity_of(load().requirements["gk.height"]) == "goalkeeper.height"
    assert quantity_of(load().requirements["gk.body"]) is None
    assert edition_name(load().spec) == "fistf 4.0"


@pytest.mark.parametrize("entry", ["gk.Height: {item: goalkeeper, kind: limit, since: \"fistf 4.0\"}", "gk.x: {item: goalkeeper, kind: limit, since: fistf}"])  # fmt: skip
def test_a_register_with_a_malformed_entry_is_refused(tmp_path: Path, entry: str) -> None:
    (tmp_path / "ids.yaml").write_text(f"format: homolog-ids/1\nids:\n  {entry}\n", encoding="utf-8")
    with pytest.raises(SpecError) as refused:
        load_ids(tmp_path / "ids.yaml", "ids.yaml")
    assert refused.value.problems[0].where.startswith("ids.yaml:3:")


def test_the_sample_with_nothing_changed_is_the_sample() -> None:
    assert edited(SPEC) == SPEC
