"""What a method lets a reading claim."""

from __future__ import annotations

from decimal import Decimal

import pytest

from homolog.evaluate.finding import Decided
from homolog.evaluate.methods import allowed_methods, declared, unit_of
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading
from tests.evaluate.make import finding, following, make_article, make_gauge, make_limit, make_reading, make_spec, verdict, why

SPEC = make_limit("max: 39 mm")


def decided(*readings: Reading) -> Decided:
    return finding(SPEC, make_article(*readings)).decided[0]


def settled(reading: Reading) -> tuple[Decimal | None, tuple[str, ...]]:
    """Return the U that was judged and the marks."""
    found = decided(reading).reading
    assert found is not None
    return found.expanded_uncertainty, found.marks


def test_a_reading_without_a_method_is_an_error() -> None:
    found = finding(SPEC, make_article(make_reading("38", "0.1", method=None)))
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.ERROR, "method_missing", "state_method")


def test_a_method_that_is_not_allowed_is_an_error_that_names_the_allowed_ones() -> None:
    found = finding(SPEC, make_article(make_reading("38", "0.1", method="guess")))
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.ERROR, "method_not_allowed", "mend_sheet")
    assert found.why is not None
    assert found.why.params["allowed"].startswith("gauge, caliper")


def test_bounds_that_somebody_states_are_marked_and_prove_nothing_for_an_approval() -> None:
    stated = make_reading(hi="38", bounds_are_stated=True)
    assert settled(stated) == (None, ("stated_bounds",))
    assert verdict(SPEC, stated) is Verdict.CONFORM
    for purpose in ("self_test", "match", "recheck"):
        assert verdict(SPEC, stated, purpose=purpose) is Verdict.CONFORM
    found = finding(SPEC, make_article(stated), purpose="type_approval")
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.NOT_MEASURED, "bounds_stated", "measure_value")
    outside = finding(SPEC, make_article(make_reading(lo="40", bounds_are_stated=True)), purpose="type_approval")
    assert outside.verdict is Verdict.NOT_MEASURED


def test_bounds_that_a_method_works_out_and_gauges_prove_for_an_approval_as_ever() -> None:
    for reading in (make_reading(hi="38"), make_gauge("38.9", "go")):
        found = finding(SPEC, make_article(reading), purpose="type_approval")
        assert found.verdict is Verdict.CONFORM
        assert found.decided[0].reading is not None
        assert "stated_bounds" not in found.decided[0].reading.marks


def test_better_evidence_stands_beside_bounds_that_somebody_states() -> None:
    readings = (make_reading(hi="38", bounds_are_stated=True), make_reading("38", "0.1"))
    assert finding(SPEC, make_article(*readings), purpose="type_approval").verdict is Verdict.CONFORM


@pytest.mark.parametrize(
    "reading",
    [
        make_reading("38", "0.1", method="gauge"),
        make_gauge("38", "go", method="caliper"),
        make_reading(hi="38", method="gauge"),
        make_reading(hi="38", method="gauge", U="0.1"),
        make_reading(hi="39", U="0.5"),
        make_gauge("38.9", "go", lo="38"),
        make_gauge("38.9", "go", hi="38.95"),
    ],
    ids=[
        "value by gauge",
        "gauge by caliper",
        "bounds by gauge",
        "bounds and U by gauge",
        "bounds and U",
        "gauge and lo",
        "gauge and hi",
    ],
)
def test_a_reading_of_another_form_than_its_method_gives_is_an_error(reading: Reading) -> None:
    found = finding(SPEC, make_article(reading))
    assert (found.verdict, why(found)) == (Verdict.ERROR, "form_wrong")


def test_one_wrong_reading_is_not_hidden_by_a_good_one_in_either_order() -> None:
    good, bad = make_reading("38", "0.1"), make_reading("38", "0.1", method="guess")
    assert verdict(SPEC, good, bad) is verdict(SPEC, bad, good) is Verdict.ERROR


def test_a_method_without_u_takes_its_default_and_says_so() -> None:
    assert settled(make_reading("38")) == (Decimal("0.1"), ("default_U",))
    assert verdict(SPEC, make_reading("38.9")) is Verdict.CONFORM
    assert verdict(SPEC, make_reading("38.95")) is Verdict.INCONCLUSIVE


def test_a_gauge_without_u_takes_its_default_and_says_so() -> None:
    assert settled(make_gauge("38.98", "go", None)) == (Decimal("0.02"), ("default_U",))
    assert verdict(SPEC, make_gauge("38.98", "go", None)) is Verdict.CONFORM
    assert verdict(SPEC, make_gauge("38.99", "go", None)) is Verdict.INCONCLUSIVE


def test_a_method_without_u_and_without_default_is_an_error() -> None:
    found = finding(SPEC, make_article(make_reading("38", method="bare")))
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.ERROR, "uncertainty_missing", "state_uncertainty")


def test_a_u_below_the_floor_is_raised_to_it_and_marked() -> None:
    assert settled(make_reading("38", "0.01", method="laser")) == (Decimal("0.05"), ("raised_to_floor",))
    assert settled(make_reading("38", "0", method="laser")) == (Decimal("0.05"), ("raised_to_floor",))
    assert settled(make_reading("38", "0.05", method="laser")) == (Decimal("0.05"), ())
    assert verdict(SPEC, make_reading("38.96", "0.01", method="laser")) is Verdict.INCONCLUSIVE


