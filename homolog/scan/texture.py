"""How rough a surface is: the noise of a scan, told from the facets of a drawing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Floats, Surface, edges_of, normals_and_areas

# Noise below this is left alone: smoothing would then cost more than it cures.
CALM_MM = 0.015
_MAX_FOLD = math.radians(60)
_MIN_RADIUS = 0.4


@dataclass(frozen=True, slots=True)
class Texture:
    """Roughness of a closed surface in mm.

    Attributes:
        noise: Standard deviation of the points along their normals; 0 for a drawing.
        ripple: Share of the folds that are hollow; high for a noisy scan, low for the facets of a drawing.
        edge: Median length of an edge.
        deficit: c, by how much the facets of rounded faces undercut the body, mm3; the body lies in [V, V + 4 c].
    """

    noise: float
    ripple: float
    edge: float
    deficit: float

    @property
    def is_faceted(self) -> bool:
        """Whether the points lie on the body's true surface, as in a drawing, instead of scattering about it."""
        return self.noise == 0.0


@dataclass(frozen=True, slots=True)
class Folds:
    """The edges of a closed surface: end points, angle between its faces (positive if convex), length, lower height over it."""

    ends: tuple[Floats, Floats]
    angle: Floats
    length: Floats
    heights: tuple[Floats, Floats]


def folds_of(surface: Surface) -> Folds:
    """Measure the fold of every edge that two faces share."""
    corners = surface.corners
    normals, areas = normals_and_areas(corners)
    one, other = edges_of(surface.faces, len(surface.points)).pairs
    begin = surface.points[surface.faces.ravel()[one]]
    end = surface.points[surface.faces[:, [1, 2, 0]].ravel()[one]]
    along = end - begin
    length = np.linalg.norm(along, axis=1)
    first, second = normals[one // 3], normals[other // 3]
    sine = np.einsum("ij,ij->i", np.cross(first, second), along) / np.where(length > 0, length, 1.0)
    cosine = np.einsum("ij,ij->i", first, second)
    safe = np.where(length > 0, length, 1.0)
    heights = (2 * areas[one // 3] / safe, 2 * areas[other // 3] / safe)
    return Folds((begin, end), np.arctan2(sine, cosine), length, heights)


def facet_deficit(folds: Folds) -> float:
    """Return c, the volume that flat facets cut from rounded faces: the sum of L theta min(h)^2 / 12.

    Sharp edges, and rounding tighter than 0.4 mm, belong to the shape and do not count.
    """
    h_1, h_2 = folds.heights
    angle = np.abs(folds.angle)
    radius = (h_1 + h_2) / (2 * np.maximum(angle, 1e-12))
    rounded = (angle < _MAX_FOLD) & (radius > _MIN_RADIUS)
    return float((folds.length * folds.angle * np.minimum(h_1, h_2) ** 2 * rounded).sum() / 12)


def neighbour_mean(surface: Surface) -> object:
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
    mean = neighbour_mean(surface)
    normals = point_normals(surface)
    lift = ((mean @ surface.points - surface.points) * normals).sum(1)  # type: ignore[operator]
    rough = lift - mean @ lift  # type: ignore[operator]
    noise = float(np.median(np.abs(rough))) * 1.4826 / 1.6 * 1.3
    return Texture(noise if ripple > 0.15 else 0.0, ripple, edge, max(facet_deficit(folds), 0.0))


def smoothed(surface: Surface, rounds: int = 12) -> Surface:
    """Return the surface with its short waves damped and its volume kept (Taubin's filter)."""
    mean = neighbour_mean(surface)
    points = surface.points
    for _ in range(rounds):
        points = points + 0.5 * (mean @ points - points)  # type: ignore[operator]
        points = points - 0.53 * (mean @ points - points)  # type: ignore[operator]
    return surface.moved(points)
