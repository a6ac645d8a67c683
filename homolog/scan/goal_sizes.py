"""A goal's lengths with their uncertainties, for one way to see a goal in the bars.

How the scanner's offset enters depends on which way the two surfaces of a length face. Both surfaces of a bar move outward:
a thickness grows by twice the offset, an opening shrinks by as much, and a length from one underside to another keeps. So
lengths are corrected, where references show offset and scale, and not the surface: parts of a goal may have no inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from homolog.scan.budget import Tally, add_instrument
from homolog.scan.goal_bar import Bar
from homolog.scan.goal_board import Board
from homolog.scan.goal_frame import Frame
from homolog.scan.sources import Instrument
from homolog.scan.surface import Floats

CLEAR = "goal.post_length.clear"
WITH_CROSSBAR = "goal.post_length.with_crossbar"
INNER = "goal.post_distance.inner_faces"
CENTRES = "goal.post_distance.centres"
LEAN = "goal.post_lean"
THICKNESS = "goal.bar_thickness"
DEPTH = "goal.goalline_to_back_bar"
POSTS = ("post_left", "post_right")
# The last digit of a length is 0.001 mm.
_DIGIT = 0.001 / math.sqrt(12)


@dataclass(frozen=True, slots=True)
class Length:
    """One length in mm with its budget."""

    value: float
    tally: Tally

    @property
    def place(self) -> str | None:
        """Which one of several it is."""
        return self.tally.place


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths of one frame by quantity and place, why others are missing, and what else is known.

    Attributes:
        partly: Thicknesses of bars of which not all sides were seen: they are at least that thick.
        depths: From the posts' rear face, middle and front face to the back bar's farther face.
    """

    lengths: dict[tuple[str, str | None], Length]
    missing: dict[tuple[str, str | None], str]
    partly: dict[str, Length] = field(default_factory=dict)
    depths: dict[str, Length] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)


def measure_frame(frame: Frame, board: Board | None, instrument: Instrument) -> Sizes:
    """Measure the goal's lengths in one way to see it."""
    sizes = Sizes({}, {})
    for place, bar in frame.bars.items():
        value, u = bar.thickness
        length = _length(THICKNESS, place, value, 2, u, instrument, facets=bar.facets)
        if bar.blind is None:
            _put(sizes, length)
        else:
            sizes.partly[place] = length
    if board is None:
        reason = "where the goal stands on the board was not seen; scan it with its feet, or on the board"
        for quantity, place in ((q, p) for q in (CLEAR, WITH_CROSSBAR, LEAN) for p in POSTS):
            sizes.missing[quantity, place] = reason
        for quantity in (INNER, CENTRES, DEPTH):
            sizes.missing[quantity, None] = reason
        return sizes
    clear = [_measure_post(sizes, frame, board, place, instrument) for place in POSTS]
    _measure_distance(sizes, frame, board, sum(clear) / 2, instrument)
    _measure_depth(sizes, frame, board, instrument)
    return sizes


def _put(sizes: Sizes, length: Length) -> None:
    sizes.lengths[length.tally.quantity, length.place] = length


def _length(
    quantity: str, place: str | None, read: float, surfaces: int, u: float, instrument: Instrument, facets: float = 0.0
) -> Length:
    """Return a length as it was read, less what references show the scanner to have added, with the budget begun."""
    value = (float(read) - surfaces * instrument.offset_correction) / (1 + instrument.scale_correction)
    tally = Tally(quantity, place)
    add_instrument(tally, value, surfaces, instrument)
    tally.add("noise", "Noise and waves of the surfaces that were fitted", u)
    tally.add("facets", "Flat facets lie inside the round surface", facets / 2)
    tally.add("digit", "The last digit of the number", _DIGIT)
    return Length(value, tally)


def _level(direction: Floats, bar: Bar) -> Floats:
    """Return the unit direction across a bar that is nearest to a given one."""
    across = direction - (direction @ bar.direction) * bar.direction
    return np.asarray(across / np.linalg.norm(across))


def _measure_post(sizes: Sizes, frame: Frame, board: Board, place: str, instrument: Instrument) -> float:
    """Measure a post's lengths and lean; return its clear length."""
    post, top = frame.bars[place], frame.bars["crossbar"]
    upward = post.direction if post.direction @ board.up > 0 else -post.direction
    head = post.at(post.along_at(board.up, board.level + 55.0))
    along = top.along_at(board.right, float(head @ board.right))
    up = _level(board.up, top)
    half = top.half(up)
    middle = float(top.at(along) @ board.up) - board.level
    clear, whole = middle - half, middle + half
    reach = post.half(_level(board.right, post))
    slope = abs(float(top.direction @ board.up))
    spread = math.hypot(top.u_line(up, along), top.u_half(up))
    for quantity, value, faces in ((CLEAR, clear, 0), (WITH_CROSSBAR, whole, 2)):
        # A scanned board's own surface faces up, against the feet's that face down.
        length = _length(quantity, place, value, faces - 2 if board.was_scanned else faces, spread, instrument, top.facets)
        length.tally.add("board", "What stands on the board does not lie in one plane", board.flatness)
        length.tally.add("slope", "The crossbar is not level across the post", slope * reach / math.sqrt(3))
        _put(sizes, length)
    sideways, rearward = (clear * float(upward @ way) / float(upward @ board.up) for way in (board.right, board.back))
    if not math.isfinite(board.u_tilt[1]):
        sizes.missing[LEAN, place] = (
            "nothing stands on the board behind the posts, so that upright cannot be told from leaning back; "
            "scan the goal on its board"
        )
        return clear
    u = max(clear * math.hypot(_slope(post, way), tilt) for way, tilt in zip((board.right, board.back), board.u_tilt, strict=True))
    tally = Tally(LEAN, place)
    # Of two directions the worse counts, and a length in a plane strays by 2.45 u in 95 of 100 cases, not by 2 u.
    tally.add("noise", "The directions of post and board are known only so well", 1.225 * u)
    tally.add("digit", "The last digit of the number", _DIGIT)
    _put(sizes, Length(math.hypot(sideways, rearward), tally))
    sizes.facts[f"{place}_lean"] = f"{sideways:+.2f} mm to the right, {rearward:+.2f} mm to the rear"
    return clear


