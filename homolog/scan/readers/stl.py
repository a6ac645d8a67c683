"""The corners of an STL file as a mesh of loose triangles; the gate has checked every number."""

from __future__ import annotations

import numpy as np

from homolog.gate.mesh import MeshFile
from homolog.scan.readers.mesh import Mesh, Part


def read_stl(file: MeshFile) -> Mesh:
    """Return the mesh of an STL file; no corner is shared yet."""
    count = file.triangles
    if file.format == "stl-ascii":
        corners = np.frombuffer(file.raw, "<f8").reshape(count, 3, 3).copy()
    else:
        corners = np.ndarray((count, 3, 3), "<f4", file.raw, 96, (50, 12, 4)).astype(np.float64)
    return Mesh(
        format=file.format,
        vertices=corners.reshape(-1, 3),
        faces=np.arange(3 * count, dtype=np.int64).reshape(-1, 3),
        parts=(Part(name="part 1", first=0, count=count),),
    )
