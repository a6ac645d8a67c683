"""Scans for the door's tests: the smallest ones that can be measured."""

from __future__ import annotations

import math
import struct

Point = tuple[float, float, float]


def ellipsoid(
    *, a: float = 9.0, b: float = 6.0, c: float = 17.0, rings: int = 24, segments: int = 32
) -> list[tuple[Point, Point, Point]]:
    """Return a closed ellipsoid with the semi-axes a, b and c in mm, corners counterclockwise seen from outside."""

    def at(ring: int, segment: int) -> Point:
        polar, turn = math.pi * ring / rings, 2 * math.pi * (segment % segments) / segments
        if ring in (0, rings):
            return (0.0, 0.0, c if ring == 0 else -c)
        return (a * math.sin(polar) * math.cos(turn), b * math.sin(polar) * math.sin(turn), c * math.cos(polar))

    facets = []
    for ring in range(rings):
        for segment in range(segments):
            top, low = (at(ring, segment), at(ring, segment + 1)), (at(ring + 1, segment), at(ring + 1, segment + 1))
            if ring > 0:
                facets.append((top[0], low[0], top[1]))
            if ring < rings - 1:
                facets.append((top[1], low[0], low[1]))
    return facets


def stl(facets: list[tuple[Point, Point, Point]]) -> bytes:
    """Return facets as a binary STL file; the normals are left to the reader."""
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in facets)
    return b"a test's own shape".ljust(80, b" ") + struct.pack("<I", len(facets)) + body


def obj(facets: list[tuple[Point, Point, Point]]) -> bytes:
    """Return facets as an OBJ file, each corner written once."""
    corners = list(dict.fromkeys(corner for facet in facets for corner in facet))
    place = {corner: number for number, corner in enumerate(corners, 1)}
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in corners] + [f"f {place[a]} {place[b]} {place[c]}" for a, b, c in facets]
    return "\n".join(lines).encode() + b"\n"
