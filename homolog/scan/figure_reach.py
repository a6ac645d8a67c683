"""How far a figure reaches on a noisy scan: the summit of a paraboloid fitted where it ends, not its luckiest point."""

from __future__ import annotations

import math

import numpy as np

from homolog.scan.extents import Body, Extent
from homolog.scan.rodline import frame_of
from homolog.scan.surface import Bools, Floats

_FIT_MM = 1.2
_FACING = (0.5, 0.2)
_PLACES = 10
# Fewer points than this say nothing of a paraboloid.
_LEAST = 12


class Reaches:
    """A figure's surface, asked how far it reaches.

    A drawing is asked for its farthest corner. On a scan a paraboloid is fitted about every place near the end, and its
    summit counts; the farthest point of a scan lies several sigma out.
    """

    def __init__(self, body: Body, normals: Floats, *, look: float) -> None:
        self.body = body
        self._normals = normals
        self._look = max(look, 0.05)
        self._tree: object = None

    def across(self, direction: Floats, chosen: Bools) -> Extent:
        """Return the extent of the chosen points along a direction."""
        one, other = self.reach(direction, chosen), self.reach(-direction, chosen)
        return Extent(one.length + other.length, one.facets + other.facets, math.hypot(one.noise, other.noise))

    def reach(self, direction: Floats, chosen: Bools) -> Extent:
        """Return how far the chosen points reach from the origin."""
        if self.body.noise == 0.0:
            return self.body.reach(direction, chosen)
        unit = direction / np.linalg.norm(direction)
        noise, edge = self.body.noise, self.body.edge
        height = np.where(chosen, self.body.surface.points @ unit, -np.inf)
        raw = float(height.max())
        summits = [self._summit(place, unit, height) for place in self._places(height, raw, noise)]
        found = [summit for summit in summits if summit is not None]
        if not found:
            return Extent(raw - 1.5 * noise, 0.0, max(1.5 * noise, edge * edge / 16))
        level, u = max(found)
        # The highest of several summits is a lucky one.
        rivals = sum(1 for other, _ in found if other > level - 2 * u)
        level -= 0.5 * u * math.sqrt(2 * math.log(max(rivals, 1)))
        return Extent(level, 0.0, math.hypot(u, max(raw - level - 3 * noise, 0.0) / 2))

    def _places(self, height: Floats, raw: float, noise: float) -> list[Floats]:
        """Return middles of the places where the surface comes near its end, the highest first."""
        near = np.flatnonzero(height > raw - 4 * noise - 0.1)
        near = near[np.argsort(-height[near], kind="stable")]
        points = self.body.surface.points[near]
        places: list[Floats] = []
        left = np.ones(len(near), bool)
        while left.any() and len(places) < _PLACES:
            first = int(left.argmax())
            about = left & (np.linalg.norm(points - points[first], axis=1) < _FIT_MM)
            places.append(points[about].mean(axis=0))
            left &= ~about
        return places

    def _summit(self, place: Floats, unit: Floats, height: Floats) -> tuple[float, float] | None:
        from scipy.spatial import cKDTree

        points = self.body.surface.points
        if self._tree is None:
            self._tree = cKDTree(points)
        reach = max(_FIT_MM, 2.2 * self.body.edge)
        near = np.array(self._tree.query_ball_point(place, reach), dtype=np.int64)  # type: ignore[attr-defined]
        facing = self._normals[near] @ unit
        kept = [near[(facing > least) & np.isfinite(height[near])] for least in _FACING]
        near = kept[0] if len(kept[0]) >= _LEAST else kept[1]
        if len(near) < _LEAST:
            return None
        flat = (points[near] - place) @ frame_of(unit)[:, :2]
        u, v = flat.T
        weights = np.sqrt(np.maximum(1 - (u * u + v * v) / (1.3 * reach) ** 2, 0.05))
        system = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v]) * weights[:, None]
        fit = np.linalg.lstsq(system, height[near] * weights, rcond=None)[0]
        middle = _summit_of(fit, flat)
        inverse = np.linalg.pinv(system.T @ system, rcond=1e-8, hermitian=True)
        row = np.array([1.0, middle[0], middle[1], middle[0] ** 2, middle[0] * middle[1], middle[1] ** 2])
        area = max(float(np.prod(np.ptp(flat, axis=0))) * math.pi / 4, 0.1)
        alike = max(1.0, len(near) * self._look / area)
        spread = min(float(row @ inverse @ row) * alike, 1.0)
        over = _overshoot(fit, flat)
        return float(row @ fit) - over / 2, math.hypot(1.15 * self.body.noise * math.sqrt(spread), over / 2)


def _summit_of(fit: Floats, flat: Floats) -> Floats:
    """Return where a paraboloid is highest within the points that it was fitted to."""
    bend = np.array([[2 * fit[3], fit[4]], [fit[4], 2 * fit[5]]])
    values = np.linalg.eigvalsh(bend)
    centre = flat.mean(axis=0)
    limit = 0.6 * float(np.sqrt(((flat - centre) ** 2).sum(axis=1).max()))
    if values[1] < -0.02:
        summit = -np.linalg.solve(bend, fit[1:3])
        if np.linalg.norm(summit - centre) <= limit:
            return np.asarray(summit)
    inner = flat[np.linalg.norm(flat - centre, axis=1) <= limit]
    inner = inner if len(inner) else centre[None, :]
    x, y = inner.T
    heights = fit[0] + fit[1] * x + fit[2] * y + fit[3] * x * x + fit[4] * x * y + fit[5] * y * y
    return np.asarray(inner[int(heights.argmax())])


def _overshoot(fit: Floats, flat: Floats) -> float:
    """Return by how much at most a paraboloid stands above the summit of a round end, which falls off faster than it.

    A ball of curvature k leaves its paraboloid by k^3 r^4 / 8; least squares over a disc of radius R put a sixth of that
    at R on the summit. Noise bends the paraboloid too, so half of that is taken off and the rest is unsure.
    """
    bend = -np.linalg.eigvalsh(np.array([[2 * fit[3], fit[4]], [fit[4], 2 * fit[5]]]))
    reach = 2 * float(((flat - flat.mean(axis=0)) ** 2).sum(axis=1).mean())
    return min(float((np.clip(bend, 0.0, 1.5) ** 3).mean()) * reach**2 / 48, 0.15)
