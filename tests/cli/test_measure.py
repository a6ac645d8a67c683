"""`homolog measure`: numbers with their uncertainty, and the meshes that they were taken from."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh

from tests.bodies import Recipe, binary_stl, make_keeper
from tests.cli.conftest import Ran

Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scan") / "keeper.stl"
    path.write_bytes(binary_stl(make_keeper(Recipe()).corners))
    return path


def test_the_meshes_are_written_and_stay_out_of_the_record(run: Run, scan: Path, tmp_path: Path) -> None:
    ran = run("measure", scan, "--item", "goalkeeper", "--glb", tmp_path / "parts.glb", "--json")
    assert ran.code == 0
    assert "glb" not in ran.record
    assert {budget["quantity"] for budget in ran.record["budgets"]} >= {"goalkeeper.volume.outer", "goalkeeper.height"}
    scene = trimesh.load_scene(tmp_path / "parts.glb")
    assert sorted(scene.graph.nodes_geometry) == ["body", "handle", "rod"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--item", "ball", "--glb", "parts.glb"), "only a goalkeeper's parts"),
        (("--item", "goalkeeper", "--glb", "parts.stl"), "end it in .glb"),
        (("--item", "goalkeeper", "--glb", "nowhere/parts.glb"), "does not exist"),
    ],
)
def test_meshes_that_cannot_be_written_are_refused_at_once(run: Run, scan: Path, arguments: tuple[str, ...], says: str) -> None:
    ran = run("measure", scan, *arguments)
    assert ran.code == 2
    assert says in ran.err


def test_without_an_item_the_surface_is_told_as_it_came(run: Run, scan: Path) -> None:
    ran = run("measure", scan, "--json")
    assert ran.code == 0
    assert set(ran.record) == {"closed", "format", "size", "triangles", "unit", "volume"}
    assert (ran.record["format"], ran.record["unit"], ran.record["closed"]) == ("stl-binary", None, True)
    assert 100 < max(float(side) for side in ran.record["size"]) < 200
    told = run("measure", scan).out
    assert "closed, all facets in one sense" in told
    assert f"{ran.record['volume']} cubed units of the file" in told


@pytest.mark.parametrize("option", [("--unit", "mm"), ("--source", "cad"), ("--glb", "parts.glb"), ("--several",)])
def test_what_needs_an_item_is_refused_without_one(run: Run, scan: Path, option: tuple[str, ...]) -> None:
    ran = run("measure", scan, *option)
    assert ran.code == 2
    assert "say with --item what the scan shows" in ran.err


def test_a_cut_file_is_refused_before_anything_is_loaded(scan: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.stl"
    cut.write_bytes(scan.read_bytes()[:-1000])
    program = (
        "import sys\n"
        "from homolog.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print(sorted({'numpy', 'homolog.check', 'homolog.scan'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", program, "measure", str(cut), "--item", "goalkeeper"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 4
    assert "the file is cut" in ran.stderr
    assert ran.stdout.strip() == "[]"
