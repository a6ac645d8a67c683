"""Finding the ball in a scan: which points lie on its outside, which on its inside, and which on something else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.oriented import Oriented
from homolog.scan.surface import Bools, Floats

_TRIALS = 200
_SAMPLE = 1_200
# A point belongs to a sphere if it lies off it by less than this share of its radius: 0.3 mm on a ball of 22 mm,
# more than an oval of 0.5 mm needs.
_BAND = 0.028
_MIN_INNER = 0.15


@dataclass(frozen=True, slots=True)
class Sphere:
    """Centre and radius."""

    centre: Floats
    radius: float

    def off(self, points: Floats) -> Floats:
        """Return how far points lie outside the sphere, negative inside."""
        return np.asarray(np.linalg.norm(points - self.centre, axis=1) - self.radius)

    def scaled(self, factor: float) -> Sphere:
        """Return the sphere with all lengths multiplied."""
        return Sphere(self.centre * factor, self.radius * factor)


@dataclass(frozen=True, slots=True)
class Found:
    """The ball in the file's units.

    Attributes:
        sphere: Sphere through the outside.
        outside: Which points lie on it.
        inside: Which points lie on an inner surface, if the file shows one.
        inner: Sphere through these.
        share: Share of the surface (area) that lies on either.
    """

    sphere: Sphere
    outside: Bools
    inside: Bools
    inner: Sphere | None
    share: float

    def scaled(self, factor: float) -> Found:
        """Return what was found with all lengths multiplied."""
        inner = None if self.inner is None else self.inner.scaled(factor)
        return Found(self.sphere.scaled(factor), self.outside, self.inside, inner, self.share)


def find_ball(surface: Oriented) -> Found | None:
    """Find the ball; None if the points lie on no sphere at all."""
    first = search_sphere(surface, np.ones(len(surface.points), bool))
    if first is None:
        return None
    groups = [group for group in _sides(surface, first) if surface.areas[group].sum() > _MIN_INNER * surface.areas.sum()]
    rest = np.abs(first.off(surface.points)) > 1.5 * _BAND * first.radius
    if surface.areas[rest].sum() > _MIN_INNER * surface.areas.sum():
        groups.append(rest)
    spheres = []
    for group in groups:
        sphere = search_sphere(surface, group)
        if sphere is not None and np.linalg.norm(sphere.centre - first.centre) < 0.1 * first.radius:
            near = group & (np.abs(sphere.off(surface.points)) < _BAND * sphere.radius)
            if surface.areas[near].sum() > 0.6 * surface.areas[group].sum():
                spheres.append((sphere, near))
    if not spheres:
        return None
    outer, outside = max(spheres, key=lambda pair: pair[0].radius)
    inner, inside = min(spheres, key=lambda pair: pair[0].radius)
    total = float(surface.areas.sum())
    # A wall of 0.05 mm is none: the two groups are then one surface with turned facets.
    if outer.radius - inner.radius < 0.005 * outer.radius:
        outside = np.abs(outer.off(surface.points)) < _BAND * outer.radius
        return Found(outer, outside, np.zeros(len(outside), bool), None, float(surface.areas[outside].sum()) / total)
    share = float(surface.areas[outside].sum() + surface.areas[inside].sum()) / total
    return Found(outer, outside, inside, inner, share)


def _sides(surface: Oriented, sphere: Sphere) -> list[Bools]:
    """Split the points near a sphere by whether their normals point outward or inward."""
    near = np.abs(sphere.off(surface.points)) < 1.5 * _BAND * sphere.radius
    outward = np.einsum("ij,ij->i", surface.normals, surface.points - sphere.centre) > 0
    return [near & outward, near & ~outward]


def search_sphere(surface: Oriented, group: Bools) -> Sphere | None:
    """Find the sphere on which most of the area of a group lies, by trying spheres through four points."""
    rows = np.flatnonzero(group & (surface.areas > 0))
    if len(rows) < 12:
        return None
    rng = np.random.default_rng(22)
    weight = surface.areas[rows] / surface.areas[rows].sum()
    sample = surface.points[rng.choice(rows, size=min(_SAMPLE, 4 * len(rows)), p=weight)]
    four = sample[rng.integers(0, len(sample), (_TRIALS, 4))]
    middle = four.mean(axis=1, keepdims=True)
    local = four - middle
    system = np.concatenate([2 * local, np.ones((_TRIALS, 4, 1))], axis=2)
    scale = float(np.ptp(sample, axis=0).max())
    sound = np.abs(np.linalg.det(system)) > 1e-3 * scale**3
    if not sound.any():
        return None
    solved = np.linalg.solve(system[sound], (local[sound] ** 2).sum(axis=2)[:, :, None])[:, :, 0]
    radius = np.sqrt(np.maximum(solved[:, 3] + (solved[:, :3] ** 2).sum(axis=1), 0.0))
    centre = solved[:, :3] + middle[sound, 0]
    off = np.abs(np.linalg.norm(sample[None] - centre[:, None], axis=2) - radius[:, None])
    hits = (off < 0.6 * _BAND * radius[:, None]).sum(axis=1) * (radius < 2 * scale)
    best = int(hits.argmax())
    if hits[best] < 0.1 * len(sample):
        return None
    return _refined(sample, Sphere(centre[best], float(radius[best])))


def _refined(points: Floats, sphere: Sphere) -> Sphere:
    """Move a sphere to the least squares of the points near it."""
    for _ in range(6):
        from_centre = points - sphere.centre
        far = np.linalg.norm(from_centre, axis=1)
        off = far - sphere.radius
        near = np.abs(off) < _BAND * sphere.radius
        if near.sum() < 8:
            return sphere
        system = np.column_stack([from_centre[near] / far[near, None], np.ones(int(near.sum()))])
        step = np.linalg.lstsq(system, off[near], rcond=None)[0]
        sphere = Sphere(sphere.centre + step[:3], sphere.radius + float(step[3]))
    return sphere
