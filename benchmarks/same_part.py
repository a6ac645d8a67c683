"""One goalkeeper in every format, unit, pose and fineness: how far apart its numbers lie, against what they claim.

    python -m benchmarks.same_part            about three minutes on two cores
    python -m benchmarks.same_part --quick    up to 100,000 facets
    python -m benchmarks.same_part --json

The same triangles must give the same volume to one part in a million, in whatever file and placed wherever; more or fewer
triangles of one surface must agree within U.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from homolog.gate.mesh_file import check_mesh
from homolog.scan import measure_scan
from homolog.scan.canonical import corner_of
from homolog.scan.readers.read import read_mesh
from homolog.scan.solid import build_solid
from homolog.scan.unit import FACTORS
from homolog.scan.welding import weld
from tests.bodies import Recipe, binary_stl, make_keeper, turned_about
from tools import mesh_writers as write
from tools.step_writer import step_of

Floats = NDArray[np.float64]
OUTER = "goalkeeper.volume.outer"
LENGTHS = (
    "goalkeeper.height",
    "goalkeeper.width",
    "goalkeeper.figure_thickness",
    "goalkeeper.rod_length",
    "goalkeeper.handle_length",
    "goalkeeper.rod_width",
)
UNITS = {"mm": 1.0, "in": 25.4, "m": 1000.0}
WORDS = {"mm": "millimeter", "in": "inch", "m": "meter"}
POSES = 20
EDGES = {"12 k": 0.4, "24 k": 0.25, "100 k": 0.12, "300 k": 0.07, "1 M": 0.039, "2 M": 0.0278}
QUICK = ("12 k", "24 k", "100 k")


@dataclass(frozen=True)
class Line:
    """One file: what it is, and what it gives."""

    group: str
    what: str
    triangles: int
    whole: float
    """Of all that was scanned, the rod with it, as it is before it is rounded, mm3."""
    volume: str
    u: str
    lengths: dict[str, tuple[str, str]]
    seconds: float


def measure(data: bytes, name: str, group: str, what: str) -> Line:
    """Measure a file behind the door."""
    start = time.perf_counter()
    found = measure_scan(data, name=name, item="goalkeeper", seconds=300)
    seconds = time.perf_counter() - start
    values = {item.quantity: item for item in found.readings if item.value is not None}
    lengths = {one: (str(values[one].value), str(values[one].expanded_uncertainty)) for one in LENGTHS if one in values}
    outer = values[OUTER]
    mesh = read_mesh(check_mesh(data, name=name), name=name)
    whole = build_solid(mesh.corners - corner_of(mesh.corners), name=name).volume * FACTORS[found.unit] ** 3
    return Line(group, what, found.triangles, whole, str(outer.value), str(outer.expanded_uncertainty), lengths, seconds)


def body_of(corners: Floats) -> write.Body:
    """Return the faces with shared points, for the writers."""
    surface = weld(corners)
    return write.Body(tuple(map(tuple, surface.points.tolist())), tuple(map(tuple, surface.faces.tolist())), 0.0)


def formats(corners: Floats) -> Iterator[tuple[bytes, str, str]]:
    """Yield the same triangles in every format; numbers of 32 bits, so that none of them rounds."""
    corners = corners.astype(np.float32).astype(float)
    body = body_of(corners)
    yield binary_stl(corners), "k.stl", "STL binary"
    yield write.stl_text(body), "k.stl", "STL ASCII"
    yield write.obj(body), "k.obj", "OBJ"
    yield write.ply(body), "k.ply", "PLY binary"
    yield write.ply_text(body), "k.ply", "PLY ASCII"
    yield write.off(body), "k.off", "OFF"
    yield write.glb(body), "k.glb", "GLB"
    yield write.gltf(body), "k.gltf", "glTF"
    yield write.three_mf(body), "k.3mf", "3MF"


def units(corners: Floats) -> Iterator[tuple[bytes, str, str]]:
    """Yield the same triangles in three units, without and with the unit in the file."""
    for unit, factor in UNITS.items():
        yield binary_stl(corners / factor), "k.stl", f"STL in {unit}"
        yield write.three_mf(body_of(corners).scaled(1 / factor), unit=WORDS[unit]), "k.3mf", f"3MF in {unit}"


def poses(corners: Floats) -> Iterator[tuple[bytes, str, str]]:
    """Yield the same body turned and moved."""
    for seed in range(POSES):
        shift = np.random.default_rng(seed).uniform(-80, 80, 3)
        yield write.ply(body_of(corners @ turned_about(seed).T + shift)), "k.ply", f"pose {seed}"


def run(*, quick: bool) -> Iterator[Line]:
    """Measure every file of every group."""
    corners = make_keeper(Recipe()).corners
    coarse = make_keeper(Recipe(edge=4.0)).corners
    for made, group in ((formats(corners), "format"), (units(corners), "unit"), (poses(corners), "pose")):
        for data, name, what in made:
            yield measure(data, name, group, what)
    yield measure(write.ply(body_of(coarse)), "k.ply", "step", "PLY")
    yield measure(step_of(body_of(coarse)), "k.step", "step", "STEP")
    for what, edge in EDGES.items():
        if quick and what not in QUICK:
            continue
        yield measure(binary_stl(make_keeper(Recipe(edge=edge)).corners), "k.stl", "facets", what)


def spread(lines: list[Line]) -> dict[str, float]:
    """Return how far apart the volumes lie, and how far the lengths as a share of the least U of each."""

    def apart(values: list[tuple[str, str]]) -> float:
        numbers = [float(value) for value, _ in values]
        return (max(numbers) - min(numbers)) / min(float(u) for _, u in values)

    wholes = [line.whole for line in lines]
    volumes = [float(line.volume) for line in lines]
    known = [name for name in LENGTHS if all(name in line.lengths for line in lines)]
    return {
        "whole": (max(wholes) - min(wholes)) / min(wholes),
        "volume": (max(volumes) - min(volumes)) / min(volumes),
        "volume_of_u": apart([(line.volume, line.u) for line in lines]),
        "length_of_u": max((apart([line.lengths[name] for line in lines]) for name in known), default=0.0),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 100,000 facets")
    parser.add_argument("--json", action="store_true", help="every file on a line")
    arguments = parser.parse_args()
    groups: dict[str, list[Line]] = {}
    for line in run(quick=arguments.quick):
        groups.setdefault(line.group, []).append(line)
        if arguments.json:
            print(json.dumps(asdict(line)), flush=True)
        else:
            size = f"{line.group:7} {line.what:11} {line.triangles:9,}"
            print(f"{size} {line.whole:14.6f} {line.volume:>7} ± {line.u:4} {line.seconds:6.1f} s", flush=True)
    print("| group | files | whole volume, relative | body's volume, relative | of the least U | a length, of the least U |")
    print("|---|---:|---:|---:|---:|---:|")
    for group, lines in groups.items():
        far = spread(lines)
        volumes = f"{far['whole']:.1e} | {far['volume']:.1e} | {far['volume_of_u']:.3f}"
        print(f"| {group} | {len(lines)} | {volumes} | {far['length_of_u']:.3f} |")


if __name__ == "__main__":
    main()
