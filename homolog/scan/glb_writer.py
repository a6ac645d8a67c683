"""Named meshes as one GLB file: glTF 2.0 with its data embedded, in metres and with y upward, as the format has it."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Surface

_UNSIGNED, _FLOAT = 5125, 5126
_TRIANGLES = 4
_HEAD, _TEXT, _DATA = b"glTF", b"JSON", b"BIN\0"


@dataclass(frozen=True, slots=True)
class NamedMesh:
    """A surface in mm, z upward, with the name of its node and its colour as red, green and blue from 0 to 1."""

    name: str
    surface: Surface
    colour: tuple[float, float, float]


def write_glb(meshes: Sequence[NamedMesh]) -> bytes:
    """Return the file; the same meshes always give the same bytes. Meshes without faces are left out."""
    meshes = [mesh for mesh in meshes if len(mesh.surface.faces)]
    data = bytearray()
    views: list[dict[str, int]] = []
    accessors: list[dict[str, object]] = []
    for mesh in meshes:
        x, y, z = mesh.surface.points.T / 1000.0
        points = np.ascontiguousarray(np.column_stack([x, z, -y]), "<f4")
        index = np.ascontiguousarray(mesh.surface.faces, "<u4")
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        accessors.append({"bufferView": len(views), "componentType": _FLOAT, "count": len(points), "type": "VEC3", **bounds})
        accessors.append({"bufferView": len(views) + 1, "componentType": _UNSIGNED, "count": index.size, "type": "SCALAR"})
        for block, target in ((points, 34962), (index, 34963)):
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": block.nbytes, "target": target})
            data += block.tobytes()
    head = {
        "asset": {"version": "2.0", "generator": "homolog"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(meshes)))}],
        "nodes": [{"name": mesh.name, "mesh": at} for at, mesh in enumerate(meshes)],
        "meshes": [
            {
                "name": mesh.name,
                "primitives": [{"attributes": {"POSITION": 2 * at}, "indices": 2 * at + 1, "material": at, "mode": _TRIANGLES}],
            }
            for at, mesh in enumerate(meshes)
        ],
        "materials": [
            {
                "name": mesh.name,
                "doubleSided": True,
                "pbrMetallicRoughness": {"baseColorFactor": [*mesh.colour, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8},
            }
            for mesh in meshes
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I", len(text)) + _TEXT + text + struct.pack("<I", len(data)) + _DATA + bytes(data)
    return _HEAD + struct.pack("<II", 2, 12 + len(chunks)) + chunks
