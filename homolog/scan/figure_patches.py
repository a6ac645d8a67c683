"""A surface as small patches of about the same size, so that long CAD facets and fine scan facets count alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Bools, Floats, Ints, Surface, normals_and_areas

SPACING_MM = 0.5
_MOST = 80_000
_SEED = 5


@dataclass(frozen=True, slots=True)
class Patches:
    """Middle (n, 3), outward unit normal (n, 3) and area (n,) of every patch, in mm."""

    points: Floats
    normals: Floats
    areas: Floats

    def only(self, chosen: Bools) -> Patches:
        """Return the chosen patches."""
        return Patches(self.points[chosen], self.normals[chosen], self.areas[chosen])

    def placed(self, frame: Floats, origin: Floats) -> Patches:
        """Return the patches in a frame whose columns are its axes."""
        return Patches((self.points - origin) @ frame, self.normals @ frame, self.areas)

    def thinned(self, most: int) -> Patches:
        """Return at most about so many that stand for all: one at random out of each few neighbours.

        An even stride would fall in step with the rows in which bodies are built.
        """
        step = math.ceil(len(self.areas) / most)
        if step <= 1:
            return self
        rows = np.arange(0, len(self.areas) - step + 1, step)
        rows += np.random.default_rng(_SEED).integers(0, step, len(rows))
        return Patches(self.points[rows], self.normals[rows], self.areas[rows] * step)


def patches_of(surface: Surface, calm: Surface, chosen: Bools) -> Patches:
    """Cut the chosen faces into patches; places come from the surface as it is, normals from its calm copy."""
    corners = surface.corners[chosen]
    normals, _ = normals_and_areas(calm.corners[chosen])
    small: list[tuple[Floats, Floats]] = []
    total = 0
    while len(corners):
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        long = edges.max(axis=1) > SPACING_MM
        small.append((corners[~long], normals[~long]))
        total += int((~long).sum())
        corners, normals = corners[long], normals[long]
        if total + len(corners) > _MOST:
            small.append((corners, normals))
            break
        corners = _halved(corners, edges[long].argmax(axis=1))
        normals = np.concatenate([normals, normals])
    corners, normals = (np.concatenate(part) for part in zip(*small, strict=True))
    return Patches(corners.mean(axis=1), normals, normals_and_areas(corners)[1]).thinned(_MOST)


def _halved(corners: Floats, longest: Ints) -> Floats:
    """Cut triangles from the middle of their longest edge to the corner opposite."""
    rows = np.arange(len(corners))
    a, b, c = (corners[rows, (longest + k) % 3] for k in range(3))
    middle = (a + b) / 2
    return np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
