"""Technical drawings as standalone SVG: plain attributes only, so that browsers and print agree."""

from __future__ import annotations

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
