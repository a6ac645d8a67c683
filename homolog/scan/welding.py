"""Loose corners joined into a surface, and faces dropped that are none."""

from __future__ import annotations

from typing import Any

import numpy as np

from homolog.scan.surface import Floats, Ints, Surface, highest, lowest, sorted_with_place, starts_of_runs

_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def weld(corners: Floats) -> Surface:
    """Join corners of shape (m, 3, 3) whose numbers are the same; points keep the order of their first appearance."""
    flat = corners.reshape(-1, 3) + 0.0  # folds -0 into +0
    leader = _first_equal(flat)
    is_first = leader == np.arange(len(flat))
    rank = np.cumsum(is_first) - 1
    return Surface(flat[is_first], rank[leader].reshape(-1, 3))


def _first_equal(flat: Floats) -> Ints:
    """Return for every point (n, 3) the place of the first one that is equal to it."""
    bits = np.ascontiguousarray(flat).view(np.uint64)
    key = np.zeros(len(flat), np.uint64)
    with np.errstate(over="ignore"):
        for column, multiplier in enumerate(_MULTIPLIERS):
            key ^= bits[:, column] * np.uint64(multiplier)
            key ^= key >> np.uint64(29)
        key *= np.uint64(_MULTIPLIERS[0])
    # As many of its high bits as leave room for the place: the sort is then one of plain numbers.
    ordered, order = sorted_with_place((key >> np.uint64(1 + len(flat).bit_length())).astype(np.int64))
    begins = starts_of_runs(ordered)
    leader = np.empty(len(flat), np.int64)
    leader[order] = order[begins][np.cumsum(begins) - 1]
    differs = np.zeros(len(flat), bool)
    for column in range(3):
        differs |= flat[leader, column] != flat[:, column]
    if differs.any():  # different points with one key
        mixed = np.flatnonzero(np.isin(leader, leader[differs]))
        _, first, inverse = np.unique(flat[mixed], axis=0, return_index=True, return_inverse=True)
        leader[mixed] = mixed[first[inverse.ravel()]]
    return leader


def clean_faces(faces: Ints) -> tuple[Ints, int, int]:
    """Drop faces with two equal corners and all but the first of faces on the same three points.

    Returns:
        The faces left, how many had no extent, how many were doubles.
    """
    extended = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    flat = len(faces) - int(extended.sum())
    kept = faces[extended] if flat else faces
    if not len(kept):
        return kept, flat, 0
    low, high = lowest(kept), highest(kept)
    middle = kept[:, 0] + kept[:, 1] + kept[:, 2] - low - high
    size = int(high.max()) + 1
    if size < 1 << 21:
        key = np.sort((low * size + middle) * size + high)
        if not (key[1:] == key[:-1]).any():
            return kept, flat, 0
    order = np.lexsort((high, middle, low))
    first = starts_of_runs(low[order]) | starts_of_runs(middle[order]) | starts_of_runs(high[order])
    chosen = np.sort(order[first])
    return kept[chosen], flat, len(kept) - len(chosen)


def weld_seams(surface: Surface, tolerance: float) -> tuple[Surface, int]:
    """Join points on open edges that lie within a tolerance of each other.

    Only open edges are looked at, so that fine detail of a sound surface is never merged away.

    Returns:
        The surface, and how many points were joined to another.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    edges = surface.edges
    lone = edges.order[edges.start[edges.count == 1]]
    rim = np.unique(np.r_[surface.faces.ravel()[lone], surface.faces[:, [1, 2, 0]].ravel()[lone]])
    if not len(rim):
        return surface, 0
    pairs: Any = cKDTree(surface.points[rim]).query_pairs(tolerance, output_type="ndarray")
    if not len(pairs):
        return surface, 0
    graph = coo_matrix((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(len(rim), len(rim)))
    groups, label = connected_components(graph, directed=False)
    leader = np.full(groups, len(surface.points), np.int64)
    np.minimum.at(leader, label, rim)
    target = np.arange(len(surface.points))
    target[rim] = leader[label]
    return Surface(surface.points, target[surface.faces]), len(rim) - groups
