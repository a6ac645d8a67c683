"""Technical drawings as standalone SVG: plain attributes only, so that browsers and print agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

INK = "#111111"
THIN = 0.012


class Drawing:
    """A drawing in mm, x to the right and y upward, with a margin for its dimensions.

    Attributes:
        unit: Height of the lettering in mm of the drawing; everything else is in proportion.
    """

    def __init__(self, left: float, bottom: float, width: float, height: float, *, unit: float) -> None:
        self.left, self.bottom, self.width, self.height = left, bottom, width, height
        self.unit = unit
        self._parts: list[str] = []

    def _x(self, x: float) -> str:
        return _number(x - self.left)

    def _y(self, y: float) -> str:
        return _number(self.bottom + self.height - y)

    def image(self, uri: str, left: float, top: float, width: float, height: float) -> None:
        """Place a picture by its upper left corner."""
        place = f'x="{self._x(left)}" y="{self._y(top)}" width="{_number(width)}" height="{_number(height)}"'
        self._parts.append(f'<image {place} preserveAspectRatio="none" xlink:href="{uri}"/>')

    def line(self, a: tuple[float, float], b: tuple[float, float], *, weight: float = 0.08, dashed: bool = False) -> None:
        """Draw a line; the weight is in units of the lettering."""
        ends = f'x1="{self._x(a[0])}" y1="{self._y(a[1])}" x2="{self._x(b[0])}" y2="{self._y(b[1])}"'
        dash = f' stroke-dasharray="{_number(self.unit * 0.5)} {_number(self.unit * 0.3)}"' if dashed else ""
        self._parts.append(f'<line {ends} stroke="{INK}" stroke-width="{_number(self.unit * weight)}"{dash}/>')

    def outline(self, loops: Sequence[Sequence[tuple[float, float]]], *, fill: str, weight: float = 0.1) -> None:
        """Draw closed outlines, filled where they enclose an odd number of times."""
        path = " ".join("M" + " L".join(f"{self._x(x)} {self._y(y)}" for x, y in loop) + " Z" for loop in loops)
        stroke = f'stroke="{INK}" stroke-width="{_number(self.unit * weight)}" stroke-linejoin="round"'
        self._parts.append(f'<path d="{path}" fill="{fill}" fill-rule="evenodd" {stroke}/>')

    def text(self, x: float, y: float, words: str, *, anchor: str = "middle", turned: bool = False) -> None:
        """Write words with their baseline's middle at a place, read from the right if turned."""
        place = f'x="{self._x(x)}" y="{self._y(y)}"'
        turn = f' transform="rotate(-90 {self._x(x)} {self._y(y)})"' if turned else ""
        style = f'font-family="sans-serif" font-size="{_number(self.unit)}" fill="{INK}" text-anchor="{anchor}"'
        self._parts.append(f"<text {place}{turn} {style}>{_escaped(words)}</text>")

    def dimension(self, a: tuple[float, float], b: tuple[float, float], offset: float, words: str) -> None:
        """Draw a dimension between two points that are level or upright to each other, moved aside by `offset`."""
        upright = abs(a[0] - b[0]) < abs(a[1] - b[1])
        if upright:
            x = (max if offset > 0 else min)(a[0], b[0]) + offset
            ends = ((x, a[1]), (x, b[1]))
            overshoot = math.copysign(self.unit * 0.3, offset)
            for point in (a, b):
                self.line((point[0] + overshoot, point[1]), (x + overshoot, point[1]), weight=0.05)
            self.text(x - self.unit * 0.35, (a[1] + b[1]) / 2, words, turned=True)
        else:
            y = (max if offset > 0 else min)(a[1], b[1]) + offset
            ends = ((a[0], y), (b[0], y))
            overshoot = math.copysign(self.unit * 0.3, offset)
            for point in (a, b):
                self.line((point[0], point[1] + overshoot), (point[0], y + overshoot), weight=0.05)
            # Words wider than the dimension would cross its end lines: they stand beyond them.
            beyond = 0.55 * self.unit * len(words) > abs(a[0] - b[0])
            rise = 0.35 if not beyond else (0.6 if offset > 0 else -1.1)
            self.text((a[0] + b[0]) / 2, y + self.unit * rise, words)
        self.line(*ends, weight=0.06)
        self._arrow(ends[1], ends[0])
        self._arrow(ends[0], ends[1])

    def _arrow(self, start: tuple[float, float], tip: tuple[float, float]) -> None:
        length = math.hypot(tip[0] - start[0], tip[1] - start[1])
        if length < 2.2 * self.unit * 0.7:  # no room between: the heads stand outside and point inward
            start = (2 * tip[0] - start[0], 2 * tip[1] - start[1])
        length = max(length, 1e-9)
        ux, uy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
        long, wide = 0.7 * self.unit, 0.18 * self.unit
        base = (tip[0] - long * ux, tip[1] - long * uy)
        points = [tip, (base[0] - wide * uy, base[1] + wide * ux), (base[0] + wide * uy, base[1] - wide * ux)]
        coordinates = " ".join(f"{self._x(x)},{self._y(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{coordinates}" fill="{INK}"/>')

    def svg(self, title: str, alt: str, *, inner: tuple[float, float, float, float] | None = None) -> str:
        """Return the drawing; `inner` cuts it to left, bottom, width, height."""
        left, bottom, width, height = inner or (self.left, self.bottom, self.width, self.height)
        x, y = _number(left - self.left), _number(self.bottom + self.height - bottom - height)
        box = f'viewBox="{x} {y} {_number(width)} {_number(height)}"'
        size = f'width="{_number(width * 4)}" height="{_number(height * 4)}"'
        head = f'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box} {size} role="img"'
        ground = f'<rect x="{x}" y="{y}" width="{_number(width)}" height="{_number(height)}" fill="#ffffff"/>'
        words = f"<title>{_escaped(title)}</title><desc>{_escaped(alt)}</desc>"
        return f"<svg {head}>{words}{ground}{''.join(self._parts)}</svg>"


def _number(value: float) -> str:
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
