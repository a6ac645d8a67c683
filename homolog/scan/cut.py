"""The cut: how much of the solid is rod outside the body, and which faces are rod."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from homolog.scan.contact import outside_of
from homolog.scan.junction import RISE, TURNS, Junction
from homolog.scan.surface import Bools, Floats, Surface, highest, lowest, middle_of, normals_and_areas, signed_volume

MAX_HANDLE_REACH = 14.0
"""How far in mm a handle reaches from its centre line at most."""

# A shallow contact begins as a sliver too thin to be seen in the unrolled map: the cut is then drawn back along the rod.
_RETREAT = (0.0, 0.3, 0.7, 1.2, 2.0, 3.0, 4.0)


@dataclass(frozen=True, slots=True)
class Cut:
    """The rod taken off.

    Attributes:
        removed: Volume of rod and handle outside the body, mm3.
        doubt: Standard uncertainty of how the body's outline goes on within the rod, mm3.
        hidden: Longest length that the rod can have within the body, mm.
        exit: Height at which the rod's share outside the body has its mean end, in the junction's frame.
        centre: Height at which the rod's axis leaves the body: where half of the disc lies outside.
        is_rod: Shape (m,): faces that belong to the rod.
        is_seam: Shape (m,): other faces that run from the rod's surface onto the body's.
    """

    removed: float
    doubt: float
    hidden: float
    exit: float
    centre: float
    is_rod: Bools
    is_seam: Bools

    @property
    def is_body(self) -> Bools:
        """Faces that are nothing but body."""
        return ~(self.is_rod | self.is_seam)


def cut_rod(surface: Surface, calm: Surface, junction: Junction, *, noisy: bool) -> Cut | None:
    """Take the rod off the solid; None if what would come off is no rod.

    Args:
        surface: Closed surface in mm, on which the volume is measured.
        calm: The same faces smoothed, on which rod and body are told apart.
        junction: Where they meet.
        noisy: Whether the points scatter, be it ever so little, as those of a drawing do not.
    """
    local = junction.bend.local(surface.points)
    outside = None
    for step in _RETREAT:
        trial = replace(junction, contact=max(junction.contact - step, -4.0))
        outside = _outside(surface, local, trial)
        if outside is not None:
            junction = trial
            break
    if outside is None:
        return None
    chosen, volume = outside
    zone, stub = (
        outside_of(junction.visible[rows], junction.reach[rows], junction.beyond[rows], junction.radius, noisy=noisy)
        for rows in (junction.zone, junction.stub)
    )
    length = float(zone.shares.sum() + stub.shares.sum()) * RISE
    doubt = junction.area * float(zone.doubt.sum() + stub.doubt.sum()) * RISE
    exit_height = junction.contact + float(zone.shares.sum()) * RISE
    after = np.flatnonzero(~junction.inside & (junction.heights > junction.contact))
    through = float(junction.heights[after[0]]) if len(after) else float(junction.heights[-1])
    hidden = max(through - exit_height - float(stub.shares.sum()) * RISE, 0.0)
    is_rod, is_seam = _sort_faces(calm, junction, chosen, local, through)
    return Cut(
        removed=volume + junction.area * length,
        doubt=doubt,
        hidden=hidden,
        exit=exit_height,
        centre=junction.contact + RISE * int((zone.shares <= 0.5).argmax() if len(zone.shares) else 0),
        is_rod=is_rod,
        is_seam=is_seam,
    )


def _outside(surface: Surface, local: Floats, junction: Junction) -> tuple[Bools, float] | None:
    """Find the faces of the rod and handle beyond the first contact, and the volume that they enclose with the cut plane."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    below = local[:, 2] < junction.contact
    corner_below = below[surface.faces]
    touched = corner_below[:, 0] | corner_below[:, 1] | corner_below[:, 2]
    one, other = surface.edges.pairs
    begin, end = surface.faces.ravel()[one], surface.faces[:, [1, 2, 0]].ravel()[one]
    joined = below[begin] | below[end]
    m = len(surface.faces)
    graph = coo_matrix((np.ones(int(joined.sum()), np.int8), (one[joined] // 3, other[joined] // 3)), shape=(m, m))
    _, label = connected_components(graph, directed=False)
    seed = _seed_face(surface, junction, touched)
    if seed is None:
        return None
    chosen = touched & (label == label[seed])
    corners = local[surface.faces[chosen]]
    clipped = clip_below(corners, junction.contact)
    if not _is_slender(clipped, junction):
        return None
    # With the origin in the plane of the cut its lid encloses nothing.
    volume = signed_volume(clipped, np.array([0.0, 0.0, junction.contact]))
    return chosen, volume


def _is_slender(clipped: Floats, junction: Junction) -> bool:
    """Say whether what lies outside is as thin as the rod at the cut and no thicker than a handle anywhere."""
    points = clipped.reshape(-1, 3)
    z = points[:, 2]
    near = points[z > junction.contact - 1.0]
    reach = np.hypot(near[:, 0], near[:, 1])
    return bool((reach < 1.1 * junction.radius + 0.4).all())


def _seed_face(surface: Surface, junction: Junction, touched: Bools) -> int | None:
    points = junction.bend.straight(surface.points)
    height, level = points[:, 2][surface.faces], junction.contact - 0.4
    crossing = np.flatnonzero(touched & (lowest(height) < level) & (highest(height) > level - 0.8))
    if not len(crossing):
        return None
    corners = points[surface.faces[crossing]]
    rated = np.abs(highest(np.hypot(corners[:, :, 0], corners[:, :, 1])) - junction.radius)
    best = int(rated.argmin())
    return int(crossing[best]) if rated[best] < 0.5 else None


def clip_below(corners: Floats, level: float) -> Floats:
    """Return the parts of faces (m, 3, 3) with z below a level, as faces."""
    below = corners[:, :, 2] < level
    count = below.sum(axis=1)
    pieces = [corners[count == 3]]
    for wanted in (1, 2):
        chosen = corners[count == wanted]
        if not len(chosen):
            continue
        lone = (below[count == wanted] == (wanted == 1)).argmax(axis=1)
        rows = np.arange(len(lone))
        a, b, c = (chosen[rows, (lone + turn) % 3] for turn in range(3))
        ab = a + ((level - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None] * (b - a)
        ac = a + ((level - a[:, 2]) / (c[:, 2] - a[:, 2]))[:, None] * (c - a)
        if wanted == 1:
            pieces.append(np.stack([a, ab, ac], axis=1))
        else:
            pieces += [np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)]
    return np.concatenate(pieces)


def _sort_faces(calm: Surface, junction: Junction, outside: Bools, local: Floats, through: float) -> tuple[Bools, Bools]:
    """Mark the faces of rod and handle - those outside, those seen in the contact zone, those of a stub - and the seam.

    A rod thicker than the base comes to light again wherever nothing stands on it, up to where its axis leaves the body.
    """
    points = junction.bend.straight(calm.points)
    straight = points[calm.faces]
    middle = middle_of(straight)
    normal, _ = normals_and_areas(straight)
    reach = np.hypot(middle[:, 0], middle[:, 1])
    radial = np.einsum("ij,ij->i", middle[:, :2], normal[:, :2]) > 0.8 * reach
    corner_reach = np.hypot(straight[:, :, 0], straight[:, :, 1])
    slack = junction.tolerance + 0.02 + 0.05 * junction.radius
    on = radial & (highest(np.abs(corner_reach - junction.radius)) < slack)
    z = middle[:, 2]
    last = junction.end if not len(junction.stub) else float(junction.heights[junction.stub[-1]]) + 1.0
    rod = on & (z > junction.contact - 1.0) & (z < max(last, through))
    rod |= outside & (middle_of(local[:, 2][calm.faces]) < junction.contact)
    # Where the rod is seen all around on the far side, nothing within its tube is body: neither its side nor its end.
    far = np.flatnonzero((junction.visible.mean(axis=1) > 0.9) & (junction.heights > junction.contact + 3.0))
    begin = float(junction.heights[junction.stub[0]]) if len(junction.stub) else np.inf
    begin = min(begin, float(junction.heights[far[0]]) if len(far) else np.inf)
    rod |= (z > begin) & (z < through + 2.0) & (highest(corner_reach) < junction.radius + slack)
    on_rod = _clearly_on_rod(points, junction)[calm.faces]
    seam = ~rod & (on_rod[:, 0] | on_rod[:, 1] | on_rod[:, 2])
    return rod, seam


def _clearly_on_rod(points: Floats, junction: Junction) -> Bools:
    """Say which points, in the straightened frame, lie on the rod with more of the rod seen between them and the body."""
    z = points[:, 2]
    near = (z > junction.contact - 3.0) & (z < junction.end) & (np.hypot(points[:, 0], points[:, 1]) < junction.radius + 0.5)
    at = np.flatnonzero(near)
    turn = np.floor(np.arctan2(points[at, 1], points[at, 0]) / (2 * np.pi) * TURNS).astype(np.int64) % TURNS
    ahead = np.searchsorted(junction.heights, z[at] + 0.35)
    seen = junction.visible[np.minimum(ahead, len(junction.heights) - 1), turn]
    off = np.abs(np.hypot(points[at, 0], points[at, 1]) - junction.profile[turn])
    result = np.zeros(len(points), bool)
    result[at] = seen & (off < 2 * junction.tolerance + 0.05)
    return result
