"""Where the rod meets the body: the rod unrolled around the junction, cell by cell visible or hidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.raster import expand
from homolog.scan.rod import Course
from homolog.scan.rodline import frame_of
from homolog.scan.surface import Bools, Floats, Ints, Surface, cross, highest, lowest, middle_of, starts_of_runs

TURNS = 144
RISE = 0.06
BEFORE, BEYOND = 5.0, 50.0
_FIRST_CONTACT = 0.97
_END_GAP = 1.5
_STUB_COVER, _STUB_MIN = 0.9, 0.9
_FIT_LENGTH = 25


@dataclass(frozen=True, slots=True)
class Bend:
    """A frame at the junction whose z runs along the rod into the body, and the centre line's course in it.

    Attributes:
        origin: The last full section's centre.
        frame: Columns x, y, z.
        curve: Shape (3, 2): coefficients of x and y in 1, z, z squared.
    """

    origin: Floats
    frame: Floats
    curve: Floats

    def local(self, points: Floats) -> Floats:
        """Return points in the junction's frame."""
        return np.asarray((points - self.origin) @ self.frame)

    def straight(self, points: Floats) -> Floats:
        """Return points in the frame with the rod's bend taken out; this shear keeps volumes."""
        local = self.local(points)
        z = local[..., 2]
        local[..., :2] -= self.curve[0] + z[..., None] * self.curve[1] + (z**2)[..., None] * self.curve[2]
        return local

    def unbent(self, points: Floats) -> Floats:
        """Put the bend back in: the inverse of the shear in `straight`, still in the frame."""
        local = points.copy()
        z = local[..., 2]
        local[..., :2] += self.curve[0] + z[..., None] * self.curve[1] + (z**2)[..., None] * self.curve[2]
        return local

    def point_at(self, z: float) -> Floats:
        """Return the place on the centre line at a height."""
        xy = self.curve[0] + z * self.curve[1] + z * z * self.curve[2]
        return np.asarray(self.origin + self.frame @ np.r_[xy, z])


@dataclass(frozen=True, slots=True)
class Junction:
    """The unrolled rod.

    Attributes:
        bend: Frame and centre line.
        radius: Rod radius, mm.
        area: Area of the rod's section, mm2.
        profile: Shape (TURNS,): distance of the rod's surface from its axis.
        heights: Shape (rows,): z of the rows' middles.
        visible: Shape (rows, TURNS): cells in which the rod's own surface is seen.
        reach: Shape (rows, TURNS): how far from the axis the solid ends; infinite where nothing near was hit.
        beyond: Shape (rows, TURNS): how far from the axis it begins again; infinite where nothing near was hit.
        inside: Shape (rows,): whether the axis is inside the solid there.
        contact: First height at which anything touches the rod.
        end: Height at which the last of the rod is hidden.
        stub: Rows of a rod end that comes out on the far side, empty if none.
        tolerance: By how much a cell may lie off the profile, mm.
    """

    bend: Bend
    radius: float
    area: float
    profile: Floats
    heights: Floats
    visible: Bools
    reach: Floats
    beyond: Floats
    inside: Bools
    contact: float
    end: float
    stub: Ints
    tolerance: float

    @property
    def zone(self) -> slice:
        """Rows from the first contact to where the rod is hidden."""
        first = int(np.searchsorted(self.heights, self.contact))
        return slice(first, int(np.searchsorted(self.heights, self.end)))


def bend_of(course: Course, first: int, last: int) -> Bend:
    """Fit the centre line near the junction: straight unless a parabola is clearly better."""
    stop = min(last, first + _FIT_LENGTH)
    centres = course.centres[first:stop]
    axis = np.linalg.svd(centres - centres.mean(0), full_matrices=False)[2][0]
    axis = axis if axis @ (centres[0] - centres[-1]) > 0 else -axis
    curve = np.zeros((3, 2))
    for _ in range(2):
        frame = frame_of(axis)
        local = (centres - centres[0]) @ frame
        z = local[:, 2]
        powers = np.column_stack([np.ones_like(z), z, z**2])
        line = np.linalg.lstsq(powers[:, :2], local[:, :2], rcond=None)[0]
        curve = np.vstack([line, np.zeros((1, 2))])
        if len(z) >= 10:
            parabola = np.linalg.lstsq(powers, local[:, :2], rcond=None)[0]
            off_line = float(np.sqrt(((powers @ curve - local[:, :2]) ** 2).sum(1).mean()))
            off_parabola = float(np.sqrt(((powers @ parabola - local[:, :2]) ** 2).sum(1).mean()))
            if off_line > 0.012 and off_parabola < 0.6 * off_line:
                curve = parabola
        axis = frame @ np.r_[curve[1], 1.0]
        axis = axis / np.linalg.norm(axis)
    return Bend(centres[0], frame, curve)


