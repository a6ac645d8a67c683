"""Where the board is under a goal: the plane on which its feet and lower bars stand, or the board itself if it was scanned."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from homolog.scan.goal_frame import Frame
from homolog.scan.surface import Floats

# Level places facing up that are larger than all bars together could show are a board.
_BOARD_MM2 = 3_500.0
_FOOT_MM2 = 10.0
_SPAN_MM = 25.0
# A post's end on a noisy scan cannot be told better than this.
_FEET_OFF_MM = 0.3
# Bars higher than this above the lowest surface do not lie on the board; what lies on it is no farther off one plane.
_STAND_OFF_MM = 0.4


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
    lying = _lying(frame)
    spans = len(lying) > 0 and float(np.ptp(lying @ frame.back)) > _SPAN_MM and float(np.ptp(lying @ frame.right)) > _SPAN_MM
    board = _plane(frame, lying, np.ones(len(lying)), was_scanned=False) if spans else None
    if board is not None:
        own = [
            math.hypot(bar.u_line(frame.up, bar.run[1]), bar.u_half(frame.up)) for bar in frame.bars.values() if bar.blind is None
        ]
        board = replace(board, flatness=math.hypot(1.4 * board.flatness, float(np.median(own))))
    upright = frame.up if board is None else board.up
    height = places @ upright
    start = float(np.mean([end @ upright for end in frame.feet]))
    under = (np.abs(height - start) < 6.0) & (normals @ upright < -0.8)
    if under.sum() * area_each < _FOOT_MM2:
        return None
    ordered = np.sort(height[under])
    # The lowest level with enough surface: single points of a noisy scan lie lower.
    level = float(ordered[: max(int(2 * _FOOT_MM2 / area_each), 6)].mean())
    if board is None or level < board.level - _STAND_OFF_MM:
        # Feet or plates carry the goal.
        tolerance = 0.6 if board is not None else 1.0
        rows = under & (height < level + tolerance)
        plates = _plane(frame, places[rows], np.full(int(rows.sum()), area_each), was_scanned=False)
        if board is None or math.isfinite(plates.u_tilt[1]):
            return plates
        return replace(board, level=level, flatness=_STAND_OFF_MM / 4)
    # Bars are fitted far better than the small ends of the posts, which only tell whether the posts reach the same plane.
    off = max(abs(float(end @ board.up) - board.level) for end in _feet(frame, places[under]))
    return replace(board, flatness=math.hypot(board.flatness, off / 2)) if off > _FEET_OFF_MM else board


def _densest(height: Floats, width: float) -> float:
    ordered = np.sort(height)
    count = np.searchsorted(ordered, ordered + width) - np.arange(len(ordered))
    best = int(count.argmax())
    return float(np.median(ordered[best : best + count[best]]))


def _lying(frame: Frame) -> Floats:
    """Return points of the undersides of the lowest bars, at their ends, without those that lie on no plane with the others."""
    found: list[tuple[Floats, Floats]] = []
    for bar in frame.bars.values():
        if abs(bar.direction @ frame.up) > 0.12 or bar.blind is not None:
            continue
        down = (frame.up @ bar.direction) * bar.direction - frame.up
        down = down / np.linalg.norm(down)
        found.append((bar.at(bar.run[0] + 2.0) + bar.half(down) * down, bar.at(bar.run[1] - 2.0) + bar.half(down) * down))
    if not found:
        return np.empty((0, 3))
    lowest = min(float((one + other) @ frame.up) / 2 for one, other in found)
    points = np.array([end for pair in found if float((pair[0] + pair[1]) @ frame.up) / 2 < lowest + 2.5 for end in pair])
    while len(points) > 4:
        local = points - points.mean(axis=0)
        rows = np.column_stack([np.ones(len(local)), local @ frame.right, local @ frame.back])
        left = np.abs(local @ frame.up - rows @ np.linalg.lstsq(rows, local @ frame.up, rcond=None)[0])
        if left.max() < _STAND_OFF_MM:
            break
        points = np.delete(points, int(left.argmax()), axis=0)
    return points


def _feet(frame: Frame, under: Floats) -> list[Floats]:
    """Return the middle of each post's lower end, if it was seen; else where its middle line ends."""
    points = []
    for place, end in zip(("post_left", "post_right"), frame.feet, strict=True):
        post = frame.bars[place]
        offset = under - post.middle
        reach = np.linalg.norm(offset - (offset @ post.direction)[:, None] * post.direction, axis=1)
        own = under[reach < 0.6 * max(post.widths) / 2]
        points.append(np.median(own, axis=0) if len(own) > 4 else end)
    return points


def _plane(frame: Frame, points: Floats, weights: Floats, *, was_scanned: bool) -> Board:
    right = frame.right
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
