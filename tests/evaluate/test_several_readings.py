"""Several readings of one quantity, and what one quantity says of another."""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations

import pytest

from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading, Unmeasured
from tests.evaluate.make import (
    finding,
    following,
    judge,
    make_article,
    make_gauge,
    make_limit,
    make_reading,
    make_spec,
    verdict,
    why,
)

SPEC = make_limit("max: 39 mm")
BOTH = make_limit("min: 27 mm, max: 39 mm")


def test_two_readings_prove_together_what_neither_proves_alone() -> None:
    low, high = make_reading("27.3", "0.5", method="ruler"), make_gauge("27.1", "no_go", "0.02")
    assert verdict(BOTH, low) is verdict(BOTH, high) is Verdict.INCONCLUSIVE
    found = finding(BOTH, make_article(low, high))
    assert found.verdict is Verdict.CONFORM
    reading = found.decided[0].reading
    assert reading is not None
    assert (reading.value, reading.lo, reading.hi) == (None, Decimal("27.08"), Decimal("27.8"))
    assert (reading.method, reading.marks[-1]) == ("ruler, gauge", "intersected")


def test_the_sharpest_reading_stands_as_it_is_where_the_others_add_nothing() -> None:
    sharp = make_reading("38.5", "0.1", instrument="C-1")
    reading = finding(SPEC, make_article(make_reading("38.4", "0.5", method="ruler"), sharp)).decided[0].reading
    assert reading is not None
    assert (reading.value, reading.instrument) == (Decimal("38.5"), "C-1")


def test_readings_that_touch_agree() -> None:
    assert verdict(SPEC, make_reading("38.4", "0.1"), make_reading("38.6", "0.1")) is Verdict.CONFORM


@pytest.mark.parametrize("order", [0, 1])
def test_readings_that_exclude_each_other_are_an_error(order: int) -> None:
    readings = [make_reading("38.4", "0.1"), make_reading("38.61", "0.1", method="laser")]
    found = finding(SPEC, make_article(*(readings[::-1] if order else readings)))
    assert (found.verdict, why(found), following(found)[0]) == (Verdict.ERROR, "contradiction", "mend_sheet")
    assert found.why is not None
    assert found.why.params["count"] == "2"


def test_a_gauge_that_goes_and_does_not_go_is_an_error() -> None:
    assert verdict(SPEC, make_gauge("38", "go"), make_gauge("38.1", "no_go")) is Verdict.ERROR


@pytest.mark.parametrize("rule", ["guarded", "simple"])
def test_the_order_of_readings_in_the_sheet_does_not_matter(rule: str) -> None:
    spec = make_limit(
        "max: 39 mm",
        more=f"""
            interpretations:
              - id: INT-decision
                clause: "1"
                question: "How?"
                status: adopted
                adoption: {{reading: {rule}, by: Board, on: 2020-01-01, decision: "1"}}
                readings: [{{id: guarded, decision: guarded, says: "G"}}, {{id: simple, decision: simple, says: "S"}}]
        """,
    )
    alike = (
        make_reading("38.95", "0.1", method="ruler"),  # no ceiling: never at shared risk
        make_reading("38.95", "0.1", method="caliper"),
        make_reading(lo="38.85", hi="39.05"),
    )
    found = {finding(spec, make_article(*readings)).verdict for readings in permutations(alike)}
    assert found == {Verdict.CONFORM if rule == "simple" else Verdict.INCONCLUSIVE}


def test_every_reading_of_a_judged_quantity_is_used_even_beside_a_wrong_one() -> None:
    article = make_article(
        make_reading("38", "0.1", method="guess"), make_reading("38", "0.1"), make_reading("1", "0.1", quantity="goalkeeper.nose")
    )
    assert [reading.quantity for reading in judge(SPEC, article).unused] == ["goalkeeper.nose"]


def test_without_a_reading_it_is_not_measured_and_says_what_to_measure() -> None:
    found = finding(SPEC, make_article())
    assert (found.verdict, why(found)) == (Verdict.NOT_MEASURED, "no_reading")
    assert following(found) == ("measure", {"quantity": "goalkeeper.height"})


def test_a_failed_measurement_gives_its_reason() -> None:
    article = make_article(
        unmeasured=(
            Unmeasured(quantity="goalkeeper.width", reason="-"),
            Unmeasured(quantity="goalkeeper.height", reason="the scan is open"),
        )
    )
    found = finding(SPEC, article)
    assert (found.verdict, why(found)) == (Verdict.NOT_MEASURED, "reading_unmeasured")
    assert found.why is not None
    assert found.why.params["reason"] == "the scan is open"


CONTENTS = make_spec("""
    quantities:
      goalkeeper.volume: {unit: mm3, what: "Volume", methods: [bare], at_most: goalkeeper.volume.outer}
      goalkeeper.volume.outer: {unit: cm3, what: "Outer", methods: [bare]}
    requirements: [{id: gk.volume, kind: limit, of: goalkeeper.volume, min: 100 mm3, max: 2700 mm3, clause: "1"}]
""")


def volume(value: str | None, U: str | None, *, part: str = "", unit: str = "mm3", **more: str) -> Reading:
    return make_reading(value, U, quantity=f"goalkeeper.volume{part}", unit=unit, method="bare", **more)


@pytest.mark.parametrize(
    ("outer", "own", "expected"),
    [
        ("2.6", None, Verdict.INCONCLUSIVE),  # [.., 2650]: the lower side stays open
        ("2.6", "100", Verdict.CONFORM),
        ("2.66", "100", Verdict.INCONCLUSIVE),
        ("2.65", "100", Verdict.CONFORM),
        ("0.04", None, Verdict.NONCONFORM),  # at most 90 mm3 is less than 100
        (None, "100", Verdict.INCONCLUSIVE),
    ],
)
def test_a_larger_quantity_bounds_a_smaller_one_in_its_unit(outer: str | None, own: str | None, expected: Verdict) -> None:
    readings = [volume(outer, "0.05", part=".outer", unit="cm3")] if outer else []
    readings += [volume(None, None, lo=own)] if own else []
    found = finding(CONTENTS, make_article(*readings))
    assert found.verdict is expected
    if outer and not own:
        assert found.decided[0].reading is not None
        assert "at_most goalkeeper.volume.outer" in found.decided[0].reading.marks


def test_a_larger_quantity_that_is_open_above_bounds_nothing() -> None:
    assert verdict(CONTENTS, volume(None, None, part=".outer", unit="cm3", lo="1")) is Verdict.NOT_MEASURED


def test_a_wrong_reading_of_a_larger_quantity_is_an_error_where_nothing_else_is_known() -> None:
    wrong = volume("1", None, part=".outer", unit="cm3")
    assert verdict(CONTENTS, wrong) is Verdict.ERROR
    assert verdict(CONTENTS, wrong, volume("1200", "50")) is Verdict.CONFORM


def test_a_part_measured_larger_than_its_whole_is_an_error() -> None:
    assert verdict(CONTENTS, volume("1", "0.05", part=".outer", unit="cm3"), volume("1200", "50")) is Verdict.ERROR