def unroll(surface: Surface, bend: Bend, radius: float, noise: float) -> Junction:
    """Look from the rod's axis outward in all directions, around and beyond the junction."""
    points = bend.straight(surface.points)
    corners = np.take(points, surface.faces, axis=0)
    z = corners[:, :, 2]
    near = (highest(z) > -BEFORE) & (lowest(z) < BEYOND) & (_distance_low(corners) < radius + 1.0)
    reach, beyond, facing, radial = _first_exit(corners[near])
    rows = len(reach)
    heights: Floats = np.asarray(-BEFORE + RISE * (np.arange(rows) + 0.5), np.float64)
    free = (heights > -4) & (heights < -1)
    seen = facing & (np.abs(reach - radius) < 0.4)
    profile = np.array([np.median(reach[free, k][seen[free, k]]) if seen[free, k].any() else radius for k in range(TURNS)])
    tolerance = max(0.05, 0.03 * radius) + 2.5 * noise
    visible = seen & (np.abs(reach - profile) < tolerance) & (radial > (0.85 if noise == 0 else 0.8))
    inside = _steady(facing.mean(axis=1) > 0.5)
    area = float((profile**2).mean() * np.pi)
    contact, end, stub = _find_zone(visible, inside, heights)
    return Junction(bend, radius, area, profile, heights, visible, reach, beyond, inside, contact, end, stub, tolerance)


def _steady(inside: Bools) -> Bools:
    """Return for every row what most of the five around it say: a ray along an edge may miss every face of a single row."""
    padded = np.pad(inside.astype(np.int64), 2, mode="edge")
    return np.asarray(np.convolve(padded, np.ones(5, np.int64), "valid") > 2)


def _distance_low(corners: Floats) -> Floats:
    """Return a lower bound of the faces' distances from the z axis."""
    x, y = corners[:, :, 0], corners[:, :, 1]
    u, v = middle_of(x), middle_of(y)
    extent = highest(np.hypot(x - u[:, None], y - v[:, None]))
    return np.asarray(np.hypot(u, v) - extent)


def _first_exit(corners: Floats) -> tuple[Floats, Floats, Bools, Floats]:
    """Return per cell the distances of the first two faces, whether the first is an exit, and how far its normal is radial."""
    rows = round((BEFORE + BEYOND) / RISE)
    face, row, turn = _candidates(corners, rows)
    angle = (np.arange(TURNS) + 0.5) * (2 * np.pi / TURNS)
    cosine, sine = np.cos(angle)[turn], np.sin(angle)[turn]
    height = -BEFORE + RISE * (row + 0.5)
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    toward = normal[face, 0] * cosine + normal[face, 1] * sine
    good = toward != 0
    # A ray from the axis passes through a face where it passes each of its edges on the same side.
    for corner in range(3):
        (ax, ay, az), (bx, by, bz) = corners[:, corner].T, corners[:, (corner + 1) % 3].T
        aside = cosine * ((ay * bz - az * by)[face] - height * (ay - by)[face])
        aside += sine * ((az * bx - ax * bz)[face] - height * (bx - ax)[face])
        good &= aside * toward >= 0
    face, row, turn, toward, height = face[good], row[good], turn[good], toward[good], height[good]
    constant = np.einsum("ij,ij->i", normal, corners[:, 0])
    reach = (constant[face] - normal[face, 2] * height) / toward
    ahead = np.flatnonzero(np.isfinite(reach) & (reach > 0))
    cell, reach, toward, face = (row * TURNS + turn)[ahead], reach[ahead], toward[ahead], face[ahead]
    order = np.lexsort((reach, cell))
    first = order[starts_of_runs(cell[order])]
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    out, again = np.full((2, rows * TURNS), np.inf)
    following = np.flatnonzero(np.diff(cell[order]) == 0)
    following = following[np.r_[True, np.diff(following) > 1]] + 1 if len(following) else following
    again[cell[order[following]]] = reach[order[following]]
    exits = np.zeros(rows * TURNS, bool)
    radial = np.zeros(rows * TURNS)
    out[cell[first]] = reach[first]
    exits[cell[first]] = toward[first] > 0
    radial[cell[first]] = toward[first] / length[face[first]]
    shape = (rows, TURNS)
    out, again, exits = out.reshape(shape), again.reshape(shape), exits.reshape(shape)
    # Where no near face lies in the way the solid goes on: such a cell counts as its row does elsewhere.
    nothing = ~np.isfinite(out)
    exits = np.where(nothing, _deep(exits, nothing)[:, None], exits)
    return out, again, exits, radial.reshape(shape)


