"""How rough a surface is: the noise of a scan, told from the facets of a drawing."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from homolog.scan.rodline import frame_of
from homolog.scan.surface import Bools, Floats, Ints, Surface, cross, normals_and_areas

# Noise below this is left alone: smoothing would then cost more than it cures.
CALM_MM = 0.015
# Share of hollow folds above which a surface is rough: bodies of smooth pieces have a twentieth, noise makes a third.
_RIPPLE = 0.15
# The seams of a coarse drawing are hollow as well, up to a fifth; then most of its area lies in faces longer than a scan has.
_RIPPLE_OF_LONG_FACES = 0.28
_LONG_MM = 4.0
_MOSTLY = 0.3
# A point with an edge so many times longer than is usual holds a corner of the shape.
_CORNER = 6.0
_MAX_FOLD = math.radians(60)
_MIN_RADIUS = 0.4


@dataclass(frozen=True, slots=True)
class Folds:
    """The edges that two faces share: the faces, the angle between them (positive if convex), length, their heights over it."""

    faces: tuple[Ints, Ints]
    angle: Floats
    length: Floats
    heights: tuple[Floats, Floats]

    def within(self, chosen: Bools) -> Folds:
        """Return the folds between two chosen faces."""
        keep = chosen[self.faces[0]] & chosen[self.faces[1]]
        return Folds(
            (self.faces[0][keep], self.faces[1][keep]),
            self.angle[keep],
            self.length[keep],
            (self.heights[0][keep], self.heights[1][keep]),
        )


@dataclass(frozen=True, slots=True)
class Texture:
    """Roughness of a closed surface in mm.

    Attributes:
        noise: Standard deviation of the points along their normals; 0 for a drawing.
        ripple: Share of the folds that are hollow; high for a noisy scan, low for the facets of a drawing.
        edge: Median length of an edge.
        deficit: c, by how much the facets of rounded faces undercut the body, mm3; the body lies in [V, V + 4 c].
        folds: The folds of its edges.
    """

    noise: float
    ripple: float
    edge: float
    deficit: float
    folds: Folds = field(repr=False)

    @property
    def is_faceted(self) -> bool:
        """Whether the points lie on the body's true surface, as in a drawing, instead of scattering about it."""
        return self.noise == 0.0


def folds_of(surface: Surface) -> Folds:
    """Measure the fold of every edge that two faces share."""
    normals, areas = normals_and_areas(surface.corners)
    one, other = surface.edges.pairs
    a, b = one // 3, other // 3
    corner = one - 3 * a
    begin = surface.faces.ravel()[one]
    end = surface.faces.ravel()[np.where(corner == 2, one - 2, one + 1)]
    along = np.take(surface.points, end, axis=0) - np.take(surface.points, begin, axis=0)
    length = np.sqrt(np.einsum("ij,ij->i", along, along))
    safe = np.where(length > 0, length, 1.0)
    first, second = np.take(normals, a, axis=0), np.take(normals, b, axis=0)
    sine = np.einsum("ij,ij->i", cross(first, second), along) / safe
    cosine = np.einsum("ij,ij->i", first, second)
    return Folds((a, b), np.arctan2(sine, cosine), length, (2 * areas[a] / safe, 2 * areas[b] / safe))


def facet_deficit(folds: Folds) -> float:
    """Return c, the volume that flat facets cut from rounded faces: the sum of L theta min(h)^2 / 12.

    Sharp edges, and rounding tighter than 0.4 mm, belong to the shape and do not count.
    """
    h_1, h_2 = folds.heights
    angle = np.abs(folds.angle)
    radius = (h_1 + h_2) / (2 * np.maximum(angle, 1e-12))
    rounded = (angle < _MAX_FOLD) & (radius > _MIN_RADIUS)
    return float((folds.length * folds.angle * np.minimum(h_1, h_2) ** 2 * rounded).sum() / 12)


