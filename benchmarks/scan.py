"""Measure a folder of scans with known answers, and print how far off each number was and whether its U covered the truth.

    python benchmarks/scan.py --cases DIR [--source cad]
    python benchmarks/scan.py --random 0:40 --kind holes

DIR holds STL files and an expected.csv with the columns file, volume, volume_without_embedded_rod, height, width,
figure_thickness, rod_width, rod_length and handle_length, in mm and mm3; an empty field is not known.
With --random the bodies are drawn from seeds, and damaged as --kind says; there the volume's truth is that of a body meshed
so finely that its facets no longer matter.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import manifold3d
import numpy as np

from homolog.errors import HomologError
from homolog.quantity import Reading
from homolog.scan import SOURCES, ScanMeasurement, measure_scan
from tests.bodies import (
    Recipe,
    base_parts,
    binary_stl,
    corners_of,
    figure_parts,
    make_keeper,
    posed,
    rough,
    with_holes,
)

QUANTITIES = {
    "goalkeeper.volume.outer": "volume",
    "goalkeeper.volume.without_embedded_rod": "volume_without_embedded_rod",
    "goalkeeper.height": "height",
    "goalkeeper.width": "width",
    "goalkeeper.figure_thickness.in_playing_position": "figure_thickness",
    "goalkeeper.figure_thickness": "figure_thickness",
    "goalkeeper.rod_width": "rod_width",
    "goalkeeper.rod_length": "rod_length",
    "goalkeeper.handle_length": "handle_length",
}
LIMITS = {
    "goalkeeper.volume.outer": 2700.0,
    "goalkeeper.height": 39.0,
    "goalkeeper.width": 21.0,
    "goalkeeper.figure_thickness.in_playing_position": 6.0,
    "goalkeeper.figure_thickness": 6.0,
    "goalkeeper.rod_width": 4.0,
    "goalkeeper.rod_length": 150.0,
    "goalkeeper.handle_length": 100.0,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--cases", type=Path)
    given.add_argument("--random", metavar="FIRST:LAST")
    parser.add_argument("--kind", choices=("clean", "noise", "holes", "shells"), default="clean")
    parser.add_argument("--sigma", type=float, help="scatter in mm of --kind noise; 0.02 and 0.05 in turn if left out")
    parser.add_argument("--source", choices=SOURCES, default="structured_light")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    if arguments.random:
        first, last = map(int, arguments.random.split(":"))
        results = [run(*draw_case(seed, arguments.kind, arguments.sigma), arguments.source) for seed in range(first, last)]
    else:
        rows = list(csv.DictReader((arguments.cases / "expected.csv").open()))
        chosen = [row for row in rows if arguments.only in row["file"]]
        results = [run(row, (arguments.cases / row["file"]).read_bytes(), arguments.source) for row in chosen]
    print_files(results)
    print_summary(results)


def draw_case(seed: int, kind: str, sigma: float | None = None) -> tuple[dict[str, str], bytes]:
    """Draw a goalkeeper from a seed and return its known measures and its file."""
    rng = np.random.default_rng(seed)
    base = [None, "disc", "dome"][rng.integers(3)]
    attach = str(rng.choice(["base", "through", "feet", "back"] if base else ["feet", "back"]))
    recipe = Recipe(
        tall=rng.uniform(28, 40),
        wide=rng.uniform(14, 21),
        thick=rng.uniform(4.2, 6.3),
        base=base,
        base_diameter=rng.uniform(12, 19),
        base_height=rng.uniform(3.6, 5.6),
        attach=attach,
        rod_radius=rng.uniform(0.8, 2),
        rod_length=rng.uniform(60, 150),
        elevation=rng.uniform(-4, 15),
        sagitta=float(rng.choice([0, 0, rng.uniform(1, 6)])),
        handle=[None, "step", "step", "round", "hex"][rng.integers(5)],
        handle_radius=rng.uniform(2.8, 6),
        handle_length=rng.uniform(40, 95),
        arms=str(rng.choice(["up", "out", "down"])),
        edge=rng.uniform(0.3, 0.6),
    )
    keeper = make_keeper(recipe)
    fine = replace(recipe, edge=0.12)
    parts = figure_parts(fine, 3.0 if base else 0.0) + (base_parts(fine) if base else [])
    volume = manifold3d.Manifold.batch_boolean(parts, manifold3d.OpType.Add).volume()
    match kind:
        case "noise":
            corners = rough(keeper.solid, (0.02, 0.05)[seed % 2] if sigma is None else sigma, 0.5, seed, 0.6)
        case "holes":
            corners = with_holes(rough(keeper.solid, 0.0, 0.5, seed), 6, 1.0, seed)
        case "shells":
            corners = np.concatenate([corners_of(part) for part in keeper.parts])
        case _:
            corners = keeper.corners
    row = {name: f"{value:.4f}" for name, value in keeper.truth.items()} | {"volume": f"{volume:.2f}"}
    return row | {"file": f"{seed:09d}.stl", "unit": "mm"}, binary_stl(posed(corners, seed))


def run(row: dict[str, str], data: bytes, source: str) -> tuple[dict[str, str], ScanMeasurement | HomologError, float]:
    start = time.perf_counter()
    try:
        outcome: ScanMeasurement | HomologError = measure_scan(data, name=row["file"], item="goalkeeper", source=source)
    except HomologError as error:
        outcome = error
    return row, outcome, time.perf_counter() - start


Result = tuple[dict[str, str], "ScanMeasurement | HomologError", float]


def print_files(results: list[Result]) -> None:
    print("| file | volume | error | U | covered | unit | seconds |\n|---|---:|---:|---:|---|---|---:|")
    for row, outcome, seconds in results:
        if isinstance(outcome, HomologError):
            print(f"| {row['file']} | refused: {outcome} | | | | | {seconds:.2f} |")
            continue
        reading = next((r for r in outcome.readings if r.quantity == "goalkeeper.volume.outer"), None)
        unit = outcome.unit if outcome.unit == row.get("unit", outcome.unit) else f"{outcome.unit} WRONG"
        if reading is None or reading.value is None:
            print(f"| {row['file']} | {reading or outcome.unmeasured} | | | | {unit} | {seconds:.2f} |")
            continue
        error = float(reading.value) - float(row["volume"])
        print(
            f"| {row['file']} | {reading.value} | {error:+.1f} ({100 * error / float(row['volume']):+.2f} %) "
            f"| {reading.expanded_uncertainty} | {covers(reading, float(row['volume']))} | {unit} | {seconds:.2f} |"
        )


def print_summary(results: list[Result]) -> None:
    print("\n| quantity | known | measured | median error | 95 % | worst | in | median U | covered | against the truth |")
    print("|---|---:|---:|---:|---:|---:|---|---:|---:|---:|")
    for quantity, column in QUANTITIES.items():
        pairs = list(known(results, quantity, column))
        read = [(name, reading, truth) for name, reading, truth in pairs if reading is not None]
        values = [(name, abs(float(reading.value) - truth)) for name, reading, truth in read if reading.value is not None]
        covered = sum(covers(reading, truth) for _, reading, truth in read)
        wide = [float(reading.expanded_uncertainty or 0) for _, reading, _ in read if reading.value is not None]
        wrong = sum(contradicts(reading, truth, LIMITS.get(quantity)) for _, reading, truth in read)
        missed = [name[:9] for name, reading, truth in read if not covers(reading, truth)]
        errors = sorted(value for _, value in values)
        if errors:
            tail = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
            worst = max(values, key=lambda item: item[1])
            numbers = (
                f"{statistics.median(errors):.3f} | {tail:.3f} | {worst[1]:.3f} | {worst[0][:9]} | {statistics.median(wide):.3f}"
            )
        else:
            numbers = " | | | | "
        print(f"| {quantity} | {len(pairs)} | {len(read)} | {numbers} | {covered} of {len(read)} {' '.join(missed)} | {wrong} |")
    print(f"\nmedian seconds a file: {statistics.median(seconds for _, _, seconds in results):.2f}")


def known(results: list[Result], quantity: str, column: str) -> Iterator[tuple[str, Reading | None, float]]:
    for row, outcome, _ in results:
        if row.get(column):
            readings = () if isinstance(outcome, HomologError) else outcome.readings
            yield row["file"], next((r for r in readings if r.quantity == quantity), None), float(row[column])


def covers(reading: Reading, truth: float) -> bool:
    low, high = bounds(reading)
    return low <= truth <= high


def contradicts(reading: Reading, truth: float, limit: float | None) -> bool:
    if limit is None:
        return False
    low, high = bounds(reading)
    return (high <= limit < truth) or (low > limit >= truth)


def bounds(reading: Reading) -> tuple[float, float]:
    if reading.value is not None:
        wide = float(reading.expanded_uncertainty or 0)
        return float(reading.value) - wide, float(reading.value) + wide
    low = -float("inf") if reading.lo is None else float(reading.lo)
    return low, float("inf") if reading.hi is None else float(reading.hi)


if __name__ == "__main__":
    main()
