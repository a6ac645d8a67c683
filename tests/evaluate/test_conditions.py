"""When a requirement applies: attributes, cases, families, purposes."""

from __future__ import annotations

import pytest

from homolog.evaluate.verdict import Verdict
from tests.evaluate.make import finding, following, judge, make_article, make_limit, make_reading, make_spec, verdict, why

ATTRIBUTES = """
    attributes:
      family: {what: "Family", values: [none, flat, sports]}
      material: {what: "Material"}
"""
FLAT = make_limit("max: 30 mm, when: {family: flat}", more=ATTRIBUTES)
HIGH = make_reading("38", "0.1")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"family": "flat"}, Verdict.NONCONFORM),
        ({"family": " Flat "}, Verdict.NONCONFORM),
        ({"family": "none"}, Verdict.NOT_APPLICABLE),
        ({"family": "sports"}, Verdict.NOT_APPLICABLE),
        ({}, Verdict.NOT_MEASURED),
        ({"family": ""}, Verdict.NOT_MEASURED),
        ({"family": "  "}, Verdict.NOT_MEASURED),
        ({"family": "falt"}, Verdict.NOT_MEASURED),
    ],
)
def test_a_familys_requirement_applies_to_the_family_and_is_open_where_none_is_declared(
    attributes: dict[str, str], expected: Verdict
) -> None:
    assert finding(FLAT, make_article(HIGH, attributes=attributes)).verdict is expected


def test_what_is_not_declared_is_named() -> None:
    found = finding(make_limit("max: 30 mm, when: {family: flat, material: wood}", more=ATTRIBUTES), make_article(HIGH))
    assert (why(found), following(found)) == ("missing_attribute", ("declare", {"attributes": "family, material"}))


def test_one_condition_that_fails_is_enough_whatever_the_others_are() -> None:
    spec = make_limit("max: 30 mm, when: {family: flat, material: [wood, plastic]}", more=ATTRIBUTES)
    found = finding(spec, make_article(HIGH, attributes={"material": "metal"}))
    assert (found.verdict, why(found)) == (Verdict.NOT_APPLICABLE, "condition_not_met")
    assert finding(spec, make_article(HIGH, attributes={"material": "Plastic"})).verdict is Verdict.NOT_MEASURED
    assert finding(spec, make_article(HIGH, attributes={"material": "wood", "family": "flat"})).verdict is Verdict.NONCONFORM


CASES = make_limit(
    "max: 39 mm, cases: [{when: {family: flat}, max: 30 mm}, {when: {family: sports}, min: 38 mm, max: 40 mm}]", more=ATTRIBUTES
)


@pytest.mark.parametrize(
    ("family", "value", "expected"),
    [
        ("flat", "38", Verdict.NONCONFORM),
        ("flat", "29", Verdict.CONFORM),
        ("sports", "39.5", Verdict.CONFORM),
        ("sports", "30", Verdict.NONCONFORM),
        ("none", "39.5", Verdict.NONCONFORM),
        ("none", "38", Verdict.CONFORM),
    ],
)
def test_a_case_stands_in_place_of_the_general_limit(family: str, value: str, expected: Verdict) -> None:
    assert finding(CASES, make_article(make_reading(value, "0.1"), attributes={"family": family})).verdict is expected


def test_cases_without_the_attribute_are_not_measured_even_where_a_general_limit_is_given() -> None:
    found = finding(CASES, make_article(make_reading("10", "0.1")))
    assert (found.verdict, following(found)) == (Verdict.NOT_MEASURED, ("declare", {"attributes": "family"}))


def test_no_case_and_no_general_limit_is_not_applicable() -> None:
    spec = make_limit("cases: [{when: {family: flat}, max: 30 mm}]", more=ATTRIBUTES)
    assert finding(spec, make_article(HIGH, attributes={"family": "none"})).verdict is Verdict.NOT_APPLICABLE


def test_behind_a_case_that_may_hold_a_later_one_proves_nothing() -> None:
    spec = make_limit("cases: [{when: {material: metal}, max: 30 mm}, {when: {family: flat}, max: 39 mm}]", more=ATTRIBUTES)
    both = {"material": "metal", "family": "flat"}
    assert finding(spec, make_article(HIGH, attributes=both)).verdict is Verdict.NONCONFORM
    assert finding(spec, make_article(HIGH, attributes={"family": "flat"})).verdict is Verdict.NOT_MEASURED
    assert finding(spec, make_article(HIGH, attributes={"material": "metal"})).verdict is Verdict.NONCONFORM


def test_a_case_without_a_limit_is_left_to_people() -> None:
    spec = make_limit("cases: [{when: {family: flat}}]", more=ATTRIBUTES)
    found = finding(spec, make_article(HIGH, attributes={"family": "flat"}))
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.NEEDS_JUDGEMENT, "limit_open", "ask_board")


@pytest.mark.parametrize("purpose", ["type_approval", "match", "self_test", "recheck"])
def test_a_requirement_applies_for_its_purposes_only(purpose: str) -> None:
    spec = make_limit("max: 39 mm, purposes: [match, recheck]")
    found = finding(spec, make_article(HIGH), purpose=purpose)
    if purpose in ("match", "recheck"):
        assert found.verdict is Verdict.CONFORM
    else:
        assert (found.verdict, why(found)) == (Verdict.NOT_APPLICABLE, "not_for_purpose")


def test_a_purpose_comes_before_a_missing_attribute() -> None:
    spec = make_limit("max: 39 mm, purposes: [match], when: {family: flat}", more=ATTRIBUTES)
    assert verdict(spec, HIGH) is Verdict.NOT_APPLICABLE


def test_nothing_that_applies_is_not_applicable_and_never_conform() -> None:
    assert judge(make_limit("max: 39 mm, purposes: [match]"), make_article(HIGH)).verdict is Verdict.NOT_APPLICABLE


def test_the_whole_is_the_least_of_what_applies_in_the_files_order() -> None:
    spec = make_spec("""
        requirements:
          - {id: gk.match_only, kind: limit, of: goalkeeper.height, max: 1 mm, clause: "1", purposes: [match]}
          - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}
          - {id: gk.least, kind: limit, of: goalkeeper.height, min: 38 mm, clause: "2"}
    """)
    found = judge(spec, make_article(HIGH))
    assert [one.requirement for one in found.findings] == ["gk.match_only", "gk.height", "gk.least"]
    assert found.verdict is Verdict.INCONCLUSIVE
    assert (found.findings[2].clause, found.findings[2].kind, found.findings[2].basis) == ("2", "limit", "stated")
