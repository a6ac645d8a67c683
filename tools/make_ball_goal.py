"""Make scans of balls and goals whose sizes are known: `python tools/make_ball_goal.py DIR --balls 100 --goals 60 --seed 1`.

Writes binary STL files and expected.csv; benchmarks/accuracy.py draws the same scans. Every scan has an offset and a scale
error drawn from what is assumed of its class of source, noise (white or correlated) and any pose; drawings have none of these.
"""

from __future__ import annotations

import argparse
import csv
import math
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import manifold3d
import numpy as np

from homolog.scan.oriented import Oriented, oriented_mesh
from homolog.scan.sources import instrument_of
from homolog.scan.surface import Floats

Solid = Any
FACTORS = {"mm": 1.0, "cm": 0.1, "in": 1 / 25.4, "m": 0.001}
SCANNERS = ("structured_light", "photogrammetry", "laser", "ct")


@dataclass
class Case:
    """One file: its corners (m, 3, 3) in mm, what is true of it, and how it came about."""

    corners: Floats
    truth: dict[str, float]
    item: str
    source: str = "cad"
    kind: str = ""
    unit: str = "mm"
    notes: dict[str, float] = field(default_factory=dict)


def corners_of_solid(solid: Solid) -> Floats:
    """Return the corners of a solid of manifold3d."""
    mesh = solid.to_mesh64()
    points = np.array(mesh.vert_properties, np.float64)[:, :3]
    return np.asarray(points[np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3)])


def turned(corners: Floats, rng: np.random.Generator) -> Floats:
    """Return corners in any pose."""
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    if np.linalg.det(q) < 0:
        q[:, 0] = -q[:, 0]
    return np.asarray(corners @ q.T + rng.uniform(-100, 100, 3))


def scanned(
    corners: Floats, rng: np.random.Generator, *, source: str, sigma: float, length: float, systematic: bool = True
) -> Floats:
    """Return corners as a scanner would see them: offset, scale, noise (correlated over `length` mm if above 0)."""
    seen: Oriented = oriented_mesh(corners)
    instrument = instrument_of(source)
    moved = np.zeros(len(seen.points))
    if sigma:
        if length:
            wave = rng.normal(size=(250, 3)) / length
            phase = rng.uniform(0, 2 * math.pi, 250)
            for first in range(0, len(moved), 20_000):
                some = slice(first, first + 20_000)
                moved[some] = np.cos(seen.points[some] @ wave.T + phase).sum(axis=1) * math.sqrt(2 / 250)
        else:
            moved = rng.normal(size=len(moved))
        moved *= sigma
    scale = 1.0
    if systematic:
        drawn = [(rng.normal(), effect) for effect in instrument.effects]
        moved += sum(z * effect.offset_mm for z, effect in drawn)
        scale += sum(z * effect.scale for z, effect in drawn)
    points = (seen.points + moved[:, None] * seen.normals) * scale
    return np.asarray(points[seen.surface.faces])  # type: ignore[union-attr]


def ball_solid(axes: tuple[float, float, float], edge: float) -> Solid:
    """Return an ellipsoid with its corners on the true surface, edges of about a length."""
    segments = max(8, 4 * math.ceil(math.pi * 2 * 11 / edge / 4))
    return manifold3d.Manifold.sphere(1.0, segments).scale(tuple(axis / 2 for axis in axes))


