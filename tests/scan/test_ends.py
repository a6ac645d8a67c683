"""The ends of a goalkeeper's outline: right on bodies in closed form, and a range where the rule could mean two widths."""

from __future__ import annotations

import manifold3d
import numpy as np
import pytest

from homolog.scan.ends import (
    END_QUANTITIES,
    LARGE,
    LARGE_WITH_BASE,
    LOWER,
    LOWER_WITH_BASE,
    SMALL,
    SMALL_WITH_BASE,
    UPPER,
    Ends,
    measure_ends,
)
from homolog.scan.extents import Body
from homolog.scan.texture import point_normals
from homolog.scan.trapezium import narrowest_trapezium
from homolog.scan.welding import weld
from tests.bodies import Recipe, corners_of, cylinder, ellipsoid, make_keeper, posed, rough
from tests.scan.measuring import THICKNESS, covers, measure, reading, value

COMMON = {"unit": "mm", "method": "scan.extent", "evidence": "scan:0"}


def ends_of(solid: manifold3d.Manifold, floor: float = -np.inf) -> Ends:
    """Measure the ends of a drawn body that stands upright, without any instrument."""
    surface = weld(corners_of(solid))
    body = Body(surface, point_normals(surface), noise=0.0, edge=0.3)
    return measure_ends(body, surface.points, floor, (0.0, 0.0), lambda tally, length: None, common=COMMON)


def given(ends: Ends, quantity: str) -> tuple[float, float]:
    (item,) = (item for item in ends.readings if item.quantity == quantity)
    assert item.value is not None, item
    assert item.expanded_uncertainty is not None
    return float(item.value), float(item.expanded_uncertainty)


def bounds(ends: Ends, quantity: str) -> tuple[float, float]:
    (item,) = (item for item in ends.readings if item.quantity == quantity)
    assert item.lo is not None
    assert item.hi is not None
    return float(item.lo), float(item.hi)


def prism(low: float, high: float, tall: float = 39.0, thick: float = 5.0) -> manifold3d.Manifold:
    outline = [(-low / 2, 0.0), (low / 2, 0.0), (high / 2, tall), (-high / 2, tall)]
    flat = manifold3d.CrossSection([outline]).extrude(thick)
    return flat.rotate((90, 0, 0)).translate((0, thick / 2, 0))


def test_a_trapezoidal_prism_has_its_own_ends() -> None:
    ends = ends_of(prism(13.0, 21.0))
    assert given(ends, SMALL)[0] == pytest.approx(13.0, abs=1e-6)
    assert given(ends, LARGE)[0] == pytest.approx(21.0, abs=1e-6)
    assert max(given(ends, quantity)[1] for quantity in (SMALL, LARGE)) < 0.4


def test_a_cone_has_the_diameters_of_its_ends() -> None:
    cone = cylinder(np.zeros(3), np.array([0.0, 0.0, 36.0]), 10.0, 0.2, end_radius=6.0)
    ends = ends_of(cone)
    for quantity, truth in ((SMALL, 12.0), (LARGE, 20.0)):
        number, wide = given(ends, quantity)
        assert number == pytest.approx(truth, abs=0.02)
        assert abs(number - truth) <= wide


def test_a_box_has_two_equal_ends() -> None:
    ends = ends_of(manifold3d.Manifold.cube((17.0, 5.0, 35.0)))
    assert given(ends, SMALL)[0] == pytest.approx(17.0, abs=1e-6)
    assert given(ends, LARGE)[0] == pytest.approx(17.0, abs=1e-6)


def test_a_round_body_has_only_a_range_from_its_tip_to_its_width() -> None:
    # At four fifths of its half height the ellipse is 0.6 times as wide as the rectangle around it.
    ends = ends_of(ellipsoid((0, 0, 18), (8.0, 2.6, 18.0), 0.2))
    low, high = bounds(ends, SMALL)
    assert low < 0.6 * 16.0 < 16.0 < high
    assert bounds(ends, LARGE)[1] > 16.0


def test_the_sides_lean_each_in_its_own_way() -> None:
    corners = np.array([[0.0, 0.0], [12.0, 0.0], [15.0, 30.0], [-4.0, 30.0]])
    trapezium = narrowest_trapezium(corners, 0.0)
    assert trapezium.width(upper=True) == pytest.approx((19.0, 0.0))
    assert trapezium.width(upper=False) == pytest.approx((12.0, 0.0))
    assert trapezium.left.slope == pytest.approx(4.0 / 30.0)


