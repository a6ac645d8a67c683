"""Point clouds as a gate hands them on: points with a normal each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from homolog.gate.mesh import MAX_TRIANGLES, MeshFile, MeshFormat, Placement, RawMesh, refuse
from homolog.gate.numbers import little

MIN_POINTS = 100
"""Fewer points show neither a ball nor a goal."""
MAX_POINTS = 3 * MAX_TRIANGLES


def check_cloud(columns: Sequence[Sequence[float]], form: MeshFormat, name: str, where: Callable[[int], str]) -> MeshFile:
    """Take a point cloud of six columns: place and normal.

    Args:
        columns: x, y, z and the normal's x, y, z of every point.
        form: What the file is.
        name: What the messages call the file.
        where: Gives the place of a point by its number from 0.

    Raises:
        InputRefused: There are too few or too many points, or a normal has not the length 1.
    """
    count = len(columns[0])
    if not MIN_POINTS <= count <= MAX_POINTS:
        what = f"a point cloud of {count} points is not taken; {MIN_POINTS} to {MAX_POINTS} are"
        refuse(name, what, "export the scan as a mesh, or with fewer points", "cloud_size")
    for at, (x, y, z) in enumerate(zip(*columns[3:], strict=True)):
        if not 0.98 < x * x + y * y + z * z < 1.02:
            what = f"the normal ({x:g}, {y:g}, {z:g}) has not the length 1"
            refuse(where(at), what, "export the points as x y z nx ny nz with normals of length 1", "cloud_normal")
    points, normals = (_woven(columns[first : first + 3]) for first in (0, 3))
    mesh = RawMesh(points=points, normals=normals)
    return MeshFile(format=form, unit=None, triangles=0, points=count, meshes=(mesh,), placements=(Placement(mesh=0),))


def _woven(columns: Sequence[Sequence[float]]) -> bytes:
    return little(woven(columns))


def woven(columns: Sequence[Sequence[float]]) -> array[float]:
    """Return columns side by side as one array of doubles."""
    packed = array("d", bytes(8 * len(columns) * len(columns[0])))
    for place, values in enumerate(columns):
        packed[place :: len(columns)] = array("d", values)
    return packed
