"""The order of points and faces in a file is not the order in which they are measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homolog.scan.canonical import corner_of, in_order
from homolog.scan.surface import Surface, signed_volume
from homolog.scan.welding import clean_faces, weld
from tests.bodies import Recipe, corners_of, ellipsoid, make_keeper, rough, with_holes
from tests.scan.measuring import measure


def shuffled(corners: np.ndarray, seed: int) -> np.ndarray:
    """The same triangles in another order, each begun at another corner."""
    rng = np.random.default_rng(seed)
    begun = np.stack([np.roll(face, rng.integers(3), axis=0) for face in corners[rng.permutation(len(corners))]])
    return np.ascontiguousarray(begun)


def test_any_order_becomes_the_same_arrays() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 4, 3)))
    one, other = (in_order(weld(each)) for each in (corners, shuffled(corners, 1)))
    assert np.array_equal(one.points, other.points)
    assert np.array_equal(one.faces, other.faces)


def test_the_body_stays_what_it_is() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 4, 3)))
    assert signed_volume(in_order(weld(corners)).corners) == pytest.approx(signed_volume(corners), rel=1e-12)


def test_of_a_face_that_lies_there_both_ways_the_same_one_is_kept() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    both = np.array([[0, 1, 2], [2, 1, 0]])
    kept = [clean_faces(in_order(Surface(points, faces)).faces)[0].tolist() for faces in (both, both[::-1], both[:, [1, 2, 0]])]
    assert kept[0] == kept[1] == kept[2]
    assert len(kept[0]) == 1


def test_lengths_are_counted_from_the_least_corner() -> None:
    assert corner_of(np.array([[[3.0, -1, 7], [2, 5, 9]]])).tolist() == [2.0, -1.0, 7.0]


@pytest.mark.parametrize("seed", [1, 2])
def test_no_number_of_a_goalkeeper_depends_on_the_order_of_its_facets(seed: int) -> None:
    corners = with_holes(rough(make_keeper(Recipe(sagitta=2.0)).solid, 0.03, 0.7, 4), 3, 0.8, 5)
    one, other = measure(corners), measure(shuffled(corners, seed))
    assert len(one.readings) > 8
    assert other.readings == tuple(replace(reading, evidence=other.readings[0].evidence) for reading in one.readings)
    assert replace(other, readings=(), sha256="") == replace(one, readings=(), sha256="")
