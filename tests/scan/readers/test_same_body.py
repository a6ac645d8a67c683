"""One body in every format, unit and placement: the same triangles, the same volume."""

from __future__ import annotations

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_any
from homolog.scan.readers.unit import unit_of_file
from homolog.scan.surface import signed_volume
from tools import mesh_writers as write
from tools import step_writer
from tools.hostile_meshes import BALL, BRACKET, good_files

GOOD = good_files()
MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, "m": 1000.0}
KEEPER = write.ball(40).scaled(1.7)


def read(data: bytes, name: str) -> Mesh:
    return read_any(data, {"name": name})


def volume(mesh: Mesh) -> float:
    return signed_volume(mesh.corners)


def corner_set(mesh: Mesh, factor: float = 1.0) -> set[tuple[tuple[float, ...], ...]]:
    """The triangles as a set that knows neither the order of faces nor which corner comes first, only the way round."""
    found = set()
    for corners in np.round(mesh.corners * factor, 3) + 0.0:
        turns = [tuple(map(tuple, np.roll(corners, turn, axis=0).tolist())) for turn in range(3)]
        found.add(min(turns))
    return found


@pytest.mark.parametrize("name", [name for name in GOOD if "cloud" not in name])
def test_the_volume_is_that_of_the_body(name: str) -> None:
    mesh = read(GOOD[name][0], name)
    assert volume(mesh) == pytest.approx(BRACKET.volume, rel=1e-6)
    assert len(mesh.faces) == BRACKET.triangles
    assert sum(part.count for part in mesh.parts) == len(mesh.faces)


def test_every_format_holds_the_same_triangles() -> None:
    body = BRACKET.cut()
    files = {
        "a.stl": write.stl(body),
        "b.stl": write.stl_text(body),
        "a.obj": write.obj(body),
        "b.obj": write.obj(body, suffix="/1/1", relative=True),
        "a.ply": write.ply_text(body),
        "b.ply": write.ply(body),
        "c.ply": write.ply(body, order=">", kind="f"),
        "a.off": write.off(body),
        "a.glb": write.glb(body),
        "a.gltf": write.gltf(body),
        "a.3mf": write.three_mf(body),
    }
    sets = {name: corner_set(read(data, name)) for name, data in files.items()}
    assert all(len(found) == 20 for found in sets.values())
    assert all(found == sets["a.stl"] for found in sets.values())


@pytest.mark.parametrize("unit", ["mm", "cm", "in", "m"])
def test_three_units_of_a_3mf_make_one_body(unit: str) -> None:
    word = {"mm": "millimeter", "cm": "centimeter", "in": "inch", "m": "meter"}[unit]
    mesh = read(write.three_mf(KEEPER.scaled(1 / MM[unit]), unit=word), "scan.3mf")
    assert mesh.unit == unit
    assert volume(mesh) * MM[unit] ** 3 == pytest.approx(KEEPER.volume, rel=1e-6)


@pytest.mark.parametrize(("word", "unit", "factor"), [("micron", "mm", 1e-3), ("foot", "in", 12.0)])
def test_units_that_no_sheet_uses_become_those_that_one_does(word: str, unit: str, factor: float) -> None:
    mesh = read(write.three_mf(BRACKET.scaled(0.1), unit=word), "scan.3mf")
    assert mesh.unit == unit
    assert volume(mesh) == pytest.approx(BRACKET.volume * (0.1 * factor) ** 3, rel=1e-9)


def test_a_3mf_unit_holds_for_transforms_too() -> None:
    items = '<item objectid="1"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 2 0 0"/>'
    mesh = read(write.three_mf(BRACKET.scaled(1 / 25.4), unit="inch", items=items), "scan.3mf")
    first, second = (mesh.part_corners(part)[..., 0].min() for part in mesh.parts)
    assert (second - first) * MM["in"] == pytest.approx(50.8)


@pytest.mark.parametrize("unit", ["mm", "cm", "in", "m"])
def test_a_step_file_comes_in_millimetres_whatever_its_unit(unit: str) -> None:
    mesh = read(step_writer.step_of(BRACKET.scaled(1 / MM[unit]), unit=unit), "scan.step")
    assert (mesh.unit, mesh.unit_is_doubtful) == ("mm", False)
    assert volume(mesh) == pytest.approx(BRACKET.volume, rel=1e-6)


