"""Which faces belong together at an edge that two closed pieces share."""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Bools, Edges, Floats, Ints, Surface, cross


def pairs_at_shared_edges(surface: Surface, edges: Edges) -> tuple[Ints, Ints]:
    """Pair the half-edges of edges that four faces share, two of them in each sense.

    Two pieces that touch along an edge are closed each for itself. Going about the edge through the inside of a piece, the
    face that runs along the edge is followed by the one that runs against it; where pieces overlap, the inner pair is
    matched first. Every such matching leaves closed pieces with the same union.

    Returns:
        The half-edges that run from the lower to the higher point, and the partner of each.
    """
    start = edges.start[edges.count == 4]
    four = edges.order[start[:, None] + np.arange(4)] if len(start) else np.empty((0, 4), np.int64)
    four = four[edges.forward[four].sum(axis=1) == 2]
    if not len(four):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    forward = edges.forward[four]
    # Decreasing angles lead from a face that runs along the edge into its piece.
    order = np.argsort(-_angles(surface, four, forward), axis=1, kind="stable")
    four, forward = np.take_along_axis(four, order, 1), np.take_along_axis(forward, order, 1)
    # Begin at a forward half-edge that comes after a backward one: then the row reads F B F B or F F B B.
    first = (forward & ~np.roll(forward, 1, axis=1)).argmax(axis=1)
    turn = (first[:, None] + np.arange(4)) % 4
    four, forward = np.take_along_axis(four, turn, 1), np.take_along_axis(forward, turn, 1)
    nested = forward[:, 1]
    one = np.where(nested[:, None], four[:, [0, 1]], four[:, [0, 2]])
    other = np.where(nested[:, None], four[:, [3, 2]], four[:, [1, 3]])
    return one.ravel(), other.ravel()


def _angles(surface: Surface, four: Ints, forward: Bools) -> Floats:
    """Return the angles of the faces about their edge, which points from the lower to the higher point."""
    face, corner = four // 3, four % 3
    begin = surface.points[surface.faces[face, corner]]
    end = surface.points[surface.faces[face, (corner + 1) % 3]]
    apex = surface.points[surface.faces[face, (corner + 2) % 3]]
    low = np.where(forward[..., None], begin, end)[:, :1]
    axis = (np.where(forward[..., None], end, begin) - low)[:, 0]
    axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-30)
    arm = apex - low
    arm -= np.einsum("ijk,ik->ij", arm, axis)[..., None] * axis[:, None]
    x = arm[:, 0] / np.maximum(np.linalg.norm(arm[:, 0], axis=1, keepdims=True), 1e-30)
    y = cross(axis, x)
    return np.asarray(np.arctan2(np.einsum("ijk,ik->ij", arm, y), np.einsum("ijk,ik->ij", arm, x)))
