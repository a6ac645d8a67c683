"""A goalkeeper taken apart: body, rod and the cut between them, in the unit that makes it a goalkeeper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from homolog.scan.cut import Cut, cut_rod
from homolog.scan.junction import Junction, bend_of, unroll
from homolog.scan.rod import Course, follow_rods
from homolog.scan.surface import Floats, Surface, middle_of, normals_and_areas
from homolog.scan.texture import CALM_MM, Texture, smoothed, texture_of
from homolog.scan.unit import (
    BODY_MM,
    FACTORS,
    WHOLE_MM,
    UnitChoice,
    candidates,
    declared,
    explain,
    refuse_declared,
    refuse_undecided,
    unit_of_body,
)

_BODY = "The body without its rod"
_WHOLE = "The whole scan"
_MAX_RADIUS = 3.5
# A pillar between figure and base is thin and round as well, and would pass for a rod with the base for a handle.
_MIN_REACH_MM = 40.0
# The rod is the thin part: of all stations no fewer than this share lie on it.
_THIN = 0.2
_HIDDEN_NOISE = 1.3


@dataclass(frozen=True, slots=True)
class Rod:
    """The rod and the cut that takes it off."""

    course: Course
    first: int
    handle: int | None
    junction: Junction
    cut: Cut


@dataclass(frozen=True, slots=True)
class Parts:
    """A goalkeeper in mm.

    Attributes:
        surface: The closed surface as it came.
        calm: The same faces with noise smoothed away; the same surface if there is no noise.
        rod: None if no rod was found or the cut cannot be trusted.
        trouble: Why there is no rod; empty if there is one.
    """

    surface: Surface
    calm: Surface
    texture: Texture
    rod: Rod | None
    trouble: str

    @property
    def noise(self) -> float:
        """Noise in mm as far as it is worth smoothing."""
        return calm_noise(self.texture)


def take_apart(
    surface: Surface, *, unit: str | None, name: str, correct: Callable[[Surface], Surface] = lambda surface: surface
) -> tuple[Parts, UnitChoice]:
    """Take a goalkeeper apart and settle its unit.

    Args:
        surface: Closed surface in file units.
        unit: The declared unit, or None.
        name: What the messages call the file.
        correct: Puts a surface in mm right where references show how far the scanner was off.

    Raises:
        InputRefused: The declared unit makes no goalkeeper of the article, or the unit cannot be told.
    """
    whole = longest_side(surface.corners)
    if unit is not None:
        return _with_declared(surface, unit, whole, name, correct)
    first: Parts | None = None
    for candidate in candidates(whole):
        parts = split_rod(correct(surface.scaled(FACTORS[candidate])))
        if parts.rod is None:
            first = first or parts
            continue
        body = longest_side(parts.surface.corners[parts.rod.cut.is_body]) / FACTORS[candidate]
        fitting = unit_of_body(body)
        if fitting is None:
            continue
        if fitting != candidate:
            parts = split_rod(correct(surface.scaled(FACTORS[fitting])))
        return parts, explain(fitting, body, _BODY)
    # Without a rod the whole scan is the body.
    fitting = unit_of_body(whole)
    if fitting is None or first is None:
        raise refuse_undecided(whole, _WHOLE, name)
    return split_rod(correct(surface.scaled(FACTORS[fitting]))), explain(fitting, whole, _WHOLE)


def _with_declared(
    surface: Surface, unit: str, whole: float, name: str, correct: Callable[[Surface], Surface]
) -> tuple[Parts, UnitChoice]:
    factor = FACTORS[unit]
    if not WHOLE_MM[0] <= whole * factor <= WHOLE_MM[1]:
        raise refuse_declared(unit, whole, _WHOLE, WHOLE_MM, name)
    parts = split_rod(correct(surface.scaled(factor)))
    if parts.rod is None:
        return parts, declared(unit, whole, _WHOLE)
    body = longest_side(parts.surface.corners[parts.rod.cut.is_body]) / factor
    if not BODY_MM[0] <= body * factor <= BODY_MM[1]:
        raise refuse_declared(unit, body, _BODY, BODY_MM, name)
    return parts, declared(unit, body, _BODY)


def split_rod(surface: Surface) -> Parts:
    """Find the rod of a goalkeeper in mm and cut it off."""
    texture = texture_of(surface)
    noise = calm_noise(texture)
    calm = smoothed(surface) if noise else surface
    trouble = ""
    # Arms and legs are round as well: what cannot be cut off like a rod is none, and the next piece is tried.
    for course in follow_rods(calm, noise):
        found = _cut_off(surface, calm, course, texture)
        if isinstance(found, Rod):
            if texture.noise:
                rough = replace(texture, noise=max(texture.noise, scatter_on_rod(surface, found.cut, found.junction)))
                # Slow waves pass for the body's own shape until the rod shows them; then the cut is made anew.
                if calm_noise(rough) > _HIDDEN_NOISE * texture.noise:
                    smooth = calm if noise else smoothed(surface)
                    again = _cut_off(surface, smooth, course, rough)
                    found, calm = (again, smooth) if isinstance(again, Rod) else (found, calm)
                texture = rough
            return Parts(surface, calm, texture, found, "")
        trouble = trouble or found
    return Parts(surface, calm, texture, None, trouble or "no rod was found on the scan")


def calm_noise(texture: Texture) -> float:
    """Return the noise in mm as far as it is worth smoothing."""
    return texture.noise if texture.noise > CALM_MM else 0.0


def _cut_off(surface: Surface, calm: Surface, course: Course, texture: Texture) -> Rod | str:
    """Cut off what has been followed; if it is no rod, say why."""
    noise = calm_noise(texture)
    full = course.coverage > (0.97 if not noise else _enough(course))
    thin = float(np.quantile(course.radii[full], _THIN)) if full.any() else 0.0
    # A narrow head around the end of the rod is round as well, but thicker than the rod a little farther on.
    rodlike = full & (course.radii < 1.25 * thin + 0.15) & (course.radii < 1.05 * _farther_on(course.radii) + 0.05 + 1.5 * noise)
    runs = np.flatnonzero(rodlike[:-2] & rodlike[1:-1] & rodlike[2:])
    if not len(runs):
        return "the rod is nowhere seen all around"
    first = int(runs[0])
    radius = float(np.median(course.radii[first : first + 8]))
    thick = np.flatnonzero(course.radii > 1.12 * radius + 0.12)
    thick = thick[thick > first]
    handle = int(thick[0]) if len(thick) > 4 else None
    if radius > _MAX_RADIUS:
        return f"the roundest long piece, {2 * radius:.1f} mm wide, is too thick for a rod"
    bend = bend_of(course, first, handle if handle is not None else len(full))
    junction = unroll(calm, bend, radius, noise)
    cut = cut_rod(surface, calm, junction, noisy=not texture.is_faceted)
    if cut is None:
        return "the rod cannot be told from the body where they meet"
    if junction.contact - float(bend.local(calm.points[calm.faces[cut.is_rod]])[..., 2].min(initial=0.0)) < _MIN_REACH_MM:
        return "no rod was found on the scan: what is round and thin is too short for one"
    return Rod(course, first, handle, junction, cut)


def _farther_on(radii: Floats) -> Floats:
    """Return for every station the median radius of the ten from the third after it on."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(radii, (0, 13), mode="edge"), 10)
    return np.asarray(np.median(windows[3 : 3 + len(radii)], axis=1))


