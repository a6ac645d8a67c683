"""Measure hundreds of drawn scans with known answers, and write the tables of docs/accuracy.md.

    python benchmarks/accuracy.py                        all sets, both processors, tables to docs/accuracy.md
    python benchmarks/accuracy.py --quick                a tenth of every set, tables to the screen
    python benchmarks/accuracy.py --only keeper-scan     one set, tables to the screen
    python benchmarks/accuracy.py --cases DIR            its goalkeeper, figure and ball-goal files as well

What was measured is kept under build/accuracy, one line a case, so that a run that was broken off goes on where it stopped;
lines of another state of the measuring code are measured anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.accuracy_case import Case, Truth  # noqa: E402
from benchmarks.accuracy_sets import SETS, CaseSet, cases_in  # noqa: E402
from benchmarks.accuracy_tables import renew, tables  # noqa: E402
from homolog.errors import HomologError  # noqa: E402
from homolog.quantity import Reading  # noqa: E402
from homolog.scan import ScanMeasurement, measure_scan  # noqa: E402

PAGE = ROOT / "docs" / "accuracy.md"
SEED = 9000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=SEED, help=f"number of the first case; {SEED} if left out")
    parser.add_argument("--quick", action="store_true", help="a tenth of every set")
    parser.add_argument("--only", default="", help="sets whose names contain this")
    parser.add_argument("--count", type=int, help="so many cases of every set")
    parser.add_argument("--cases", type=Path, help="measure the scans of its folders goalkeeper, figure and ball-goal too")
    parser.add_argument("--misses", action="store_true", help="name every truth outside U")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "accuracy" / "results.jsonl")
    arguments = parser.parse_args()
    wanted: list[tuple[str, Callable[[], Case]]] = []
    sets = [chosen for chosen in SETS if arguments.only in chosen.name]
    for one in sets:
        count = arguments.count or (max(one.count // 10, 6) if arguments.quick else one.count)
        first = arguments.seed + 1000 * SETS.index(one)  # no body is drawn twice
        wanted += [(f"{one.name}/{number}", partial(one.make, number)) for number in range(first, first + count)]
    if arguments.cases:
        if next(cases_in(arguments.cases), None) is None:
            parser.error(f"{arguments.cases} has no goalkeeper, figure or ball-goal folder with an expected.csv")
        sets.append(CaseSet("folder", f"Files of {arguments.cases.name}", 0, lambda number: next(cases_in(arguments.cases))))
        wanted += [(f"folder/{case.name}", partial(_same, case)) for case in cases_in(arguments.cases)]
    found = measured(wanted, arguments.results, jobs=arguments.jobs)
    text = tables(sets, found, misses=arguments.misses)
    if arguments.quick or arguments.only or arguments.count or arguments.seed != SEED:
        print(text)
    else:
        renew(PAGE, text)
        print(f"wrote {PAGE.relative_to(ROOT)}")


def _same(case: Case) -> Case:
    return case


def measured(wanted: list[tuple[str, Callable[[], Case]]], path: Path, *, jobs: int) -> list[dict[str, Any]]:
    """Return what became of every case, measuring those that are not in the file of results yet."""
    state = state_of_code()
    path.parent.mkdir(parents=True, exist_ok=True)
    done = {row["key"]: row for row in _lines(path) if row["state"] == state}
    missing = [(key, make) for key, make in wanted if key not in done]
    start = time.perf_counter()
    with path.open("a") as stream, ProcessPoolExecutor(jobs) as pool:
        for at, future in enumerate(as_completed([pool.submit(run, key, make) for key, make in missing]), 1):
            row = future.result() | {"state": state}
            done[row["key"]] = row
            stream.write(json.dumps(row) + "\n")
            stream.flush()
            print(f"\r{at} of {len(missing)}, {time.perf_counter() - start:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [done[key] for key, _ in wanted]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        for line in path.read_text().splitlines():
            yield json.loads(line)


def state_of_code() -> str:
    """Return a digest of all that makes and measures the cases."""
    files = [path for folder in ("homolog", "tools") for path in (ROOT / folder).rglob("*.py")]
    files += [ROOT / "tests" / "bodies.py", *(ROOT / "benchmarks").glob("accuracy_[cks]*.py")]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def run(key: str, make: Callable[[], Case]) -> dict[str, Any]:
    """Make one case and measure it through the same door as a submission."""
    case = make()
    start = time.perf_counter()
    row: dict[str, Any] = {"key": key, "says": case.says, "source": case.source, "refused": "", "moved": case.moved}
    try:
        found = measure_scan(case.data, name=case.name, item=case.item, source=case.source, references=case.references)
    except HomologError as error:
        rows = [{"quantity": truth.quantity, "place": truth.place, "truth": truth.value} for truth in case.truths]
        return row | {"refused": str(error), "rows": rows, "seconds": time.perf_counter() - start}
    row["seconds"] = time.perf_counter() - start
    row["wrong_unit"] = "" if found.unit == case.unit else found.unit
    row["rows"] = [line for truth in case.truths for line in against(truth, found)]
    return row


def against(truth: Truth, found: ScanMeasurement) -> list[dict[str, Any]]:
    """Hold every reading of a quantity to the truth; one line says if there is none."""
    line: dict[str, Any] = {"quantity": truth.quantity, "place": truth.place, "truth": truth.value}
    readings = [item for item in found.readings if item.quantity == truth.quantity and truth.place in {None, item.place}]
    return [line | {"place": item.place} | numbers(item) | budget(item, found) for item in readings] or [line]


def numbers(reading: Reading) -> dict[str, float | None]:
    """Return the numbers of a reading as floats."""
    told = {"value": reading.value, "u": reading.expanded_uncertainty, "lo": reading.lo, "hi": reading.hi}
    return {name: None if number is None else float(number) for name, number in told.items()}


def budget(reading: Reading, found: ScanMeasurement) -> dict[str, dict[str, float]]:
    """Return the lines of a reading's budget, U each."""
    for one in found.budgets:
        if (one.quantity, one.place) == (reading.quantity, reading.place):
            lines: dict[str, float] = {}
            for line in one.contributions:
                lines[line.name] = (lines.get(line.name, 0.0) ** 2 + (2 * float(line.standard_uncertainty)) ** 2) ** 0.5
            return {"budget": {name: round(value, 4) for name, value in lines.items() if value}}
    return {}


if __name__ == "__main__":
    main()
