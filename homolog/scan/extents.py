"""How far a body reaches in a direction, on drawings and on noisy scans."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass

import numpy as np

from homolog.scan.raster import spans
from homolog.scan.rodline import frame_of
from homolog.scan.section import cut_faces
from homolog.scan.surface import Bools, Floats, Surface, normals_and_areas
from homolog.scan.texture import point_normals

_SLAB_ROWS_PER_MM = 5.0
_MAX_CANDIDATES = 300
_WAVES = 1.8
"""Standard uncertainty of an end of a noisy body in multiples of its noise: what trials with waves of 0.6 mm need."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A length between two extremes in mm, with the standard uncertainties that the surface itself gives it."""

    length: float
    facets: float
    noise: float
    hidden: float = 0.0


class Body:
    """The body's surface in its own frame, asked for its extents.

    On a noisy scan the farthest point is the luckiest one, several sigma out. There the surface is first
    levelled: a paraboloid is fitted around every candidate, and the farthest fitted height counts.
    """

    def __init__(self, surface: Surface, normals: Floats, *, noise: float, edge: float) -> None:
        """Take a surface; the points' normals (n, 3) are asked for only where there is noise."""
        self.surface = surface
        self.noise = noise
        self.edge = edge
        self._normals = normals
        self._face_normals = normals_and_areas(surface.corners)[0]
        self._tree: object = None
        self.extra = np.empty((0, 3))
        """Points that stand for hidden surface, such as the patch under the rod."""
        self.root: tuple[Floats, float] | None = None
        """Where the rod leaves the body, hidden by it, and the standard uncertainty of that place in mm."""
        self.is_small = False
        """Whether ends may be as small as the waves of the noise, as hands and feet are."""
        self.rim = np.empty((0, 3))
        """Where faces cross the level at which the figure begins: they count for what lies on either side of it."""

    def divided_at(self, level: float) -> Body:
        """Return the same body with the rim at a level; on a noisy scan, whose faces are small, there is none."""
        other = copy(self)
        other.rim = np.empty((0, 3))
        if math.isfinite(level) and not self.noise:
            above = (self.surface.points[:, 2] >= level)[self.surface.faces]
            there = (above[:, 0] != above[:, 1]) | (above[:, 1] != above[:, 2])
            corners = self.surface.points[self.surface.faces[there]]
            section = cut_faces(corners, self._face_normals[there], np.array([0.0, 0.0, level]), np.array([0.0, 0.0, 1.0]))
            flat = section.ends.reshape(-1, 2) @ section.frame[:, :2].T
            other.rim = flat + np.array([0.0, 0.0, level])
        return other

    def bare(self) -> Body:
        """Return the same body as its points alone have it: without noise, facets, and what is hidden."""
        other = copy(self)
        other.noise, other.edge, other.is_small, other.extra = 0.0, 0.0, False, np.empty((0, 3))
        other.root = None
        return other

    def across(self, direction: Floats, chosen: Bools | None = None) -> Extent:
        """Return the extent along a direction of the chosen points, all if None."""
        unit = direction / np.linalg.norm(direction)
        ends = [self._reach(sign * unit, chosen) for sign in (1.0, -1.0)]
        facets = sum(end[1] for end in ends)
        noise, hidden = (math.hypot(*(end[at] for end in ends)) for at in (2, 3))
        return Extent(sum(end[0] for end in ends), facets, noise, hidden)

    def reach(self, direction: Floats, chosen: Bools | None = None) -> Extent:
        """Return how far the chosen points reach from the origin along a direction, all if None."""
        return Extent(*self._reach(direction / np.linalg.norm(direction), chosen))

    def _reach(self, unit: Floats, chosen: Bools | None) -> tuple[float, float, float, float]:
        length, facets, noise = self._seen_reach(unit, chosen)
        if self.root is None or chosen is not None:  # a rod hides an end of the whole body only
            return length, facets, noise, 0.0
        place, doubt = self.root
        hidden = float(place @ unit)
        if hidden > length:
            return hidden, 0.0, self.noise, doubt
        return length, facets, noise, max(hidden + 2 * doubt - length, 0.0) / 2

    def _seen_reach(self, unit: Floats, chosen: Bools | None) -> tuple[float, float, float]:
        height = self.surface.points @ unit
        if chosen is not None:
            height[~chosen] = -np.inf
        hidden = float((self.extra @ unit).max()) if len(self.extra) else -math.inf
        if chosen is not None and len(self.rim):
            hidden = max(hidden, float((self.rim @ unit).max()))
        if hidden > height.max():
            return hidden, 0.0, self.noise
        farthest = int(height.argmax())
        if self.noise == 0.0:
            return float(height[farthest]), self._undercut(farthest, unit), 0.0
        level = max(self._levelled(height, unit), hidden)
        raw = float(height[farthest])
        if not self.is_small:
            return level, 0.0, max((raw - level) / 3, self.noise)
        # Noise that waves over the width of a hand moves the whole end, and no levelling shows by how much.
        return (raw + level) / 2, 0.0, math.hypot(_WAVES * self.noise, (raw - level) / 2)

    def _undercut(self, point: int, unit: Floats) -> float:
        """Return how far the rounded surface may reach beyond its farthest corner: the edge's sagitta."""
        if not self.edge:
            return 0.0
        around = np.flatnonzero(self.surface.faces.ravel() == point) // 3
        cosine = float(np.clip((self._face_normals[around] @ unit).max(), -1.0, 1.0))
        angle = math.acos(cosine)
        return self.edge * angle / 4 if angle < math.radians(35) else 0.0

    def _levelled(self, height: Floats, unit: Floats) -> float:
        from scipy.spatial import cKDTree

        if self._tree is None:
            self._tree = cKDTree(self.surface.points)
        floor = height.max() - (6 * self.noise + 0.1)
        candidates = np.flatnonzero(height >= floor)
        candidates = candidates[np.argsort(-height[candidates], kind="stable")][:_MAX_CANDIDATES]
        radius = max(1.0, 2.0 * self.edge)
        rows = self._tree.query_ball_point(self.surface.points[candidates], radius)  # type: ignore[attr-defined]
        fitted = np.full(len(candidates), -np.inf)
        for at, (point, around) in enumerate(zip(candidates, rows, strict=True)):
            near = np.array(around)
            near = near[(self._normals[near] @ self._normals[point] > 0.5) & np.isfinite(height[near])]
            offset = self.surface.points[near] - self.surface.points[point]
            # Seen from one side only, as at a sharp rim, a paraboloid tells nothing.
            if len(near) >= 8 and np.linalg.norm(offset.mean(axis=0)) < 0.35 * radius:
                fitted[at] = _fitted_height(offset, height[near], unit)
        best = min(float(fitted.max()), float(height.max()))
        if not math.isfinite(best):
            return float(height.max()) - self.noise
        # The best of many fits is still a lucky one: the wider the end, the luckier.
        high = self.surface.points[candidates[fitted > best - 2 * self.noise]]
        places = len(np.unique(np.floor(high / radius), axis=0))
        return best - 0.5 * self.noise * math.sqrt(2 * math.log(max(places, 1)))


