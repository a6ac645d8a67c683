"""Measuring several goalkeepers that lie side by side in one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.scan.canonical import corner_of
from homolog.scan.figure_plate import Plate
from homolog.scan.figure_separate import reading_order, seen_from_above, separate
from homolog.scan.figure_set import upward
from homolog.scan.keeper import Taken, measure_taken, read_goalkeeper, take_goalkeeper
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.readers.unit import FileUnit
from homolog.scan.solid import build_solid
from homolog.scan.surface import Floats
from homolog.scan.unit import FACTORS

MAX_KEEPERS = 24
_ROW_MM = 20.0
_APART = "lay the goalkeepers at least 10 mm apart, rods too, or send a file for each"


def measure_goalkeepers(file: MeshFile, job: Mapping[str, Any]) -> tuple[ScanMeasurement, ...]:
    """Measure every goalkeeper in a file, numbered as one reads.

    A rod that touches a neighbour, or a piece that belongs to nobody, could be given to the wrong one: then all are refused.

    Args:
        file: The scan as its gate hands it on.
        job: Name, sha256, declared unit and source.

    Raises:
        InputRefused: A body in the file is not one goalkeeper with its rod, there are too many, or the unit cannot be told.
    """
    name = job["name"]
    mesh, known = read_goalkeeper(file, job)
    corners = mesh.corners
    groups = separate(corners, with_limbs=True)
    if len(groups) > MAX_KEEPERS:
        what = f"the file falls into {len(groups)} bodies, more than the {MAX_KEEPERS} that are measured at once"
        raise InputRefused.because(what, where=name, todo="export fewer goalkeepers a file", code="scan_pieces")
    bodies = [_taken(corners[group], known, job, f"body {at} of {len(groups)}") for at, group in enumerate(groups, 1)]
    units = {body.choice.unit for body in bodies}
    if len(units) > 1:
        what = "the bodies in the file would be goalkeepers in different units"
        raise InputRefused.because(what, where=name, todo="declare the unit", code="scan_unit_unknown")
    factor = FACTORS[bodies[0].choice.unit]
    places = [_middle(body) / factor + corner_of(corners[group]) for body, group in zip(bodies, groups, strict=True)]
    up = upward(np.array(places))
    order = reading_order(np.array(places), up, _ROW_MM / factor)
    plate = Plate([corners[groups[at]] * factor for at in order], *seen_from_above(up))
    found = []
    for number, at in enumerate(order, 1):
        part = measure_taken(
            bodies[at], job, form=mesh.format, triangles=len(mesh.faces), bent=mesh.bent_volume, place=f"#{number}"
        )
        facts = MappingProxyType({"part": f"{number} of {len(order)}"} | dict(part.facts))
        found.append(replace(part, facts=facts, pictures=(plate.picture(number, "goalkeeper"), *part.pictures)))
    return tuple(found)


def _taken(corners: Floats, known: FileUnit, job: Mapping[str, Any], which: str) -> Taken:
    """Take one body apart; what is not one goalkeeper with its rod makes the whole file unclear."""
    name = f"{job['name']}, {which}"
    try:
        body = take_goalkeeper(build_solid(corners - corner_of(corners), name=name), known, job, name=name)
    except InputRefused as refusal:
        what = f"{which} is not one goalkeeper with its rod: {refusal.problems[0].what}"
        raise InputRefused.because(what, where=job["name"], todo=_APART, code="scan_several_unclear") from None
    if body.parts.rod is None:
        what = f"{which} is not one goalkeeper with its rod: {body.parts.trouble}"
        raise InputRefused.because(what, where=job["name"], todo=_APART, code="scan_several_unclear")
    return body


def _middle(body: Taken) -> Floats:
    """Return the middle of a goalkeeper's body without its rod, mm."""
    rod = body.parts.rod
    corners = body.parts.surface.corners if rod is None else body.parts.surface.corners[rod.cut.is_body]
    points = corners.reshape(-1, 3)
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)
