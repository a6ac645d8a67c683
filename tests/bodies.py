"""Bodies whose measures are known in closed form or to a solid modeller, with the damage that files come with."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

import manifold3d
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def corners_of(solid: manifold3d.Manifold) -> Floats:
    """Return the faces of a solid, (m, 3, 3)."""
    mesh = solid.to_mesh64()
    points = np.array(mesh.vert_properties)[:, :3]
    return points[np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3)]


def solid_of(corners: Floats) -> manifold3d.Manifold:
    """Return the solid of closed faces whose corners agree exactly."""
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    mesh = manifold3d.Mesh64(vert_properties=np.ascontiguousarray(points), tri_verts=index.reshape(-1, 3).astype(np.uint64))
    return manifold3d.Manifold(mesh)


def frame_along(axis: Floats) -> Floats:
    """Return a rotation whose third column is the axis."""
    z = np.asarray(axis, float) / np.linalg.norm(axis)
    x = np.cross(np.eye(3)[int(np.abs(z).argmin())], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def placed(solid: manifold3d.Manifold, turn: Floats, shift: Floats) -> manifold3d.Manifold:
    """Return a solid turned and moved."""
    return solid.transform(np.hstack([np.asarray(turn, float), np.asarray(shift, float).reshape(3, 1)]))


def segments(radius: float, edge: float) -> int:
    """Return how many sides a circle of this radius gets."""
    return max(16, 4 * math.ceil(2 * math.pi * radius / edge / 4))


def ellipsoid(centre: tuple[float, float, float], half: tuple[float, float, float], edge: float = 0.4) -> manifold3d.Manifold:
    """Volume 4/3 pi a b c."""
    return placed(manifold3d.Manifold.sphere(1.0, segments(max(half), edge)), np.diag(half), np.array(centre))


def capsule(a: tuple[float, float, float], b: tuple[float, float, float], radius: float, edge: float = 0.4) -> manifold3d.Manifold:
    """Volume pi r^2 L + 4/3 pi r^3."""
    ball = manifold3d.Manifold.sphere(radius, segments(radius, edge))
    turn = frame_along(np.subtract(b, a)) if a != b else np.eye(3)
    return manifold3d.Manifold.batch_hull([placed(ball, turn, np.array(a)), placed(ball, turn, np.array(b))])


def cylinder(a: Floats, b: Floats, radius: float, edge: float = 0.4, end_radius: float | None = None) -> manifold3d.Manifold:
    """Volume pi r^2 L."""
    axis = np.subtract(b, a)
    n = segments(radius, edge)
    rod = manifold3d.Manifold.cylinder(float(np.linalg.norm(axis)), radius, radius if end_radius is None else end_radius, n)
    return placed(rod, frame_along(axis), np.asarray(a, float))


def bent_rod(start: Floats, axis: Floats, side: Floats, length: float, sagitta: float, radius: float, edge: float = 0.4):
    """A rod along a circular arc over the chord `length`; returns the solid, its end and its direction there."""
    arc = (length**2 / 4 + sagitta**2) / (2 * sagitta)
    half = math.asin(length / (2 * arc))
    steps = max(24, int(length / 1.5))
    angle = np.linspace(-half, half, steps + 1)
    centre = start + (length / 2 + arc * np.sin(angle))[:, None] * axis + (arc * (np.cos(angle) - math.cos(half)))[:, None] * side
    along = np.cos(angle)[:, None] * axis - np.sin(angle)[:, None] * side
    across = np.cross(axis, side)
    n = segments(radius, edge)
    turn = np.arange(n) * (2 * np.pi / n)
    rings = []
    for middle, direction in zip(centre, along, strict=True):
        other = np.cross(across, direction)
        rings.append(middle + radius * (np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * other))
    points = np.vstack([*rings, centre[:1], centre[-1:]])
    j = np.arange(n)
    k = (j + 1) % n
    faces = [np.column_stack([j, k, np.full(n, len(points) - 2)])]
    for ring in range(steps):
        low, high = ring * n, (ring + 1) * n
        faces += [np.column_stack([low + j, high + k, low + k]), np.column_stack([low + j, high + j, high + k])]
    faces.append(np.column_stack([steps * n + k, steps * n + j, np.full(n, len(points) - 1)]))
    corners = points[np.vstack(faces)]
    if np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) < 0:
        corners = corners[:, ::-1]
    return solid_of(corners), centre[-1], along[-1]


@dataclass
class Keeper:
    """A goalkeeper in mm and what is known of it."""

    solid: manifold3d.Manifold
    body: manifold3d.Manifold
    parts: list[manifold3d.Manifold]
    truth: dict[str, float]
    says: str = ""
    along: Floats = field(default_factory=lambda: np.array([0.0, -1.0, 0.0]))
    """Direction from the body to the rod's free end."""

    @property
    def corners(self) -> Floats:
        return corners_of(self.solid)


