"""Finding the straight bars of a frame: lines on which pairs of neighbouring surface points agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.oriented import Oriented
from homolog.scan.surface import Floats

_PAIRS = 6_000
_CANDIDATES = 320
_REACH_MM = 7.0
_LINES = 26
_TURN = 0.97
_APART_MM = 2.5


@dataclass(frozen=True, slots=True)
class Line:
    """A line through a point along a unit direction, mm; `votes` is the share of the pairs that agree on it."""

    point: Floats
    direction: Floats
    votes: float


def area_samples(surface: Oriented, count: int, seed: int = 5) -> tuple[Floats, Floats]:
    """Return about `count` places on a surface, evenly over its area, with their normals."""
    rng = np.random.default_rng(seed)
    mesh = surface.surface
    if mesh is None:
        rows = rng.choice(len(surface.points), size=count, p=surface.areas / surface.areas.sum())
        return surface.points[rows], surface.normals[rows]
    corners = mesh.corners
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1)
    ladder = np.cumsum(length)
    rows = np.searchsorted(ladder, (np.arange(count) + rng.random(count)) / count * ladder[-1])
    rows = np.minimum(rows, len(length) - 1)
    a, b = rng.random(count), rng.random(count)
    beyond = a + b > 1
    a[beyond], b[beyond] = 1 - a[beyond], 1 - b[beyond]
    weights = np.column_stack([1 - a - b, a, b])
    places = np.einsum("nc,ncx->nx", weights, corners[rows])
    return places, cross[rows] / np.maximum(length[rows], 1e-300)[:, None]


def find_lines(places: Floats, normals: Floats) -> list[Line]:
    """Find lines along which bars may run, those with the most votes first.

    Two places on one bar have normals across its axis: their cross product is its direction, and stepping inward from
    both by the same length leads to (for a round bar) or near (for a square one) its middle.
    """
    from scipy.spatial import cKDTree

    rng = np.random.default_rng(7)
    tree = cKDTree(places)
    first = rng.integers(0, len(places), _PAIRS)
    jump = rng.normal(size=(_PAIRS, 3)) * (_REACH_MM / 3)
    second = tree.query(places[first] + jump)[1]
    cross = np.cross(normals[first], normals[second])
    sine = np.linalg.norm(cross, axis=1)
    apart = places[first] - places[second]
    turn = normals[first] - normals[second]
    depth = np.einsum("ij,ij->i", apart, turn) / np.maximum((turn**2).sum(axis=1), 1e-12)
    sound = (sine > 0.5) & (np.abs(depth) < 5.0) & (np.abs(depth) > 0.1)
    direction = cross[sound] / sine[sound, None]
    middle = ((places[first] + places[second]) / 2 - depth[:, None] * (normals[first] + normals[second]) / 2)[sound]
    if len(middle) < 50:
        return []
    seeds = rng.choice(len(middle), size=min(_CANDIDATES, len(middle)), replace=False)
    offset = middle[None] - middle[seeds][:, None]
    along = np.einsum("skx,sx->sk", offset, direction[seeds])
    across = (offset**2).sum(axis=2) - along**2
    near = (across < _APART_MM**2) & (np.abs(direction[seeds] @ direction.T) > _TURN)
    alive = np.ones(len(middle), bool)
    lines = []
    for _ in range(_LINES):
        votes = (near & alive).sum(axis=1)
        best = int(votes.argmax())
        if votes[best] < max(12, 0.004 * len(middle)):
            break
        agreeing = near[best] & alive
        lines.append(_line_through(middle[agreeing], direction[agreeing], direction[seeds[best]], votes[best] / len(middle)))
        alive &= ~near[best]
    return lines


def _line_through(middle: Floats, directions: Floats, towards: Floats, votes: float) -> Line:
    sign = np.where(directions @ towards < 0, -1.0, 1.0)
    direction = (directions * sign[:, None]).sum(axis=0)
    direction /= np.linalg.norm(direction)
    point = np.median(middle, axis=0)
    spread = middle - point
    if np.ptp(spread @ direction) > 15.0:
        direction = np.linalg.svd(spread - spread.mean(axis=0), full_matrices=False)[2][0]
    return Line(point, direction, float(votes))
