"""Read a large binary STL to its bounding box, volume, and whether it is closed and oriented: here, with admesh and with trimesh.

    python benchmarks/stl.py [--triangles 2000000] [--rounds 3]

Here means what `homolog measure SCAN` does without an item: the file is read, handed to a process behind the sandbox's rings,
passes its gate there, and is looked at. Each way runs in a process of its own; starting and loading libraries are left out for
both Python ways, and admesh is timed whole. Times are the best of the rounds, in processor seconds of all processes together,
since other programs may run beside; memory is that of caller and measuring process together, the file's copies included. Both
Python ways are checked against each other.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from homolog.gate.mesh_file import check_kind
from homolog.scan import ScanLook
from homolog.scan.sandbox.job import Done, run_job
from homolog.scan.sandbox.limits import Limits
from homolog.scan.worker import ENTRY, needs_of

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Way:
    """One way's best round."""

    seconds: float
    wall: float
    peak: int
    found: dict[str, object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triangles", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=("here", "trimesh", "make"), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way == "make":
        arguments.file.write_bytes(knobbly_ball(arguments.triangles))
        return
    if arguments.way is not None:
        print(json.dumps({"here": here, "trimesh": by_trimesh}[arguments.way](arguments.file)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.stl"
        # Made by another process: this one must stay small, for a child begins with what its parent held.
        subprocess.run(
            [sys.executable, __file__, "--way", "make", "--file", path, "--triangles", str(arguments.triangles)], check=True
        )
        size = path.stat().st_size
        ways = {"here": best(path, "here", arguments.rounds), "trimesh": best(path, "trimesh", arguments.rounds)}
        if shutil.which("admesh"):
            ways["admesh"] = best(path, "admesh", arguments.rounds)
    print(f"{(size - 84) // 50} triangles, {size / 1e6:.0f} MB")
    print("| way | processor s | wall s | peak MiB | peak / file |\n|---|---:|---:|---:|---:|")
    for name, way in ways.items():
        print(f"| {name} | {way.seconds:.2f} | {way.wall:.2f} | {way.peak / 2**20:.0f} | {way.peak / size:.1f} |")
    for name in ("admesh", "trimesh"):
        if name in ways:
            print(f"{name} takes {ways[name].seconds / ways['here'].seconds:.2f} times as long")
    one, other = ways["here"].found, ways["trimesh"].found
    agree = one["closed"] == other["closed"] and math.isclose(float(str(one["volume"])), float(str(other["volume"])), rel_tol=1e-5)
    print(f"here: {one}\ntrimesh: {other}\nthey agree: {agree}")
    if not agree:
        sys.exit(1)


def best(path: Path, way: str, rounds: int) -> Way:
    """Run one way several times and return its quickest round."""
    return min((run(path, way) for _ in range(rounds)), key=lambda found: found.seconds)


def run(path: Path, way: str) -> Way:
    command = ["admesh", str(path)] if way == "admesh" else [sys.executable, __file__, "--way", way, "--file", str(path)]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read() if process.stdout is not None else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{way} ended with {process.returncode}")
    peak = usage.ru_maxrss * 1024
    if way == "admesh":
        return Way(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, peak, {})
    found = json.loads(out)
    return Way(found.pop("seconds"), found.pop("wall"), peak + found.pop("measuring", 0), found)


def here(path: Path) -> dict[str, object]:
    """Take the way of `homolog measure`; a small file before it has the supervisor started and its libraries loaded."""
    look(ROOT / "examples" / "ball.stl")
    start, spent = time.perf_counter(), processor()
    done = look(path)
    seen = ScanLook.from_json(done.answer)
    found = told(start, spent - done.processor_seconds, seen.volume or 0.0, seen.closed, np.array(seen.size))
    return found | {"measuring": done.peak_bytes}


def look(path: Path) -> Done:
    """Do what the door does with a file of which nobody says what it shows."""
    job: dict[str, object] = {"name": path.name, "item": None}
    data = path.read_bytes()
    kind = check_kind(data, name=path.name)
    return run_job(ENTRY, (json.dumps(job).encode() + b"\n", data), Limits(), name=path.name, needs=needs_of(job, kind))


def by_trimesh(path: Path) -> dict[str, object]:
    """Load and ask what it says."""
    import trimesh

    start, spent = time.perf_counter(), processor()
    mesh = trimesh.load(path)
    closed = bool(mesh.is_watertight and mesh.is_winding_consistent)
    return told(start, spent, float(mesh.volume), closed, mesh.extents)


def told(start: float, spent: float, volume: float, closed: bool, extents: np.ndarray) -> dict[str, object]:
    sizes = [round(float(size), 4) for size in extents]
    return {
        "seconds": processor() - spent,
        "wall": time.perf_counter() - start,
        "volume": volume,
        "closed": closed,
        "extents": sizes,
    }


def processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def knobbly_ball(triangles: int) -> bytes:
    """Return a closed ball with bumps as binary STL, of about so many triangles in a shuffled order."""
    rings = max(4, round(math.sqrt(triangles / 4)))
    turns = 2 * rings
    polar, around = np.meshgrid(np.linspace(0, math.pi, rings + 1), np.arange(turns) * (2 * math.pi / turns), indexing="ij")
    radius = 18 + 0.4 * np.cos(9 * polar) * np.cos(7 * around) * np.sin(polar)
    grid = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1) * radius[..., None]
    grid[0], grid[-1] = grid[0, 0], grid[-1, 0]
    next_turn = np.roll(grid, -1, axis=1)
    upper = np.stack([grid[:-1], grid[1:], next_turn[1:]], axis=2)[:-1].reshape(-1, 3, 3)
    lower = np.stack([grid[:-1], next_turn[1:], next_turn[:-1]], axis=2)[1:].reshape(-1, 3, 3)
    corners = np.random.default_rng(1).permutation(np.concatenate([upper, lower]))
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    rows["corners"] = corners
    return b"made for a benchmark".ljust(80) + len(corners).to_bytes(4, "little") + rows.tobytes()


if __name__ == "__main__":
    main()