@pytest.mark.parametrize("size", [0.2, 1.0, 30.0])
def test_a_round_step_body_is_meshed_as_finely_for_its_size(size: float) -> None:
    mesh = read(step_writer.step_cylinder(2 * size, 30 * size), "scan.step")
    assert volume(mesh) == pytest.approx(np.pi * 4 * 30 * size**3, rel=2e-4)
    assert volume(mesh) < np.pi * 4 * 30 * size**3


def test_an_assembly_in_step_keeps_its_parts() -> None:
    mesh = read(step_writer.step_assembly(BRACKET, [(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)], levels=2), "scan.step")
    assert [part.count for part in mesh.parts] == [20] * 4
    assert volume(mesh) == pytest.approx(4 * BRACKET.volume, rel=1e-6)


def test_a_mirrored_placement_keeps_the_outside_outside() -> None:
    mirrored = '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>'
    assert volume(read(write.three_mf(BRACKET, items=mirrored), "a.3mf")) == pytest.approx(BRACKET.volume, rel=1e-9)
    flipped = write.glb(BRACKET, nodes=[{"mesh": 0, "scale": [1, 1, -1]}])
    assert volume(read(flipped, "a.glb")) == pytest.approx(BRACKET.volume, rel=1e-6)


def test_a_3mf_transform_turns_as_the_format_says() -> None:
    items = '<item objectid="1" transform="0 1 0 -1 0 0 0 0 1 0 0 0"/>'
    mesh = read(write.three_mf(BRACKET, items=items), "a.3mf")
    # A row (x, y, z) times the matrix: x runs along y, and y against x.
    assert np.allclose([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], [[-12.5, 0, 0.25], [0, 8, 6.25]])


def test_a_glb_matrix_is_read_column_by_column() -> None:
    nodes = [{"mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 100, 0, 0, 1]}]
    mesh = read(write.glb(BRACKET, nodes=nodes), "a.glb")
    assert np.allclose([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], [[87.5, 0, 0.25], [100, 8, 6.25]])


def test_a_placement_beyond_ten_metres_is_refused() -> None:
    nodes = [{"translation": [9_000, 0, 0], "children": [1]}, {"mesh": 0, "translation": [995, 0, 0]}]
    with pytest.raises(InputRefused, match="beyond 10 m"):
        read(write.glb(BRACKET, nodes=nodes), "a.glb")


def test_a_point_cloud_keeps_its_normals() -> None:
    for name in ("cloud.xyz", "cloud.ply"):
        mesh = read(GOOD[name][0], name)
        assert mesh.normals is not None
        assert (len(mesh.faces), mesh.normals.shape) == (0, (len(BALL.points), 3))
        assert np.allclose(mesh.vertices / 11, mesh.normals, atol=1e-6)


def test_a_unit_that_the_file_states_holds() -> None:
    mesh = read(GOOD["body.3mf"][0], "a.3mf")
    assert unit_of_file(mesh, None, name="a.3mf").unit == "mm"
    assert unit_of_file(mesh, "mm", name="a.3mf").reason("x") == "The file itself states its unit: mm."
    with pytest.raises(InputRefused) as caught:
        unit_of_file(mesh, "in", name="a.3mf")
    assert caught.value.problems[0].code == "scan_unit_contradicted"


def test_a_glb_leaves_its_unit_to_the_size_or_to_the_submitter() -> None:
    mesh = read(GOOD["body.glb"][0], "a.glb")
    assert (mesh.unit, mesh.unit_is_doubtful) == ("m", True)
    assert unit_of_file(mesh, None, name="a.glb").unit is None
    assert unit_of_file(mesh, "mm", name="a.glb").unit == "mm"
    assert unit_of_file(mesh, None, name="a.glb").reason("It is 30 mm.").endswith("the size decides. It is 30 mm.")


def test_a_file_without_a_unit_says_nothing_of_one() -> None:
    known = unit_of_file(read(GOOD["faces.obj"][0], "a.obj"), "cm", name="a.obj")
    assert (known.unit, known.reason("why")) == ("cm", "why")


def test_step_without_the_kernel_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "cascadio", None)
    with pytest.raises(InputRefused) as caught:
        read(GOOD["body.step"][0], "a.step")
    problem = caught.value.problems[0]
    assert (problem.code, "3MF" in problem.todo) == ("step_reader", True)
