"""Measuring several playing figures that stand side by side in one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from homolog.errors import InputRefused, Problem
from homolog.gate.mesh import MeshFile
from homolog.scan.blank import blank_of
from homolog.scan.canonical import corner_of
from homolog.scan.figure import ALGORITHM, WINDOW, measure_solid, read_figure
from homolog.scan.figure_plate import Plate
from homolog.scan.figure_separate import MAX_BODIES, reading_order, seen_from_above, separate
from homolog.scan.figure_sizes import nothing_measured
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.solid import Solid, build_solid
from homolog.scan.split import longest_side
from homolog.scan.surface import Floats
from homolog.scan.unit import FACTORS, UnitChoice
from homolog.scan.window import decide_unit


def measure_figures(file: MeshFile, job: Mapping[str, Any]) -> tuple[ScanMeasurement, ...]:
    """Measure every figure in a file, numbered as one reads.

    Args:
        file: The scan as its gate hands it on.
        job: Name, sha256, declared unit and source.

    Raises:
        InputRefused: No body can be made of any part, there are too many, or the unit cannot be told or differs.
    """
    name = job["name"]
    mesh, known = read_figure(file, job)
    corners = mesh.corners
    groups = separate(corners)
    if len(groups) > MAX_BODIES:
        what = f"the file falls into {len(groups)} bodies, more than the {MAX_BODIES} that are measured at once"
        raise InputRefused(Problem(name, what, "export fewer figures a file", "scan_pieces"))
    bodies = [_body(corners[group], f"{name}, body {at}") for at, group in enumerate(groups, 1)]
    choice = _common_unit([body for body in bodies if isinstance(body, Solid)], bodies, known.unit, name)
    choice = UnitChoice(choice.unit, known.reason(choice.reason), is_assumed=known.unit is None)
    centres = np.array([corners[group].reshape(-1, 3).mean(axis=0) for group in groups])
    factor, up = FACTORS[choice.unit], upward(centres)
    order = reading_order(centres, up, 16.0 / factor)
    plate = Plate([corners[groups[at]] * factor for at in order], *seen_from_above(up))
    found = []
    for number, at in enumerate(order, 1):
        part = _measured(bodies[at], choice, job, mesh.format, len(mesh.faces), f"#{number}")
        facts = MappingProxyType({"part": f"{number} of {len(order)}"} | dict(part.facts))
        found.append(replace(part, facts=facts, pictures=(plate.picture(number), *part.pictures)))
    return tuple(found)


def _body(corners: Floats, name: str) -> Solid | InputRefused:
    try:
        return build_solid(corners - corner_of(corners), name=name)
    except InputRefused as refusal:
        return refusal


def _common_unit(solids: list[Solid], bodies: list[Solid | InputRefused], declared: str | None, name: str) -> UnitChoice:
    """Choose the one unit in which every body is a figure."""
    if not solids:
        raise next(body for body in bodies if isinstance(body, InputRefused))
    sides = [longest_side(solid.surface.corners) for solid in solids]
    choices = [decide_unit(side, WINDOW, declared=declared, name=name) for side in sides]
    if len({choice.unit for choice in choices}) > 1:
        what = "the bodies in the file would be figures in different units"
        raise InputRefused(Problem(name, what, "export bodies of one kind a file, or declare the unit", "scan_unit_unknown"))
    return choices[int(np.argsort(sides, kind="stable")[len(sides) // 2])]


def upward(centres: Floats) -> Floats:
    """Return the upright direction of what stands on one plate: across the plane in which the bodies' middles lie.

    The file's z axis, or y where that is nearer, says which way is up; fewer than three bodies leave it to z.
    """
    spread = centres - centres.mean(axis=0)
    if len(centres) < 3 or np.linalg.matrix_rank(spread, tol=1e-3 * float(np.abs(spread).max())) < 2:
        return np.array([0.0, 0.0, 1.0])
    normal = np.linalg.svd(spread)[2][2]
    nearest = int(np.abs(normal).argmax())
    return np.asarray(normal if normal[nearest] > 0 else -normal)


def _measured(
    body: Solid | InputRefused, choice: UnitChoice, job: Mapping[str, Any], form: str, triangles: int, place: str
) -> ScanMeasurement:
    if isinstance(body, Solid):
        return measure_solid(body, choice, job, form=form, triangles=triangles, place=place)
    sizes = nothing_measured("; ".join(problem.what for problem in body.problems))
    blank = blank_of(job, choice, form=form, triangles=triangles, closed=False, algorithm=ALGORITHM, libraries=("manifold3d",))
    return replace(blank, unmeasured=sizes.unmeasured)
