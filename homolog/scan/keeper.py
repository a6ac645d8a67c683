"""Measuring a goalkeeper: from the corners of a file to readings."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.readers.read import read_mesh
from homolog.scan.readers.unit import unit_of_file
from homolog.scan.solid import build_solid
from homolog.scan.sources import instrument_of
from homolog.scan.split import take_apart
from homolog.scan.unit import FACTORS
from homolog.scan.volumes import measure_volumes

ALGORITHM = "keeper-1"


def measure_goalkeeper(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a goalkeeper.

    Args:
        file: The scan as its gate hands it on.
        job: Name, sha256, declared unit and source.

    Raises:
        InputRefused: No body can be made of the file, or its unit cannot be told.
    """
    instrument = instrument_of(job["source"])
    evidence = f"scan:{job['sha256'][:12]}"
    mesh = read_mesh(file, name=job["name"])
    if not len(mesh.faces):
        todo = "export the scan as a mesh"
        raise InputRefused.because("a cloud of points shows no goalkeeper", where=job["name"], todo=todo, code="cloud_item")
    known = unit_of_file(mesh, job["unit"], name=job["name"])
    corners = mesh.corners
    solid = build_solid(corners - corners[0, 0], name=job["name"])
    parts, choice = take_apart(solid.surface, unit=known.unit, name=job["name"])
    factor = FACTORS[choice.unit]
    method = "cad" if instrument.is_design else "scan.volume"
    volumes = measure_volumes(parts, solid, factor, instrument, method=method, evidence=evidence)
    return ScanMeasurement(
        sha256=job["sha256"],
        format=mesh.format,
        triangles=len(mesh.faces),
        unit=choice.unit,
        unit_reason=known.reason(choice.reason),
        closed=solid.as_it_came,
        source=job["source"],
        repairs=tuple(note.repair(factor) for note in solid.notes),
        readings=volumes.readings,
        unmeasured=volumes.unmeasured,
        budgets=volumes.budgets,
        engine=engine(),
    )


def engine() -> Mapping[str, str]:
    """Return the versions of what computes the numbers."""
    return MappingProxyType({"algorithm": ALGORITHM} | {name: version(name) for name in ("numpy", "scipy", "manifold3d")})
