"""The volume by stabbing: the length of parallel lines inside a surface, as a check that shares no step with the sum over faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.raster import cover, depth_at
from homolog.scan.surface import Floats, Surface

# A turn about a skew axis, so that no face of an upright article is parallel to the lines or to the grid.
_TURN = np.array(
    [
        [0.7923879752, -0.4716391316, 0.3871216430],
        [0.5849634206, 0.7549115543, -0.2776037420],
        [-0.1613135512, 0.4464217613, 0.8801612930],
    ]
)


@dataclass(frozen=True, slots=True)
class Stabbed:
    """Volume within the surface's winding of 1 and more, and the share of lines that do not leave as often as they enter."""

    volume: float
    leaks: float


def stab(surface: Surface, *, lines: int = 40_000) -> Stabbed:
    """Measure the volume along about `lines` parallel lines; overlapping shells count once."""
    q, _ = np.linalg.qr(_TURN)
    points = (surface.points - surface.points.mean(0)) @ q
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    turned = np.take(points, surface.faces, axis=0)
    step = float(np.sqrt(np.abs(_projected(turned)) / 2 / lines))
    turned[:, :, :2] = (turned[:, :, :2] - low[:2]) / step + 0.37
    width, height = (int(n) + 2 for n in size[:2] / step)
    triangle, column, row = cover(turned[:, :, :2], width, height)
    depth = depth_at(turned, triangle, column, row)
    edge_1, edge_2 = turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0]
    enters = np.where(edge_1[:, 0] * edge_2[:, 1] - edge_2[:, 0] * edge_1[:, 1] < 0, 1, -1)[triangle]
    cell = column * height + row
    order = np.lexsort((depth, cell))
    cell, depth, enters = cell[order], depth[order], enters[order]
    winding = np.cumsum(enters)
    first = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    before = np.r_[0, winding[first[1:] - 1]]
    winding = winding - np.repeat(before, np.diff(np.r_[first, len(cell)]))
    inside = (cell[1:] == cell[:-1]) & (winding[:-1] >= 1)
    last = np.r_[first[1:] - 1, len(cell) - 1]
    volume = float(((depth[1:] - depth[:-1]) * inside).sum()) * step * step
    return Stabbed(volume, float((winding[last] != 0).mean()))


def _projected(turned: Floats) -> float:
    edge_1, edge_2 = turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0]
    return float(np.abs(edge_1[:, 0] * edge_2[:, 1] - edge_2[:, 0] * edge_1[:, 1]).sum() / 2)
