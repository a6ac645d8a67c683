"""A bar of a frame, exactly: its middle line and its section, with their uncertainties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Floats


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in mm; uncertainties are standard ones.

    Attributes:
        middle: Point of the middle line about which it was fitted.
        direction: Unit direction of the middle line.
        axes: Two unit directions across it, (2, 3): for a square bar those of its faces.
        widths: Thickness along the two.
        is_round: Whether the section is round.
        run: From where to where the bar runs, from the middle.
        u_middle: Of the middle line's place, in each axis.
        u_slope: Of its direction, in each axis.
        u_widths: Of the thicknesses.
        facets: How far flat facets lie inside a drawn round bar.
        scatter: Of the points about the fit.
        taper: Change of the thickness from end to end, where it is more than noise.
        blind: Which of the two axes has only one face in sight, if either: its width is then a guess.
    """

    middle: Floats
    direction: Floats
    axes: Floats
    widths: tuple[float, float]
    is_round: bool
    run: tuple[float, float]
    u_middle: tuple[float, float]
    u_slope: tuple[float, float]
    u_widths: tuple[float, float]
    facets: float
    scatter: float
    taper: float = 0.0
    blind: int | None = None

    def at(self, along: float) -> Floats:
        """Return a point of the middle line."""
        return self.middle + along * self.direction

    def along_at(self, normal: Floats, level: float) -> float:
        """Return where along the bar its middle line meets the plane of points p with p . normal = level."""
        return float((level - self.middle @ normal) / (self.direction @ normal))

    def nearest(self, point: Floats) -> float:
        """Return where along the bar its middle line comes nearest to a point."""
        return float((point - self.middle) @ self.direction)

    def half(self, towards: Floats) -> float:
        """Return how far the surface reaches from the middle line in a direction across."""
        if self.is_round:
            return self.widths[0] / 2
        cosines = np.abs(self.axes @ towards)
        if cosines.max() > 0.985:  # a face looks that way; its small turn about the bar does not bring a corner forward
            return self.widths[int(cosines.argmax())] / 2
        return float(cosines @ np.array(self.widths)) / 2

    def u_line(self, towards: Floats, along: float) -> float:
        """Return the standard uncertainty of the middle line's place in a direction."""
        shares = (self.axes @ towards) ** 2
        own = [u**2 + (slope * along) ** 2 for u, slope in zip(self.u_middle, self.u_slope, strict=True)]
        return math.sqrt(float(shares @ np.array(own)))

    def u_half(self, towards: Floats) -> float:
        """Return the standard uncertainty of `half`."""
        shares = (self.axes @ towards) ** 2
        return math.sqrt(float(shares @ np.array(self.u_widths) ** 2)) / 2

    @property
    def thickness(self) -> tuple[float, float]:
        """The greatest thickness in sight and its standard uncertainty."""
        wide = int(np.argmax(self.widths)) if self.blind is None else 1 - self.blind
        return self.widths[wide] + abs(self.taper) / 2, self.u_widths[wide]
