"""A goalkeeper's height, width and thickness with their uncertainties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import LENGTH_STEP, Tally, add_instrument, rounded, rounded_up
from homolog.scan.cut import clip_below
from homolog.scan.ends import END_QUANTITIES, Ends, measure_ends
from homolog.scan.extents import Body, Extent, body_of, patch_under, slab_widths
from homolog.scan.holes import SAYS, Hole, about, at_ends, moved
from homolog.scan.measurement import Budget
from homolog.scan.posture import Posture, narrowest, posture_of
from homolog.scan.root import find_root
from homolog.scan.sources import Instrument
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Bools, Floats
from homolog.scan.texture import point_normals

HEIGHT = "goalkeeper.height"
WIDTH = "goalkeeper.width"
THICKNESS = "goalkeeper.figure_thickness"
STANDING_THICKNESS = "goalkeeper.figure_thickness.in_playing_position"
# A slab this much thinner than the silhouette is the same thickness: no figure is drawn or cast more exactly.
_UPRIGHT_MM = 0.10
# Above the first scatter only the height is given, above the second nothing: trials at 0.1 mm hold for no other length.
_ROUGH_MM, _ROUGHEST_MM = 0.07, 0.12
# Where a length hangs by more on where the base ends, base and figure are not told apart.
_UNTOLD_MM = 0.6
_ABOVE_MM, _LEAK_MM = 1.0, 0.25
# Standard uncertainty of where the front is, on a drawing and on a noisy scan.
_FACING = (math.radians(0.5), math.radians(2.5))
# No level slab of a figure is thicker than this share of its width; one that is has base or rod in it.
_STOUTEST = 0.55


@dataclass(frozen=True, slots=True)
class Sizes:
    """Readings of the body's lengths, and the posture in which they were taken."""

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]
    posture: Posture | None
    height: float = 0.0
    width: float = 0.0
    thickness: float = 0.0


def no_sizes(reason: str) -> Sizes:
    """Say that no length of the body could be measured."""
    quantities = (HEIGHT, WIDTH, STANDING_THICKNESS, THICKNESS, *END_QUANTITIES)
    return Sizes((), tuple(Unmeasured(quantity=quantity, reason=reason) for quantity in quantities), (), None)


