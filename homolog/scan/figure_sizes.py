"""A playing figure's readings with their budgets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import LENGTH_STEP, Tally, add_instrument, rounded, rounded_down
from homolog.scan.extents import Body, Extent
from homolog.scan.figure_reach import Reaches
from homolog.scan.figure_stand import Hole, Standing
from homolog.scan.measurement import Budget
from homolog.scan.posture import narrowest
from homolog.scan.sources import Instrument
from homolog.scan.surface import Bools, Floats
from homolog.scan.texture import point_normals

HEIGHT = "figure.height"
BASE_DIAMETER = "figure.base_diameter"
BASE_HEIGHT = "figure.base_height"
RIM_HEIGHT = "figure.base_height.rim"
WIDTH = "figure.figure_width"
THICKNESS = "figure.figure_thickness"
WITHOUT_BASE = "figure.figure_height_without_base"
QUANTITIES = (BASE_DIAMETER, BASE_HEIGHT, RIM_HEIGHT, WIDTH, THICKNESS, HEIGHT, WITHOUT_BASE)

UNDERSIDE = "underside_not_seen"

# The figure begins this far above its base, and 4 sigma more on a noisy scan.
_CLEAR_MM = 0.25
# A smaller hole hides no more than a part of its own width; what a larger one hides where the figure ends is not known.
_SMALL_HOLE_MM = 0.3
_NO_AXIS_MM = 0.0005


@dataclass(frozen=True, slots=True)
class FigureSizes:
    """Readings, what could not be measured, and budgets.

    Attributes:
        turn: Frame in which x is the figure's width and y its thickness; None if no figure was found.
        figure: Which points belong to the figure above its base.
    """

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]
    facts: Mapping[str, str]
    turn: Floats | None = None
    figure: Bools | None = None


def nothing_measured(reason: str) -> FigureSizes:
    """Say of every quantity that it could not be measured."""
    says = f"{reason}; measure it with a caliper, or scan the figure again with all of its base"
    return FigureSizes((), tuple(Unmeasured(quantity=quantity, reason=says) for quantity in QUANTITIES), (), MappingProxyType({}))


class _Sheet:
    """Readings, budgets and refusals while they are gathered."""

    def __init__(self, instrument: Instrument, method: str, evidence: str) -> None:
        self.instrument = instrument
        self.readings: list[Reading] = []
        self.unmeasured: list[Unmeasured] = []
        self.budgets: list[Budget] = []
        self._method, self._evidence = method, evidence

    def tally(self, quantity: str, length: float, surfaces: int) -> Tally:
        tally = Tally(quantity)
        add_instrument(tally, length, surfaces, self.instrument)
        return tally

    def value(self, tally: Tally, length: float, *, only_at_least: str = "") -> None:
        common = {"unit": "mm", "method": self._method, "evidence": self._evidence}
        self.budgets.append(tally.budget())
        if only_at_least:
            low = rounded_down(length - float(tally.expanded), LENGTH_STEP)
            reading = Reading(quantity=tally.quantity, lo=low, marks=(only_at_least,), **common)  # type: ignore[arg-type]
        else:
            reading = Reading(
                quantity=tally.quantity,
                value=rounded(length, LENGTH_STEP),
                expanded_uncertainty=tally.expanded,
                **common,  # type: ignore[arg-type]
            )
        self.readings.append(reading)

    def refuse(self, quantity: str, reason: str) -> None:
        self.unmeasured.append(Unmeasured(quantity=quantity, reason=reason))


def measure_figure_sizes(stand: Standing, instrument: Instrument, *, method: str, evidence: str) -> FigureSizes:
    """Measure a figure that stands upright."""
    sheet = _Sheet(instrument, method, evidence)
    _base_readings(sheet, stand)
    figure = _Figure(stand)
    if stand.base.step:
        for quantity in (WIDTH, THICKNESS):
            sheet.refuse(quantity, stand.base.step)
    else:
        _across_readings(sheet, stand, figure)
    _height_readings(sheet, stand, figure)
    order = {quantity: at for at, quantity in enumerate(QUANTITIES)}
    return FigureSizes(
        tuple(sorted(sheet.readings, key=lambda reading: order[reading.quantity])),
        tuple(sheet.unmeasured),
        tuple(sorted(sheet.budgets, key=lambda budget: order[budget.quantity])),
        MappingProxyType(_facts(stand)),
        figure.turn,
        figure.chosen if figure.found else None,
    )


def _facts(stand: Standing) -> dict[str, str]:
    base = stand.base
    return {
        "base_kind": base.kind,
        "base_kind_reason": base.reason,
        "base_roundness": f"{stand.outline.roundness:.3f} mm",
        "base_diameter_mean": f"{stand.outline.mean:.3f} mm",
        "base_volume": f"{stand.volume:.0f} mm3",
        "noise": f"{stand.noise:.3f} mm",
        "median_edge": f"{stand.texture.edge:.2f} mm",
        "upright_axis": "the axis about which the base is round",
        "upright_axis_uncertainty": f"{math.degrees(stand.settled.tilt):.3f} degrees",
    }


def _base_readings(sheet: _Sheet, stand: Standing) -> None:
    base, outline = stand.base, stand.outline
    tally = sheet.tally(BASE_DIAMETER, outline.diameter, 2)
    tally.add("outline", "The outline at the widest place is only known so well", outline.u)
    sheet.value(tally, outline.diameter)
    if base.step:
        sheet.refuse(BASE_HEIGHT, base.step)
    else:
        high = base.top.z - base.ground.z
        tally = sheet.tally(BASE_HEIGHT, high, 2)
        _add_levels(tally, stand)
        top = "The apex lies under the feet and is continued from what is seen" if base.is_domed else "The top is not quite flat"
        tally.add("top", top, base.top.u)
        sheet.value(tally, high, only_at_least=UNDERSIDE if stand.open_below else "")
    if base.rim is None:
        sheet.refuse(RIM_HEIGHT, "the base's upper face is flat, so it has no rim below its top")
        return
    high = base.rim.z - base.ground.z
    tally = sheet.tally(RIM_HEIGHT, high, 2)
    _add_levels(tally, stand)
    tally.add("rim", "Where the rim ends and the dome begins is not sharp", base.rim.u)
    sheet.value(tally, high, only_at_least=UNDERSIDE if stand.open_below else "")


def _add_levels(tally: Tally, stand: Standing) -> None:
    tally.add("ground", "What the base stands on is only known so well", stand.base.ground.u)
    lever = 0.0 if stand.base.kind == "bowl" else stand.outline.diameter / 4
    tally.add("axis", "The base's axis is known only so well", lever * stand.settled.tilt + _NO_AXIS_MM)
    tally.add("facets", "Flat facets cut the corners of rounded faces", 0.0 if stand.noise else _cut_by_facets(stand))


def _cut_by_facets(stand: Standing) -> float:
    """Return how far facets cut into a rounded base: the height of an arc of about 10 mm radius over an edge."""
    return math.hypot(stand.settled.scatter, stand.texture.edge**2 / 80 + 0.001)


class _Figure:
    """What stands on the base, turned so that x is its width and y its thickness."""

    def __init__(self, stand: Standing) -> None:
        points = stand.calm.points
        clear = _CLEAR_MM + 4 * stand.noise
        self.above = points[:, 2] - stand.base.surface_at(np.hypot(points[:, 0], points[:, 1]))
        seen = np.zeros(len(points), bool)
        seen[stand.calm.faces[~stand.filled]] = True
        self.chosen: Bools = (self.above > clear) & seen
        flat = points[self.chosen][:, :2]
        self.found = len(flat) > 20
        angle, self.swing = _facing(flat - flat.mean(axis=0), stand.noise) if self.found else (0.0, 0.0)
        c, s = math.cos(angle), math.sin(angle)
        self.turn = np.array([[s, c, 0.0], [-c, s, 0.0], [0.0, 0.0, 1.0]])
        self.normals = point_normals(stand.calm) @ self.turn
        turned = stand.surface.moved(stand.surface.points @ self.turn)
        body = Body(turned, self.normals, noise=stand.noise, edge=stand.texture.edge)
        self.reaches = Reaches(body, self.normals, look=stand.settled.look)
        self.points = turned.points

    def turned(self, angle: float, lean: tuple[float, float], higher: float, axis: int) -> float:
        """Return the plain extent along x (0) or y (1) with the figure turned, leaned or begun higher."""
        c, s = math.cos(angle), math.sin(angle)
        direction = np.array([[c, s, lean[0]], [-s, c, lean[1]]])[axis]
        chosen = self.chosen if not higher else self.chosen & (self.above > higher)
        reach = self.points[chosen] @ (direction / np.linalg.norm(direction))
        return float(np.ptp(reach)) if len(reach) else 0.0


def _facing(flat: Floats, noise: float) -> tuple[float, float]:
    """Return the direction in which the figure is narrowest, and how unsure its width is because others are hardly wider."""
    from scipy.spatial import ConvexHull

    angle, least = narrowest(flat)
    if noise == 0.0:
        return angle, 0.0
    hull = flat[ConvexHull(flat).vertices]
    turns = angle + np.radians(np.arange(-90.0, 90.0, 1.0))
    along = np.ptp(hull @ np.array([np.cos(turns), np.sin(turns)]), axis=0)
    across = np.ptp(hull @ np.array([-np.sin(turns), np.cos(turns)]), axis=0)
    likely = across[along < least + 3.5 * noise]
    return angle, float(np.abs(likely - across[90]).max()) / 2


def _across_readings(sheet: _Sheet, stand: Standing, figure: _Figure) -> None:
    if not figure.found:
        for quantity in (WIDTH, THICKNESS):
            sheet.refuse(quantity, "nothing stands on the base")
        return
    ends = [figure.reaches.across(direction, figure.chosen) for direction in np.eye(3)[:2]]
    # The narrowest of all directions is a lucky one on a noisy scan.
    lucky = 0.6 * ends[1].noise
    for quantity, extent, axis in ((WIDTH, ends[0], 0), (THICKNESS, ends[1], 1)):
        tally = sheet.tally(quantity, extent.length, 2)
        _add_extent(tally, extent)
        plain = figure.turned(0.0, (0.0, 0.0), 0.0, axis)
        higher = _CLEAR_MM + 4 * stand.noise + 0.4
        split = (plain - figure.turned(0.0, (0.0, 0.0), higher, axis)) / 3
        tally.add("base", "Where the base ends and the figure begins is not sharp", split)
        tilt = stand.settled.tilt
        lean = max(abs(figure.turned(0.0, (a, b), 0.0, axis) - plain) for a, b in ((tilt, 0), (-tilt, 0), (0, tilt), (0, -tilt)))
        tally.add("axis", "The base's axis is known only so well", lean)
        tally.add("facing", "Which way the figure faces is known only so well", figure.swing if axis == 0 else lucky)
        _end(sheet, stand, figure, tally, extent.length + (lucky if axis == 1 else 0.0), (np.eye(3)[axis], -np.eye(3)[axis]))


def _add_extent(tally: Tally, extent: Extent) -> None:
    tally.add("noise", "The farthest point of a noisy surface lies too far out", extent.noise)
    tally.add("facets", "Flat facets cut the corners of rounded faces", extent.facets)


def _end(sheet: _Sheet, stand: Standing, figure: _Figure, tally: Tally, length: float, directions: tuple[Floats, ...]) -> None:
    """Give a length, or only what it is at least where a hole lies at one of its ends."""
    holes = [hole for direction in directions for hole in _holes_at(stand, figure, direction)]
    hides = max((hole.reach for hole in holes), default=0.0)
    tally.add("hole", "A hole lies where the figure ends", hides / 2)
    sheet.value(tally, length, only_at_least="hole_where_it_ends" if hides > _SMALL_HOLE_MM else "")


def _holes_at(stand: Standing, figure: _Figure, direction: Floats) -> list[Hole]:
    """Return the holes without which nothing is seen to reach as far as the figure does."""
    height = np.where(figure.chosen, figure.points @ direction, -np.inf)
    end = float(height.max())
    found = []
    for hole in stand.holes:
        middle = hole.middle @ figure.turn
        if float(middle @ direction) < end - hole.reach - 0.3 or hole.middle[2] < stand.base.edge:
            continue
        elsewhere = np.linalg.norm(figure.points - middle, axis=1) > 1.5 * hole.reach + 0.2
        if float(height[elsewhere].max()) < end - 0.03 - 2 * stand.noise:
            found.append(hole)
    return found


def _height_readings(sheet: _Sheet, stand: Standing, figure: _Figure) -> None:
    top = figure.reaches.reach(np.array([0.0, 0.0, 1.0]), figure.chosen)
    for quantity, level, surfaces in ((HEIGHT, stand.base.ground, 2), (WITHOUT_BASE, stand.base.top, 0)):
        high = top.length - level.z
        if quantity == WITHOUT_BASE and stand.base.step:
            sheet.refuse(quantity, stand.base.step)
            continue
        tally = sheet.tally(quantity, high, surfaces)
        _add_extent(tally, top)
        if quantity == HEIGHT:
            _add_levels(tally, stand)
        else:
            tally.add("top", "The base's upper end is known only so well", level.u)
            tally.add("base_facets", "Flat facets cut the corners of the base", 0.0 if stand.noise else _cut_by_facets(stand))
        if stand.open_below and quantity == HEIGHT:
            sheet.value(tally, high, only_at_least=UNDERSIDE)
        else:
            _end(sheet, stand, figure, tally, high, (np.array([0.0, 0.0, 1.0]),))
