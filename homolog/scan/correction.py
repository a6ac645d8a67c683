"""Moving a scanned surface to where it would lie without the scanner's offset and scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homolog.scan.ball_sphere import Found
from homolog.scan.oriented import Oriented
from homolog.scan.solid import Solid
from homolog.scan.sources import Instrument
from homolog.scan.surface import Floats, Surface, normals_and_areas, signed_volume

# Faces whose normals spread less than this share (of the squares) are one smooth face with noise, not an edge.
_EDGE = 0.1
# A point of an edge moves farther than its faces do; at a cube's corner 1.7 times as far. More is a needle's tip.
_FARTHEST = 2.0


def corrected(surface: Surface, instrument: Instrument) -> Surface:
    """Return a closed surface in mm, facing outward, moved inward by the offset and shrunk by the scale that references show."""
    if not instrument.is_corrected:
        return surface
    moved = surface.points - instrument.offset_correction * outward_steps(surface)
    return surface.moved(moved / (1 + instrument.scale_correction))


def corrected_solid(solid: Solid, surface: Surface, factor: float, instrument: Instrument) -> Solid:
    """Return a solid in file units with the volume of its corrected surface, which is in mm.

    A cavity grows where its walls shrink. Pieces that stick in others are left out: whether the surface between two materials
    lies outward of either, no reference shows, so that what they would make exact stays bounds.
    """
    if not instrument.is_corrected:
        return solid
    opposite = replace(instrument, offset_correction=-instrument.offset_correction)
    cavities = tuple(corrected(cavity.scaled(factor), opposite).scaled(1 / factor) for cavity in solid.cavities)
    return replace(
        solid,
        surface=surface.scaled(1 / factor),
        volume=signed_volume(surface.corners) / factor**3,
        cavity_volume=sum(signed_volume(cavity.corners) for cavity in cavities),
        shells=(),
        cavities=cavities,
    )


def corrected_ball(surface: Oriented, found: Found, instrument: Instrument) -> Oriented:
    """Return the points of a ball in mm, corrected likewise: away from what is between its outside and its inside, if it has one.

    A ball needs no closed surface, so that its faces may look either way; the spheres say which way is outward.
    """
    if not instrument.is_corrected:
        return surface
    from_centre = surface.points - found.sphere.centre
    far = np.linalg.norm(from_centre, axis=1, keepdims=True)
    outward = from_centre / np.maximum(far, 1e-300)
    if found.inner is not None:
        middle = (found.sphere.radius + found.inner.radius) / 2
        outward = np.where(far < middle, -outward, outward)
    points = (surface.points - instrument.offset_correction * outward) / (1 + instrument.scale_correction)
    mesh = None if surface.surface is None else surface.surface.moved(points)
    return Oriented(points, surface.normals, surface.areas, mesh)


def outward_steps(surface: Surface) -> Floats:
    """Return by what vector (n, 3) each point moves when all faces move outward along their normals by 1.

    A point's faces are planes; the point moves to where they meet, by the shortest way. On a smooth face that is one step
    along the normal, on an edge and at a corner more, so that no edge is rounded off.
    """
    normals, areas = normals_and_areas(surface.corners)
    at = surface.faces.ravel()
    count = len(surface.points)
    weight = np.repeat(areas, 3)
    each = np.repeat(normals, 3, axis=0)
    total = np.maximum(np.bincount(at, weights=weight, minlength=count), 1e-300)
    right = np.column_stack([np.bincount(at, weights=weight * each[:, k], minlength=count) for k in range(3)]) / total[:, None]
    square = np.empty((count, 3, 3))
    for row in range(3):
        for column in range(row, 3):
            entry = np.bincount(at, weights=weight * each[:, row] * each[:, column], minlength=count) / total
            square[:, row, column] = square[:, column, row] = entry
    size, axes = np.linalg.eigh(square)
    along = np.einsum("nij,ni->nj", axes, right)
    steep = size > _EDGE * size[:, 2:]
    steps = np.einsum("nij,nj->ni", axes, np.where(steep, along / np.where(steep, size, 1.0), 0.0))
    length = np.linalg.norm(steps, axis=1, keepdims=True)
    return np.asarray(steps * np.minimum(1.0, _FARTHEST / np.maximum(length, 1e-300)))
