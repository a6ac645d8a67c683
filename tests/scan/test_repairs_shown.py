"""What was repaired: in the budget of what it touches, in the facts with its area, and hatched where it faces the viewer."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from homolog.scan.hatching import strokes
from homolog.scan.holes import Hole, about, at_ends
from homolog.scan.measurement import Budget, ScanMeasurement
from tests.bodies import Recipe, corners_of, make_keeper
from tests.scan.measuring import HEIGHT, OUTER, ROD, STRAIGHT, WIDTH, covers, measure, reading

CAUSES = {"facets", "noise", "offset", "scale", "temperature"}


def with_hole_at(corners: np.ndarray, place: tuple[float, float, float], radius: float) -> np.ndarray:
    return corners[np.linalg.norm(corners.mean(axis=1) - np.array(place), axis=1) > radius]


@pytest.fixture(scope="module")
def corners() -> np.ndarray:
    return corners_of(make_keeper(Recipe()).solid.refine_to_length(0.6))


@pytest.fixture(scope="module")
def scalped(corners: np.ndarray) -> ScanMeasurement:
    return measure(with_hole_at(corners, (0.0, 0.0, 38.0), 1.5))


def budget_of(measurement: ScanMeasurement, quantity: str) -> Budget:
    (found,) = (budget for budget in measurement.budgets if budget.quantity == quantity)
    return found


def share(budget: Budget, name: str) -> Decimal:
    (line,) = (line for line in budget.contributions if line.name == name)
    return line.standard_uncertainty


def test_a_hole_in_the_crown_makes_the_height_doubtful_and_not_the_width(scalped: ScanMeasurement) -> None:
    assert share(budget_of(scalped, HEIGHT), "repair") > Decimal("0.1")
    assert share(budget_of(scalped, WIDTH), "repair") == 0
    assert covers(scalped, HEIGHT, make_keeper(Recipe()).truth["height"])


def test_a_hole_where_the_rod_leaves_the_body_makes_its_length_doubtful(corners: np.ndarray) -> None:
    keeper = make_keeper(Recipe())
    measurement = measure(with_hole_at(corners, (1.0, -7.4, 2.9), 1.2))
    assert covers(measurement, ROD, keeper.truth["rod_length"])
    assert (reading(measurement, ROD).expanded_uncertainty or 0) > 1


def test_every_budget_names_every_cause_even_where_it_is_nothing(scalped: ScanMeasurement) -> None:
    repair = {"repair", "holes", "methods", "bent_faces"}
    cut = {"rod_cut", "root", "step"}
    assert {budget.quantity for budget in scalped.budgets} >= {OUTER, HEIGHT, WIDTH, ROD, STRAIGHT}
    for budget in scalped.budgets:
        names = {line.name for line in budget.contributions}
        assert names >= CAUSES, budget.quantity
        assert names & repair, budget.quantity
        assert names & cut, budget.quantity


def test_closed_areas_are_listed_the_largest_first(corners: np.ndarray) -> None:
    torn = with_hole_at(with_hole_at(corners, (0.0, -2.6, 26.0), 1.0), (-5.0, 0.0, 0.0), 2.0)
    areas = [float(word) for word in measure(torn).facts["closed_areas"].removesuffix(" mm2").split(", ")]
    assert len(areas) == 2
    assert areas == sorted(areas, reverse=True)
    assert areas[0] == pytest.approx(math.pi * 4, rel=0.3)


def test_a_repaired_place_is_hatched_in_the_view_that_it_faces(scalped: ScanMeasurement, corners: np.ndarray) -> None:
    said = {picture.name: picture.alt for picture in scalped.pictures}
    assert "One repaired place is hatched." in said["top"]
    plain = {picture.name: picture.alt for picture in measure(corners).pictures}
    assert not any("hatched" in alt for alt in plain.values())


def test_strokes_fill_a_square_from_edge_to_edge() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    found = strokes(square, 0.5, angle=0.0)
    assert {round(a[1], 9) for a, _ in found} >= {0.5 * step for step in range(1, 8)}
    for a, b in found:
        assert (a[0], b[0]) == pytest.approx((0.0, 4.0))


def test_a_hollow_outline_is_left_free_between_its_arms() -> None:
    arms = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 3.0], [2.0, 3.0], [2.0, 0.0], [3.0, 0.0], [3.0, 4.0], [0.0, 4.0]])
    low = [(a[0], b[0]) for a, b in strokes(arms, 0.7, angle=0.0) if a[1] < 3.0 and a[1] > 0]
    assert sorted(set(low)) == [(0.0, 1.0), (2.0, 3.0)]


def test_a_hole_counts_at_the_end_of_a_length_only_if_it_reaches_there() -> None:
    ring = np.array([[1.0, 0.0, 10.0], [0.0, 1.0, 10.0], [-1.0, 0.0, 10.0], [0.0, -1.0, 10.0], [0.0, 0.0, 10.2]])
    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 10.2], [7.0, 0.0, 5.0], [-7.0, 0.0, 5.0]])
    hole = Hole(ring, 4.0)
    assert at_ends((hole,), points, np.array([0.0, 0.0, 1.0])) == pytest.approx(0.2)
    assert at_ends((hole,), points, np.array([1.0, 0.0, 0.0])) == 0
    assert about((hole,), np.array([0.0, 0.0, 11.0]), 1.0) is hole
    assert about((hole,), np.array([0.0, 0.0, 15.0]), 1.0) is None
