"""The rod's length, width and straightness, and the handle's length, with their uncertainties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import LENGTH_STEP, Tally, add_instrument, rounded, rounded_up
from homolog.scan.cut import MAX_HANDLE_REACH
from homolog.scan.holes import SAYS, Hole, about
from homolog.scan.measurement import Budget
from homolog.scan.root import find_root
from homolog.scan.section import Section, cut_faces
from homolog.scan.sources import Instrument
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats, highest, lowest, normals_and_areas

LENGTH = "goalkeeper.rod_length"
WIDTH = "goalkeeper.rod_width"
STRAIGHTNESS = "goalkeeper.rod_straightness"
HANDLE = "goalkeeper.handle_length"
_QUANTITIES = (LENGTH, WIDTH, STRAIGHTNESS, HANDLE)
_WINDOW = 5
_NO_HANDLE = (
    "no step in the rod's width shows where a handle begins; measure the handle with a caliper, or state that there is none"
)


@dataclass(frozen=True, slots=True)
class RodSizes:
    """Readings of the rod and handle, and where they lie in space, for the pictures.

    Attributes:
        root: Where the rod's centre line leaves the body.
        handle: Where the handle begins on the centre line; None without one.
        tip: The free end.
        line: Smoothed centre line from the root to the tip, (k, 3).
    """

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]
    root: Floats | None = None
    handle: Floats | None = None
    tip: Floats | None = None
    line: Floats | None = None


def no_rod(reason: str) -> RodSizes:
    """Say that nothing of a rod could be measured."""
    return RodSizes((), tuple(Unmeasured(quantity=quantity, reason=reason) for quantity in _QUANTITIES), ())


class _Limb:
    """Rod and handle alone, for sections at any place of the centre line, which goes on straight beyond the last station."""

    def __init__(self, parts: Parts, rod: Rod) -> None:
        chosen = rod.cut.is_rod | rod.cut.is_seam
        self.calm = parts.calm.corners[chosen]
        self.corners = parts.surface.corners[chosen]
        self.normals = normals_and_areas(self.corners)[0]
        line = smooth_line(rod.course.centres[rod.first :])
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
        end = (self.normals @ axis > 0.85) & (ahead.mean(axis=1) > farthest - 6 * noise - 0.1)
        if areas[end].sum() < 0.3 * np.pi * self.radius_at_end**2:
            return farthest - 1.5 * noise
        return float(np.average(ahead[end].mean(axis=1), weights=areas[end]))

    def axis_at(self, at: int) -> Floats:
        low, high = max(0, at - 4), min(len(self.line) - 1, at + 4)
        axis = self.line[high] - self.line[low]
        return np.asarray(axis / np.linalg.norm(axis))

    def point_along(self, distance: float) -> Floats:
        return np.array([np.interp(distance, self.along, self.line[:, k]) for k in range(3)])

    def section(self, corners: Floats, centre: Floats, axis: Floats, reach: float) -> Section:
        # A section leans against the chord, so that it reaches over some mm of it.
        at, slack = float(centre @ self._chord), 1.0 + 0.5 * reach
        chosen = np.flatnonzero((self._low < at + slack) & (self._high > at - slack))
        section = cut_faces(corners[chosen], self.normals[chosen], centre, axis)
        near = np.hypot(*section.middle.T) < reach
        return Section(section.ends[near], section.normals[near], section.slant[near], section.frame, section.centre)

    def outer_radius(self, centre: Floats, axis: Floats) -> float:
        """Return the radius beyond which less than half of the outline lies; 0 outside the rod."""
        section = self.section(self.corners, centre, axis, MAX_HANDLE_REACH)
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
        offset = self.calm.mean(axis=1) - place
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


def smooth_line(centres: Floats) -> Floats:
    """Return stations levelled by a local parabola over nine of them, the ends by the nearest nine."""
    half = 4
    if len(centres) < 2 * half + 1:
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


def measure_rod(parts: Parts, rod: Rod, holes: tuple[Hole, ...], instrument: Instrument, *, method: str, evidence: str) -> RodSizes:
    """Measure rod and handle in mm."""
    limb = _Limb(parts, rod)
    common = {"unit": "mm", "method": method, "evidence": evidence}
    found = find_root(parts, rod)
    root = rod.junction.bend.point_at(found.height)
    from_root = float((limb.line[0] - root) @ limb.axis_at(0))
    whole = from_root + limb.length
    station = limb.handle_station()
    start, blur = (None, 0.0) if station is None else _handle_start(limb, station, parts.noise)
    readings: list[Reading] = []
    tallies: list[Tally] = []
    unmeasured: list[Unmeasured] = []

    length = whole if start is None else from_root + start
    # The body's surface looks along the rod as its tip does; the step to the handle looks back at the body.
    tally = _length_tally(LENGTH, length, 0 if start is None else -2, parts, instrument, blur)
    tally.add("root", "Where the rod's centre line leaves the body is hidden by the rod", found.standard)
    # A hole at the contact hides where it ends; one in a flat face is closed flat and changes little.
    torn = about(holes, root, 2 * limb.radius + 2.0)
    away = about(holes, limb.tip if start is None else limb.point_along(start), 3.0)
    tally.add("repair", SAYS, math.hypot(0.0 if torn is None else 10 * torn.depth, 0.0 if away is None else away.depth))
    tallies.append(tally)
    if start is None:
        high = rounded_up(float(rounded(length, LENGTH_STEP) + tally.expanded), LENGTH_STEP)
        readings.append(Reading(quantity=LENGTH, hi=high, **common))  # type: ignore[arg-type]
        unmeasured.append(Unmeasured(quantity=HANDLE, reason=_NO_HANDLE))
    else:
        readings.append(_reading(tally, length, common))
        handle = _length_tally(HANDLE, whole - from_root - start, 2, parts, instrument, blur)
        ends = (about(holes, place, MAX_HANDLE_REACH / 2) for place in (limb.point_along(start), limb.tip))
        handle.add("repair", SAYS, math.hypot(*(hole.depth for hole in ends if hole is not None)))
        readings.append(_reading(handle, whole - from_root - start, common))
        tallies.append(handle)

    last = limb.stations if station is None else min(station, limb.stations)
    width, tally = _widest(limb, max(last - 1, 1), parts, instrument)
    readings.append(_reading(tally, width, common))
    tallies.append(tally)
    bow, tally = _straightness(limb, last, root, parts, with_handle=station is not None)
    readings.append(_reading(tally, bow, common))
    tallies.append(tally)
    line = np.vstack([root, limb.line, limb.tip])
    handle_at = None if start is None else limb.point_along(start)
    budgets = tuple(tally.budget() for tally in tallies)
    return RodSizes(tuple(readings), tuple(unmeasured), budgets, root, handle_at, limb.tip, line)


def _reading(tally: Tally, value: float, common: dict[str, str]) -> Reading:
    number = rounded(value, LENGTH_STEP)
    return Reading(quantity=tally.quantity, value=number, expanded_uncertainty=tally.expanded, **common)  # type: ignore[arg-type]


def _length_tally(quantity: str, length: float, surfaces: int, parts: Parts, instrument: Instrument, blur: float) -> Tally:
    tally = Tally(quantity)
    add_instrument(tally, length, surfaces, instrument)
    tally.add("noise", "Scatter of the scanned points at both ends", 2 * parts.noise)
    tally.add("centre_line", "The centre line is followed in steps", 2e-4 * length + 0.02)
    tally.add("step", "The handle begins gradually", blur)
    return tally


def _handle_start(limb: _Limb, station: int, noise: float) -> tuple[float, float]:
    """Return where the handle begins, as a distance along the centre line, and the step's standard uncertainty."""
    places = np.arange(max(limb.along[station] - 2.5, 0.0), limb.along[station] + 2.5, 0.05)
    axis = limb.axis_at(max(station - 5, 0))
    reach = np.array([limb.outer_radius(limb.point_along(place), axis) for place in places])
    thick = float(np.median(reach[-10:]))
    marks = []
    for share in (0.05, 0.15, 0.85) if not noise else (0.15, 0.3, 0.85):
        over = np.flatnonzero(reach > limb.radius + share * (thick - limb.radius))
        marks.append(float(places[over[0]]) - 0.025 if len(over) else float(limb.along[station]))
    face = limb.step_face(station, limb.point_along(marks[1]), thick)
    if face is not None:
        return marks[1] + face[0], face[1] + 0.01
    # A handle that thickens gradually begins where its outline, carried on, meets the rod; the slower, the less sharp.
    first, second, third = marks
    start = first - (second - first) * (0.5 if not noise else 1.0)
    return start, (second - first) / 2 + 0.05 * (third - first) + 0.015


