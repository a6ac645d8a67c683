"""Large flat sheets in the scan of a goal, a board or a net drawn as a plane: left out when bars are looked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.oriented import Oriented
from homolog.scan.shells import component_labels
from homolog.scan.surface import Bools, Floats, Surface, normals_and_areas, signed_volume

# Volume over area of a closed piece: a quarter of a bar's thickness. Less is a strand of the net, or a net drawn as a slab.
_THIN_MM = 0.3
# Rim squared over area of an open piece: 16 of a square sheet, 4 pi of a round one; a bar with its ends open has far less.
_RIM = 5.0
_MANY_PIECES = 2_000
_TRIALS = 80
_OFF_MM = 0.5
# Bars cover less of any plane: the broadest, two side bars and a back bar side by side, some 1700 mm2 of it.
_CELL_MM = 5.0
_SHEET_CELLS = 140
_MOST = 6


def without_net(surface: Oriented) -> Oriented:
    """Leave out the pieces of a mesh in mm that are thin: open sheets, strands; the net, where it hangs together with no bar."""
    mesh = surface.surface
    if mesh is None:
        return surface
    label, sense, _ = component_labels(mesh)
    pieces = int(label.max()) + 1
    if pieces == 1:
        return surface
    corners = np.where((sense > 0)[:, None, None], mesh.corners, mesh.corners[:, ::-1])
    _, areas = normals_and_areas(corners)
    area = np.bincount(label, weights=areas)
    edges = mesh.edges
    lone = edges.order[edges.start[edges.count == 1]]
    ends = mesh.points[mesh.faces.ravel()[lone]], mesh.points[mesh.faces[:, [1, 2, 0]].ravel()[lone]]
    rim = np.bincount(label[lone // 3], weights=np.linalg.norm(ends[1] - ends[0], axis=1), minlength=pieces)
    is_net = rim**2 > _RIM * area
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(pieces + 1))
    for piece in np.flatnonzero(rim == 0)[:_MANY_PIECES]:
        own = corners[order[bounds[piece] : bounds[piece + 1]]]
        is_net[piece] = abs(signed_volume(own)) < _THIN_MM * area[piece]
    if not is_net.any() or area[~is_net].sum() < 0.1 * area.sum():
        return surface
    part: Surface = mesh.part(~is_net[label])
    used = np.zeros(len(mesh.points), bool)
    used[mesh.faces[~is_net[label]]] = True
    return Oriented(part.points, surface.normals[used], surface.areas[used], part)


@dataclass(frozen=True, slots=True)
class Sheets:
    """Planes of large flat sheets: points (k, 3) on them and their normals."""

    points: Floats
    normals: Floats

    def hold(self, places: Floats, normals: Floats) -> Bools:
        """Say which places with normals lie on one of the sheets."""
        on = np.zeros(len(places), bool)
        for point, normal in zip(self.points, self.normals, strict=True):
            on |= (np.abs((places - point) @ normal) < _OFF_MM) & (np.abs(normals @ normal) > 0.9)
        return on


def find_sheets(places: Floats, normals: Floats) -> Sheets:
    """Find sheets larger than any face of a bar among places (n, 3) spread evenly over a surface."""
    rng = np.random.default_rng(3)
    points, ways = [], []
    for _ in range(_MOST):
        seeds = rng.integers(0, len(places), _TRIALS)
        some = rng.integers(0, len(places), 1_500)
        off = np.abs((places[some] @ normals[seeds].T) - (places[seeds] * normals[seeds]).sum(axis=1))
        level = (off < _OFF_MM) & (np.abs(normals[some] @ normals[seeds].T) > 0.97)
        best = seeds[int(level.sum(axis=0).argmax())]
        on = np.abs((places - places[best]) @ normals[best]) < _OFF_MM
        on &= np.abs(normals @ normals[best]) > 0.9
        if on.sum() < 400 or _cells(places[on], normals[best]) < _SHEET_CELLS:
            break
        middle = places[on].mean(axis=0)
        points.append(middle)
        ways.append(np.linalg.svd((places[on] - middle)[:: max(int(on.sum()) // 2_000, 1)], full_matrices=False)[2][2])
        places, normals = places[~on], normals[~on]
        if len(places) < 500:
            break
    return Sheets(np.array(points).reshape(-1, 3), np.array(ways).reshape(-1, 3))


def _cells(places: Floats, normal: Floats) -> int:
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    x = np.cross(normal, helper)
    x /= np.linalg.norm(x)
    y = np.cross(normal, x)
    cells = np.floor(np.column_stack([places @ x, places @ y]) / _CELL_MM)
    return len(np.unique(cells, axis=0))
