"""A ball's form: waves around the sphere up to the sixth order, told from a scan's noise.

The radius in a direction is written as a sum of spherical harmonics. What the scan cannot tell (noise, sides that it did
not see) stays near nothing by a prior for every order, the strength of which is found from the scan itself (MacKay's
evidence updates). The prior never falls below what balls may be out of round by, so that unseen sides stay in doubt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from homolog.scan.ball_sphere import Sphere
from homolog.scan.surface import Bools, Floats, Ints

# Standard deviation of one coefficient of an order in mm below which a prior never falls: ovals of some 0.5 mm, a tenth
# of it in the higher orders. Assumptions of this project.
_LEAST = {2: 0.03, 3: 0.003, 4: 0.003, 5: 0.002, 6: 0.002}
_TURNS = 18
# How many standard deviations the luckiest of all directions lies out, and how much of that shift stays in doubt.
_LUCKY = 1.9
_LUCKY_SHARE = 0.5
# The means over patches leave out how they hang together; found by trying known noise.
_DENSER = 1.4
_DIRECTIONS = 1_500
_PATCHES = (100, 220, 480)


def harmonics(directions: Floats, order: int) -> tuple[Floats, list[int]]:
    """Return real spherical harmonics (n, (order + 1)^2) of mean square 1, and the order of each column."""
    x, y, z = directions.T
    columns: list[Floats] = []
    orders: list[int] = []
    turn = np.ones(len(directions), complex)
    start = np.ones(len(directions))
    for m in range(order + 1):
        before, now = np.zeros(len(directions)), start
        for degree in range(m, order + 1):
            scale = math.sqrt((2 * degree + 1) * math.factorial(degree - m) / math.factorial(degree + m) * (2 if m else 1))
            columns.append(scale * now * turn.real)
            orders.append(degree)
            if m:
                columns.append(scale * now * turn.imag)
                orders.append(degree)
            before, now = now, ((2 * degree + 1) * z * now - (degree + m) * before) / (degree - m + 1)
        turn = turn * (x + 1j * y)
        start = start * (2 * m + 1)
    return np.column_stack(columns), orders


def spread_directions(count: int) -> Floats:
    """Return evenly spread directions (count, 3) along a spiral."""
    z = 1 - (2 * np.arange(count) + 1) / count
    angle = np.arange(count) * math.pi * (3 - math.sqrt(5))
    rim = np.sqrt(1 - z * z)
    return np.column_stack([rim * np.cos(angle), rim * np.sin(angle), z])


@dataclass(frozen=True, slots=True)
class Extreme:
    """A diameter in mm with the standard uncertainty that noise, form and coverage give it."""

    length: float
    uncertainty: float


@dataclass(frozen=True)
class Form:
    """Coefficients in mm, their covariance and orders; with the density of the noise (mm4) and the scatter of the points (mm)."""

    centre: Floats
    coefficients: Floats
    covariance: Floats
    orders: tuple[int, ...]
    density: float
    scatter: float

    @property
    def mean(self) -> Extreme:
        """The diameter of the least-squares sphere."""
        return Extreme(2 * float(self.coefficients[0]), 2 * math.sqrt(float(self.covariance[0, 0])))

    @cached_property
    def _diameters(self) -> tuple[Floats, Floats]:
        basis, orders = harmonics(spread_directions(_DIRECTIONS), max(self.orders))
        # Odd orders move both ends of a diameter alike.
        basis = basis * np.array([2.0 if order % 2 == 0 else 0.0 for order in orders])
        spread = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", basis, self.covariance, basis), 0.0))
        return basis @ self.coefficients, spread

    @property
    def largest_way(self) -> Floats:
        """Unit direction of the largest diameter."""
        return np.asarray(spread_directions(_DIRECTIONS)[int(self._diameters[0].argmax())])

    @property
    def smallest_way(self) -> Floats:
        """Unit direction of the smallest diameter."""
        return np.asarray(spread_directions(_DIRECTIONS)[int(self._diameters[0].argmin())])

    @property
    def largest(self) -> Extreme:
        """The largest diameter through the centre."""
        length, spread = self._diameters
        return self._extreme(length, spread)

    @property
    def smallest(self) -> Extreme:
        """The smallest diameter through the centre."""
        length, spread = self._diameters
        mirrored = self._extreme(-length, spread)
        return Extreme(-mirrored.length, mirrored.uncertainty)

    def _extreme(self, length: Floats, spread: Floats) -> Extreme:
        """Return the largest of many diameters, less what noise adds by being the luckiest of them.

        The diameters of a round ball differ by noise alone, and the largest lies some 1.9 of its deviations out. On an
        oval ball the largest is the same with and without noise; between, the shift falls with the oval's size.
        """
        value = float(length.max())
        band = max(float((length + 2 * spread).max()) - value, value - float((length - 2 * spread).max())) / 2
        noise = math.sqrt(max(float(np.median(spread**2)) - 4 * float(self.covariance[0, 0]), 0.0))
        far = max(value - float(length.mean()), 1e-12)
        lucky = min(far, _LUCKY**2 * noise**2 / far)
        return Extreme(value - lucky, math.hypot(band, _LUCKY_SHARE * lucky))

    @property
    def sphericity(self) -> float:
        """The largest less the smallest radius about the least-squares centre, without the noise, mm."""
        basis, orders = harmonics(spread_directions(_DIRECTIONS), max(self.orders))
        radius = basis[:, np.array(orders) != 1] @ self.coefficients[np.array(orders) != 1]
        return float(np.ptp(radius))


def fit_form(points: Floats, areas: Floats, start: Sphere) -> tuple[Form, Bools]:
    """Fit a ball's form to points (n, 3) in mm that stand for areas (n,); return it, and which points it follows."""
    order = max(2, min(6, int(math.sqrt(len(points) / 4)) - 1))
    centre, kept = start.centre, areas > 0
    patches = _patches(points - centre)
    for _ in range(6):
        from_centre = points - centre
        far = np.linalg.norm(from_centre, axis=1)
        basis, orders = harmonics(from_centre / far[:, None], order)
        fit = _posterior(basis[kept], orders, far[kept], areas[kept], [labels[kept] for labels in patches])
        off = np.abs(far - basis @ fit.coefficients)
        kept = (areas > 0) & (off < max(7 * float(np.median(off[kept])), 0.02))
        # Order 1 is a shift of the centre; its three columns are sqrt(3) times z, x and y.
        z, x, y = (at for at, degree in enumerate(orders) if degree == 1)
        step = math.sqrt(3) * fit.coefficients[[x, y, z]]
        centre = centre + step
        if float(np.linalg.norm(step)) < 1e-5:
            break
    return Form(centre, fit.coefficients, fit.covariance, tuple(orders), fit.density, fit.scatter), kept


