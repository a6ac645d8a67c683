"""Make playing figures whose sizes are known in closed form: one example, or a folder of random ones with their answers.

    python tools/make_figure.py examples/figure.stl
    python tools/make_figure.py --cases DIR --count 100 --source structured_light

The articles are invented: a body of ellipsoids and capsules on a disc, a dome or a bowl. The random ones come in any pose,
with a scanner's noise, holes, and offset and scale errors drawn from the class of source. The same call writes the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import math
import struct
from dataclasses import dataclass
from pathlib import Path

import manifold3d
import numpy as np
from numpy.typing import NDArray

from homolog.scan.sources import SOURCES, instrument_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Solid = manifold3d.Manifold

COLUMNS = (
    "file", "unit", "defect", "base_kind", "triangles", "edge", "noise_sigma", "noise_length", "base_diameter", "base_height",
    "rim_height", "figure_width", "figure_thickness", "height", "height_without_base", "roundness",
)  # fmt: skip
UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4}


@dataclass(frozen=True)
class Ball:
    """An ellipsoid: middle, half axes, and the frame of its axes."""

    middle: Floats
    half: Floats
    frame: Floats

    def reach(self, direction: Floats) -> float:
        """Return how far it reaches from the origin."""
        return float(self.middle @ direction + np.linalg.norm(self.half * (self.frame.T @ direction)))

    def solid(self, edge: float) -> Solid:
        """Return it with facets about as long as an edge."""
        sphere = Solid.sphere(1.0, sides(float(self.half.max()), edge))
        return sphere.transform(np.hstack([self.frame * self.half, self.middle[:, None]]))


@dataclass(frozen=True)
class Limb:
    """A capsule between two points."""

    begin: Floats
    end: Floats
    radius: float

    def reach(self, direction: Floats) -> float:
        """Return how far it reaches from the origin."""
        return float(max(self.begin @ direction, self.end @ direction)) + self.radius

    def solid(self, edge: float) -> Solid:
        """Return it with facets about as long as an edge."""
        sphere = Solid.sphere(self.radius, sides(self.radius, edge))
        return Solid.batch_hull([sphere.translate(tuple(self.begin)), sphere.translate(tuple(self.end))])


@dataclass(frozen=True)
class Recipe:
    """A figure's sizes in mm; angles in degrees."""

    kind: str = "disc"  # disc, dome, cap or bowl
    diameter: float = 19.0
    base_height: float = 6.0
    rim: float = 0.4
    foot: float = 0.0
    tall: float = 27.0
    wide: float = 10.0
    thick: float = 4.6
    arms: str = "down"
    lean: float = 0.0
    turn: float = 0.0
    edge: float = 0.5


@dataclass(frozen=True)
class Figure:
    """A figure as a solid, with its sizes."""

    solid: Solid
    truth: dict[str, float]


def main() -> None:
    """Write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--source", choices=SOURCES, default="structured_light")
    arguments = parser.parse_args()
    if arguments.cases is not None:
        write_cases(arguments.cases, arguments.first, arguments.count, arguments.source)
    if arguments.output is not None:
        points, faces = mesh_of(make_figure(Recipe(kind="disc", edge=0.8)).solid, 0.8)
        points = noisy(points, faces, 0.006, 0.8, np.random.default_rng(11))
        arguments.output.write_bytes(binary_stl(points[faces]))
        print(f"{arguments.output}: {len(faces)} facets, {arguments.output.stat().st_size} bytes")


def sides(radius: float, edge: float) -> int:
    """Return into how many facets a circle is cut."""
    return max(16, 4 * math.ceil(2 * math.pi * radius / edge / 4))


def about(axis: int, degrees: float) -> Floats:
    """Return a rotation about a coordinate axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    frame = np.eye(3)
    a, b = [k for k in range(3) if k != axis]
    frame[a, a], frame[a, b], frame[b, a], frame[b, b] = c, -s, s, c
    return frame


