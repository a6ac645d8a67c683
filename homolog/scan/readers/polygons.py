"""Faces of four or more corners cut into triangles without changing the body: convex ones as fans, others ear by ear.

A library would cut them too, but trimesh fans every quad and drops or fans larger faces whatever their shape, which
turns a dented face into a wrong solid. Here a face that cannot be cut without crossing itself is refused.
"""

from __future__ import annotations

import numpy as np

from homolog.errors import InputRefused
from homolog.scan.readers.mesh import Floats, Ints

MAX_EAR_WORK = 20_000_000
"""Sum of squared corner counts that may be cut ear by ear."""
_FLAT = 1e-9
_CHUNK = 16_384


def cut_faces(points: Floats, corners: Ints, sizes: Ints, name: str) -> tuple[Ints, Ints, float]:
    """Cut faces into triangles.

    Args:
        points: Shape (n, 3).
        corners: Indices into the points, face after face.
        sizes: Corners of each face.
        name: What the messages call the file.

    Returns:
        Triangles (m, 3) in the order of their faces; the first triangle of each face; the volume that lies between the
        ways to cut faces that are not flat.

    Raises:
        InputRefused: A face crosses itself.
    """
    starts = np.cumsum(sizes) - sizes
    first = np.cumsum(sizes - 2) - (sizes - 2)
    triangles = np.empty((int((sizes - 2).sum()), 3), np.int64)
    bent, work = 0.0, 0
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        loops = corners[starts[chosen, None] + np.arange(size)]
        if size == 3:
            triangles[first[chosen]] = loops
            continue
        for at in range(0, len(chosen), _CHUNK):
            some, few = chosen[at : at + _CHUNK], loops[at : at + _CHUNK]
            cut, undecided = _fans(points, few)
            work += len(undecided) * int(size) ** 2
            if work > MAX_EAR_WORK:
                raise _refused(name, int(some[undecided[0]]), "is dented and has too many corners")
            _cut_dented(points, few, cut, undecided, name, some)
            triangles[first[some, None] + np.arange(size - 2)] = cut
            bent += _bend(points, few)
    return triangles, first, bent


def _cut_dented(points: Floats, loops: Ints, cut: Ints, undecided: Ints, name: str, numbers: Ints) -> None:
    """Cut the undecided ones of some faces ear by ear, in place."""
    for face in undecided:
        ears = cut_ears(points[loops[face]])
        if ears is None:
            raise _refused(name, int(numbers[face]), "crosses itself")
        cut[face] = loops[face][ears]


def _refused(name: str, face: int, what: str) -> InputRefused:
    return InputRefused.because(f"the face {what}", where=f"{name}: face {face + 1}", todo="export triangles", code="mesh_face")


def _fans(points: Floats, loops: Ints) -> tuple[Ints, Ints]:
    """Return the fans (f, k - 2, 3) of faces (f, k), and which faces must be cut in another way."""
    count, size = loops.shape
    fan = np.stack([np.zeros(size - 2, np.int64), np.arange(1, size - 1), np.arange(2, size)], axis=1)
    cut = loops[:, fan]
    sound = _is_fan(points, loops)
    if size == 4:
        # A dent at the first or third corner is no dent for the other diagonal.
        other = np.roll(loops, -1, axis=1)
        turn = ~sound & _is_fan(points, other)
        cut[turn] = other[turn][:, fan]
        sound |= turn
    return cut, np.flatnonzero(~sound) if count else np.empty(0, np.int64)


def _is_fan(points: Floats, loops: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Say for each face whether the fan from its first corner covers it and no more."""
    rays = points[loops[:, 1:]] - points[loops[:, :1]]
    normals = np.cross(rays[:, :-1], rays[:, 1:])
    whole = normals.sum(axis=1)
    scale = (whole**2).sum(axis=1)
    covered = (np.einsum("fij,fj->fi", normals, whole) >= -_FLAT * scale[:, None]).all(axis=1)
    # Two halves that face each other leave nothing of their sum: that is a crossed face, unless there is no area at all.
    halves = np.linalg.norm(normals, axis=2).sum(axis=1)
    covered &= (np.sqrt(scale) >= 0.5 * halves) | (halves <= 1e-12 * (rays**2).sum(axis=2).max(axis=1))
    if loops.shape[1] == 4:
        return np.asarray(covered)
    edges = np.roll(points[loops], -1, axis=1) - points[loops]
    turns = np.einsum("fij,fj->fi", np.cross(edges, np.roll(edges, -1, axis=1)), whole)
    return np.asarray(covered & (turns >= -_FLAT * scale[:, None]).all(axis=1))


def _bend(points: Floats, loops: Ints) -> float:
    """Return a bound of the volume between the ways to cut faces that are not flat."""
    rays = points[loops[:, 1:]] - points[loops[:, :1]]
    if loops.shape[1] == 4:
        return float(np.abs(np.einsum("fj,fj->f", rays[:, 0], np.cross(rays[:, 1], rays[:, 2]))).sum() / 6)
    whole = np.cross(rays[:, :-1], rays[:, 1:]).sum(axis=1)
    area = np.linalg.norm(whole, axis=1)
    heights = np.einsum("fij,fj->fi", rays, whole / np.where(area > 0, area, 1.0)[:, None])
    return float((np.ptp(np.c_[np.zeros(len(loops)), heights], axis=1) * area / 2).sum())


def cut_ears(corners: Floats) -> list[list[int]] | None:
    """Cut one face of shape (k, 3) ear by ear; None if it crosses itself."""
    whole = np.cross(corners[1:-1] - corners[0], corners[2:] - corners[0]).sum(axis=0)
    axis = int(np.abs(whole).argmax())
    flat = np.delete(corners, axis, axis=1)
    if whole[axis] * (-1.0 if axis == 1 else 1.0) < 0:
        flat[:, 0] = -flat[:, 0]
    spots = [(float(x), float(y)) for x, y in flat - flat.mean(axis=0)]
    left = list(range(len(spots)))
    ears: list[list[int]] = []
    while len(left) > 3:
        at = next((at for at in range(len(left)) if _is_ear(spots, left, at)), None)
        if at is None:
            return None
        ears.append([left[at - 1], left[at], left[(at + 1) % len(left)]])
        del left[at]
    ears.append(left)
    areas = [_area(*(spots[corner] for corner in ear)) for ear in ears]
    return ears if areas[-1] >= 0 or abs(areas[-1]) <= _FLAT * sum(map(abs, areas)) else None


def _area(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_ear(spots: list[tuple[float, float]], left: list[int], at: int) -> bool:
    a, b, c = spots[left[at - 1]], spots[left[at]], spots[left[(at + 1) % len(left)]]
    if _area(a, b, c) <= 0:
        return False
    for other in left:
        spot = spots[other]
        inside = _area(a, b, spot) >= 0 and _area(b, c, spot) >= 0 and _area(c, a, spot) >= 0
        if inside and spot not in (a, b, c):
            return False
    return True
