"""Quantities that are measured place by place."""

from __future__ import annotations

import pytest

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading, Unmeasured
from homolog.report.messages import english
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, following, judge, make_article, make_reading, make_spec, why


def spec_of(each: str) -> LoadedSpec:
    return make_spec(f"""
        quantities:
          goalkeeper.height: {{unit: mm, what: "Height", methods: [caliper, bare, cad], each: {each}}}
        requirements: [{{id: gk.height, kind: limit, of: goalkeeper.height, min: 27 mm, max: 39 mm, clause: "1"}}]
    """)


ENDS, EVERY, NONE = spec_of("[end_a, end_b]"), spec_of("every"), spec_of("[only]")


def at(place: str | None, value: str = "38", **more: str) -> Reading:
    return make_reading(value, "0.1", place=place, **more)


def found(spec: LoadedSpec, *readings: Reading, **more: str) -> Finding:
    return finding(spec, make_article(*readings), **more)


def places(one: Finding) -> list[tuple[str | None, Verdict]]:
    return [(decided.place, decided.verdict) for decided in one.decided]


def test_each_named_place_is_judged_and_the_worst_comes_first() -> None:
    one = found(ENDS, at("end_a"), at("end_b", "40"))
    assert one.verdict is Verdict.NONCONFORM
    assert places(one) == [("end_b", Verdict.NONCONFORM), ("end_a", Verdict.CONFORM)]


def test_all_named_places_conforming_conform() -> None:
    assert found(ENDS, at("end_a"), at("end_b")).verdict is Verdict.CONFORM


@pytest.mark.parametrize("purpose", ["self_test", "type_approval", "match", "recheck"])
def test_a_place_without_a_reading_is_not_measured(purpose: str) -> None:
    one = found(ENDS, at("end_a"), purpose=purpose)
    assert (one.verdict, one.decided[0].place) == (Verdict.NOT_MEASURED, "end_b")
    assert following(one) == ("measure", {"quantity": "goalkeeper.height", "places": "end_b"})


def test_the_next_step_names_all_places_that_lack_a_reading() -> None:
    spec = spec_of("[end_a, end_b, side_a]")
    one = found(spec, at("side_a"))
    assert following(one) == ("measure", {"quantity": "goalkeeper.height", "places": "end_a, end_b"})
    assert [dict(decided.next.params)["places"] for decided in one.decided if decided.next] == ["end_a", "end_b"]
    assert english().say("next.measure", one.next.params if one.next else {}) == "Measure it at end A; end B: goalkeeper.height."


def test_where_a_place_fails_the_others_that_lack_a_reading_do_not_matter() -> None:
    assert found(spec_of("[end_a, end_b]"), at("end_a", "45")).next is None


def test_a_place_that_could_not_be_measured_says_why() -> None:
    article = make_article(at("end_a"), unmeasured=(Unmeasured(quantity="goalkeeper.height", place="end_b", reason="hidden"),))
    assert why(finding(ENDS, article)) == "reading_unmeasured"


@pytest.mark.parametrize("purpose", ["self_test", "type_approval", "match", "recheck"])
def test_where_any_label_names_a_place_one_that_could_not_be_measured_leaves_the_whole_unproven(purpose: str) -> None:
    missing = (Unmeasured(quantity="goalkeeper.height", place="bar_2", reason="broken"),)
    one = finding(EVERY, make_article(at("bar_1"), unmeasured=missing), purpose=purpose)
    assert places(one) == [("bar_2", Verdict.NOT_MEASURED), ("bar_1", Verdict.CONFORM)]
    assert (one.verdict, why(one)) == (Verdict.NOT_MEASURED, "reading_unmeasured")


def test_where_any_label_names_a_place_a_failed_attempt_at_the_whole_names_none() -> None:
    missing = (Unmeasured(quantity="goalkeeper.height", place=None, reason="the scan shows no bar"),)
    assert places(finding(EVERY, make_article(at("bar_1"), unmeasured=missing))) == [("bar_1", Verdict.CONFORM)]


def test_a_reading_without_a_place_says_that_every_place_reads_so() -> None:
    one = found(ENDS, at(None))
    assert places(one) == [("end_a", Verdict.CONFORM), ("end_b", Verdict.CONFORM)]
    assert all(decided.reading is not None and "for_all_places" in decided.reading.marks for decided in one.decided)


def test_a_reading_of_the_whole_is_held_against_those_of_places() -> None:
    assert found(ENDS, at(None), at("end_a", "38.1"), at("end_b")).verdict is Verdict.CONFORM
    assert found(ENDS, at(None), at("end_a", "38.5")).verdict is Verdict.ERROR


