"""The engine's build: every source that judges counts, what shows a record does not."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from homolog.check.build import build_digest
from tests.check.test_judge import asked

ROOT = Path(__file__).parents[2]


def test_a_record_names_the_build_that_judged() -> None:
    assert asked(None).record["engine"]["build"] == build_digest()


def built(folder: Path) -> str:
    """The build of a copy of the program."""
    code = "from homolog.check.build import build_digest; print(build_digest())"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    for name in ("homolog", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("homolog/evaluate/limits.py", True),
        ("homolog/scan/readers/unit.py", True),
        ("homolog/report/record.py", True),
        ("templates/report/messages/en.yaml", True),
        ("homolog/report/view_rows.py", False),
        ("homolog/cli/check.py", False),
        ("templates/report/report.css", False),
    ],
)
def test_the_build_changes_with_what_judges_and_with_nothing_else(copy: Path, changed: str, counts: bool) -> None:
    path = copy / changed
    kept = path.read_bytes()
    path.write_bytes(kept + b"\n")
    try:
        assert (built(copy) != build_digest()) is counts
    finally:
        path.write_bytes(kept)


def test_the_build_is_what_sha256sum_gives() -> None:
    rooms = ("check", "evaluate", "gate", "quantity", "scan", "spec", "submission")
    parts = ("findings", "inputs", "messages", "numbers", "record", "scans", "specs")
    paths = [path for room in rooms for path in (ROOT / "homolog" / room).rglob("*.py")]
    paths += [ROOT / "homolog/errors.py", *(ROOT / f"homolog/report/{part}.py" for part in parts)]
    paths.append(ROOT / "templates/report/messages/en.yaml")
    named = sorted((path.relative_to(ROOT).as_posix(), path) for path in paths)
    lines = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in named)
    assert hashlib.sha256(lines.encode()).hexdigest() == build_digest()
