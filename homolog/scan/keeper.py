"""Measuring a goalkeeper: from the corners of a file to readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.scan.blank import blank_of
from homolog.scan.budget import completed
from homolog.scan.canonical import corner_of
from homolog.scan.correction import corrected, corrected_solid
from homolog.scan.engine import drawn_by
from homolog.scan.holes import Hole, holes_of
from homolog.scan.keeper_pictures import draw_keeper
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.meshes import goalkeeper_glb
from homolog.scan.plain_pictures import rims_of, scanned_views
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_mesh
from homolog.scan.readers.unit import FileUnit, unit_of_file
from homolog.scan.rodsizes import measure_rod, no_rod
from homolog.scan.sizes import Sizes, measure_sizes, no_sizes
from homolog.scan.solid import Solid, build_solid
from homolog.scan.sources import instrument_of_job
from homolog.scan.split import Parts, take_apart
from homolog.scan.unit import FACTORS, UnitChoice
from homolog.scan.volumes import Volumes, measure_volumes

ALGORITHM = "keeper-3"
_MOST_LISTED = 10


@dataclass(frozen=True, slots=True)
class Taken:
    """A goalkeeper taken apart: the solid in file units, its parts in mm, and the file's unit."""

    solid: Solid
    parts: Parts
    choice: UnitChoice


