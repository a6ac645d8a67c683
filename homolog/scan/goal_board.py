"""Where the board is under a goal: the plane on which its feet and lower bars stand, or the board itself if it was scanned."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.goal_frame import Frame
from homolog.scan.surface import Floats

# Level places facing up that are larger than all bars together could show are a board.
_BOARD_MM2 = 3_500.0
_FOOT_MM2 = 10.0
_SPAN_MM = 25.0


@dataclass(frozen=True, slots=True)
class Board:
    """The plane of points p with p . up = level, mm.

    Attributes:
        back: Unit direction to the rear, along the board.
        right: Unit direction to the right, along the board.
        was_scanned: Whether the board itself was seen, instead of what stands on it.
        flatness: How far what stands on it lies off one plane, a standard uncertainty of the level.
        u_tilt: Standard uncertainty of the slope to the right and to the rear; the latter infinite where nothing stands on
            the board behind the posts, so that upright cannot be told from leaning to the rear.
    """

    up: Floats
    level: float
    back: Floats
    right: Floats
    was_scanned: bool
    flatness: float
    u_tilt: tuple[float, float]


def find_board(frame: Frame, places: Floats, normals: Floats, area_each: float) -> Board | None:
    """Find the board under a goal.

    Args:
        frame: The goal's bars.
        places: Places (n, 3) evenly over the whole surface, mm.
        normals: Their normals.
        area_each: Area that each place stands for, mm2.
    """
    height = places @ frame.up
    facing = normals @ frame.up
    low = np.abs(height - frame.foot) < 6.0
    top = height[low & (facing > 0.9)]
    if len(top) * area_each > _BOARD_MM2:
        level = _densest(top, 0.4)
        rows = low & (facing > 0.9) & (np.abs(height - level) < 1.5)
        if rows.sum() * area_each > _BOARD_MM2:
            return _plane(frame, places[rows], np.full(int(rows.sum()), area_each), was_scanned=True)
    under = low & (facing < -0.8)
    if under.sum() * area_each < _FOOT_MM2:
        return None
    ordered = np.sort(height[under])
    step = max(int(_FOOT_MM2 / area_each), 3)
    # The lowest level with enough surface: single points of a noisy scan lie lower.
    level = float(ordered[: 2 * step].mean())
    points, weights = _bars_on(frame, level)
    if not len(points):
        rows = under & (height < level + 1.0)
        return _plane(frame, places[rows], np.full(int(rows.sum()), area_each), was_scanned=False)
    feet, shares = _feet(frame, places[under & (height < level + 0.8)], area_each)
    return _plane(frame, np.vstack([points, feet]), np.r_[weights, shares], was_scanned=False)


def _densest(height: Floats, width: float) -> float:
    ordered = np.sort(height)
    count = np.searchsorted(ordered, ordered + width) - np.arange(len(ordered))
    best = int(count.argmax())
    return float(np.median(ordered[best : best + count[best]]))


def _bars_on(frame: Frame, level: float) -> tuple[Floats, Floats]:
    """Return points of the undersides of bars that lie on the board, at their ends."""
    points, weights = [], []
    for bar in frame.bars.values():
        if abs(bar.direction @ frame.up) > 0.12:
            continue
        down = frame.up - (frame.up @ bar.direction) * bar.direction
        down = -down / np.linalg.norm(down)
        ends = [bar.at(bar.run[0] + 2.0) + bar.half(down) * down, bar.at(bar.run[1] - 2.0) + bar.half(down) * down]
        if abs(sum(float(end @ frame.up) for end in ends) / 2 - level) < 0.7:
            points += ends
            weights += [20.0, 20.0]
    return np.array(points).reshape(-1, 3), np.array(weights)


def _feet(frame: Frame, under: Floats, area_each: float) -> tuple[Floats, Floats]:
    """Return the middle of each post's lower end, if it was seen."""
    points, weights = [], []
    for place in ("post_left", "post_right"):
        post = frame.bars[place]
        offset = under - post.middle
        reach = np.linalg.norm(offset - (offset @ post.direction)[:, None] * post.direction, axis=1)
        own = under[reach < 0.8 * max(post.widths) / 2]
        if len(own) * area_each > 2.0:
            points.append(own.mean(axis=0))
            weights.append(10.0)
    return np.array(points).reshape(-1, 3), np.array(weights)


def _plane(frame: Frame, points: Floats, weights: Floats, *, was_scanned: bool) -> Board:
    right = np.cross(frame.back, frame.up)
    middle = (weights[:, None] * points).sum(axis=0) / weights.sum()
    local = points - middle
    x, y, z = local @ right, local @ frame.back, local @ frame.up
    kept = np.ones(len(points), bool)
    flat = np.ptp(y) < _SPAN_MM
    rows = np.column_stack([np.ones_like(x), x] + ([] if flat else [y]))
    for _ in range(3):
        solved = np.linalg.lstsq(rows[kept] * np.sqrt(weights[kept])[:, None], z[kept] * np.sqrt(weights[kept]), rcond=None)[0]
        left = np.abs(z - rows @ solved)
        if len(points) > 40:
            kept = left < max(4 * float(np.median(left[kept])), 0.02)
    share = weights[kept] / weights[kept].sum()
    freedom = max(int(kept.sum()) - rows.shape[1], 1)
    rms = math.sqrt(float((share * left[kept] ** 2).sum()) * min(kept.sum(), 12) / min(freedom, 12))
    # Neighbouring places err alike: no more than a dozen count.
    few = math.sqrt(min(int(kept.sum()), 12))
    tilt_right = rms / max(float(np.sqrt((share * x[kept] ** 2).sum())), 1.0) / few
    tilt_back = math.inf if flat else rms / max(float(np.sqrt((share * y[kept] ** 2).sum())), 1.0) / few
    up = frame.up - solved[1] * right - (0.0 if flat else solved[2]) * frame.back
    up /= np.linalg.norm(up)
    across = right - (right @ up) * up
    across /= np.linalg.norm(across)
    level = float(middle @ up) + float(solved[0])
    return Board(up, level, np.cross(up, across), across, was_scanned, rms / 2, (tilt_right, tilt_back))
