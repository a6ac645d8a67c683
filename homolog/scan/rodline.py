"""Where the rod is: the straight line that the most and longest round pieces of a surface share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Floats, Surface, cross, normals_and_areas

MIN_RADIUS = 0.25
MAX_ROD_RADIUS = 3.2
MAX_RADIUS = 7.5
"""Radii in mm within which a rod, and then its handle, are looked for; wide enough for articles out of rule."""

_SEED = 20_403
_TOLERANCE = 0.3
_BLOCK = 250
_REFINED, _MOST_TRIED = 12, 200
# Of the eight sides of a rod, those that few samples show, and those that many do; and the least score of a line.
_SOME_SIDES, _MOST_SIDES = 3, 5
_LONG_ENOUGH = 16


@dataclass(frozen=True, slots=True)
class Samples:
    """Points spread evenly over a surface, (n, 3), with the outward normals there."""

    points: Floats
    normals: Floats


@dataclass(frozen=True, slots=True)
class Line:
    """A cylinder's axis through `centre` along `axis`, and its radius in mm."""

    centre: Floats
    axis: Floats
    radius: float

    def distance(self, points: Floats) -> Floats:
        """Return the distances of points (k, 3) from the axis."""
        offset = points - self.centre
        return np.asarray(np.linalg.norm(offset - (offset @ self.axis)[:, None] * self.axis, axis=1))

    def resembles(self, other: Line) -> bool:
        """Say whether two lines run along the same piece."""
        return abs(float(self.axis @ other.axis)) > 0.998 and float(other.distance(self.centre[None])[0]) < 1.0


def sample(surface: Surface, count: int) -> Samples:
    """Spread points evenly over a surface's area; the same surface always gives the same points."""
    corners = surface.corners
    normals, areas = normals_and_areas(corners)
    total = np.cumsum(areas)
    rng = np.random.default_rng(_SEED)
    place = (np.arange(count) + rng.random(count)) * (total[-1] / count)
    face = np.minimum(np.searchsorted(total, place), len(areas) - 1)
    u, v = rng.random((2, count))
    beyond = u + v > 1
    u[beyond], v[beyond] = 1 - u[beyond], 1 - v[beyond]
    chosen = corners[face]
    points = chosen[:, 0] + u[:, None] * (chosen[:, 1] - chosen[:, 0]) + v[:, None] * (chosen[:, 2] - chosen[:, 0])
    return Samples(points, normals[face])


def frame_of(axis: Floats) -> Floats:
    """Return a right-handed frame (3, 3) whose third column is the axis.

    Written out in plain numbers: it is called once a section, and numpy's overhead on three numbers would dominate.
    """
    x, y, z = (float(part) for part in axis)
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        a, b, c = 0.0, -z, y
    elif abs(y) <= abs(z):
        a, b, c = z, 0.0, -x
    else:
        a, b, c = -y, x, 0.0
    size = math.sqrt(a * a + b * b + c * c)
    a, b, c = a / size, b / size, c / size
    return np.array([[a, y * c - z * b, x], [b, z * a - x * c, y], [c, x * b - y * a, z]])


def find_line(samples: Samples, thickest: float) -> Line | None:
    """Find the line that most round pieces up to a radius share; None if nothing round is long enough."""
    if len(samples.points) < 2_000:
        return None
    centre, axis, radius = _hypotheses(samples, thickest)
    if not len(radius):
        return None
    thin = Samples(samples.points[::40], samples.normals[::40])
    score = np.concatenate(
        [
            _score(thin, centre[at : at + _BLOCK], axis[at : at + _BLOCK], radius[at : at + _BLOCK])
            for at in range(0, len(radius), _BLOCK)
        ]
    )
    best: tuple[float, Line] | None = None
    medium = Samples(samples.points[::4], samples.normals[::4])
    tried: list[Line] = []
    left = _REFINED
    for rank, at in enumerate(np.argsort(-score, kind="stable")):
        # A handle that turns out to be too thick may have taken all of the first places.
        if left == 0 or (rank >= _MOST_TRIED and best is not None):
            break
        guess = Line(centre[at], axis[at], float(radius[at]))
        if sum(guess.resembles(line) for line in tried) > 2:
            continue
        line = _refine(medium, guess)
        tried.append(line)
        if line.radius > thickest:
            continue
        value = float(_score(medium, line.centre[None], line.axis[None], np.array([line.radius]), _MOST_SIDES)[0])
        if value < _LONG_ENOUGH:
            continue
        left -= 1
        if best is None or value > best[0]:
            best = (value, line)
    return best[1] if best else None


