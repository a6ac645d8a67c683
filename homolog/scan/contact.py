"""How much of the rod's disc lies outside the body, row by row where the two meet."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Bools, Floats, Ints

# How far beside the rod the body's surface is followed to see in which direction it runs, mm: at least, and at most.
_NEAR, _FAR = 0.12, 0.8
# No farther than this share of the circle to either side.
_SHARE = 9
# A step to the next cell by more is another piece of surface.
_JUMP, _FIRST_JUMP = 0.45, 0.3
_STEEPEST = math.radians(80)
# By what share a bulge may be wrong.
_DOUBT = 0.4
_REST = 0.2


@dataclass(frozen=True, slots=True)
class Outside:
    """Shares of the rod's disc that lie outside the body.

    Attributes:
        shares: Shape (rows,): from 0, where all of the disc is body, to 1.
        doubt: Shape (rows,): by how much each may be wrong (k = 1).
    """

    shares: Floats
    doubt: Floats


def outside_of(visible: Bools, reach: Floats, beyond: Floats, radius: float, *, noisy: bool = False) -> Outside:
    """Close the body's outline within the rod in every row.

    The body's outline comes up to the rod beside each hidden arc and goes on within it, unseen: by an arc that leaves the rod in
    the directions in which the visible surface runs on both sides. Where body touches from several sides there are two ways to
    join the ends: behind each hidden arc, as walls of a hole do, or across, as the faces of a plate thinner than the rod do.
    That way is taken along which the arcs turn less.

    Args:
        visible: Shape (rows, turns): cells in which the rod's own surface is seen.
        reach: Shape (rows, turns): how far from the axis the solid ends in the direction of each cell, mm.
        beyond: Shape (rows, turns): how far from the axis it begins again.
        radius: Of the rod, mm.
        noisy: Whether the crease between rod and body is blurred, so that it does not show how the body's surface leaves the
            rod. Then chords stand for arcs, behind the hidden arcs where most of the rod is seen.
    """
    shares = np.where(visible.all(axis=1), 1.0, 0.0)
    doubt = np.zeros(len(visible))
    for row in np.flatnonzero(visible.any(axis=1) & ~visible.all(axis=1)):
        if noisy:
            shares[row], doubt[row] = _by_chords(visible[row])
        else:
            shares[row], doubt[row] = _row(visible[row], reach[row] / radius, beyond[row] / radius, radius)
    return Outside(shares, doubt)


def _runs(visible: Bools) -> tuple[Ints, Ints]:
    """Return where hidden arcs begin and end, as cells; there are some of both."""
    change = np.flatnonzero(visible != np.roll(visible, 1))
    first = int(visible[change[0]])
    begins, ends = change[first::2], change[1 - first :: 2]
    return begins, np.roll(ends, -1) if first else ends


def _by_chords(visible: Bools) -> tuple[float, float]:
    """Return the share outside and its doubt, if the body's outline goes straight on from end to end."""
    turns = len(visible)
    begins, ends = _runs(visible)
    unit = 2 * math.pi / turns
    behind = 1.0 - sum(_segment(float(width) * unit) for width in (ends - begins) % turns) / math.pi
    across = sum(_segment(float(width) * unit) for width in (begins - np.roll(ends, 1)) % turns) / math.pi
    share = behind if visible.mean() >= 0.5 else across
    return _bounded(share), abs(behind - across) / 2


def _row(visible: Bools, reach: Floats, beyond: Floats, radius: float) -> tuple[float, float]:
    """Return the share outside and its doubt; lengths in units of the rod's radius."""
    turns = len(visible)
    begins, ends = _runs(visible)
    widths = (ends - begins) % turns
    unit = 2 * math.pi / turns
    before = [_either(reach, beyond, int(begin), 1, int(width), radius) for begin, width in zip(begins, widths, strict=True)]
    after = [_either(reach, beyond, int(end), -1, int(width), radius) for end, width in zip(ends, widths, strict=True)]
    count = len(begins)
    start, stop = begins * unit, ends * unit
    behind = [_arc(start[k], stop[k], before[k], after[k]) for k in range(count)]
    share = 1.0 - sum(_segment((stop[k] - start[k]) % (2 * math.pi)) + behind[k][0] for k in range(count)) / math.pi
    bulge = sum(abs(arc[0]) for arc in behind) / math.pi
    if count == 1:
        return _bounded(share), _DOUBT * bulge
    across = [_arc(stop[k - 1], start[k], after[k - 1], before[k]) for k in range(count)]
    other = sum(_segment((start[k] - stop[k - 1]) % (2 * math.pi)) + across[k][0] for k in range(count)) / math.pi
    cost, other_cost = sum(arc[1] for arc in behind), sum(arc[1] for arc in across)
    if other_cost < cost or visible.mean() < _REST:  # specks of rod left in the body do not divide it
        share, other, bulge = other, share, sum(abs(arc[0]) for arc in across) / math.pi
        cost, other_cost = other_cost, cost
    unsure = min(cost / max(other_cost, 1e-9), 1.0)
    return _bounded(share), math.hypot(_DOUBT * bulge, abs(_bounded(share) - _bounded(other)) / 2 * unsure)