def measure_goalkeeper(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a goalkeeper.

    Args:
        file: The scan as its gate hands it on.
        job: Name, sha256, declared unit and source; with `glb` true the meshes are wanted as well.

    Raises:
        InputRefused: No body can be made of the file, or its unit cannot be told.
    """
    mesh, known = read_goalkeeper(file, job)
    corners = mesh.corners
    solid = build_solid(corners - corner_of(corners), name=job["name"], runs=[part.count for part in mesh.parts])
    taken = take_goalkeeper(solid, known, job, name=job["name"])
    return measure_taken(taken, job, form=mesh.format, triangles=len(mesh.faces), bent=mesh.bent_volume)


def read_goalkeeper(file: MeshFile, job: Mapping[str, Any]) -> tuple[Mesh, FileUnit]:
    """Return a file's mesh and what its own unit is worth.

    Raises:
        InputRefused: The file holds points only, or its unit is another than the one declared.
    """
    mesh = read_mesh(file, name=job["name"])
    if not len(mesh.faces):
        todo = "export the scan as a mesh"
        raise InputRefused.because("a cloud of points shows no goalkeeper", where=job["name"], todo=todo, code="cloud_item")
    return mesh, unit_of_file(mesh, job["unit"], name=job["name"])


def take_goalkeeper(solid: Solid, known: FileUnit, job: Mapping[str, Any], *, name: str) -> Taken:
    """Take a goalkeeper apart and settle its unit.

    Args:
        solid: In file units.
        known: What the file's own unit is worth.
        job: Source and instrument.
        name: What the messages call it.

    Raises:
        InputRefused: Its unit cannot be told.
    """
    instrument = instrument_of_job(job)
    parts, choice = take_apart(solid.surface, unit=known.unit, name=name, correct=partial(corrected, instrument=instrument))
    solid = corrected_solid(solid, parts.surface, FACTORS[choice.unit], instrument)
    choice = UnitChoice(choice.unit, known.reason(choice.reason), is_assumed=known.unit is None)
    return Taken(solid, parts, choice)


def measure_taken(
    taken: Taken, job: Mapping[str, Any], *, form: str, triangles: int, bent: float = 0.0, place: str = ""
) -> ScanMeasurement:
    """Measure a goalkeeper that has been taken apart.

    Args:
        taken: The goalkeeper.
        job: Sha256 and source; with `glb` true the meshes are wanted as well.
        form: The file's format.
        triangles: Of the file.
        bent: By how much the volume depends on how bent faces are cut, in file units.
        place: Which of several in one file, as the evidence shall name it.
    """
    instrument = instrument_of_job(job)
    evidence = f"scan:{job['sha256'][:12]}{place}"
    solid, parts = taken.solid, taken.parts
    factor = FACTORS[taken.choice.unit]
    method = "cad" if instrument.is_design else "scan.volume"
    volumes = measure_volumes(parts, solid, factor, instrument, bent=bent * factor**3, method=method, evidence=evidence)
    holes = holes_of(solid.fillings, factor)
    extent = "cad" if instrument.is_design else "scan.extent"
    limb = "cad" if instrument.is_design else "scan.rod"
    if parts.rod is None:
        rod = no_rod(f"{parts.trouble}; scan the article again with its whole rod, or measure the rod with a caliper")
        sizes = no_sizes(f"{parts.trouble}, so the rod cannot be left out of the body's size")
    else:
        sizes = measure_sizes(parts, parts.rod, holes, instrument, method=extent, evidence=evidence)
        rod = measure_rod(parts, parts.rod, holes, instrument, method=limb, evidence=evidence)
    readings = (*volumes.readings, *sizes.readings, *rod.readings)
    if parts.rod is None:
        pictures, renderer = scanned_views(parts.surface, *rims_of(solid.fillings, factor))
    else:
        pictures, renderer = draw_keeper(parts, parts.rod, sizes, rod, readings, holes)
    blank = blank_of(
        job,
        taken.choice,
        form=form,
        triangles=triangles,
        closed=solid.as_it_came,
        algorithm=ALGORITHM,
        libraries=("manifold3d",),
    )
    return replace(
        blank,
        repairs=tuple(note.repair(factor) for note in solid.notes),
        readings=readings,
        unmeasured=(*volumes.unmeasured, *sizes.unmeasured, *rod.unmeasured),
        budgets=tuple(
            completed(budget, is_design=instrument.is_design) for budget in (*volumes.budgets, *sizes.budgets, *rod.budgets)
        ),
        facts=MappingProxyType(facts_of(parts, solid.volume * factor**3, volumes, sizes, holes)),
        pictures=pictures,
        engine=drawn_by(blank.engine, renderer),
        glb=goalkeeper_glb(parts, solid, factor, sizes, rod) if job.get("glb") else None,
    )


def facts_of(parts: Parts, whole: float, volumes: Volumes, sizes: Sizes, holes: tuple[Hole, ...]) -> dict[str, str]:
    """Return what else is known, as decimal strings with their units; nothing of it is judged."""
    facts = {
        "whole_volume": f"{whole:.1f} mm3",
        "methods_difference": f"{volumes.disagreement:.1f} mm3",
        "noise": f"{parts.texture.noise:.3f} mm",
        "median_edge": f"{parts.texture.edge:.2f} mm",
    }
    if holes:
        largest = sorted((hole.area for hole in holes), reverse=True)
        facts["closed_areas"] = ", ".join(f"{area:.2f}" for area in largest[:_MOST_LISTED]) + " mm2"
        if len(largest) > _MOST_LISTED:
            facts["closed_areas"] += f", and {len(largest) - _MOST_LISTED} smaller ones"
    if volumes.inside:
        facts["inside"] = volumes.inside
    rod, posture = parts.rod, sizes.posture
    if rod is None or posture is None:
        return facts
    place = posture.local(rod.junction.bend.point_at(rod.cut.centre))
    facts |= {
        "rod_section": f"{rod.junction.area:.2f} mm2",
        "embedded_rod_longest": f"{rod.cut.hidden:.1f} mm",
        "cut_height": f"{place[2]:.1f} mm",
        "upright_axis": "from the flat underside of the base" if posture.base else "from the body's shape",
    }
    if posture.base is not None:
        facts |= {
            "base_diameter": f"{posture.base.diameter:.2f} mm",
            "base_height": f"{posture.base.top:.1f} mm",
            "base_volume": f"{posture.base.volume:.0f} mm3",
        }
        if volumes.outer is not None:
            facts["figure_volume"] = f"{volumes.outer - posture.base.volume:.0f} mm3"
    return facts