def neighbour_mean(surface: Surface) -> Any:
    """Return the sparse matrix that takes the mean over each point's neighbours."""
    from scipy.sparse import coo_matrix

    n = len(surface.points)
    a = surface.faces.ravel()
    b = surface.faces[:, [1, 2, 0]].ravel()
    matrix = coo_matrix((np.ones(2 * len(a)), (np.r_[a, b], np.r_[b, a])), shape=(n, n)).tocsr()
    matrix.data[:] = 1.0
    degree = np.maximum(np.diff(matrix.indptr), 1)
    matrix.data /= np.repeat(degree, np.diff(matrix.indptr))
    return matrix


def point_normals(surface: Surface) -> Floats:
    """Return unit normals (n, 3) at the points, weighted by area."""
    normals, areas = normals_and_areas(surface.corners)
    weighted = np.repeat(normals * areas[:, None], 3, axis=0)
    total = np.column_stack(
        [np.bincount(surface.faces.ravel(), weights=weighted[:, k], minlength=len(surface.points)) for k in range(3)]
    )
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(total / np.where(length > 0, length, 1.0))


def texture_of(surface: Surface) -> Texture:
    """Measure the texture of a closed surface in mm."""
    folds = folds_of(surface)
    weight = np.minimum(folds.length, 0.5)
    bent = (np.abs(folds.angle) > 0.01) & (folds.length > 0)
    ripple = float(weight[bent & (folds.angle < 0)].sum() / max(float(weight[bent].sum()), 1e-30))
    edge = float(np.median(folds.length))
    rough = ripple > (_RIPPLE_OF_LONG_FACES if _has_long_faces(surface) else _RIPPLE)
    noise = scatter(surface, max(1.2, 2.2 * edge)) if rough else 0.0
    return Texture(noise, ripple, edge, max(facet_deficit(folds), 0.0), folds)


def _has_long_faces(surface: Surface) -> bool:
    """Say whether much of a surface lies in faces longer than those of a scan that is fine enough to have noise at all."""
    corners = surface.corners
    areas = normals_and_areas(corners)[1]
    longest = np.sqrt(((np.roll(corners, -1, axis=1) - corners) ** 2).sum(axis=2).max(axis=1))
    return float(areas[longest > _LONG_MM].sum()) > _MOSTLY * float(areas.sum())


def scatter(surface: Surface, radius: float, places: int = 150) -> float:
    """Return the median scatter of the points about paraboloids of a given radius in mm, fitted at evenly chosen points.

    A paraboloid follows the body but not the noise, whether that changes from point to point or over half a millimetre.
    """
    from scipy.spatial import cKDTree

    normals = point_normals(surface)
    chosen = np.linspace(0, len(surface.points) - 1, min(places, len(surface.points))).astype(np.int64)
    around = cKDTree(surface.points).query_ball_point(surface.points[chosen], radius)
    found = []
    for point, rows in zip(chosen, around, strict=True):
        near = np.array(rows)
        near = near[normals[near] @ normals[point] > 0.6]
        if len(near) < 14:
            continue
        offset = surface.points[near] - surface.points[point]
        height = offset @ normals[point]
        u, v = (offset @ frame_of(normals[point])[:, :2]).T
        system = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])
        left = height - system @ np.linalg.lstsq(system, height, rcond=None)[0]
        found.append(float(np.sqrt((left**2).sum() / (len(near) - 6))))
    return float(np.median(found)) if found else 0.0


def smoothed(surface: Surface, rounds: int = 12) -> Surface:
    """Return the surface with its short waves damped and its volume kept (Taubin's filter).

    Where an edge runs far beyond its neighbours, as along a rod that is drawn in two rings, its ends stay where they are:
    they would be pulled along it by millimetres.
    """
    mean = neighbour_mean(surface)
    free = ~_at_long_edges(surface)[:, None]
    points = surface.points
    for _ in range(rounds):
        points = points + 0.5 * free * (mean @ points - points)
        points = points - 0.53 * free * (mean @ points - points)
    return surface.moved(points)


def _at_long_edges(surface: Surface) -> Bools:
    begin, end = surface.faces.ravel(), surface.faces[:, [1, 2, 0]].ravel()
    length = np.linalg.norm(np.take(surface.points, end, axis=0) - np.take(surface.points, begin, axis=0), axis=1)
    long = length > _CORNER * float(np.median(length))
    found = np.zeros(len(surface.points), bool)
    found[begin[long]] = found[end[long]] = True
    return found
