"""A figure set upright on its base: the base's axis found, the body turned, the base measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around, Axis, find_axis, seen_from
from homolog.scan.figure_base import Base, measure_base
from homolog.scan.figure_outline import Outline, drawn_outline, scanned_outline, side_of
from homolog.scan.figure_patches import Patches, patches_of
from homolog.scan.figure_profile import Settled, settle_axis
from homolog.scan.figure_rings import Band, find_band
from homolog.scan.rodline import frame_of
from homolog.scan.shells import Filling
from homolog.scan.surface import Bools, Floats, Surface
from homolog.scan.texture import CALM_MM, Texture, smoothed, texture_of

_LEAST_NOISE = 0.008
# The first axis may still lean by this much.
_FIRST_LEAN = math.radians(7)
_RADIUS_MM = (5.0, 17.0)
_HEIGHT_MM = (1.0, 14.0)
_OUT_OF_ROUND_MM = 0.6
# A hole in the underside larger than this share of the base's area means that the scan does not show it.
_OPEN = 0.05


@dataclass(frozen=True, slots=True)
class Hole:
    """A place that was closed without being seen, in the figure's frame.

    Attributes:
        middle: Its middle, mm.
        reach: About half its width, mm.
        rim: Its outline, (k, 3).
        area: mm2.
    """

    middle: Floats
    reach: float
    rim: Floats
    area: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure in its base's frame: z upward along the base's axis, which is x = y = 0.

    Attributes:
        surface: The closed surface, mm.
        calm: The same faces, smoothed if noisy.
        filled: Faces that close holes.
        holes: Where they are.
        noise: Standard deviation of the scan's points, mm; 0 for a drawing.
        open_below: Whether the underside of the base is not part of the scan.
        volume: Of the base, mm3.
    """

    surface: Surface
    calm: Surface
    texture: Texture
    filled: Bools
    holes: tuple[Hole, ...]
    noise: float
    settled: Settled
    base: Base
    outline: Outline
    volume: float
    open_below: bool
    lowest: float


def stand_up(surface: Surface, fillings: tuple[Filling, ...], factor: float) -> Standing | str:
    """Set a figure upright; the reason in words where its base cannot be trusted.

    Args:
        surface: Closed surface in mm.
        fillings: Holes that were closed, in file units.
        factor: mm in a file unit.
    """
    texture = texture_of(surface)
    calm = smoothed(surface) if texture.noise > CALM_MM else surface
    filled = _filled_faces(surface, fillings, factor)
    patches = patches_of(surface, calm, ~filled)
    rough = not texture.is_faceted
    first = find_axis(patches, noisy=rough)
    if first is None:
        return "no round base was found"
    band = find_band(first, patches, noise=max(texture.noise, 0.03), lean=_FIRST_LEAN)
    if isinstance(band, str):
        return band
    settled = settle_axis(band, patches)
    noise = max(texture.noise, 1.15 * settled.scatter) if rough else 0.0
    noise = noise if noise > _LEAST_NOISE else 0.0
    frame, origin = frame_of(settled.axis.direction), settled.axis.centre
    patches = patches.placed(frame, origin)
    again = find_band(Axis(np.zeros(3), np.array([0.0, 0.0, 1.0])), patches, noise=max(noise, 0.02), lean=0.0)
    if isinstance(again, str):
        return again
    if again.axis.direction[2] < 0:
        return "which end of the body is the base cannot be told"
    upright = _Upright(
        surface.moved((surface.points - origin) @ frame),
        calm.moved((calm.points - origin) @ frame),
        patches,
        filled,
        tuple(_hole((filling.points * factor - origin) @ frame, filling.area * factor**2) for filling in fillings),
    )
    return _measure(upright, again, settled, texture, noise)


@dataclass(frozen=True, slots=True)
class _Upright:
    surface: Surface
    calm: Surface
    patches: Patches
    filled: Bools
    holes: tuple[Hole, ...]


def _measure(body: _Upright, band: Band, settled: Settled, texture: Texture, noise: float) -> Standing | str:
    patches, look = body.patches, settled.look
    seen = seen_from(Axis(np.zeros(3), np.array([0.0, 0.0, 1.0])), patches)
    if not _RADIUS_MM[0] < band.radius < _RADIUS_MM[1]:
        return f"the widest round part is {2 * band.radius:.1f} mm wide, which is no figure's base"
    side = side_of(seen, patches.areas, band.bottom - 0.5, band.high + 0.7 * band.radius, band.radius)
    if len(side[0]) < 3:
        return "the side of the base is not seen"
    below = band.low + 0.3 * (band.high - band.low) + 0.5
    area = math.pi * band.radius**2
    open_below = any(math.pi * hole.reach**2 > _OPEN * area and hole.middle[2] < below for hole in body.holes)
    radius = float(side[1].max())
    base = measure_base(seen, patches, band, radius=radius, side=side, noise=noise, look=look, open_below=open_below)
    if isinstance(base, str):
        return base
    if not _HEIGHT_MM[0] < base.top.z - base.ground.z < _HEIGHT_MM[1]:
        return f"the round part found is {base.top.z - base.ground.z:.1f} mm high, which is no figure's base"
    outline = _outline(body, seen, base, side, noise, look)
    if outline is None:
        return "the side of the base is not seen"
    if outline.roundness > _OUT_OF_ROUND_MM + noise:
        return f"the base is not round: its radius varies by {outline.roundness:.2f} mm around the axis"
    return Standing(
        surface=body.surface,
        calm=body.calm,
        texture=texture,
        filled=body.filled,
        holes=body.holes,
        noise=noise,
        settled=settled,
        base=base,
        outline=outline,
        volume=base.volume(side, radius),
        open_below=open_below,
        lowest=band.bottom,
    )


def _outline(body: _Upright, seen: Around, base: Base, side: tuple[Floats, Floats], noise: float, look: float) -> Outline | None:
    """Return the widest outline: all of a drawing's points seen along the axis, the fitted band of a scan's."""
    if noise:
        z, reach = side
        wide = z[reach > reach.max() - 0.12 - noise]
        low, high = float(wide.min()) - 0.125, base.edge
        return scanned_outline(seen, body.patches.areas, (low, high), noise=noise, look=look, upright=base.kind in {"disc", "dome"})
    used = np.unique(body.surface.faces[~body.filled])
    points = body.surface.points[used]
    return drawn_outline(points[points[:, 2] < base.edge + 0.3, :2])


def _filled_faces(surface: Surface, fillings: tuple[Filling, ...], factor: float) -> Bools:
    """Say which faces close a hole: those with a point that no scanner gave."""
    filled = np.zeros(len(surface.faces), bool)
    put_in = [filling.points[-1] * factor for filling in fillings if len(filling.points) > 4]
    if not put_in:
        return filled
    from scipy.spatial import cKDTree

    distance, _ = cKDTree(np.array(put_in)).query(surface.points, distance_upper_bound=1e-6)
    return np.asarray(np.isfinite(distance)[surface.faces].any(axis=1))


def _hole(points: Floats, area: float) -> Hole:
    middle = points.mean(axis=0)
    reach = np.linalg.norm(points - middle, axis=1)
    rim = points if len(points) == 3 else points[:-1]
    return Hole(middle, float(np.sqrt((reach**2).mean())), rim, area)
