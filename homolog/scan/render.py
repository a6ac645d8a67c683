"""A shaded picture of a surface seen along an axis: a depth buffer in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homolog.scan.raster import cover, depth_at
from homolog.scan.surface import Floats, Ints, normals_and_areas

_OVER = 2
_LIGHT = np.array([-0.4, 0.55, 0.73])
_SHADES = 8
OUTLINE = 70.0


@dataclass(frozen=True, slots=True)
class View:
    """A rendered picture and the rectangle that it shows: left, top, width, height in mm, y upward."""

    picture: NDArray[np.uint8]
    left: float
    top: float
    width: float
    height: float


def render(corners: Floats, tone: Ints, tones: tuple[tuple[float, float], ...], pixels_per_mm: float) -> View:
    """Render faces as seen from +z, x to the right and y up.

    Args:
        corners: Shape (m, 3, 3), mm, in the view's frame.
        tone: Shape (m,): which tone each face has.
        tones: Darkest and lightest grey of every tone.
        pixels_per_mm: Resolution.
    """
    # Rounded, so that the last bits of another processor or thread do not turn a pixel.
    corners = np.round(corners, 5)
    normals, areas = normals_and_areas(corners)
    front = (normals[:, 2] > 0) & (areas > 0)
    corners, normals, tone = corners[front], normals[front], tone[front]
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    scale = pixels_per_mm * _OVER
    width, height = (int(np.ceil(size * pixels_per_mm) + 2) * _OVER for size in (high - low)[:2])
    grid = corners.copy()
    grid[:, :, 0] = (grid[:, :, 0] - low[0]) * scale + _OVER - 0.5
    grid[:, :, 1] = (high[1] - grid[:, :, 1]) * scale + _OVER - 0.5
    face, column, row = cover(grid[:, :, :2], width, height)
    depth = depth_at(grid, face, column, row)
    order = np.argsort(depth, kind="stable")
    cell = (row * width + column)[order]
    seen = np.full(width * height, -1, np.int64)
    near = np.full(width * height, -np.inf)
    seen[cell], near[cell] = face[order], depth[order]
    light = _LIGHT / np.linalg.norm(_LIGHT)
    bright = np.clip(0.25 + 0.75 * (normals @ light), 0.0, 1.0)
    bounds = np.array(tones)[tone]
    grey = bounds[:, 0] + np.round(bright * _SHADES) / _SHADES * (bounds[:, 1] - bounds[:, 0])
    image = np.where(seen >= 0, grey[seen], 255.0).reshape(height, width)
    image = _outlined(image, near.reshape(height, width))
    small = image.reshape(height // _OVER, _OVER, width // _OVER, _OVER).mean(axis=(1, 3))
    margin = 1 / pixels_per_mm
    picture = np.round(small / 3) * 3
    return View(
        np.clip(picture, 0, 255).astype(np.uint8),
        float(low[0] - margin),
        float(high[1] + margin),
        width / scale,
        height / scale,
    )


def _outlined(image: Floats, depth: Floats, jump: float = 1.2) -> Floats:
    """Darken pixels where the depth jumps by more than so many mm, so that the form reads in print."""
    filled = np.where(np.isfinite(depth), depth, -1e6)
    edge = np.zeros(depth.shape, bool)
    for axis in (0, 1):
        step = np.diff(filled, axis=axis)
        nearer = np.abs(step) > jump
        first = [slice(None), slice(None)]
        second = [slice(None), slice(None)]
        first[axis], second[axis] = slice(None, -1), slice(1, None)
        edge[tuple(first)] |= nearer & (step < 0)
        edge[tuple(second)] |= nearer & (step > 0)
    return np.where(edge, OUTLINE, image)
