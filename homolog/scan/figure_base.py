"""A figure's base: its kind, where its top and its rim are, and what it stands on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homolog.scan.figure_axis import Around
from homolog.scan.figure_faces import Face, follow_under, follow_upper
from homolog.scan.figure_patches import Patches
from homolog.scan.figure_rings import Band
from homolog.scan.surface import Floats

# An upper face that rises by no more than this from its edge inward is flat.
_FLAT_MM = 0.3
# An underside touches the ground this far out, as a share of the radius, if the base stands on a flat face.
_CONTACT = 0.7
_UPPER_LEAN = 0.3


@dataclass(frozen=True, slots=True)
class Level:
    """A height in the base's frame with the standard uncertainty that noise and form give it, mm."""

    z: float
    u: float


@dataclass(frozen=True, slots=True)
class Base:
    """A base in its own frame: z upward along its axis.

    Attributes:
        kind: `disc`, `dome`, `bowl` or `other`; `undecided` where the underside is not seen.
        reason: Why that kind, in words.
        ground: What it stands on.
        top: Its upper end: the flat top, or the apex of a dome.
        rim: Upper edge of a domed base's widest place; None for a flat top.
        edge: Height up to which its side is at its widest.
        upper: Its upper face.
        under: Its underside.
        step: Why its top cannot be told, or nothing.
    """

    kind: str
    reason: str
    ground: Level
    top: Level
    rim: Level | None
    edge: float
    upper: Face
    under: Face
    step: str

    @property
    def is_domed(self) -> bool:
        """Whether its upper face rises inward."""
        return self.rim is not None

    def surface_at(self, r: Floats) -> Floats:
        """Return the height of the base's upper face at distances from the axis, its outer edge's beyond it."""
        inner = np.r_[0.0, self.upper.r]
        return np.interp(r, inner, np.r_[self.top.z if self.is_domed else self.upper.z[0], self.upper.z])

    def volume(self, side: tuple[Floats, Floats], radius: float) -> float:
        """Return the volume in mm3 of the body of revolution between underside and upper face.

        Args:
            side: Heights and radii of the side.
            radius: Of the widest place.
        """
        r = np.arange(0.05, radius, 0.1)
        top = self.surface_at(r)
        z, reach = side
        below = z < self.edge
        bottom = np.full(len(r), self.ground.z)
        if len(self.under):
            bottom = np.interp(r, self.under.r, self.under.z)
        if below.sum() > 1:  # where the underside is too steep for rings, the side tells how low a radius reaches
            order = np.argsort(reach[below])
            steep = np.interp(r, reach[below][order], z[below][order], left=-np.inf)
            beyond = r > (self.under.r[-1] if len(self.under) else 0.0)
            bottom = np.where(beyond, np.maximum(steep, self.ground.z), bottom)
        return float((2 * math.pi * r * 0.1 * np.maximum(top - bottom, 0.0)).sum())


def measure_base(
    seen: Around,
    patches: Patches,
    band: Band,
    *,
    radius: float,
    side: tuple[Floats, Floats],
    noise: float,
    look: float,
    open_below: bool,
) -> Base | str:
    """Measure a base; the reason in words where its upper face is not seen.

    Args:
        seen: The body's patches about the base's axis.
        patches: The same patches.
        band: Its widest band.
        radius: Of its widest place, mm.
        side: Heights (k,) and radii (k,) of its side.
        noise: Scatter in mm.
        look: Area over which the noise hangs together, mm2.
        open_below: Whether the underside is not part of the scan.
    """
    upward = (seen.upward > _UPPER_LEAN) & (seen.z > band.low - 0.3)
    upper = follow_upper(seen, patches.areas, upward, radius, noise)
    if len(upper) < 2:
        return "the upper face of the base is not seen, so its height cannot be told"
    downward = (seen.upward < -0.5) & (seen.z < (band.low + band.high) / 2 + 0.5)
    under = follow_under(seen, patches.areas, downward, radius)
    ground, contact = _ground(seen, under, radius, noise, look)
    if open_below:  # whatever is missing lies below what is seen
        ground = Level(float(seen.z.min()), 2 * noise)
    outer = upper.r > min(0.75 * radius, upper.r.max() - 0.6)
    rise = float(upper.z[0] - np.average(upper.z[outer], weights=upper.area[outer]))
    domed = rise > _FLAT_MM + noise
    edge = _upper_edge(side, radius, noise)
    top = _apex(upper, radius, noise, look) if domed else _flat_top(upper, noise, look)
    edge = edge if domed else min(edge, top.z)
    rim = _rim(upper, side, radius, edge, noise, look) if domed else None
    flat_below = contact > _CONTACT * radius
    kind = {(True, False): "disc", (True, True): "dome", (False, False): "bowl", (False, True): "other"}[flat_below, domed]
    above = f"its upper face rises by {max(rise, 0.0):.1f} mm from near the edge inward" if domed else "its upper face is flat"
    below = f"its underside is level out to {contact:.1f} of {radius:.1f} mm"
    if open_below:
        kind = "dome" if domed else "undecided"
        below = "its underside is not seen"
    return Base(kind, f"{above}, and {below}", ground, top, rim, edge, upper, under, _step_above(seen, top.z, radius, noise))