def _deep(exits: Bools, nothing: Bools) -> Bools:
    """Say for every row whether the axis is inside: by its own cells, else as the row before."""
    known = ~nothing
    inside = np.zeros(len(exits), bool)
    state = True
    for row in range(len(exits)):
        if known[row].any():
            state = bool(exits[row][known[row]].mean() > 0.5)
        inside[row] = state
    return inside


def _candidates(corners: Floats, rows: int) -> tuple[Ints, Ints, Ints]:
    """Return pairs of a face and a cell that it may cover."""
    angle = np.arctan2(corners[:, :, 1], corners[:, :, 0])
    swing = (angle - angle[:, :1] + np.pi) % (2 * np.pi) - np.pi
    low, high = lowest(swing), highest(swing)
    closing = (angle[:, 2] - angle[:, 1] + np.pi) % (2 * np.pi) - np.pi
    around = np.abs(swing[:, 1] + closing - swing[:, 2]) > 1.0  # the face lies about the axis
    unit = 2 * np.pi / TURNS
    first = np.floor((angle[:, 0] + low) / unit - 0.5).astype(np.int64)
    count = np.ceil((angle[:, 0] + high) / unit - 0.5).astype(np.int64) - first + 1
    first, count = np.where(around, 0, first), np.where(around, TURNS, np.minimum(count, TURNS))
    z = corners[:, :, 2]
    bottom = np.clip(np.ceil((lowest(z) + BEFORE) / RISE - 0.5), 0, rows).astype(np.int64)
    top = np.clip(np.floor((highest(z) + BEFORE) / RISE - 0.5) + 1, 0, rows).astype(np.int64)
    tall = np.maximum(top - bottom, 0)
    face, within = expand(tall * count)
    return face, bottom[face] + within // count[face], (first[face] + within % count[face]) % TURNS


def _find_zone(visible: Bools, inside: Bools, heights: Floats) -> tuple[float, float, Ints]:
    cover = visible.mean(axis=1)
    start = int(np.searchsorted(heights, -1.0))
    # A section that noise or a blurred crease let pass as a full circle may lie behind the first contact already.
    while start > round(1.0 / RISE) and cover[start] < _FIRST_CONTACT:
        start -= 1
    touched = np.flatnonzero(cover[start:] < _FIRST_CONTACT)
    first = start + int(touched[0]) - 1 if len(touched) else len(cover) - 1
    gap = round(_END_GAP / RISE)
    end = len(cover)
    hidden = 0
    for row in range(first, len(cover)):
        hidden = hidden + 1 if cover[row] < 0.03 else 0
        if hidden == gap or not inside[row]:
            end = row + 1
            break
    after = np.flatnonzero((cover[end:] > _STUB_COVER) & inside[end:]) + end
    stub = np.empty(0, np.int64)
    if len(after) * RISE > _STUB_MIN:
        begin = int(after[0])
        while begin > end and cover[begin - 1] > 0.03:
            begin -= 1
        stub = np.arange(begin, int(after[-1]) + 1)
    return float(heights[first] - RISE / 2), float(heights[min(end, len(cover) - 1)] - RISE / 2), stub
