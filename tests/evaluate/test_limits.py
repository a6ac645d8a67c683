"""A value or bounds against a limit: the three zones, the margin, the probability, the next step."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading
from homolog.report.messages import english
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, following, make_article, make_gauge, make_limit, make_reading, make_spec, verdict, why

CONFORM, INCONCLUSIVE, NONCONFORM = Verdict.CONFORM, Verdict.INCONCLUSIVE, Verdict.NONCONFORM

ZONES = [
    # limit, value, U, verdict
    ("max: 39 mm", "39.00", "0", CONFORM),
    ("max: 39 mm", "38.99", "0", CONFORM),
    ("max: 39 mm", "39.01", "0", NONCONFORM),
    ("max: 39 mm", "38.95", "0.05", CONFORM),
    ("max: 39 mm", "38.96", "0.05", INCONCLUSIVE),
    ("max: 39 mm", "39.00", "0.05", INCONCLUSIVE),
    ("max: 39 mm", "39.05", "0.05", INCONCLUSIVE),
    ("max: 39 mm", "39.06", "0.05", NONCONFORM),
    ("max: 39 mm", "39.000000000000001", "0", NONCONFORM),
    ("min: 27 mm", "27.00", "0", CONFORM),
    ("min: 27 mm", "27.01", "0", CONFORM),
    ("min: 27 mm", "26.99", "0", NONCONFORM),
    ("min: 27 mm", "27.05", "0.05", CONFORM),
    ("min: 27 mm", "27.04", "0.05", INCONCLUSIVE),
    ("min: 27 mm", "26.95", "0.05", INCONCLUSIVE),
    ("min: 27 mm", "26.94", "0.05", NONCONFORM),
    ("min: 27 mm, max: 39 mm", "33", "6", CONFORM),
    ("min: 27 mm, max: 39 mm", "33", "6.01", INCONCLUSIVE),
    ("min: 27 mm, max: 39 mm", "27", "0.05", INCONCLUSIVE),
    ("min: 27 mm, max: 39 mm", "39.06", "0.05", NONCONFORM),
    ("min: 27 mm, max: 39 mm", "26.94", "0.05", NONCONFORM),
    ("min: 27 mm, max: 27 mm", "27", "0", CONFORM),
    ("min: 27 mm, max: 27 mm", "27", "0.001", INCONCLUSIVE),
    ("within: 5 mm", "5", "0", CONFORM),
    ("within: 5 mm", "-5", "0", CONFORM),
    ("within: 5 mm", "0", "5", CONFORM),
    ("within: 5 mm", "0", "5.01", INCONCLUSIVE),
    ("within: 5 mm", "5.1", "0.05", NONCONFORM),
    ("within: 5 mm", "-5.1", "0.05", NONCONFORM),
    ("within: 5 mm", "-5.1", "0.1", INCONCLUSIVE),
    ("above: 21 mm", "21", "0", NONCONFORM),
    ("above: 21 mm", "21.01", "0", CONFORM),
    ("above: 21 mm", "20.95", "0.05", NONCONFORM),
    ("above: 21 mm", "20.96", "0.05", INCONCLUSIVE),
    ("above: 21 mm", "21.05", "0.05", INCONCLUSIVE),
    ("above: 21 mm", "21.06", "0.05", CONFORM),
    ("below: 6 mm", "6", "0", NONCONFORM),
    ("below: 6 mm", "5.99", "0", CONFORM),
    ("below: 6 mm", "5.95", "0.05", INCONCLUSIVE),
    ("below: 6 mm", "5.94", "0.05", CONFORM),
    ("below: 6 mm", "6.05", "0.05", NONCONFORM),
    ("below: 6 mm", "6.04", "0.05", INCONCLUSIVE),
    ("above: 21 mm, max: 23 mm", "21", "0", NONCONFORM),
    ("above: 21 mm, max: 23 mm", "23", "0", CONFORM),
    ("min: 0 mm", "0", "0", CONFORM),
    ("max: 0 mm", "0.1", "0.05", NONCONFORM),
    ("max: 1.5 in", "38.1", "0", CONFORM),
    ("max: 1.5 in", "38.11", "0", NONCONFORM),
]


@pytest.mark.parametrize(("limit", "value", "U", "expected"), ZONES)
def test_a_value_with_its_uncertainty_falls_into_one_of_three_zones(limit: str, value: str, U: str, expected: Verdict) -> None:
    assert verdict(make_limit(limit), make_reading(value, U)) is expected


@pytest.mark.parametrize(
    ("limit", "lo", "hi", "expected"),
    [
        ("max: 39 mm", None, "39", CONFORM),
        ("max: 39 mm", None, "39.01", INCONCLUSIVE),
        ("max: 39 mm", "39", None, INCONCLUSIVE),
        ("max: 39 mm", "39.01", None, NONCONFORM),
        ("max: 39 mm", "38", None, INCONCLUSIVE),
        ("max: 39 mm", "38", "38.5", CONFORM),
        ("max: 39 mm", "39.5", "40", NONCONFORM),
        ("min: 27 mm", "27", None, CONFORM),
        ("min: 27 mm", "26.99", None, INCONCLUSIVE),
        ("min: 27 mm", None, "26.99", NONCONFORM),
        ("min: 27 mm", None, "27", INCONCLUSIVE),
        ("min: 27 mm, max: 39 mm", None, "39", INCONCLUSIVE),
        ("min: 27 mm, max: 39 mm", "27", "39", CONFORM),
        ("within: 5 mm", "-5", "5", CONFORM),
        ("below: 6 mm", None, "6", INCONCLUSIVE),
        ("below: 6 mm", "6", None, NONCONFORM),
    ],
)
def test_bounds_prove_what_their_ends_prove(limit: str, lo: str | None, hi: str | None, expected: Verdict) -> None:
    ends = {name: end for name, end in (("lo", lo), ("hi", hi)) if end is not None}
    assert verdict(make_limit(limit), make_reading(**ends)) is expected


def test_bounds_have_neither_margin_nor_probability() -> None:
    decided = finding(make_limit("max: 39 mm"), make_article(make_reading(hi="40"))).decided[0]
    assert (decided.margin, decided.probability) == (None, None)


@pytest.mark.parametrize(
    ("limit", "value", "side", "margin"),
    [
        ("max: 39 mm", "38.5", "max", "0.5"),
        ("max: 39 mm", "39.5", "max", "-0.5"),
        ("min: 27 mm", "27.5", "min", "0.5"),
        ("min: 27 mm, max: 39 mm", "28", "min", "1"),
        ("min: 27 mm, max: 39 mm", "38", "max", "1"),
        ("min: 27 mm, max: 39 mm", "26", "min", "-1"),
        ("within: 5 mm", "-4", "min", "1"),
    ],
)
def test_the_margin_is_to_the_nearer_side_without_u_and_positive_inside(limit: str, value: str, side: str, margin: str) -> None:
    found = finding(make_limit(limit), make_article(make_reading(value, "0.1"))).decided[0].margin
    assert found is not None
    assert (found.side, found.value) == (side, Decimal(margin))


def test_the_margin_does_not_depend_on_the_uncertainty() -> None:
    margins = {
        finding(make_limit("max: 39 mm"), make_article(make_reading("38.9", U))).decided[0].margin for U in ("0", "0.1", "9")
    }
    assert len(margins) == 1


VOLUME = """
    quantities:
      goalkeeper.volume: {unit: mm3, what: "Volume", methods: [bare]}
    requirements: [{id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1"}]
"""


def volume(value: str, U: str) -> Reading:
    return make_reading(value, U, quantity="goalkeeper.volume", unit="mm3", method="bare")


def test_the_probability_of_2650_with_88_under_2700_is_0_8716() -> None:
    decided = finding(make_spec(VOLUME), make_article(volume("2650.1", "88"))).decided[0]
    assert decided.probability == Decimal("0.8716")


def test_the_probability_on_the_limit_is_one_half_and_at_plus_or_minus_u_that_of_two_sigma() -> None:
    spec = make_limit("max: 39 mm")
    found = [finding(spec, make_article(make_reading(value, "0.1"))).decided[0].probability for value in ("39.0", "38.9", "39.1")]
    assert found == [Decimal("0.5"), Decimal("0.9772"), Decimal("0.0228")]


@pytest.mark.parametrize("value", ["26.9", "27.02", "27.3", "33", "38.7", "39.05", "39.2"])
def test_the_probability_agrees_with_scipy(value: str) -> None:
    norm = pytest.importorskip("scipy.stats").norm
    found = finding(make_limit("min: 27 mm, max: 39 mm"), make_article(make_reading(value, "0.3"))).decided[0].probability
    expected = norm.cdf(39, float(value), 0.15) - norm.cdf(27, float(value), 0.15)
    assert found is not None
    towards_half = 1 if expected < 0.5 else -1
    assert -1e-12 <= towards_half * (float(found) - min(max(expected, 0.0001), 0.9999)) < 0.0001 + 1e-12


@pytest.mark.parametrize(("value", "expected"), [("30", "0.9999"), ("50", "0.0001"), ("39.19", "0.0001"), ("39.18", "0.0002")])
def test_the_probability_is_never_rounded_to_certainty(value: str, expected: str) -> None:
    assert finding(make_limit("max: 39 mm"), make_article(make_reading(value, "0.1"))).decided[0].probability == Decimal(expected)


@pytest.mark.parametrize(
    ("limit", "value", "expected"), [("max: 39 mm", "39", 1), ("max: 39 mm", "39.1", 0), ("below: 39 mm", "39", 0)]
)
def test_without_uncertainty_the_probability_is_certainty(limit: str, value: str, expected: int) -> None:
    decided = finding(make_limit(limit), make_article(make_reading(value, "0"))).decided[0]
    assert decided.probability == expected
    assert decided.reading is not None
    assert "zero_U" in decided.reading.marks


@pytest.mark.parametrize(
    ("limit", "value", "step"),
    [
        ("max: 39 mm", "38.951", ("measure_again", {"U": "0.049 mm"})),
        ("max: 39 mm", "38.95", ("measure_again", {"U": "0.050 mm"})),
        ("max: 39 mm", "39.037", ("measure_again", {"U": "0.036 mm"})),
        ("max: 39 mm", "39.01", ("measure_again", {"U": "0.0099 mm"})),
        ("max: 39 mm", "39", ("accept_shared_risk", {})),
        ("below: 39 mm", "38.95", ("measure_again", {"U": "0.049 mm"})),
        ("below: 39 mm", "39.037", ("measure_again", {"U": "0.037 mm"})),
        ("below: 39 mm", "39", ("ask_board", {})),
        ("above: 39 mm", "39.05", ("measure_again", {"U": "0.049 mm"})),
        ("min: 27 mm, max: 39 mm", "27.02", ("measure_again", {"U": "0.020 mm"})),
    ],
)
def test_the_next_step_names_the_largest_u_that_decides(limit: str, value: str, step: tuple[str, dict[str, str]]) -> None:
    spec = make_limit(limit)
    found = finding(spec, make_article(make_reading(value, "0.1")))
    assert found.verdict is INCONCLUSIVE
    assert following(found) == step
    if step[0] == "measure_again":
        U = step[1]["U"].removesuffix(" mm")
        wider = str(Decimal(U) + Decimal(1).scaleb(int(Decimal(U).as_tuple().exponent)))
        assert verdict(spec, make_reading(value, U)) is not INCONCLUSIVE
        assert verdict(spec, make_reading(value, wider)) is INCONCLUSIVE


def test_2650_with_88_is_decided_by_a_u_of_49() -> None:
    assert following(finding(make_spec(VOLUME), make_article(volume("2650.1", "88")))) == ("measure_again", {"U": "49 mm3"})


def test_what_is_decided_has_no_next_step() -> None:
    spec = make_limit("max: 39 mm")
    inside, outside = (finding(spec, make_article(make_reading(value, "0.1"))) for value in ("38", "40"))
    assert (inside.next, outside.next) == (None, None)
    assert (why(inside), why(outside)) == ("inside_by", "outside_by")


def test_bounds_that_leave_it_open_ask_for_a_value() -> None:
    found = finding(make_limit("max: 39 mm"), make_article(make_reading(hi="40")))
    assert (why(found), following(found)[0]) == ("bounds_undecided", "measure_value")


def gauged(feature: str, limit: str) -> LoadedSpec:
    return make_spec(f"""
        quantities:
          goalkeeper.height: {{unit: mm, what: "Height", methods: [gauge], feature: {feature}}}
        requirements: [{{id: gk.height, kind: limit, of: goalkeeper.height, clause: "1", {limit}}}]
    """)


@pytest.mark.parametrize(
    ("feature", "limit", "gauge", "expected"),
    [
        # Over a body: go proves at most size + U, no-go at least size - U.
        ("external", "max: 39 mm", ("38.98", "go"), CONFORM),
        ("external", "max: 39 mm", ("39.00", "go"), INCONCLUSIVE),
        ("external", "max: 39 mm", ("38.99", "go"), INCONCLUSIVE),
        ("external", "max: 39 mm", ("39.03", "no_go"), NONCONFORM),
        ("external", "max: 39 mm", ("39.02", "no_go"), INCONCLUSIVE),
        ("external", "min: 27 mm", ("27.02", "no_go"), CONFORM),
        ("external", "min: 27 mm", ("27.01", "no_go"), INCONCLUSIVE),
        ("external", "min: 27 mm", ("26.97", "go"), NONCONFORM),
        ("external", "min: 27 mm", ("26.98", "go"), INCONCLUSIVE),
        # Into a gap: go proves at least size - U, no-go at most size + U.
        ("internal", "min: 27 mm", ("27.02", "go"), CONFORM),
        ("internal", "min: 27 mm", ("27.00", "go"), INCONCLUSIVE),
        ("internal", "min: 27 mm", ("26.97", "no_go"), NONCONFORM),
        ("internal", "max: 39 mm", ("38.98", "no_go"), CONFORM),
        ("internal", "max: 39 mm", ("39.03", "go"), NONCONFORM),
        ("internal", "max: 39 mm", ("39.02", "go"), INCONCLUSIVE),
    ],
)
def test_a_gauge_proves_a_bound(feature: str, limit: str, gauge: tuple[str, str], expected: Verdict) -> None:
    assert verdict(gauged(feature, limit), make_gauge(*gauge)) is expected


@pytest.mark.parametrize(
    ("feature", "limit", "gauge", "says"),
    [
        ("external", "max: 39 mm", ("39.00", "go"),
         "A gauge of 38.98 mm that goes proves the upper side of the limit; one of 39.03 mm that does not go disproves it."),
        ("external", "min: 27 mm", ("27.00", "no_go"),
         "A gauge of 27.02 mm that does not go proves the lower side of the limit; one of 26.97 mm that goes disproves it."),
        ("internal", "min: 27 mm", ("27.00", "go"),
         "A gauge of 27.02 mm that goes proves the lower side of the limit; one of 26.97 mm that does not go disproves it."),
        ("internal", "max: 39 mm", ("39.00", "no_go"),
         "A gauge of 38.98 mm that does not go proves the upper side of the limit; one of 39.03 mm that goes disproves it."),
        ("external", "below: 39 mm", ("39.00", "go"),
         "A gauge of 38.97 mm that goes proves the upper side of the limit; one of 39.02 mm that does not go disproves it."),
        ("internal", "above: 27 mm", ("27.00", "go"),
         "A gauge of 27.03 mm that goes proves the lower side of the limit; one of 26.98 mm that does not go disproves it."),
    ],
)  # fmt: skip
def test_a_gauge_that_leaves_it_open_names_two_that_decide(feature: str, limit: str, gauge: tuple[str, str], says: str) -> None:
    spec = gauged(feature, limit)
    code, sizes = following(finding(spec, make_article(make_gauge(*gauge))))
    assert english().say(f"next.{code}", sizes).replace("\N{NO-BREAK SPACE}", " ") == says
    proves, disproves = ("go", "no_go") if code.endswith(("max_go", "min_go")) else ("no_go", "go")
    assert verdict(spec, make_gauge(sizes["accept"].removesuffix(" mm"), proves)) is CONFORM
    assert verdict(spec, make_gauge(sizes["reject"].removesuffix(" mm"), disproves)) is NONCONFORM


@pytest.mark.parametrize(
    ("gauge", "sizes"),
    [
        (("38.90", "go"), ("use_gauge_min_no_go", {"accept": "27.02 mm", "reject": "26.97 mm"})),
        (("27.10", "no_go"), ("use_gauge_max_go", {"accept": "38.98 mm", "reject": "39.03 mm"})),
        (("39.00", "go"), ("use_gauge_max_go", {"accept": "38.98 mm", "reject": "39.03 mm"})),
    ],
)
def test_of_two_sides_the_one_that_a_gauge_left_open_comes_next(gauge: tuple[str, str], sizes: tuple[str, dict[str, str]]) -> None:
    assert following(finding(make_limit("min: 27 mm, max: 39 mm"), make_article(make_gauge(*gauge)))) == sizes


def test_go_and_no_go_together_prove_a_two_sided_limit() -> None:
    assert verdict(make_limit("min: 27 mm, max: 39 mm"), make_gauge("38.9", "go"), make_gauge("27.1", "no_go")) is CONFORM


def test_a_limit_and_a_value_in_other_units_meet_exactly() -> None:
    spec = make_limit("max: 3.9 cm")
    assert verdict(spec, make_reading("1.5", "0", unit="in")) is CONFORM
    assert verdict(spec, make_reading("0.039", "0", unit="m")) is CONFORM
    assert verdict(spec, make_reading("3.91", "0", unit="cm")) is NONCONFORM
    assert verdict(spec, make_gauge("3.898", "go", "0.002", unit="cm")) is CONFORM
    assert verdict(spec, make_reading(lo="3.91", hi="4", unit="cm")) is NONCONFORM


def test_the_normal_distribution_used_is_the_closed_one() -> None:
    decided = finding(make_limit("max: 39 mm"), make_article(make_reading("38.97", "0.1"))).decided[0]
    assert decided.probability is not None
    exact = 0.5 * (1 + math.erf(0.03 / 0.05 / math.sqrt(2)))
    assert float(decided.probability) == pytest.approx(exact, abs=1e-4)
