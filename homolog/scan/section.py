"""Cross-sections: the outline in which a plane meets a surface, and how round it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.raster import expand
from homolog.scan.rodline import frame_of
from homolog.scan.surface import Bools, Floats


@dataclass(frozen=True, slots=True)
class Section:
    """Straight pieces of an outline in the frame of its plane.

    Attributes:
        ends: Shape (k, 2, 2): the two ends of each piece, mm.
        normals: Shape (k, 2): unit outward normals within the plane.
        slant: Shape (k,): the part of the face's normal that points out of the plane, -1 to 1.
        frame: Columns x, y and the plane's normal in space.
        centre: Origin of the plane in space.
    """

    ends: Floats
    normals: Floats
    slant: Floats
    frame: Floats
    centre: Floats

    @property
    def middle(self) -> Floats:
        """Middle of each piece, (k, 2)."""
        return np.asarray((self.ends[:, 0] + self.ends[:, 1]) / 2)

    def spans(self) -> Floats:
        """Angle in radians under which each piece is seen from the origin."""
        a, b = self.ends[:, 0], self.ends[:, 1]
        cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        return np.asarray(np.abs(np.arctan2(cross, np.einsum("ij,ij->i", a, b))))

    def on_circle(self, radius: float, tolerance: float) -> Bools:
        """Say which pieces lie on a circle about the origin and face away from it."""
        middle = self.middle
        reach = np.hypot(middle[:, 0], middle[:, 1])
        radial = np.einsum("ij,ij->i", middle, self.normals)
        return np.asarray((np.abs(reach - radius) < tolerance) & (radial > 0.9 * reach) & (np.abs(self.slant) < 0.5))

    def area_of(self, chosen: Bools) -> float:
        """Area that chosen pieces span with the origin, mm2."""
        a, b = self.ends[chosen, 0], self.ends[chosen, 1]
        return float(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2)


def in_short_pieces(section: Section, longest: float) -> Section:
    """Return the same outline with no piece longer than so many mm; a long straight piece is else taken for a round one."""
    count = np.maximum(np.ceil(np.linalg.norm(section.ends[:, 1] - section.ends[:, 0], axis=1) / longest), 1).astype(np.int64)
    owner, step = expand(count)
    begin = section.ends[owner, 0]
    along = (section.ends[owner, 1] - begin) / count[owner, None]
    ends = np.stack([begin + step[:, None] * along, begin + (step + 1)[:, None] * along], axis=1)
    return Section(ends, section.normals[owner], section.slant[owner], section.frame, section.centre)


def cut_faces(corners: Floats, normals: Floats, centre: Floats, axis: Floats) -> Section:
    """Cut faces (m, 3, 3) with the plane through `centre` across `axis`."""
    frame = frame_of(axis)
    height = ((corners.reshape(-1, 3) - centre) @ frame[:, 2]).reshape(-1, 3)
    above = height >= 0
    crossing = (above[:, 0] != above[:, 1]) | (above[:, 1] != above[:, 2])
    local = (corners[crossing] - centre) @ frame
    h, up = height[crossing], above[crossing]
    # One corner stands alone on its side; both cut edges begin there.
    lone = np.where(up[:, 0] == up[:, 1], 2, np.where(up[:, 0] == up[:, 2], 1, 0))
    rows = np.arange(len(lone))
    apex, h_apex = local[rows, lone], h[rows, lone]
    ends = []
    for turn in (1, 2):
        other = (lone + turn) % 3
        share = h_apex / (h_apex - h[rows, other])
        ends.append((apex + share[:, None] * (local[rows, other] - apex))[:, :2])
    turned = normals[crossing] @ frame
    flat = turned[:, :2]
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return Section(np.stack(ends, axis=1), flat / np.where(length > 0, length, 1.0), turned[:, 2], frame, centre)


def fit_circle(points: Floats, weights: Floats) -> tuple[Floats, float]:
    """Fit a circle to points (k, 2) by weighted least squares; return centre and radius."""
    total = float(weights.sum())
    middle = weights @ points / total
    offset = points - middle
    square = np.einsum("ij,ij->i", offset, offset)
    # About the points' own middle the normal equations fall apart into two for the centre and one for the radius.
    weighted = offset * weights[:, None]
    matrix, side = weighted.T @ offset, weighted.T @ square / 2
    (a, b), (_, d) = matrix
    determinant = a * d - b * b
    if determinant <= 1e-12 * a * d:  # the points lie on a line
        return middle, math.inf
    centre = np.array([d * side[0] - b * side[1], a * side[1] - b * side[0]]) / determinant
    return middle + centre, float(np.sqrt(weights @ square / total + centre @ centre))
