"""A surface to show: a mesh as it is, a cloud of points as small flat squares."""

from __future__ import annotations

import numpy as np

from homolog.scan.oriented import Oriented
from homolog.scan.surface import Surface

_MOST = 25_000
_WIDE = 0.8
"""Half a square's side in roots of the area that its point stands for: neighbours overlap."""


def surface_to_show(surface: Oriented) -> Surface:
    """Return the mesh of a surface, or squares about its points that look along their normals."""
    if surface.surface is not None:
        return surface.surface
    few = surface.thinned(_MOST)
    z = few.normals
    helper = np.eye(3)[np.abs(z).argmin(axis=1)]
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y = np.cross(z, x)
    half = _WIDE * np.sqrt(few.areas)[:, None]
    corners = [few.points + half * (i * x + j * y) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    count = len(few.points)
    first = np.arange(count)
    faces = [np.column_stack([first + a * count, first + b * count, first + c * count]) for a, b, c in ((0, 1, 2), (0, 2, 3))]
    return Surface(np.concatenate(corners), np.concatenate(faces))