def _fitted_height(offset: Floats, height: Floats, unit: Floats) -> float:
    """Fit a paraboloid to heights over the plane across `unit` and return its value at the middle."""
    u, v = (offset @ frame_of(unit)[:, :2]).T
    system = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])
    plane = np.linalg.lstsq(system[:, :3], height, rcond=None)[0]
    bowl = np.linalg.lstsq(system, height, rcond=None)[0]
    # At the rim of a flat end a paraboloid runs wild; it must earn its three more numbers.
    off_plane = float(((system[:, :3] @ plane - height) ** 2).sum()) / (len(height) - 3)
    off_bowl = float(((system @ bowl - height) ** 2).sum()) / max(len(height) - 6, 1)
    return float(plane[0] if off_plane < 1.5 * off_bowl else bowl[0])


def slab_widths(corners: Floats) -> Floats:
    """Return the extents along y of the outline at heights z, every 0.2 mm, for faces (m, 3, 3)."""
    plane = corners[:, :, [1, 2]] * _SLAB_ROWS_PER_MM
    bottom = plane[:, :, 1].min()
    plane[:, :, 1] -= bottom - 0.5
    rows = int(plane[:, :, 1].max()) + 2
    _, row, left, right = spans(plane, rows)
    low, high = np.full(rows, np.inf), np.full(rows, -np.inf)
    np.minimum.at(low, row, left)
    np.maximum.at(high, row, right)
    seen = high > low
    return np.asarray((high[seen] - low[seen]) / _SLAB_ROWS_PER_MM)


def body_of(surface: Surface, calm: Surface, is_body: Bools, *, noise: float, edge: float) -> Body:
    """Take the body's faces out of a surface in the body's frame, with normals from its calm copy."""
    used = np.zeros(len(surface.points), bool)
    used[surface.faces[is_body]] = True
    normals = point_normals(calm)[used] if noise else np.empty((0, 3))
    body = Body(surface.part(is_body), normals, noise=noise, edge=edge)
    body.is_small = True
    return body


def patch_under(points: Floats, inner: float, outer: float) -> Floats:
    """Continue a surface over a hole about the z axis.

    Args:
        points: Shape (k, 3): the surface around the hole, the hole about x = y = 0.
        inner: Radius of the hole in mm.
        outer: Radius up to which the surface around it is followed.

    Returns:
        Points on a paraboloid over the hole, (n, 3); none where too little is seen around it.
    """
    reach = np.hypot(points[:, 0], points[:, 1])
    ring = points[(reach > inner) & (reach < outer)]
    sides = np.unique(np.floor(np.arctan2(ring[:, 1], ring[:, 0]) / (np.pi / 4)))
    if len(ring) < 24 or len(sides) < 7:
        return np.empty((0, 3))
    x, y, z = ring.T
    shape = np.linalg.lstsq(np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y]), z, rcond=None)[0]
    u, v = np.meshgrid(np.linspace(-inner, inner, 9), np.linspace(-inner, inner, 9))
    inside = np.hypot(u, v) <= inner
    u, v = u[inside], v[inside]
    return np.column_stack([u, v, np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v]) @ shape])
