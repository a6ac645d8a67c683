"""The rod's length, width and straightness, and the handle's length, with their uncertainties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import LENGTH_STEP, Tally, add_instrument, rounded, rounded_down, rounded_up
from homolog.scan.cut import MAX_HANDLE_REACH
from homolog.scan.holes import SAYS, Hole, about
from homolog.scan.limb import HALF, Limb, narrowest_tube, smooth_line
from homolog.scan.measurement import Budget
from homolog.scan.root import find_root
from homolog.scan.sources import Instrument
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats

LENGTH = "goalkeeper.rod_length"
WIDTH = "goalkeeper.rod_width"
STRAIGHTNESS = "goalkeeper.rod_straightness"
HANDLE = "goalkeeper.handle_length"
_QUANTITIES = (LENGTH, WIDTH, STRAIGHTNESS, HANDLE)
_WINDOW = 5
# Stations to either side over which a noisy centre line is levelled, and those by which it is carried on to the handle.
_HALF_NOISY, _TAIL = 10, 21
# The tube around the levelled line of a straight rod whose stations scatter by 1 about it: in trials 1.3 to 3.6.
_TUBE = 2.6
# A hole that takes so much of the free end's face leaves open how much more of rod or handle there was.
_OPEN_SHARE = 0.3
_OPEN_END = "the free end of the rod or handle is not part of the scan, so that no length up to it is known; scan the end as well"
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


def measure_rod(parts: Parts, rod: Rod, holes: tuple[Hole, ...], instrument: Instrument, *, method: str, evidence: str) -> RodSizes:
    """Measure rod and handle in mm."""
    limb = Limb(parts, rod)
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
    is_open = _ends_open(holes, limb)
    if start is None and is_open:
        unmeasured += [Unmeasured(quantity=quantity, reason=_OPEN_END) for quantity in (LENGTH, HANDLE)]
        tallies.pop()
    elif start is None:
        high = rounded_up(float(rounded(length, LENGTH_STEP) + tally.expanded), LENGTH_STEP)
        readings.append(Reading(quantity=LENGTH, hi=high, **common))  # type: ignore[arg-type]
        unmeasured.append(Unmeasured(quantity=HANDLE, reason=_NO_HANDLE))
    else:
        readings.append(_reading(tally, length, common))
        handle = _length_tally(HANDLE, whole - from_root - start, 2, parts, instrument, blur)
        ends = (about(holes, place, MAX_HANDLE_REACH / 2) for place in (limb.point_along(start), limb.tip))
        handle.add("repair", SAYS, math.hypot(*(hole.depth for hole in ends if hole is not None)))
        grip = whole - from_root - start
        least = rounded_down(float(rounded(grip, LENGTH_STEP) - handle.expanded), LENGTH_STEP)
        readings.append(Reading(quantity=HANDLE, lo=least, **common) if is_open else _reading(handle, grip, common))  # type: ignore[arg-type]
        tallies.append(handle)

    last = limb.stations if station is None else min(station, limb.stations)
    width, tally = _widest(limb, max(last - 1, 1), parts, instrument)
    readings.append(_reading(tally, width, common))
    tallies.append(tally)
    bow, tally = _straightness(limb, last, root, parts, start)
    if is_open and start is None:  # the whole is bent at least as much as what is seen of it
        least = rounded_down(max(float(rounded(bow, LENGTH_STEP) - tally.expanded), 0.0), LENGTH_STEP)
        readings.append(Reading(quantity=STRAIGHTNESS, lo=least, **common))  # type: ignore[arg-type]
    else:
        readings.append(_reading(tally, bow, common))
    tallies.append(tally)
    line = np.vstack([root, limb.line, limb.tip])
    handle_at = None if start is None else limb.point_along(start)
    budgets = tuple(tally.budget() for tally in tallies)
    return RodSizes(tuple(readings), tuple(unmeasured), budgets, root, handle_at, limb.tip, line)


def _ends_open(holes: tuple[Hole, ...], limb: Limb) -> bool:
    """Say whether most of the free end's face was a hole, so that nobody knows how much is missing."""
    hole = about(holes, limb.tip, 2.0)
    return hole is not None and hole.area > _OPEN_SHARE * np.pi * limb.radius_at_end**2


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


def _handle_start(limb: Limb, station: int, noise: float) -> tuple[float, float]:
    """Return where the handle begins, as a distance along the centre line, and the step's standard uncertainty."""
    places = np.arange(max(limb.along[station] - 2.5, 0.0), limb.along[station] + 2.5, 0.05)
    axis = limb.axis_at(max(station - 5, 0))
    reach = limb.outer_radii(np.array([limb.point_along(place) for place in places]), axis)
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


def _widest(limb: Limb, last: int, parts: Parts, instrument: Instrument) -> tuple[float, Tally]:
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


def _straightness(limb: Limb, last: int, root: Floats, parts: Parts, start: float | None) -> tuple[float, Tally]:
    """Return the diameter of the narrowest straight tube that holds the centre line of the rod without the handle."""
    stations = limb.raw[: max(last - 2 if start is not None else last, 3)]
    half = _HALF_NOISY if parts.noise else HALF
    line = smooth_line(stations, half)
    # What scatters stays in the smoothed line in part, and widens its tube however straight the rod is.
    left = float(np.sqrt(((stations - line) ** 2).sum() / max(2 * len(line) - 6, 1))) if parts.noise else 0.0
    widened = _TUBE * left
    if start is not None:
        line = np.vstack([line, _carried_on(line, start - float(limb.along[len(line) - 1]))])
    bow = narrowest_tube(np.vstack([root, line]))
    tally = Tally(STRAIGHTNESS)
    tally.add("centre_line", "The centre line is the middle of sections", 0.02)
    tally.add("noise", "Scatter of the scanned points, averaged around the rod", widened / 2)
    tally.add("root", "The last part before the body is not seen all around", 0.0 if not parts.noise else 0.03)
    return math.sqrt(max(bow**2 - widened**2, 0.0)), tally


def _carried_on(line: Floats, further: float) -> Floats:
    """Return the place so many mm beyond the end of a line, (3,), by a parabola through its last stations."""
    tail = line[-min(len(line), _TAIL) :]
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(tail, axis=0), axis=1))]
    powers = np.column_stack([along**k for k in range(3 if len(tail) == _TAIL else 2)])
    shape = np.linalg.lstsq(powers, tail, rcond=None)[0]
    return np.asarray((along[-1] + further) ** np.arange(powers.shape[1]) @ shape)