@dataclass(frozen=True, slots=True)
class _Fit:
    coefficients: Floats
    covariance: Floats
    density: float
    scatter: float


def _posterior(basis: Floats, orders: list[int], far: Floats, areas: Floats, patches: list[Ints]) -> _Fit:
    """Fit the coefficients, with the noise's density and the priors found from the data."""
    degree = np.array(orders)
    prior = np.array([_LEAST.get(one, np.inf) for one in orders])
    weighted = basis * areas[:, None]
    normal, right = basis.T @ weighted, weighted.T @ far
    total = float(areas.sum())
    density = 1e-4 * total / len(far)
    scatter = 0.0
    for turn in range(_TURNS):
        covariance: Floats = np.asarray(np.linalg.inv(normal / density + np.diag(1 / prior**2)), np.float64)
        coefficients = covariance @ right / density
        for one in range(2, max(orders) + 1):
            own = degree == one
            size = float((coefficients[own] ** 2 + np.diag(covariance)[own]).mean())
            # What noise alone would make of this order, by more than chance: waves no stronger are taken for noise.
            chance = 2.5 * math.sqrt(2 / own.sum()) * float((density / np.diag(normal)[own]).mean())
            prior[own] = math.sqrt(size) if size > max(_LEAST[one] ** 2, chance) else _LEAST[one]
        if turn in (1, 3, 6, 10):
            left = far - basis @ coefficients
            scatter = math.sqrt(float((areas * left**2).sum()) / total)
            held = len(orders) - float((np.diag(covariance) / prior**2).sum())
            density = max(_density(left, areas, held, patches), 1e-12)
    return _Fit(coefficients, covariance, density, scatter)


def _patches(from_centre: Floats) -> list[Ints]:
    from scipy.spatial import cKDTree

    unit = from_centre / np.linalg.norm(from_centre, axis=1, keepdims=True)
    return [cKDTree(spread_directions(count)).query(unit)[1].astype(np.int64) for count in _PATCHES]


def _density(left: Floats, areas: Floats, held: float, patches: list[Ints]) -> float:
    """Return the noise's density: variance of a mean times the area it is taken over, however the noise is correlated.

    The mean of white noise over an area falls with the number of points in it. Neighbouring points of a scan err alike, so
    that means over patches of some millimetres tell how much is left; the worst of three sizes counts.
    """
    found = [float((areas**2 * left**2).sum() / areas.sum())]
    for labels in patches:
        area = np.bincount(labels, weights=areas)
        mean = np.bincount(labels, weights=areas * left) / np.maximum(area, 1e-30)
        full = area > 0.4 * float(np.median(area[area > 0]))
        count = int(full.sum())
        if count > 8:
            # The fit has followed part of the noise already.
            follows = count / max(count - held * full.sum() / max((area > 0).sum(), 1), count / 3)
            found.append(follows * float((mean[full] ** 2 * area[full]).mean()))
    return _DENSER * max(found)
