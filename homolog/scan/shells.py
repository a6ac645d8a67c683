"""Shells: the connected pieces of a surface, each turned to one sense and closed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.shared_edges import pairs_at_shared_edges
from homolog.scan.surface import Floats, Ints, Surface, normals_and_areas, signed_volume

MAX_SHELLS = 2_000
# A rim whose faces lean more than this from the hole's own normal says nothing about what lies inside the hole.
_MAX_LEAN = math.radians(40)
# An open piece smaller than this, of the whole area, is closed only if it is nearly closed already.
_SMALL = 0.02
# A piece is nearly closed if what closes its holes is no larger than this share of it: 1 for a flat sheet, 1/2 for half a ball.
_NEARLY_CLOSED = 0.3


@dataclass(frozen=True, slots=True)
class Filling:
    """A hole that was closed: area of the filling, how much a bulge added to a flat one, and length of its rim.

    Attributes:
        points: The rim's points (k, 3) in file units, and last the point that was put in; the rim alone if none was.
    """

    area: float
    bulge: float
    rim: float
    points: Floats


@dataclass(frozen=True, slots=True)
class Shell:
    """One closed piece that faces outward.

    Attributes:
        turned: How many of its faces ran against the others.
        inward: Whether it faced inward as it came.
        fillings: Holes that were closed.
    """

    surface: Surface
    volume: float
    turned: int
    inward: bool
    fillings: tuple[Filling, ...]


@dataclass(frozen=True, slots=True)
class Shells:
    """All closed pieces, and what was left out: loose sheets and pieces with only one side.

    Attributes:
        loose: How many pieces were left out.
        doubt: The most that they may enclose together, in file units.
    """

    closed: tuple[Shell, ...]
    loose: int
    doubt: float


def is_cavity(shell: Shell, shells: tuple[Shell, ...]) -> bool:
    """Say whether a shell faces inward and lies within the box of a larger one that faces outward."""
    low, high = shell.surface.points.min(0), shell.surface.points.max(0)
    for other in shells:
        if other is shell or other.inward or other.volume <= shell.volume:
            continue
        if (other.surface.points.min(0) < low).all() and (other.surface.points.max(0) > high).all():
            return shell.inward
    return False


def component_labels(surface: Surface) -> tuple[Ints, Ints, Ints]:
    """Find connected pieces across edges that two faces share, or that two pieces share, and which faces run against the others.

    Every face is entered twice, once for each sense; a face meets its neighbour in the sense that agrees with it.

    Returns:
        A label per face, -1 or +1 per face (against or with the majority of its piece), and the one-sided labels.
    """
    from scipy.sparse import coo_matrix, csr_matrix
    from scipy.sparse.csgraph import connected_components

    m = len(surface.faces)
    edges = surface.edges
    if edges.are_closed:  # all faces agree with their three neighbours, so that one sense is enough
        one, other = edges.pairs
        neighbours = np.empty(3 * m, np.int32)
        neighbours[one], neighbours[other] = other // 3, one // 3
        graph = csr_matrix((np.ones(3 * m, np.int8), neighbours, np.arange(0, 3 * m + 1, 3, dtype=np.int32)), shape=(m, m))
        label = connected_components(graph, directed=False)[1].astype(np.int64)
        return label, np.ones(m, np.int64), np.empty(0, np.int64)
    one, other = (np.concatenate(both) for both in zip(edges.pairs, pairs_at_shared_edges(surface, edges), strict=True))
    agree = edges.forward[one] != edges.forward[other]
    a, b = one // 3, other // 3
    rows = np.r_[a, a + m]
    columns = np.r_[np.where(agree, b, b + m), np.where(agree, b + m, b)]
    graph = coo_matrix((np.ones(len(rows), np.int8), (rows, columns)), shape=(2 * m, 2 * m))
    _, cover = connected_components(graph, directed=False)
    mine, turned = cover[:m].astype(np.int64), cover[m:].astype(np.int64)
    names, label = np.unique(np.minimum(mine, turned), return_inverse=True)
    sense = np.where(mine <= turned, 1, -1)
    majority = np.where(np.bincount(label, weights=sense, minlength=len(names)) >= 0, 1, -1)
    one_sided = np.unique(label[mine == turned])
    return label, sense * majority[label], one_sided


def split_shells(surface: Surface) -> Shells:
    """Split a surface into closed shells that face outward; sheets too small to matter are left out and counted."""
    is_closed = surface.edges.are_closed
    label, sense, one_sided = component_labels(surface)
    pieces = int(label.max()) + 1 if len(label) else 0
    _, areas = normals_and_areas(surface.corners)
    area: Floats = np.bincount(label, weights=areas, minlength=pieces).astype(np.float64)
    faces = np.where((sense > 0)[:, None], surface.faces, surface.faces[:, ::-1])
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(pieces + 1))
    largest = np.argsort(-area, kind="stable")
    closed: list[Shell] = []
    loose, doubt = 0, 0.0
    for piece in largest[: MAX_SHELLS + 1]:
        chosen = order[bounds[piece] : bounds[piece + 1]]
        part = _only(surface.points, faces[chosen])
        rims = [] if is_closed else open_loops(part)
        if piece in one_sided:
            loose, doubt = loose + 1, doubt + _most_within(area[[piece]])
            continue
        shell = _close(part, rims, int((sense[chosen] < 0).sum()))
        if rims and area[piece] < _SMALL * area.sum() and not _is_nearly_closed(shell, float(area[piece])):
            loose, doubt = loose + 1, doubt + shell.volume
            continue
        closed.append(shell)
    unseen = largest[MAX_SHELLS + 1 :]
    return Shells(tuple(closed), loose + len(unseen), doubt + _most_within(area[unseen]))


def _is_nearly_closed(shell: Shell, area: float) -> bool:
    return sum(filling.area for filling in shell.fillings) < _NEARLY_CLOSED * area


def _most_within(areas: Floats) -> float:
    """Return the most that surfaces can enclose: what balls of their areas do."""
    return float((areas**1.5).sum()) / (6 * math.sqrt(math.pi))


def _only(points: Floats, faces: Ints) -> Surface:
    used, index = np.unique(faces, return_inverse=True)
    return Surface(points[used], index.reshape(-1, 3))


def _close(part: Surface, rims: list[Ints], turned: int) -> Shell:
    fillings: list[Filling] = []
    if rims:
        part, fillings = fill_loops(part, rims)
    volume = signed_volume(part.corners)
    if volume < 0:
        part = Surface(part.points, part.faces[:, ::-1])
    return Shell(part, abs(volume), turned, volume < 0, tuple(fillings))


def open_loops(surface: Surface) -> list[Ints]:
    """Return the rims of the holes of a surface in one sense, each a cycle of point indices that a filling would run along."""
    edges = surface.edges
    run = np.where(edges.forward, 1, -1)
    balance = np.add.reduceat(run[edges.order], edges.start) if len(edges.start) else np.empty(0, np.int64)
    begin, end = surface.faces.ravel(), surface.faces[:, [1, 2, 0]].ravel()
    follow: dict[int, list[int]] = {}
    for edge in np.flatnonzero(balance):
        half = edges.order[edges.start[edge] : edges.start[edge] + edges.count[edge]]
        extra = half[edges.forward[half] == (balance[edge] > 0)][: abs(int(balance[edge]))]
        for one in extra:  # the filling runs against the face
            follow.setdefault(int(end[one]), []).append(int(begin[one]))
    return _cycles(follow)


def _cycles(follow: dict[int, list[int]]) -> list[Ints]:
    loops: list[Ints] = []
    for seed in sorted(follow):
        while follow[seed]:
            path, place = [seed], {seed: 0}
            while follow.get(path[-1]):
                step = follow[path[-1]].pop()
                if step in place:  # a rim that touches itself is cut into simple loops
                    loop = path[place[step] :]
                    if len(loop) > 2:
                        loops.append(np.array(loop, np.int64))
                    for point in path[place[step] + 1 :]:
                        del place[point]
                    del path[place[step] + 1 :]
                else:
                    place[step] = len(path)
                    path.append(step)
    return loops


def fill_loops(surface: Surface, loops: list[Ints]) -> tuple[Surface, list[Filling]]:
    """Close each rim by a fan about a centre that is raised as the surface around the rim suggests."""
    normals, areas = normals_and_areas(surface.corners)
    at_point = np.zeros_like(surface.points)
    for corner in range(3):
        np.add.at(at_point, surface.faces[:, corner], normals * areas[:, None])
    points, faces, fillings = [surface.points], [surface.faces], []
    total = len(surface.points)
    for loop in loops:
        apex, filling = _apex(surface.points[loop], at_point[loop])
        fillings.append(filling)
        if len(loop) == 3:
            faces.append(loop[None, :])
            continue
        points.append(apex[None, :])
        faces.append(np.column_stack([loop, np.roll(loop, -1), np.full(len(loop), total)]))
        total += 1
    return Surface(np.vstack(points), np.vstack(faces)), fillings


def _apex(rim: Floats, outward: Floats) -> tuple[Floats, Filling]:
    after = np.roll(rim, -1, axis=0)
    steps = np.linalg.norm(after - rim, axis=1)
    centre = ((rim + after) / 2 * steps[:, None]).sum(0) / max(float(steps.sum()), 1e-30)
    vector = np.cross(rim - centre, after - centre).sum(0) / 2
    area = float(np.linalg.norm(vector))
    axis = vector / max(area, 1e-30)
    outward = outward / np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-30)
    radial = rim - centre
    radial -= (radial @ axis)[:, None] * axis
    reach = np.linalg.norm(radial, axis=1)
    lean = np.arctan2((outward * radial).sum(1) / np.maximum(reach, 1e-30), np.maximum(outward @ axis, 1e-30))
    mean = float(lean.mean())
    # A cap that leaves its rim at the angle `lean` has the height R tan(lean / 2) and half the volume of its cylinder,
    # a cone a third: the apex lies 1.5 times as high.
    height = 1.5 * float(reach.mean()) * math.tan(mean / 2) if abs(mean) < _MAX_LEAN and len(rim) > 3 else 0.0
    apex = centre + height * axis
    points = np.vstack([rim, apex]) if len(rim) > 3 else rim
    return apex, Filling(area, height * area / 3, float(steps.sum()), points)
