"""Fitting a round or square bar to the surface of a frame, away from joints and edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.goal_bar import Bar
from homolog.scan.goal_fit import robust_fit
from homolog.scan.goal_rough import Rough, across
from homolog.scan.surface import Bools, Floats, Ints

_CELL_MM = 5.0
# A round section's corners reach no farther than this share beyond its flats; a square one's reach 0.41 beyond.
_ROUND = 0.065
# Of twelve sides of a round bar, how many must be seen; and what thickness a bar may have at all.
_SIDES_SEEN = 8
_MIN_MM, _MAX_MM = 1.2, 9.0
# Largest scatter about a fit as a share of the thickness, noise apart: a drawn round bar of eight sides has 0.01.
_SCATTER = 0.02
# Noise that is let pass whatever was found: on thin bars there is no room to tell it.
_NOISE_MM = 0.12
# Standard uncertainty of where a face is that was not seen.
_UNSEEN_MM = 1.0


def fit_bar(
    rough: Rough, free: list[tuple[float, float]], points: Floats, areas: Floats, *, is_drawing: bool, noise: float
) -> Bar | None:
    """Fit a bar to the points (n, 3) on the free stretches of a rough one; None where it is not seen from enough sides."""
    offset = points - rough.point
    along = offset @ rough.direction
    x, y = across(rough.direction)
    u, v = offset @ x, offset @ y
    on = np.zeros(len(points), bool)
    for low, high in free:
        on |= (along > low) & (along < high)
    on &= np.hypot(u, v) < 1.5 * rough.half + 0.5
    if on.sum() < 60:
        return None
    middle = float(np.median(along[on]))
    local = _Local(along[on] - middle, u[on], v[on], areas[on])
    section = _section(local)
    if section is None:
        return None
    angle, inner = section
    run = (rough.run[0] - middle, rough.run[1] - middle)
    frame = np.array([rough.at(middle), rough.direction, x, y])
    bar = _round_bar(local, frame, run, is_drawing) if angle is None else _square_bar(local, frame, run, angle, inner)
    # What scatters more than noise does is no bar, or not this bar alone.
    return bar if bar is not None and bar.scatter < _SCATTER * bar.widths[0] + max(2 * noise, _NOISE_MM) else None


@dataclass(frozen=True, slots=True)
class _Local:
    """Points in the frame of a rough bar: along it, across it twice, and the areas that they stand for."""

    z: Floats
    u: Floats
    v: Floats
    areas: Floats

    def turned(self, angle: float) -> _Local:
        c, s = math.cos(angle), math.sin(angle)
        return _Local(self.z, c * self.u + s * self.v, c * self.v - s * self.u, self.areas)


def _section(local: _Local) -> tuple[float | None, float] | None:
    """Return by what angle a square section is turned, None for a round one, and how far its faces are from its middle.

    The section's radius over the angle repeats four times around a square: cos 4 a; an oblong one repeats twice as well.
    """
    angle = np.arctan2(local.v, local.u)
    reach = np.hypot(local.u, local.v)
    order = np.argsort(angle)
    bounds = np.searchsorted(angle[order], (np.arange(49) / 24 - 1) * np.pi)
    at, middle = [], []
    for sector in range(48):
        own = order[bounds[sector] : bounds[sector + 1]]
        if len(own) > 2:  # the median: what lies beside the bar must not count
            at.append(((sector + 0.5) / 24 - 1) * np.pi)
            middle.append(float(np.median(reach[own])))
    if len(at) < 20:
        return None
    turn = np.array(at)
    rows = np.column_stack([np.ones_like(turn)] + [f(k * turn) for k in (1, 2, 4) for f in (np.cos, np.sin)])
    solved = np.linalg.lstsq(rows, np.array(middle), rcond=None)[0]
    inner = float(np.quantile(middle, 0.15))
    if math.hypot(solved[5], solved[6]) < _ROUND * solved[0]:
        return None, inner
    # Farthest at the corners, so that the faces lie an eighth of a turn away.
    return float(math.atan2(solved[6], solved[5]) / 4 + math.pi / 4), inner


def _cells(z: Floats, side: Floats | int) -> Ints:
    slot = np.floor(z / _CELL_MM)
    return np.asarray((slot - slot.min()) * 8 + side).astype(np.int64)


def _round_bar(local: _Local, frame: Floats, run: tuple[float, float], is_drawing: bool) -> Bar | None:
    scale = max(float(np.abs(local.z).max()), 1.0)
    z = local.z / scale
    centre = np.zeros(4)
    radius, reach, fit = 0.0, np.empty(0), None
    for _ in range(4):
        du, dv = local.u - centre[0] - centre[2] * z, local.v - centre[1] - centre[3] * z
        reach = np.hypot(du, dv)
        c, s = du / reach, dv / reach
        side = np.floor((np.arctan2(s, c) / np.pi + 1) * 2.9999)
        rows = np.column_stack([c, s, c * z, s * z, np.ones_like(c), z])
        fit = robust_fit(rows, reach, local.areas, _cells(local.z, side))
        if fit is None:
            return None
        centre, radius = centre + fit.numbers[:4], float(fit.numbers[4])
    if fit is None:
        return None
    seen = np.bincount(np.floor((np.arctan2(s[fit.kept], c[fit.kept]) / np.pi + 1) * 5.9999).astype(np.int64), minlength=12)
    if (seen > 0.15 * seen.mean()).sum() < _SIDES_SEEN or not _MIN_MM < 2 * radius < _MAX_MM:
        return None
    errors = np.sqrt(np.diag(fit.covariance))
    facets = 0.0
    if is_drawing:
        # The corners of a drawn bar's section lie on the round, the flats within.
        corner = float(np.quantile(reach[fit.kept], 0.995))
        facets, radius = corner - radius, corner
    else:
        radius -= fit.scatter**2 / (2 * radius)
    change = 4 * float(fit.numbers[5]) * (run[1] - run[0]) / (2 * scale)
    noise = 4 * errors[5] * (run[1] - run[0]) / (2 * scale)
    taper = change if abs(change) > 3 * noise + 0.01 else 0.0
    return _bar(
        frame,
        centre / np.array([1, 1, scale, scale]),
        0.0,
        run,
        is_round=True,
        widths=(2 * radius, 2 * radius),
        u_middle=(errors[0], errors[1]),
        u_slope=(errors[2] / scale, errors[3] / scale),
        u_widths=(2 * errors[4], 2 * errors[4]),
        facets=facets,
        scatter=fit.scatter,
        taper=taper,
    )


def _square_bar(local: _Local, frame: Floats, run: tuple[float, float], angle: float, inner: float) -> Bar | None:
    scale = max(float(np.abs(local.z).max()), 1.0)
    halves = _first_halves(local.turned(angle), inner)
    fits: list[_Pair] = []
    blind = None
    for _ in range(3):
        turned = local.turned(angle)
        found = [_pair_of_faces(turned, axis, halves, scale) for axis in (0, 1)]
        if found[0] is None and found[1] is None:
            return None
        blind = None
        for axis in (0, 1):
            if found[axis] is None:
                blind = axis
                found[axis] = _one_face(turned, axis, halves, scale)
        fits = [pair for pair in found if pair is not None]
        if len(fits) < 2:
            return None
        halves = [float(pair.numbers[2]) for pair in fits]
        # Both faces of one pair lean against the frame by the angle that is still missing.
        angle += (fits[0].lean + fits[1].lean) / (2 if blind is None else 1)
    if min(halves) < _MIN_MM / 2 or max(halves) > _MAX_MM / 2:
        return None
    centre = np.array([fits[0].numbers[0], fits[1].numbers[0], fits[0].numbers[1] / scale, fits[1].numbers[1] / scale])
    length = run[1] - run[0]
    wide = int(np.argmax(halves)) if blind is None else 1 - blind
    change, noise = (2 * number * length / scale for number in (fits[wide].numbers[3], fits[wide].errors[3]))
    return _bar(
        frame,
        centre,
        angle,
        run,
        is_round=False,
        widths=(2 * halves[0], 2 * halves[1]),
        u_middle=(fits[0].errors[0], fits[1].errors[0]),
        u_slope=(fits[0].errors[1] / scale, fits[1].errors[1] / scale),
        u_widths=(2 * fits[0].errors[2], 2 * fits[1].errors[2]),
        facets=0.0,
        scatter=max(pair.scatter for pair in fits),
        taper=change if abs(change) > 3 * noise + 0.01 else 0.0,
        blind=blind,
    )


def _first_halves(local: _Local, inner: float) -> list[float]:
    """Return about how far the faces are from the middle, along each axis."""
    found = []
    for outward, sideways in ((local.u, local.v), (local.v, local.u)):
        own = np.abs(outward)[np.abs(sideways) < 0.5 * inner]
        found.append(float(np.median(own)) if len(own) > 10 else inner)
    return found


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two opposite faces: middle, its slope, half thickness, its slope; with errors; and the angle that the faces lean by."""

    numbers: Floats
    errors: Floats
    lean: float
    scatter: float


