"""Quantities worked out from others, with the uncertainty carried along."""

from __future__ import annotations

from decimal import Decimal

import pytest

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, judge, make_article, make_reading, make_spec, why


def spec_of(op: str, of: str, limit: str, *, unit: str = "mm", each: str = "", b_unit: str = "mm") -> LoadedSpec:
    places = f", each: {each}" if each else ""
    return make_spec(f"""
        quantities:
          goalkeeper.a: {{unit: mm, what: "A", methods: [caliper, bare]{places}}}
          goalkeeper.b: {{unit: {b_unit}, what: "B", methods: [caliper, bare]{places}}}
          goalkeeper.c: {{unit: mm, what: "C", methods: [caliper, bare]}}
        derived:
          goalkeeper.d: {{op: {op}, of: {of}, unit: {unit}, what: "D"}}
          goalkeeper.e: {{op: sum, of: [goalkeeper.d, goalkeeper.a], unit: {unit}, what: "E"}}
        requirements: [{{id: gk.d, kind: limit, of: goalkeeper.d, clause: "1", {limit}}}]
    """)


TWO = "[goalkeeper.a, goalkeeper.b]"
THREE = "[goalkeeper.a, goalkeeper.b, goalkeeper.c]"


def part(name: str, value: str | None, U: str | None = "0.1", **more: str | None) -> Reading:
    """Return a reading of one of the parts, with an instrument of its own unless another one or none is named."""
    told = {"method": "bare", "instrument": f"tool of {name}"} | more
    return make_reading(value, U, quantity=f"goalkeeper.{name}", **told)


def found(spec: LoadedSpec, *readings: Reading, **more: str) -> Finding:
    return finding(spec, make_article(*readings), **more)


def result(spec: LoadedSpec, *readings: Reading, **more: str) -> Reading:
    reading = found(spec, *readings, **more).decided[0].reading
    assert reading is not None
    return reading


def value_and_u(spec: LoadedSpec, *readings: Reading) -> tuple[Decimal | None, Decimal | None]:
    reading = result(spec, *readings)
    return reading.value, reading.expanded_uncertainty


DIFFERENCE = spec_of("difference", TWO, "within: 5 mm")
SUM = spec_of("sum", THREE, "max: 39 mm")
DISTANCE = spec_of("distance", TWO, "max: 5.1 mm")
RATIO = spec_of("ratio", TWO, "max: 2 count", unit="count")


def test_a_difference_adds_uncertainty_in_quadrature() -> None:
    assert value_and_u(DIFFERENCE, part("a", "10", "0.3"), part("b", "12", "0.4")) == (Decimal(-2), Decimal("0.5"))


def test_a_difference_by_one_instrument_adds_linearly() -> None:
    readings = part("a", "10", "0.3", instrument="C-1"), part("b", "12", "0.4", instrument="C-1")
    assert value_and_u(DIFFERENCE, *readings) == (Decimal(-2), Decimal("0.7"))
    assert result(DIFFERENCE, *readings).instrument == "C-1"


def test_an_instruments_name_is_the_same_however_it_is_written() -> None:
    assert value_and_u(DIFFERENCE, part("a", "10", "0.3", instrument="C-1"), part("b", "9", "0.4", instrument=" c-1"))[
        1
    ] == Decimal("0.7")


def test_two_instruments_add_in_quadrature() -> None:
    readings = part("a", "10", "0.3", instrument="C-1"), part("b", "12", "0.4", instrument="C-2")
    assert value_and_u(DIFFERENCE, *readings)[1] == Decimal("0.5")
    assert result(DIFFERENCE, *readings).instrument is None


def test_an_irrational_uncertainty_is_rounded_up() -> None:
    assert value_and_u(DIFFERENCE, part("a", "10"), part("b", "12"))[1] == Decimal("0.141422")


@pytest.mark.parametrize(("first", "second"), [(None, None), ("C-1", None), (None, "C-2"), ("C-1", " ")])
def test_an_instrument_that_is_not_named_may_be_the_same(first: str | None, second: str | None) -> None:
    readings = part("a", "10", "0.3", instrument=first), part("b", "10", "0.4", instrument=second)
    assert value_and_u(DIFFERENCE, *readings)[1] == Decimal("0.7")


