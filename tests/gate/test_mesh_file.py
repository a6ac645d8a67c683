"""The gate for scans as a whole: ending, content, size, and what every format hands on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_kind, check_mesh, kind_of
from tools.hostile_meshes import good_files

GOOD = good_files()


def refusal(data: bytes, name: str) -> InputRefused:
    with pytest.raises(InputRefused) as caught:
        check_mesh(data, name=name)
    return caught.value


@pytest.mark.parametrize("name", GOOD)
def test_a_sound_file_passes(name: str) -> None:
    data, body = GOOD[name]
    file = check_mesh(data, name=name)
    if file.format == "step":
        assert (file.raw, file.triangles) == (data, 0)
    else:
        assert file.triangles == body.triangles
    if file.format in ("obj", "ply-ascii", "ply-binary", "off", "glb", "gltf", "3mf", "xyz"):
        assert (file.points, len(file.meshes), len(file.placements)) == (len(body.points), 1, 1)
        assert len(file.meshes[0].points) == 24 * len(body.points)


@pytest.mark.parametrize(
    ("name", "unit", "doubtful"),
    [
        ("binary.stl", None, False),
        ("faces.obj", None, False),
        ("text.ply", None, False),
        ("faces.off", None, False),
        ("cloud.xyz", None, False),
        ("body.glb", "m", True),
        ("body.3mf", "mm", False),
        ("body.step", "mm", False),
        ("metres.step", "m", False),
    ],
)
def test_the_unit_is_the_files_own(name: str, unit: str | None, doubtful: bool) -> None:
    file = check_mesh(GOOD[name][0], name=name)
    assert (file.unit, file.unit_is_doubtful) == (unit, doubtful)


def test_an_ending_in_capitals_is_the_same_ending() -> None:
    assert kind_of("KEEPER.STP") == "STEP"


@pytest.mark.parametrize("name", ["scan", "scan.txt", "scan.stl.exe", "scan.iges", ".stl"])
def test_an_unknown_ending_is_refused(name: str) -> None:
    problem = refusal(GOOD["binary.stl"][0], name).problems[0]
    assert problem.code == "mesh_ending"
    assert ".3mf" in problem.todo


def test_a_file_of_another_format_says_what_it_looks_like() -> None:
    problem = refusal(GOOD["body.glb"][0], "scan.obj").problems[0]
    assert (problem.where, problem.code) == ("scan.obj", "mesh_content")
    assert "ends like OBJ, but its content looks like GLB" in problem.what


def test_a_file_that_looks_like_nothing_known_is_refused() -> None:
    assert refusal(b"1234" * 50, "scan.3mf").problems[0].code == "mesh_content"


def test_an_empty_file_is_refused() -> None:
    assert refusal(b" \r\n\0", "scan.obj").problems[0].code == "mesh_empty"


def test_a_file_above_200_megabytes_is_refused_at_a_glance() -> None:
    with pytest.raises(InputRefused) as caught:
        check_kind(b"v" + bytes(200_000_000), name="scan.obj")
    assert caught.value.problems[0].code == "mesh_large"


def test_gates_load_no_mesh_library() -> None:
    modules = ", ".join(f"homolog.gate.{name}" for name in ("mesh_file", "obj", "ply", "off", "glb", "three_mf", "step", "points"))
    program = f"import sys, {modules}; print(sorted({{'numpy', 'trimesh', 'scipy', 'cascadio'}} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"
