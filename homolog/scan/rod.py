"""The rod's course: its centre line, radius and handle, followed from section to section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from homolog.scan.rodline import MAX_RADIUS, MAX_ROD_RADIUS, Line, Samples, find_line, frame_of, sample
from homolog.scan.section import Section, cut_faces, fit_circle
from homolog.scan.surface import Floats, Surface, highest, lowest, normals_and_areas

STEP = 1.0
_FULL = 0.85
_LOST = 0.5
_SAMPLES = 45_000
# Stations; legs and arms are round as well, but shorter.
_SHORTEST = 14
_SHOULDERS = 10.0
_ROUND = 0.85
_SHELL = 0.6
_OTHER_RUN = 6


@dataclass(frozen=True, slots=True)
class Course:
    """Stations along the rod from the body to the free end.

    Attributes:
        centres: Shape (k, 3), mm, about `STEP` apart.
        radii: Shape (k,), mm.
        coverage: Shape (k,): share of the full circle that was seen at each station.
        areas: Shape (k,): area of the section, mm2; counts only where the circle is full.
    """

    centres: Floats
    radii: Floats
    coverage: Floats
    areas: Floats

    @property
    def along(self) -> Floats:
        """Distance of every station from the first one along the centre line."""
        steps = np.linalg.norm(np.diff(self.centres, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def reversed(self) -> Course:
        """Return the course from the other end."""
        return Course(self.centres[::-1], self.radii[::-1], self.coverage[::-1], self.areas[::-1])


@dataclass(slots=True)
class _Walker:
    """Where the walk along a rod stands."""

    centre: Floats
    axis: Floats
    radius: float


class _Near:
    """The faces near a line, found quickly for any place along it."""

    def __init__(self, surface: Surface, line: Line, reach: float = 22.0) -> None:
        corners = surface.corners
        offset = corners - line.centre
        along = offset @ line.axis
        lateral = lowest(np.linalg.norm(offset - along[:, :, None] * line.axis, axis=2))
        near = lateral < reach
        self.corners = corners[near]
        self.normals = normals_and_areas(self.corners)[0]
        self.line = line
        low, high = lowest(along[near]), highest(along[near])
        order = np.argsort(low, kind="stable")
        self.corners, self.normals = self.corners[order], self.normals[order]
        self.low, self.high = low[order], high[order]
        self.range = (float(along.min()), float(along.max()))

    def section(self, centre: Floats, axis: Floats, slack: float) -> Section:
        at = float((centre - self.line.centre) @ self.line.axis)
        last = int(np.searchsorted(self.low, at + slack))
        chosen = np.flatnonzero(self.high[:last] > at - slack)
        return cut_faces(self.corners[chosen], self.normals[chosen], centre, axis)


def follow_rods(surface: Surface, noise: float) -> Iterator[Course]:
    """Find what may be the rod of a goalkeeper and follow it both ways, the likeliest first.

    Args:
        surface: Closed surface in mm, smoothed if it is noisy.
        noise: Standard deviation of the points in mm.
    """
    samples = sample(surface, _SAMPLES)
    # A handle may be longer than the rod and nearly round: thin pieces are looked for first, and a piece that
    # does not end at the body is left out of the next look. What lies within it stays: rod and handle share an axis.
    left = samples
    for thickest, looks in ((MAX_ROD_RADIUS, 6), (MAX_RADIUS, 2)):
        for _ in range(looks):
            line = find_line(left, thickest)
            if line is None:
                break
            course = _follow(surface, samples, line, noise)
            if course is not None:
                yield course
            apart = np.abs(line.distance(left.points) - line.radius) > _SHELL
            left = Samples(left.points[apart], left.normals[apart])


def _follow(surface: Surface, samples: Samples, line: Line, noise: float) -> Course | None:
    near = _Near(surface, line)
    tolerance = 0.22 + 2 * noise
    start = _longest_run(near, line, tolerance)
    if start is None:
        return None
    ahead = _walk(near, start, line.axis, tolerance)
    back = _walk(near, start, -line.axis, tolerance)
    if len(ahead.radii) + len(back.radii) < _SHORTEST:
        return None
    forth, other = _beyond(samples, ahead), _beyond(samples, back)
    # A handle may be as wide as a body seen from its head, but it is round about the rod's line.
    towards = not forth.is_round if forth.is_round != other.is_round else forth.spread >= other.spread
    body, free = (ahead, back) if towards else (back, ahead)
    if not _meets_body(samples, body):
        return None
    inner = body.reversed()
    return Course(
        np.vstack([inner.centres[:-1], free.centres]),
        np.r_[inner.radii[:-1], free.radii],
        np.r_[inner.coverage[:-1], free.coverage],
        np.r_[inner.areas[:-1], free.areas],
    )


def _longest_run(near: _Near, line: Line, tolerance: float) -> _Walker | None:
    """Return the middle of the longest stretch of the line on which the surface is a full circle about it.

    A line that has been found by a handle with edges has the rod's axis but not its radius: then circles of any radius count.
    """
    places = np.arange(near.range[0] + 0.75, near.range[1], 1.5)
    full, found = [], []
    for place in places:
        walker = _Walker(line.centre + place * line.axis, line.axis, line.radius)
        coverage, _ = _see(near, walker, tolerance + 0.1, slack=1e-6)
        full.append(coverage > _FULL)
        found.append(walker)
    radius = np.array([walker.radius for walker in found])
    circles = np.array(full, bool)
    alike = circles & (np.abs(radius - line.radius) < 0.35)
    thin = circles & (radius < MAX_ROD_RADIUS)
    for chosen, shortest in ((alike, 1), (thin, _OTHER_RUN)):
        at = np.flatnonzero(chosen)
        breaks = np.flatnonzero((np.diff(at) > 1) | (np.abs(np.diff(radius[at])) > 0.35)) + 1
        run = max(np.split(at, breaks), key=len)
        if len(run) >= shortest:
            return found[int(run[len(run) // 2])]
    return None


def _see(near: _Near, walker: _Walker, tolerance: float, *, slack: float) -> tuple[float, float]:
    """Look at the section at the walker, move it to the circle's centre; return coverage and area."""
    section = near.section(walker.centre, walker.axis, slack)
    spans = section.spans()
    radius = walker.radius
    on = section.on_circle(radius, tolerance)
    coverage = float(spans[on].sum() / (2 * np.pi))
    if coverage < 0.6:
        jump = _other_radius(section, spans)
        if jump is not None:
            changed = section.on_circle(jump, tolerance)
            seen = float(spans[changed].sum() / (2 * np.pi))
            if seen > _FULL:
                on, coverage, radius = changed, seen, jump
                walker.radius = jump
    if coverage <= 0.6 or on.sum() < 6:
        return min(coverage, 1.0), 0.0
    ends = section.ends[on]
    lengths = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    centre, fitted = fit_circle(ends.reshape(-1, 2), np.repeat(lengths + 1e-9, 2))
    if np.hypot(*centre) < 0.6 and abs(fitted - radius) < 0.3:
        walker.centre = walker.centre + section.frame[:, :2] @ centre
        walker.radius = fitted
    return min(coverage, 1.0), section.area_of(on)