def _widest(limb: _Limb, last: int, parts: Parts, instrument: Instrument) -> tuple[float, Tally]:
    """Return the largest width of the rod: over stretches of five stations the widest direction of their mean outline."""
    angle = np.arange(72) * (np.pi / 72)
    directions = np.column_stack([np.cos(angle), np.sin(angle)])
    widths = []
    stations = np.unique(np.linspace(min(2, last - 1), max(last - 3, 1), 60).astype(int))
    axis = limb.axis_at(int(stations[len(stations) // 2]))
    for station in stations:
        own = limb.axis_at(int(station))
        own = own if own @ axis > 0 else -own
        section = limb.section(limb.calm, limb.line[station], own, 1.3 * limb.radius + 0.3)
        # A collar, or body that comes close, is not the rod's own outline.
        outline = np.einsum("ij,ij->i", section.middle, section.normals) > 0.85 * np.hypot(*section.middle.T)
        if section.spans()[outline].sum() < 0.9 * 2 * np.pi:
            continue
        height = section.ends[outline].reshape(-1, 2) @ directions.T
        widths.append(height.max(axis=0) - height.min(axis=0))
    table = np.array(widths).reshape(-1, 72)
    if not len(table):
        table = np.full((1, 72), 2 * limb.radius)
    if parts.noise:
        table = np.array([table[at : at + _WINDOW].mean(axis=0) for at in range(max(1, len(table) - _WINDOW + 1))])
        # The outline's extremes lie too far out, and the more so the more points it has.
        width = float(np.quantile(table.max(axis=1), 0.5))
        spread = float(table.max()) - width
    else:
        # The widest place may be a repaired one: it counts with doubt unless a tenth of the rod is as wide.
        width = float(np.quantile(table.max(axis=1), 0.9))
        spread = float(table.max()) - width
    tally = Tally(WIDTH)
    add_instrument(tally, width, 2, instrument)
    tally.add("noise", "The outline's farthest points lie too far out", 1.5 * parts.texture.noise + spread / 2)
    radius = width / 2
    facets = min(parts.texture.edge, radius) ** 2 / (8 * radius)
    tally.add("facets", "Flat facets cut the corners of the rod", facets / (2 if parts.texture.is_faceted else 1))
    return width, tally


def _straightness(limb: _Limb, last: int, root: Floats, parts: Parts, *, with_handle: bool) -> tuple[float, Tally]:
    """Return the diameter of the narrowest straight tube that holds the centre line of the rod without the handle."""
    line = limb.line[: max(last - 2 if with_handle else last, 3)]
    bow = narrowest_tube(np.vstack([root, line]))
    tally = Tally(STRAIGHTNESS)
    tally.add("centre_line", "The centre line is the middle of sections", 0.02)
    tally.add("noise", "Scatter of the scanned points, averaged around the rod", parts.noise / 2)
    tally.add("root", "The last part before the body is not seen all around", 0.0 if not parts.noise else 0.02)
    return bow, tally


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
    system = np.column_stack([np.ones_like(z), z])
    weights = np.full(len(line), 1.0 / len(line))
    best = math.inf
    for _ in range(rounds):
        root = np.sqrt(weights)[:, None]
        fit = np.linalg.lstsq(system * root, flat * root, rcond=None)[0]
        off = np.linalg.norm(flat - system @ fit, axis=1)
        best = min(best, float(off.max()))
        if off.max() < 1e-9:
            break
        weights = weights * off
        weights /= weights.sum()
    return 2 * best
