"""How fast the command line starts, as ratios to an empty Python in the same run.

Usage: python benchmarks/cli.py [ROUNDS]
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "examples" / "goalkeeper.yaml"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import typer": ["-c", "import typer"],
    "homolog --help": ["-m", "homolog.cli.main", "--help"],
    "homolog check sheet.yaml --json": ["-m", "homolog.cli.main", "check", str(SHEET), "--json"],
    "homolog check sheet.yaml (words)": ["-m", "homolog.cli.main", "check", str(SHEET)],
}
HEAVY = ("numpy", "scipy", "trimesh", "manifold3d", "typst", "jinja2", "fastapi", "sqlalchemy", "pydantic", "yaml", "rich", "typer")


def _seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)
    return time.perf_counter() - start


def _imports(arguments: list[str]) -> list[str]:
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    return [name for name in HEAVY if name in loaded]


def main() -> None:
    """Print the median of each command, its ratio to an empty Python, and which large libraries it loads."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):  # commands take turns, so that a busy moment hits all of them
        for name, arguments in COMMANDS.items():
            times[name].append(_seconds(arguments))
    medians = {name: sorted(values)[len(values) // 2] for name, values in times.items()}
    base = medians["python -c pass"]
    for name, median in medians.items():
        loads = ", ".join(_imports(COMMANDS[name])) or "none of the large libraries"
        print(f"{name:34} {median:6.3f} s  {median / base:5.1f} x  loads {loads}")


if __name__ == "__main__":
    main()