def _enough(course: Course) -> float:
    """Return the share of the circle at which a noisy rod counts as seen all around: about as much as is seen elsewhere."""
    return min(0.9, max(0.7, float(np.quantile(course.coverage, 0.3)) - 0.05))


def scatter_on_rod(surface: Surface, cut: Cut, junction: Junction) -> float:
    """Return by how much the points of the rod scatter about a smooth rod, mm.

    The rod's true shape is known better than any other piece's, so that slow waves show which a paraboloid follows.
    """
    used = np.zeros(len(surface.points), bool)
    used[surface.faces[cut.is_rod]] = True
    straight = junction.bend.straight(surface.points[used])
    reach = np.hypot(straight[:, 0], straight[:, 1])
    near = (
        (np.abs(reach - junction.radius) < 0.5)
        & (straight[:, 2] < junction.contact - 1.0)
        & (straight[:, 2] > junction.contact - 25.0)
    )
    if near.sum() < 60:
        return 0.0
    turn, z = np.arctan2(straight[near, 1], straight[near, 0]), straight[near, 2] / 25.0
    system = np.column_stack([np.ones_like(z), np.cos(2 * turn), np.sin(2 * turn)])
    system = np.hstack([system, z[:, None], *(np.column_stack([np.cos(turn), np.sin(turn)]) * (z[:, None] ** k) for k in range(4))])
    left = reach[near] - system @ np.linalg.lstsq(system, reach[near], rcond=None)[0]
    return float(1.4826 * np.median(np.abs(left)))


def longest_side(corners: Floats) -> float:
    """Return the extent of faces (m, 3, 3) along the direction in which their surface spreads most."""
    _, areas = normals_and_areas(corners)
    middle = middle_of(corners)
    centre = np.average(middle, axis=0, weights=areas)
    spread = ((middle - centre) * areas[:, None]).T @ (middle - centre)
    axis = np.linalg.eigh(spread)[1][:, 2]
    return float(np.ptp(corners.reshape(-1, 3) @ axis))