def test_one_unnamed_instrument_may_be_any_of_the_named_ones() -> None:
    readings = [
        part("a", "10", "0.1", instrument="C-1"),
        part("b", "10", "0.2", instrument="C-2"),
        part("c", "10", "0.4", instrument=None),
    ]
    assert value_and_u(SUM, *readings)[1] == Decimal("0.7")


def test_leaving_a_name_out_never_makes_a_result_sharper() -> None:
    told = [part("a", "10", "0.3"), part("b", "12", "0.4")]
    silent = [part("a", "10", "0.3", instrument=None), part("b", "12", "0.4", instrument=None)]
    named, unnamed = value_and_u(DIFFERENCE, *told)[1], value_and_u(DIFFERENCE, *silent)[1]
    assert named is not None
    assert unnamed is not None
    assert named < unnamed


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("15", "10.5", Verdict.CONFORM),
        ("15", "10.1", Verdict.INCONCLUSIVE),
        ("16", "10", Verdict.NONCONFORM),
        ("10", "16", Verdict.NONCONFORM),
        ("10", "14.5", Verdict.CONFORM),
    ],
)
def test_within_holds_both_tails_of_a_signed_difference(a: str, b: str, expected: Verdict) -> None:
    assert found(DIFFERENCE, part("a", a), part("b", b)).verdict is expected


def test_a_sum_adds_all_and_linearly_only_what_one_instrument_measured() -> None:
    names = {"a": "C-1", "b": "C-1", "c": "C-2"}
    readings = [part(name, "10", U, instrument=names[name]) for name, U in (("a", "0.1"), ("b", "0.2"), ("c", "0.4"))]
    assert value_and_u(SUM, *readings) == (Decimal(30), Decimal("0.5"))


def test_one_reading_that_stands_twice_in_a_sum_errs_twice() -> None:
    spec = spec_of("sum", "[goalkeeper.a, goalkeeper.a]", "max: 39 mm")
    assert value_and_u(spec, part("a", "10", "0.3")) == (Decimal(20), Decimal("0.6"))


def test_one_reading_that_stands_in_two_levels_errs_twice() -> None:
    spec = make_spec("""
        quantities:
          goalkeeper.a: {unit: mm, what: "A", methods: [bare]}
          goalkeeper.b: {unit: mm, what: "B", methods: [bare]}
        derived:
          goalkeeper.d: {op: sum, of: [goalkeeper.a, goalkeeper.b], unit: mm, what: "D"}
          goalkeeper.e: {op: sum, of: [goalkeeper.d, goalkeeper.a], unit: mm, what: "E"}
        requirements: [{id: gk.e, kind: limit, of: goalkeeper.e, clause: "1", max: 39 mm}]
    """)
    assert value_and_u(spec, part("a", "10", "0.3"), part("b", "5", "0.4")) == (Decimal(25), Decimal("0.8"))


def test_a_sum_in_another_unit_than_its_parts_turns_them() -> None:
    spec = spec_of("sum", TWO, "max: 3 cm", unit="cm", b_unit="m")
    readings = part("a", "10", "0.3"), part("b", "0.02", "0.0004", unit="m")
    assert value_and_u(spec, *readings) == (Decimal(3), Decimal("0.05"))
    assert found(spec, *readings).verdict is Verdict.INCONCLUSIVE


def test_a_ratio_of_parts_in_two_units_is_the_ratio_of_the_things() -> None:
    spec = spec_of("ratio", TWO, "max: 2 count", unit="count", b_unit="cm")
    assert value_and_u(spec, part("a", "30", "0"), part("b", "2", "0", unit="cm")) == (Decimal("1.5"), Decimal(0))


def test_a_ratio_carries_relative_uncertainty() -> None:
    # 12 / 10 with 0.3 % and 0.4 %: 0.5 % of 1.2
    assert value_and_u(RATIO, part("a", "12", "0.036"), part("b", "10", "0.04")) == (Decimal("1.2"), Decimal("0.006"))
    readings = part("a", "12", "0.036", instrument="C"), part("b", "10", "0.04", instrument="C")
    assert value_and_u(RATIO, *readings)[1] == Decimal("0.0084")


def test_a_ratio_that_does_not_end_is_rounded_and_its_remainder_joins_u() -> None:
    assert value_and_u(RATIO, part("a", "1", "0"), part("b", "3", "0")) == (Decimal("0.333333"), Decimal("0.000001"))


