"""Failure kinds of what is fitted to a surface: cylinders, boxes, smoothing, the scanner's own offset."""

from __future__ import annotations

from functools import cache

import manifold3d
import numpy as np
import pytest

from tests.bodies import Keeper, Recipe, corners_of, make_keeper, posed, rough
from tests.scan.failing import assert_never_wrong, keeper, measured
from tests.scan.measuring import OUTER, ROD_WIDTH, STANDING, THICKNESS, reading, value


@pytest.mark.parametrize("radius", [0.9, 1.5])
def test_f23_noise_widens_no_rod(radius: float) -> None:
    built = make_keeper(Recipe(edge=0.7, rod_radius=radius))
    found = measured(rough(built.solid, 0.06, 0.5, 7))
    # A least-squares fit that knows nothing of noise is wide by sigma squared over the radius, a RANSAC one by its band.
    assert value(found, ROD_WIDTH) == pytest.approx(2 * radius, abs=0.04)
    assert_never_wrong(found, built.truth)


@cache
def stout() -> tuple[Keeper, float]:
    """A goalkeeper nearly as thick as wide, and its least width in any direction across, tried at every twentieth of a degree."""
    built = make_keeper(Recipe(edge=0.7, wide=11.0, thick=9.0, tall=33.0, base_diameter=17.0))
    figure = manifold3d.Manifold.batch_boolean(built.parts[:11], manifold3d.OpType.Add)  # head, trunk and limbs
    seen = figure.trim_by_plane((0.0, 0.0, 1.0), 4.5)  # the feet stand in the base
    flat = corners_of(seen).reshape(-1, 3)[:, :2]
    turn = np.radians(np.arange(0.0, 180.0, 0.05))
    return built, float(np.ptp(flat @ np.stack([np.cos(turn), np.sin(turn)]), axis=0).min())


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_f24_the_thickness_is_the_calipers_and_not_the_smallest_boxs(seed: int) -> None:
    # The box of least volume turns about the upright axis of such a body, and is 1.2 mm off.
    built, least = stout()
    found = measured(posed(built.corners, seed))
    assert_never_wrong(found, {**built.truth, "figure_thickness": least})
    assert least < 0.97 * built.truth["figure_thickness"]
    assert value(found, THICKNESS) == pytest.approx(least, abs=0.02)
    assert value(found, STANDING) == pytest.approx(least, abs=0.02)


def test_f29_smoothing_takes_nothing_off_the_volume() -> None:
    found = measured(rough(keeper().solid, 0.06, 0.5, 8))
    assert float(found.facts["noise"].removesuffix(" mm")) > 0.03
    # Its normals come from a smoothed copy, its numbers from the surface as it came.
    assert value(found, OUTER) == pytest.approx(keeper().solid.volume() - _rod(), rel=0.006)
    assert_never_wrong(found)


def _rod() -> float:
    return keeper().truth["volume_of_all"] - keeper().truth["volume"]


@pytest.mark.parametrize("spray", [0.015, -0.015])
def test_f29_what_a_matting_spray_adds_all_around_is_in_u(spray: float) -> None:
    fine = corners_of(keeper().solid.refine_to_length(0.8))
    grown = _grown(fine, spray)
    found = measured(grown)
    u = reading(found, OUTER).expanded_uncertainty
    assert u is not None
    assert abs(value(found, OUTER) - value(measured(fine), OUTER)) > 10.0  # it is no small thing
    assert_never_wrong(found)


def _grown(corners: np.ndarray, by: float) -> np.ndarray:
    """Every point moved outward by a length in mm."""
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    faces = index.reshape(-1, 3)
    cross = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normal = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normal, faces[:, corner], cross)
    return (points + by * normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))[faces]