def _ground(seen: Around, under: Face, radius: float, noise: float, look: float) -> tuple[Level, float]:
    """Return what the base stands on, and how far from the axis its underside is still level with that."""
    if not len(under):
        return Level(float(seen.z.min()), 1.0), 0.0
    lowest = float(under.z.min())
    level = under.z < lowest + 0.2 + 2 * noise
    contact = float(under.r[level].max())
    if contact > _CONTACT * radius:
        flat = under.z < lowest + 0.04 + 2 * noise
        z = float(np.average(under.z[flat], weights=under.area[flat]))
        looks = max(float(under.area[flat].sum()) / max(look, 0.2), 1.0)
        return Level(z, math.hypot(noise / math.sqrt(looks), float(np.ptp(under.z[flat])) / 4)), contact
    if under.r[0] > 1.0:  # its middle is not seen: it may lie lower
        return Level(lowest, 0.5), contact
    low = (seen.upward < -0.7) & (seen.r < max(2.5, 0.35 * radius)) & (seen.z < lowest + 1.5)
    system = np.column_stack([np.ones(int(low.sum())), seen.r[low] ** 2, seen.r[low] ** 4])
    fit = np.linalg.lstsq(system, seen.z[low], rcond=None)[0]
    z = float(fit[0]) if noise else min(float(fit[0]), float(seen.z[low].min()))
    looks = max(20.0 / max(look, 0.2), 1.0)
    return Level(z, 2 * noise / math.sqrt(looks) + 0.002), contact


def _flat_top(upper: Face, noise: float, look: float) -> Level:
    weights = upper.area * upper.share
    # The outermost ring lies on the edge, whose rounding is not the top's height.
    inner = upper.r < upper.r.max() - 0.4 if len(upper) > 3 else np.ones(len(upper), bool)
    z = float(np.average(upper.z[inner], weights=weights[inner]))
    form = math.sqrt(float(np.average((upper.z[inner] - z) ** 2, weights=weights[inner])))
    looks = max(float(upper.area[inner].sum()) / max(look, 0.2), 1.0)
    return Level(z, math.hypot(noise / math.sqrt(looks), form))


def _apex(upper: Face, radius: float, noise: float, look: float) -> Level:
    """Continue a dome over the feet to the axis: by a conic of revolution, and by a parabola near the axis."""
    inner = upper.r < 0.8 * radius  # farther out a ring is steep, and its mean height lies too low
    r, z = upper.r[inner], upper.z[inner]
    weights = upper.share[inner] * np.sqrt(upper.area[inner] + 0.1)
    near = r < r[0] + 3.0
    system = np.column_stack([np.ones(int(near.sum())), r[near] ** 2])
    parabola = float(np.linalg.lstsq(system * weights[near, None], z[near] * weights[near], rcond=None)[0][0])
    conic = _conic(r, z, weights)
    apex = parabola
    if conic is not None:
        found = _height_of(conic, 0.0, z[0])
        if found is not None and z[0] - 0.05 <= found <= z[0] + max(2 * (parabola - z[0]), 0.5):
            apex = found
    hidden = max(apex - float(z[0]), 0.0)
    looks = max(float(upper.area[inner][near].sum()) / max(look, 0.2), 1.0)
    return Level(apex, math.hypot(0.15 * hidden, abs(apex - parabola) / 3, 1.5 * noise / math.sqrt(looks)))


