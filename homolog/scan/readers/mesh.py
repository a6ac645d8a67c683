"""The mesh that every reader returns, in file units, with the parts that the file tells apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A run of faces that the file keeps apart, such as a shell, a component or a group."""

    name: str
    first: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh:
    """One mesh, or one point cloud.

    Attributes:
        format: Which format and form the file had.
        vertices: Points of shape (n, 3), in `unit`.
        faces: Triangles of shape (m, 3), indices into the points, outside to the right hand; none in a point cloud.
        parts: Runs of faces, in order, that together are all faces.
        unit: mm, cm, m or in if the file states one; None otherwise.
        unit_is_doubtful: Whether files of the format are often in another unit than they state.
        normals: Unit normals (n, 3) of a point cloud, else None.
        bent_volume: By how much the volume depends on how faces of four or more corners are cut, in cubed units.
    """

    format: str
    vertices: Floats
    faces: Ints
    parts: tuple[Part, ...]
    unit: str | None = None
    unit_is_doubtful: bool = False
    normals: Floats | None = None
    bent_volume: float = 0.0

    @property
    def corners(self) -> Floats:
        """Corners of the faces, of shape (m, 3, 3)."""
        return np.take(self.vertices, self.faces, axis=0)

    def part_corners(self, part: Part) -> Floats:
        """Return the corners of one part, of shape (count, 3, 3)."""
        return np.asarray(self.vertices[self.faces[part.first : part.first + part.count]])
