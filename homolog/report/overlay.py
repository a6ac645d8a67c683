"""Dimensions laid out about a picture, so that no words meet."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from homolog.report.canvas import INK, PLAIN, Canvas, Dimension, Look, Point, short, width_of

_PITCH, _FIRST, _GAP = 2.1, 1.0, 0.6
"""Heights of the lettering from row to row, to the first row, and before a name."""
_NARROW, _WIDE, _TALL = 34.0, 76.0, 50.0
"""How many heights of the lettering a picture is wide if it stands in a column, wide across the page, and high at most."""
_WIDE_RATIO = 1.6
_HEAD = re.compile(r'<svg [^<>]{0,400}?viewBox="0 0 ([0-9.]{1,12}) ([0-9.]{1,12})" width="([0-9.]{1,12})" ')


def dimensioned(svg: str, items: Sequence[Dimension], legend: str = "") -> tuple[str, bool]:
    """Return a drawing with its dimensions, and whether it wants the whole width of a page.

    Args:
        svg: The drawing, with its view box's corner at 0.
        items: What is to be marked in it.
        legend: What its hatching means; nothing without.
    """
    head = _HEAD.match(svg)
    width, height, shown = (float(part) for part in head.groups()) if head is not None else (0.0, 0.0, 0.0)
    if not (0 < width < 1e5 and 0 < height < 1e5 and 0 < shown < 1e6):
        return svg, _is_wide(svg)
    unit, is_wide = _lettering(width, height, items)
    canvas = Canvas(unit)
    canvas.reach((0.0, 0.0), (width, height))
    _draw(canvas, width, height, items)
    if legend:
        _legend(canvas, legend)
    room = 0.4 * unit
    left, top, right, bottom = canvas.box
    left, top, wide, high = left - room, top - room, right - left + 2 * room, bottom - top + 2 * room
    box = f'viewBox="{short(left)} {short(top)} {short(wide)} {short(high)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} width="{short(wide * 4)}" height="{short(high * 4)}">',
        f'<rect x="{short(left)}" y="{short(top)}" width="{short(wide)}" height="{short(high)}" fill="#ffffff"/>',
        f'<g transform="scale({width / shown:.6f})">{svg}</g>',
        *canvas.lines,
        *canvas.grounds,
        *canvas.words,
        "</svg>",
    ]
    return "".join(parts), is_wide


def _is_wide(svg: str) -> bool:
    """Say whether a foreign drawing is much wider than high."""
    match = re.search(r'viewBox="\S+ \S+ ([0-9.]{1,12}) ([0-9.]{1,12})"', svg[:2000], re.ASCII)
    try:
        return match is not None and float(match[1]) > _WIDE_RATIO * float(match[2])
    except ValueError:
        return False


def _lettering(width: float, height: float, items: Sequence[Dimension]) -> tuple[float, bool]:
    """Return the height of the lettering, and whether the drawing wants the whole width of a page."""
    beside = {side: sum(_PITCH for item in items if item.side == side and item.form == "beside") + _FIRST for side in _SIDES}
    named = {
        side: max((width_of(item) + 1.5 for item in items if item.side == side and item.form != "beside"), default=0)
        for side in _SIDES
    }
    across = sum(beside[side] + named[side] for side in ("left", "right"))
    along = sum(_PITCH * sum(item.side == side for item in items) + _FIRST for side in ("above", "below")) + 2
    longest = max((width_of(item) for item in items if item.side in ("above", "below")), default=0.0)
    is_wide = width > _WIDE_RATIO * height or across > 0.68 * _NARROW or longest > _NARROW - 1
    for_width = width / max((_WIDE if is_wide else _NARROW) - across, 12)
    return max(for_width, height / (_TALL - along)), is_wide


_SIDES = ("left", "right", "above", "below")


def _draw(canvas: Canvas, width: float, height: float, items: Sequence[Dimension]) -> None:
    u = canvas.unit
    upright = [item for item in items if item.form == "beside" and item.side in ("left", "right")]
    level = [item for item in items if item.side in ("above", "below")]
    # Where words are longer than the picture, the lines stand farther off, so that no row meets a column in a corner.
    over_y = max((width_of(item) * u - height for item in upright), default=0.0) / 2
    over_x = max((width_of(item) * u - width for item in level), default=0.0) / 2
    over_x, over_y = max(over_x, 0.0), max(over_y, 0.0)
    for side, edge, sense in (("left", -over_x, -1), ("right", width + over_x, 1)):
        own = [item for item in upright if item.side == side]
        for item, row in zip(own, _rows(own, u, -over_y, height + over_y, axis=1), strict=True):
            _column(canvas, item, edge + sense * (_FIRST + row[0] * _PITCH) * u, sense, row[1])
    for side, edge, sense in (("above", -over_y, -1), ("below", height + over_y, 1)):
        own = [item for item in level if item.side == side]
        for item, row in zip(own, _rows(own, u, -over_x, width + over_x, axis=0), strict=True):
            _row(canvas, item, edge + sense * (_FIRST + row[0] * _PITCH) * u, sense, row[1])
    reached = list(canvas.box)
    for side in ("left", "right"):
        named = [item for item in items if item.side == side and item.form != "beside"]
        _callouts(canvas, named, side, reached[0] if side == "left" else reached[2], height)


def _rows(items: Sequence[Dimension], u: float, low: float, high: float, axis: int) -> list[tuple[int, float]]:
    """Return for each item the first row in which it has room, and where along the side its words begin."""
    taken: list[list[tuple[float, float]]] = []
    found = []
    for item in items:
        ends = sorted((item.a[axis], item.b[axis]))
        long = width_of(item) * u
        begin = min(max((ends[0] + ends[1] - long) / 2, low), high - long)
        reach = [begin, begin + long, *(ends if item.form == "beside" else ())]
        span = (min(reach) - 0.4 * u, max(reach) + 0.4 * u)
        row = next((at for at, row in enumerate(taken) if all(span[1] < one[0] or span[0] > one[1] for one in row)), len(taken))
        if row == len(taken):
            taken.append([])
        taken[row].append(span)
        found.append((row, begin))
    return found


def _column(canvas: Canvas, item: Dimension, x: float, sense: int, begin: float) -> None:
    u = canvas.unit
    ends = (x, item.a[1]), (x, item.b[1])
    for point in (item.a, item.b):
        canvas.line(point, (x + sense * 0.3 * u, point[1]), item.look, thin=True)
        canvas.cross(point, item.look)
    _length(canvas, *ends, item.look)
    canvas.label((x + (-0.4 if sense < 0 else 1.2) * u, begin + width_of(item) * u), item, is_turned=True)


def _row(canvas: Canvas, item: Dimension, y: float, sense: int, begin: float) -> None:
    u = canvas.unit
    if item.form == "beside":
        for point in (item.a, item.b):
            canvas.line(point, (point[0], y + sense * 0.3 * u), item.look, thin=True)
            canvas.cross(point, item.look)
        _length(canvas, (item.a[0], y), (item.b[0], y), item.look)
    else:
        at = _above_words(item, sense, begin, begin + width_of(item) * u)
        canvas.line(at, (at[0], y), item.look, thin=True)
        if item.form == "within":
            _inside(canvas, item)
    canvas.label((begin, y + (-0.4 if sense < 0 else 1.2) * u), item)


def _above_words(item: Dimension, sense: int, begin: float, end: float) -> Point:
    """Return the point from which a line leads to words in a row: the nearer end, or where the length passes over their middle."""
    outer = (max if sense > 0 else min)(item.a, item.b, key=lambda point: point[1])
    if begin <= outer[0] <= end or item.a[0] == item.b[0]:
        return outer
    middle = min(max((begin + end) / 2, min(item.a[0], item.b[0])), max(item.a[0], item.b[0]))
    share = (middle - item.a[0]) / (item.b[0] - item.a[0])
    return middle, item.a[1] + share * (item.b[1] - item.a[1])


def _inside(canvas: Canvas, item: Dimension) -> None:
    canvas.line(item.a, item.b, item.look, haloed=True)
    for point in (item.a, item.b):
        canvas.cross(point, item.look)


def _length(canvas: Canvas, a: Point, b: Point, look: Look) -> None:
    canvas.line(a, b, look)
    canvas.arrow(b, a, look)
    canvas.arrow(a, b, look)


def _callouts(canvas: Canvas, items: Sequence[Dimension], side: str, edge: float, height: float) -> None:
    """Name things beside the picture, one below the other in the order of their height in it."""
    u = canvas.unit
    ordered = sorted(items, key=lambda item: _outer(item, side)[1])
    y = -math.inf
    room = max(height - 1.6 * u * len(ordered), 0.0)
    for at, item in enumerate(ordered):
        anchor = _outer(item, side)
        latest = height - 1.6 * u * (len(ordered) - 1 - at) if room else math.inf
        y = max(y + 1.6 * u, min(anchor[1], latest))
        width = width_of(item) * u
        begin = edge - (_GAP + 0.6) * u - width if side == "left" else edge + (_GAP + 0.6) * u
        if item.form == "within":
            _inside(canvas, item)
        else:
            canvas.dot(item.a, item.look)
        end = begin + width + 0.3 * u if side == "left" else begin - 0.3 * u
        canvas.line(anchor, (end, y), item.look, thin=True, haloed=True)
        canvas.label((begin, y + 0.35 * u), item)


def _outer(item: Dimension, side: str) -> Point:
    return (min if side == "left" else max)(item.a, item.b)


def _legend(canvas: Canvas, words: str) -> None:
    u = canvas.unit
    left, bottom = canvas.box[0], canvas.box[3] + 0.6 * u
    item = Dimension("spot", "below", (left, bottom), (left, bottom), words)
    canvas.label((left + 2.6 * u, bottom + 1.05 * u), item)
    canvas.reach((left, bottom), (left + 2.2 * u, bottom + 1.3 * u))
    x, y, wide, high = left, bottom + 0.05 * u, 2.1 * u, 1.2 * u
    place = f'x="{short(x)}" y="{short(y)}" width="{short(wide)}" height="{short(high)}"'
    canvas.lines.append(f'<rect {place} fill="#cccccc" stroke="{INK}" stroke-width="{short(0.06 * u)}"/>')
    for step in range(3):
        at = x + step * 0.45 * u
        canvas.line((at, y + high), (at + high, y), PLAIN)
