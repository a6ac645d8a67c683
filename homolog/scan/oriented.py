"""A surface as points with normals and the area that each stands for: of a mesh, or of a point cloud."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.gate.mesh import MeshFile
from homolog.scan.canonical import corner_of, in_order, order_of
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_mesh
from homolog.scan.surface import Bools, Floats, Surface, normals_and_areas
from homolog.scan.texture import point_normals
from homolog.scan.welding import clean_faces, weld

_MAX_POINTS = 150_000
_SEED = 4


@dataclass(frozen=True, slots=True)
class Oriented:
    """Points (n, 3), unit normals (n, 3) and areas (n,), and the mesh that they are the corners of, if there is one."""

    points: Floats
    normals: Floats
    areas: Floats
    surface: Surface | None = None

    @property
    def is_closed(self) -> bool:
        """Whether there is a mesh, closed and in one sense."""
        return self.surface is not None and self.surface.edges.are_closed

    def chosen(self, rows: Bools) -> Oriented:
        """Return some of the points; the mesh stays behind."""
        return Oriented(self.points[rows], self.normals[rows], self.areas[rows])

    def scaled(self, factor: float) -> Oriented:
        """Return the surface with all lengths multiplied."""
        mesh = None if self.surface is None else self.surface.scaled(factor)
        return Oriented(self.points * factor, self.normals, self.areas * factor**2, mesh)

    def thinned(self, most: int = _MAX_POINTS) -> Oriented:
        """Return at most so many points, one at random out of each few neighbours; the mesh stays behind."""
        if len(self.points) <= most:
            return self
        # An even stride would fall in step with the rows in which bodies are built.
        place = np.arange(most) + np.random.default_rng(_SEED).random(most)
        rows = (place * (len(self.points) / most)).astype(np.int64)
        return Oriented(self.points[rows], self.normals[rows], self.areas[rows] * len(self.points) / most)


def oriented_mesh(corners: Floats) -> Oriented:
    """Take the points of a mesh's corners (m, 3, 3): each stands for a third of the faces around it."""
    welded = in_order(weld(corners))
    surface = Surface(welded.points, clean_faces(welded.faces)[0])
    _, areas = normals_and_areas(surface.corners)
    share: Floats = np.bincount(surface.faces.ravel(), weights=np.repeat(areas / 3, 3), minlength=len(surface.points)).astype(
        np.float64
    )
    return Oriented(surface.points, point_normals(surface), share, surface)


def oriented_cloud(points: Floats, normals: Floats) -> Oriented:
    """Take a point cloud: each point stands for the disc up to its sixth neighbour, shared by the seven."""
    from scipy.spatial import cKDTree

    reach = cKDTree(points).query(points, k=min(7, len(points)))[0][:, -1]
    return Oriented(points, normals, np.pi * reach**2 / 7)


def read_oriented(file: MeshFile, *, name: str) -> tuple[Mesh, Oriented]:
    """Read a mesh or a point cloud; the points of the surface are counted from the least corner of their box, in one order.

    Raises:
        InputRefused: No mesh can be made of the file.
    """
    mesh = read_mesh(file, name=name)
    if len(mesh.faces) or mesh.normals is None:
        corners = mesh.corners
        return mesh, oriented_mesh(corners - corner_of(corners))
    rows = order_of(mesh.vertices)
    return mesh, oriented_cloud(mesh.vertices[rows] - corner_of(mesh.vertices), mesh.normals[rows])
