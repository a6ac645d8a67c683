"""Pictures of a scan of which nothing could be measured: what was seen, and where it was repaired."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homolog.scan.marks import Picture
from homolog.scan.render import View, render
from homolog.scan.sheet import FRONT, SIDE, Sheet
from homolog.scan.shells import Filling
from homolog.scan.sight import Eye
from homolog.scan.surface import Floats, Surface, normals_and_areas

TONES = ((150.0, 250.0),)
_PIXELS = 260
"""About so many pixels along the longer side of a picture."""


def pixels_for(surface: Surface, most: float = 7.0) -> float:
    """Return how many pixels a mm a picture of a body shall have."""
    extent = float(np.ptp(surface.points, axis=0).max())
    return min(most, _PIXELS / max(extent, 1e-6))


def rims_of(fillings: Sequence[Filling], factor: float) -> tuple[list[Floats], list[float]]:
    """Return the outlines of closed holes in mm, and their areas."""
    rims = [filling.points if len(filling.points) == 3 else filling.points[:-1] for filling in fillings]
    return [rim * factor for rim in rims], [filling.area * factor**2 for filling in fillings]


def scanned_views(
    surface: Surface, rims: Sequence[Floats] = (), areas: Sequence[float] = (), *, is_closed: bool = True
) -> tuple[tuple[Picture, ...], str]:
    """Draw a surface in mm from two sides, its longest direction upright; return the pictures, and what drew them.

    Args:
        surface: What was scanned.
        rims: Outlines (k, 3) of the places that were closed.
        areas: Their areas, mm2.
        is_closed: Whether no face is ever seen from behind.
    """
    middle = surface.corners.mean(axis=1)
    _, weights = normals_and_areas(surface.corners)
    centre = np.average(middle, axis=0, weights=weights)
    _, ways = np.linalg.eigh(((middle - centre) * weights[:, None]).T @ (middle - centre))
    frame = np.column_stack([ways[:, 1], np.cross(ways[:, 2], ways[:, 1]), ways[:, 2]])
    # Of the two ends of a direction nothing says which is which: the file's own axes do.
    for k in (0, 2):
        frame[:, k] *= np.sign(frame[int(np.abs(frame[:, k]).argmax()), k])
    frame[:, 1] = np.cross(frame[:, 2], frame[:, 0])
    moved = surface.moved((surface.points - centre) @ frame)
    eye = Eye(moved, is_closed=is_closed)
    tone = np.zeros(len(surface.faces), np.int64)
    ordered = sorted(zip(areas, rims, strict=True), key=lambda pair: -pair[0])
    turned = [(rim - centre) @ frame for _, rim in ordered]
    pictures = []
    for name, title, axes in (("scanned", "The scan from one side", FRONT), ("scanned_side", "The scan from another side", SIDE)):
        view: View = render(eye, axes, tone, TONES, pixels_for(moved))
        sheet = Sheet.of(view, axes)
        sheet.hatch(turned, [area for area, _ in ordered], view)
        pictures.append(sheet.picture(name, title, "What was scanned, its longest direction upright.", {}))
    return tuple(pictures), eye.renderer
