"""A measured goalkeeper as separate meshes for a viewer: body, rod, handle, and the places that were repaired."""

from __future__ import annotations

import numpy as np

from homolog.scan.glb_writer import NamedMesh, write_glb
from homolog.scan.rodsizes import RodSizes
from homolog.scan.shells import Filling, open_loops
from homolog.scan.sizes import Sizes
from homolog.scan.solid import Solid
from homolog.scan.split import Parts
from homolog.scan.surface import Bools, Floats, Surface
from homolog.scan.welding import weld

_COLOURS = {"body": (0.82, 0.82, 0.80), "rod": (0.45, 0.47, 0.50), "handle": (0.25, 0.27, 0.30), "repaired": (0.85, 0.25, 0.15)}


def goalkeeper_glb(parts: Parts, solid: Solid, factor: float, sizes: Sizes, limb: RodSizes) -> bytes:
    """Return the meshes as a GLB file, upright if the body's posture is known.

    Body, rod and handle are the cleaned surface, cut where the faces change from the one to the other and closed there by
    flat lids, so that together they have the volume of the whole. The repaired places are the faces that close holes.
    """
    surface = parts.surface
    rod, handle = _limb_faces(parts, limb)
    chosen = {"body": ~(rod | handle), "rod": rod, "handle": handle}
    pieces = {name: with_lids(surface.part(faces)) for name, faces in chosen.items() if faces.any()}
    patches = [patch_faces(filling) * factor for filling in solid.fillings]
    if patches:
        pieces["repaired"] = weld(np.concatenate(patches))
    if sizes.posture is not None:
        pieces = {name: piece.moved(sizes.posture.local(piece.points)) for name, piece in pieces.items()}
    return write_glb([NamedMesh(name, piece, _COLOURS[name]) for name, piece in pieces.items()])


def _limb_faces(parts: Parts, limb: RodSizes) -> tuple[Bools, Bools]:
    """Mark the faces of the rod and those of the handle; none where no rod was found."""
    if parts.rod is None:
        nothing = np.zeros(len(parts.surface.faces), bool)
        return nothing, nothing
    is_rod = parts.rod.cut.is_rod
    if limb.handle is None or limb.tip is None:
        return is_rod, np.zeros_like(is_rod)
    axis = (limb.tip - limb.handle) / np.linalg.norm(limb.tip - limb.handle)
    handle = is_rod & ((parts.surface.corners.mean(axis=1) - limb.handle) @ axis > -0.05)
    return is_rod & ~handle, handle


def with_lids(surface: Surface) -> Surface:
    """Close every rim by a flat fan about its middle, the same from either side."""
    points, faces = [surface.points], [surface.faces]
    total = len(surface.points)
    for loop in open_loops(surface):
        points.append(surface.points[loop].mean(axis=0)[None])
        faces.append(np.column_stack([loop, np.roll(loop, -1), np.full(len(loop), total)]))
        total += 1
    return Surface(np.vstack(points), np.vstack(faces))


def patch_faces(filling: Filling) -> Floats:
    """Return the faces (m, 3, 3) that closed a hole, in file units."""
    if len(filling.points) == 3:
        return filling.points[None]
    rim, apex = filling.points[:-1], filling.points[-1]
    return np.stack([rim, np.roll(rim, -1, axis=0), np.broadcast_to(apex, rim.shape)], axis=1)
