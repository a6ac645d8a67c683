"""Hatching: parallel strokes that fill an outline."""

from __future__ import annotations

import math

import numpy as np

from homolog.scan.surface import Floats

Stroke = tuple[tuple[float, float], tuple[float, float]]


def strokes(outline: Floats, spacing: float, angle: float = math.pi / 4) -> list[Stroke]:
    """Return the strokes that fill a closed outline (k, 2), at whole multiples of the spacing from the drawing's own origin."""
    c, s = math.cos(angle), math.sin(angle)
    along, aside = outline @ [c, s], outline @ [-s, c]
    after_along, after_aside = np.roll(along, -1), np.roll(aside, -1)
    found: list[Stroke] = []
    for step in range(math.ceil(float(aside.min()) / spacing), math.floor(float(aside.max()) / spacing) + 1):
        level = step * spacing
        crosses = (aside <= level) != (after_aside <= level)
        share = (level - aside[crosses]) / (after_aside[crosses] - aside[crosses])
        places = np.sort(along[crosses] + share * (after_along[crosses] - along[crosses]))
        found += [
            ((u * c - level * s, u * s + level * c), (v * c - level * s, v * s + level * c))
            for u, v in places.reshape(-1, 2).tolist()
        ]
    return found
