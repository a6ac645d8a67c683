"""Measuring a playing figure: from a file's mesh to readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.scan.blank import blank_of
from homolog.scan.canonical import corner_of
from homolog.scan.correction import corrected
from homolog.scan.engine import drawn_by
from homolog.scan.figure_pictures import draw_figure
from homolog.scan.figure_sizes import measure_figure_sizes, nothing_measured
from homolog.scan.figure_stand import stand_up
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.plain_pictures import rims_of, scanned_views
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_mesh
from homolog.scan.readers.unit import FileUnit, unit_of_file
from homolog.scan.solid import Solid, build_solid
from homolog.scan.sources import instrument_of_job
from homolog.scan.split import longest_side
from homolog.scan.unit import FACTORS, UnitChoice
from homolog.scan.window import Window, decide_unit

ALGORITHM = "figure-1"
WINDOW = Window(item="playing figure", what="the figure's longest side", low=20.0, high=50.0)


def measure_figure(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure one playing figure.

    Args:
        file: The scan as its gate hands it on.
        job: Name, sha256, declared unit and source.

    Raises:
        InputRefused: No body can be made of the file, there are several, or its unit cannot be told.
    """
    mesh, known = read_figure(file, job)
    corners = mesh.corners
    solid = build_solid(corners - corner_of(corners), name=job["name"])
    found = decide_unit(longest_side(solid.surface.corners), WINDOW, declared=known.unit, name=job["name"])
    choice = UnitChoice(found.unit, known.reason(found.reason), is_assumed=known.unit is None)
    return measure_solid(solid, choice, job, form=mesh.format, triangles=len(mesh.faces))


def read_figure(file: MeshFile, job: Mapping[str, Any]) -> tuple[Mesh, FileUnit]:
    """Return a file's mesh and what its own unit is worth.

    Raises:
        InputRefused: The file holds points only, or its unit is another than the one declared.
    """
    mesh = read_mesh(file, name=job["name"])
    if not len(mesh.faces):
        todo = "export the scan as a mesh"
        raise InputRefused.because("a cloud of points shows no figure", where=job["name"], todo=todo, code="cloud_item")
    return mesh, unit_of_file(mesh, job["unit"], name=job["name"])


def measure_solid(
    solid: Solid, choice: UnitChoice, job: Mapping[str, Any], *, form: str, triangles: int, place: str = ""
) -> ScanMeasurement:
    """Measure one figure that is a solid already.

    Args:
        solid: In file units.
        choice: The file's unit.
        job: Name, sha256 and source.
        form: The file's format.
        triangles: Of the file.
        place: Which of several in one file, as the evidence shall name it.
    """
    instrument = instrument_of_job(job)
    factor = FACTORS[choice.unit]
    surface = corrected(solid.surface.scaled(factor), instrument)
    stand = stand_up(surface, solid.fillings, factor)
    if isinstance(stand, str):
        sizes = nothing_measured(stand)
        pictures, renderer = scanned_views(surface, *rims_of(solid.fillings, factor))
    else:
        method = "cad" if instrument.is_design else "scan.extent"
        sizes = measure_figure_sizes(stand, instrument, method=method, evidence=f"scan:{job['sha256'][:12]}{place}")
        pictures, renderer = draw_figure(stand, sizes)
    blank = blank_of(
        job, choice, form=form, triangles=triangles, closed=solid.as_it_came, algorithm=ALGORITHM, libraries=("manifold3d",)
    )
    return replace(
        blank,
        repairs=tuple(note.repair(factor) for note in solid.notes),
        readings=sizes.readings,
        unmeasured=sizes.unmeasured,
        budgets=sizes.budgets,
        facts=sizes.facts,
        pictures=pictures,
        engine=drawn_by(blank.engine, renderer),
    )