def _other_radius(section: Section, spans: Floats) -> float | None:
    """Return the radius at which most of a circle is seen, if there is one."""
    middle = section.middle
    reach = np.hypot(middle[:, 0], middle[:, 1])
    radial = np.einsum("ij,ij->i", middle, section.normals) > 0.9 * reach
    usable = radial & (reach > 0.3) & (reach < MAX_RADIUS + 0.5) & (np.abs(section.slant) < 0.5)
    if not usable.any():
        return None
    weight, bounds = np.histogram(reach[usable], bins=np.arange(0.2, MAX_RADIUS + 0.8, 0.15), weights=spans[usable])
    pair = weight[:-1] + weight[1:]
    best = int(pair.argmax())
    inside = usable & (reach >= bounds[best]) & (reach < bounds[best + 2])
    return float(np.average(reach[inside], weights=spans[inside] + 1e-12))


def _walk(near: _Near, start: _Walker, axis: Floats, tolerance: float, longest: float = 400.0) -> Course:
    walker = _Walker(start.centre.copy(), axis.copy(), start.radius)
    centres: list[Floats] = []
    rows: list[tuple[float, float, float]] = []
    missed = 0
    while len(rows) * STEP < longest:
        coverage, area = _see(near, walker, tolerance, slack=1.5 + 0.25 * len(rows) ** 0.5)
        missed = 0 if coverage > _LOST else missed + 1
        centres.append(walker.centre.copy())
        rows.append((walker.radius, coverage, area))
        if missed == 3:
            break
        recent = np.array([c for c, row in zip(centres[-12:], rows[-12:], strict=True) if row[1] > _FULL])
        if len(recent) > 5:
            ahead = np.linalg.svd(recent - recent.mean(0), full_matrices=False)[2][0]
            ahead = ahead if ahead @ walker.axis > 0 else -ahead
            if ahead @ walker.axis > 0.985:
                walker.axis = ahead
        walker.centre = walker.centre + STEP * walker.axis
    while rows and rows[-1][1] <= _LOST:
        rows.pop()
        centres.pop()
    table = np.array(rows).reshape(-1, 3)
    return Course(np.array(centres).reshape(-1, 3), table[:, 0], table[:, 1], table[:, 2])


def _meets_body(samples: Samples, walk: Course) -> bool:
    """Say whether a walk ends where something wider begins: a handle ends at the rod, and behind a narrow head come shoulders."""
    lateral, along = _seen_ahead(samples, walk)
    near = np.linalg.norm(lateral[(along > -1.0) & (along < _SHOULDERS)], axis=1)
    return bool(len(near) > 8 and np.quantile(near, 0.97) > walk.radii[-1] + 1.2)


@dataclass(frozen=True, slots=True)
class _Beyond:
    """What lies beyond the end of a walk: how far from the axis it reaches, mm, and whether it is round about it."""

    spread: float
    is_round: bool


def _beyond(samples: Samples, walk: Course) -> _Beyond:
    """Look beyond the end of a walk: the body is wide, a handle is slender and round."""
    if len(walk.radii) < 2:
        return _Beyond(0.0, True)
    lateral, along = _seen_ahead(samples, walk)
    ahead = lateral[along > 0.5]
    if len(ahead) < 20:
        return _Beyond(0.0, True)
    reach = np.linalg.norm(ahead, axis=1)
    spread = float(np.quantile(reach, 0.9))
    narrow, wide = np.sqrt(np.linalg.eigvalsh(ahead.T @ ahead / len(ahead)))
    centred = float(np.linalg.norm(ahead.mean(axis=0))) < 0.15 * spread
    return _Beyond(spread, bool(centred and narrow > _ROUND * wide))


def _seen_ahead(samples: Samples, walk: Course) -> tuple[Floats, Floats]:
    """Return where the samples lie across the axis at the end of a walk, (k, 2), and how far ahead, (k,)."""
    tail = walk.centres[max(0, len(walk.centres) - 8) :]
    axis = tail[-1] - tail[0]
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    offset = samples.points - walk.centres[-1]
    local = offset @ frame_of(axis)
    return local[:, :2], local[:, 2]
