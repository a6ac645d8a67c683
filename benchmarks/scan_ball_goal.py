"""Measure a folder of balls and goals with known answers, and print how far off each number was and whether its U covered it.

    python benchmarks/scan_ball_goal.py --cases DIR [--only ball] [--source structured_light]

DIR holds STL files and an expected.csv with the columns file, item, and, in mm: diameter, diameter_max, diameter_min,
post_length, post_length_with_crossbar, post_distance, post_distance_centres, bar_thickness, post_lean, goalline_to_back_bar,
goalline_to_back_bar_middle; an empty field or missing column is not known. A column `source` overrides --source, and
`unit` says what unit has to be found.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from homolog.errors import HomologError
from homolog.quantity import Reading
from homolog.scan import SOURCES, ScanMeasurement, measure_scan

# Quantity, and place if only one is meant: the column with its truth. Columns of one post carry its side.
TRUTHS = {
    ("ball.diameter", "least_squares"): "diameter",
    ("ball.diameter", "largest"): "diameter_max",
    ("ball.diameter", "smallest"): "diameter_min",
    ("goal.post_length.clear", None): "post_length",
    ("goal.post_length.with_crossbar", None): "post_length_with_crossbar",
    ("goal.post_distance.inner_faces", None): "post_distance",
    ("goal.post_distance.centres", None): "post_distance_centres",
    ("goal.bar_thickness", None): "bar_thickness",
    ("goal.post_lean", None): "post_lean",
    ("goal.goalline_to_back_bar", None): "goalline_to_back_bar",
}


@dataclass
class Score:
    """What came out for one quantity."""

    errors: list[float] = field(default_factory=list)
    us: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    bounds: int = 0
    bounds_held: int = 0
    missing: int = 0


def truth_of(row: dict[str, str], reading_quantity: str, place: str | None) -> float | None:
    for (quantity, only), column in TRUTHS.items():
        if quantity != reading_quantity or (only is not None and only != place):
            continue
        said = row.get(f"{column}@{place}") or row.get(column)
        return float(said) if said else None
    return None


def key_of(reading: Reading) -> str:
    return f"{reading.quantity} {reading.place}" if reading.quantity == "ball.diameter" else reading.quantity


def judge(row: dict[str, str], found: ScanMeasurement, scores: dict[str, Score]) -> list[str]:
    wrong = []
    for reading in found.readings:
        truth = truth_of(row, reading.quantity, reading.place)
        if truth is None:
            continue
        score = scores[key_of(reading)]
        if reading.value is None:
            score.bounds += 1
            held = (reading.lo is None or float(reading.lo) <= truth + 1e-9) and (
                reading.hi is None or truth - 1e-9 <= float(reading.hi)
            )
            score.bounds_held += held
            if not held:
                wrong.append(f"{key_of(reading)}@{reading.place}: {truth:.3f} outside [{reading.lo}, {reading.hi}]")
            continue
        u = reading.expanded_uncertainty or Decimal(0)
        error = float(reading.value) - truth
        score.errors.append(error)
        score.us.append(float(u))
        score.covered.append(abs(error) <= float(u) + 5e-4)
        if not score.covered[-1]:
            wrong.append(f"{key_of(reading)}@{reading.place}: {reading.value} for {truth:.3f}, U {u}")
    for missing in found.unmeasured:
        name = f"{missing.quantity} {missing.place}" if missing.quantity == "ball.diameter" else missing.quantity
        scores[name].missing += 1
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--source", choices=SOURCES, default="structured_light")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    rows = list(csv.DictReader((arguments.cases / "expected.csv").open()))
    scores: dict[str, Score] = defaultdict(Score)
    seconds, refused = [], 0
    for row in rows:
        if arguments.only not in row["file"]:
            continue
        data = (arguments.cases / row["file"]).read_bytes()
        start = time.perf_counter()
        try:
            found = measure_scan(data, name=row["file"], item=row["item"], source=row.get("source") or arguments.source)
        except HomologError as error:
            refused += 1
            print(f"{row['file']}: refused: {error}")
            continue
        seconds.append(time.perf_counter() - start)
        wrong = judge(row, found, scores)
        if found.unit != (row.get("unit") or found.unit):
            wrong.append(f"unit {found.unit} instead of {row['unit']}")
        for line in wrong:
            print(f"{row['file']} ({row.get('kind', '')}): {line}")
    print_table(scores)
    print(f"\n{refused} refused; median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s a file")


def print_table(scores: dict[str, Score]) -> None:
    print("\n| quantity | values | median error | 95 % | worst | median U | truth within U | bounds, holding | no number |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, score in sorted(scores.items()):
        if not score.errors:
            print(f"| {name} | 0 | | | | | | {score.bounds_held}/{score.bounds} | {score.missing} |")
            continue
        off = sorted(abs(error) for error in score.errors)
        high = off[min(len(off) - 1, int(0.95 * len(off)))]
        share = 100 * sum(score.covered) / len(score.covered)
        print(
            f"| {name} | {len(off)} | {statistics.median(off):.4f} | {high:.4f} | {off[-1]:.4f} "
            f"| {statistics.median(score.us):.3f} | {share:.1f} % | {score.bounds_held}/{score.bounds} | {score.missing} |"
        )


if __name__ == "__main__":
    main()