def test_a_u_above_the_ceiling_is_judged_by_its_zones_and_marked() -> None:
    assert settled(make_reading("38", "0.11")) == (Decimal("0.11"), ("above_ceiling",))
    assert settled(make_reading("38", "0.10")) == (Decimal("0.10"), ())
    assert verdict(SPEC, make_reading("38", "1")) is Verdict.CONFORM
    assert verdict(SPEC, make_reading("38", "1.01")) is Verdict.INCONCLUSIVE
    assert verdict(SPEC, make_reading("41", "1")) is Verdict.NONCONFORM


def test_a_u_of_nought_is_taken_and_marked() -> None:
    assert settled(make_reading("38", "0")) == (Decimal(0), ("zero_U",))


def test_a_design_tells_its_maker_how_it_stands() -> None:
    assert verdict(SPEC, make_reading("38", method="cad")) is Verdict.CONFORM


@pytest.mark.parametrize("purpose", ["type_approval", "match", "recheck"])
def test_a_design_proves_nothing_of_an_article(purpose: str) -> None:
    found = finding(SPEC, make_article(make_reading("38", method="cad")), purpose=purpose)
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.NOT_MEASURED, "design_not_article", "measure_article")


def test_a_design_does_not_stand_in_the_way_of_a_measured_article() -> None:
    readings = (make_reading("40", method="cad"), make_reading("38", "0.1"))
    assert verdict(SPEC, *readings, purpose="type_approval") is Verdict.CONFORM


def test_a_u_in_another_unit_is_turned_with_its_value() -> None:
    assert verdict(SPEC, make_reading("3.89", "0.01", unit="cm")) is Verdict.CONFORM
    assert verdict(SPEC, make_reading("3.89", "0.011", unit="cm")) is Verdict.INCONCLUSIVE


def test_a_quantity_may_narrow_what_its_method_says_in_general() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.height:
            {unit: mm, what: "Height", methods: [{method: caliper, default_U: 0.3 mm, floor_U: 0.2 mm, ceiling_U: 0.4 mm}]}
        requirements: [{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}]
    """)
    method = allowed_methods(spec.spec, "goalkeeper.height")["caliper"]
    assert (method.default_u, method.floor_u, method.ceiling_u) == (Decimal("0.3"), Decimal("0.2"), Decimal("0.4"))


def test_a_methods_u_of_another_dimension_says_nothing() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.volume: {unit: mm3, what: "Volume", methods: [caliper]}
        requirements: [{id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1"}]
    """)
    reading = make_reading("2000", quantity="goalkeeper.volume", unit="mm3")
    assert why(finding(spec, make_article(reading))) == "uncertainty_missing"


def test_a_method_that_the_file_does_not_describe_has_no_bounds_and_the_form_of_its_name() -> None:
    spec = make_spec("""
        methods: {}
        quantities:
          goalkeeper.height: {unit: mm, what: "Height", methods: [gauge, tape]}
        requirements: [{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}]
    """)
    found = allowed_methods(spec.spec, "goalkeeper.height")
    assert [(method.form, method.ceiling_u) for method in found.values()] == [("go_no_go", None), ("value", None)]


def test_a_part_of_a_quantity_that_is_not_declared_is_measured_like_the_whole() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.volume: {unit: mm3, what: "Volume", methods: [bare]}
        derived:
          goalkeeper.slack: {op: sum, of: [goalkeeper.volume], unit: cm3, what: "Slack"}
        requirements: [{id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1"}]
    """).spec
    assert declared(spec, "goalkeeper.volume.outer") == spec.quantities["goalkeeper.volume"]
    assert (unit_of(spec, "goalkeeper.volume.outer"), unit_of(spec, "goalkeeper.slack.most")) == ("mm3", "cm3")
    assert declared(spec, "goalkeeper.slack.most") is None


def test_a_value_for_a_plain_quantity_goes_where_its_method_says() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.volume:
            {unit: mm3, what: "Volume", methods: [{method: bare, measures: goalkeeper.volume.outer, ceiling_U: 9 mm3}, ruler]}
          goalkeeper.volume.outer: {unit: mm3, what: "Outer", methods: [caliper]}
        requirements:
          - {id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1"}
          - {id: gk.outer, kind: limit, of: goalkeeper.volume.outer, max: 2700 mm3, clause: "1"}
    """)
    article = make_article(make_reading("2600", "10", quantity="goalkeeper.volume", unit="mm3", method="bare"))
    assert finding(spec, article, "gk.volume").verdict is Verdict.NOT_MEASURED
    outer = finding(spec, article, "gk.outer")
    assert outer.verdict is Verdict.CONFORM
    reading = outer.decided[0].reading
    assert reading is not None
    assert (reading.quantity, reading.marks) == ("goalkeeper.volume.outer", ("above_ceiling",))


def test_a_value_for_a_plain_quantity_without_that_word_serves_no_other() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.volume: {unit: mm3, what: "Volume", methods: [bare]}
          goalkeeper.volume.outer: {unit: mm3, what: "Outer", methods: [bare]}
        requirements: [{id: gk.outer, kind: limit, of: goalkeeper.volume.outer, max: 2700 mm3, clause: "1"}]
    """)
    article = make_article(make_reading("2600", "10", quantity="goalkeeper.volume", unit="mm3", method="bare"))
    assert finding(spec, article).verdict is Verdict.NOT_MEASURED
