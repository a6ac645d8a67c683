"""How wide a base is at its widest place, and how round."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around
from homolog.scan.figure_profile import weighted_median
from homolog.scan.surface import Floats

_WAVES = 6
_SIDE_MM = 0.25
_MIN_OUTWARD = 0.3


@dataclass(frozen=True, slots=True)
class Outline:
    """The base's widest outline.

    Attributes:
        diameter: Of the smallest circle that it fits into, mm.
        mean: Of the circle with the least squares of deviations, mm.
        u: Standard uncertainty of the diameter from the surface alone.
        roundness: Greatest less least distance from the axis, its noise taken out, mm.
        centre: Of the smallest circle, (x, y).
    """

    diameter: float
    mean: float
    u: float
    roundness: float
    centre: tuple[float, float] = (0.0, 0.0)


def side_of(seen: Around, areas: Floats, low: float, high: float, radius: float) -> tuple[Floats, Floats]:
    """Return heights and radii of the side of a base between two heights, every quarter of a millimetre."""
    chosen = (seen.outward > _MIN_OUTWARD) & (seen.z > low) & (seen.z < high) & (seen.r > 0.4 * radius)
    row = np.floor(seen.z[chosen] / _SIDE_MM).astype(np.int64)
    found = []
    for one in np.unique(row):
        here = row == one
        if here.sum() < 12:
            continue
        r, w, z = seen.r[chosen][here], areas[chosen][here], seen.z[chosen][here]
        sectors = np.unique(np.floor((seen.angle[chosen][here] / (2 * np.pi) + 0.5) * 24))
        if len(sectors) >= 12:
            found.append((float(np.average(z, weights=w)), weighted_median(r, w)))
    table = np.array(found).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def drawn_outline(points: Floats) -> Outline:
    """Return the outline of a drawing's points (n, 2) seen along the axis: its corners lie on the true outline."""
    from scipy.spatial import ConvexHull

    hull = points[ConvexHull(points).vertices]
    centre, radius = enclosing_circle(hull)
    angle = np.sort(np.arctan2(*(hull - centre).T[::-1]))
    gap = np.diff(np.r_[angle, angle[0] + 2 * np.pi])
    # Between two corners the outline may bulge by the arc's height, or be cut by it.
    sagitta = radius * (1 - math.cos(min(float(np.median(gap)), 1.0) / 2))
    reach = np.hypot(*(hull - centre).T)
    chords = radius * (1 - np.cos(np.minimum(gap, 1.0) / 2))
    low = float(reach.min())
    mean, _ = _least_squares(hull, np.full(len(hull), 1.0))
    return Outline(
        2 * radius, 2 * mean, sagitta + float(chords.max()) / 8, max(radius - low, 0.0), (float(centre[0]), float(centre[1]))
    )


