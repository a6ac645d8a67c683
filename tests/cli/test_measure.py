"""`homolog measure`: numbers with their uncertainty, and the meshes that they were taken from."""

from __future__ import annotations

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
