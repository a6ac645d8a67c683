"""A base's upper face and underside, followed ring by ring about its axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around
from homolog.scan.figure_profile import weighted_median
from homolog.scan.surface import Bools, Floats

RING_MM = 0.5
_SECTORS = 36
_SEEN = 0.25
_START = (0.76, 0.92)


@dataclass(frozen=True, slots=True)
class Face:
    """Rings of a face from the inside out: radius, height, share of the circle that is seen, area; all (k,)."""

    r: Floats
    z: Floats
    share: Floats
    area: Floats

    def __len__(self) -> int:
        return len(self.r)


@dataclass(frozen=True, slots=True)
class _Ring:
    r: float
    z: float
    share: float
    area: float


def follow_upper(seen: Around, areas: Floats, chosen: Bools, radius: float, noise: float) -> Face:
    """Follow the upper face of a base from near its edge inward and outward, for as long as a share of the circle is seen.

    Feet stand on the face; what lies off the height that the last rings foretell is theirs.

    Args:
        seen: Patches about the base's axis, upward.
        areas: Their areas.
        chosen: Patches that may be upper face: they look upward and lie not below the widest band.
        radius: Of the base.
        noise: Scatter in mm.
    """
    r, z, angle, w = seen.r[chosen], seen.z[chosen], seen.angle[chosen], areas[chosen]
    start = (r > _START[0] * radius) & (r < _START[1] * radius)
    if w[start].sum() < 5.0:
        return _face([])
    first = _commonest(z[start], w[start], 0.5)
    slope = _slope(r[start], z[start], w[start], first, 0.6 + 3 * noise)
    middle = float(np.average(r[start], weights=w[start] * (np.abs(z[start] - first) < 1.0) + 1e-9))
    rings: list[_Ring] = []
    for step in (-RING_MM, RING_MM):
        place, height, lean = middle, first, slope
        if step > 0:
            place, height = middle + step, first + slope * step
        while 0.3 < place < radius + 0.3:
            ring = _ring_at(r, z, angle, w, place, height, lean, 0.22 + 3 * noise)
            if ring is None or ring.share < _SEEN:
                break
            if len(rings) and (rings[-1].r - ring.r) * step < 0:
                lean = 0.5 * lean + 0.5 * (ring.z - rings[-1].z) / (ring.r - rings[-1].r)
            rings.append(ring)
            lean = min(max(lean, -2.5), 2.5)
            place, height = place + step, ring.z + lean * step
    return _face(sorted(rings, key=lambda ring: ring.r))


def follow_under(seen: Around, areas: Floats, chosen: Bools, radius: float) -> Face:
    """Return the lowest face of a base ring by ring, from patches that look downward."""
    r, z, angle, w = seen.r[chosen], seen.z[chosen], seen.angle[chosen], areas[chosen]
    rings = []
    for place in np.arange(RING_MM / 2, radius, RING_MM):
        near = np.abs(r - place) < RING_MM / 2
        if not near.any():
            continue
        level = weighted_median(z[near], w[near])
        ring = _ring_at(r, z, angle, w, float(place), level, 0.0, 0.6)
        if ring is not None and ring.share >= _SEEN:
            rings.append(ring)
    return _face(rings)


def _face(rings: list[_Ring]) -> Face:
    columns = np.array([(ring.r, ring.z, ring.share, ring.area) for ring in rings]).reshape(-1, 4).T
    return Face(*columns)


def _commonest(values: Floats, weights: Floats, width: float) -> float:
    """Return the middle of the window of this width that holds most weight."""
    low = float(values.min())
    count = np.bincount(((values - low) / 0.1).astype(np.int64), weights)
    window = np.convolve(count, np.ones(max(int(width / 0.1), 1)), "same")
    top = low + 0.1 * (int(window.argmax()) + 0.5)
    near = np.abs(values - top) < width / 2 + 0.05
    return float(np.average(values[near], weights=weights[near]))


def _slope(r: Floats, z: Floats, w: Floats, level: float, width: float) -> float:
    near = np.abs(z - level) < width
    m_r = np.average(r[near], weights=w[near])
    spread = float(np.average((r[near] - m_r) ** 2, weights=w[near]))
    return float(np.average((r[near] - m_r) * z[near], weights=w[near])) / spread if spread > 1e-4 else 0.0


def _ring_at(
    r: Floats, z: Floats, angle: Floats, w: Floats, place: float, height: float, lean: float, width: float
) -> _Ring | None:
    near = np.abs(r - place) < RING_MM / 2
    level = z[near] - lean * (r[near] - place)
    like = np.abs(level - height) < width + 0.3 * abs(lean) * RING_MM
    if like.sum() < 3:
        return None
    middle = weighted_median(level[like], w[near][like])
    like = np.abs(level - middle) < width
    sector = np.floor((angle[near][like] / (2 * np.pi) + 0.5) * _SECTORS).astype(np.int64)
    share = len(np.unique(sector)) / min(_SECTORS, max(6.0, 2 * np.pi * place / 0.35))
    area = float(w[near][like].sum())
    return _Ring(place, float(np.average(level[like], weights=w[near][like])), min(share, 1.0), area)