def test_the_spread_of_an_ellipse_is_that_of_its_tangents() -> None:
    turn = np.linspace(0, 2 * np.pi, 4000, endpoint=False) + 1e-4
    trapezium = narrowest_trapezium(np.column_stack([8 * np.cos(turn), 18 * np.sin(turn)]), 0.1)
    # A side that touches at the parameter t lies at a / cos t at half the height, and at a (1 + sin t) / cos t at the end.
    t = np.arccos(8 / 8.05)
    width, spread = trapezium.width(upper=True)
    assert width == pytest.approx(16.0, abs=0.01)
    assert spread == pytest.approx(2 * (8 * (1 + np.sin(t)) / np.cos(t) - 8), abs=0.02)


def test_a_base_counts_only_in_the_readings_that_say_so() -> None:
    whole = prism(9.0, 18.0, 39.0) + cylinder(np.zeros(3), np.array([0.0, 0.0, 4.0]), 8.0, 0.1)
    ends = ends_of(whole, floor=4.15)
    assert given(ends, UPPER)[0] == pytest.approx(18.0, abs=1e-6)
    lower, wide = given(ends, LOWER)
    assert abs(lower - (9.0 + 9.0 * 4.15 / 39.0)) <= wide
    assert given(ends, LOWER_WITH_BASE)[0] == pytest.approx(16.0, abs=0.02)
    assert given(ends, LARGE_WITH_BASE)[0] == pytest.approx(18.0, abs=0.2)
    assert given(ends, SMALL_WITH_BASE)[0] == pytest.approx(16.0, abs=0.02)


def test_without_a_base_the_upper_and_lower_end_are_bounded_by_both() -> None:
    ends = ends_of(prism(13.0, 21.0))
    for quantity in (UPPER, LOWER, LOWER_WITH_BASE):
        low, high = bounds(ends, quantity)
        assert low < 13.0 < 21.0 < high


def trapezoid_keeper(floor: float, lower: float = 10.0, upper: float = 17.0) -> manifold3d.Manifold:
    """A flat figure on a base, or without, with a rod from its back."""
    tall = 30.0
    figure = prism(lower, upper, tall, 4.8).translate((0, 0, floor))
    parts = [figure, cylinder(np.array([0.0, 0.0, floor + 18.0]), np.array([0.0, -100.0, floor + 24.0]), 1.2)]
    if floor:
        parts += [cylinder(np.zeros(3), np.array([0.0, 0.0, 4.0]), 7.0)]
    return manifold3d.Manifold.batch_boolean(parts, manifold3d.OpType.Add)


@pytest.mark.parametrize("source", ["structured_light", "cad"])
def test_a_flat_goalkeeper_is_measured_through_the_whole_pipeline(source: str) -> None:
    measurement = measure(posed(corners_of(trapezoid_keeper(3.0)), 4), source=source)
    assert covers(measurement, UPPER, 17.0)
    assert value(measurement, UPPER) == pytest.approx(17.0, abs=0.05)
    assert covers(measurement, LOWER, 10.0 + 7.0 * 1.15 / 30.0)
    assert covers(measurement, LOWER_WITH_BASE, 14.0)
    assert value(measurement, THICKNESS) == pytest.approx(4.8, abs=1e-3)
    assert measurement.facts["base_height"] == "4.0 mm"
    assert {item.quantity for item in measurement.readings} >= set(END_QUANTITIES)
    assert {budget.quantity for budget in measurement.budgets} >= set(END_QUANTITIES)


def test_noise_moves_an_end_by_less_than_its_uncertainty() -> None:
    measurement = measure(rough(trapezoid_keeper(3.0), 0.04, 0.6, 2, 0.6))
    for quantity, truth in ((SMALL, 10.0 + 7.0 * 1.15 / 30.0), (LARGE, 17.0), (LOWER_WITH_BASE, 14.0)):
        assert covers(measurement, quantity, truth), (reading(measurement, quantity), truth)


def test_hands_below_the_head_make_a_range_that_no_reading_of_the_rule_leaves() -> None:
    keeper = make_keeper(Recipe(arms="down", base=None, attach="back"))
    item = reading(measure(keeper.corners), LARGE)
    assert item.value is None
    assert item.lo is not None
    assert float(item.lo) < keeper.truth["width"] < float(item.hi or 0)


def test_a_body_whose_base_is_not_told_apart_says_so_for_every_end() -> None:
    block = manifold3d.Manifold.cube((16.0, 16.0, 26.0)).translate((-8, -8, 0)) + ellipsoid((0, 0, 26), (8.0, 8.0, 6.0))
    rod = cylinder(np.array([0.0, 0.0, 13.0]), np.array([0.0, -100.0, 15.0]), 1.2)
    measurement = measure(corners_of(block + rod))
    reasons = {item.quantity: item.reason for item in measurement.unmeasured}
    for quantity in END_QUANTITIES:
        assert "base cannot be told" in reasons[quantity]
