"""Several bodies side by side in one file: told apart, and numbered as one reads."""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Floats, Ints, normals_and_areas
from homolog.scan.welding import weld

# Pieces of one body overlap or touch; bodies side by side stay at least this share of their size apart.
_CELL = 0.02
# A piece smaller than this share of the largest one is a fragment of the body next to it.
_FRAGMENT = 0.35
# Of bodies with thin limbs, what has less than this share of the largest one's surface is debris.
_DEBRIS = 0.02
MAX_BODIES = 60


def separate(corners: Floats, *, with_limbs: bool = False) -> list[Ints]:
    """Tell the bodies of a file apart.

    Args:
        corners: Faces of shape (m, 3, 3), in any unit.
        with_limbs: The bodies have limbs longer than they are themselves: no piece but debris is given to a body that it does
            not touch.

    Returns:
        The faces of every body, in order of their first face.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    surface = weld(corners)
    faces = surface.faces
    links = coo_matrix(
        (np.ones(2 * len(faces), np.int8), (np.r_[faces[:, 0], faces[:, 1]], np.r_[faces[:, 1], faces[:, 2]])),
        shape=(len(surface.points),) * 2,
    )
    pieces, of_point = connected_components(links, directed=False)
    of_face = of_point[faces[:, 0]]
    low, high = np.full((pieces, 3), np.inf), np.full((pieces, 3), -np.inf)
    np.minimum.at(low, of_point, surface.points)
    np.maximum.at(high, of_point, surface.points)
    size = np.linalg.norm(high - low, axis=1)
    cell = _CELL * float(size.max())
    if with_limbs:
        owner = _merged(corners, of_face, np.arange(pieces), cell)
        area: Floats = np.bincount(owner[of_face], weights=normals_and_areas(corners)[1], minlength=pieces).astype(np.float64)
        is_small = area[owner] < _DEBRIS * area.max()
    else:
        is_small = size < _FRAGMENT * size.max()
        owner = _merged(corners, of_face, np.flatnonzero(~is_small), cell)
    small, large = np.flatnonzero(is_small), np.flatnonzero(~is_small)
    if len(small):
        anchor = np.isin(of_face, large)
        tree = cKDTree(corners[anchor].mean(axis=1))
        nearest = tree.query((low[small] + high[small]) / 2)[1]
        owner[small] = owner[of_face[anchor][nearest]]
    label = owner[of_face]
    _, first = np.unique(label, return_index=True)
    return [np.flatnonzero(label == label[at]) for at in np.sort(first)]


def _merged(corners: Floats, of_face: Ints, large: Ints, cell: float) -> Ints:
    """Give pieces that share a cell of space, or neighbouring ones, the same owner."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    pieces = int(of_face.max()) + 1
    points, owners = _spread(corners, of_face, cell)
    index = np.floor((points - points.min(axis=0)) / cell).astype(np.int64)
    key = (index[:, 0] << 42) + (index[:, 1] << 21) + index[:, 2]
    order = np.argsort(key, kind="stable")
    same = key[order][1:] == key[order][:-1]
    a, b = owners[order][:-1][same], owners[order][1:][same]
    keep = (a != b) & np.isin(a, large) & np.isin(b, large)
    graph = coo_matrix((np.ones(int(keep.sum()), np.int8), (a[keep], b[keep])), shape=(pieces, pieces))
    return np.asarray(connected_components(graph, directed=False)[1], np.int64)


def _spread(corners: Floats, of_face: Ints, cell: float) -> tuple[Floats, Ints]:
    """Return points on faces no farther apart than a cell, and whose they are."""
    found, owners = [corners.reshape(-1, 3)], [np.repeat(of_face, 3)]
    for _ in range(12):
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        long = edges.max(axis=1) > cell
        if not long.any() or int(long.sum()) > 400_000:
            break
        corners, of_face = corners[long], of_face[long]
        rows, at = np.arange(len(corners)), edges[long].argmax(axis=1)
        a, b, c = (corners[rows, (at + k) % 3] for k in range(3))
        middle = (a + b) / 2
        found.append(middle)
        owners.append(of_face)
        corners = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
        of_face = np.concatenate([of_face, of_face])
    return np.concatenate(found), np.concatenate(owners)


def seen_from_above(up: Floats) -> tuple[Floats, Floats]:
    """Return what is to the right and what is away, as one looks down: the file's x axis is to the right, or y where x is up."""
    across = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    right = across - (across @ up) * up
    right /= np.linalg.norm(right)
    return right, np.cross(up, right)


def reading_order(centres: Floats, up: Floats, pitch: float) -> list[int]:
    """Return the order in which one reads bodies: left to right, row by row from the far side, seen from above.

    Args:
        centres: Of the bodies, (k, 3), in the file's frame.
        up: Upward direction.
        pitch: Width of a body: rows lie at least half of that apart.
    """
    right, away = seen_from_above(up)
    far, side = centres @ away, centres @ right
    by_far = np.argsort(-far, kind="stable")
    breaks = np.flatnonzero(-np.diff(far[by_far]) > pitch / 2) + 1
    return [int(at) for row in np.split(by_far, breaks) for at in row[np.argsort(side[row], kind="stable")]]
