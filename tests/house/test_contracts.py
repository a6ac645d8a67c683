"""The rooms stand, and the contracts that guard them can fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(folder: Path) -> tuple[int, str]:
    """Run the contracts as `make lint` does; return the exit code and what was said."""
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert program, "import-linter is not installed; run: make install"
    done = subprocess.run([program, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a copy of the code that a test may spoil."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("homolog", "api"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_an_unspoilt_copy_keeps_all_contracts(house: Path) -> None:
    code, said = lint_imports(house)
    assert code == 0, said
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert f"{len(contracts)} kept, 0 broken" in said


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("homolog/errors.py", "import homolog.quantity", "homolog.errors is not allowed to import homolog.quantity"),
        ("homolog/data.py", "import homolog.quantity", "homolog.data is not allowed to import homolog.quantity"),
        ("homolog/quantity/units.py", "import homolog.data", "homolog.quantity is not allowed to import homolog.data"),
        ("homolog/quantity/units.py", "import api", "homolog is not allowed to import api"),
        ("homolog/quantity/units.py", "import numpy", "homolog is not allowed to import numpy"),
        ("api/__init__.py", "import trimesh", "api is not allowed to import trimesh"),
        ("homolog/quantity/units.py", "import fastapi", "homolog is not allowed to import fastapi"),
        ("homolog/report/record.py", "import sqlalchemy", "homolog is not allowed to import sqlalchemy"),
        ("homolog/cli/check.py", "import sqlmodel", "homolog is not allowed to import sqlmodel"),
        ("api/app.py", "import homolog.register.audit", "api is not allowed to import homolog.register"),
        ("homolog/cli/check.py", "import joserfc", "homolog is not allowed to import joserfc"),
        ("api/app.py", "import cryptography", "api is not allowed to import cryptography"),
        ("homolog/seal/log.py", "import homolog.report", "homolog.seal is not allowed to import homolog.report"),
        ("api/app.py", "import obstore", "api is not allowed to import obstore"),
        ("homolog/register/audit.py", "import dbos", "homolog is not allowed to import dbos"),
        ("homolog/report/record.py", "import homolog.register.audit", "homolog.report is not allowed to import homolog.register"),
        ("homolog/attic.py", "", "homolog.attic"),
        ("homolog/spec/broken.py", "import homolog.scan.broken", "homolog.spec is not allowed to import homolog.scan"),
        ("homolog/evaluate/broken.py", "import homolog.scan.broken", "homolog.evaluate is not allowed to import homolog.scan"),
        ("homolog/submission/broken.py", "import manifold3d", "homolog is not allowed to import manifold3d"),
    ],
)
def test_a_broken_rule_is_seen(house: Path, file: str, line: str, broken: str) -> None:
    for path in (house / file, house / (line.removeprefix("import ").replace(".", "/") + ".py")):
        if "broken" in path.name or "attic" in path.name:
            path.parent.mkdir(exist_ok=True)
            (path.parent / "__init__.py").touch()
            path.touch()
    path = house / file
    path.write_text(f"{line}\n{path.read_text()}")
    code, said = lint_imports(house)
    assert code == 1, said
    assert broken in said


def test_the_scan_room_may_use_a_mesh_library(house: Path) -> None:
    room = house / "homolog" / "scan"
    room.mkdir(exist_ok=True)
    (room / "__init__.py").touch()
    (room / "mesh_user.py").write_text("import numpy\nimport trimesh\n")
    code, said = lint_imports(house)
    assert code == 0, said


def test_the_top_of_the_engine_stays_empty() -> None:
    # Whatever stood here would be loaded by every path, also by those that must start at once.
    assert (ROOT / "homolog" / "__init__.py").read_bytes() == b""


def test_judging_a_sheet_loads_no_database_and_no_keys() -> None:
    heavy = (
        "joserfc",
        "cryptography",
        "pyhanko",
        "homolog.seal",
        "sqlalchemy",
        "sqlmodel",
        "alembic",
        "psycopg",
        "obstore",
        "dbos",
        "uvicorn",
        "homolog.register",
    )
    words = ["-X", "importtime", "-m", "homolog.cli.main", "check", "examples/goalkeeper.yaml", "--json"]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "homolog.evaluate.assess" in loaded
    assert not loaded & set(heavy)


def test_the_door_opens_without_a_database() -> None:
    heavy = ["sqlalchemy", "sqlmodel", "alembic", "psycopg", "obstore", "dbos", "argon2", "jinja2", "homolog.register"]
    code = f"import sys, api.app; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_foundation_starts_without_heavy_libraries() -> None:
    heavy = ["manifold3d", "numba", "numpy", "scipy", "trimesh", "fastapi", "starlette", "uvicorn", "typst", "pydantic"]
    code = f"import sys, homolog.quantity, homolog.data, homolog.errors; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
