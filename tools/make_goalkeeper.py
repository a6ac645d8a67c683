"""Make a goalkeeper scan: a figure on a round base with rod and handle, evenly meshed, with a scanner's slight noise.

    python tools/make_goalkeeper.py examples/goalkeeper.stl

The article is invented, and lies well inside the limits of the rules. The same call writes the same bytes.
"""

from __future__ import annotations

import argparse
import math
import struct
from pathlib import Path

import manifold3d
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Solid = manifold3d.Manifold

BASE_DIAMETER, BASE_HEIGHT = 17.0, 4.6
ROD_DIAMETER, ROD_ANGLE = 2.0, math.radians(7.0)
ROD_START = np.array([0.0, -1.0, 2.1])
ROD_END = 97.5
HANDLE_DIAMETER, HANDLE_LENGTH = 6.0, 60.0
EDGE_MM, NOISE_MM, NOISE_LENGTH_MM = 1.5, 0.006, 0.8
SIDES = 32


def main() -> None:
    """Write the scan to the file that the call names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    points, faces = scanned(goalkeeper())
    arguments.output.write_bytes(binary_stl(points[faces]))
    print(f"{arguments.output}: {len(faces)} facets, {arguments.output.stat().st_size} bytes")


def goalkeeper() -> Solid:
    """Return the article in its design position: z up, the rod to -y."""
    axis = np.array([0.0, -math.cos(ROD_ANGLE), math.sin(ROD_ANGLE)])
    rod = bar(ROD_START, ROD_START + ROD_END * axis, ROD_DIAMETER / 2)
    handle = bar(ROD_START + ROD_END * axis, ROD_START + (ROD_END + HANDLE_LENGTH) * axis, HANDLE_DIAMETER / 2)
    return Solid.batch_boolean([*figure(), base(), rod, handle], manifold3d.OpType.Add)


def figure() -> list[Solid]:
    """Return the pieces of a keeper with raised arms, 36 mm tall with the base, 18 wide and 5 thick."""
    pieces = [
        ball((0.0, 0.0, 33.0), (2.35, 2.2, 3.0)),  # head
        limb((0.0, 0.0, 28.0), (0.0, 0.0, 31.0), 1.5),  # neck
        ball((0.0, 0.0, 24.6), (5.3, 2.5, 6.4)),  # chest
        ball((0.0, 0.0, 18.4), (4.5, 2.4, 3.6)),  # hips
    ]
    for side in (-1.0, 1.0):
        pieces += [
            limb((side * 1.9, 0.0, 18.0), (side * 2.5, 0.2, 11.5), 1.9),  # thigh
            limb((side * 2.5, 0.2, 11.5), (side * 2.6, 0.0, 5.5), 1.6),  # shin
            ball((side * 2.6, 0.3, 4.6), (1.6, 2.2, 1.3)),  # foot
            limb((side * 4.1, 0.0, 27.6), (side * 6.6, 0.1, 30.2), 1.25),  # upper arm
            limb((side * 6.6, 0.1, 30.2), (side * 7.5, 0.2, 33.4), 1.15),  # forearm
            ball((side * 7.5, 0.2, 34.2), (1.5, 1.3, 1.7)),  # glove
        ]
    return pieces


def base() -> Solid:
    """Return a disc with a rounded upper edge."""
    half, edge = BASE_DIAMETER / 2, 0.8
    ring = [(half, BASE_HEIGHT - edge, 0.0)]
    ring += [
        (half - edge + edge * math.cos(turn), BASE_HEIGHT - edge + edge * math.sin(turn), turn)
        for turn in np.linspace(0, math.pi / 2, 7)
    ]
    outline = [(0.0, 0.0), (half, 0.0)] + [(x, z) for x, z, _ in ring[1:]] + [(0.0, BASE_HEIGHT)]
    return Solid.revolve(manifold3d.CrossSection([np.array(outline)]), 2 * SIDES)


def ball(centre: tuple[float, float, float], half: tuple[float, float, float]) -> Solid:
    """Return an ellipsoid by its half axes."""
    return Solid.sphere(1.0, SIDES).scale(half).translate(centre)


def limb(a: tuple[float, float, float], b: tuple[float, float, float], radius: float) -> Solid:
    """Return a capsule."""
    return Solid.batch_hull([Solid.sphere(radius, SIDES).translate(end) for end in (a, b)])


def bar(a: Floats, b: Floats, radius: float) -> Solid:
    """Return a cylinder between two points."""
    z = (b - a) / np.linalg.norm(b - a)
    x = np.array([1.0, 0.0, 0.0])
    turn = np.column_stack([x, np.cross(z, x), z, a])
    return Solid.cylinder(float(np.linalg.norm(b - a)), radius, radius, SIDES).transform(turn)


def scanned(solid: Solid) -> tuple[Floats, NDArray[np.int64]]:
    """Mesh a solid evenly, move its points as a scanner would, and lay it down as it lay on the turntable."""
    mesh = solid.simplify(0.004).refine_to_length(EDGE_MM).to_mesh64()
    points = np.array(mesh.vert_properties)[:, :3]
    faces = np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3)
    cross = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normals = np.column_stack(
        [np.bincount(faces.ravel(), weights=np.repeat(cross[:, k], 3), minlength=len(points)) for k in range(3)]
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    rng = np.random.default_rng(2024)
    waves = rng.normal(size=(200, 3)) / NOISE_LENGTH_MM
    shift = np.cos(points @ waves.T + rng.uniform(0, 2 * math.pi, 200)).sum(axis=1) * math.sqrt(2 / 200)
    turn, _ = np.linalg.qr(np.array([[0.8, -0.5, 0.33], [0.55, 0.83, -0.06], [-0.25, 0.23, 0.94]]))
    turn = turn if np.linalg.det(turn) > 0 else -turn
    return (points + NOISE_MM * shift[:, None] * normals) @ turn.T + np.array([12.0, -7.5, 31.0]), faces


def binary_stl(corners: Floats) -> bytes:
    """Return faces as binary STL."""
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    rows["normal"] = cross / np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-12)
    rows["corners"] = corners
    return b"goalkeeper, made by tools/make_goalkeeper.py".ljust(80) + struct.pack("<I", len(corners)) + rows.tobytes()


if __name__ == "__main__":
    main()
