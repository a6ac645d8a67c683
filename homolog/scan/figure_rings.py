"""Where along its axis a body is round all around: the band in which a figure's base is widest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around, Axis, seen_from
from homolog.scan.figure_patches import Patches
from homolog.scan.surface import Bools, Floats

_SLICE_MM = 0.5
_SECTORS = 36
_LEAST_RADIUS = 3.5
_FULL = 0.8
# Rings this much smaller than the widest belong to the same band: a dome's and a bowl's.
_SAME = 0.93


@dataclass(frozen=True, slots=True)
class Band:
    """The widest round band, with the axis turned so that the figure stands above it.

    Attributes:
        low: Height at which the band begins, mm.
        high: Height at which it ends.
        radius: Its radius.
        bottom: Lowest height of the body.
        top: Greatest height of the body.
    """

    axis: Axis
    low: float
    high: float
    radius: float
    bottom: float
    top: float


def find_band(axis: Axis, patches: Patches, *, noise: float, lean: float) -> Band | str:
    """Find the base's widest band; the reason in words where none is to be trusted.

    Args:
        axis: The axis of the round base, either way up.
        patches: The body's patches, mm.
        noise: Scatter of the patches in mm.
        lean: By how much the axis may still lean, radians.
    """
    seen = seen_from(axis, patches)
    lowest, highest = float(seen.z.min()), float(seen.z.max())
    full, radius = _rings(seen, lowest, highest, 0.4 + 3 * noise + lean * 12.0)
    if not full.any():
        return "no round base was found: nowhere is the outline a circle all around"
    widest = float(radius[full].max())
    band = full & (radius >= _SAME * widest)
    runs = _runs(band)
    if len(runs) > 1:
        apart = [(lowest + begin * _SLICE_MM, lowest + end * _SLICE_MM) for begin, end in runs]
        if apart[-1][0] - apart[0][1] > 1.6:
            return "two round parts of about the same width were found, so which is the base cannot be told"
    low, high = lowest + runs[0][0] * _SLICE_MM, lowest + runs[-1][1] * _SLICE_MM
    middle = (low + high) / 2
    share = (middle - lowest) / max(highest - lowest, 1e-9)
    if 0.4 < share < 0.6:
        return "the round part lies in the middle of the body, so which end is the base cannot be told"
    if share > 0.5:
        turned = Axis(axis.centre, -axis.direction)
        return Band(turned, -high, -low, widest, -highest, -lowest)
    return Band(axis, low, high, widest, lowest, highest)


def _rings(seen: Around, lowest: float, highest: float, tolerance: float) -> tuple[Bools, Floats]:
    """Say for every slice whether its outermost outline is a full circle, and how wide."""
    slices = int((highest - lowest) / _SLICE_MM) + 1
    row = np.clip(((seen.z - lowest) / _SLICE_MM).astype(np.int64), 0, slices - 1)
    sector = np.clip(((seen.angle / (2 * np.pi) + 0.5) * _SECTORS).astype(np.int64), 0, _SECTORS - 1)
    farthest = np.zeros(slices * _SECTORS)
    side = seen.outward > 0.5
    np.maximum.at(farthest, (row * _SECTORS + sector)[side], seen.r[side])
    reach: Floats = farthest.reshape(slices, _SECTORS)
    radius = np.zeros(slices)
    share = np.zeros(slices)
    for at in range(slices):
        found = reach[at][reach[at] > _LEAST_RADIUS]
        if len(found) >= _SECTORS * _FULL:
            radius[at] = float(np.median(found))
            share[at] = float((np.abs(found - radius[at]) < tolerance).sum()) / _SECTORS
    return share >= _FULL, radius


def _runs(flags: Bools) -> list[tuple[int, int]]:
    edge = np.flatnonzero(np.diff(np.r_[0, flags.astype(np.int8), 0]))
    return [(int(a), int(b)) for a, b in zip(edge[::2], edge[1::2], strict=True)]
