"""The goalkeeper's volume under each reading of the rule, with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import VOLUME_STEP, Tally, add_instrument_to_volume, rounded, rounded_down, rounded_up
from homolog.scan.measurement import Budget
from homolog.scan.solid import Solid, from_manifold, to_manifold
from homolog.scan.sources import Instrument
from homolog.scan.split import Parts, Rod
from homolog.scan.stabbing import stab
from homolog.scan.surface import Bools, Surface, edges_of, normals_and_areas
from homolog.scan.texture import Folds, facet_deficit, folds_of

OUTER = "goalkeeper.volume.outer"
WITHOUT_EMBEDDED = "goalkeeper.volume.without_embedded_rod"
MATERIAL = "goalkeeper.volume.material"
_DISTRUST = 0.02
_CORRELATION_MM = 1.0


@dataclass(frozen=True, slots=True)
class Volumes:
    """Readings of the volume and what they come from; `outer` is None if it could not be measured."""

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]
    outer: float | None
    disagreement: float


def measure_volumes(parts: Parts, solid: Solid, factor: float, instrument: Instrument, *, method: str, evidence: str) -> Volumes:
    """Measure the volume of a goalkeeper in mm3."""
    whole = solid.volume * factor**3
    stabbed = stab(parts.surface.corners)
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
    if parts.rod is None:
        return _bounded(parts, whole, tally, instrument, method, evidence, disagreement)
    return _cut_open(parts, parts.rod, whole, tally, instrument, method, evidence, disagreement)


def _cut_open(
    parts: Parts, rod: Rod, whole: float, tally: Tally, instrument: Instrument, method: str, evidence: str, disagreement: float
) -> Volumes:
    cut = rod.cut
    body = ~cut.is_rod
    deficit = body_deficit(parts.surface, body)
    outer = whole - cut.removed + (2 * deficit if parts.texture.is_faceted else 0.0)
    _add_surface(tally, parts, body, outer, deficit, instrument)
    step = max(0.5, cut.spread / 2, 0.1 * rod.junction.area)
    tally.add("rod_cut", "Where the body's surface runs across the rod cannot be seen", step)
    wide = tally.expanded
    value = rounded(outer, VOLUME_STEP)
    hidden = rod.junction.area * cut.hidden
    common = {"unit": "mm3", "method": method, "evidence": evidence}
    high = rounded_up(float(value + wide), VOLUME_STEP)
    readings = (
        Reading(quantity=OUTER, value=value, expanded_uncertainty=wide, **common),  # type: ignore[arg-type]
        Reading(
            quantity=WITHOUT_EMBEDDED,
            lo=max(rounded_down(float(value - wide) - hidden, VOLUME_STEP), rounded(0.0, VOLUME_STEP)),
            hi=high,
            **common,  # type: ignore[arg-type]
        ),
        Reading(quantity=MATERIAL, lo=rounded(0.0, VOLUME_STEP), hi=high, **common),  # type: ignore[arg-type]
    )
    return Volumes(readings, (), (tally.budget(),), outer, disagreement)


def _bounded(
    parts: Parts, whole: float, tally: Tally, instrument: Instrument, method: str, evidence: str, disagreement: float
) -> Volumes:
    """Without a cut the body is no larger than the whole scan; nothing more can be said."""
    everything = np.ones(len(parts.surface.faces), bool)
    deficit = body_deficit(parts.surface, everything)
    _add_surface(tally, parts, everything, whole, deficit, instrument)
    high = rounded_up(whole + 4 * deficit + float(tally.expanded), VOLUME_STEP)
    readings = tuple(
        Reading(quantity=quantity, unit="mm3", method=method, evidence=evidence, hi=high, lo=rounded(0.0, VOLUME_STEP))
        for quantity in (OUTER, WITHOUT_EMBEDDED, MATERIAL)
    )
    return Volumes(readings, (), (tally.budget(),), None, disagreement)


def _add_surface(tally: Tally, parts: Parts, body: Bools, volume: float, deficit: float, instrument: Instrument) -> None:
    area = float(normals_and_areas(parts.surface.corners[body])[1].sum())
    add_instrument_to_volume(tally, volume, area, instrument)
    noise = parts.texture.noise * math.sqrt(area * min(2 * math.pi * _CORRELATION_MM**2, area))
    tally.add("noise", "Scatter of the scanned points", noise)
    tally.add("facets", "Flat facets cut the corners of rounded faces", deficit)


def _add_holes(tally: Tally, solid: Solid, factor: float) -> None:
    holes = sum(hole.area**1.5 / 20 + abs(hole.bulge) / 2 for hole in solid.fillings) * factor**3
    tally.add("holes", "What lay in the holes that were closed", holes)


def body_deficit(surface: Surface, body: Bools) -> float:
    """Return c of the body's faces; facets that a program has split without moving them are first joined again."""
    simple = to_manifold(surface).simplify(1e-4)
    if simple.num_tri() > 0.9 * len(surface.faces):
        return max(facet_deficit(_inner_folds(surface, body)), 0.0)
    from scipy.spatial import cKDTree

    coarse = from_manifold(simple)
    tree = cKDTree(surface.corners.mean(axis=1))
    _, nearest = tree.query(coarse.corners.mean(axis=1))
    return max(facet_deficit(_inner_folds(coarse, body[nearest])), 0.0)


def _inner_folds(surface: Surface, chosen: Bools) -> Folds:
    one, other = edges_of(surface.faces, len(surface.points)).pairs
    folds = folds_of(surface)
    keep = chosen[one // 3] & chosen[other // 3]
    return Folds(
        (folds.ends[0][keep], folds.ends[1][keep]),
        folds.angle[keep],
        folds.length[keep],
        (folds.heights[0][keep], folds.heights[1][keep]),
    )
