"""Measure playing figures with known answers: print how far off each number was and whether its U covered the truth.

    python tools/make_figure.py --cases DIR --count 100
    python benchmarks/scan_figure.py --cases DIR [--source cad] [--files]

DIR holds STL files and an expected.csv with the columns file, base_diameter, base_height, rim_height, figure_width,
figure_thickness, height and height_without_base, in mm, and base_kind; an empty field is not known.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from pathlib import Path

from scan import contradicts, covers

from homolog.errors import HomologError
from homolog.quantity import Reading
from homolog.scan import SOURCES, ScanMeasurement, measure_scan

QUANTITIES = {
    "figure.base_diameter": ("base_diameter", (16.0, 21.0)),
    "figure.base_height": ("base_height", (5.0, 7.0)),
    "figure.base_height.rim": ("rim_height", (5.0, 7.0)),
    "figure.figure_width": ("figure_width", (6.0, 13.0)),
    "figure.figure_thickness": ("figure_thickness", (6.0,)),
    "figure.height": ("height", (27.0, 39.0)),
    "figure.figure_height_without_base": ("height_without_base", (30.0, 32.0)),
}
KINDS = {"cap": "dome"}

Result = tuple[dict[str, str], "ScanMeasurement | HomologError", float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--source", choices=SOURCES, default="structured_light")
    parser.add_argument("--files", action="store_true", help="name every truth outside U")
    arguments = parser.parse_args()
    rows = list(csv.DictReader((arguments.cases / "expected.csv").open()))
    results = [run(arguments.cases, row, arguments.source) for row in rows]
    print("| quantity | known | value | bound | median error | 95 % | worst | median U | truth within U | against the truth |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for quantity, (column, limits) in QUANTITIES.items():
        print_quantity(quantity, column, limits, results, names=arguments.files)
    refused = [row["file"] for row, outcome, _ in results if isinstance(outcome, HomologError)]
    kinds = [wrong_kind(row, outcome) for row, outcome, _ in results if isinstance(outcome, ScanMeasurement)]
    seconds = statistics.median(seconds for _, _, seconds in results)
    print(f"\n{len(results)} files, {len(refused)} refused {' '.join(refused)}; base of another kind: {sum(kinds)}")
    print(f"median seconds a file: {seconds:.2f}")


def run(folder: Path, row: dict[str, str], source: str) -> Result:
    data = (folder / row["file"]).read_bytes()
    start = time.perf_counter()
    try:
        outcome: ScanMeasurement | HomologError = measure_scan(data, name=row["file"], item="figure", source=source)
    except HomologError as error:
        outcome = error
    return row, outcome, time.perf_counter() - start


def wrong_kind(row: dict[str, str], found: ScanMeasurement) -> bool:
    kind = found.facts.get("base_kind", "none")
    return kind not in {KINDS.get(row["base_kind"], row["base_kind"]), "undecided"}


def print_quantity(quantity: str, column: str, limits: tuple[float, ...], results: list[Result], *, names: bool) -> None:
    known = [(row, outcome) for row, outcome, _ in results if row.get(column)]
    read: list[tuple[str, Reading, float]] = []
    for row, outcome in known:
        readings = () if isinstance(outcome, HomologError) else outcome.readings
        read += [(row["file"], reading, float(row[column])) for reading in readings if reading.quantity == quantity]
    values = [(reading, truth) for _, reading, truth in read if reading.value is not None]
    errors = sorted(abs(float(reading.value or 0) - truth) for reading, truth in values)
    wide = [float(reading.expanded_uncertainty or 0) for reading, _ in values]
    missed = [(name, reading, truth) for name, reading, truth in read if not covers(reading, truth)]
    wrong = sum(any(contradicts(reading, truth, limit) for limit in limits) for _, reading, truth in read)
    numbers = " | | | "
    if errors:
        tail = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
        numbers = f"{statistics.median(errors):.3f} | {tail:.3f} | {errors[-1]:.3f} | {statistics.median(wide):.3f}"
    share = f"{len(read) - len(missed)} of {len(read)}"
    print(f"| {quantity} | {len(known)} | {len(values)} | {len(read) - len(values)} | {numbers} | {share} | {wrong} |")
    if names:
        for name, reading, truth in missed:
            print(f"    {name}: {reading.value or reading.lo} U {reading.expanded_uncertainty}, truth {truth:.3f}")


if __name__ == "__main__":
    main()
