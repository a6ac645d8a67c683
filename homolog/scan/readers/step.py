"""STEP bodies as meshes, through cascadio (OpenCASCADE), with a tolerance relative to the body's size.

The kernel hands out glTF, which passes the gate for glTF like any other file. What comes out must be closed: a face that
the kernel could not mesh would otherwise be missed in silence.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from homolog.errors import InputRefused
from homolog.gate.glb import check_glb
from homolog.gate.mesh import MeshFile
from homolog.scan.readers.expand import expand
from homolog.scan.readers.kernel import in_process_of_its_own
from homolog.scan.readers.mesh import Mesh
from homolog.scan.surface import edges_of
from homolog.scan.welding import weld

LINEAR = 1.2e-5
"""Largest distance between mesh and body, as a share of the body's diagonal: 0.002 mm at a goalkeeper with its rod."""
ANGULAR = 0.1
"""Largest angle between neighbouring facets, in radians."""
_COARSE = 0.02
_MIN_MM = 1e-4


def read_step(file: MeshFile, *, name: str) -> Mesh:
    """Mesh the bodies of a STEP file that passed the gate; the mesh is in millimetres.

    Raises:
        InputRefused: This installation cannot read STEP, the kernel makes no mesh of the file, or the mesh is open.
    """
    mesh = _placed(in_process_of_its_own(partial(_meshed, file, name), name), name)
    _check_closed(mesh, name)
    return mesh


def _meshed(file: MeshFile, name: str) -> bytes:
    """Mesh the bodies coarsely to learn their size, then as finely as that size asks for; return the kernel's glTF."""
    coarse = _placed(_convert(file.raw, max(_COARSE * file.extent_mm, _MIN_MM), 0.5, name), name)
    return _convert(file.raw, max(LINEAR * _diagonal(coarse), _MIN_MM), ANGULAR, name)


def _convert(data: bytes, tolerance_mm: float, angle: float, name: str) -> bytes:
    try:
        import cascadio
    except ImportError:
        todo = "install cascadio, or export the body as STL or 3MF"
        raise InputRefused.because("this installation cannot read STEP", where=name, todo=todo, code="step_reader") from None
    try:
        packed: bytes = cascadio.to_glb_bytes(
            data, tol_linear=tolerance_mm, tol_angular=angle, tol_relative=False, merge_primitives=True, use_parallel=False
        )
    except RuntimeError as error:
        raise _unmeshed(name, str(error)) from None
    if not packed:
        raise _unmeshed(name, "no body came out")
    return packed


def _placed(packed: bytes, name: str) -> Mesh:
    placed = expand(check_glb(packed, name=name), name=name)
    return replace(placed, format="step", vertices=placed.vertices * 1000.0, unit="mm", unit_is_doubtful=False)


def _unmeshed(name: str, why: str) -> InputRefused:
    what = f"the CAD kernel makes no mesh of the file ({why[:100]})"
    return InputRefused.because(what, where=name, todo="export the body again, or as STL or 3MF", code="step_kernel")


def _diagonal(mesh: Mesh) -> float:
    return float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))


def _check_closed(mesh: Mesh, name: str) -> None:
    """See that every edge of every part is run through as often one way as the other."""
    for part in mesh.parts:
        welded = weld(mesh.part_corners(part))
        faces = welded.faces
        kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
        edges = edges_of(faces[kept], len(welded.points))
        balance = np.add.reduceat(np.where(edges.forward[edges.order], 1, -1), edges.start) if len(edges.start) else np.ones(1)
        if balance.any():
            what = f"{part.name} is no closed body once it is meshed: {int((balance != 0).sum())} edges are open"
            raise InputRefused.because(what, where=name, todo="export it as a closed solid", code="step_open")
