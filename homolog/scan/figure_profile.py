"""The outline of a base of revolution in three charts: its side, its upper face and its underside."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around, Axis, seen_from
from homolog.scan.figure_patches import Patches
from homolog.scan.figure_rings import Band
from homolog.scan.rodline import frame_of
from homolog.scan.surface import Bools, Floats, Ints

SIDE, UPPER, UNDER = 0, 1, 2
_CELL_MM = 3.0
_THINNED = 25_000
_BIN_MM = 0.5
_STEEP = 0.7


@dataclass(frozen=True, slots=True)
class Settled:
    """A base's axis as its own surface gives it.

    Attributes:
        axis: Upward axis.
        scatter: Standard deviation of the base's surface about its mean outline, mm.
        look: Area in mm2 over which that scatter hangs together: so much counts as one independent look.
        tilt: Standard uncertainty of the direction, radians.
        used: Area that agreed, mm2.
    """

    axis: Axis
    scatter: float
    look: float
    tilt: float
    used: float


def settle_axis(band: Band, patches: Patches) -> Settled:
    """Improve a base's axis until its surface lies as close as it can to one outline turned about it."""
    settled = Settled(band.axis, 0.0, 0.0, 0.0, 0.0)
    near = patches.only(_low(band, patches)).thinned(_THINNED)
    for tolerance in (1.0, 1.0, 0.5, 0.5, 0.25, 0.25, 0.0, 0.0):
        settled = _step(settled.axis, near, max(tolerance, 0.06 + 4 * settled.scatter))
    return settled


def _low(band: Band, patches: Patches) -> Bools:
    """Choose what may be base: all up to its widest band, above it only what lies far out."""
    seen = seen_from(band.axis, patches)
    above = (seen.z > band.high) & ((seen.r < 0.55 * band.radius) | (seen.z > band.high + 0.6 * band.radius))
    return ~above & (seen.r < 1.1 * band.radius + 0.5)


def _step(axis: Axis, patches: Patches, width: float) -> Settled:
    frame = frame_of(axis.direction)
    x, y, z = ((patches.points - axis.centre) @ frame).T
    seen = seen_from(axis, patches)
    chart = np.where(seen.outward > _STEEP, SIDE, np.where(seen.upward > _STEEP, UPPER, np.where(seen.upward < -_STEEP, UNDER, -1)))
    place = np.where(chart == SIDE, seen.z, seen.r)
    value = np.where(chart == SIDE, seen.r, seen.z)
    fitted, slope = _levels(chart, place, value, patches.areas, width)
    known = np.isfinite(fitted)
    root = np.sqrt(1 + slope**2)
    off = np.where(known, value - fitted, 0.0) / root * np.where(chart == UNDER, -1.0, 1.0)
    weights = patches.areas * np.maximum(1 - (off / width) ** 2, 0.0) ** 2 * known
    off = np.where(weights > 0, off, 0.0)
    out = np.select([chart == SIDE, chart == UPPER], [1 / root, -slope / root], slope / root)
    up = np.select([chart == SIDE, chart == UPPER], [-slope / root, 1 / root], -1 / root)
    out, up = np.where(weights > 0, out, 0.0), np.where(weights > 0, up, 0.0)
    cosine, sine = np.cos(seen.angle), np.sin(seen.angle)
    system = np.column_stack([out * cosine, out * sine, up * y - z * out * sine, z * out * cosine - up * x])
    normal = (system * weights[:, None]).T @ system
    inverse = np.linalg.pinv(normal, rcond=1e-9, hermitian=True)
    move = inverse @ (system * weights[:, None]).T @ off
    total = float(weights.sum())
    scatter = math.sqrt(float((weights * off**2).sum()) / max(total, 1e-9))
    look = _look(chart, seen, off, weights)
    tilt = scatter * math.sqrt(float(np.linalg.eigvalsh(inverse[2:, 2:])[-1]) * look)
    direction = frame @ np.array([move[3], -move[2], 1.0])
    improved = Axis(axis.centre + frame[:, :2] @ move[:2], direction / np.linalg.norm(direction))
    return Settled(improved, scatter, look, tilt, total)


def _look(chart: Ints, seen: Around, off: Floats, weights: Floats) -> float:
    """Return the area over which deviations hang together, from how much is left of them in the means of larger cells."""
    along = np.where(chart == SIDE, seen.z, seen.r)
    ring = np.where(chart == SIDE, seen.r.max(), (np.floor(seen.r / _CELL_MM) + 0.5) * _CELL_MM)
    width = np.round(2 * np.pi * ring / _CELL_MM)
    turn = np.floor((seen.angle / (2 * np.pi) + 0.5) * width)
    key = (chart * 1000 + np.floor(along / _CELL_MM) + 300) * 1000 + turn
    chosen = weights > 0
    _, index = np.unique(key[chosen], return_inverse=True)
    total = np.bincount(index, weights[chosen])
    mean = np.bincount(index, (weights * off)[chosen]) / total
    every = float((weights * off**2).sum()) / max(float(weights.sum()), 1e-12)
    share = float((total * mean**2).sum()) / max(float(total.sum()) * every, 1e-30)
    share = min(max(share, 0.01), 0.8)
    # Half of what hangs together goes into the outline's own levels and is not seen here.
    return 2 * float(total.sum()) / len(total) * share / (1 - share)


def _levels(chart: Ints, place: Floats, value: Floats, areas: Floats, width: float) -> tuple[Floats, Floats]:
    """Fit a straight piece to every bin of every chart, outliers left out; return its value and slope at every patch."""
    cell = np.floor(place / _BIN_MM).astype(np.int64)
    cell -= cell.min()
    key = chart * (int(cell.max()) + 1) + cell
    order = np.lexsort((value, key))
    order = order[chart[order] >= 0]
    start = np.flatnonzero(np.r_[True, np.diff(key[order]) != 0])
    count = np.diff(np.r_[start, len(order)])
    bins = len(start)
    owner = np.repeat(np.arange(bins), count)
    u, v, w = place[order], value[order], areas[order]
    centre = np.bincount(owner, u, bins) / count
    u = u - centre[owner]
    level = v[start + count // 2]
    slope = np.zeros(bins)
    for _ in range(4):
        off = (v - level[owner] - slope[owner] * u) / (1.5 * width)
        keep = w * np.maximum(1 - off**2, 0.0) ** 2
        total = np.maximum(np.bincount(owner, keep, bins), 1e-12)
        m_u, m_v = np.bincount(owner, keep * u, bins) / total, np.bincount(owner, keep * v, bins) / total
        spread = np.bincount(owner, keep * u * u, bins) / total - m_u**2
        product = np.bincount(owner, keep * u * v, bins) / total - m_u * m_v
        slope = np.clip(np.where(spread > 1e-6, product / np.maximum(spread, 1e-6), 0.0), -3.0, 3.0)
        level = m_v - slope * m_u
    fitted, slopes = np.full(len(chart), np.nan), np.zeros(len(chart))
    fitted[order] = np.where(count[owner] >= 8, level[owner] + slope[owner] * u, np.nan)
    slopes[order] = slope[owner]
    return fitted, slopes


def weighted_median(values: Floats, weights: Floats) -> float:
    """Return the value with half of the weight on either side."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][min(int(np.searchsorted(total, total[-1] / 2)), len(order) - 1)])
