"""The rod and handle by themselves: their centre line, sections across it, and where the handle begins."""

from __future__ import annotations

import math

import numpy as np

from homolog.scan.cut import MAX_HANDLE_REACH
from homolog.scan.section import Section, cut_faces
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats, Ints, highest, lowest, middle_of, normals_and_areas

HALF = 4
"""Stations to either side over which a centre line is levelled."""


class Limb:
    """Rod and handle alone, for sections at any place of the centre line, which goes on straight beyond the last station."""

    def __init__(self, parts: Parts, rod: Rod) -> None:
        chosen = rod.cut.is_rod | rod.cut.is_seam
        self.calm = parts.calm.corners[chosen]
        self.corners = parts.surface.corners[chosen]
        self.normals = normals_and_areas(self.corners)[0]
        self.raw = rod.course.centres[rod.first :]
        line = smooth_line(self.raw)
        self._chord = line[-1] - line[0]
        self._chord /= np.linalg.norm(self._chord)
        height = self.calm @ self._chord
        self._low, self._high = lowest(height), highest(height)
        self.radius_at_end = float(rod.course.radii[-1])
        axis = line[-1] - line[max(0, len(line) - 9)]
        axis /= np.linalg.norm(axis)
        offset = self.corners.reshape(-1, 3) - line[-1]
        ahead = offset @ axis
        lateral = np.linalg.norm(offset - ahead[:, None] * axis, axis=1)
        beyond = float(ahead[lateral < MAX_HANDLE_REACH].max(initial=0.0))
        if parts.noise:
            beyond = self._level_end(ahead.reshape(-1, 3), axis, beyond, parts.noise)
        self.tip = line[-1] + beyond * axis
        more = np.arange(1.0, beyond - 0.25)
        self.stations = len(line)
        self._tracked = np.where(rod.course.coverage[rod.first :] > 0.85, rod.course.radii[rod.first :], 0.0)
        self.line = np.vstack([line, line[-1] + more[:, None] * axis])
        self.radius = rod.junction.radius
        self.along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))]
        self.length = float(self.along[self.stations - 1]) + beyond

    def _level_end(self, ahead: Floats, axis: Floats, farthest: float, noise: float) -> float:
        """Return the height of a flat end's middle on a noisy scan, where the farthest point lies too far out."""
        _, areas = normals_and_areas(self.corners)
        end = (self.normals @ axis > 0.85) & (middle_of(ahead) > farthest - 6 * noise - 0.1)
        if areas[end].sum() < 0.3 * np.pi * self.radius_at_end**2:
            return farthest - 1.5 * noise
        return float(np.average(middle_of(ahead[end]), weights=areas[end]))

    def axis_at(self, at: int) -> Floats:
        """Return the direction of the centre line at a station."""
        low, high = max(0, at - 4), min(len(self.line) - 1, at + 4)
        axis = self.line[high] - self.line[low]
        return np.asarray(axis / np.linalg.norm(axis))

    def point_along(self, distance: float) -> Floats:
        """Return the place on the centre line so many mm from its beginning."""
        return np.array([np.interp(distance, self.along, self.line[:, k]) for k in range(3)])

    def section(self, corners: Floats, centre: Floats, axis: Floats, reach: float, near: Ints | None = None) -> Section:
        """Cut the outline around a place on the centre line, out to a reach in mm.

        Args:
            corners: The limb's faces, as they came or calmed.
            centre: The place.
            axis: Unit normal of the plane.
            reach: What lies farther from the place is left out.
            near: The faces that may be cut, if they are known.
        """
        # A section leans against the chord, so that it reaches over some mm of it.
        at, slack = float(centre @ self._chord), 1.0 + 0.5 * reach
        chosen = np.flatnonzero((self._low < at + slack) & (self._high > at - slack)) if near is None else near
        section = cut_faces(corners[chosen], self.normals[chosen], centre, axis)
        near = np.hypot(*section.middle.T) < reach
        return Section(section.ends[near], section.normals[near], section.slant[near], section.frame, section.centre)

    def outer_radii(self, places: Floats, axis: Floats) -> Floats:
        """Return the outer radii (k,) at places (k, 3) across one axis."""
        height = self.corners @ axis
        low, high = lowest(height), highest(height)
        found = []
        for place in places:
            at, chord, slack = float(place @ axis), float(place @ self._chord), 1.0 + 0.5 * MAX_HANDLE_REACH
            cut = (low < at + 1e-6) & (high > at - 1e-6)
            near = np.flatnonzero(cut & (self._low < chord + slack) & (self._high > chord - slack))
            found.append(self.outer_radius(place, axis, near))
        return np.array(found)

    def outer_radius(self, centre: Floats, axis: Floats, near: Ints | None = None) -> float:
        """Return the radius beyond which less than half of the outline lies; 0 outside the rod."""
        section = self.section(self.corners, centre, axis, MAX_HANDLE_REACH, near)
        spans = section.spans()
        if spans.sum() < np.pi:
            return 0.0
        # Where a step is cut both outlines appear; the outer one counts once it goes all around.
        reach = np.hypot(*section.middle.T)
        order = np.argsort(-reach, kind="stable")
        return float(reach[order][int(np.searchsorted(np.cumsum(spans[order]), np.pi))])

    def step_face(self, station: int, place: Floats, thick: float) -> tuple[float, float] | None:
        """Find the flat face with which a handle begins, out to most of its width; None if there is none.

        Returns:
            How far it lies beyond a place on the centre line, and its standard uncertainty.
        """
        last = min(station + 40, len(self.line) - 1)
        if last - station < 8:
            return None
        axis = self.line[last] - self.line[station + 2]
        axis /= np.linalg.norm(axis)
        normals, areas = normals_and_areas(self.calm)
        offset = middle_of(self.calm) - place
        ahead = offset @ axis
        lateral = np.linalg.norm(offset - ahead[:, None] * axis, axis=1)
        face = (normals @ axis < -0.93) & (np.abs(ahead) < 2.0) & (lateral < MAX_HANDLE_REACH)
        outer = self.radius + 0.6 * (thick - self.radius)
        if areas[face].sum() < 0.5 * np.pi * (outer**2 - self.radius**2) or lateral[face].max() < outer:
            return None
        level = float(np.average(ahead[face], weights=areas[face]))
        spread = math.sqrt(float(np.average((ahead[face] - level) ** 2, weights=areas[face])))
        return (level, spread / 2) if spread < 0.2 else None

    def handle_station(self) -> int | None:
        """Return the first station that is thicker than the rod, and stays so to within 2 mm of the tip or for 8 mm."""
        reach = np.zeros(len(self.line))
        reach[: self.stations] = self._tracked
        for at in np.flatnonzero(reach == 0.0):
            reach[at] = self.outer_radius(self.line[at], self.axis_at(int(at)))
        thick = reach > 1.12 * self.radius + 0.12
        for at in np.flatnonzero(thick):
            if at > 0 and at + 4 < len(thick) and thick[at : min(at + 8, len(thick) - 2)].all():
                return int(at)
        return None


