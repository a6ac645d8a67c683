"""The bar of a margin: where a value and its U lie to the limit, drawn so that it reads in black and white.

Grey with hatching is what the limit excludes; the dashed strip is where a value with this U stays undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

WIDTH, HEIGHT = 130, 38
_TOP, _BOTTOM, _MIDDLE = 4, 26, 15
_EDGE = 5
_FAR = Decimal(3)  # the other limit is drawn only if it lies within so many spans
_HATCH = 5


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to points across the drawing."""

    lo: Decimal
    hi: Decimal

    def x(self, number: Decimal) -> float:
        share = (min(max(number, self.lo), self.hi) - self.lo) / (self.hi - self.lo)
        return round(_EDGE + float(share) * (WIDTH - 2 * _EDGE), 1)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The numbers of one bar; None is an open end or an absent side."""

    value: Decimal | None
    lo: Decimal | None
    hi: Decimal | None
    least: Decimal | None
    most: Decimal | None


def bar_svg(reading: Mapping[str, Any] | None, limit: Mapping[str, Any] | None, labels: Mapping[str, str]) -> str | None:
    """Return the drawing as SVG, or None where there is nothing to draw.

    Args:
        reading: A reading of the record.
        limit: A limit of the record, in the same unit.
        labels: The limits' numbers as the page writes them, by `min` and `max`.
    """
    drawn = _drawn(reading, limit)
    if drawn is None:
        return None
    scale = _scale(drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        _box(_EDGE, _TOP, WIDTH - 2 * _EDGE, _BOTTOM - _TOP, 'fill="none" stroke="currentColor" stroke-width="0.6"'),
    ]
    for side, at in (("min", drawn.least), ("max", drawn.most)):
        if at is not None and scale.lo < at < scale.hi:
            parts += _limit(scale, at, side, labels.get(side, ""), _half_width(drawn))
    parts += [*_whisker(scale, drawn), "</svg>"]
    return "".join(parts)


def _drawn(reading: Mapping[str, Any] | None, limit: Mapping[str, Any] | None) -> _Drawn | None:
    if reading is None or limit is None or reading["unit"] != limit["unit"]:
        return None
    least, most = _number(limit["min"]), _number(limit["max"])
    value = _number(reading.get("value"))
    lo, hi = _number(reading.get("lo")), _number(reading.get("hi"))
    if value is not None:
        spread = _number(reading.get("U")) or Decimal(0)
        lo, hi = value - spread, value + spread
    if (lo is None and hi is None) or (least is None and most is None):
        return None
    return _Drawn(value, lo, hi, least, most)


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _half_width(drawn: _Drawn) -> Decimal:
    if drawn.value is None or drawn.hi is None:
        return Decimal(0)
    return drawn.hi - drawn.value


def _scale(drawn: _Drawn) -> _Scale:
    """Take in the reading and its nearer limit; the other limit only if the picture stays readable."""
    ends = [end for end in (drawn.lo, drawn.hi, drawn.value) if end is not None]
    limits = sorted(
        (side for side in (drawn.least, drawn.most) if side is not None), key=lambda side: min(abs(side - end) for end in ends)
    )
    ends.append(limits[0])
    span = max(ends) - min(ends) or abs(limits[0]) / 50 or Decimal(1)
    if len(limits) > 1 and min(abs(limits[1] - end) for end in ends) <= span * _FAR:
        ends.append(limits[1])
        span = max(ends) - min(ends)
    room = span * Decimal("0.3")
    return _Scale(min(ends) - room, max(ends) + room)


def _limit(scale: _Scale, at: Decimal, side: str, label: str, half: Decimal) -> list[str]:
    x = scale.x(at)
    outer = WIDTH - _EDGE if side == "max" else _EDGE
    left, right = min(x, outer), max(x, outer)
    thin = 'stroke-width="0.5" stroke-opacity="0.6"'
    parts = [_box(left, _TOP, right - left, _BOTTOM - _TOP, 'fill="currentColor" fill-opacity="0.12"')]
    parts += [_line(start, _BOTTOM, min(start + _HATCH, right), _TOP, thin) for start in _steps(left, right)]
    if half:
        low, high = scale.x(at - half), scale.x(at + half)
        dashed = 'fill="none" stroke="currentColor" stroke-width="0.6" stroke-dasharray="2 2"'
        parts.append(_box(low, _TOP + 2, high - low, _BOTTOM - _TOP - 4, dashed))
    parts.append(_line(x, _TOP - 3, x, _BOTTOM + 3, 'stroke-width="2"'))
    anchor = "start" if x < WIDTH / 4 else "end" if x > WIDTH * 3 / 4 else "middle"
    place = f'x="{x}" y="{HEIGHT - 2}" font-size="10" text-anchor="{anchor}" fill="currentColor"'
    parts.append(f"<text {place}>{_escaped(label)}</text>")
    return parts


def _steps(left: float, right: float) -> list[float]:
    return [round(left + step * _HATCH, 1) for step in range(int((right - left) // _HATCH))]


def _whisker(scale: _Scale, drawn: _Drawn) -> list[str]:
    left = scale.x(drawn.lo) if drawn.lo is not None else _EDGE
    right = scale.x(drawn.hi) if drawn.hi is not None else WIDTH - _EDGE
    parts = [_line(left, _MIDDLE, right, _MIDDLE, 'stroke-width="2"')]
    parts.append(_end(left, is_open=drawn.lo is None, outward=-1))
    parts.append(_end(right, is_open=drawn.hi is None, outward=1))
    if drawn.value is not None:
        parts.append(f'<circle cx="{scale.x(drawn.value)}" cy="{_MIDDLE}" r="4" fill="currentColor"/>')
    return parts


def _end(x: float, *, is_open: bool, outward: int) -> str:
    """Draw a cap, or an arrow head where the end is open."""
    if not is_open:
        return _line(x, _MIDDLE - 5, x, _MIDDLE + 5, 'stroke-width="1.6"')
    tail = x - outward * 6
    return f'<path d="M{tail} {_MIDDLE - 5} L{x} {_MIDDLE} L{tail} {_MIDDLE + 5} Z" fill="currentColor"/>'


def _box(x: float, y: float, width: float, height: float, style: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{height}" {style}/>'


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor" {style}/>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
