"""Measure one goalkeeper meshed ever finer, warm and behind the sandbox, and print how the time grows.

    python benchmarks/growth.py [--triangles 100000 500000 1000000 2000000] [--rounds 3]

Times are the best of the rounds in processor seconds of caller and measuring process together, since other programs may run beside;
the wall time of that round stands beside them and counts where the machine is idle. The last column is the time over n log n,
with the first row as 1: at most 1 means that it grows no faster. As a yardstick of the machine, one sort of ten million numbers.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass

import numpy as np

from homolog.scan import DEFAULT_SOURCE
from homolog.scan.door import job_of, session_of
from homolog.scan.sandbox.job import run_job
from homolog.scan.sandbox.limits import Limits
from homolog.scan.worker import ENTRY, needs_of
from tests.bodies import Recipe, binary_stl, make_keeper, posed

NAME = "keeper.stl"


@dataclass(frozen=True)
class Cost:
    """What one measurement took: processor seconds of both processes, wall time, peak memory, and how many readings came."""

    seconds: float
    wall: float
    peak: int
    readings: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triangles", type=int, nargs="+", default=[100_000, 500_000, 1_000_000, 1_950_000])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    yardstick = min(sort_seconds() for _ in range(3))
    print(f"one sort: {yardstick:.2f} s")
    print(
        "| triangles | processor s | in sorts | wall s | peak MiB | readings | over n log n |\n|---:|---:|---:|---:|---:|---:|---:|"
    )
    first: float | None = None
    for wanted in arguments.triangles:
        data, count = file_of(wanted)
        best = min((measure(data) for _ in range(arguments.rounds)), key=lambda cost: cost.seconds)
        rate = best.seconds / (count * math.log(count))
        first = rate if first is None else first
        print(
            f"| {count} | {best.seconds:.2f} | {best.seconds / yardstick:.2f} | {best.wall:.2f} | {best.peak >> 20} "
            f"| {best.readings} | {rate / first:.2f} |",
            flush=True,
        )


def file_of(wanted: int) -> tuple[bytes, int]:
    """Return a goalkeeper of about so many triangles as binary STL."""
    edge = 0.1175 * math.sqrt(99_140 / wanted)
    for _ in range(4):
        corners = posed(make_keeper(Recipe(edge=edge)).corners, 1)
        if abs(len(corners) / wanted - 1) < 0.02:
            break
        edge *= math.sqrt(len(corners) / wanted)
    return binary_stl(corners), len(corners)


def measure(data: bytes) -> Cost:
    """Take the door's way, which hands back the job's own costs here."""
    begin, spent = time.perf_counter(), time.process_time()
    session = session_of(DEFAULT_SOURCE, None, None, (), seconds=120.0, memory_bytes=Limits().memory_bytes)
    job = job_of(data, name=NAME, item="goalkeeper", unit=None, source=DEFAULT_SOURCE, session=session)
    done = run_job(ENTRY, (json.dumps(job).encode() + b"\n", data), Limits(), name=NAME, needs=needs_of(job, "STL"))
    own = time.process_time() - spent
    return Cost(own + done.processor_seconds, time.perf_counter() - begin, done.peak_bytes, len(done.answer["readings"]))


def sort_seconds() -> float:
    numbers = np.random.default_rng(1).random(10_000_000)
    begin = time.process_time()
    numbers.sort()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