def measure_sizes(parts: Parts, rod: Rod, holes: tuple[Hole, ...], instrument: Instrument, *, method: str, evidence: str) -> Sizes:
    """Measure the lengths of a goalkeeper's body in mm."""
    rough = (
        f"the scanned points scatter by {parts.noise:.2f} mm about the surface, so that its farthest points say nothing; "
        f"scan again with less than {_ROUGH_MM:.2f} mm, or measure with a caliper"
    )
    if parts.noise > _ROUGHEST_MM:
        return no_sizes(rough)
    is_body, patch = rod.cut.is_body, np.empty((0, 3))
    root = find_root(parts, rod)
    leaves = rod.junction.bend.point_at(root.height)
    # What is left of the rod's root, or closed a hole there, would stand out of the body and turn its front.
    if parts.noise or about(holes, leaves, rod.junction.radius + 1.5) is not None:
        is_body, patch = _without_root(parts, rod)
    posture = posture_of(parts.calm, is_body, parts.noise)
    surface = parts.surface.moved(posture.local(parts.surface.points))
    calm = parts.calm.moved(posture.local(parts.calm.points))
    body = body_of(surface, calm, is_body, noise=parts.noise, edge=parts.texture.edge)
    hidden = posture.local(patch)
    if len(hidden) and hidden[:, 2].min() >= posture.figure_floor:
        body.extra = hidden
    body.root = (posture.local(leaves), root.standard)
    body = body.divided_at(posture.figure_floor)
    figure = body.surface.points[:, 2] >= posture.figure_floor
    turned = _Turned(body, figure, posture)
    height, width, thick = (turned.extent(quantity, np.eye(3)) for quantity in (HEIGHT, WIDTH, STANDING_THICKNESS))
    here = moved(holes, posture.frame, posture.origin)
    tallies = []
    untold = 0.0
    for axis, (quantity, extent) in zip((2, 0, 1), ((HEIGHT, height), (WIDTH, width), (STANDING_THICKNESS, thick)), strict=True):
        tally = Tally(quantity)
        add_instrument(tally, extent.length, 2, instrument)
        scatter = 0.0 if parts.noise else 2 * parts.texture.noise
        tally.add("noise", "The farthest point of a noisy surface lies too far out", math.hypot(extent.noise, scatter))
        tally.add("facets", "Flat facets cut the corners of rounded faces", extent.facets)
        tally.add("root", "The end of this length is hidden by the rod", extent.hidden)
        counted = body.surface.points if axis == 2 else body.surface.points[figure]
        tally.add("repair", SAYS, at_ends(here, counted, np.eye(3)[axis]))
        tally.add(
            "base",
            "Where the base ends and the figure begins is not sharp",
            blurred := turned.floor_effect(quantity, extent.length),
        )
        untold = max(untold, blurred)
        tally.add("axis", "The body's upright axis is known only so well", turned.lean_effect(quantity))
        tallies.append(tally)
    leaked = _leaked(calm.part(is_body).points, posture.figure_floor) if posture.base is not None and parts.noise else 0.0
    tallies[2].add("rod_cut", "The surface under the rod cannot be seen", _hidden_bulge(rod, posture))
    common = {"unit": "mm", "method": method, "evidence": evidence}
    if parts.noise > _ROUGH_MM:
        tallies[0].add("rough", "So rough a surface hides which of its points is the farthest", 1.5 * parts.noise)
        return _height_alone(height, tallies[0], posture, common, rough)
    slab = _thickest_slab(calm.corners[is_body], posture)
    runs_together = untold > _UNTOLD_MM or leaked > _LEAK_MM + 2 * parts.noise
    if (posture.base is None and posture.stands_flat) or slab > _STOUTEST * width.length or runs_together:
        reason = (
            "the base cannot be told from the figure; measure width and thickness with a caliper, or scan the underside as well"
        )
        return _height_alone(height, tallies[0], posture, common, reason)
    readings = [
        Reading(
            quantity=tally.quantity,
            value=rounded(extent.length, LENGTH_STEP),
            expanded_uncertainty=tally.expanded,
            **common,  # type: ignore[arg-type]
        )
        for tally, extent in zip(tallies, (height, width, thick), strict=True)
    ]
    own, tally = _own_thickness(slab, thick, tallies[2], common)
    ends = _ends(body, calm.part(is_body).points, posture, here, instrument, common)
    return Sizes(
        (*readings, own, *ends.readings),
        (),
        (*(tally.budget() for tally in (*tallies, tally)), *ends.budgets),
        posture,
        height.length,
        width.length,
        thick.length,
    )


def _ends(
    body: Body, calm: Floats, posture: Posture, holes: tuple[Hole, ...], instrument: Instrument, common: dict[str, str]
) -> Ends:
    repair = at_ends(holes, calm, np.array([1.0, 0.0, 0.0]))

    def seen_by(tally: Tally, length: float) -> None:
        add_instrument(tally, length, 2, instrument)
        tally.add("repair", SAYS, repair)

    return measure_ends(body, calm, posture.figure_floor, posture.tilt, seen_by, common=common)


class _Turned:
    """The body's extents in its frame, or in one leaned from it a little."""

    def __init__(self, body: Body, figure: Bools, posture: Posture) -> None:
        self._body, self._figure, self._posture = body, figure, posture

    def extent(self, quantity: str, frame: Floats) -> Extent:
        """Return one of height, width and standing thickness along the axes of a frame."""
        if quantity == HEIGHT:
            return self._body.across(frame[:, 2])
        if quantity == STANDING_THICKNESS:
            return self._body.across(frame[:, 1], self._figure)
        figure = self._body.across(frame[:, 0], self._figure)
        if self._posture.base is None:
            return figure
        base = self._body.across(frame[:, 0], ~self._figure)
        return max(figure, base, key=lambda extent: extent.length)

    def floor_effect(self, quantity: str, length: float) -> float:
        """Return by how much a length changes when the figure is taken to begin a little higher."""
        if self._posture.base is None or quantity == HEIGHT:
            return 0.0
        floor = self._posture.figure_floor + 0.6
        raised = _Turned(self._body.divided_at(floor), self._body.surface.points[:, 2] >= floor, self._posture)
        return abs(raised.extent(quantity, np.eye(3)).length - length) / 2

    def lean_effect(self, quantity: str) -> float:
        """Return by how much a length changes when the upright axis leans by its standard uncertainty."""
        plain = self._body.bare()
        level = _Turned(plain, self._figure, self._posture)
        reference = level.extent(quantity, np.eye(3)).length
        changes = [
            abs(level.extent(quantity, _leaned(axis, angle)).length - reference)
            for axis, tilt in enumerate(self._posture.tilt)
            for angle in (-tilt, tilt)
        ]
        if quantity == WIDTH:  # the thickness is the least one by what it means; the width hangs on where the front is
            turn = _FACING[bool(self._body.noise)]
            changes += [abs(level.extent(quantity, _leaned(2, angle)).length - reference) for angle in (-turn, turn)]
        return max(changes) / 2 if self._posture.base is None else max(changes)