def test_a_ratio_by_a_poorly_known_divisor_is_held_by_its_bounds() -> None:
    reading = result(RATIO, part("a", "10", "0"), part("b", "10", "5"))
    assert (reading.value, reading.lo, reading.hi) == (None, Decimal("0.666666"), Decimal(2))
    assert found(RATIO, part("a", "10", "0"), part("b", "10", "5.1")).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("a", "b"), [(("10", "0"), ("1", "1")), (("10", "0"), ("0", "0")), (("0.1", "0.2"), ("1", "0.5")), (("1", "0"), ("-2", "1"))]
)
def test_a_ratio_that_its_parts_leave_open_is_not_measured(a: tuple[str, str], b: tuple[str, str]) -> None:
    one = found(RATIO, part("a", *a), part("b", *b))
    assert (one.verdict, why(one)) == (Verdict.NOT_MEASURED, "parts_leave_open")


@pytest.mark.parametrize(("a", "b"), [("999999999999999", "0.000000000000001"), ("999999999999999", "1")])
def test_a_ratio_beyond_all_articles_is_no_crash(a: str, b: str) -> None:
    assert found(RATIO, part("a", a, "0"), part("b", b, "0")).verdict is Verdict.NONCONFORM
    assert found(RATIO, part("a", None, None, lo=a), part("b", b, "0")).verdict is Verdict.NONCONFORM


def test_a_distance_goes_straight_across_perpendicular_parts() -> None:
    assert value_and_u(DISTANCE, part("a", "3", "0.1"), part("b", "4", "0.1")) == (Decimal(5), Decimal("0.1"))
    one_tool = part("a", "3", "0.1", instrument="C"), part("b", "-4", "0.1", instrument="C")
    assert value_and_u(DISTANCE, *one_tool) == (Decimal(5), Decimal("0.14"))


def test_a_distance_that_does_not_end_is_rounded_and_its_remainder_joins_u() -> None:
    assert value_and_u(DISTANCE, part("a", "1", "0"), part("b", "1", "0")) == (Decimal("1.414214"), Decimal("0.000001"))


def test_a_short_distance_may_be_longer_by_all_that_its_parts_may_err() -> None:
    # Both parts read nearly nought: to first order their errors would vanish.
    assert value_and_u(DISTANCE, part("a", "0.1", "0.3"), part("b", "0", "0.4")) == (Decimal("0.1"), Decimal("0.5"))
    assert value_and_u(DISTANCE, part("a", "0", "0"), part("b", "0", "0")) == (Decimal(0), Decimal(0))


def bounds(name: str, lo: str | None, hi: str | None) -> Reading:
    return part(name, None, None, **{side: end for side, end in (("lo", lo), ("hi", hi)) if end is not None})


@pytest.mark.parametrize(
    ("spec", "a", "b", "expected"),
    [
        (DIFFERENCE, ("10", "11"), ("12", "14"), ("-4", "-1")),
        (DIFFERENCE, ("10", None), ("12", "14"), ("-4", None)),
        (DIFFERENCE, (None, "11"), ("12", "14"), (None, "-1")),
        (spec_of("sum", TWO, "max: 39 mm"), ("10", "11"), ("12", "14"), ("22", "25")),
        (spec_of("sum", TWO, "max: 39 mm"), (None, "11"), ("12", "14"), (None, "25")),
        (DISTANCE, ("3", "6"), ("4", "8"), ("5", "10")),
        (DISTANCE, ("-6", "-3"), ("4", "8"), ("5", "10")),
        (DISTANCE, ("-6", "3"), ("4", "8"), ("4", "10")),
        (DISTANCE, ("3", None), ("4", "8"), ("5", None)),
        (DISTANCE, (None, "-3"), ("4", "8"), ("5", None)),
        (RATIO, ("10", "12"), ("4", "5"), ("2", "3")),
        (RATIO, ("10", None), ("4", "5"), ("2", None)),
        (RATIO, ("10", "12"), ("4", None), (None, "3")),
        (RATIO, ("1", "1"), ("3", "3"), ("0.333333", "0.333334")),
    ],
)
def test_bounds_are_carried_along(
    spec: LoadedSpec, a: tuple[str | None, str | None], b: tuple[str | None, str | None], expected: tuple[str | None, str | None]
) -> None:
    reading = result(spec, bounds("a", *a), bounds("b", *b))
    assert (reading.lo, reading.hi) == tuple(None if end is None else Decimal(end) for end in expected)


