"""The axis of a round base: the line about which the largest part of a surface turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_patches import Patches
from homolog.scan.rodline import frame_of
from homolog.scan.surface import Floats

# Nearer to the axis than this lies more of the figure than of its base.
_NEAR_MM = 5.0
_FAR_MM = 16.0
_STARTS = 6
_THINNED = 3_000
_THINNED_LAST = 30_000


@dataclass(frozen=True, slots=True)
class Axis:
    """A line through `centre` along the unit vector `direction`."""

    centre: Floats
    direction: Floats


@dataclass(frozen=True, slots=True)
class Around:
    """Patches seen from an axis: distance r, height z, angle, and the parts of the normal outward, upward and around."""

    r: Floats
    z: Floats
    angle: Floats
    outward: Floats
    upward: Floats
    around: Floats


def seen_from(axis: Axis, patches: Patches) -> Around:
    """Return patches in the cylinder coordinates of an axis."""
    frame = frame_of(axis.direction)
    local = (patches.points - axis.centre) @ frame
    normal = patches.normals @ frame
    r = np.hypot(local[:, 0], local[:, 1])
    safe = np.where(r > 1e-9, r, 1.0)
    outward = (local[:, 0] * normal[:, 0] + local[:, 1] * normal[:, 1]) / safe
    around = (local[:, 0] * normal[:, 1] - local[:, 1] * normal[:, 0]) / safe
    return Around(r, local[:, 2], np.arctan2(local[:, 1], local[:, 0]), outward, normal[:, 2], around)


def find_axis(patches: Patches, *, noisy: bool) -> Axis | None:
    """Find the axis about which the most surface far from it turns; None if nothing does.

    On a surface of revolution every normal meets the axis: n . (a x (p - c)) = 0. From several directions the axis is
    improved step by step with less and less regard for what does not obey.
    """
    few = patches.thinned(_THINNED)
    middle = np.average(few.points, axis=0, weights=few.areas)
    best: tuple[float, Axis] | None = None
    for direction in _directions(few, middle):
        axis = _centred(few, Axis(middle, direction), rounds=4)
        for tolerance in (0.6, 0.6, 0.45, 0.45, 0.35, 0.35, 0.25, 0.25, 0.2, 0.2):
            axis = _improved(few, axis, tolerance)
        score = _round_area(few, axis, 0.25 if noisy else 0.12)
        if best is None or score > best[0] * 1.0001:
            best = (score, axis)
    if best is None or best[0] <= 0:
        return None
    axis = best[1]
    many = patches.thinned(_THINNED_LAST)
    for tolerance in (0.25, 0.2, 0.2) if noisy else (0.2, 0.12, 0.08, 0.08):
        axis = _improved(many, axis, tolerance)
    return axis


def _round_area(patches: Patches, axis: Axis, tolerance: float) -> float:
    """Return how much surface turns about an axis; what obeys closely counts more than what hardly does."""
    seen = seen_from(axis, patches)
    obeys = np.maximum(1 - np.abs(seen.around) / tolerance, 0.0) * ((seen.r > _NEAR_MM) & (seen.r < _FAR_MM))
    return float((patches.areas * obeys).sum())


def _directions(patches: Patches, middle: Floats) -> list[Floats]:
    """Return directions to begin from: the principal axes, and the normals of the largest flat areas."""
    centred = patches.points - middle
    spread = (centred * patches.areas[:, None]).T @ centred
    found = list(np.linalg.eigh(spread)[1].T)
    cell = np.floor((patches.normals + 1.0) * 6.0).astype(np.int64) @ np.array([1, 16, 256])
    names, index = np.unique(cell, return_inverse=True)
    area = np.bincount(index, weights=patches.areas, minlength=len(names))
    weighted = patches.normals * patches.areas[:, None]
    mean: Floats = np.column_stack([np.bincount(index, weights=weighted[:, k], minlength=len(names)) for k in range(3)])
    mean = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
    alike = np.abs(mean @ mean.T) > 0.97
    for _ in range(_STARTS):
        score = alike @ area
        top = int(score.argmax())
        if score[top] <= 0:
            break
        group = alike[top]
        direction = (mean[group] * (area[group] * np.sign(mean[group] @ mean[top]))[:, None]).sum(0)
        found.append(direction / max(float(np.linalg.norm(direction)), 1e-12))
        area = np.where(group, 0.0, area)
    return found


def _centred(patches: Patches, axis: Axis, rounds: int) -> Axis:
    """Find the centre for a direction that is kept."""
    frame = frame_of(axis.direction)[:, :2]
    flat = patches.normals @ frame
    around = np.column_stack([-flat[:, 1], flat[:, 0]])
    place = (patches.points - axis.centre) @ frame
    target = np.einsum("ij,ij->i", around, place)
    weights = patches.areas.copy()
    shift = np.zeros(2)
    for _ in range(rounds):
        system = (around * weights[:, None]).T @ around + 1e-9 * np.eye(2)
        shift = np.linalg.solve(system, (around * weights[:, None]).T @ target)
        off = np.abs(target - around @ shift)
        weights = patches.areas * np.maximum(1 - (off / 3.0) ** 2, 0.0) ** 2
    return Axis(axis.centre + frame @ shift, axis.direction)


def _improved(patches: Patches, axis: Axis, tolerance: float) -> Axis:
    """Move and lean the axis by one step of Gauss and Newton, patches off by more than the tolerance left out."""
    frame = frame_of(axis.direction)
    x, y, z = ((patches.points - axis.centre) @ frame).T
    n_x, n_y, n_z = (patches.normals @ frame).T
    off = x * n_y - y * n_x
    r = np.hypot(x, y)
    share = off / np.where(r > 1e-9, r, 1.0) / tolerance
    weights = patches.areas * np.maximum(1 - share**2, 0.0) ** 2 * (r < _FAR_MM)
    system = np.column_stack([n_z * y - z * n_y, z * n_x - n_z * x, -n_y, n_x])
    weighted = system * weights[:, None]
    step = -np.linalg.lstsq(weighted.T @ system, weighted.T @ off, rcond=1e-9)[0]
    lean = np.clip(step[:2], -0.3, 0.3)
    direction = frame @ np.array([lean[0], lean[1], 1.0])
    return Axis(axis.centre + frame[:, :2] @ np.clip(step[2:], -4.0, 4.0), direction / np.linalg.norm(direction))
