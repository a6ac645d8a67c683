"""One mesh out of the meshes and placements that passed a gate.

The gates have parsed every number already, so that what was checked is what is measured; a library that parses the file
a second time could read it another way. trimesh in particular scales no 3MF in inch and takes indices of 0 and -1.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from homolog.errors import InputRefused
from homolog.gate.affine import determinant
from homolog.gate.mesh import MAX_COORDINATE, MeshFile, Placement, RawMesh
from homolog.scan.readers.mesh import Floats, Ints, Mesh, Part
from homolog.scan.readers.polygons import cut_faces

MAX_BENT = 0.01
"""Share of the volume that the way of cutting faces may decide at most."""
_TO_KNOWN = {"um": ("mm", 0.001), "ft": ("in", 12.0)}
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "m": 1000.0, None: 1.0}


def expand(file: MeshFile, *, name: str) -> Mesh:
    """Place every mesh of a file, cut its faces into triangles, and turn mirrored ones so that outside stays outside.

    Raises:
        InputRefused: A face cannot be cut, or a placed point lies beyond 10 m.
    """
    unit, factor = _TO_KNOWN.get(file.unit or "", (file.unit, 1.0))
    cut = [_cut(mesh, name) for mesh in file.meshes]
    vertices: list[Floats] = []
    faces: list[Ints] = []
    parts: list[Part] = []
    bent, points_before, faces_before = 0.0, 0, 0
    for placement in file.placements:
        points, triangles, runs, warp = cut[placement.mesh]
        placed = _placed(points, placement) * factor
        scale = determinant(placement.matrix)
        vertices.append(placed)
        faces.append((triangles[:, ::-1] if scale < 0 else triangles) + points_before)
        parts += _parts(runs, placement, faces_before, len(triangles), len(parts))
        bent += warp * abs(scale) * factor**3
        points_before += len(placed)
        faces_before += len(triangles)
    together, all_faces = np.concatenate(vertices), np.concatenate(faces)
    normals = file.meshes[0].normals
    limit = MAX_COORDINATE / (1.0 if file.unit_is_doubtful else _MILLIMETRES[unit])
    if not (np.abs(together) <= limit).all():
        at = int(np.flatnonzero(~(np.abs(together) <= limit).all(axis=1))[0])
        what = f"placed point {at + 1} lies beyond 10 m, or is not finite"
        raise InputRefused.because(what, where=name, todo="move the part to the origin and export it again", code="mesh_far")
    mesh = Mesh(
        format=file.format,
        vertices=together,
        faces=all_faces,
        parts=tuple(parts),
        unit=unit,
        unit_is_doubtful=file.unit_is_doubtful,
        normals=np.frombuffer(normals, "<f8").reshape(-1, 3).copy() if normals else None,
        bent_volume=bent,
    )
    _check_bend(mesh, name)
    return mesh


_Cut = tuple[Floats, Ints, list[tuple[str, int]], float]


def _cut(mesh: RawMesh, name: str) -> _Cut:
    """Return points, triangles, the parts by first triangle, and the volume that depends on the cut."""
    points = np.frombuffer(mesh.points, "<f8").reshape(-1, 3)
    corners = np.frombuffer(mesh.corners, "<i4").astype(np.int64)
    if not mesh.sizes:
        return points, corners.reshape(-1, 3), list(mesh.parts), 0.0
    sizes = np.frombuffer(mesh.sizes, "<i4").astype(np.int64)
    triangles, first, bent = cut_faces(points, corners, sizes, name)
    return points, triangles, [(title, int(first[face])) for title, face in mesh.parts], bent


def _placed(points: Floats, placement: Placement) -> Floats:
    matrix = np.array(placement.matrix).reshape(3, 4)
    if np.array_equal(matrix, np.eye(3, 4)):
        return points
    return cast("Floats", points @ matrix[:, :3].T + matrix[:, 3])


def _parts(runs: list[tuple[str, int]], placement: Placement, before: int, count: int, known: int) -> list[Part]:
    if not count:
        return []
    if not runs:
        return [Part(name=placement.name or f"part {known + 1}", first=before, count=count)]
    ends = [first for _, first in runs[1:]] + [count]
    return [Part(name=title, first=before + first, count=end - first) for (title, first), end in zip(runs, ends, strict=True)]


def _check_bend(mesh: Mesh, name: str) -> None:
    if not mesh.bent_volume:
        return
    corners = mesh.corners - mesh.vertices[0]
    volume = abs(float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6))
    if mesh.bent_volume > MAX_BENT * volume:
        what = "faces of four or more corners are so bent that the body depends on how they are cut"
        raise InputRefused.because(what, where=name, todo="export triangles", code="mesh_face")
