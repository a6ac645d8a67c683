"""Which bar of a frame is what: posts, crossbar, back bar and side bars, in every way that makes a goal of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from homolog.scan.goal_bar import Bar
from homolog.scan.surface import Floats

# What a goal is at all, far wider than any rule; a post is nominally 60 mm long, clear or with the crossbar.
APART_MM = (80.0, 200.0)
LENGTH_MM = (38.0, 96.0)
DEPTH_MM = (30.0, 130.0)
NOMINAL_LENGTH_MM = 60.0
_PARALLEL = 0.985
# Two ways to see a goal in a frame are both kept if their posts differ from 60 mm by amounts less apart than this.
_AS_GOOD_MM = 6.0
# What is odder than this is no goal, or one of which too little was seen to tell.
_ODDEST_MM = 20.0
# A goal has a back bar: a way to see one without it is as odd as posts that are this much off.
_NO_BACK_BAR_MM = 12.0


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to see a goal in a set of bars.

    Attributes:
        bars: All bars by place: `post_left`, `post_right`, `crossbar`, `back_bar`, `side_bar_left_lower` and so on;
            left and right as seen from the pitch.
        up: Unit direction from the feet to the crossbar along the posts.
        back: Unit direction from the posts to the rear.
        feet: Lower ends of the posts' middle lines, left and right.
        odd: By how much the posts' length is off the nominal one, mm.
    """

    bars: dict[str, Bar]
    up: Floats
    back: Floats
    feet: tuple[Floats, Floats]
    odd: float

    @property
    def foot(self) -> float:
        """Height of the posts' lower ends along `up`."""
        return float((self.feet[0] + self.feet[1]) @ self.up) / 2

    @property
    def right(self) -> Floats:
        """Unit direction from the left post to the right one, across the other two."""
        return np.asarray(np.cross(self.back, self.up))

    @property
    def back_bars(self) -> list[str]:
        """Places of the bars at the rear that run like the crossbar."""
        return [place for place in self.bars if place.startswith("back_bar")]


def find_frames(bars: list[Bar]) -> list[Frame]:
    """Return the ways to see a goal in some bars, the likeliest first; those much less likely are left out."""
    frames = []
    for one, other in combinations(bars, 2):
        if abs(one.direction @ other.direction) < _PARALLEL:
            continue
        apart = other.middle - one.middle
        apart = apart - (apart @ one.direction) * one.direction
        wide = float(np.linalg.norm(apart))
        if not APART_MM[0] < wide < APART_MM[1]:
            continue
        frames += [
            frame
            for top in bars
            if top is not one and top is not other and abs(top.direction @ apart) > _PARALLEL * wide
            for frame in _frames_with(one, other, top, bars)
        ]
    frames = sorted((frame for frame in frames if frame.odd < _ODDEST_MM), key=lambda frame: frame.odd)
    return [frame for frame in frames if frame.odd < frames[0].odd + _AS_GOOD_MM]


def _frames_with(one: Bar, other: Bar, top: Bar, bars: list[Bar]) -> list[Frame]:
    ends = [_end_at(post, top) for post in (one, other)]
    if ends[0] is None or ends[1] is None:
        return []
    up = ends[0][0] + ends[1][0]
    up /= np.linalg.norm(up)
    if ends[0][0] @ ends[1][0] < 0:
        return []
    foot = float((ends[0][1] + ends[1][1]) @ up) / 2
    clear = float(top.middle @ up) - foot - top.half(up)
    if not LENGTH_MM[0] < clear < LENGTH_MM[1]:
        return []
    across = np.cross(up, top.direction)
    front = float((one.middle + other.middle) @ across) / 2
    found = []
    for sense in (1.0, -1.0):
        back = sense * across / np.linalg.norm(across)
        named = _name(one, other, top, bars, up, back, sense * front, foot)
        if named is not None:
            whole = clear + 2 * top.half(up)
            odd = min(abs(clear - NOMINAL_LENGTH_MM), abs(whole - NOMINAL_LENGTH_MM))
            odd += 0.0 if any(place.startswith("back_bar") for place in named) else _NO_BACK_BAR_MM
            feet = (ends[0][1], ends[1][1]) if named["post_left"] is one else (ends[1][1], ends[0][1])
            found.append(Frame(named, up, back, feet, odd))
    # Without a bar at the rear either side may be the rear.
    return [frame for frame in found if frame.back_bars] or found


def _end_at(post: Bar, top: Bar) -> tuple[Floats, Floats] | None:
    """Return the way up and the lower end of a post that a bar crosses at its upper end."""
    cosine = float(post.direction @ top.direction)
    if abs(cosine) > 0.2:
        return None
    gap = top.middle - post.middle
    here = float(gap @ post.direction - cosine * (gap @ top.direction)) / (1 - cosine**2)
    there = float(cosine * (gap @ post.direction) - gap @ top.direction) / (1 - cosine**2)
    apart = np.linalg.norm(post.at(here) - top.at(there))
    near = 2.0 * max(post.widths) + 4.0
    if apart > near or not top.run[0] - near < there < top.run[1] + near:
        return None
    if abs(here - post.run[1]) < near and here - post.run[0] > LENGTH_MM[0]:
        return post.direction, post.at(post.run[0])
    if abs(here - post.run[0]) < near and post.run[1] - here > LENGTH_MM[0]:
        return -post.direction, post.at(post.run[1])
    return None


def _name(
    one: Bar, other: Bar, top: Bar, bars: list[Bar], up: Floats, back: Floats, front: float, foot: float
) -> dict[str, Bar] | None:
    """Name all bars; None if some stand before the posts or below their feet."""
    right = np.cross(back, up)
    left_post, right_post = sorted((one, other), key=lambda post: float(post.middle @ right))
    middle = float((one.middle + other.middle) @ right) / 2
    named = {"post_left": left_post, "post_right": right_post, "crossbar": top}
    rear: list[Bar] = []
    sides: dict[str, list[Bar]] = {"left": [], "right": []}
    rest: list[Bar] = []
    for bar in bars:
        if bar is one or bar is other or bar is top:
            continue
        centre = bar.at(sum(bar.run) / 2)
        behind = float(centre @ back) - front
        if behind < -12.0 or float(centre @ up) - foot < -12.0:
            return None
        if abs(bar.direction @ right) > 0.97 and DEPTH_MM[0] < behind < DEPTH_MM[1]:
            rear.append(bar)
        elif abs(bar.direction @ right) < 0.25 and abs(bar.direction @ up) < 0.9:
            sides["left" if float(centre @ right) < middle else "right"].append(bar)
        else:
            rest.append(bar)
    rear.sort(key=lambda bar: float(bar.middle @ up))
    named |= {f"back_bar_{n + 1}" if n else "back_bar": bar for n, bar in enumerate(rear)}
    for side, some in sides.items():
        some.sort(key=lambda bar: float(bar.at(sum(bar.run) / 2) @ up))
        words = ("lower", "upper") if len(some) == 2 else tuple(str(n + 1) for n in range(len(some)))
        named |= {f"side_bar_{side}" + (f"_{word}" if len(some) > 1 else ""): bar for word, bar in zip(words, some, strict=True)}
    return named | {f"other_bar_{n + 1}": bar for n, bar in enumerate(rest)}
