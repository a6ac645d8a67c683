"""Judges every file of examples/ and leaves the reports under reports/.

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
ENDINGS = (".csv", ".stl", ".yaml")
VIEWS = ("html", "pdf", "json")
ANSWERS = {0: "conform", 1: "nonconform", 3: "undecided"}
FAULTS = {2: "WRONG CALL", 4: "INPUT REFUSED", 5: "INTERNAL FAULT"}


def examples(folder: Path) -> list[Path]:
    """Return the sheets and scans of a folder, sorted by name."""
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS) if folder.is_dir() else []


def views_of(path: Path, reports: Path) -> list[Path]:
    """Return where the views of one file's report lie."""
    return [reports / f"{path.name}.{view}" for view in VIEWS]


def call(command: str, path: Path, views: list[Path]) -> list[str]:
    """Return the command line that judges one file and writes all views of its report.

    A scan does not say what it shows; its file name does: `goalkeeper-solid.stl` is a goalkeeper.
    """
    item = ["--item", path.stem.partition("-")[0]] if path.suffix == ".stl" else []
    return [command, "check", str(path), *item, *(word for view in views for word in ("--report", str(view)))]


def outcome(code: int, views: list[Path]) -> tuple[bool, str]:
    """Say whether a run gave an answer, and which.

    The reports are looked for, because a Python program that breaks down exits with 1 as well.
    """
    missing = [view.name for view in views if not view.is_file()]
    if code in ANSWERS and missing:
        return False, f"NOT WRITTEN: {', '.join(missing)}"
    return code in ANSWERS, ANSWERS.get(code) or FAULTS.get(code) or f"EXIT CODE {code}"


def judge(command: str, path: Path, reports: Path) -> bool:
    """Judge one file, end its line of progress, and return whether it got an answer."""
    views = views_of(path, reports)
    for view in views:
        view.unlink(missing_ok=True)
    start = time.perf_counter()
    done = subprocess.run(call(command, path, views), capture_output=True, text=True, check=False)
    answered, says = outcome(done.returncode, views)
    print(f"{says:<16} {time.perf_counter() - start:5.1f} s")
    if not answered:
        print(done.stderr, file=sys.stderr)
    return answered


def main() -> int:
    """Run all examples; return 0 if each got an answer."""
    command = shutil.which("homolog", path=str(Path(sys.executable).parent))
    paths = examples(ROOT / "examples")
    if command is None or not paths:
        print("No examples to run." if command else "The command homolog is not installed; run: make install", file=sys.stderr)
        return 1
    reports = ROOT / "reports"
    reports.mkdir(exist_ok=True)
    answered = 0
    for number, path in enumerate(paths, start=1):
        print(f"[{number}/{len(paths)}] {path.name:<32}", end=" ", flush=True)
        answered += judge(command, path, reports)
    print(f"\n{answered} of {len(paths)} examples judged. The reports lie in {reports.relative_to(ROOT)}/:")
    print("open an .html in a browser, print a .pdf, give a .json to a program.")
    print("Your own sheet or scan: .venv/bin/homolog check FILE; in the browser: make serve, then http://127.0.0.1:8000/")
    return 0 if answered == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main())
