"""Shapes and words for the dimensions of a picture: lines, arrows, crosses and labels, in three layers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

INK = "#111111"
_BAD, _OPEN = "#8f1010", "#704800"
_FONT = 'font-family="system-ui, Roboto, DejaVu Sans, sans-serif"'
_EM, _BOLD_EM = 0.6, 0.68
"""Width of a letter in heights of the lettering, on average and rather too much."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, weight and dashes; in print the dashes and the sign say what the colour says on a screen."""

    colour: str = INK
    weight: float = 0.07
    dash: tuple[float, ...] = ()


LOOKS = {
    "nonconform": Look(_BAD, 0.2, (0.9, 0.35)),
    "error": Look(_BAD, 0.14, (0.25, 0.3)),
    "inconclusive": Look(_OPEN, 0.14, (0.9, 0.3, 0.15, 0.3)),
    "needs_judgement": Look(_OPEN, 0.14, (0.9, 0.3, 0.15, 0.3)),
    "not_measured": Look(_OPEN, 0.1, (0.2, 0.3)),
}
PLAIN = Look()


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing to draw: its form, side and points as in the record, what is said, and the sign and look of its verdict."""

    form: str
    side: str
    a: Point
    b: Point
    text: str
    sign: str = ""
    look: Look = PLAIN
    is_filled: bool = False


@dataclass(slots=True)
class Canvas:
    """Shapes in three layers, and how far they reach."""

    unit: float
    lines: list[str] = field(default_factory=list)
    grounds: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    box: list[float] = field(default_factory=lambda: [math.inf, math.inf, -math.inf, -math.inf])

    def reach(self, *points: Point) -> None:
        """Make sure that points lie within."""
        for x, y in points:
            self.box = [min(self.box[0], x), min(self.box[1], y), max(self.box[2], x), max(self.box[3], y)]

    def line(self, a: Point, b: Point, look: Look, *, thin: bool = False, haloed: bool = False) -> None:
        """Draw a line; in white beneath it, if it shall stand out from a picture."""
        self.reach(a, b)
        weight = (0.05 if thin else look.weight) * self.unit
        ends = f'x1="{short(a[0])}" y1="{short(a[1])}" x2="{short(b[0])}" y2="{short(b[1])}"'
        if haloed:
            self.lines.append(f'<line {ends} stroke="#ffffff" stroke-width="{short(weight + 0.16 * self.unit)}"/>')
        dash = "" if thin or not look.dash else f' stroke-dasharray="{" ".join(short(part * self.unit) for part in look.dash)}"'
        self.lines.append(f'<line {ends} stroke="{look.colour}" stroke-width="{short(weight)}"{dash}/>')

    def arrow(self, start: Point, tip: Point, look: Look) -> None:
        """Draw an arrow head at the end of a line."""
        length = math.hypot(tip[0] - start[0], tip[1] - start[1])
        if length < 1.6 * self.unit:  # no room between: the heads stand outside and point inward
            start = (2 * tip[0] - start[0], 2 * tip[1] - start[1])
        length = max(length, 1e-9)
        ux, uy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
        long, wide = 0.75 * self.unit, 0.22 * self.unit
        back = (tip[0] - long * ux, tip[1] - long * uy)
        points = (tip, (back[0] - wide * uy, back[1] + wide * ux), (back[0] + wide * uy, back[1] - wide * ux))
        self.reach(*points)
        self.lines.append(f'<polygon points="{" ".join(f"{short(x)},{short(y)}" for x, y in points)}" fill="{look.colour}"/>')

    def dot(self, at: Point, look: Look) -> None:
        """Draw a dot."""
        radius = 0.18 * self.unit
        self.reach((at[0] - radius, at[1] - radius), (at[0] + radius, at[1] + radius))
        place = f'cx="{short(at[0])}" cy="{short(at[1])}" r="{short(radius)}"'
        edge = f'stroke="#ffffff" stroke-width="{short(0.06 * self.unit)}"'
        self.lines.append(f'<circle {place} fill="{look.colour}" {edge}/>')

    def cross(self, at: Point, look: Look) -> None:
        """Draw a cross on a point between which and another a length is taken."""
        arm = 0.32 * self.unit
        solid = Look(look.colour, max(look.weight, 0.1))
        for way in (1, -1):
            self.line((at[0] - arm, at[1] - way * arm), (at[0] + arm, at[1] + way * arm), solid, haloed=True)

    def label(self, start: Point, item: Dimension, *, is_turned: bool = False) -> None:
        """Write a label whose baseline begins at a place, upward if it is turned."""
        u, width = self.unit, width_of(item) * self.unit
        ends = (0, -u * 1.05), (width, u * 0.35)
        self.reach(*((start[0] + y, start[1] - x) if is_turned else (start[0] + x, start[1] + y) for x, y in ends))
        turn = f'transform="translate({short(start[0])} {short(start[1])}){" rotate(-90)" if is_turned else ""}"'
        size = f'width="{short(width)}" height="{short(1.25 * u)}"'
        self.grounds.append(f'<g {turn}><rect x="0" y="{short(-0.95 * u)}" {size} fill="#ffffff"/></g>')
        parts, after = [], 0.0
        if item.sign:
            fill, ink = (item.look.colour, "#ffffff") if item.is_filled else ("#ffffff", item.look.colour)
            frame = f'fill="{fill}" stroke="{item.look.colour}" stroke-width="{short(0.08 * u)}"'
            place = f'x="{short(0.05 * u)}" y="{short(-0.9 * u)}" width="{short(1.1 * u)}" height="{short(1.15 * u)}"'
            parts.append(f"<rect {place} {frame}/>")
            parts.append(_text(0.6 * u, item.sign, ink, u, 'text-anchor="middle" font-weight="bold"'))
            after = 1.5 * u
        weight = ' font-weight="bold"' if item.is_filled else ""
        parts.append(_text(after, item.text, item.look.colour, u, weight))
        self.words.append(f"<g {turn}>{''.join(parts)}</g>")


def width_of(item: Dimension) -> float:
    """Return how wide a label is, in heights of the lettering."""
    return (_BOLD_EM if item.is_filled else _EM) * len(item.text) + (1.6 if item.sign else 0.0)


def _text(x: float, words: str, colour: str, unit: float, more: str) -> str:
    return f'<text x="{short(x)}" y="0" {_FONT} font-size="{short(unit)}" fill="{colour}" {more}>{_escaped(words)}</text>'


def short(value: float) -> str:
    """Return a number with three decimals at most."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
