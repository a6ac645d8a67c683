"""Where the rod's centre line leaves the body: the body's surface around the rod, continued beneath it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.rodline import sample
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats, Surface

_SAMPLES = 6_000
_REACHES = (0.9, 1.6)
"""How far in mm beyond the rod's surface the body is followed, plus a share of the rod's radius."""
_BAND = 0.25
# A ring that scatters by more about its paraboloid has an edge in it, and counts only where it agrees with the circle.
_SMOOTH, _ROUGH, _FAR = 0.05, 0.12, 0.3
_STEEPEST = 0.35
_RING = 0.5
_LEVEL = 0.6
"""Where the contact's slant is less than this share of the rod's radius, the body is level enough to bulge evenly."""
_SIDES = 10
"""Of sixteen directions around the rod, in so many the body must be seen."""


@dataclass(frozen=True, slots=True)
class Root:
    """Height of the place in the junction's frame, and its standard uncertainty in mm."""

    height: float
    standard: float


def find_root(parts: Parts, rod: Rod) -> Root:
    """Find the height at which the rod's centre line leaves the body.

    The rod's visible surface says where the body meets it on a circle. What the body does within the circle is continued
    from the ring around it, if a paraboloid follows that ring on all sides; else the middle of the circle counts, with doubt.
    """
    cut, radius = rod.cut, rod.junction.radius
    slant = cut.centre - rod.junction.contact
    # The body bulges out under the rod by up to r^2 / 2 R; a limb has R of about 4 mm. Where it leans, feet and ankles hide more.
    points, normals = _around(parts, rod)
    bulge = _bulge(points, normals, radius) if slant < _LEVEL * radius else 0.0
    cautious = Root(cut.centre - bulge, 0.03 + radius**2 / 12 + 0.15 * min(slant, 8.0) + abs(bulge) / 4)
    if parts.noise:  # a shallow contact drowns in noise long before it ends
        cautious = Root(cut.centre - bulge, 0.03 + radius**2 / 8 + 0.2 * min(slant, 8.0) + 3 * parts.noise + abs(bulge) / 4)
    near, far = (_continued(points, radius, radius + reach + 0.4 * radius) for reach in _REACHES)
    if near is None:
        return cautious
    aside = abs(near[0] - cut.centre)
    smooth = near[1] <= _SMOOTH + parts.noise / 2
    if not smooth and aside > _FAR:
        return cautious
    doubt = abs(far[0] - near[0]) / 2 if far is not None else near[1]
    # On a slanting contact an edge of the body may lie within the circle, and no ring around it tells.
    own = math.hypot(0.03, near[1], doubt, aside / (4 if smooth else 2), 0.15 * min(max(slant, 0.0), 8.0))
    return Root(near[0], min(own, cautious.standard))


def _bulge(points: Floats, normals: Floats, radius: float) -> float:
    """Return how far the body bulges out under the rod, as it is inclined around it: the height of a cap with that inclination.

    A head is hardly wider than the rod on it, so that no paraboloid can be followed around it.
    """
    reach = np.hypot(points[:, 0], points[:, 1])
    ring = (reach > 0.98 * radius) & (reach < radius + _RING)
    if ring.sum() < 20:
        return 0.0
    x, y = points[ring, :2].T
    slope = (x * normals[ring, 0] + y * normals[ring, 1]) / (reach[ring] * -normals[ring, 2])
    sector = np.floor((np.arctan2(y, x) / np.pi + 1) * 7.9999).astype(np.int64)
    count = np.bincount(sector, minlength=16)
    seen = count > 0
    if seen.sum() < _SIDES:
        return 0.0
    mean = float((np.bincount(sector, weights=slope, minlength=16)[seen] / count[seen]).mean())
    return radius * math.tan(math.atan(mean) / 2)


def _around(parts: Parts, rod: Rod) -> tuple[Floats, Floats]:
    """Return points (k, 3) of the body's surface that faces the rod about its root, in the straightened frame, and its normals."""
    bend, radius = rod.junction.bend, rod.junction.radius
    straight = bend.straight(parts.calm.points)
    corners = straight[parts.calm.faces]
    reach = np.hypot(corners[:, :, 0], corners[:, :, 1]).min(axis=1)
    level = np.abs(corners[:, :, 2] - rod.cut.centre).min(axis=1)
    near = rod.cut.is_body & (reach < 2.0 * radius + 3.0) & (level < 2.0 * radius + 3.0)
    if near.sum() < 4:
        return np.empty((0, 3)), np.empty((0, 3))
    spread = sample(Surface(straight, parts.calm.faces[near]), _SAMPLES)
    facing = spread.normals[:, 2] < -_STEEPEST
    return spread.points[facing], spread.normals[facing]


def _continued(points: Floats, inner: float, outer: float) -> tuple[float, float] | None:
    """Continue the surface to the axis; return the height there and the scatter of the ring, None where it has no such shape."""
    reach = np.hypot(points[:, 0], points[:, 1]) if len(points) else np.empty(0)
    ring = points[(reach > 0.98 * inner) & (reach < outer)]
    if len(ring) < 60:
        return None
    x, y, z = ring.T
    system = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    keep = np.ones(len(ring), bool)
    shape = np.zeros(6)
    for _ in range(6):
        shape = np.linalg.lstsq(system[keep], z[keep], rcond=None)[0]
        off = np.abs(z - system @ shape)
        keep = off < max(_BAND, 2.5 * float(np.median(off[keep])))
        if keep.sum() < 60:
            return None
    turn = np.arctan2(y[keep], x[keep])
    if len(np.unique(np.floor(turn / (np.pi / 8)))) < _SIDES:
        return None
    scatter = float(np.sqrt(((z - system @ shape)[keep] ** 2).mean()))
    return (float(shape[0]), scatter) if scatter < _ROUGH else None
