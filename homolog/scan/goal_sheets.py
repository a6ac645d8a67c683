"""Large flat sheets in the scan of a goal, a board or a net drawn as a plane: left out when bars are looked for."""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Floats

_TRIALS = 80
_OFF_MM = 0.5
# Bars cover less of any plane: the broadest, two side bars and a back bar side by side, some 1700 mm2 of it.
_CELL_MM = 5.0
_SHEET_CELLS = 140
_MOST = 6


def without_sheets(places: Floats, normals: Floats) -> tuple[Floats, Floats]:
    """Return the places (n, 3) and normals that lie on no sheet larger than any face of a bar."""
    rng = np.random.default_rng(3)
    for _ in range(_MOST):
        seeds = rng.integers(0, len(places), _TRIALS)
        some = rng.integers(0, len(places), 1_500)
        off = np.abs((places[some] @ normals[seeds].T) - (places[seeds] * normals[seeds]).sum(axis=1))
        level = (off < _OFF_MM) & (np.abs(normals[some] @ normals[seeds].T) > 0.97)
        best = seeds[int(level.sum(axis=0).argmax())]
        on = np.abs((places - places[best]) @ normals[best]) < _OFF_MM
        on &= np.abs(normals @ normals[best]) > 0.97
        if on.sum() < 400 or _cells(places[on], normals[best]) < _SHEET_CELLS:
            break
        places, normals = places[~on], normals[~on]
    order = rng.permutation(len(places))
    return places[order], normals[order]


def _cells(places: Floats, normal: Floats) -> int:
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    x = np.cross(normal, helper)
    x /= np.linalg.norm(x)
    y = np.cross(normal, x)
    cells = np.floor(np.column_stack([places @ x, places @ y]) / _CELL_MM)
    return len(np.unique(cells, axis=0))
