"""Small drawings of the items, made from a spec's limits, each with the one length that a requirement limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homolog.spec.model import Spec

Point = tuple[float, float]
Limits = Callable[[str, float], float]
"""Returns the largest limit of a quantity in mm, or else what is usual for it."""


@dataclass(slots=True)
class Sketch:
    """An item's outline in mm, y upward.

    Attributes:
        dims: Of a quantity: two points, and by how much the dimension is drawn beside them.
    """

    shapes: list[str] = field(default_factory=list)
    dims: dict[str, tuple[Point, Point, Point]] = field(default_factory=dict)
    box: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0, 0.0])

    def line(self, *points: Point, is_closed: bool = False, look: str = "body") -> None:
        """Add a line through points."""
        for x, y in points:
            self._reach(x, y)
        path = "M" + "L".join(f"{_n(x)} {_n(-y)}" for x, y in points) + ("Z" if is_closed else "")
        self.shapes.append(f'<path class="{look}" d="{path}"/>')

    def box_of(self, x: float, y: float, wide: float, high: float, look: str = "body") -> None:
        """Add a rectangle by its lower left corner."""
        self.line((x, y), (x + wide, y), (x + wide, y + high), (x, y + high), is_closed=True, look=look)

    def circle(self, x: float, y: float, radius: float, look: str = "body") -> None:
        """Add a circle."""
        self._reach(x - radius, y - radius)
        self._reach(x + radius, y + radius)
        self.shapes.append(f'<circle class="{look}" cx="{_n(x)}" cy="{_n(-y)}" r="{_n(radius)}"/>')

    def _reach(self, x: float, y: float) -> None:
        left, low, right, top = self.box
        self.box = [min(left, x), min(low, y), max(right, x), max(top, y)]


def drawing(spec: Spec, quantity: str, label: str, name: str) -> str:
    """Return the drawing of what a requirement limits, as SVG in the colours of the page; empty where there is none to draw.

    Args:
        spec: Gives the proportions.
        quantity: The one that is limited.
        label: What the limit says.
        name: What the drawing shows, for those who do not see it.
    """
    for draw in _DRAWN.get(spec.item, ()):
        sketch = draw(_limits(spec))
        if quantity in sketch.dims:
            return _svg(sketch, sketch.dims[quantity], label, name)
    return ""


def _limits(spec: Spec) -> Limits:
    from homolog.spec.requirement import Limit

    found: dict[str, float] = {}
    for requirement in spec.requirements:
        if not isinstance(requirement, Limit) or requirement.when:
            continue
        most = requirement.max or requirement.below or requirement.min
        if most is not None and most.unit.dimension == "length":
            found.setdefault(requirement.of, float(most.to("mm")))
    return lambda quantity, usual: found.get(quantity, usual)


def _svg(sketch: Sketch, dim: tuple[Point, Point, Point], label: str, name: str) -> str:
    (ax, ay), (bx, by), (dx, dy) = dim
    left, low, right, top = sketch.box
    size = max(right - left, top - low)
    unit = size / 15
    a, b = (ax + dx * unit, ay + dy * unit), (bx + dx * unit, by + dy * unit)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    is_across = abs(b[0] - a[0]) >= abs(b[1] - a[1])
    wide = 0.74 * unit * len(label)
    anchor, at = (
        ("middle", (middle[0], middle[1] + (0.5 if dy >= 0 else -1.4) * unit))
        if is_across
        else (
            ("end", (middle[0] - 0.5 * unit, middle[1] - 0.3 * unit))
            if dx < 0
            else ("start", (middle[0] + 0.5 * unit, middle[1] - 0.3 * unit))
        )
    )
    start = at[0] - {"middle": wide / 2, "end": wide, "start": 0.0}[anchor]
    xs, ys = (left, right, a[0], b[0], start, start + wide), (low, top, a[1], b[1], at[1] + unit, at[1] - 0.4 * unit)
    room = 0.6 * unit
    x, y, w, h = min(xs) - room, -max(ys) - room, max(xs) - min(xs) + 2 * room, max(ys) - min(ys) + 2 * room
    across = _arrows(a, b, unit)
    parts = [
        f'<svg class="sketch" viewBox="{_n(x)} {_n(y)} {_n(w)} {_n(h)}" role="img" aria-label="{escape(name, quote=True)}">',
        f'<g stroke-width="{_n(unit * 0.12)}">',
        *sketch.shapes,
        f'<path class="witness" d="M{_p((ax, ay))}L{_p(a)}M{_p((bx, by))}L{_p(b)}"/>',
        f'<path class="dim" d="M{_p(a)}L{_p(b)}{across}"/>',
        "</g>",
        f'<text x="{_n(at[0])}" y="{_n(-at[1])}" text-anchor="{anchor}" font-size="{_n(unit * 1.1)}">{escape(label)}</text>',
        "</svg>",
    ]
    return "".join(parts)


def _arrows(a: Point, b: Point, unit: float) -> str:
    long = math.hypot(b[0] - a[0], b[1] - a[1])
    if long == 0:
        return ""
    x, y = (b[0] - a[0]) / long, (b[1] - a[1]) / long
    head = min(0.7 * unit, long / 3)
    out = ""
    for (px, py), turn in ((a, 1), (b, -1)):
        for side in (0.35, -0.35):
            tip = (px + turn * head * (x - side * y), py + turn * head * (y + side * x))
            out += f"M{_p((px, py))}L{_p(tip)}"
    return out


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _p(point: Point) -> str:
    return f"{_n(point[0])} {_n(-point[1])}"


def _keeper_front(limit: Limits) -> Sketch:
    sketch = Sketch()
    high = limit("goalkeeper.height", 39)
    large = limit("goalkeeper.large_end_width", limit("goalkeeper.width", 21))
    small = limit("goalkeeper.small_end_width", limit("goalkeeper.figure_width", 0.62 * large))
    base = high * 0.15
    sketch.box_of(-small / 2, 0, small, base)
    sketch.line((-small / 2.4, base), (small / 2.4, base), (large / 2, high), (-large / 2, high), is_closed=True)
    sketch.circle(0, high * 0.3, 1.2, look="rod")
    sketch.dims = {
        "goalkeeper.height": ((large / 2, 0), (large / 2, high), (2, 0)),
        "goalkeeper.width": ((-large / 2, high), (large / 2, high), (0, 1.2)),
        "goalkeeper.figure_width": ((-large / 2, high), (large / 2, high), (0, 1.2)),
        "goalkeeper.large_end_width": ((-large / 2, high), (large / 2, high), (0, 1.2)),
        "goalkeeper.small_end_width": ((-small / 2, 0), (small / 2, 0), (0, -1.2)),
        "goalkeeper.volume": ((0, high * 0.7), (0, high * 0.7), (6, 0)),
    }
    return sketch


def _keeper_thickness(limit: Limits) -> Sketch:
    sketch = Sketch()
    high, thick, wide = limit("goalkeeper.height", 39), limit("goalkeeper.figure_thickness", 6), limit("goalkeeper.rod_width", 4)
    sketch.box_of(-thick, 0, 2 * thick, high * 0.15)
    sketch.box_of(-thick / 2, high * 0.15, thick, high * 0.85)
    sketch.line((3 * thick, high * 0.3 - wide / 2), (thick / 2, high * 0.3 - wide / 2), look="rod")
    sketch.line((3 * thick, high * 0.3 + wide / 2), (thick / 2, high * 0.3 + wide / 2), look="rod")
    sketch.dims = {
        "goalkeeper.figure_thickness": ((-thick / 2, high), (thick / 2, high), (0, 1.2)),
        "goalkeeper.rod_width": ((3 * thick, high * 0.3 - wide / 2), (3 * thick, high * 0.3 + wide / 2), (0.8, 0)),
    }
    return sketch


def _keeper_side(limit: Limits) -> Sketch:
    sketch = Sketch()
    high, thick = limit("goalkeeper.height", 39), limit("goalkeeper.figure_thickness", 6)
    rod, handle, wide = limit("goalkeeper.rod_length", 150), limit("goalkeeper.handle_length", 60), limit("goalkeeper.rod_width", 4)
    at = high * 0.3
    sketch.box_of(-thick, 0, 2 * thick, high * 0.15)
    sketch.box_of(-thick / 2, high * 0.15, thick, high * 0.85)
    sketch.box_of(thick / 2, at - wide / 2, rod, wide, look="rod")
    sketch.box_of(thick / 2 + rod, at - wide * 1.5, handle, wide * 3, look="rod")
    sketch.dims = {
        "goalkeeper.rod_length": ((thick / 2, at - wide / 2), (thick / 2 + rod, at - wide / 2), (0, -1.8)),
        "goalkeeper.rod_straightness": ((thick / 2, at - wide / 2), (thick / 2 + rod, at - wide / 2), (0, -1.8)),
        "goalkeeper.handle_length": (
            (thick / 2 + rod, at - wide * 1.5),
            (thick / 2 + rod + handle, at - wide * 1.5),
            (0, -1.4),
        ),
    }
    return sketch


def _figure_front(limit: Limits) -> Sketch:
    sketch = Sketch()
    high, wide = limit("figure.height", 39), limit("figure.figure_width", 13)
    base, across = limit("figure.base_height", 7), limit("figure.base_diameter", 21)
    sketch.box_of(-across / 2, 0, across, base)
    sketch.line(
        (-wide * 0.35, base),
        (wide * 0.35, base),
        (wide / 2, high * 0.72),
        (wide * 0.2, high * 0.78),
        (-wide * 0.2, high * 0.78),
        (-wide / 2, high * 0.72),
        is_closed=True,
    )
    sketch.circle(0, high * 0.89, high * 0.11)
    sketch.dims = {
        "figure.height": ((across / 2, 0), (across / 2, high), (1.6, 0)),
        "figure.base_height": ((-across / 2, 0), (-across / 2, base), (-1.2, 0)),
        "figure.base_diameter": ((-across / 2, 0), (across / 2, 0), (0, -1.2)),
        "figure.figure_width": ((-wide / 2, high * 0.72), (wide / 2, high * 0.72), (0, 6)),
        "figure.figure_height_without_base": ((across / 2, base), (across / 2, high), (1.6, 0)),
    }
    return sketch


def _figure_side(limit: Limits) -> Sketch:
    sketch = Sketch()
    high, thick = limit("figure.height", 39), limit("figure.figure_thickness", 6)
    base, across = limit("figure.base_height", 7), limit("figure.base_diameter", 21)
    sketch.box_of(-across / 2, 0, across, base)
    sketch.box_of(-thick / 2, base, thick, high - base)
    sketch.dims = {"figure.figure_thickness": ((-thick / 2, high), (thick / 2, high), (0, 1.2))}
    return sketch


def _ball(limit: Limits) -> Sketch:
    sketch = Sketch()
    radius = limit("ball.diameter", 22) / 2
    sketch.circle(0, 0, radius)
    sketch.dims = {"ball.diameter": ((-radius, 0), (radius, 0), (0, -9)), "ball.mass": ((0, 0), (0, 0), (9, 0))}
    return sketch


def _goal_front(limit: Limits) -> Sketch:
    sketch = Sketch()
    wide, high, bar = limit("goal.post_distance", 125), limit("goal.post_length", 60), limit("goal.bar_thickness", 5)
    for x in (-wide / 2 - bar, wide / 2):
        sketch.box_of(x, 0, bar, high)
    sketch.box_of(-wide / 2 - bar, high, wide + 2 * bar, bar)
    sketch.dims = {
        "goal.post_distance": ((-wide / 2, 0), (wide / 2, 0), (0, -1.2)),
        "goal.post_length": ((wide / 2 + bar, 0), (wide / 2 + bar, high), (1.2, 0)),
        "goal.bar_thickness": ((-wide / 2 - bar, high), (-wide / 2 - bar, high + bar), (-1, 0)),
        "goal.post_lean": ((-wide / 2, 0), (-wide / 2, high), (-1.2, 0)),
    }
    return sketch


def _goal_side(limit: Limits) -> Sketch:
    sketch = Sketch()
    deep, high, bar = limit("goal.goalline_to_back_bar", 90), limit("goal.post_length", 60), limit("goal.bar_thickness", 5)
    sketch.box_of(0, 0, bar, high + bar)
    sketch.line((bar, high), (deep, 0), look="rod")
    sketch.line((0, 0), (deep, 0))
    sketch.dims = {"goal.goalline_to_back_bar": ((0, 0), (deep, 0), (0, -1.2))}
    return sketch


def _board(limit: Limits) -> Sketch:
    sketch = Sketch()
    length, width = limit("board.playing_area_length", 1400), limit("board.playing_area_width", 1000)
    side, end = limit("board.margin_outside_touchline", 100), limit("board.margin_outside_goalline", 100)
    x, y = length / 2, width / 2
    sketch.box_of(-x - end, -y - side, length + 2 * end, width + 2 * side, look="rod")
    sketch.box_of(-x, -y, length, width)
    sketch.line((0, -y), (0, y))
    radius = limit("board.centre_circle_radius", 120)
    sketch.circle(0, 0, radius, look="line")
    sketch.circle(0, 0, 6, look="line")
    deep, wide = limit("board.penalty_area_depth", 180), limit("board.penalty_area_width", 480)
    near, broad, spot = (
        limit("board.goal_area_depth", 70),
        limit("board.goal_area_width", 260),
        limit("board.penalty_spot_distance", 140),
    )
    corner = limit("board.corner_arc_radius", 30)
    for turn in (1, -1):
        sketch.line((-turn * x, wide / 2), (-turn * (x - deep), wide / 2), (-turn * (x - deep), -wide / 2), (-turn * x, -wide / 2))
        sketch.line(
            (-turn * x, broad / 2), (-turn * (x - near), broad / 2), (-turn * (x - near), -broad / 2), (-turn * x, -broad / 2)
        )
        sketch.line((turn * length / 4, -y), (turn * length / 4, y), look="line")
        sketch.circle(-turn * (x - spot), 0, 6, look="line")
    sketch.dims = {
        "board.playing_area_length": ((-x, -y), (x, -y), (0, -3)),
        "board.playing_area_width": ((x, -y), (x, y), (2.6, 0)),
        "board.margin_outside_touchline": ((x * 0.5, y), (x * 0.5, y + side), (0.4, 0)),
        "board.margin_outside_goalline": ((x, y * 0.6), (x + end, y * 0.6), (0, 0.3)),
        "board.centre_circle_radius": ((0, 0), (radius, 0), (0, 0.2)),
        "board.penalty_area_depth": ((-x, -wide / 2), (-x + deep, -wide / 2), (0, -0.8)),
        "board.penalty_area_width": ((-x + deep, -wide / 2), (-x + deep, wide / 2), (0.8, 0)),
        "board.penalty_spot_distance": ((-x, 0), (-x + spot, 0), (0, 0.4)),
        "board.goal_area_depth": ((-x, -broad / 2), (-x + near, -broad / 2), (0, -0.6)),
        "board.goal_area_width": ((-x + near, -broad / 2), (-x + near, broad / 2), (2.6, 0)),
        "board.corner_arc_radius": ((-x, y), (-x + corner, y), (0, 2.4)),
    }
    return sketch


_DRAWN: Mapping[str, tuple[Callable[[Limits], Sketch], ...]] = {
    "goalkeeper": (_keeper_front, _keeper_thickness, _keeper_side),
    "figure": (_figure_front, _figure_side),
    "ball": (_ball,),
    "goal": (_goal_front, _goal_side),
    "board": (_board,),
}
