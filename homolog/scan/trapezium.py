"""The narrowest trapezium around an outline seen from the front.

Its two parallel sides are level and lie at the outline's top and bottom; its other sides are straight and each may lean in
its own way. Of all that hold the outline it is the one of least area, and so of least width at half its height: each side
lies on the outline's convex hull where that crosses half the height. Where the hull is rounded there, many trapezia are
nearly as narrow; the spread says how far their ends differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Floats

_END_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Side:
    """One side as the line x = middle + slope (z - z at half the height), x counted outward.

    Attributes:
        slopes: The least and the greatest slope of a side that lies at half the height no farther out than allowed.
        spans: Where those two sides lie at half the height.
    """

    middle: float
    slope: float
    slopes: tuple[float, float]
    spans: tuple[float, float]

    def at(self, rise: float) -> tuple[float, float, float]:
        """Return x at a height over the middle, and the least and greatest x there of the sides that are nearly as narrow."""
        ends = [middle + slope * rise for middle, slope in zip(self.spans, self.slopes, strict=True)]
        return self.middle + self.slope * rise, min(ends), max(ends)


@dataclass(frozen=True, slots=True)
class Trapezium:
    """Right and left side, x counted outward on both, about half the height; widths in mm."""

    right: Side
    left: Side
    low: float
    high: float

    def gap(self, outline: Floats, *, upper: bool) -> float:
        """Return by how many mm the outline is narrower than the trapezium in the outer tenth of its height at an end."""
        depth = self.high - outline[:, 1] if upper else outline[:, 1] - self.low
        near = outline[depth <= _END_SHARE * (self.high - self.low)]
        rise = near[:, 1] - (self.high + self.low) / 2
        free = [
            float((side.middle + side.slope * rise - x).min()) for side, x in ((self.right, near[:, 0]), (self.left, -near[:, 0]))
        ]
        return gap if (gap := sum(free)) > 1e-6 else 0.0

    def width(self, *, upper: bool) -> tuple[float, float]:
        """Return the width at an end, and by how much that of a trapezium nearly as narrow may differ."""
        rise = (self.high - self.low) / 2 * (1 if upper else -1)
        right, left = self.right.at(rise), self.left.at(rise)
        width = right[0] + left[0]
        return width, max(right[2] + left[2] - width, width - right[1] - left[1])


def hull_of(outline: Floats) -> Floats:
    """Return the corners of the convex hull of points (k, 2), counter-clockwise."""
    from scipy.spatial import ConvexHull

    return np.asarray(outline[ConvexHull(outline).vertices])


def narrowest_trapezium(outline: Floats, slack: float) -> Trapezium:
    """Put the narrowest trapezium around points of an outline.

    Args:
        outline: Shape (k, 2): x and z in mm, z upward; their convex hull counts.
        slack: By how many mm a trapezium may be wider at half its height and still count as nearly as narrow.
    """
    hull = hull_of(outline)
    low, high = float(hull[:, 1].min()), float(hull[:, 1].max())
    rise = hull[:, 1] - (low + high) / 2
    return Trapezium(_side(hull[:, 0], rise, slack / 2), _side(-hull[:, 0], rise, slack / 2), low, high)


def _side(x: Floats, rise: Floats, slack: float) -> Side:
    """Find the side that all points lie within and that lies least far out at half the height.

    How far out a side of slope s must lie is the largest x - s z, a convex function of s made of straight pieces, whose
    corners are the slopes of the hull's edges.
    """
    step, climb = np.roll(x, -1) - x, np.roll(rise, -1) - rise
    slopes = np.unique(step[np.abs(climb) > 1e-9] / climb[np.abs(climb) > 1e-9])
    middles = (x[None, :] - slopes[:, None] * rise[None, :]).max(axis=1)
    best = int(middles.argmin())
    level = float(middles[best]) + slack
    least = _crossing(slopes[: best + 1][::-1], middles[: best + 1][::-1], level, -float(rise.max()))
    greatest = _crossing(slopes[best:], middles[best:], level, -float(rise.min()))
    return Side(float(middles[best]), float(slopes[best]), (least, greatest), (level, level))


def _crossing(slopes: Floats, middles: Floats, level: float, last: float) -> float:
    """Return the slope at which a side reaches a level, going on from the last corner with the slope `last` of the function."""
    over = np.flatnonzero(middles > level)
    if len(over):
        at = int(over[0])
        share = (level - middles[at - 1]) / (middles[at] - middles[at - 1])
        return float(slopes[at - 1] + share * (slopes[at] - slopes[at - 1]))
    return float(slopes[-1] + (level - middles[-1]) / last)
