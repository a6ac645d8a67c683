"""How fast a sheet is assessed, warm, and a lot of sheets as a stream; as ratios to yardsticks of the same run.

Usage: python benchmarks/assess.py [SHEETS]
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

from homolog.check import vocabulary_of
from homolog.evaluate.assess import assess
from homolog.quantity import Article
from homolog.spec.library import Library
from homolog.spec.load import LoadedSpec
from homolog.submission.read import read_submissions, stream_submissions

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "examples" / "goalkeeper.yaml"
DAY = date(2014, 1, 1)
ROUNDS = 400
SAMPLES = (
    "goalkeeper.height",
    "goalkeeper.width",
    "goalkeeper.figure_thickness",
    "goalkeeper.rod_length",
    "goalkeeper.handle_length",
)


def _median(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)[ROUNDS // 2]


def _additions() -> Decimal:
    total, one = Decimal(0), Decimal("38.95")
    for _ in range(1000):
        total += one
    return total


def _as_json(article: Article) -> str:
    """Return the sheet's readings and answers as JSON, to have something to load."""
    readings = {
        one.quantity: {"value": str(one.value), "U": str(one.expanded_uncertainty), "method": one.method}
        for one in article.readings
    }
    answers = {one.asks: {"answer": one.yes, "by": one.by, "role": one.role} for one in article.answers}
    return json.dumps({"item": article.item, "attributes": dict(article.attributes), "readings": readings, "answers": answers})


def _write_lot(path: Path, sheets: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        columns = [part for name in SAMPLES for part in (f"{name}[mm]", f"{name}.U", f"{name}.method")]
        file.write(",".join(("sample", "attribute.family", "attribute.pose", *columns)) + "\n")
        for number in range(sheets):
            cells = [part for index in range(len(SAMPLES)) for part in (f"{5 + number % 40 + index / 10:.2f}", "0.05", "caliper")]
            file.write(",".join((f"k{number}", "none", "upright", *cells)) + "\n")


def _stream(path: Path, spec: LoadedSpec, library: Library) -> tuple[float, float, int]:
    """Return seconds for reading alone and for reading with assessing, and how many sheets there were."""
    start = time.process_time()  # of this process alone: a lot takes long enough for a busy machine to matter
    sheets = sum(1 for _ in stream_submissions(path, vocabulary_of(library), "goalkeeper"))
    reading = time.process_time() - start
    start = time.process_time()
    for submission in stream_submissions(path, vocabulary_of(library), "goalkeeper"):
        assess(spec, submission.article, purpose="self_test", on=DAY)
    return reading, time.process_time() - start, sheets


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the median of one assessment and the time and memory of lots of rising size."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    library = Library()
    spec = library.edition("fistf", "4.0").spec("goalkeeper")
    if spec is None:
        sys.exit("edition 4.0 holds no goalkeeper")
    article = read_submissions(SHEET.read_bytes(), SHEET.name, vocabulary_of(library))[0].article
    text = _as_json(article)
    yardsticks = {"1,000 Decimal additions": _median(_additions), "json.loads of the sheet": _median(lambda: json.loads(text))}
    for purpose in ("self_test", "type_approval"):
        taken = _median(lambda purpose=purpose: assess(spec, article, purpose=purpose, on=DAY))  # type: ignore[misc]
        ratios = ", ".join(f"{taken / base:.1f} x {name}" for name, base in yardsticks.items())
        print(f"assess a goalkeeper sheet, {purpose:14} {taken * 1000:.3f} ms = {ratios}")
    with tempfile.TemporaryDirectory() as folder:
        for sheets in (most // 100, most // 10, most):
            lot = Path(folder) / f"{sheets}.csv"
            _write_lot(lot, sheets)
            reading, both, seen = _stream(lot, spec, library)
            print(
                f"a lot of {seen:7} sheets: read {reading / seen * 1000:.3f} ms, "
                f"read and assessed {both / seen * 1000:.3f} ms a sheet, highest memory so far {_peak_mb():.0f} MB"
            )


if __name__ == "__main__":
    main()
