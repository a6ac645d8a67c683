"""The pictures of a measured goal: three views, and its bars with their thickness."""

from __future__ import annotations

import numpy as np

from homolog.quantity import Reading
from homolog.scan.goal_bar import Bar
from homolog.scan.goal_board import Board
from homolog.scan.goal_frame import Frame
from homolog.scan.goal_rough import Rough
from homolog.scan.goal_sizes import CENTRES, CLEAR, DEPTH, INNER, POSTS, THICKNESS, WITH_CROSSBAR
from homolog.scan.marks import Picture
from homolog.scan.oriented import Oriented
from homolog.scan.plain_pictures import TONES
from homolog.scan.render import render
from homolog.scan.sheet import FRONT, SIDE, TOP, Sheet, readings_by_place
from homolog.scan.sight import Eye
from homolog.scan.surface import Floats, Surface
from homolog.scan.surfels import surface_to_show

_ROOM_MM = 12.0
"""How much around the bars is shown, of a board for instance."""
_PIXELS_PER_MM = 3.0


class _Scene:
    """A goal in a frame with x to the left, y toward the pitch and z upward, as seen from the pitch."""

    def __init__(self, surface: Oriented, frame: Frame, board: Board | None, readings: tuple[Reading, ...]) -> None:
        up = frame.up if board is None else board.up
        back = frame.back if board is None else board.back
        self.frame = np.column_stack([-np.cross(back, up), -back, up])
        self.bars, self.board = frame.bars, board
        self.level = frame.foot if board is None else board.level
        whole = surface_to_show(surface)
        moved = whole.moved(whole.points @ self.frame)
        self.surface = _cropped(moved, self._ends(frame))
        self.eye = Eye(self.surface, is_closed=False)
        self.readings = readings_by_place(readings)

    def _ends(self, frame: Frame) -> Floats:
        ends = [bar.at(end) @ self.frame for bar in frame.bars.values() for end in bar.run]
        return np.array(ends)

    def placed(self, points: Floats) -> Floats:
        return np.asarray(points @ self.frame)

    def sheet(self, axes: Floats) -> Sheet:
        tone = np.zeros(len(self.surface.faces), np.int64)
        return Sheet.of(render(self.eye, axes, tone, TONES, _PIXELS_PER_MM), axes)


def _cropped(surface: Surface, ends: Floats) -> Surface:
    low, high = ends.min(axis=0) - _ROOM_MM, ends.max(axis=0) + _ROOM_MM
    middle = surface.corners.mean(axis=1)
    chosen = ((middle > low) & (middle < high)).all(axis=1)
    return surface.part(chosen) if chosen.any() else surface


def draw_goal(
    surface: Oriented, frame: Frame, board: Board | None, readings: tuple[Reading, ...], lost: list[Rough]
) -> tuple[tuple[Picture, ...], str]:
    """Draw a goal in mm; return the pictures, and what drew them.

    Args:
        surface: The scan.
        frame: The likeliest way to see a goal in it.
        board: Where it stands.
        readings: What was measured.
        lost: Bars that could not be measured.
    """
    scene = _Scene(surface, frame, board, readings)
    return (_front(scene), _side(scene), _top(scene), _bars(scene, lost)), scene.eye.renderer


def _front(scene: _Scene) -> Picture:
    sheet = scene.sheet(FRONT)
    up = np.array([0.0, 0.0, 1.0])
    top = scene.bars["crossbar"]
    insides, middles = [], []
    for place, side in zip(POSTS, ("left", "right"), strict=True):
        post = scene.bars[place]
        head = scene.placed(post.at(post.nearest(_crossing(post, top))))
        foot = np.array([head[0], head[1], scene.level])
        half = top.half(_across(scene.frame[:, 2], top))
        sheet.beside(CLEAR, foot, np.array([*head[:2], head[2] - half]), side, place)
        sheet.beside(WITH_CROSSBAR, foot, head + half * up, side, place)
        middle = (foot + head - half * up) / 2
        inward = np.array([-1.0 if side == "left" else 1.0, 0.0, 0.0])
        middles.append(middle)
        insides.append(middle + inward * post.half(_across(scene.frame[:, 0], post)))
    sheet.beside(INNER, insides[0], insides[1], "below")
    sheet.beside(CENTRES, middles[0], middles[1], "below")
    return sheet.picture("front", "Front view", "The goal from the pitch.", scene.readings)


def _side(scene: _Scene) -> Picture:
    sheet = scene.sheet(SIDE)
    _depth(scene, sheet)
    return sheet.picture("side", "Side view", "The goal from its left side, the pitch to the right.", scene.readings)


def _top(scene: _Scene) -> Picture:
    sheet = scene.sheet(TOP)
    _depth(scene, sheet)
    return sheet.picture("top", "Top view", "The goal from above, the pitch to the right.", scene.readings)


def _depth(scene: _Scene, sheet: Sheet) -> None:
    """Mark the way from the posts to the farthest face of a bar at the rear."""
    rear = [bar for place, bar in scene.bars.items() if place.startswith("back_bar")]
    if not rear:
        return
    post = scene.bars[POSTS[0]]
    foot = scene.placed(post.at(post.along_at(scene.frame[:, 2], scene.level)))
    far = min(
        (scene.placed(bar.middle) - np.array([0.0, bar.half(_across(scene.frame[:, 1], bar)), 0.0]) for bar in rear),
        key=lambda end: float(end[1]),
    )
    sheet.beside(DEPTH, far, foot, "below")


def _bars(scene: _Scene, lost: list[Rough]) -> Picture:
    """Draw the goal from in front, above and a little from the left, each bar's thickness across it."""
    toward = np.array([0.35, 0.75, 0.62])
    toward /= np.linalg.norm(toward)
    right = np.cross([0.0, 0.0, 1.0], toward)
    right /= np.linalg.norm(right)
    axes = np.column_stack([right, np.cross(toward, right), toward])
    sheet = scene.sheet(axes)
    centre = sum(float(scene.placed(bar.middle) @ right) for bar in scene.bars.values()) / len(scene.bars)
    for place, bar in scene.bars.items():
        middle = scene.placed(bar.at(sum(bar.run) / 2))
        across = np.cross(scene.placed(bar.direction), toward)
        across *= bar.thickness[0] / 2 / max(float(np.linalg.norm(across)), 1e-9)
        side = "left" if float(middle @ right) < centre else "right"
        sheet.within(THICKNESS, middle - across, middle + across, side, place)
    for rough in lost:
        middle = scene.placed(rough.at(sum(rough.run) / 2))
        sheet.spot("bar_unclear", middle, "left" if float(middle @ right) < centre else "right")
    says = "The goal from in front and above, with the thickness of its bars."
    return sheet.picture("bars", "The bars and their thickness", says, scene.readings)


def _across(direction: Floats, bar: Bar) -> Floats:
    across = direction - (direction @ bar.direction) * bar.direction
    return np.asarray(across / max(float(np.linalg.norm(across)), 1e-9))


def _crossing(post: Bar, top: Bar) -> Floats:
    """Return the point of the crossbar's middle line that is nearest to the post's."""
    cosine = float(post.direction @ top.direction)
    gap = post.middle - top.middle
    along = float(gap @ top.direction - cosine * (gap @ post.direction)) / (1 - cosine**2)
    return top.at(along)
