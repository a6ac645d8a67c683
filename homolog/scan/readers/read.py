"""The one way from a file that passed its gate to a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homolog.gate.mesh import MeshFile, check_triangles
from homolog.gate.mesh_file import check_mesh
from homolog.scan.readers.mesh import Mesh


def read_mesh(file: MeshFile, *, name: str) -> Mesh:
    """Return the mesh or point cloud of a file that passed its gate.

    Args:
        file: What the gate handed on.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is sound, but no mesh can be made of it.
    """
    if file.format in ("stl-ascii", "stl-binary"):
        from homolog.scan.readers.stl import read_stl

        return read_stl(file)
    if file.format == "step":
        from homolog.scan.readers.step import read_step

        mesh = read_step(file, name=name)
        check_triangles(len(mesh.faces), name)
        return mesh
    from homolog.scan.readers.expand import expand

    return expand(file, name=name)


def read_any(payload: bytes, job: Mapping[str, Any]) -> Mesh:
    """Pass a file through its gate and return its mesh.

    Args:
        payload: The file's bytes.
        job: The measuring job; `name` is the file's name, whose ending says the format.

    Raises:
        InputRefused: As for `check_mesh` and `read_mesh`.
    """
    return read_mesh(check_mesh(payload, name=job["name"]), name=job["name"])