def body(recipe: Recipe, floor: float) -> list[Ball | Limb]:
    """Return the pieces of a human `tall` above the floor, leaned and turned about its feet."""
    h, w, t = recipe.tall, recipe.wide, recipe.thick
    head, arm, leg = 0.07 * h, min(0.45 * t, 1.25), min(0.4 * t, 2.0)
    chest = min(0.33 * w, 4.4)
    stance = max(0.55 * chest, 1.2)
    hand = (w / 2 - 1.2 * arm, {"up": 0.93 * h - arm, "out": 0.76 * h, "down": 0.42 * h}[recipe.arms])
    pieces: list[Ball | Limb] = [
        Ball(np.array([0, 0, 0.89 * h]), np.array([head, min(head, 0.46 * t), 0.11 * h]), np.eye(3)),
        Ball(np.array([0, 0, 0.64 * h]), np.array([chest, t / 2, 0.19 * h]), np.eye(3)),
        Ball(np.array([0, 0, 0.45 * h]), np.array([0.9 * chest, 0.46 * t, 0.1 * h]), np.eye(3)),
    ]
    for side in (-1.0, 1.0):
        pieces += [
            Limb(np.array([side * chest * 0.45, 0, 0.45 * h]), np.array([side * stance, 0, leg - 0.5]), leg),
            Ball(np.array([side * stance, 0, 0.75]), np.array([1.4, 0.48 * t, 1.1]), np.eye(3)),
            Limb(np.array([side * chest * 0.85, 0, 0.75 * h]), np.array([side * hand[0], 0.2, hand[1]]), arm),
            Ball(np.array([side * hand[0], 0.2, hand[1]]), np.array([1.2 * arm, 1.05 * arm, 1.2 * arm]), np.eye(3)),
        ]
    frame = about(2, recipe.turn) @ about(0, recipe.lean)
    shift = np.array([0.0, 0.0, floor])
    moved: list[Ball | Limb] = []
    for piece in pieces:
        if isinstance(piece, Ball):
            moved.append(Ball(frame @ piece.middle + shift, piece.half, frame @ piece.frame))
        else:
            moved.append(Limb(frame @ piece.begin + shift, frame @ piece.end + shift, piece.radius))
    return moved


def base(recipe: Recipe) -> tuple[list[Solid], float]:
    """Return a base and the height of its rim; a dome leaves its rim upright, a cap at an angle."""
    radius, high, edge = recipe.diameter / 2, recipe.base_height, recipe.edge
    n = sides(radius, edge)
    if recipe.kind == "disc":
        return [Solid.cylinder(high, radius, radius, n)], high
    if recipe.kind == "bowl":
        depth = high + recipe.foot
        bowl = Solid.sphere(1.0, n).scale((radius, radius, depth)).translate((0, 0, high))
        return [bowl.trim_by_plane((0, 0, -1), -high).trim_by_plane((0, 0, 1), 0.0)], high
    rim = recipe.rim * high
    rise = high - rim
    if recipe.kind == "dome":
        top = Solid.sphere(1.0, n).scale((radius, radius, rise)).translate((0, 0, rim)).trim_by_plane((0, 0, 1), rim - 0.01)
        return [Solid.cylinder(rim, radius, radius, n), top], rim
    # Faces that lie on each other would leave a sheet inside: the cap is cut out of one round bar.
    ball = (radius**2 + rise**2) / (2 * rise)
    top = Solid.sphere(ball, sides(ball, edge)).translate((0, 0, high - ball))
    box = Solid.cube((4 * radius, 4 * radius, 2 * rim), True)
    return [Solid.cylinder(high + 1, radius, radius, n) ^ (top + box)], rim


def make_figure(recipe: Recipe) -> Figure:
    """Build a figure; width and thickness are those of the ideal body's silhouette."""
    pieces = body(recipe, recipe.base_height)
    bottom, rim = base(recipe)
    solid = Solid.batch_boolean([*bottom, *(piece.solid(recipe.edge) for piece in pieces)], manifold3d.OpType.Add)
    height = max(piece.reach(np.array([0.0, 0.0, 1.0])) for piece in pieces)
    angle = narrowest(pieces)
    truth = {
        "base_diameter": recipe.diameter,
        "base_height": recipe.base_height,
        "rim_height": rim,
        "figure_width": across(pieces, angle + math.pi / 2),
        "figure_thickness": across(pieces, angle),
        "height": height,
        "height_without_base": height - recipe.base_height,
        "roundness": 0.0,
    }
    return Figure(solid, truth)


def across(pieces: list[Ball | Limb], angle: float) -> float:
    """Return the extent of the silhouette seen from above along a direction in it."""
    direction = np.array([math.cos(angle), math.sin(angle), 0.0])
    return max(piece.reach(direction) for piece in pieces) + max(piece.reach(-direction) for piece in pieces)


def narrowest(pieces: list[Ball | Limb]) -> float:
    """Return the direction in which the silhouette seen from above is narrowest."""
    angles = np.linspace(0, math.pi, 181)
    best = float(min(angles, key=lambda angle: across(pieces, float(angle))))
    for width in (math.pi / 180, math.pi / 1800, math.pi / 18000):
        best = float(min(np.linspace(best - width, best + width, 21), key=lambda angle: across(pieces, float(angle))))
    return best


def mesh_of(solid: Solid, edge: float) -> tuple[Floats, Ints]:
    """Return points and faces, evenly fine as a scan's."""
    mesh = solid.refine_to_length(edge).to_mesh64()
    return np.array(mesh.vert_properties)[:, :3].copy(), np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3)