@pytest.mark.parametrize(
    ("spec", "a", "b"),
    [
        (DIFFERENCE, ("10", None), ("12", None)),
        (RATIO, ("-1", "12"), ("4", "5")),
        (RATIO, ("1", "12"), ("0", "5")),
        (RATIO, (None, "12"), ("4", "5")),
        (RATIO, ("1", None), ("4", None)),
    ],
)
def test_bounds_that_leave_it_open_are_not_measured(
    spec: LoadedSpec, a: tuple[str | None, str | None], b: tuple[str | None, str | None]
) -> None:
    one = found(spec, bounds("a", *a), bounds("b", *b))
    assert (one.verdict, why(one)) == (Verdict.NOT_MEASURED, "parts_leave_open")


def test_a_value_and_bounds_combine_as_bounds() -> None:
    reading = result(DIFFERENCE, part("a", "10", "0.5"), bounds("b", "9", "10"))
    assert (reading.lo, reading.hi) == (Decimal("-0.5"), Decimal("1.5"))


def test_a_part_that_is_missing_or_wrong_leaves_the_result_so() -> None:
    assert found(DIFFERENCE, part("a", "10")).verdict is Verdict.NOT_MEASURED
    assert found(DIFFERENCE, part("a", "10"), part("b", "10", method="guess")).verdict is Verdict.ERROR


def test_a_derived_quantity_measured_directly_is_held_against_its_parts() -> None:
    readings = part("a", "10"), part("b", "12")
    assert found(DIFFERENCE, part("d", "-2", "0.1")).verdict is Verdict.CONFORM
    assert result(DIFFERENCE, *readings, part("d", "-2.05", "0.05")).value == Decimal("-2.05")
    assert found(DIFFERENCE, *readings, part("d", "-3", "0.1")).verdict is Verdict.ERROR


def test_what_was_assumed_of_a_part_is_said_of_the_result() -> None:
    reading = result(DIFFERENCE, part("a", "10", None, method="caliper"), part("b", "10", "0"))
    assert reading.marks == ("default_U", "zero_U")
    assert reading.evidence == "difference of goalkeeper.a, goalkeeper.b"


ENDS = spec_of("difference", TWO, "within: 5 mm", each="[end_a, end_b]")


def test_a_difference_is_taken_place_by_place() -> None:
    one = found(
        ENDS,
        part("a", "10", place="end_a"),
        part("b", "12", place="end_a"),
        part("a", "10", place="end_b"),
        part("b", "19", place="end_b"),
    )
    assert [(decided.place, decided.verdict) for decided in one.decided] == [
        ("end_b", Verdict.NONCONFORM),
        ("end_a", Verdict.CONFORM),
    ]


def test_a_place_of_a_part_that_the_rules_do_not_know_is_an_error() -> None:
    readings = [part(name, "10", place=place) for name in "ab" for place in ("end_a", "end_b")]
    assert found(ENDS, *readings).verdict is Verdict.CONFORM
    assert why(found(ENDS, *readings, part("b", "90", place="end_x"))) == "place_unknown"


def test_a_part_without_places_serves_every_place() -> None:
    spec = spec_of("difference", "[goalkeeper.c, goalkeeper.a]", "within: 5 mm", each="[end_a, end_b]")
    one = found(spec, part("c", "10"), part("a", "12", place="end_a"), part("a", "18", place="end_b"))
    assert [(decided.place, decided.verdict) for decided in one.decided] == [
        ("end_b", Verdict.NONCONFORM),
        ("end_a", Verdict.CONFORM),
    ]


def test_a_label_that_only_one_part_has_is_not_measured_rather_than_passed_over() -> None:
    spec = spec_of("difference", TWO, "within: 5 mm", each="every")
    whole = [part("a", "10", place="bar_1"), part("b", "12", place="bar_1")]
    assert found(spec, *whole).verdict is Verdict.CONFORM
    assert found(spec, *whole, part("b", "30", place="bar_2")).verdict is Verdict.NOT_MEASURED
    assert found(spec, *whole, part("d", "30", place="bar_3")).verdict is Verdict.NONCONFORM


def test_a_part_without_places_serves_every_label() -> None:
    spec = spec_of("difference", "[goalkeeper.a, goalkeeper.c]", "within: 5 mm", each="every")
    one = found(spec, part("a", "12", place="x"), part("a", "18", place="y"), part("c", "10"))
    assert [(decided.place, decided.verdict) for decided in one.decided] == [("y", Verdict.NONCONFORM), ("x", Verdict.CONFORM)]