@pytest.mark.parametrize("spec", [ENDS, NONE, spec_of("[end_a]")])
def test_a_place_that_the_rules_do_not_know_is_an_error(spec: LoadedSpec) -> None:
    one = found(spec, at("end_a"), at("end_b"), at("only"), at("end_x"))
    assert (one.verdict, why(one), following(one)[0]) == (Verdict.ERROR, "place_unknown", "mend_sheet")


def test_a_place_where_the_rules_know_none_is_an_error() -> None:
    spec = make_spec("requirements: [{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: '1'}]")
    assert why(found(spec, at("end_a"))) == "place_unknown"


def test_every_label_of_the_sheet_is_judged() -> None:
    one = found(EVERY, at("bar_1"), at("bar_2", "40"), at("bar_3"))
    assert places(one) == [("bar_2", Verdict.NONCONFORM), ("bar_1", Verdict.CONFORM), ("bar_3", Verdict.CONFORM)]


def test_every_without_a_label_is_the_whole() -> None:
    assert places(found(EVERY, at(None))) == [(None, Verdict.CONFORM)]
    assert places(found(EVERY)) == [(None, Verdict.NOT_MEASURED)]


# Type approval: each place counts alone.


def approval(*readings: Reading, spec: LoadedSpec = ENDS) -> Finding:
    return found(spec, *readings, purpose="type_approval")


def test_for_approval_a_reading_without_a_place_proves_no_named_place() -> None:
    one = approval(at(None))
    assert one.verdict is Verdict.NOT_MEASURED
    assert places(one) == [("end_a", Verdict.NOT_MEASURED), ("end_b", Verdict.NOT_MEASURED), (None, Verdict.CONFORM)]
    assert why(one) == "place_missing"


def test_for_approval_a_reading_without_a_place_can_fail_the_article() -> None:
    one = approval(at(None, "40"), at("end_a"), at("end_b"))
    assert places(one)[0] == (None, Verdict.NONCONFORM)
    assert one.verdict is Verdict.NONCONFORM


@pytest.mark.parametrize("extra", [at(None), at(None, "38.05"), make_reading("38", "0.01", method="bare"), at(None, "39")])
def test_for_approval_a_reading_without_a_place_takes_nothing_from_the_named_ones(extra: Reading) -> None:
    assert approval(at("end_a"), at("end_b"), extra).verdict is Verdict.CONFORM


def test_for_approval_a_reading_without_a_place_may_be_of_another_place_than_it_contradicts() -> None:
    assert approval(at("end_a", "30"), at("end_b", "38"), at(None, "38")).verdict is Verdict.CONFORM


def test_for_approval_a_reading_without_a_place_is_used() -> None:
    article = make_article(at("end_a"), at("end_b"), at(None))
    assert judge(ENDS, article, purpose="type_approval").unused == ()


def test_for_approval_a_design_without_places_says_what_it_is() -> None:
    one = approval(at(None, method="cad"))
    assert (one.verdict, why(one), following(one)[0]) == (Verdict.NOT_MEASURED, "design_not_article", "measure_article")
    assert why(approval(at("end_a", method="cad"), at("end_b", method="cad"))) == "design_not_article"


def test_for_approval_every_unlabelled_reading_is_one_place() -> None:
    assert approval(at(None), spec=EVERY).verdict is Verdict.CONFORM
    assert places(approval(at(None), at("bar_1", "30"), spec=EVERY)) == [(None, Verdict.CONFORM), ("bar_1", Verdict.CONFORM)]


def test_for_approval_a_quantity_without_places_needs_none() -> None:
    spec = make_spec("requirements: [{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: '1'}]")
    assert approval(at(None), spec=spec).verdict is Verdict.CONFORM


BOUNDED = make_spec("""
    quantities:
      goalkeeper.height: {unit: mm, what: "Height", methods: [caliper], each: [end_a, end_b], at_most: goalkeeper.reach}
      goalkeeper.reach: {unit: mm, what: "Reach", methods: [caliper]}
    requirements: [{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}]
""")


@pytest.mark.parametrize("purpose", ["self_test", "type_approval"])
def test_a_bound_from_a_quantity_without_places_holds_at_each_place(purpose: str) -> None:
    assert found(BOUNDED, make_reading("38", "0.1", quantity="goalkeeper.reach"), purpose=purpose).verdict is Verdict.CONFORM
