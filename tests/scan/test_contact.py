"""Where rod and body meet: the body's outline within the rod, on sections whose areas are known in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from homolog.scan.contact import outside_of
from homolog.scan.junction import _steady

TURNS = 720
ANGLE = (np.arange(TURNS) + 0.5) * (2 * math.pi / TURNS)
RADIUS = 1.5


def section(is_body: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[float, float]:
    """Return the share that is found outside the body in a rod's section, and the true one."""
    along = RADIUS + (np.arange(4000) + 0.5) * 0.002
    solid = is_body(along[None] * np.cos(ANGLE)[:, None], along[None] * np.sin(ANGLE)[:, None])
    visible = ~solid[:, 0]
    ends = np.where(solid.all(axis=1), np.inf, along[np.argmin(solid, axis=1)])
    begins = np.where(solid.any(axis=1), along[np.argmax(solid, axis=1)], np.inf)
    found = outside_of(visible[None], np.where(visible, RADIUS, ends)[None], np.where(visible, begins, np.inf)[None], RADIUS)
    grid = RADIUS * ((np.arange(2000) + 0.5) / 1000 - 1)
    x, y = np.meshgrid(grid, grid)
    within = x**2 + y**2 < RADIUS**2
    return float(found.shares[0]), float((within & ~is_body(x, y)).sum() / within.sum())


def by_chord(is_body: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> float:
    hidden = is_body(RADIUS * np.cos(ANGLE), RADIUS * np.sin(ANGLE)).sum() * 2 * math.pi / TURNS
    return float(1 - (hidden - math.sin(hidden)) / (2 * math.pi))


def test_a_flat_wall_leaves_a_segment_of_the_circle() -> None:
    found, truth = section(lambda x, y: x + 0.4 * y > 0.3)
    assert found == pytest.approx(truth, abs=4e-3)


@pytest.mark.parametrize(("middle", "radius"), [(4.0, 3.6), (3.0, 2.0), (2.4, 1.6), (9.0, 8.4), (1.4, 1.3)])
def test_a_body_that_bulges_into_the_rod_takes_more_than_the_segment(middle: float, radius: float) -> None:
    """A foot that is hardly wider than the rod on it: with the chord alone a part of the foot would be taken for rod."""

    def ball(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return (x - middle) ** 2 + y**2 < radius**2

    found, truth = section(ball)
    assert abs(found - truth) < 0.2 * abs(by_chord(ball) - truth) + 2e-3


def test_a_plate_thinner_than_the_rod_leaves_a_segment_on_either_side() -> None:
    found, truth = section(lambda x, y: np.abs(y) < 0.6)
    assert found == pytest.approx(truth, abs=5e-3)


def test_the_walls_of_a_hole_touch_from_two_sides() -> None:
    found, truth = section(lambda x, y: np.abs(x) > 1.2)
    assert found == pytest.approx(truth, abs=5e-3)


def test_all_and_nothing_are_outside_without_doubt() -> None:
    nine = np.full((2, 144), 9.0)
    found = outside_of(np.array([[True] * 144, [False] * 144]), nine, nine, RADIUS)
    assert found.shares.tolist() == [1.0, 0.0]
    assert found.doubt.tolist() == [0.0, 0.0]


def test_one_row_that_rays_miss_does_not_end_the_body() -> None:
    inside = np.array([True] * 6 + [False] + [True] * 6 + [False] * 6)
    assert _steady(inside).tolist() == [True] * 13 + [False] * 6
