"""The one order of points and faces in which a surface is measured, whatever the order in which a file has them.

Samples are drawn along the faces and sums run over them: without this, the same body would measure a little differently in
another file.
"""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Floats, Ints, Surface


def in_order(surface: Surface) -> Surface:
    """Return a surface with its points sorted by place, each face from its lowest point on, and its faces sorted."""
    order = order_of(surface.points)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    faces = _from_lowest(np.take(rank, surface.faces))
    rows = np.lexsort((faces[:, 2], faces[:, 0] * len(order) + faces[:, 1]))
    return Surface(surface.points[order], faces[rows])


def corner_of(places: Floats) -> Floats:
    """Return the least corner of the box around places (..., 3): where lengths are counted from, so that none is lost far off."""
    return np.array([places[..., axis].min() for axis in range(3)])


def order_of(points: Floats) -> Ints:
    """Return the rows of points (n, 3) sorted by x, then y, then z."""
    return np.lexsort((points[:, 2], points[:, 1], points[:, 0]))


def _from_lowest(faces: Ints) -> Ints:
    """Turn the corners of each face (m, 3) until the lowest index stands first; the sense of the face stays."""
    a, b, c = faces.T
    least = np.minimum(np.minimum(a, b), c)
    first, second = a == least, b == least
    return np.stack(
        [least, np.where(first, b, np.where(second, c, a)), np.where(first, c, np.where(second, a, b))],
        axis=1,
    )
