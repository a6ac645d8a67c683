"""The meshes of a goalkeeper's parts, read back by a library that had no part in writing them."""

from __future__ import annotations

import io
import json
from functools import cache

import numpy as np
import pytest
import trimesh

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from homolog.scan.glb_writer import NamedMesh, write_glb
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.surface import signed_volume
from homolog.scan.welding import weld
from tests.bodies import Keeper, Recipe, binary_stl, corners_of, ellipsoid, make_keeper, posed, rough, with_holes
from tests.scan.measuring import measure_bytes


@cache
def keeper() -> Keeper:
    return make_keeper(Recipe(rod_radius=1.3))


def scene_of(data: bytes | None) -> trimesh.Scene:
    assert data is not None
    return trimesh.load_scene(io.BytesIO(data), file_type="glb")


def meshes_of(measurement: ScanMeasurement) -> dict[str, trimesh.Trimesh]:
    scene = scene_of(measurement.glb)
    return {name: scene.geometry[scene.graph[name][1]] for name in scene.graph.nodes_geometry}


def test_a_written_body_has_its_volume_and_size_in_metres() -> None:
    surface = weld(corners_of(ellipsoid((3, 4, 5), (4, 3, 9), 0.3)))
    body = scene_of(write_glb([NamedMesh("body", surface, (1, 1, 1))])).geometry["body"]
    assert body.volume == pytest.approx(signed_volume(surface.corners) * 1e-9, rel=1e-6)
    low, high = surface.points.min(0) / 1000, surface.points.max(0) / 1000
    # y upward: what was up along z is along y, and the front looks to +z.
    assert body.bounds == pytest.approx(np.array([[low[0], low[2], -high[1]], [high[0], high[2], -low[1]]]), abs=1e-8)


def test_body_rod_and_handle_are_closed_and_together_the_whole() -> None:
    measurement = measure_bytes(binary_stl(posed(keeper().corners, 2)), glb=True)
    meshes = meshes_of(measurement)
    assert sorted(meshes) == ["body", "handle", "rod"]
    assert all(mesh.is_watertight and mesh.is_winding_consistent for mesh in meshes.values())
    whole = keeper().solid.volume() * 1e-9
    assert sum(mesh.volume for mesh in meshes.values()) == pytest.approx(whole, rel=1e-6)
    assert meshes["body"].volume * 1e9 == pytest.approx(keeper().truth["volume"], rel=0.01)
    assert meshes["handle"].volume * 1e9 == pytest.approx(np.pi * 9 * 60, rel=0.02)


def test_the_body_stands_upright_on_its_base() -> None:
    body = meshes_of(measure_bytes(binary_stl(posed(keeper().corners, 2)), glb=True))["body"]
    low, high = body.bounds * 1000
    assert low[1] == pytest.approx(0.0, abs=0.01)
    assert high[1] == pytest.approx(keeper().truth["height"], abs=0.01)
    assert high[0] - low[0] == pytest.approx(keeper().truth["width"], abs=0.05)


def test_repaired_places_are_a_mesh_of_their_own() -> None:
    measurement = measure_bytes(binary_stl(with_holes(rough(keeper().solid, 0.0, 0.7, 0), 5, 1.0, 4)), glb=True)
    meshes = meshes_of(measurement)
    (repair,) = (repair for repair in measurement.repairs if repair.kind == "holes_closed")
    assert meshes["repaired"].body_count == repair.count
    assert 1e6 * meshes["repaired"].area == pytest.approx(repair.count * np.pi, rel=0.5)
    sealed = sum(meshes[name].volume for name in ("body", "rod", "handle"))
    assert sealed == pytest.approx(keeper().solid.volume() * 1e-9, rel=2e-3)


def test_without_a_rod_there_is_one_body() -> None:
    measurement = measure_bytes(binary_stl(corners_of(keeper().body)), glb=True)
    meshes = meshes_of(measurement)
    assert list(meshes) == ["body"]
    assert meshes["body"].volume * 1e9 == pytest.approx(keeper().body.volume(), rel=1e-6)


def test_the_same_file_gives_the_same_bytes_and_the_record_carries_them() -> None:
    data = binary_stl(keeper().corners)
    first, second = measure_bytes(data, glb=True), measure_bytes(data, glb=True)
    assert first.glb == second.glb
    assert ScanMeasurement.from_json(json.loads(json.dumps(first.to_json()))) == first
    assert "glb" not in measure_bytes(data).to_json()


def test_what_is_written_passes_the_gate_of_what_is_read() -> None:
    measurement = measure_bytes(binary_stl(keeper().corners), glb=True)
    assert measurement.glb is not None
    again = measure_bytes(measurement.glb, name="again.glb")
    assert again.unit == "m"
    assert check_mesh(measurement.glb, name="again.glb").format == "glb"
    with pytest.raises(InputRefused):
        check_mesh(measurement.glb[:-7], name="again.glb")
