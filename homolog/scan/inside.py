"""What a file holds within the body: the rod's embedded piece and cavities, where they are closed shells of their own.

Only a drawing and a tomography show the inside of an article. In the file of any other scanner such shells were drawn by
hand or left by its software, and prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import manifold3d
import numpy as np

from homolog.scan.solid import Solid
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Surface, middle_of, normals_and_areas
from homolog.scan.union import from_manifold, to_manifold

SEES_INSIDE = ("cad", "ct")
# Shells are united in double precision: a face that survives has not moved by more than this, mm.
_SAME_MM = 1e-3
_ALIEN = 0.02


@dataclass(frozen=True, slots=True)
class Inside:
    """What was found within the body, in mm and mm3.

    Attributes:
        body: Figure and base with the place of the rod left empty, closed.
        without_rod: Its volume, cavities filled.
        cavities: Volume of the sealed cavities in it.
        doubtful: Volume of closed pieces within it that may be cavities turned inside out.
        rods: How many shells the rod is made of.
    """

    body: Surface
    without_rod: float
    cavities: float
    doubtful: float
    rods: int

    def says(self) -> str:
        """Return what was found as a sentence for a person."""
        words = [f"the file holds the rod as {_counted(self.rods, 'closed shell')} of its own"]
        words.append(f"{self.cavities:.1f} mm3 of sealed cavities" if self.cavities else "no sealed cavity")
        if self.doubtful:
            words.append(f"{self.doubtful:.1f} mm3 of closed pieces within the body that are material or cavity")
        return ", ".join(words)


def look_inside(solid: Solid, parts: Parts, rod: Rod, factor: float) -> Inside | None:
    """Tell the file's own shells apart; None where rod and body are not shells of their own.

    Args:
        solid: The shells in file units.
        parts: The goalkeeper made of them, in mm.
        rod: Its rod.
        factor: Millimetres per file unit.
    """
    if len(solid.shells) < 2:
        return None
    from scipy.spatial import cKDTree

    tree = cKDTree(middle_of(parts.surface.corners), balanced_tree=False)
    limbs: list[Surface] = []
    bodies: list[Surface] = []
    doubtful = 0.0
    shells = [piece.scaled(factor) for piece in solid.shells]
    for shell in shells:
        on_rod, on_body = _areas_seen(shell, tree, rod)
        seen = on_rod + on_body
        if not seen and not _within_tube(shell, rod):
            # One of several that overlap is a piece of the body; one that lies within another may be a cavity.
            within = _lies_within(shell, shells)
            doubtful += to_manifold(shell).volume() if within else 0.0
            if not within:
                bodies.append(shell)
        elif not seen or on_body <= _ALIEN * seen:
            limbs.append(shell)
        elif on_rod <= _ALIEN * seen:
            bodies.append(shell)
        else:
            return None
    if not limbs or not bodies:
        return None
    limb = _union([to_manifold(shell) for shell in limbs])
    # Not the whole less the rod: faces that lie on each other are not cut off cleanly.
    body = _union([to_manifold(shell) for shell in bodies]) - limb
    empty = sum((to_manifold(cavity.scaled(factor)) ^ body).volume() for cavity in solid.cavities)
    return Inside(from_manifold(body), body.volume(), empty, doubtful, len(limbs))


def _areas_seen(shell: Surface, tree: Any, rod: Rod) -> tuple[float, float]:
    """Return the areas of a shell's faces that are still seen on the united surface, on the rod and on the body.

    `tree` finds the united surface's faces by their middles.
    """
    corners = shell.corners
    away, nearest = tree.query(middle_of(corners), distance_upper_bound=_SAME_MM)
    seen = np.isfinite(away)
    area, nearest = normals_and_areas(corners)[1][seen], nearest[seen]
    return float(area[rod.cut.is_rod[nearest]].sum()), float(area[rod.cut.is_body[nearest]].sum())


def _lies_within(shell: Surface, shells: list[Surface]) -> bool:
    """Say whether a shell lies wholly within another one."""
    piece = to_manifold(shell)
    low, high = shell.points.min(0), shell.points.max(0)
    return any(
        (other.points.min(0) < low).all()
        and (other.points.max(0) > high).all()
        and (piece - to_manifold(other)).volume() < 1e-6 * piece.volume()
        for other in shells
        if other is not shell
    )


def _within_tube(shell: Surface, rod: Rod) -> bool:
    """Say whether a shell that is nowhere seen lies on the rod's axis and is no wider than the rod."""
    straight = rod.junction.bend.straight(shell.points)
    reach = np.hypot(straight[:, 0], straight[:, 1])
    return bool((reach < 1.1 * rod.junction.radius + 0.1).all())


def _union(parts: list[Any]) -> Any:
    return manifold3d.Manifold.batch_boolean(parts, manifold3d.OpType.Add) if len(parts) > 1 else parts[0]


def _counted(count: int, word: str) -> str:
    return f"one {word}" if count == 1 else f"{count} {word}s"