@dataclass(frozen=True)
class Recipe:
    """What a goalkeeper is made of; all lengths in mm."""

    tall: float = 35.0
    wide: float = 18.0
    thick: float = 5.2
    base: str | None = "disc"  # disc, dome or None
    base_diameter: float = 15.0
    base_height: float = 4.5
    attach: str = "base"  # base, through, feet or back
    rod_radius: float = 1.0
    rod_length: float = 90.0
    elevation: float = 6.0
    sagitta: float = 0.0
    handle: str | None = "step"  # step, round, hex or None
    handle_radius: float = 3.0
    handle_length: float = 60.0
    arms: str = "up"
    aside: float = 0.0
    edge: float = 0.4
    bow: float = 0.0
    """Lean of the figure above its feet, in degrees."""
    start: tuple[float, float, float] | None = None
    """Where the rod begins within the body, in place of what `attach` says."""


def figure_parts(recipe: Recipe, floor: float) -> list[manifold3d.Manifold]:
    """A human of ellipsoids and capsules, `tall` above the floor, `wide` and `thick`."""
    h, w, t, edge = recipe.tall, recipe.wide, recipe.thick, recipe.edge
    head, arm, leg = 0.075 * h, min(0.5 * t, 1.3), min(0.4 * t, 2.1)
    chest = min(0.3 * w, 4.8)
    hand = (w / 2 - 1.2 * arm, 0.0, {"up": 0.95 * h - arm, "out": 0.78 * h, "down": 0.42 * h}[recipe.arms])
    parts = [
        ellipsoid((0, 0, 0.9 * h), (head, min(head, 0.47 * t), 0.1 * h), edge),
        ellipsoid((0, 0, 0.65 * h), (chest + 0.8, t / 2, 0.19 * h), edge),
        ellipsoid((0, 0, 0.46 * h), (chest, 0.46 * t, 0.1 * h), edge),
    ]
    for side in (-1, 1):
        parts += [
            capsule((side * chest * 0.45, 0, 0.46 * h), (side * chest * 0.6, 0, leg), leg, edge),
            ellipsoid((side * chest * 0.6, 0, 1.0), (1.5, 0.48 * t, 1.0), edge),
            capsule((side * chest * 0.9, 0, 0.76 * h), (side * hand[0], hand[1], hand[2]), arm, edge),
            ellipsoid((side * hand[0], hand[1], hand[2]), (1.2 * arm, 1.05 * arm, 1.2 * arm), edge),
        ]
    if recipe.bow:
        c, s = math.cos(math.radians(recipe.bow)), math.sin(math.radians(recipe.bow))
        lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
        parts = [placed(part, lean, np.zeros(3)) for part in parts]
    return [part.translate((0, 0, floor)) for part in parts]


def base_parts(recipe: Recipe) -> list[manifold3d.Manifold]:
    radius, high, edge = recipe.base_diameter / 2, recipe.base_height, recipe.edge
    if recipe.base == "disc":
        return [cylinder(np.zeros(3), np.array([0, 0, high]), radius, edge)]
    rim = 0.4 * high
    dome = ellipsoid((0, 0, rim), (radius, radius, high - rim), edge).trim_by_plane((0, 0, 1), rim - 0.01)
    return [cylinder(np.zeros(3), np.array([0, 0, rim]), radius, edge), dome]


def make_keeper(recipe: Recipe) -> Keeper:
    """Build a goalkeeper; the truth is the solid modeller's, of the polyhedra themselves."""
    floor = 3.0 if recipe.base else 0.0
    figure = figure_parts(recipe, floor)
    base = base_parts(recipe) if recipe.base else []
    lift = math.radians(recipe.elevation if recipe.attach != "through" else 0.0)
    axis = np.array([0.0, -math.cos(lift), math.sin(lift)])
    height = {"base": 2.2, "through": 2.2, "feet": floor + 2.0, "back": floor + 0.62 * recipe.tall}[recipe.attach]
    foot = 0.6 * min(0.3 * recipe.wide, 4.8) if recipe.attach == "feet" else 0.0
    start = np.array(
        [foot + recipe.aside, {"base": -1.0, "through": recipe.base_diameter / 2 + 4.0}.get(recipe.attach, 0.0), height]
    )
    if recipe.start:
        start = np.array(recipe.start)
    extra = recipe.base_diameter if recipe.attach == "through" else 0.0
    length = recipe.rod_length + extra
    if recipe.sagitta:
        rod, end, direction = bent_rod(start, axis, np.array([1.0, 0, 0]), length, recipe.sagitta, recipe.rod_radius, recipe.edge)
    else:
        rod, end, direction = cylinder(start, start + length * axis, recipe.rod_radius, recipe.edge), start + length * axis, axis
    limbs = [rod]
    if recipe.handle:
        radius = recipe.handle_radius
        low, high = end - 4.0 * direction, end + (recipe.handle_length - 4.0) * direction
        if recipe.handle == "hex":
            grip = manifold3d.Manifold.cylinder(recipe.handle_length, radius, radius, 6)
            limbs.append(placed(grip, frame_along(direction), low))
        elif recipe.handle == "round":
            limbs.append(capsule(tuple(low + radius * direction), tuple(high - radius * direction), radius, recipe.edge))
        else:
            limbs.append(cylinder(low, high, radius, recipe.edge))
    union = manifold3d.OpType.Add
    body = manifold3d.Manifold.batch_boolean([*figure, *base], union)
    limb = manifold3d.Manifold.batch_boolean(limbs, union)
    solid = body + limb
    figure_solid = manifold3d.Manifold.batch_boolean(figure, union)
    box = figure_solid.bounding_box()
    truth = {
        "volume": body.volume(),
        "volume_without_embedded_rod": (body - limb).volume(),
        "volume_of_all": solid.volume(),
        "height": box[5] - (0.0 if recipe.base else box[2]),
        "width": max(box[3] - box[0], recipe.base_diameter if recipe.base else 0.0),
        "figure_thickness": box[4] - box[1],
        "rod_width": 2 * recipe.rod_radius,
    }
    # A round grip is first seen where its cap leaves the rod.
    radius = recipe.handle_radius
    sunk = radius - math.sqrt(radius**2 - recipe.rod_radius**2) if recipe.handle == "round" else 0.0
    if recipe.handle:
        truth["handle_length"] = recipe.handle_length - sunk
    if recipe.sagitta:
        arc = (length**2 / 4 + recipe.sagitta**2) / (2 * recipe.sagitta)
        turn = 2 * math.asin(length / (2 * arc)) - _leaves_bent(body, start, axis, length, recipe.sagitta)
        last = (4.0 - sunk) / arc if recipe.handle else 0.0
        truth["rod_length"] = arc * (turn - last)
        truth["rod_straightness"] = arc * (1 - math.cos((turn - last) / 2))
    else:
        truth["rod_length"] = length - _leaves(body, start, axis) - (4.0 - sunk if recipe.handle else 0.0)
        truth["rod_straightness"] = 0.0
    return Keeper(solid, body, [*figure, *base, *limbs], truth, str(recipe), axis)


