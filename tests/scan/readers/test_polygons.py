"""Larger faces cut into triangles: convex, dented, bent, crossed."""

from __future__ import annotations

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan.readers.polygons import cut_faces


def cut(points: list[tuple[float, float]], *, turned: bool = False) -> tuple[np.ndarray, float]:
    """Cut one flat face; return its triangles and the sum of their signed areas."""
    flat = np.array(points, float)
    solid = np.c_[flat, np.full(len(flat), 2.0)]
    if turned:
        solid = solid[:, [1, 2, 0]]
    triangles, first, bent = cut_faces(solid, np.arange(len(points)), np.array([len(points)]), "f")
    assert (first.tolist(), len(triangles)) == ([0], len(points) - 2)
    assert bent == pytest.approx(0, abs=1e-12)
    corners = flat[triangles]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2
    return areas, float(areas.sum())


STAR = [(np.cos(a) * r, np.sin(a) * r) for a, r in zip(np.arange(10) * np.pi / 5, [3.0, 1.0] * 5, strict=True)]
SHAPES = {
    "square": ([(0, 0), (2, 0), (2, 2), (0, 2)], 4.0),
    "dart": ([(0, 0), (2, 0), (1, 1), (0, 3)], 2.5),
    "dart at the second corner": ([(0, 3), (0, 0), (2, 0), (1, 1)], 2.5),
    "L": ([(0, 0), (8, 0), (8, 4), (3, 4), (3, 12), (0, 12)], 56.0),
    "U": ([(0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9)], 63.0),
    "comb": ([(0, 0), (7, 0), (7, 5), (6, 5), (6, 1), (5, 1), (5, 5), (4, 5), (4, 1), (3, 1), (3, 5), (0, 5)], 27.0),
    "star": (STAR, 5 * 3.0 * np.sin(np.pi / 5)),
    "straight corners": ([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2)], 4.0),
    "bridge to a hole": ([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)], 12.0),
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_triangles_cover_the_face_and_no_more(shape: str, backward: bool, turned: bool) -> None:
    points, area = SHAPES[shape]
    for start in range(len(points)):
        ring = points[start:] + points[:start]
        areas, total = cut(ring[::-1] if backward else ring, turned=turned)
        assert total == pytest.approx(-area if backward else area)
        assert np.abs(areas).sum() == pytest.approx(area)


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (4, 4), (4, 0), (0, 4)],
        [(0, 0), (4, 0), (4, 4), (2, -2), (0, 4)],
        [(np.cos(a), np.sin(a)) for a in np.arange(5) * 4 * np.pi / 5],
    ],
    ids=["bow tie", "spike through the base", "pentagram"],
)
def test_a_crossed_face_is_refused(points: list[tuple[float, float]]) -> None:
    with pytest.raises(InputRefused, match="face 1"):
        cut(points)


def test_a_face_without_area_keeps_its_edges() -> None:
    areas, _ = cut([(0, 0), (1, 0), (2, 0), (1, 0)])
    assert np.abs(areas).max() == 0


def test_bent_quads_report_the_volume_between_their_two_cuts() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0.3), (0, 1, 0)], float)
    _, _, bent = cut_faces(points, np.arange(4), np.array([4]), "f")
    assert bent == pytest.approx(0.3 / 6)


def test_mixed_faces_keep_their_order() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 2, 0)], float)
    corners = np.array([0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 3, 3, 2, 4])
    triangles, first, _ = cut_faces(points, corners, np.array([3, 4, 5, 3]), "f")
    assert first.tolist() == [0, 1, 3, 6]
    assert triangles[0].tolist() == [0, 1, 2]
    assert triangles[6].tolist() == [3, 2, 4]


def test_too_many_dented_corners_are_refused() -> None:
    angles = np.arange(1000) * 2 * np.pi / 1000
    ring = np.c_[np.cos(angles), np.sin(angles)] * np.where(np.arange(1000) % 2, 1.0, 0.9)[:, None]
    points = np.c_[ring, np.zeros(1000)]
    with pytest.raises(InputRefused, match="too many corners"):
        cut_faces(points, np.tile(np.arange(1000), 21), np.full(21, 1000), "f")
