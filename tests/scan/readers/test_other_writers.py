"""Files that other programs write are read as those programs mean them."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from homolog.scan.readers.read import read_any
from homolog.scan.surface import signed_volume

BODY = trimesh.creation.capsule(height=20.0, radius=6.0, count=[24, 24])


@pytest.mark.parametrize("ending", ["stl", "stl_ascii", "obj", "ply", "off", "glb"])
def test_a_file_of_trimesh_is_read_whole(ending: str) -> None:
    data = BODY.export(file_type=ending)
    data = data.encode() if isinstance(data, str) else data
    mesh = read_any(data, {"name": f"body.{ending.partition('_')[0]}"})
    assert len(mesh.faces) == len(BODY.faces)
    assert signed_volume(mesh.corners) == pytest.approx(BODY.volume, rel=1e-6)


def test_a_text_ply_of_trimesh_is_read_whole() -> None:
    data = BODY.export(file_type="ply", encoding="ascii")
    mesh = read_any(data if isinstance(data, bytes) else data.encode(), {"name": "body.ply"})
    assert signed_volume(mesh.corners) == pytest.approx(BODY.volume, rel=1e-6)


def test_a_scene_of_trimesh_keeps_its_parts_and_places() -> None:
    scene = trimesh.Scene()
    turn = trimesh.transformations.rotation_matrix(0.7, [1, 2, 3], [5, 0, 0])
    scene.add_geometry(BODY, node_name="one")
    scene.add_geometry(BODY, node_name="two", parent_node_name="one", transform=turn)
    mesh = read_any(scene.export(file_type="glb"), {"name": "scene.glb"})
    assert sorted(part.name for part in mesh.parts) == ["one", "two"]
    moved = BODY.copy().apply_transform(turn)
    part = next(part for part in mesh.parts if part.name == "two")
    corners = mesh.part_corners(part)
    assert np.allclose(corners.reshape(-1, 3).min(axis=0), moved.bounds[0], atol=1e-5)
    assert np.allclose(corners.reshape(-1, 3).max(axis=0), moved.bounds[1], atol=1e-5)
