"""The ball taken out of a scan: its form outside and inside, and how much of it was seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.ball_facets import facet_depth, true_corners
from homolog.scan.ball_form import Form, fit_form, spread_directions
from homolog.scan.ball_sphere import Found, Sphere
from homolog.scan.oriented import Oriented
from homolog.scan.surface import Bools, Floats, Ints, Surface
from homolog.scan.texture import texture_of

_CELLS = 1_600
# Fewer true corners than this tell a form no better than all points do.
_MIN_CORNERS = 40


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball in mm.

    Attributes:
        form: Form of the outside.
        inner: Form of the inside, if the file shows one.
        coverage: Share of the sphere that was seen.
        share: Share of the file's surface that lies on the ball.
        depth: How far flat facets lie inside the surface; 0 for a scan.
        noise: Scatter of the points about the form; 0 for a drawing.
    """

    form: Form
    inner: Form | None
    coverage: float
    share: float
    depth: float
    noise: float


def take_ball(surface: Oriented, found: Found) -> Ball:
    """Measure the form of a ball in mm that was found among the surface's points, or the thinned ones if they are many."""
    whole = surface.surface
    depth, is_drawing = 0.0, False
    if whole is not None and texture_of(whole).is_faceted:
        is_drawing = True
        # The corners of facets lie on the drawn surface, whatever a program has put between them.
        corners = true_corners(whole)
        near = np.abs(found.sphere.off(whole.points)) < 0.03 * found.sphere.radius
        depth = facet_depth(whole, near, found.sphere.centre)
        if depth > 1e-4 and (corners & near).sum() >= _MIN_CORNERS:
            surface = Oriented(surface.points, surface.normals, np.where(corners, surface.areas, 0.0), whole)
    points = surface.thinned()
    outside = found.outside
    form, kept = fit_form(points.points[outside], points.areas[outside], found.sphere)
    inner = None
    if found.inner is not None:
        inner, _ = fit_form(points.points[found.inside], points.areas[found.inside], found.inner)
    followed = float(points.areas[outside][kept].sum() / points.areas[outside].sum())
    coverage = _coverage(points.points[outside][kept], whole, Sphere(form.centre, form.mean.length / 2))
    return Ball(form, inner, coverage, found.share * followed, depth, 0.0 if is_drawing else form.scatter)


def seen_directions(surface: Oriented, ball: Ball) -> tuple[Floats, Bools]:
    """Return evenly spread directions (n, 3), and in which of them a ball was seen."""
    sphere = Sphere(ball.form.centre, ball.form.mean.length / 2)
    near = np.abs(sphere.off(surface.points)) < 0.04 * sphere.radius
    cells = _cells_seen(surface.points[near], surface.surface, sphere)
    is_seen = np.zeros(_CELLS, bool)
    is_seen[cells] = True
    return spread_directions(_CELLS), is_seen


def _coverage(points: Floats, mesh: Surface | None, sphere: Sphere) -> float:
    """Return the share of the sphere's directions in which it was seen."""
    return len(_cells_seen(points, mesh, sphere)) / _CELLS


def _cells_seen(points: Floats, mesh: Surface | None, sphere: Sphere) -> Ints:
    """Return the numbers of the directions in which a sphere was seen: by points, or by faces between them."""
    from scipy.spatial import cKDTree

    if mesh is not None:
        corners = mesh.corners
        near = np.abs(sphere.off(mesh.points)) < 0.04 * sphere.radius
        points = _within(corners[near[mesh.faces].all(axis=1)])
    unit = points - sphere.centre
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return np.unique(cKDTree(spread_directions(_CELLS)).query(unit)[1])


def _within(corners: Floats) -> Floats:
    """Return places all over some faces (m, 3, 3), as many on each as a face of a coarse ball needs."""
    steps = 12 if len(corners) < 1_500 else 5 if len(corners) < 10_000 else 2
    first, second = np.meshgrid(np.arange(steps) + 0.5, np.arange(steps) + 0.5)
    inside = first + second < steps
    a, b = first[inside] / steps, second[inside] / steps
    weights = np.column_stack([1 - a - b, a, b])
    return np.asarray(np.einsum("kc,mcx->mkx", weights, corners).reshape(-1, 3))