def _hypotheses(samples: Samples, thickest: float, pairs: int = 60_000, keep: int = 800) -> tuple[Floats, Floats, Floats]:
    """Propose cylinders from pairs of near samples whose normals meet at one distance from both."""
    rng = np.random.default_rng(_SEED + 1)
    one, other = rng.integers(len(samples.points), size=(2, pairs))
    p, q = samples.points[one], samples.points[other]
    n, m = samples.normals[one], samples.normals[other]
    axis = cross(n, m)
    sine = np.linalg.norm(axis, axis=1)
    near = (np.linalg.norm(p - q, axis=1) < 40) & (sine > 0.3)
    p, q, n, m, axis = p[near], q[near], n[near], m[near], axis[near] / sine[near, None]
    between = p - q
    between -= np.einsum("ij,ij->i", between, axis)[:, None] * axis
    # In the plane across the axis p - r n = q - s m; the two radii of a true cylinder are equal.
    cosine = np.einsum("ij,ij->i", n, m)
    a, b = np.einsum("ij,ij->i", between, n), np.einsum("ij,ij->i", between, m)
    r = (a - b * cosine) / (1 - cosine**2)
    s = (a * cosine - b) / (1 - cosine**2)
    mean = (r + s) / 2
    fits = (np.abs(r - s) < 0.1 + 0.06 * np.abs(mean)) & (mean > MIN_RADIUS) & (mean < thickest)
    p, n, axis, mean = p[fits][:keep], n[fits][:keep], axis[fits][:keep], mean[fits][:keep]
    return p - mean[:, None] * n, axis, mean


def _score(samples: Samples, centre: Floats, axis: Floats, radius: Floats, sides: int = _SOME_SIDES) -> Floats:
    """Count, for each of k cylinders, the cells of 3 mm along by 45 degrees around in which the surface lies on it.

    A slot of 3 mm counts if so many of its eight sides are seen.
    """
    k = len(radius)
    helper = np.eye(3)[np.argmin(np.abs(axis), axis=1)]
    x = cross(helper, axis)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y = cross(axis, x)
    along = samples.points @ axis.T - np.einsum("ij,ij->i", centre, axis)
    u = samples.points @ x.T - np.einsum("ij,ij->i", centre, x)
    v = samples.points @ y.T - np.einsum("ij,ij->i", centre, y)
    reach = np.hypot(u, v)
    radial = u * (samples.normals @ x.T) + v * (samples.normals @ y.T)
    on = (np.abs(reach - radius) < _TOLERANCE) & (radial > 0.93 * reach)
    _, line_at = np.nonzero(on)
    slot = np.floor(along[on] / 3.0).astype(np.int64) + 200
    turn = ((np.arctan2(v[on], u[on]) / np.pi + 1) * 3.9999).astype(np.int64)
    cells = np.zeros((k, 400 * 8), bool)
    inside = (slot >= 0) & (slot < 400)
    cells[line_at[inside], slot[inside] * 8 + turn[inside]] = True
    around = cells.reshape(k, 400, 8).sum(axis=2)
    # A strip along one side is no rod, nor is what a flat grip and the rod's side have in common: a slot has to be round.
    return np.asarray((around * (around >= sides)).sum(axis=1), np.float64)


def _refine(samples: Samples, line: Line) -> Line:
    for _ in range(6):
        offset = samples.points - line.centre
        along = offset @ line.axis
        radial = offset - along[:, None] * line.axis
        reach = np.linalg.norm(radial, axis=1)
        on = (np.abs(reach - line.radius) < _TOLERANCE) & (np.einsum("ij,ij->i", radial, samples.normals) > 0.93 * reach)
        if on.sum() < 30:
            break
        line = fit_cylinder(samples.points[on], line)
    return line


def fit_cylinder(points: Floats, line: Line) -> Line:
    """Take one Gauss-Newton step of the five parameters; the residual is geometric, so that noise does not widen the radius."""
    frame = frame_of(line.axis)
    x, y, z = ((points - line.centre) @ frame).T
    reach = np.maximum(np.hypot(x, y), 1e-9)
    middle = z.mean()
    rise = z - middle
    jacobian = np.column_stack([-x / reach, -y / reach, -x * rise / reach, -y * rise / reach, -np.ones_like(reach)])
    step = np.linalg.lstsq(jacobian, line.radius - reach, rcond=None)[0]
    centre = line.centre + frame @ np.array([step[0] - step[2] * middle, step[1] - step[3] * middle, 0.0])
    axis = frame @ np.array([step[2], step[3], 1.0])
    return Line(centre, axis / np.linalg.norm(axis), line.radius + float(step[4]))