def test_for_approval_parts_without_places_may_be_of_two_places() -> None:
    whole = [part("a", "10"), part("b", "30")]
    assert found(ENDS, *whole).verdict is Verdict.NONCONFORM
    one = found(ENDS, *whole, purpose="type_approval")
    assert (one.verdict, why(one)) == (Verdict.NOT_MEASURED, "no_reading")


SPREAD = spec_of("spread", "[goalkeeper.a]", "max: 1 mm", each="[end_a, end_b]")


def ends(a: str, b: str, U: str = "0.1", **more: str) -> tuple[Reading, Reading]:
    return part("a", a, U, place="end_a", **more), part("a", b, U, place="end_b", **more)


@pytest.mark.parametrize(
    ("a", "b", "U", "lo", "hi", "expected"),
    [
        ("10", "10.5", "0.1", "0.3", "0.7", Verdict.CONFORM),
        ("10.5", "10", "0.1", "0.3", "0.7", Verdict.CONFORM),
        ("10", "10", "0.5", "0", "1.0", Verdict.CONFORM),
        ("10", "10.1", "0.5", "0", "1.1", Verdict.INCONCLUSIVE),
        ("10", "11", "0", "1", "1", Verdict.CONFORM),
        ("10", "11.3", "0.1", "1.1", "1.5", Verdict.NONCONFORM),
    ],
)
def test_a_spread_lies_between_what_is_certain_and_what_is_possible(
    a: str, b: str, U: str, lo: str, hi: str, expected: Verdict
) -> None:
    one = found(SPREAD, *ends(a, b, U))
    assert one.verdict is expected
    assert one.decided[0].reading is not None
    assert (one.decided[0].reading.lo, one.decided[0].reading.hi) == (Decimal(lo), Decimal(hi))


def test_one_instrument_or_several_a_spread_takes_the_worst_of_each_place() -> None:
    one, two = result(SPREAD, *ends("10", "10.5", instrument="C")), result(SPREAD, *ends("10", "10.5"))
    assert (one.lo, one.hi, one.instrument) == (two.lo, two.hi, "C")


def test_a_spread_over_open_ends_knows_only_its_lower_bound() -> None:
    readings = part("a", None, None, place="end_a", lo="12"), part("a", "10", "0.1", place="end_b")
    assert (result(SPREAD, *readings).lo, result(SPREAD, *readings).hi) == (Decimal("1.9"), None)
    assert found(SPREAD, *readings).verdict is Verdict.NONCONFORM
    above = part("a", None, None, place="end_a", lo="12"), part("a", None, None, place="end_b", lo="10")
    assert result(SPREAD, *above).lo == 0


def test_a_spread_needs_every_place() -> None:
    assert found(SPREAD, part("a", "10", place="end_a")).verdict is Verdict.NOT_MEASURED


def test_the_next_step_names_the_part_that_is_missing_and_its_place() -> None:
    step = found(SPREAD, part("a", "10", place="end_a")).next
    assert step is not None
    assert (step.code, dict(step.params)) == ("measure", {"quantity": "goalkeeper.a", "places": "end_b"})


def test_the_next_step_of_a_spread_names_every_place_at_once() -> None:
    step = found(SPREAD).next
    assert step is not None
    assert (step.code, dict(step.params)) == ("measure", {"quantity": "goalkeeper.a", "places": "end_a, end_b"})


def test_one_reading_for_all_places_proves_a_spread_to_its_maker_but_not_for_approval() -> None:
    assert found(SPREAD, part("a", "10")).verdict is Verdict.CONFORM
    assert found(SPREAD, part("a", "10"), purpose="type_approval").verdict is Verdict.NOT_MEASURED


def test_a_spread_over_several_quantities_and_every_label() -> None:
    spec = spec_of("spread", "[goalkeeper.a, goalkeeper.c]", "max: 1 mm", each="every")
    assert found(spec, part("a", "10", place="x"), part("a", "10.2", place="y"), part("c", "10.4")).verdict is Verdict.CONFORM
    assert found(spec, part("a", "10", place="x"), part("a", "10.2", place="y"), part("c", "11.4")).verdict is Verdict.NONCONFORM


def test_parts_are_used() -> None:
    assert judge(DIFFERENCE, make_article(part("a", "10"), part("b", "10"))).unused == ()
