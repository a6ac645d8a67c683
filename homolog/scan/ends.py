"""The widths of a goalkeeper's upper and lower end, as sides of the narrowest trapezium around its outline.

Which end is the small one and whether the base counts is a question of how the rule is read; each reading has its own
quantity, and all of them are given. The rule does not say either whether the width is that of the trapezium or of the body
near its end: a value covers both, and where they lie apart the reading is a range from the one to the other. Without a base
nothing on a scan says which end is up: there an end named by its place is bounded by both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading
from homolog.scan.budget import LENGTH_STEP, Tally, rounded, rounded_down, rounded_up
from homolog.scan.extents import Body
from homolog.scan.measurement import Budget
from homolog.scan.surface import Bools, Floats
from homolog.scan.trapezium import Trapezium, hull_of, narrowest_trapezium

SMALL, SMALL_WITH_BASE = "goalkeeper.small_end_width.figure", "goalkeeper.small_end_width.with_base"
LARGE, LARGE_WITH_BASE = "goalkeeper.large_end_width.figure", "goalkeeper.large_end_width.with_base"
UPPER = "goalkeeper.upper_end_width"
LOWER, LOWER_WITH_BASE = "goalkeeper.lower_end_width.figure", "goalkeeper.lower_end_width.with_base"
END_QUANTITIES = (SMALL, SMALL_WITH_BASE, LARGE, LARGE_WITH_BASE, UPPER, LOWER, LOWER_WITH_BASE)
# A trapezium this much wider is as narrow: no figure is drawn, cast or held against a template more exactly.
_SLACK_MM = 0.10
# Where the body is narrower than the trapezium by more than this, the one width is not the other, and both bound the reading.
_MOST_GAP_MM = 1.0
_FACING = math.radians(1.0)
_FLOOR_STEP = 0.6


@dataclass(frozen=True, slots=True)
class Ends:
    """Readings of the end widths."""

    readings: tuple[Reading, ...]
    budgets: tuple[Budget, ...]


@dataclass(frozen=True, slots=True)
class _End:
    """A width, by how much the body is narrower there, and the standard uncertainties from the outline to the pose, in mm."""

    width: float
    gap: float
    outline: float
    facets: float
    noise: float
    floor: float
    pose: float


def measure_ends(
    body: Body,
    calm: Floats,
    figure_floor: float,
    tilt: tuple[float, float],
    add_instrument: Callable[[Tally, float], None],
    *,
    common: dict[str, str],
) -> Ends:
    """Measure the widths of both ends, of the figure alone and with its base.

    Args:
        body: The body in its own frame: x to the side, z up.
        calm: The body's points (n, 3) in the same frame and order, with noise smoothed away.
        figure_floor: Height above which everything is figure; minus infinity without a base.
        tilt: Standard uncertainty of the upright axis in radians, forward and sideways.
        add_instrument: Adds to a tally what the instrument contributes to a length in mm.
        common: Unit, method and evidence of every reading.
    """
    has_base = math.isfinite(figure_floor)
    figure = _both_ends(body, calm, figure_floor, tilt)
    whole = _both_ends(body, calm, -math.inf, tilt) if has_base else figure
    wanted: list[tuple[str, tuple[_End, ...]]] = []
    for small, large, both in ((SMALL, LARGE, figure), (SMALL_WITH_BASE, LARGE_WITH_BASE, whole)):
        narrow, wide = sorted(both, key=lambda end: end.width)
        near = wide.width - narrow.width <= 2 * (wide.outline + narrow.outline)
        wanted += [(small, (narrow, wide) if near else (narrow,)), (large, (wide, narrow) if near else (wide,))]
    upper, lower = (figure[:1], figure[1:]) if has_base else (figure, figure)
    wanted += [(UPPER, upper), (LOWER, lower), (LOWER_WITH_BASE, whole[1:] if has_base else whole)]
    given = [_reading(quantity, ends, add_instrument, common) for quantity, ends in wanted]
    return Ends(tuple(reading for reading, _ in given), tuple(budget for _, budget in given))


def _reading(
    quantity: str, ends: tuple[_End, ...], add_instrument: Callable[[Tally, float], None], common: dict[str, str]
) -> tuple[Reading, Budget]:
    """Give the width of the first end, or a range where it may be any of several, or the body is much narrower there."""
    tally = _tally(quantity, ends, add_instrument)
    widths = [end.width for end in ends]
    if max(end.gap for end in ends) <= _MOST_GAP_MM and max(widths) - min(widths) <= float(tally.expanded):
        tally.add("end", "The body is narrower there than the trapezium around it", max(end.gap for end in ends) / 2)
        value = rounded(widths[0], LENGTH_STEP)
        reading = Reading(quantity=quantity, value=value, expanded_uncertainty=tally.expanded, **common)  # type: ignore[arg-type]
        return reading, tally.budget()
    wide = float(tally.expanded)
    lo = max(rounded_down(min(end.width - end.gap for end in ends) - wide, LENGTH_STEP), rounded(0.0, LENGTH_STEP))
    hi = rounded_up(max(widths) + wide, LENGTH_STEP)
    return Reading(quantity=quantity, lo=lo, hi=hi, **common), tally.budget()  # type: ignore[arg-type]


def _tally(quantity: str, ends: tuple[_End, ...], add_instrument: Callable[[Tally, float], None]) -> Tally:
    """Add up the uncertainty of an end; where several may be the one that counts, the largest share of all."""
    tally = Tally(quantity)
    add_instrument(tally, ends[0].width)
    tally.add("outline", "Other trapezia around a rounded outline are nearly as narrow", max(end.outline for end in ends))
    tally.add("noise", "The farthest point of a noisy surface lies too far out", max(end.noise for end in ends))
    tally.add("facets", "Flat facets cut the corners of rounded faces", max(end.facets for end in ends))
    tally.add("base", "Where the base ends and the figure begins is not sharp", max(end.floor for end in ends))
    tally.add("axis", "The body's upright axis and its front are known only so well", max(end.pose for end in ends))
    return tally


def _both_ends(body: Body, calm: Floats, floor: float, tilt: tuple[float, float]) -> tuple[_End, _End]:
    """Measure the upper and the lower end of what lies above a floor."""
    chosen = calm[:, 2] >= floor
    divided = body.divided_at(floor)
    outline = np.vstack([calm[chosen], divided.rim])
    hull = hull_of(outline[:, [0, 2]])
    first = narrowest_trapezium(hull, _SLACK_MM)
    outward, facets, noise = _seen(divided, first, chosen)
    plain = narrowest_trapezium(hull, _SLACK_MM + 2 * (facets + noise))
    raised = plain
    if math.isfinite(floor):
        above = calm[calm[:, 2] >= floor + _FLOOR_STEP]
        raised = narrowest_trapezium(np.vstack([above, body.divided_at(floor + _FLOOR_STEP).rim])[:, [0, 2]], 0.0)
    turns = [_turned(axis, sign * angle) for axis, angle in ((0, tilt[0]), (2, _FACING)) for sign in (-1, 1)]
    leaned = [narrowest_trapezium((outline @ turn)[:, [0, 2]], 0.0) for turn in turns]
    ends = []
    for upper in (True, False):
        width, spread = plain.width(upper=upper)
        floor_effect = abs(raised.width(upper=upper)[0] - width) / 2
        pose = max(abs(other.width(upper=upper)[0] - width) for other in leaned)
        # What these do to a rounded outline is what the spread says already.
        own = spread / math.sqrt(3)
        gap = plain.gap(outline[:, [0, 2]], upper=upper)
        ends.append(_End(width + outward, gap, own, facets, noise, max(floor_effect - own, 0.0), max(pose - own, 0.0)))
    return ends[0], ends[1]


def _seen(body: Body, trapezium: Trapezium, chosen: Bools) -> tuple[float, float, float]:
    """Return how much farther out the two sides lie on the scan as it came, and what facets and noise make of that."""
    middle = (trapezium.high + trapezium.low) / 2
    outward, facets, noise = 0.0, 0.0, 0.0
    for sign, side in ((1.0, trapezium.right), (-1.0, trapezium.left)):
        direction = np.array([sign, 0.0, -side.slope])
        extent = body.reach(direction, chosen)
        outward += extent.length * float(np.linalg.norm(direction)) + side.slope * middle - side.middle
        facets, noise = facets + extent.facets, math.hypot(noise, extent.noise)
    return outward if body.noise else 0.0, facets, noise


def _turned(axis: int, angle: float) -> Floats:
    """Return a rotation by a small angle about the side axis (0) or the upright one (2)."""
    c, s = math.cos(angle), math.sin(angle)
    if axis == 0:
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