def make_ball(seed: int) -> Case:
    """Make one ball: round or oval, whole or in part, drawn or scanned."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(20.8, 23.2)
    oval = rng.random() < 0.6
    axes = tuple(base + (rng.uniform(-0.25, 0.25) if oval else 0.0) for _ in range(3))
    kind = str(rng.choice(["full", "full", "full", "half", "cap", "cad", "hollow"]))
    source = "cad" if kind == "cad" else str(rng.choice(SCANNERS))
    edge = rng.uniform(0.4, 3.0) if kind == "cad" else rng.uniform(0.35, 0.8)
    solid = ball_solid(axes, edge)
    if kind == "hollow":
        wall = rng.uniform(0.4, 1.5)
        solid = solid - ball_solid(tuple(axis - 2 * wall for axis in axes), edge)
    corners = corners_of_solid(solid)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    corners = corners @ q.T
    height = corners.mean(axis=1)[:, 2] / (base / 2)
    if kind == "half":
        corners = corners[height > rng.uniform(-0.15, 0.1)]
    elif kind == "cap":
        corners = corners[height > rng.uniform(0.4, 0.6)]
    sigma = 0.0 if kind == "cad" else rng.uniform(0.02, 0.1)
    length = float(rng.choice([0.0, 0.6, 1.0, 1.5]))
    corners = scanned(corners, rng, source=source, sigma=sigma, length=length, systematic=kind != "cad")
    mean = math.prod(axes) ** (1 / 3)
    truth = {"diameter": mean, "diameter_max": max(axes), "diameter_min": min(axes)}
    unit = str(rng.choice(["mm", "mm", "mm", "cm", "in", "m"]))
    words = f"{kind} {source} sigma {sigma:.2f} over {length}"
    return Case(turned(corners, rng), truth, "ball", source, words, unit)


def _hull(*sections: Floats) -> Solid:
    return manifold3d.Manifold.hull_points(np.vstack(sections))


def bar_between(start: Floats, end: Floats, width: float, *, round_: bool, level: tuple[Floats, Floats], sides: int) -> Solid:
    """Return a bar whose sections lie in the plane of the two `level` directions at both ends."""
    x, y = level
    if round_:
        angle = (np.arange(sides) + 0.5) / sides * 2 * math.pi
        ring = np.cos(angle)[:, None] * x + np.sin(angle)[:, None] * y
        ring = ring * width / 2
    else:
        ring = np.array([a * x + b * y for a in (-1, 1) for b in (-1, 1)]) * width / 2
    return _hull(start + ring, end + ring)


X, Y, Z = np.eye(3)


@dataclass(frozen=True, kw_only=True)
class GoalShape:
    """A goal: thicknesses of its bars, clear lengths of the posts left and right, how far their tops lean (right, rear) in mm.

    `yaw` brings the back bar's right end so much farther to the rear than `depth`, and its left end nearer; `raised` is the
    height of a back bar on uprights. `extra` is feet, board, sheet or strands.
    """

    is_round: bool = False
    sides: int = 40
    post: float = 4.0
    top: float = 4.0
    side: float = 4.0
    back: float = 4.0
    apart: float = 125.0
    clear: tuple[float, float] = (60.0, 60.0)
    lean: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 0.0), (0.0, 0.0))
    depth: float = 75.0
    yaw: float = 0.0
    raised: float = 0.0
    has_upper: bool = False
    extra: str = ""


def goal_solid(shape: GoalShape) -> tuple[Solid, dict[str, float]]:
    """Return a goal standing on z = 0, the pitch at negative y, and what is true of it."""
    parts: list[Solid] = []
    truth: dict[str, float] = {}
    names = ("left", "right")
    foot_x = dict(zip(names, (-(shape.apart + shape.post) / 2, (shape.apart + shape.post) / 2), strict=True))
    clear, lean = dict(zip(names, shape.clear, strict=True)), dict(zip(names, shape.lean, strict=True))
    rear = {"left": shape.depth - shape.yaw, "right": shape.depth + shape.yaw}
    upper = shape.has_upper or shape.raised > 0

    def add(start: Floats, end: Floats, width: float, level: tuple[Floats, Floats]) -> None:
        parts.append(bar_between(start, end, width, round_=shape.is_round, level=level, sides=shape.sides))

    tops = {}
    for side, x in foot_x.items():
        foot = np.array([x, shape.post / 2, 0.0])
        slope = np.array([*lean[side], clear[side]]) / clear[side]
        tops[side] = foot + slope * clear[side]
        add(foot, foot + slope * (clear[side] + shape.top / 2), shape.post, (X, Y))
        truth[f"post_length@post_{side}"] = clear[side]
        truth[f"post_length_with_crossbar@post_{side}"] = clear[side] + shape.top
        truth[f"post_lean@post_{side}"] = math.hypot(*lean[side])
        truth[f"bar_thickness@post_{side}"] = shape.post
    ends = [tops[side] + shape.top / 2 * Z for side in names]
    along = (ends[1] - ends[0]) / (ends[1] - ends[0])[0]
    add(ends[0] - along * shape.post / 2, ends[1] + along * shape.post / 2, shape.top, (Y, Z))
    height = shape.raised or shape.back / 2
    corner = {side: np.array([x, rear[side] - shape.back / 2, height]) for side, x in foot_x.items()}
    run = (corner["right"] - corner["left"]) / (corner["right"] - corner["left"])[0]
    add(corner["left"] - run * shape.side / 2, corner["right"] + run * shape.side / 2, shape.back, (Y, Z))
    for side, x in foot_x.items():
        end = np.array([x, rear[side] - shape.back / 2, shape.side / 2])
        add(np.array([x, shape.post * 0.3, shape.side / 2]), end, shape.side, (X, Z))
        truth[f"bar_thickness@side_bar_{side}" + ("_lower" if upper else "")] = shape.side
        if upper:
            start = tops[side] + shape.top / 2 * Z
            across = np.cross(corner[side] - start, X)
            add(start, corner[side], shape.side, (X, across / np.linalg.norm(across)))
            truth[f"bar_thickness@side_bar_{side}_upper"] = shape.side
        if shape.raised:
            base = np.array([x, rear[side] - shape.back / 2, 0.0])
            add(base, base + (height + shape.back / 2) * Z, shape.back, (X, Y))
    middle = shape.apart + (shape.lean[1][0] - shape.lean[0][0]) / 2
    truth |= {
        "goalline_to_back_bar": shape.depth,
        "post_distance": middle,
        "post_distance_centres": middle + shape.post,
        "bar_thickness@crossbar": shape.top,
        "bar_thickness@back_bar": shape.back,
    }
    goal = manifold3d.Manifold.batch_boolean(parts, manifold3d.OpType.Add)
    return _with_extra(goal, shape, foot_x, truth), truth


def _with_extra(goal: Solid, shape: GoalShape, foot_x: dict[str, float], truth: dict[str, float]) -> Solid:
    if shape.extra == "feet":
        disc = manifold3d.Manifold.cylinder(1.5, 7.0, 7.0, 40)
        places = [(x, y) for x in foot_x.values() for y in (shape.post / 2, shape.depth - shape.back)]
        goal = manifold3d.Manifold.batch_boolean([goal, *(disc.translate((x, y, -1.5)) for x, y in places)], manifold3d.OpType.Add)
        for side, length in zip(("left", "right"), shape.clear, strict=True):
            truth[f"post_length@post_{side}"] += 1.5
            truth[f"post_length_with_crossbar@post_{side}"] += 1.5
            truth[f"post_lean@post_{side}"] *= (length + 1.5) / length
    elif shape.extra == "board":
        goal = goal + manifold3d.Manifold.cube((180.0, 130.0, 8.0)).translate((-90.0, -20.0, -8.0))
    elif shape.extra == "strands":
        strands = _strands(foot_x, shape.depth - shape.back, shape.clear[0])
        goal = manifold3d.Manifold.batch_boolean([goal, *strands], manifold3d.OpType.Add)
    return goal


def goal_corners(shape: GoalShape, solid: Solid) -> Floats:
    """Return the corners of a goal, with the open sheet of its net if it has one."""
    corners = corners_of_solid(solid)
    if shape.extra == "sheet":
        half = (shape.apart + shape.post) / 2
        net = _sheet({"left": -half, "right": half}, shape.depth - shape.back / 2, shape.clear[0])
        corners = np.vstack([corners, net])
    return corners


def make_goal(seed: int) -> Case:
    """Make one goal: square or round bars, leaning posts, bars out of parallel, with net, feet or board, drawn or scanned."""
    rng = np.random.default_rng(seed)
    drawn = bool(rng.random() < 0.25)
    thick = rng.uniform(2, 6) + rng.uniform(-0.15, 0.15, 4)
    clear = rng.uniform(57, 63)
    lean = rng.uniform(-0.6, 0.6, (2, 2)) * rng.choice([0.2, 1.0], (2, 1))
    raised = float(rng.uniform(18, 40)) if rng.random() < 0.3 else 0.0
    shape = GoalShape(
        is_round=bool(rng.random() < 0.5),
        sides=int(rng.choice([12, 16, 24, 32])) if drawn else 40,
        post=thick[0],
        top=thick[1],
        side=thick[2],
        back=thick[3],
        apart=rng.uniform(123.5, 126.5),
        clear=(clear, clear + rng.uniform(-0.3, 0.3)),
        lean=((lean[0, 0], lean[0, 1]), (lean[1, 0], lean[1, 1])),
        depth=rng.uniform(56, 94),
        yaw=rng.uniform(-0.4, 0.4),
        raised=raised,
        has_upper=bool(rng.random() < 0.5),
        extra=str(rng.choice(["", "", "feet", "board", "sheet", "strands"])),
    )
    solid, truth = goal_solid(shape)
    edge = 0.0 if drawn else rng.uniform(0.7, 1.5)
    sigma = 0.0 if drawn else rng.uniform(0.02, 0.1)
    length = float(rng.choice([0.0, 0.6, 1.0, 1.5]))
    source = "cad" if drawn else str(rng.choice(SCANNERS))
    corners = goal_corners(shape, solid.refine_to_length(edge) if edge else solid)
    corners = scanned(corners, rng, source=source, sigma=sigma, length=length, systematic=not drawn)
    unit = str(rng.choice(["mm", "mm", "mm", "cm", "in", "m"]))
    form = "round" if shape.is_round else "square"
    rear = "raised " if raised else ""
    words = f"{form} {shape.post:.1f} {shape.extra} {source} {rear}sigma {sigma:.2f} over {length} edge {edge:.1f}"
    return Case(turned(corners, rng), truth, "goal", source, words, unit)


def _strands(foot_x: dict[str, float], depth: float, height: float) -> list[Solid]:
    found = []
    for x in np.arange(foot_x["left"] + 10, foot_x["right"] - 5, 12.0):
        start, end = np.array([x, 4.0, height + 1]), np.array([x, depth, 3.0])
        found.append(bar_between(start, end, 0.6, round_=True, level=(X, Z), sides=8))
    for share in np.arange(0.15, 0.95, 0.2):
        y, z = 4 + share * (depth - 4), height + 1 - share * (height - 2)
        start, end = np.array([foot_x["left"], y, z]), np.array([foot_x["right"], y, z])
        found.append(bar_between(start, end, 0.6, round_=True, level=(Y, Z), sides=8))
    return found


def _sheet(foot_x: dict[str, float], depth: float, height: float) -> Floats:
    """Return a net drawn as one open sheet from the crossbar down to the back bar."""
    u = np.linspace(0, 1, 40)
    a, b = np.meshgrid(u, u)
    x = foot_x["left"] + a * (foot_x["right"] - foot_x["left"])
    grid = np.stack([x, 4 + b * (depth - 4), height + 1 - b * (height - 2)], axis=2)
    one = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:]], axis=2).reshape(-1, 3, 3)
    other = np.stack([grid[:-1, :-1], grid[1:, 1:], grid[1:, :-1]], axis=2).reshape(-1, 3, 3)
    return np.vstack([one, other])


def stl_bytes(corners: Floats) -> bytes:
    """Return corners (m, 3, 3) as a binary STL file."""
    record = np.zeros(len(corners), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")]))
    record["corners"] = corners
    return b"\0" * 80 + struct.pack("<I", len(corners)) + record.tobytes()


def main() -> None:
    """Write the files and their truths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--balls", type=int, default=100)
    parser.add_argument("--goals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    made = [(f"ball-{n:03d}.stl", make_ball(arguments.seed * 100_000 + n)) for n in range(arguments.balls)]
    made += [(f"goal-{n:03d}.stl", make_goal(arguments.seed * 100_000 + 50_000 + n)) for n in range(arguments.goals)]
    columns = sorted({name for _, case in made for name in case.truth})
    with (arguments.folder / "expected.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, ["file", "item", "source", "unit", "kind", *columns])
        table.writeheader()
        for name, case in made:
            (arguments.folder / name).write_bytes(stl_bytes(case.corners * FACTORS[case.unit]))
            row = {"file": name, "item": case.item, "source": case.source, "unit": case.unit, "kind": case.kind}
            table.writerow(row | {column: f"{value:.5f}" for column, value in case.truth.items()})


if __name__ == "__main__":
    main()
