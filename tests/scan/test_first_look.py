"""A first look: the size and volume of known bodies, and every way in which a surface can fail to close."""

from __future__ import annotations

import numpy as np
import pytest

from homolog.scan.first_look import look_at
from homolog.scan.welding import weld
from tests.bodies import corners_of, ellipsoid

BALL = corners_of(ellipsoid((1.0, 2.0, 3.0), (9.0, 3.0, 18.0), edge=0.25)).astype(np.float32)
CUBE = np.array(
    [
        [(0, 0, 0), (0, 1, 0), (1, 1, 0)],
        [(0, 0, 0), (1, 1, 0), (1, 0, 0)],
        [(0, 0, 1), (1, 1, 1), (0, 1, 1)],
        [(0, 0, 1), (1, 0, 1), (1, 1, 1)],
        [(0, 0, 0), (1, 0, 0), (1, 0, 1)],
        [(0, 0, 0), (1, 0, 1), (0, 0, 1)],
        [(0, 1, 0), (1, 1, 1), (1, 1, 0)],
        [(0, 1, 0), (0, 1, 1), (1, 1, 1)],
        [(0, 0, 0), (0, 0, 1), (0, 1, 1)],
        [(0, 0, 0), (0, 1, 1), (0, 1, 0)],
        [(1, 0, 0), (1, 1, 0), (1, 1, 1)],
        [(1, 0, 0), (1, 1, 1), (1, 0, 1)],
    ],
    np.float32,
)


def test_a_cube_has_its_size_and_volume_and_is_closed() -> None:
    seen = look_at(CUBE)
    assert (seen.low.tolist(), seen.high.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert seen.volume == pytest.approx(1.0, abs=1e-15)
    assert seen.is_closed


def test_more_faces_than_one_step_takes_give_the_closed_form() -> None:
    assert len(BALL) > 20_000
    seen = look_at(BALL)
    assert seen.is_closed
    assert seen.volume == pytest.approx(4 / 3 * np.pi * 9 * 3 * 18, rel=1e-3)
    assert seen.low == pytest.approx([-8, -1, -15], abs=0.01)
    assert seen.high == pytest.approx([10, 5, 21], abs=0.01)


@pytest.mark.parametrize("face", range(12))
def test_a_missing_a_double_and_a_turned_face_are_each_seen(face: int) -> None:
    assert not look_at(np.delete(CUBE, face, axis=0)).is_closed
    assert not look_at(np.concatenate([CUBE, CUBE[face : face + 1]])).is_closed
    turned = CUBE.copy()
    turned[face] = turned[face, ::-1]
    assert not look_at(turned).is_closed


def test_a_corner_that_is_off_by_one_step_of_its_number_is_seen() -> None:
    moved = BALL.copy()
    moved[777, 1, 2] = np.nextafter(moved[777, 1, 2], np.float32(np.inf))
    assert not look_at(moved).is_closed


def test_a_surface_that_is_turned_inside_out_closes_with_a_negative_volume() -> None:
    seen = look_at(np.ascontiguousarray(CUBE[:, ::-1]))
    assert seen.is_closed
    assert seen.volume == pytest.approx(-1.0)


def test_the_order_of_faces_and_the_sign_of_zero_do_not_matter() -> None:
    shuffled = np.random.default_rng(3).permutation(BALL)
    assert look_at(shuffled).is_closed
    assert look_at(shuffled).volume == pytest.approx(look_at(BALL).volume, rel=1e-12)
    signed = CUBE.copy()
    signed[0] = np.where(signed[0] == 0, np.float32(-0.0), signed[0])
    assert look_at(signed).is_closed


def test_it_says_what_sorting_all_edges_says() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        faces = CUBE[rng.permutation(12)[: rng.integers(9, 13)]]
        surface = weld(faces.astype(np.float64))
        assert look_at(faces).is_closed == surface.edges.are_closed


def test_two_bodies_that_share_an_edge_are_closed() -> None:
    assert look_at(np.concatenate([CUBE, CUBE + np.float32([1, 1, 0])])).is_closed
