"""Judges the examples and leaves the reports under reports/.

Behind `make run`. A verdict is an answer whichever way it goes, so 0, 1 and 3 are fine;
a refused input, a wrong call or a fault (4, 2, 5) fails the run, and so does a report that was not written.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What each example shows, and how it is asked; a scan without a sheet says by itself what unit it is in.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "goalkeeper.stl": ("--item", "goalkeeper"),
    "goalkeeper-scan.yaml": (),
    "figure.stl": ("--item", "figure"),
    "ball.stl": ("--item", "ball"),
    "goalkeeper.yaml": ("--adopted", "examples/adoptions.yaml"),
    "figure.csv": ("--item", "figure"),
    "ball.json": (),
    "goal.yaml": ("--purpose", "match"),
    "board.yaml": ("--purpose", "match"),
    "set.yaml": (),
    "match.yaml": ("--purpose", "match"),
}
VIEWS = ("html", "pdf", "json")
ANSWERS = {0: "conform", 1: "nonconform", 3: "undecided"}
FAULTS = {2: "WRONG CALL", 4: "INPUT REFUSED", 5: "INTERNAL FAULT"}


def views_of(name: str, reports: Path) -> list[Path]:
    """Return where the views of one example's report lie."""
    return [reports / f"{name}.{view}" for view in VIEWS]


def call(command: str, name: str, views: list[Path]) -> list[str]:
    """Return the command line that judges one example and writes all views of its report."""
    return [command, "check", f"examples/{name}", *EXAMPLES[name], *(word for view in views for word in ("--report", str(view)))]


def outcome(code: int, views: list[Path]) -> tuple[bool, str]:
    """Say whether a run gave an answer, and which.

    The reports are looked for, because a Python program that breaks down exits with 1 as well.
    """
    # A lot has a report a sample, each with the sample's name before the ending.
    missing = [view.name for view in views if not view.is_file() and not list(view.parent.glob(f"{view.stem}-*{view.suffix}"))]
    if code in ANSWERS and missing:
        return False, f"NOT WRITTEN: {', '.join(missing)}"
    return code in ANSWERS, ANSWERS.get(code) or FAULTS.get(code) or f"EXIT CODE {code}"


def judge(command: str, name: str, reports: Path) -> bool:
    """Judge one example, end its line of progress, and return whether it got an answer."""
    views = views_of(name, reports)
    for old in (old for view in views for old in view.parent.glob(f"{view.stem}*{view.suffix}")):
        old.unlink()
    start = time.perf_counter()
    done = subprocess.run(call(command, name, views), cwd=ROOT, capture_output=True, text=True, check=False)
    answered, says = outcome(done.returncode, views)
    print(f"{says:<16} {time.perf_counter() - start:5.1f} s")
    if not answered:
        print(done.stderr, file=sys.stderr)
    return answered


def main() -> int:
    """Run all examples; return 0 if each got an answer."""
    command = shutil.which("homolog", path=str(Path(sys.executable).parent))
    if command is None:
        print("The command homolog is not installed; run: make install", file=sys.stderr)
        return 1
    reports = ROOT / "reports"
    reports.mkdir(exist_ok=True)
    answered = 0
    for number, name in enumerate(EXAMPLES, start=1):
        print(f"{f'[{number}/{len(EXAMPLES)}]':<7} {name:<24}", end=" ", flush=True)
        answered += judge(command, name, reports)
    print(f"\n{answered} of {len(EXAMPLES)} examples judged. The reports lie in {reports.relative_to(ROOT)}/:")
    print("open an .html in a browser, print a .pdf, give a .json to a program.")
    print("Your own sheet or scan: .venv/bin/homolog check FILE; in the browser: make serve, then http://127.0.0.1:8000/")
    return 0 if answered == len(EXAMPLES) else 1


if __name__ == "__main__":
    sys.exit(main())
