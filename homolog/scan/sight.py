"""What is seen of a surface through a grid of points: by casting rays, or by a depth buffer where there is no caster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from homolog.scan import rays
from homolog.scan.raster import cover, depth_at
from homolog.scan.surface import Bools, Floats, Ints, Surface, highest, lowest, normals_and_areas

MOST_FACES = 40_000
"""More than a picture shows; what it costs to look grows with them."""
_CELLS_A_FACE = 3.0
"""Area that a cell must have in mean areas of a face: of a cell come two faces, and a surface runs through more than it covers."""
_COARSE = 16
_ROUND = 5
"""Digits of a corner in mm, so that the last bits of another processor do not turn a pixel."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The face at every point of a grid, -1 for none, and how near it is; with where the grid lies.

    Attributes:
        face: Shape (rows, columns).
        depth: Likewise, mm toward the viewer; minus infinity for none.
        left: Place of the first column, mm.
        top: Place of the first row, mm.
        step: Distance of two points, mm.
    """

    face: Ints
    depth: Floats
    left: float
    top: float
    step: float


class Eye:
    """A surface that is looked at from several sides.

    Attributes:
        kept: Which of the surface's faces are looked at: of a fine mesh fewer than it has.
        normals: Their unit normals, (k, 3).
        extent: Longest side of the box around them, mm.
        renderer: What looks, as records name it.
    """

    def __init__(self, surface: Surface, *, is_closed: bool = True) -> None:
        """Take a surface in mm.

        Args:
            surface: Points and faces.
            is_closed: Whether no face is ever seen from behind.
        """
        faces, self.kept = gathered(surface, MOST_FACES)
        self._corners: Floats = np.take(np.asarray(np.round(surface.points, _ROUND), np.float64), faces, axis=0)
        self.normals, self._areas = normals_and_areas(self._corners)
        self._is_closed = is_closed
        self.extent = max(float(np.ptp(self._corners[:, :, k])) for k in range(3))
        self.renderer = rays.renderer()

    def look(self, axes: Floats, points_per_mm: float, margin: int) -> Seen:
        """Look along -z of a frame.

        Args:
            axes: Columns are the frame's x, y and z.
            points_per_mm: How close the grid is.
            margin: Empty points all around; the grid has a whole multiple of them in both directions.
        """
        grid = (self._corners.reshape(-1, 3) @ axes).reshape(-1, 3, 3)
        low, high = (np.array([bound(grid[:, :, k]) for k in range(3)]) for bound in (np.min, np.max))
        width, height = (int(np.ceil(size * points_per_mm / margin) + 2) * margin for size in (high - low)[:2])
        grid[:, :, 0] = (grid[:, :, 0] - low[0]) * points_per_mm + margin - 0.5
        grid[:, :, 1] = (high[1] - grid[:, :, 1]) * points_per_mm + margin - 0.5
        step = 1 / points_per_mm
        left, top = float(low[0]) - (margin - 0.5) * step, float(high[1]) + (margin - 0.5) * step
        chosen = np.arange(len(grid))
        if self._is_closed:
            chosen = np.flatnonzero((self.normals @ axes[:, 2] > 0) & (self._areas > 0))
        if self.renderer == rays.DEPTH_BUFFER:
            face, depth = _buffered(grid[chosen], width, height)
            face = np.where(face >= 0, chosen[face], -1)
        else:
            cells = np.flatnonzero(_may_hit(grid[chosen], width, height))
            far = float(high[2]) + 1.0
            begin = np.column_stack([left + cells % width * step, top - cells // width * step, np.full(len(cells), far)])
            face, depth = np.full(width * height, -1, np.int64), np.full(width * height, -np.inf)
            face[cells], depth[cells] = _cast(self._scene, begin @ axes.T, -axes[:, 2], far)
        return Seen(face.reshape(height, width), depth.reshape(height, width), left, top, step)

    @cached_property
    def _scene(self) -> Any:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene

        scene = EmbreeScene(rays.device())
        TriangleMesh(scene, np.ascontiguousarray(self._corners, np.float32))
        return scene


def gathered(surface: Surface, most: int) -> tuple[Ints, Ints]:
    """Return faces (k, 3) that show the same form, about so many at most, and which of the surface's own faces they were.

    The points of a fine mesh are gathered in cells, and the first one in each stands for the others: it lies on the surface,
    so that the form stays, only in larger facets.
    """
    if len(surface.faces) <= most:
        return surface.faces, np.arange(len(surface.faces))
    _, areas = normals_and_areas(surface.corners)
    cell = np.sqrt(_CELLS_A_FACE * areas.sum() / most)
    low = surface.points.min(axis=0)
    place = ((surface.points - low) / cell).astype(np.int64)
    size = place.max(axis=0) + 1
    key = (place[:, 0] * size[1] + place[:, 1]) * size[2] + place[:, 2]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    faces = first[which][surface.faces]
    kept = np.flatnonzero((faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0]))
    return faces[kept], kept


def _cast(scene: Any, begin: Floats, along: Floats, far: float) -> tuple[Ints, Floats]:
    """Return the face that each ray (k, 3) meets first, -1 for none, and its height, from rays that begin at height `far`."""
    ways = np.tile(along, (len(begin), 1)).astype(np.float32)
    found = scene.run(begin.astype(np.float32), ways, output=1)
    face = found["primID"].astype(np.int64)
    return face, np.where(face >= 0, far - found["tfar"], -np.inf)


def _buffered(grid: Floats, width: int, height: int) -> tuple[Ints, Floats]:
    """Return the nearest of faces (m, 3, 3) at every grid point, and its depth."""
    owner, column, row = cover(grid[:, :, :2], width, height)
    depth = depth_at(grid, owner, column, row)
    order = np.argsort(depth, kind="stable")
    cell = (row * width + column)[order]
    face, near = np.full(width * height, -1, np.int64), np.full(width * height, -np.inf)
    face[cell], near[cell] = owner[order], depth[order]
    return face, near


def _may_hit(grid: Floats, width: int, height: int) -> Bools:
    """Say for every grid point, row after row, whether a face may lie under it: rays into the empty are not cast."""
    rows, columns = -(-height // _COARSE), -(-width // _COARSE)
    plane = grid[:, :, :2] / _COARSE
    first = [np.clip(lowest(plane[:, :, k]).astype(np.int64), 0, size - 1) for k, size in enumerate((columns, rows))]
    last = [np.clip(highest(plane[:, :, k]).astype(np.int64), 0, size - 1) for k, size in enumerate((columns, rows))]
    change = np.zeros((rows + 1, columns + 1), np.int64)  # a face's box of cells as four changes of a running sum
    np.add.at(change, (first[1], first[0]), 1)
    np.add.at(change, (first[1], last[0] + 1), -1)
    np.add.at(change, (last[1] + 1, first[0]), -1)
    np.add.at(change, (last[1] + 1, last[0] + 1), 1)
    filled = change.cumsum(0).cumsum(1)[:rows, :columns] > 0
    return np.repeat(np.repeat(filled, _COARSE, axis=0), _COARSE, axis=1)[:height, :width].ravel()