def _slope(bar: Bar, way: Floats) -> float:
    return bar.u_line(_level(way, bar), 1e4) / 1e4


def _measure_distance(sizes: Sizes, frame: Frame, board: Board, clear: float, instrument: Instrument) -> None:
    """Measure how far the posts are apart at half their height."""
    left, right = (frame.bars[place] for place in POSTS)
    at = [post.along_at(board.up, board.level + clear / 2) for post in (left, right)]
    centres = float((right.at(at[1]) - left.at(at[0])) @ board.right)
    across = [_level(board.right, post) for post in (left, right)]
    halves = [post.half(way) for post, way in zip((left, right), across, strict=True)]
    inner = centres - sum(halves)
    lines = math.hypot(*(post.u_line(way, along) for post, way, along in zip((left, right), across, at, strict=True)))
    faces = math.hypot(lines, *(post.u_half(way) for post, way in zip((left, right), across, strict=True)))
    tilts = [float(post.direction @ board.right) / float(post.direction @ board.up) for post in (left, right)]
    change = abs(tilts[1] - tilts[0]) * clear / 2
    facets = (left.facets + right.facets) / 2
    for quantity, value, surfaces, u in ((INNER, inner, -2, faces), (CENTRES, centres, 0, lines)):
        length = _length(quantity, None, value, surfaces, u, instrument, facets if quantity == INNER else 0.0)
        length.tally.add("parallel", "The posts are not as far apart at foot and top as in the middle", change / math.sqrt(3))
        _put(sizes, length)
    sizes.facts["posts_parallel"] = f"{2 * change:.2f} mm farther apart at one end than at the other"


def _measure_depth(sizes: Sizes, frame: Frame, board: Board, instrument: Instrument) -> None:
    """Measure from the posts to the farther face of the back bar.

    The posts stand on the goalline, and the rule does not say with which of their faces. So all three are given, and the
    reading is bounds over them.
    """
    if not frame.back_bars:
        sizes.missing[DEPTH, None] = "no bar was found at the rear that runs like the crossbar; scan the whole goal"
        return
    posts = [frame.bars[place] for place in POSTS]
    feet = [post.at(post.along_at(board.up, board.level)) for post in posts]
    front = sum(float(foot @ board.back) for foot in feet) / 2
    across = float((feet[0] + feet[1]) @ board.right) / 2
    half = sum(post.half(_level(board.back, post)) for post in posts) / 2
    span = float((feet[1] - feet[0]) @ board.right) / 2
    found: dict[str, list[Length]] = {}
    for place in frame.back_bars:
        bar = frame.bars[place]
        way = _level(board.back, bar)
        along = bar.along_at(board.right, across)
        rear = float(bar.at(along) @ board.back) + bar.half(way)
        turn = abs(float(bar.direction @ board.back) / float(bar.direction @ board.right)) * span
        spread = [bar.u_line(way, along), bar.u_half(way)]
        for post, foot in zip(posts, feet, strict=True):
            side = _level(board.back, post)
            spread += [post.u_line(side, post.nearest(foot)) / 2, post.u_half(side) / 2]
        for face, sign, surfaces in (("rear_face", 1, 0), ("middle", 0, 1), ("front_face", -1, 2)):
            value = rear - front - sign * half
            length = _length(DEPTH, None, value, surfaces, math.hypot(*spread), instrument, bar.facets)
            length.tally.add("parallel", "The back bar is not as far away at both posts", turn / math.sqrt(3))
            found.setdefault(face, []).append(length)
        _put_parallel(sizes, frame.bars["crossbar"], bar, place, board, 2 * span)
    sizes.depths.update(
        {
            "rear_face": min(found["rear_face"], key=lambda length: length.value),
            "middle": min(found["middle"], key=lambda length: length.value),
            "front_face": max(found["front_face"], key=lambda length: length.value),
        }
    )


def _put_parallel(sizes: Sizes, top: Bar, bar: Bar, place: str, board: Board, span: float) -> None:
    turned = bar.direction if bar.direction @ top.direction > 0 else -bar.direction
    plan, height = (
        span * (float(turned @ way) / float(turned @ board.right) - float(top.direction @ way) / float(top.direction @ board.right))
        for way in (board.back, board.up)
    )
    words = f"off parallel to the crossbar by {abs(plan):.2f} mm seen from above and {abs(height):.2f} mm seen from the front"
    sizes.facts[f"{place}_parallel"] = words
