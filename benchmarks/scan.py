"""Measure a folder of scans with known answers, and print how far off each number was and whether its U covered the truth.

    python benchmarks/scan.py --cases DIR [--source cad] [--markdown]

DIR holds STL files and an expected.csv with the columns file, volume, volume_without_embedded_rod, height, width,
figure_thickness, rod_width, rod_length and handle_length, in mm and mm3; an empty field is not known.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from homolog.errors import HomologError
from homolog.quantity import Reading
from homolog.scan import SOURCES, ScanMeasurement, measure_scan

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
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--source", choices=SOURCES, default="structured_light")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    rows = list(csv.DictReader((arguments.cases / "expected.csv").open()))
    results = [run(arguments.cases, row, arguments.source) for row in rows if arguments.only in row["file"]]
    print_files(results)
    print_summary(results)


def run(folder: Path, row: dict[str, str], source: str) -> tuple[dict[str, str], ScanMeasurement | HomologError, float]:
    data = (folder / row["file"]).read_bytes()
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
