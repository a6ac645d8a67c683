"""Least squares on a scan's points: few numbers, strangers left out, and a covariance that knows that neighbours err alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.surface import Bools, Floats, Ints

# The means over patches leave out how neighbouring patches hang together; found by trying known noise.
_DENSER = 1.4


@dataclass(frozen=True, slots=True)
class Fit:
    """Numbers (k,) with their covariance (k, k), which points were kept, and their scatter in mm."""

    numbers: Floats
    covariance: Floats
    kept: Bools
    scatter: float


def robust_fit(rows: Floats, values: Floats, areas: Floats, cells: Ints) -> Fit | None:
    """Fit `values` (n,) by `rows` (n, k) of points that stand for `areas` (n,).

    Args:
        rows: One row a point.
        values: What the rows should give.
        areas: Weights; of a scan, the area that a point stands for in mm2.
        cells: Patch of the surface in which a point lies. The means over patches, some millimetres wide, tell how much
            noise is left in a mean: neighbouring points of a scan do not err independently.

    Returns:
        The fit, or None where too little is seen to fit anything.
    """
    kept = areas > 0
    numbers: Floats = np.zeros(rows.shape[1])
    for _ in range(5):
        if kept.sum() < 3 * rows.shape[1]:
            return None
        weighted = rows[kept] * areas[kept, None]
        normal = rows[kept].T @ weighted
        if np.linalg.cond(normal) > 1e12:
            return None
        numbers = np.asarray(np.linalg.solve(normal, weighted.T @ values[kept]), np.float64)
        left = values - rows @ numbers
        limit = max(4.0 * 1.4826 * float(np.median(np.abs(left[kept]))), 0.01)
        new = (areas > 0) & (np.abs(left) < limit)
        if (new == kept).all():
            break
        kept = new
    left, weight = left[kept], areas[kept]
    scatter = float(np.sqrt((weight * left**2).sum() / weight.sum()))
    density = float((weight**2 * left**2).sum() / weight.sum())
    area = np.bincount(cells[kept], weights=weight)
    mean = np.bincount(cells[kept], weights=weight * left) / np.maximum(area, 1e-30)
    full = area > 0.3 * float(np.median(area[area > 0]))
    count = int(full.sum())
    if count > rows.shape[1]:
        follows = count / max(count - rows.shape[1], 1)
        density = max(density, follows * float((mean[full] ** 2 * area[full]).mean()))
    return Fit(numbers, _DENSER * density * np.asarray(np.linalg.inv(normal)), kept, scatter)