def _leaked(points: Floats, floor: float) -> float:
    """Return by how much the silhouette is wider where the figure begins than a little above: what the base's edge adds to it."""
    here, above = (narrowest(points[points[:, 2] >= level][:, :2])[1] for level in (floor, floor + _ABOVE_MM))
    return here - above


def _leaned(axis: int, angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    if axis == 0:
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    if axis == 2:
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def _without_root(parts: Parts, rod: Rod) -> tuple[Bools, Floats]:
    """Leave out the blurred root of the rod on a noisy scan, and put a paraboloid in its place."""
    junction, cut = rod.junction, rod.cut
    straight = junction.bend.straight(parts.calm.points)
    reach = np.hypot(straight[:, 0], straight[:, 1])
    inner = junction.radius + 0.4 + 2 * parts.noise
    root = (reach < inner) & (straight[:, 2] > junction.contact - 3.0) & (straight[:, 2] < cut.exit + 1.0)
    is_body = cut.is_body & ~root[parts.calm.faces].any(axis=1)
    used = np.zeros(len(straight), bool)
    used[parts.calm.faces[is_body]] = True
    faces_rod = point_normals(parts.calm) @ junction.bend.frame[:, 2] < -0.5
    around = straight[used & faces_rod & (np.abs(straight[:, 2] - cut.exit) < 2.5)]
    patch = patch_under(around, inner, inner + 2.2)
    return is_body, junction.bend.origin + junction.bend.unbent(patch) @ junction.bend.frame.T


def _hidden_bulge(rod: Rod, posture: Posture) -> float:
    """Return how far the figure may bulge out under the rod: a cap of the rod's radius on a limb of 4 mm radius."""
    axis = posture.frame.T @ rod.junction.bend.frame[:, 2]
    return rod.junction.radius**2 / (2 * 4.0) / 4 if abs(axis[1]) > 0.7 else 0.0


def _height_alone(height: Extent, tally: Tally, posture: Posture, common: dict[str, str], reason: str) -> Sizes:
    """Give the height only, and say why no more."""
    value = rounded(height.length, LENGTH_STEP)
    reading = Reading(quantity=HEIGHT, value=value, expanded_uncertainty=tally.expanded, **common)  # type: ignore[arg-type]
    unmeasured = tuple(
        Unmeasured(quantity=quantity, reason=reason) for quantity in (WIDTH, STANDING_THICKNESS, THICKNESS, *END_QUANTITIES)
    )
    return Sizes((reading,), unmeasured, (tally.budget(),), posture, height.length)


def _thickest_slab(corners: Floats, posture: Posture) -> float:
    """Return the thickness of the figure's thickest level slab, mm."""
    if posture.base is not None:  # a drawing's faces may run from the figure down into the base
        flip = np.array([1.0, 1.0, -1.0])
        corners = clip_below(corners * flip, -posture.figure_floor) * flip
    return float(slab_widths(corners).max())


def _own_thickness(slab: float, thick: Extent, standing: Tally, common: dict[str, str]) -> tuple[Reading, Tally]:
    """Give the figure's own thickness: the silhouette's if one level slab is as thick, else only a bound."""
    tally = Tally(THICKNESS)
    tally.inherit(standing)
    short = thick.length - slab
    if short <= _UPRIGHT_MM + 2 * thick.noise:
        tally.add("slab", "No level slab is quite as thick as the silhouette", max(short, 0.0) / 2)
        value = rounded(thick.length, LENGTH_STEP)
        return Reading(quantity=THICKNESS, value=value, expanded_uncertainty=tally.expanded, **common), tally  # type: ignore[arg-type]
    high = rounded_up(float(rounded(thick.length, LENGTH_STEP) + tally.expanded), LENGTH_STEP)
    return Reading(quantity=THICKNESS, hi=high, **common), tally  # type: ignore[arg-type]