def _conic(r: Floats, z: Floats, weights: Floats) -> Floats | None:
    """Fit r^2 = A + B z + C z^2 so that heights, not squares, are off least."""
    if len(r) < 5:
        return None
    system = np.column_stack([np.ones_like(z), z, z * z])
    scale = weights / np.maximum(r, 1.0)
    fit = np.linalg.lstsq(system * scale[:, None], r**2 * scale, rcond=None)[0]
    for _ in range(3):
        steep = np.maximum(np.abs(fit[1] + 2 * fit[2] * z), 2.0)
        scale = weights / steep
        fit = np.linalg.lstsq(system * scale[:, None], r**2 * scale, rcond=None)[0]
    return np.asarray(fit)


def _height_of(conic: Floats, r: float, near: float) -> float | None:
    """Return the upper height at which a conic of revolution has a radius, the one nearest to a height if both are real."""
    a, b, c = conic[0] - r * r, conic[1], conic[2]
    if abs(c) < 1e-9:
        return float(-a / b) if abs(b) > 1e-9 else None
    inside = b * b - 4 * a * c
    if inside < 0:
        return None
    roots = [(-b + sign * math.sqrt(inside)) / (2 * c) for sign in (1.0, -1.0)]
    return float(min(roots, key=lambda root: abs(root - near)))


def _upper_edge(side: tuple[Floats, Floats], radius: float, noise: float) -> float:
    z, reach = side
    wide = z[reach > radius - 0.06 - noise]
    return float(wide.max()) + 0.25 if len(wide) else float(z.max())


def _rim(upper: Face, side: tuple[Floats, Floats], radius: float, edge: float, noise: float, look: float) -> Level:
    """Return where a domed base's widest place ends: where the dome, continued outward, meets its radius.

    A dome that leaves its rim upright does so at a height that is hardly seen, and U says so.
    """
    z, reach = side
    flat = upper.r < 0.8 * radius
    dome = (z > edge) & (reach < radius - 0.05 - noise) & (reach > 0.8 * radius) & (z < upper.z.max())
    heights, radii = np.r_[upper.z[flat], z[dome]], np.r_[upper.r[flat], reach[dome]]
    conic = _conic(radii, heights, np.ones(len(radii)))
    found, unsure = edge, 0.0
    if conic is not None:
        meets = _height_of(conic, radius, edge)
        if conic[2] < 0:
            summit = float(-conic[1] / (2 * conic[2]))
            widest = math.sqrt(max(float(conic[0]) + float(conic[1]) * summit / 2, 0.0))
            # A dome that leaves its rim upright touches the radius there instead of crossing it.
            if meets is None or abs(widest - radius) < 0.05 + 0.3 * noise:
                unsure = 0.0 if meets is None else abs(meets - summit) / 3
                meets = summit
        if meets is not None and abs(meets - edge) < 1.5:
            found = meets
    upright = math.sqrt(max(noise * noise / max(radius * 3.0 / max(look, 0.5), 1.0), 1e-6) ** 0.5 * 2 * 4.0**2 / radius)
    return Level(found, math.hypot(abs(edge - found) / 5, 0.3 * upright * noise / (noise + 0.01), 0.03, unsure))


def _step_above(seen: Around, top: float, radius: float, noise: float) -> str:
    """Say what else is round above the base's top and too wide for a figure: a collar or a second base."""
    least = max(3.3, 0.35 * radius)
    for level in np.arange(top + 0.5 + 3 * noise, top + 6.0, 0.5):
        slab = (np.abs(seen.z - level) < 0.3) & (seen.r > least) & (seen.outward > 0.3)
        if slab.sum() < 30:
            continue
        reach = float(np.median(seen.r[slab]))
        like = np.abs(seen.r[slab] - reach) < 0.3 + 2 * noise
        sector = np.floor((seen.angle[slab][like] / (2 * np.pi) + 0.5) * 36)
        if len(np.unique(sector)) >= 30:
            return (
                f"above the base's upper face stands a round part {2 * reach:.1f} mm wide; "
                "whether it belongs to the base or to the figure cannot be told"
            )
    return ""
