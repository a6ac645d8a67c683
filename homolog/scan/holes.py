"""Holes that were closed, as far as a length may end in one of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.shells import Filling
from homolog.scan.surface import Floats

SAYS = "What lay in the holes that were closed where this length ends"


@dataclass(frozen=True, slots=True)
class Hole:
    """Rim and middle of a hole, (k, 3) in mm, and its area in mm2."""

    points: Floats
    area: float

    @property
    def depth(self) -> float:
        """Standard uncertainty of the surface in its middle: what a cap that leans by some 20 degrees at its rim rises."""
        return math.sqrt(self.area) / 10


def holes_of(fillings: tuple[Filling, ...], factor: float) -> tuple[Hole, ...]:
    """Return the closed holes in mm; `factor` is millimetres per file unit."""
    return tuple(Hole(filling.points * factor, filling.area * factor**2) for filling in fillings)


def moved(holes: tuple[Hole, ...], frame: Floats, origin: Floats) -> tuple[Hole, ...]:
    """Return the holes in a frame whose columns are its axes."""
    return tuple(Hole((hole.points - origin) @ frame, hole.area) for hole in holes)


def at_ends(holes: tuple[Hole, ...], points: Floats, direction: Floats) -> float:
    """Return the standard uncertainty of the extent of points (n, 3) along a direction that comes from holes at its ends."""
    height = points @ direction
    squares = 0.0
    for end, sign in ((float(height.max()), 1.0), (float(-height.min()), -1.0)):
        # A hole far beyond the end is not the body's, but the rod's or the handle's.
        gaps = [(abs(end - float((sign * (hole.points @ direction)).max())), hole) for hole in holes]
        squares += max((hole.depth for gap, hole in gaps if gap < math.sqrt(hole.area) / 3), default=0.0) ** 2
    return math.sqrt(squares)


def about(holes: tuple[Hole, ...], place: Floats, reach: float) -> Hole | None:
    """Return the largest hole within so many mm of a place."""
    near = [hole for hole in holes if float(np.linalg.norm(hole.points - place, axis=1).min()) < reach]
    return max(near, key=lambda hole: hole.area, default=None)
