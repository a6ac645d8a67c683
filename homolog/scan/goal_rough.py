"""A bar of a frame, roughly: where its middle runs, from where to where, how thick it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from homolog.scan.goal_lines import Line
from homolog.scan.surface import Floats

REACH_MM = 5.5
"""Farthest that a bar's surface lies from its middle: a square one of 7 mm."""
MIN_LENGTH_MM = 18.0
MIN_THICKNESS_MM = 1.2
"""What is thinner is a strand of the net."""
_BIN_MM = 2.0
_GAP_BINS = 3


@dataclass(frozen=True, slots=True)
class Rough:
    """A bar's middle line through `point` along `direction`, its run along it from there, and half its thickness, mm."""

    point: Floats
    direction: Floats
    run: tuple[float, float]
    half: float

    def at(self, along: float) -> Floats:
        """Return a point of the middle line."""
        return self.point + along * self.direction

    @property
    def length(self) -> float:
        """Length of the run."""
        return self.run[1] - self.run[0]


def across(direction: Floats) -> tuple[Floats, Floats]:
    """Return two unit directions across one."""
    helper = np.eye(3)[int(np.argmin(np.abs(direction)))]
    x = np.cross(direction, helper)
    x /= np.linalg.norm(x)
    return x, np.cross(direction, x)


def rough_bar(line: Line, points: Floats, normals: Floats) -> Rough | None:
    """Follow a line through a surface; None if no bar runs along it."""
    bar = Rough(line.point, line.direction, (-np.inf, np.inf), REACH_MM / 1.3)
    for _ in range(4):
        offset = points - bar.point
        along = offset @ bar.direction
        radial = np.linalg.norm(offset - along[:, None] * bar.direction, axis=1)
        near = (radial < min(1.45 * bar.half + 0.6, REACH_MM)) & (np.abs(normals @ bar.direction) < 0.5)
        near &= (along > bar.run[0] - 6.0) & (along < bar.run[1] + 6.0)
        if near.sum() < 40:
            return None
        run = _run(along[near], normals[near], bar.direction)
        if run is None or run[1] - run[0] < MIN_LENGTH_MM:
            return None
        near &= (along > run[0]) & (along < run[1])
        bar = _centred(replace(bar, run=run), points[near], normals[near])
        if not MIN_THICKNESS_MM / 2 < bar.half < REACH_MM:
            return None
    return bar


def _run(along: Floats, normals: Floats, direction: Floats) -> tuple[float, float] | None:
    """Return the longest stretch along which the surface faces at least three ways of eight."""
    x, y = across(direction)
    sector = np.floor((np.arctan2(normals @ y, normals @ x) / np.pi + 1) * 3.9999).astype(np.int64)
    slot = np.floor(along / _BIN_MM).astype(np.int64)
    low = int(slot.min())
    seen = np.zeros((int(slot.max()) - low + 1, 8), bool)
    seen[slot - low, sector] = True
    good = np.flatnonzero(seen.sum(axis=1) >= 3)
    if not len(good):
        return None
    breaks = np.flatnonzero(np.diff(good) > _GAP_BINS)
    starts, ends = np.r_[good[0], good[breaks + 1]], np.r_[good[breaks], good[-1]]
    best = int((ends - starts).argmax())
    return float((starts[best] + low) * _BIN_MM), float((ends[best] + low + 1) * _BIN_MM)


def _centred(bar: Rough, points: Floats, normals: Floats) -> Rough:
    """Put a line midway between surfaces that face away from each other, whatever the section."""
    x, y = across(bar.direction)
    offset = points - bar.point
    along = offset @ bar.direction
    u, v = offset @ x, offset @ y
    facing = np.arctan2(normals @ y, normals @ x)
    c, s = np.cos(facing), np.sin(facing)
    pair = np.floor((facing / np.pi % 1) * 5.9999).astype(np.int64)
    rows = np.column_stack([c, s, c * along, s * along, np.eye(6)[pair]])
    scale = max(float(np.abs(along).max()), 1.0)
    rows[:, 2:4] /= scale
    # Where a face has no opposite in sight, the bar is taken to be as thick that way as it is the other way.
    alike = np.hstack([np.zeros((6, 4)), np.eye(6) - 1 / 6]) * 0.03 * np.sqrt(len(rows))
    count = np.bincount(pair, minlength=6)
    alike[count == 0] = 0.0
    solved = np.linalg.lstsq(np.vstack([rows, alike]), np.r_[c * u + s * v, np.zeros(6)], rcond=1e-6)[0]
    half = float(solved[4:][count > 0.05 * len(pair)].max())
    direction = bar.direction + (solved[2] * x + solved[3] * y) / scale
    return Rough(bar.point + solved[0] * x + solved[1] * y, direction / np.linalg.norm(direction), bar.run, max(half, 0.0))


def distinct(bars: list[Rough]) -> list[Rough]:
    """Leave out bars that run along a longer one."""
    kept: list[Rough] = []
    for bar in sorted(bars, key=lambda one: -one.length):
        for other in kept:
            middle = bar.at(sum(bar.run) / 2) - other.point
            along = float(middle @ other.direction)
            apart = float(np.linalg.norm(middle - along * other.direction))
            inside = other.run[0] - 2 < along < other.run[1] + 2
            if abs(bar.direction @ other.direction) > 0.95 and apart < other.half + bar.half and inside:
                break
        else:
            kept.append(bar)
    return kept


def clear_runs(bar: Rough, others: list[Rough]) -> list[tuple[float, float]]:
    """Return the stretches of a bar that lie clear of the others and of its own ends."""
    blocked = []
    for other in others:
        if other is bar:
            continue
        cosine = float(bar.direction @ other.direction)
        sine2 = 1 - cosine * cosine
        if sine2 < 0.03:
            continue
        gap = other.point - bar.point
        here = float(gap @ bar.direction - cosine * (gap @ other.direction)) / sine2
        there = float(cosine * (gap @ bar.direction) - gap @ other.direction) / sine2
        apart = float(np.linalg.norm(bar.at(here) - other.at(there)))
        reach = 1.45 * (bar.half + other.half) + 2.0
        if apart < reach and other.run[0] - reach < there < other.run[1] + reach:
            wide = (1.45 * other.half + 1.2 * bar.half * abs(cosine)) / np.sqrt(sine2) + 1.2
            blocked.append((here - wide, here + wide))
    edges = [bar.run[0] + 1.5]
    for low, high in sorted(blocked):
        edges += [low, high]
    edges.append(bar.run[1] - 1.5)
    free = []
    reached = edges[0]
    for low, high in [*sorted(blocked), (edges[-1], np.inf)]:
        if low - reached > 3.0:
            free.append((reached, min(low, edges[-1])))
        reached = max(reached, high)
    return free