def point_normals(points: Floats, faces: Ints) -> Floats:
    """Return unit normals at the points."""
    cross = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normal = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normal, faces[:, corner], cross)
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))


def noisy(points: Floats, faces: Ints, sigma: float, length: float, rng: np.random.Generator) -> Floats:
    """Move points along their normals: each for itself, or together over a length in mm."""
    if length:
        waves = rng.normal(size=(300, 3)) / length
        shift = np.cos(points @ waves.T + rng.uniform(0, 2 * math.pi, 300)).sum(axis=1) * math.sqrt(2 / 300)
    else:
        shift = rng.normal(size=len(points))
    return np.asarray(points + sigma * shift[:, None] * point_normals(points, faces))


def random_recipe(rng: np.random.Generator) -> Recipe:
    """Draw a figure a little wider than the rules."""
    kind = str(rng.choice(["disc", "dome", "cap", "bowl"]))
    thick = float(rng.uniform(3.6, 6.2))
    return Recipe(
        kind=kind,
        diameter=float(rng.uniform(15.5, 21.5)),
        base_height=float(rng.uniform(4.8, 7.2)),
        rim=float(rng.uniform(0.3, 0.6)),
        foot=float(rng.choice([0.0, rng.uniform(0.0, 0.6)])),
        tall=float(rng.uniform(21.5, 32.0)),
        wide=float(rng.uniform(max(7.5, thick + 2.0), 13.2)),
        thick=thick,
        arms=str(rng.choice(["up", "out", "down"])),
        lean=float(rng.uniform(-3, 3)),
        turn=float(rng.uniform(0, 360)),
        edge=float(rng.uniform(0.3, 1.0)),
    )


def random_turn(rng: np.random.Generator) -> Floats:
    """Return a rotation."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.asarray(q if np.linalg.det(q) > 0 else q[:, ::-1])


def random_case(seed: int, source: str) -> tuple[Floats, dict[str, str]]:
    """Return the faces of a random scan, in the unit of its row, and its answers in mm."""
    rng = np.random.default_rng(seed)
    recipe = random_recipe(rng)
    figure = make_figure(recipe)
    points, faces = mesh_of(figure.solid, recipe.edge)
    instrument = instrument_of(source)
    sigma = 0.0 if instrument.is_design else float(rng.choice([0.02, 0.03, 0.05, 0.1]))
    length = float(rng.choice([0.0, 0.6, 1.0]))
    down = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])[:, 2] < 0
    middle = points[faces].mean(axis=1)
    if sigma:
        points = noisy(points, faces, sigma, length, rng)
    drawn = [(rng.normal(), effect) for effect in instrument.effects]
    points = points + sum(z * effect.offset_mm for z, effect in drawn) * point_normals(points, faces)
    points = points * (1 + sum(z * effect.scale for z, effect in drawn))
    defect = str(rng.choice(["clean", "clean", "holes", "underside"]))
    if defect == "holes":
        places = middle[rng.integers(len(middle), size=5)]
        faces = faces[np.linalg.norm(middle[:, None] - places[None], axis=2).min(axis=1) > rng.uniform(0.4, 0.9)]
    elif defect == "underside":
        faces = faces[~(down & (middle[:, 2] < (0.25 * recipe.base_height if recipe.kind == "bowl" else 0.02)))]
    points = points @ random_turn(rng).T + rng.uniform(-60, 60, 3)
    unit = str(rng.choice(list(UNITS), p=[0.8, 0.1, 0.1]))
    known = {key: f"{value:.4f}" for key, value in figure.truth.items()}
    if recipe.kind in {"disc", "bowl"}:
        known["rim_height"] = ""
    row = {
        "file": f"figure-{seed:04d}-{recipe.kind}-{defect}.stl",
        "unit": unit,
        "defect": defect,
        "base_kind": recipe.kind,
        "triangles": str(len(faces)),
        "edge": f"{recipe.edge:.2f}",
        "noise_sigma": f"{sigma:g}",
        "noise_length": f"{length:g}",
    } | known
    return points[faces] / UNITS[unit], row


def write_cases(folder: Path, first: int, count: int, source: str) -> None:
    """Write random scans and their answers."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "expected.csv").open("w", newline="") as stream:
        table = csv.DictWriter(stream, COLUMNS)
        table.writeheader()
        for seed in range(first, first + count):
            corners, row = random_case(seed, source)
            (folder / row["file"]).write_bytes(binary_stl(corners))
            table.writerow(row)


def binary_stl(corners: Floats) -> bytes:
    """Return faces as a file."""
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    rows["corners"] = corners
    return b"homolog playing figure".ljust(80, b"\0") + struct.pack("<I", len(corners)) + rows.tobytes()


if __name__ == "__main__":
    main()