def _bounded(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _segment(angle: float) -> float:
    """Return the area between an arc of the unit circle and its chord."""
    return (angle - math.sin(angle)) / 2


def _either(reach: Floats, beyond: Floats, cell: int, step: int, width: int, radius: float) -> tuple[float, float]:
    """Return the direction in which the body's surface leaves the rod at an end of a hidden arc, wherever it is seen.

    It runs on over the hidden directions where the body tapers away from the rod, and over the visible ones, with a gap
    between it and the rod, where the body widens.
    """
    found = _leaving(reach, cell, step, width, radius) or _leaving(beyond, cell, -step, len(reach) - width, radius)
    # What is seen in neither directions runs along the sight.
    turn = cell * 2 * math.pi / len(reach)
    return found or (math.cos(turn), math.sin(turn))


def _leaving(reach: Floats, cell: int, step: int, width: int, radius: float) -> tuple[float, float] | None:
    """Return the direction in which a surface leaves the rod beside the end of a hidden arc; None if it is not seen."""
    turns = len(reach)
    unit = 2 * math.pi / turns
    begin = math.cos(cell * unit), math.sin(cell * unit)
    x, y = begin
    path: list[tuple[float, float, float]] = []
    for at in range(min(turns // _SHARE, max(width // 2, 1))):
        k = (cell + step * at - (step < 0)) % turns
        length = float(reach[k])
        if not 0.7 < length < 20.0:
            break
        u, v = length * math.cos((k + 0.5) * unit), length * math.sin((k + 0.5) * unit)
        if math.hypot(u - x, v - y) * radius > (_JUMP if at else _FIRST_JUMP):
            break
        x, y = u, v
        path.append((math.hypot(x - begin[0], y - begin[1]) * radius, x - begin[0], y - begin[1]))
        if path[-1][0] > _FAR:
            break
    if not path or path[-1][0] < _NEAR:
        return None
    # The surface bends away: its direction where it leaves is that of the near part, less what the far part has turned.
    far, half = path[-1], min(path, key=lambda place: abs(place[0] - path[-1][0] / 2))
    u, v = (2 * half[k] / max(half[0], 1e-9) - far[k] / far[0] for k in (1, 2))
    size = math.hypot(u, v)
    return (u / size, v / size) if size > 0.1 else (far[1] * radius / far[0], far[2] * radius / far[0])


def _arc(start: float, stop: float, leaving: tuple[float, float], arriving: tuple[float, float]) -> tuple[float, float]:
    """Return the area between a chord of the unit circle and the arc over it, positive to the left, and how much the arc turns.

    Args:
        start: Angle of the chord's first end.
        stop: Angle of its last end.
        leaving: Direction in which the surface leaves the disc at the first end; it comes in by the opposite one.
        arriving: Direction in which it leaves the disc at the last end.
    """
    x, y = math.cos(stop) - math.cos(start), math.sin(stop) - math.sin(start)
    chord = math.hypot(x, y)
    if chord < 1e-9:
        return 0.0, 0.0
    into, out = (
        math.atan2(x * sign * v - y * sign * u, x * sign * u + y * sign * v) for (u, v), sign in ((leaving, -1), (arriving, 1))
    )
    bend = min(max((into - out) / 2, -_STEEPEST), _STEEPEST)
    turned = into**2 + out**2
    if abs(bend) < 1e-3:
        return chord**2 * bend / 6, turned
    return chord**2 * (2 * bend - math.sin(2 * bend)) / (8 * math.sin(bend) ** 2), turned
