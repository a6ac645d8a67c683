"""What a user installs: the wheel holds all it needs and judges a sheet far from any checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]
SHEET = """\
format: homolog-submission/1
item: goalkeeper
attributes: {family: none}
readings:
  goalkeeper.height: {value: HEIGHT mm, U: 0.05 mm, method: caliper}
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built from this checkout without fetching anything."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("homolog-*.whl")
    return built


@pytest.fixture(scope="module")
def homolog(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bin folder of a new environment that holds the wheel, and borrows the libraries of this one.

    A path in a .pth file is searched, but the .pth files lying there are not read:
    the checkout, which an editable install names in one, stays out of sight.
    """
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, with_pip=False, symlinks=True)
    bins = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "-qq", "--python", str(bins / "python"), "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, env=clean_environment())
    ask = [bins / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site, "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n")
    return bins


@pytest.fixture
def run(homolog: Path, tmp_path: Path) -> Run:
    """Return a function that runs a program of the new environment in an empty folder."""

    def program(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        command = [str(homolog / name), *words]
        return subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=False)

    return program


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "COV"))}


def test_the_wheel_holds_both_packages_specs_and_templates(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for folder in ("homolog", "api"):
        code = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*.py")}
        assert code <= held
        assert f"{folder}/py.typed" in held
    for folder in ("specs", "templates"):
        files = {f"homolog/_shipped/{path.relative_to(ROOT)}" for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert files, f"{folder}/ is empty"
        assert files <= held


def test_the_wheel_holds_nothing_of_the_workshop(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        assert not [name for name in archive.namelist() if name.endswith((".pyc", ".orig", ".swp"))]
    assert tops == {"homolog", "api", next(top for top in tops if top.endswith(".dist-info"))}


def test_the_installed_package_finds_its_own_data(run: Run) -> None:
    code = (
        "import sys; from homolog.data import specs_dir, templates_dir; print(specs_dir(), templates_dir(), *sys.path, sep='\\n')"
    )
    done = run("python", "-c", code)
    specs, templates, *search = map(Path, done.stdout.splitlines())
    assert ROOT not in search, done.stderr
    for shipped, own in ((specs, "specs"), (templates, "templates")):
        assert ROOT not in shipped.parents
        names = {path.relative_to(shipped) for path in shipped.rglob("*") if path.is_file()}
        assert names == {path.relative_to(ROOT / own) for path in (ROOT / own).rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("height", "verdict", "margin"), [("38.50", "conform", "0.5"), ("39.50", "nonconform", "-0.5"), ("39.00", "inconclusive", "0")]
)
def test_the_installed_command_judges_a_sheet(run: Run, tmp_path: Path, height: str, verdict: str, margin: str) -> None:
    (tmp_path / "sheet.yaml").write_text(SHEET.replace("HEIGHT", height))
    done = run("homolog", "check", "sheet.yaml", "--json")
    # The sheet leaves the rest of the goalkeeper unmeasured, so that only a nonconform height decides it.
    assert done.returncode == (1 if verdict == "nonconform" else 3), done.stderr
    record = json.loads(done.stdout)
    assert record["format"] == "homolog-report/1"
    finding = next(finding for finding in record["findings"] if finding["requirement"] == "gk.height")
    assert finding["clause"] == "III-5.1.1"
    assert finding["verdict"] == verdict
    assert finding["limit"] == {"min": None, "max": "39", "unit": "mm"}
    assert Decimal(finding["margin"]["value"]) == Decimal(margin)
    assert finding["margin"]["side"] == "max"


def test_the_installed_command_refuses_what_is_no_sheet(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sheet.yaml").write_text(SHEET.replace("HEIGHT", "1_000"))
    done = run("homolog", "check", "sheet.yaml", "--json")
    assert done.returncode == 4, done.stderr
    assert "sheet.yaml:5" in done.stderr
    assert not done.stdout