def _pair_of_faces(local: _Local, axis: int, halves: list[float], scale: float) -> _Pair | None:
    outward, sideways = (local.u, local.v) if axis == 0 else (local.v, local.u)
    own, other = halves[axis], halves[1 - axis]
    chosen: Bools = (np.abs(np.abs(outward) - own) < 0.35 * own + 0.15) & (np.abs(sideways) < other - max(0.3 * other, 0.2))
    sign = np.sign(outward[chosen])
    if min((sign > 0).sum(), (sign < 0).sum()) < 15:
        return None
    z, across_face = local.z[chosen] / scale, sideways[chosen]
    rows = np.column_stack([sign, sign * z, np.ones_like(z), z, sign * across_face])
    fit = robust_fit(rows, np.abs(outward[chosen]), local.areas[chosen], _cells(local.z[chosen], sign + 1))
    if fit is None:
        return None
    # The lean of the first axis' faces turns them forward, that of the second's backward.
    lean = -float(fit.numbers[4]) if axis == 0 else float(fit.numbers[4])
    return _Pair(fit.numbers, np.sqrt(np.diag(fit.covariance)), lean, fit.scatter)


def _one_face(local: _Local, axis: int, halves: list[float], scale: float) -> _Pair | None:
    """Take the one face in sight, and as thick as the other axis is for the rest."""
    outward, sideways = (local.u, local.v) if axis == 0 else (local.v, local.u)
    other = halves[1 - axis]
    chosen = (np.abs(sideways) < 0.7 * other) & (np.abs(np.abs(outward) - other) < 0.5 * other)
    sign = 1.0 if (outward[chosen] > 0).sum() > (outward[chosen] < 0).sum() else -1.0
    chosen &= np.sign(outward) == sign
    if chosen.sum() < 15:
        return None
    z = local.z[chosen] / scale
    fit = robust_fit(np.column_stack([np.ones_like(z), z]), outward[chosen], local.areas[chosen], _cells(local.z[chosen], 0))
    if fit is None:
        return None
    errors = np.sqrt(np.diag(fit.covariance))
    numbers = np.array([fit.numbers[0] - sign * other, fit.numbers[1], other, 0.0])
    return _Pair(numbers, np.array([_UNSEEN_MM, errors[1], _UNSEEN_MM, 0.0]), 0.0, fit.scatter)


def _bar(frame: Floats, centre: Floats, angle: float, run: tuple[float, float], **known: object) -> Bar:
    """Turn a fit in the frame of a rough bar into space; `centre` holds the place in the turned axes, then the slopes."""
    point, direction, x, y = frame
    first = math.cos(angle) * x + math.sin(angle) * y
    second = math.cos(angle) * y - math.sin(angle) * x
    middle = point + centre[0] * first + centre[1] * second
    exact = direction + centre[2] * first + centre[3] * second
    exact = exact / np.linalg.norm(exact)
    first = first - (first @ exact) * exact
    first /= np.linalg.norm(first)
    axes = np.array([first, np.cross(exact, first)])
    return Bar(middle=middle, direction=exact, axes=axes, run=run, **known)  # type: ignore[arg-type]
