"""One hostile file read as the product reads it, and a second time in another way for comparison."""

from __future__ import annotations

import io
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homolog.errors import InputRefused
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_any


def read_case(data: bytes, name: str, *, compare: bool) -> dict[str, Any]:
    """Return the triangles and the volume that the product reads, or its refusal, or its crash."""
    try:
        mesh = read_any(data, {"name": name})
    except InputRefused as refusal:
        return {"refused": [(problem.what, problem.code) for problem in refusal.problems]}
    except Exception as error:  # whatever it is, it is the finding
        return {"crash": f"{type(error).__name__}: {error}"}
    volume, size = _volume(mesh.corners)
    answer: dict[str, Any] = {"triangles": len(mesh.faces), "volume": volume, "unit": mesh.unit}
    if compare:
        answer["difference"] = _difference(mesh, data, name, volume, size)
    return answer


def _volume(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Return the signed volume, and the sum of its terms' magnitudes, by which rounding is judged."""
    if not len(corners):
        return 0.0, 0.0
    terms = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return float(terms.sum()), float(np.abs(terms).sum())


def _difference(mesh: Mesh, data: bytes, name: str, volume: float, size: float) -> str:
    """Say how another program reads the same bytes differently; an empty text if it does not."""
    if mesh.format == "step":
        return ""  # the reader itself has seen that the mesh is closed
    if not len(mesh.faces):
        return "" if len(mesh.vertices) >= 100 else "fewer points than a cloud may have"
    import trimesh

    # Where faces are not flat, every way to cut them is as good: the programs may differ by that much.
    ending = PurePosixPath(name).suffix[1:]
    try:
        scene = trimesh.load(io.BytesIO(data), file_type=ending, process=False, force="scene")
        other = scene.to_mesh() if scene.geometry else None
    except Exception as error:  # the other program may fail in any way
        return f"the other program fails: {type(error).__name__}: {error}"
    if other is None:
        return "the other program reads nothing"
    theirs, _ = _volume(np.asarray(other.triangles, np.float64))
    if abs(theirs - volume) <= 1e-6 * max(size, 1e-300) + mesh.bent_volume:
        return ""
    return f"volume {volume} in {len(mesh.faces)} triangles, but the other program reads {theirs} in {len(other.faces)}"
