"""The picture of several articles side by side: which number is which."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from homolog.scan.drawing import Drawing
from homolog.scan.marks import Picture
from homolog.scan.surface import Floats

_MARGIN = 0.6
"""White around the bodies, in heights of the lettering."""


class Plate:
    """All bodies of a file as their outlines from above, in mm: x to the right, y away from the reader."""

    def __init__(self, bodies: Sequence[Floats], right: Floats, away: Floats) -> None:
        """Take the outlines.

        Args:
            bodies: Corners of each body, (n, 3, 3) in mm, in the order of their numbers.
            right: Unit vector to the right, as one reads them.
            away: Unit vector away from the reader.
        """
        across = np.stack([right, away], axis=1)
        self.outlines = [_outline(corners.reshape(-1, 3) @ across) for corners in bodies]

    def picture(self, number: int, what: str = "figure") -> Picture:
        """Draw the plate with one body filled.

        Args:
            number: Which body, from 1.
            what: What the bodies are.
        """
        every = np.concatenate(self.outlines)
        low, high = every.min(axis=0), every.max(axis=0)
        unit = max(float(np.median([np.ptp(outline, axis=0).min() for outline in self.outlines])) * 0.5, 1e-6)
        edge = _MARGIN * unit
        drawing = Drawing(low[0] - edge, low[1] - edge, *(high - low + 2 * edge), unit=unit)
        for at, outline in enumerate(self.outlines, 1):
            loop = [(float(x), float(y)) for x, y in outline]
            drawing.outline([loop], fill="#cccccc" if at == number else "none", weight=0.12 if at == number else 0.05)
            middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
            drawing.text(float(middle[0]), float(middle[1]) - 0.35 * unit, str(at))
        title = f"{what.capitalize()} {number} of {len(self.outlines)} on the plate"
        alt = (
            f"All {what}s of the file from above, numbered left to right and row by row from the far side; "
            f"number {number} is filled."
        )
        params = {"number": str(number), "count": str(len(self.outlines))}
        return Picture(name="plate", title=title, alt=alt, svg=drawing.svg(title, alt), params=MappingProxyType(params))


def _outline(flat: Floats) -> Floats:
    """Return the convex outline of points, (k, 2); a line or a point where they enclose nothing."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(flat[ConvexHull(flat).vertices], float)
    except QhullError:
        return np.array([flat.min(axis=0), flat.max(axis=0)])