def _leaves(body: manifold3d.Manifold, start: Floats, axis: Floats) -> float:
    """Return how far from its start the rod's centre line last lies in the body."""
    probe = manifold3d.Manifold.cylinder(300.0, 1e-3, 1e-3, 8)
    inside = body ^ placed(probe, frame_along(axis), start)
    return float((corners_of(inside).reshape(-1, 3) @ axis).max() - start @ axis)


def _leaves_bent(body: manifold3d.Manifold, start: Floats, axis: Floats, length: float, sagitta: float) -> float:
    """Return the angle of the arc, from the rod's start, at which its centre line last lies in the body."""
    arc = (length**2 / 4 + sagitta**2) / (2 * sagitta)
    half = math.asin(length / (2 * arc))
    probe, _, _ = bent_rod(start, axis, np.array([1.0, 0, 0]), length, sagitta, 1e-3)
    forward = (corners_of(body ^ probe).reshape(-1, 3) - start) @ axis
    return math.asin((float(forward.max()) - length / 2) / arc) + half


def turned_about(seed: int) -> Floats:
    """Return a rotation drawn from a seed."""
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q[:, ::-1]


def posed(corners: Floats, seed: int) -> Floats:
    """Return faces turned and moved at random."""
    return corners @ turned_about(seed).T + np.random.default_rng(seed + 1).uniform(-60, 60, 3)


def binary_stl(corners: Floats, header: bytes = b"test", count: int | None = None) -> bytes:
    """Write faces as binary STL."""
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    rows["corners"] = corners
    return header.ljust(80, b"\0")[:80] + struct.pack("<I", len(corners) if count is None else count) + rows.tobytes()


def ascii_stl(corners: Floats, name: str = "part", newline: str = "\n") -> bytes:
    """Write faces as ASCII STL, with exponents as many programs do."""
    lines = [f"solid {name}"]
    for face in corners:
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {x:.8e} {y:.8e} {z:.8e}" for x, y, z in face]
        lines += ["    endloop", "  endfacet"]
    return newline.join([*lines, f"endsolid {name}", ""]).encode()


def rough(solid: manifold3d.Manifold, sigma: float, edge: float, seed: int, correlation: float = 0.0) -> Floats:
    """Return the faces of a solid as a scanner would give them: evenly fine, and moved at random along the normals."""
    fine = solid.refine_to_length(edge)
    mesh = fine.to_mesh64()
    points = np.array(mesh.vert_properties)[:, :3]
    faces = np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3)
    rng = np.random.default_rng(seed)
    normal = np.zeros_like(points)
    cross = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    for corner in range(3):
        np.add.at(normal, faces[:, corner], cross)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    if correlation:
        waves = rng.normal(size=(300, 3)) / correlation
        shift = np.cos(points @ waves.T + rng.uniform(0, 2 * np.pi, 300)).sum(1) * math.sqrt(2 / 300)
    else:
        shift = rng.normal(size=len(points))
    return (points + sigma * shift[:, None] * normal)[faces]


def with_holes(corners: Floats, count: int, radius: float, seed: int) -> Floats:
    """Return faces without those near random places."""
    rng = np.random.default_rng(seed)
    middle = corners.mean(axis=1)
    places = middle[rng.integers(len(middle), size=count)]
    far = np.linalg.norm(middle[:, None] - places[None], axis=2).min(axis=1) > radius
    return corners[far]