def scanned_outline(
    seen: Around, areas: Floats, ends: tuple[float, float], *, noise: float, look: float, upright: bool
) -> Outline | None:
    """Return the outline of a noisy scan: waves around the circle and a parabola along the axis, fitted to the side.

    Args:
        seen: Patches about the axis.
        areas: Their areas.
        ends: Heights between which the base is at its widest.
        noise: Scatter in mm.
        look: Area over which the noise hangs together, mm2.
        upright: Whether the side is meant to be a cylinder, so that its taper is only believed where it is sure.
    """
    low, high = ends
    # Beside an edge a noisy scan is rounded.
    keep = 0.35 if high - low > 1.5 else 0.15
    chosen = (seen.outward > 0.5) & (seen.z > low + keep) & (seen.z < high - keep)
    r, z, angle, w = seen.r[chosen], seen.z[chosen], seen.angle[chosen], areas[chosen]
    if w.sum() < 10.0:
        return None
    middle, half = (low + high) / 2, max((high - low) / 2, 0.1)
    t = (z - middle) / half
    waves = [np.ones_like(t), t, t * t]
    for k in range(1, _WAVES + 1):
        waves += [np.cos(k * angle), np.sin(k * angle)]
    system = np.column_stack(waves)
    kept = used = list(range(system.shape[1]))
    good = np.abs(r - weighted_median(r, w)) < 1.0 + 4 * noise
    fit = np.zeros(system.shape[1])
    cov = np.zeros((system.shape[1],) * 2)
    for _ in range(4):
        used = kept
        s, weight = system[good][:, kept], w[good]
        normal = (s * weight[:, None]).T @ s
        inverse = np.linalg.pinv(normal, rcond=1e-10, hermitian=True)
        part = inverse @ (s * weight[:, None]).T @ r[good]
        off = r - system[:, kept] @ part
        scatter = math.sqrt(float((weight * off[good] ** 2).sum() / weight.sum()))
        fit[:] = 0.0
        fit[kept] = part
        cov = np.asarray(inverse * max(scatter, noise * 0.5) ** 2 * max(look, 0.2), np.float64)
        sure = [at for at, column in enumerate(kept) if _is_kept(column, part[at], cov[at, at], upright)]
        good = np.abs(off) < 3 * scatter + 0.02
        kept = [kept[at] for at in sure]
    line = np.linspace(-1, 1, 41)
    profile = fit[0] + fit[1] * line + fit[2] * line**2
    theta = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    turns = np.arange(1, _WAVES + 1)[:, None] * theta
    wave = fit[3::2] @ np.cos(turns) + fit[4::2] @ np.sin(turns)
    outline = np.asarray(float(profile.max()) + wave, np.float64)[:, None] * np.column_stack([np.cos(theta), np.sin(theta)])
    around, radius = enclosing_circle(outline)
    mean, centre = _least_squares(outline, np.full(720, 1.0))
    reach = np.hypot(*(outline - centre).T)
    at = line[int(profile.argmax())]
    # The enclosing circle leans on the waves that were found.
    row = np.array([{0: 1.0, 1: at, 2: at * at}.get(column, 0.5) for column in used])
    u = 2 * math.sqrt(max(float(row @ cov @ row), 0.0))
    return Outline(2 * radius, 2 * mean, u, float(np.ptp(reach)), (float(around[0]), float(around[1])))


def _is_kept(column: int, size: float, variance: float, upright: bool) -> bool:
    """Say whether a term of the fit is more than noise; the level always is, and the curve of a side that is curved."""
    if column == 0 or (column < 3 and not upright):
        return True
    return abs(size) > (2.5 if column < 3 else 3.5) * math.sqrt(variance)


def _least_squares(points: Floats, weights: Floats) -> tuple[float, Floats]:
    from homolog.scan.section import fit_circle

    centre, radius = fit_circle(points, weights)
    return radius, centre


def enclosing_circle(points: Floats) -> tuple[Floats, float]:
    """Return centre and radius of the smallest circle around plane points (n, 2)."""
    centre = points.mean(axis=0)
    chosen = [int(np.hypot(*(points - centre).T).argmax())]
    for _ in range(200):
        centre, radius, chosen = _circle_of(points, chosen)
        reach = np.hypot(*(points - centre).T)
        far = int(reach.argmax())
        if reach[far] <= radius * (1 + 1e-12) + 1e-12 or far in chosen:
            break
        chosen = [*chosen, far]
    return centre, float(np.hypot(*(points - centre).T).max())


def _circle_of(points: Floats, chosen: list[int]) -> tuple[Floats, float, list[int]]:
    """Return the smallest circle around at most four points and the two or three on it."""
    from itertools import combinations

    if len(chosen) == 1:
        return points[chosen[0]], 0.0, chosen
    best: tuple[float, Floats, list[int]] | None = None
    for size in (2, 3):
        for group in combinations(chosen, size):
            corners = points[list(group)]
            centre = corners.mean(axis=0) if size == 2 else _circumcentre(corners)
            if centre is None:
                continue
            radius = float(np.hypot(*(corners - centre).T).max())
            if (np.hypot(*(points[chosen] - centre).T) <= radius * (1 + 1e-10) + 1e-12).all() and (
                best is None or radius < best[0]
            ):
                best = (radius, centre, list(group))
    if best is None:
        centre = points[chosen].mean(axis=0)
        return centre, float(np.hypot(*(points[chosen] - centre).T).max()), chosen[-3:]
    return best[1], best[0], best[2]


def _circumcentre(corners: Floats) -> Floats | None:
    system = 2 * (corners[1:] - corners[0])
    if abs(np.linalg.det(system)) < 1e-12:
        return None
    return np.asarray(np.linalg.solve(system, (corners[1:] ** 2).sum(1) - (corners[0] ** 2).sum()))