def smooth_line(centres: Floats, half: int = HALF) -> Floats:
    """Return stations levelled by a local parabola over 2 half + 1 of them, the ends by the nearest ones."""
    half = min(half, (len(centres) - 1) // 2)
    if half < 2:
        return centres
    result = np.empty_like(centres)
    x = np.arange(-half, half + 1.0)
    powers = np.column_stack([np.ones_like(x), x, x * x])
    pick = np.linalg.pinv(powers)
    for at in range(len(centres)):
        middle = min(max(at, half), len(centres) - 1 - half)
        shift = at - middle
        weights = np.array([1.0, shift, shift * shift]) @ pick
        result[at] = weights @ centres[middle - half : middle + half + 1]
    return result


def narrowest_tube(line: Floats, rounds: int = 300) -> float:
    """Return the diameter of the narrowest straight tube around points (k, 3), by Lawson's weights.

    Each round fits a straight line to weighted points and then gives the farther points more weight;
    the fit tends to the one whose largest distance is least.
    """
    if len(line) < 3:
        return 0.0
    centred = line - line.mean(0)
    frame = np.linalg.svd(centred, full_matrices=False)[2]
    z, flat = centred @ frame[0], centred @ frame[1:].T
    weights = np.full(len(line), 1.0 / len(line))
    best = math.inf
    for _ in range(rounds):
        middle, level = weights @ z, weights @ flat  # the weights add up to 1
        rise = z - middle
        slope = (weights * rise) @ flat / ((weights * rise) @ rise)
        aside = flat - level - rise[:, None] * slope
        off = np.hypot(aside[:, 0], aside[:, 1])
        farthest = float(off.max())
        best = min(best, farthest)
        if farthest < 1e-9:
            break
        weights = weights * off
        weights /= weights.sum()
    return 2 * best
