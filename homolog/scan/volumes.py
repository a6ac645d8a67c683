"""The goalkeeper's volume under each reading of the rule, with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import VOLUME_STEP, Tally, add_instrument_to_volume, rounded, rounded_down, rounded_up
from homolog.scan.inside import SEES_INSIDE, Inside, look_inside
from homolog.scan.measurement import Budget
from homolog.scan.solid import Solid
from homolog.scan.sources import Instrument
from homolog.scan.split import Parts, Rod
from homolog.scan.stabbing import stab
from homolog.scan.surface import Bools, Surface, middle_of, normals_and_areas
from homolog.scan.texture import Folds, facet_deficit, folds_of
from homolog.scan.union import from_manifold, to_manifold

OUTER = "goalkeeper.volume.outer"
WITHOUT_EMBEDDED = "goalkeeper.volume.without_embedded_rod"
MATERIAL = "goalkeeper.volume.material"
_DISTRUST = 0.02
_CORRELATION_MM = 1.0
_UNMOVED_MM = 1e-4
"""A facet that was split moves by less than this when its pieces are joined again."""
_MOSTLY = 0.9
"""Share of the facets that is left where so few were split that it does not matter."""


@dataclass(frozen=True, slots=True)
class Volumes:
    """Readings of the volume and what they come from; `outer` is None if it could not be measured.

    `inside` says what of the rod and of cavities the file shows within the body; empty if nothing.
    """

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]
    outer: float | None
    disagreement: float
    inside: str = ""


def measure_volumes(
    parts: Parts, solid: Solid, factor: float, instrument: Instrument, *, bent: float = 0.0, method: str, evidence: str
) -> Volumes:
    """Measure the volume of a goalkeeper in mm3.

    Args:
        parts: The goalkeeper taken apart, in mm.
        solid: What it was made of, in file units.
        factor: Millimetres per file unit.
        instrument: What is assumed of the scanner.
        bent: By how much the volume depends on how faces of four or more corners were cut, mm3.
        method: Method of the readings.
        evidence: Evidence of the readings.
    """
    whole = solid.volume * factor**3
    stabbed = stab(parts.surface)
    disagreement = stabbed.volume - whole
    if stabbed.leaks > 0.01 or abs(disagreement) > _DISTRUST * whole:
        reason = (
            f"two independent ways to take the volume differ by {100 * abs(disagreement) / whole:.1f} %, so the surface "
            "crosses itself or is damaged; repair the mesh in the scanner's software and export it again"
        )
        return Volumes(
            (), tuple(Unmeasured(quantity=q, reason=reason) for q in (OUTER, WITHOUT_EMBEDDED, MATERIAL)), (), None, disagreement
        )
    tally = Tally(OUTER)
    if abs(disagreement) > 1e-3 * whole:
        tally.add("methods", "Difference of the sum over facets from line stabbing", disagreement)
    _add_holes(tally, solid, factor)
    tally.add("bent_faces", "Faces of four or more corners are not flat and can be cut in several ways", bent / 2)
    common = {"unit": "mm3", "method": method, "evidence": evidence}
    if parts.rod is None:
        return _bounded(parts, whole, tally, instrument, common, disagreement)
    inside = look_inside(solid, parts, parts.rod, factor)
    cavities = solid.cavity_volume * factor**3
    return _cut_open(parts, parts.rod, whole, tally, instrument, inside, cavities, common, disagreement)


def _cut_open(
    parts: Parts,
    rod: Rod,
    whole: float,
    tally: Tally,
    instrument: Instrument,
    inside: Inside | None,
    cavities: float,
    common: dict[str, str],
    disagreement: float,
) -> Volumes:
    cut = rod.cut
    shared = tally.copy(WITHOUT_EMBEDDED)
    body = ~cut.is_rod
    deficit = body_deficit(parts.surface, parts.texture.folds, body)
    outer = whole - cut.removed + (2 * deficit if parts.texture.is_faceted else 0.0)
    _add_surface(tally, parts, body, outer, deficit, instrument)
    step = max(0.5, cut.doubt, 0.1 * rod.junction.area)
    tally.add("rod_cut", "Where the body's surface runs across the rod cannot be seen", step)
    wide = tally.expanded
    value = rounded(outer, VOLUME_STEP)
    hidden = rod.junction.area * cut.hidden
    outer_reading = Reading(quantity=OUTER, value=value, expanded_uncertainty=wide, **common)  # type: ignore[arg-type]
    sees = instrument.source in SEES_INSIDE
    says = _said(inside, cavities, sees=sees)
    if inside is not None and sees:
        readings, budgets = _exact(inside, shared, parts, outer, deficit, instrument, common)
        return Volumes((outer_reading, *readings), (), (tally.budget(), *budgets), outer, disagreement, says)
    # What is seen within the body is all that there is; an outer scan says nothing of it.
    empty = cavities if sees else 0.0
    least = max(rounded_down(float(value - wide) - hidden, VOLUME_STEP), rounded(0.0, VOLUME_STEP))
    solid_least = max(rounded_down(float(least) - empty, VOLUME_STEP), rounded(0.0, VOLUME_STEP))
    high = float(value + wide)
    bounds = (
        (WITHOUT_EMBEDDED, least, high),
        (MATERIAL, solid_least if sees else rounded(0.0, VOLUME_STEP), high - empty),
    )
    readings = tuple(
        Reading(quantity=quantity, lo=lo, hi=rounded_up(hi, VOLUME_STEP), **common)  # type: ignore[arg-type]
        for quantity, lo, hi in bounds
    )
    return Volumes((outer_reading, *readings), (), (tally.budget(),), outer, disagreement, says)


def _exact(
    inside: Inside, shared: Tally, parts: Parts, outer: float, deficit: float, instrument: Instrument, common: dict[str, str]
) -> tuple[tuple[Reading, ...], tuple[Budget, ...]]:
    """Give the volumes without the rod's embedded piece, and of the material, from the file's own shells."""
    everything = np.ones(len(inside.body.faces), bool)
    # Facets cut from the body what rounds outward, and leave in it what rounds inward, as around the rod.
    own = facet_deficit(folds_of(inside.body))
    correction = 2 * own if parts.texture.is_faceted else 0.0
    without = min(inside.without_rod + correction, outer)
    tally = shared.copy(WITHOUT_EMBEDDED)
    spread = deficit + abs(deficit - own)
    _add_surface(tally, parts, everything, without, spread, instrument, of=inside.body)
    material = tally.copy(MATERIAL)
    material.add("cavities", "Facets cut the corners of rounded cavities", 0.01 * inside.cavities)
    value = rounded(without - inside.cavities, VOLUME_STEP)
    first = Reading(
        quantity=WITHOUT_EMBEDDED,
        value=rounded(without, VOLUME_STEP),
        expanded_uncertainty=tally.expanded,
        **common,  # type: ignore[arg-type]
    )
    if inside.doubtful:
        lo = max(rounded_down(float(value - material.expanded) - inside.doubtful, VOLUME_STEP), rounded(0.0, VOLUME_STEP))
        hi = rounded_up(float(value + material.expanded), VOLUME_STEP)
        second = Reading(quantity=MATERIAL, lo=lo, hi=hi, **common)  # type: ignore[arg-type]
    else:
        second = Reading(quantity=MATERIAL, value=value, expanded_uncertainty=material.expanded, **common)  # type: ignore[arg-type]
    return (first, second), (tally.budget(), material.budget())


def _said(inside: Inside | None, cavities: float, *, sees: bool) -> str:
    """Say what the file shows within the body, and what follows from that."""
    if inside is None and not cavities:
        return ""
    found = inside.says() if inside is not None else f"the file holds {cavities:.1f} mm3 of sealed cavities"
    if sees:
        what = "taken from them" if inside is not None else "bounded, because the rod is no shell of its own"
        return f"{found}; the volumes without the embedded rod and of the material are {what}"
    return (
        f"{found}, but a scanner of this class sees only the outside: state the source cad or ct if that is how the file was made"
    )


def _bounded(
    parts: Parts, whole: float, tally: Tally, instrument: Instrument, common: dict[str, str], disagreement: float
) -> Volumes:
    """Without a cut the body is no larger than the whole scan; nothing more can be said."""
    everything = np.ones(len(parts.surface.faces), bool)
    deficit = body_deficit(parts.surface, parts.texture.folds, everything)
    _add_surface(tally, parts, everything, whole, deficit, instrument)
    high = rounded_up(whole + 4 * deficit + float(tally.expanded), VOLUME_STEP)
    readings = tuple(
        Reading(quantity=quantity, hi=high, lo=rounded(0.0, VOLUME_STEP), **common)  # type: ignore[arg-type]
        for quantity in (OUTER, WITHOUT_EMBEDDED, MATERIAL)
    )
    return Volumes(readings, (), (tally.budget(),), None, disagreement)


def _add_surface(
    tally: Tally, parts: Parts, body: Bools, volume: float, deficit: float, instrument: Instrument, of: Surface | None = None
) -> None:
    surface = parts.surface if of is None else of
    area = float(normals_and_areas(surface.corners[body])[1].sum())
    add_instrument_to_volume(tally, volume, area, instrument)
    noise = parts.texture.noise * math.sqrt(area * min(2 * math.pi * _CORRELATION_MM**2, area))
    tally.add("noise", "Scatter of the scanned points", noise)
    tally.add("facets", "Flat facets cut the corners of rounded faces", deficit)


def _add_holes(tally: Tally, solid: Solid, factor: float) -> None:
    holes = sum(hole.area**1.5 / 20 + abs(hole.bulge) / 2 for hole in solid.fillings) * factor**3
    tally.add("holes", "What lay in the holes that were closed", holes)
    tally.add("sheets", "Open pieces that were left out may have enclosed something", solid.doubt * factor**3 / 2)


def body_deficit(surface: Surface, folds: Folds, body: Bools) -> float:
    """Return c of the body's faces; facets that a program has split without moving them are first joined again."""
    if not _may_be_split(surface, folds):
        return max(facet_deficit(folds.within(body)), 0.0)
    simple = to_manifold(surface).simplify(_UNMOVED_MM)
    if simple.num_tri() > _MOSTLY * len(surface.faces):
        return max(facet_deficit(folds.within(body)), 0.0)
    from scipy.spatial import cKDTree

    coarse = from_manifold(simple)
    tree = cKDTree(middle_of(surface.corners))
    _, nearest = tree.query(middle_of(coarse.corners))
    return max(facet_deficit(folds_of(coarse).within(body[nearest])), 0.0)


def _may_be_split(surface: Surface, folds: Folds) -> bool:
    """Say whether so many facets may be split ones that it is worth trying to join them.

    A point that was put into a facet, or into an edge between two, has at most two edges that are folded; two facets whose
    corners all lie within t of one plane make a fold of at most 4 t over the lower of their heights. What is counted here is
    more than can be joined, so that a no is sure.
    """
    one, _ = surface.edges.pairs
    corner, short = surface.faces.ravel(), folds.length < 5 * _UNMOVED_MM
    following = surface.faces[:, [1, 2, 0]].ravel()
    folded = ~short & (np.abs(folds.angle) * np.minimum(*folds.heights) > 5 * _UNMOVED_MM)
    ends = np.concatenate([corner[one[folded]], following[one[folded]]])
    loose = np.bincount(ends, minlength=len(surface.points)) <= 2
    loose[corner[one[short]]] = loose[following[one[short]]] = True
    return 2 * int(loose.sum()) > (1 - _MOSTLY) * len(surface.faces)
