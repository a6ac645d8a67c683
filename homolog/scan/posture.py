"""How a goalkeeper's body stands: its upright axis, its base, and which way it faces."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.rodline import frame_of
from homolog.scan.section import cut_faces, fit_circle, in_short_pieces
from homolog.scan.surface import Bools, Floats, Surface, highest, lowest, middle_of, normals_and_areas

_MIN_FLAT_MM2 = 40.0
_BASE_RADIUS = (4.0, 16.0)
_BASE_HEIGHT = 12.0
_LEVEL = 0.2
# So far above its top, and above the scatter of its edge, nothing is base.
_CLEAR_MM, _BLUR = 0.15, 2.5
_LAST_SHARE = 0.25
# Standard uncertainty of the upright axis, forward and sideways. Without a base upright is by definition the axis in
# which the figure is thinnest, which is found closely; sideways it is only as sure as the body's symmetry.
_TILT_WITH_BASE = (math.radians(0.15), math.radians(0.15))
_TILT_WITHOUT = (math.radians(0.3), math.radians(1.0))


@dataclass(frozen=True, slots=True)
class Base:
    """A round base about the upright axis.

    Attributes:
        top: Height above the underside up to which its round outline is seen, mm.
        diameter: Its widest diameter, mm.
        volume: Volume of the rounds, mm3; what the figure's feet take of it counts as base.
    """

    top: float
    diameter: float
    volume: float


@dataclass(frozen=True, slots=True)
class Posture:
    """How the body stands in space.

    Attributes:
        frame: Columns x (to the side), y (through the figure's thickness), z (up), right-handed.
        origin: The place of the frame's zero in space: the underside has z = 0.
        base: None if the body stands on no base.
        tilt: Standard uncertainty of the upright axis in radians, forward and sideways.
        stands_flat: Whether the underside is flat, as that of a base.
        blur: How much higher than a drawing's the edge of a noisy base may reach, mm.
    """

    frame: Floats
    origin: Floats
    base: Base | None
    tilt: tuple[float, float]
    stands_flat: bool
    blur: float = 0.0

    @property
    def figure_floor(self) -> float:
        """Height above which everything is figure."""
        return -np.inf if self.base is None else self.base.top + _CLEAR_MM + self.blur

    def local(self, points: Floats) -> Floats:
        """Return points in the body's frame."""
        return ((points - self.origin).reshape(-1, 3) @ self.frame).reshape(points.shape)


def posture_of(calm: Surface, is_body: Bools, noise: float) -> Posture:
    """Find out how a body stands.

    Args:
        calm: Closed surface in mm, smoothed if noisy.
        is_body: Faces that belong to the body alone.
        noise: Standard deviation of the points in mm.
    """
    part = calm.part(is_body)
    corners = part.corners
    normals, areas = normals_and_areas(corners)
    middle = middle_of(corners)
    centre = np.average(middle, axis=0, weights=areas)
    spread = ((middle - centre) * areas[:, None]).T @ (middle - centre)
    longest = np.linalg.eigh(spread)[1][:, 2]
    flat = _flat_end(corners, normals, areas, longest, noise)
    up = _level_up(part.points, longest) if flat is None else flat
    frame = frame_of(up)
    points = (part.points - centre) @ frame
    floor = float(points[:, 2].min())
    points[:, 2] -= floor
    local = np.take(points, part.faces, axis=0)
    base = None if flat is None else _base_of(local, noise)
    blur = _BLUR * noise
    above = -np.inf if base is None else base.top + _CLEAR_MM + blur
    side = _facing(points, local, above)
    turn = np.array([[side[0], -side[1], 0.0], [side[1], side[0], 0.0], [0.0, 0.0, 1.0]])
    tilt = _TILT_WITHOUT if flat is None else _TILT_WITH_BASE
    return Posture(frame @ turn, centre + floor * frame[:, 2], base, tilt, flat is not None, blur)


def _flat_end(corners: Floats, normals: Floats, areas: Floats, longest: Floats, noise: float) -> Floats | None:
    """Return the upward direction given by a flat underside, if either end of the body has one."""
    best: tuple[float, Floats] | None = None
    middle = middle_of(corners)
    for down in (longest, -longest):
        axis = down
        reach = float((corners @ down).max())
        chosen = (normals @ down > 0.9) & (middle @ down > reach - 3.0)
        for _ in range(4):
            if areas[chosen].sum() < _MIN_FLAT_MM2:
                break
            axis = (normals[chosen] * areas[chosen, None]).sum(0)
            axis = axis / np.linalg.norm(axis)
            level = _weighted_median(middle[chosen] @ axis, areas[chosen])
            near = np.abs(middle @ axis - level) < 0.12 + 3 * noise
            chosen = near & (normals @ axis > (0.985 if noise == 0 else 0.9))
        area = float(areas[chosen].sum())
        if area >= _MIN_FLAT_MM2 and axis @ down > 0.9 and (best is None or area > best[0]):
            best = (area, -_plane_normal(middle[chosen], areas[chosen], axis))
    return None if best is None else best[1]


def _plane_normal(points: Floats, weights: Floats, toward: Floats) -> Floats:
    centred = points - np.average(points, axis=0, weights=weights)
    normal = np.linalg.eigh((centred * weights[:, None]).T @ centred)[1][:, 0]
    return np.asarray(normal if normal @ toward > 0 else -normal)


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _level_up(points: Floats, longest: Floats) -> Floats:
    """Return the upright axis of a body without base: along its length, leaned so that it is thinnest from back to front.

    The sign is free: nothing that is measured on such a body depends on which end is up.
    """
    from scipy.spatial import ConvexHull

    hull = points[ConvexHull(points).vertices]
    up = longest
    for lean in (math.radians(2.0), math.radians(0.7), math.radians(0.25), math.radians(0.1)):
        for _ in range(6):
            frame = frame_of(up)
            angle, thick = narrowest((hull @ frame)[:, :2])
            front = frame[:, :2] @ np.array([math.cos(angle), math.sin(angle)])
            trials = [up * math.cos(step) + front * math.sin(step) for step in (-lean, lean)]
            widths = [narrowest((hull @ frame_of(trial))[:, :2])[1] for trial in trials]
            best = int(np.argmin(widths))
            if widths[best] >= thick - 1e-4:
                break
            up = trials[best]
    return up


def narrowest(points: Floats) -> tuple[float, float]:
    """Return the direction (angle) in which plane points (k, 2) are narrowest, and their width there: rotating calipers."""
    from scipy.spatial import ConvexHull

    hull = points[ConvexHull(points).vertices]
    edge = np.roll(hull, -1, axis=0) - hull
    edge = edge[np.linalg.norm(edge, axis=1) > 1e-9]
    normal = np.column_stack([edge[:, 1], -edge[:, 0]]) / np.linalg.norm(edge, axis=1)[:, None]
    reach = hull @ normal.T
    width = reach.max(axis=0) - reach.min(axis=0)
    best = int(width.argmin())
    return math.atan2(normal[best, 1], normal[best, 0]), float(width[best])


def _facing(points: Floats, corners: Floats, above: float) -> Floats:
    """Return the sideways direction: across the one in which the figure's silhouette from above is narrowest."""
    figure = points[points[:, 2] >= above][:, :2]
    angle, _ = narrowest(figure - corners[corners[:, :, 2] >= above][:, :2].mean(0))
    return np.array([math.sin(angle), -math.cos(angle)])


def _base_of(local: Floats, noise: float) -> Base | None:
    """Follow the round outline upward from the underside; None if there is none."""
    low = local[lowest(local[:, :, 2]) < _BASE_HEIGHT]
    normals = normals_and_areas(low)[0]
    bottom, top_of = lowest(low[:, :, 2]), highest(low[:, :, 2])
    up = np.array([0.0, 0.0, 1.0])
    centre: Floats | None = None
    levels = np.arange(_LEVEL / 2, _BASE_HEIGHT, _LEVEL)
    round_at: list[tuple[float, float, float]] = []
    for level in levels:
        origin = np.array([0.0, 0.0, level]) if centre is None else np.array([centre[0], centre[1], level])
        there = np.flatnonzero((bottom <= level) & (top_of >= level))
        section = cut_faces(low[there], normals[there], origin, up)
        if centre is None:
            centre = _round_centre(section.ends @ section.frame[:2, :2].T)
            if centre is None:
                continue
            section = cut_faces(low[there], normals[there], np.array([centre[0], centre[1], level]), up)
        section = in_short_pieces(section, 0.5)
        spans = section.spans()
        reach = np.linalg.norm(section.middle, axis=1)
        outward = np.einsum("ij,ij->i", section.middle, section.normals) > 0.8 * reach
        radius, share = _ring(reach[outward], spans[outward], 0.15 + 2 * noise)
        round_at.append((float(level), radius, share))
    full = [row for row in round_at if row[2] > 0.75 and _BASE_RADIUS[0] < row[1] < _BASE_RADIUS[1]]
    if centre is None or len(full) < 3:
        return None
    top, radius, shrink = full[0][0], full[0][1], 0.0
    for level, ring, share in round_at:
        if level <= top:
            continue
        # A dome's rings shrink and are hidden by the feet little by little; then the figure's own, wider outline follows.
        if share < _LAST_SHARE or ring > radius + 0.4 or (share < 0.6 and radius - ring > 1.7 * shrink + 0.3):
            break
        top, radius, shrink = level, ring, max(radius - ring, 0.0)
    volume = sum(np.pi * ring**2 * _LEVEL for level, ring, _ in round_at if level <= top)
    return Base(top + _LEVEL / 2, 2 * max(row[1] for row in full), float(volume))


def _round_centre(ends: Floats) -> Floats | None:
    """Fit a circle to the outline of the lowest section."""
    points = ends.reshape(-1, 2)
    if len(points) < 24:
        return None
    length = np.repeat(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), 2) + 1e-9
    centre, radius = fit_circle(points, length)
    off = np.abs(np.linalg.norm(points - centre, axis=1) - radius)
    good = off < 0.5
    if length[good].sum() < 0.6 * length.sum():
        return None
    return fit_circle(points[good], length[good])[0]


def _ring(reach: Floats, spans: Floats, width: float) -> tuple[float, float]:
    """Return the radius at which most of a circle is seen, and the share seen."""
    if not len(reach):
        return 0.0, 0.0
    weight, bounds = np.histogram(reach, bins=np.arange(0.0, _BASE_RADIUS[1] + 1.0, 0.1), weights=spans)
    pair = np.convolve(weight, np.ones(3), "same")
    radius = float(bounds[int(pair.argmax())] + 0.05)
    near = np.abs(reach - radius) < width + 0.1
    share = min(float(spans[near].sum() / (2 * np.pi)), 1.0)
    return (float(np.average(reach[near], weights=spans[near])) if spans[near].sum() > 0 else radius), share
