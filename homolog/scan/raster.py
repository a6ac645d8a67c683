"""Which points of a square grid lie under which triangles, and at what depth."""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Floats, Ints, highest, lowest


def expand(counts: Ints) -> tuple[Ints, Ints]:
    """For counts (n,) return the owner of every item and its number within the owner."""
    owner = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner, within


def spans(plane: Floats, height: int) -> tuple[Ints, Ints, Floats, Floats]:
    """Cut triangles with the rows of a grid, whole numbers from 0.

    Args:
        plane: Corners of shape (m, 3, 2) in grid units.
        height: Number of rows.

    Returns:
        Triangle, row, and left and right end for every crossing of a triangle with a row.
    """
    y = plane[:, :, 1]
    low = np.clip(np.ceil(lowest(y)), 0, height).astype(np.int64)
    high = np.clip(np.ceil(highest(y)), 0, height).astype(np.int64)
    crossed = np.flatnonzero(high > low)  # of a fine mesh most triangles lie between two rows
    plane = plane[crossed]
    triangle, within = expand((high - low)[crossed])
    row = low[crossed][triangle] + within
    left = np.full(len(row), np.inf)
    right = np.full(len(row), -np.inf)
    for corner in range(3):
        a, b = plane[:, corner], plane[:, (corner + 1) % 3]
        swap = (a[:, 1] > b[:, 1]) | ((a[:, 1] == b[:, 1]) & (a[:, 0] > b[:, 0]))
        low_x, low_y = np.where(swap, b[:, 0], a[:, 0]), np.where(swap, b[:, 1], a[:, 1])
        high_x, high_y = np.where(swap, a[:, 0], b[:, 0]), np.where(swap, a[:, 1], b[:, 1])
        rise = high_y - low_y
        slope = (high_x - low_x) / np.where(rise > 0, rise, 1.0)
        first = low_y[triangle]
        crosses = (first <= row) & (row < high_y[triangle])
        x = low_x[triangle] + (row - first) * slope[triangle]
        left = np.where(crosses, np.minimum(left, x), left)
        right = np.where(crosses, np.maximum(right, x), right)
    found = right >= left
    return crossed[triangle[found]], row[found], left[found], right[found]


def cover(plane: Floats, width: int, height: int) -> tuple[Ints, Ints, Ints]:
    """Find the grid points (column, row), whole numbers from 0, that lie inside triangles (m, 3, 2).

    A point on an edge that two triangles share belongs to exactly one of them.

    Returns:
        Triangle, column and row of every hit.
    """
    triangle, row, left, right = spans(plane, height)
    begin = np.clip(np.ceil(left), 0, width).astype(np.int64)
    end = np.clip(np.ceil(right), 0, width).astype(np.int64)
    owner, step = expand(np.maximum(end - begin, 0))
    return triangle[owner], begin[owner] + step, row[owner]


def depth_at(corners: Floats, triangle: Ints, column: Ints, row: Ints) -> Floats:
    """Return the depth (third coordinate) of triangles (m, 3, 3) at grid points, held within each triangle's own range."""
    edge_1 = corners[:, 1] - corners[:, 0]
    edge_2 = corners[:, 2] - corners[:, 0]
    area = edge_1[:, 0] * edge_2[:, 1] - edge_2[:, 0] * edge_1[:, 1]
    area = np.where(area == 0, 1.0, area)
    along_x = (edge_1[:, 2] * edge_2[:, 1] - edge_2[:, 2] * edge_1[:, 1]) / area
    along_y = (edge_2[:, 2] * edge_1[:, 0] - edge_1[:, 2] * edge_2[:, 0]) / area
    depth = (
        corners[triangle, 0, 2]
        + along_x[triangle] * (column - corners[triangle, 0, 0])
        + along_y[triangle] * (row - corners[triangle, 0, 1])
    )
    low, high = lowest(corners[:, :, 2]), highest(corners[:, :, 2])
    return np.asarray(np.clip(depth, low[triangle], high[triangle]))
