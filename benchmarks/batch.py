"""Judge a folder of scans with one job and with several, in turns, and print how much faster several are.

    python benchmarks/batch.py [--scans 64] [--jobs 2] [--rounds 1]

The scans are made: goalkeepers of 20,000 to 50,000 triangles in changing poses. Both ways must give the same bytes. The
processor time that other programs took meanwhile is printed too, for it belongs to neither; with it the ratio is too small.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.bodies import Recipe, binary_stl, make_keeper, posed

ROOT = Path(__file__).resolve().parents[1]
TARGET = 1.8


@dataclass(frozen=True)
class Run:
    """One run: wall time, own processor time, processor time of others, and what came out."""

    seconds: float
    processor: float
    others: float
    output: bytes
    table: bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scans", type=int, default=64)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths, sizes = make(Path(folder), arguments.scans)
        print(f"{len(paths)} scans, {min(sizes)} to {max(sizes)} triangles, {os.cpu_count()} processors")
        print(
            "| round | jobs | seconds | own processor s | others' processor s | scans a second |\n|---:|---:|---:|---:|---:|---:|"
        )
        best: dict[int, float] = {}
        outputs = set()
        for turn in range(arguments.rounds):
            for jobs in (1, arguments.jobs):
                run = check(paths, jobs, Path(folder) / "table.csv")
                outputs.add((run.output, run.table))
                best[jobs] = min(run.seconds, best.get(jobs, run.seconds))
                speed = len(paths) / run.seconds
                print(
                    f"| {turn + 1} | {jobs} | {run.seconds:.1f} | {run.processor:.1f} | {run.others:.1f} | {speed:.2f} |",
                    flush=True,
                )
    ratio = best[1] / best[arguments.jobs]
    print(f"ratio of the best: {ratio:.2f} (target {TARGET}); the same bytes: {len(outputs) == 1}")
    if len(outputs) != 1:
        sys.exit(1)


def make(folder: Path, count: int) -> tuple[list[Path], list[int]]:
    """Write the scans; return their paths and how many triangles each has."""
    paths, sizes = [], []
    for number, edge in enumerate(np.linspace(0.177, 0.283, count)):
        corners = posed(make_keeper(Recipe(edge=float(edge))).corners, number)
        paths.append(folder / f"scan-{number:03}.stl")
        paths[-1].write_bytes(binary_stl(corners))
        sizes.append(len(corners))
    return paths, sizes


def check(paths: list[Path], jobs: int, table: Path) -> Run:
    """Judge all scans as a user would."""
    command = [sys.executable, "-m", "homolog.cli.main", "check", *map(str, paths), "--item", "goalkeeper", "--json"]
    command += ["--on", "2026-01-01", "--edition", "4.0", "--jobs", str(jobs), "--table", str(table)]
    start, busy, own = time.perf_counter(), busy_seconds(), own_seconds()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    seconds, processor = time.perf_counter() - start, own_seconds() - own
    if done.returncode not in (0, 1, 3):
        sys.exit(f"the check ended with {done.returncode}")
    return Run(seconds, processor, busy_seconds() - busy - processor, done.stdout, table.read_bytes())


def own_seconds() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


def busy_seconds() -> float:
    """Return the processor time of all programs on this machine since it was started."""
    user, nice, system, *_ = (int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
