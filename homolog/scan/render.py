"""A shaded picture of a surface seen along an axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homolog.scan.sight import Eye, Seen
from homolog.scan.surface import Floats, Ints

_OVER = 2
_LIGHT = np.array([-0.4, 0.55, 0.73])
_SHADES = 8
_BACK = 0.72
"""How bright a face is that is seen from behind, as a share."""
OUTLINE = 70.0
MOST_PIXELS = 1_500
"""Along the longest side of a body; what lies far off does not make a picture large."""


@dataclass(frozen=True, slots=True)
class View:
    """A rendered picture and the rectangle that it shows: left, top, width, height in mm, y upward.

    Attributes:
        seen: What it was made of, for telling what lies behind something else.
    """

    picture: NDArray[np.uint8]
    left: float
    top: float
    width: float
    height: float
    seen: Seen


def render(eye: Eye, axes: Floats, tone: Ints, tones: tuple[tuple[float, float], ...], pixels_per_mm: float) -> View:
    """Render what an eye sees along -z of a frame, x to the right and y up.

    Args:
        eye: The surface.
        axes: Columns are the frame's x, y and z.
        tone: Shape (m,): which tone each face has.
        tones: Darkest and lightest grey of every tone.
        pixels_per_mm: Resolution; less, where the picture would become too large.
    """
    pixels_per_mm = min(pixels_per_mm, MOST_PIXELS / max(eye.extent, 1e-9))
    seen = eye.look(axes, pixels_per_mm * _OVER, _OVER)
    hit = seen.face >= 0
    face = seen.face[hit]
    normals = eye.normals[face] @ axes
    behind = normals[:, 2] < 0
    normals[behind] *= -1
    light = _LIGHT / np.linalg.norm(_LIGHT)
    bright = np.clip(0.25 + 0.75 * (normals @ light), 0.0, 1.0)
    bounds = np.array(tones)[tone[eye.kept[face]]]
    grey = bounds[:, 0] + np.round(bright * _SHADES) / _SHADES * (bounds[:, 1] - bounds[:, 0])
    height, width = seen.face.shape
    image: Floats = np.full((height, width), 255.0)
    image[hit] = np.where(behind, _BACK * grey, grey)
    image = _outlined(image, seen.depth)
    small = image.reshape(height // _OVER, _OVER, width // _OVER, _OVER).mean(axis=(1, 3))
    picture = np.round(small / 3) * 3
    return View(
        np.clip(picture, 0, 255).astype(np.uint8),
        seen.left - seen.step / 2,
        seen.top + seen.step / 2,
        width * seen.step,
        height * seen.step,
        seen,
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
