"""One article gives one answer: in every format, in every unit, however it lies, in few facets or many.

Up to two million facets: `python -m benchmarks.same_part`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from homolog.gate.mesh_file import check_mesh
from homolog.scan.canonical import corner_of
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.readers.read import read_mesh
from homolog.scan.solid import build_solid
from tests.bodies import Recipe, binary_stl, corners_of, make_keeper, turned_about
from tests.scan.failing import as_body, assert_never_wrong, keeper, measured
from tests.scan.measuring import HANDLE, HEIGHT, OUTER, ROD, ROD_WIDTH, STANDING, WIDTH, measure_bytes, reading, value
from tools import mesh_writers as write
from tools.step_writer import step_of

EVERY = (OUTER, HEIGHT, WIDTH, STANDING, ROD, ROD_WIDTH)
FACTORS = {"mm": 1.0, "in": 25.4, "m": 1000.0}
WORDS = {"mm": "millimeter", "in": "inch", "m": "meter"}


@cache
def corners() -> np.ndarray:
    """The goalkeeper's facets in numbers of 32 bits, so that no format rounds them."""
    return keeper().corners.astype(np.float32).astype(float)


@cache
def plain() -> ScanMeasurement:
    return measure_bytes(binary_stl(corners()))


def whole(data: bytes, name: str, factor: float = 1.0) -> float:
    """The volume of all that a file holds, in mm3, before it is rounded."""
    mesh = read_mesh(check_mesh(data, name=name), name=name)
    return build_solid(mesh.corners - corner_of(mesh.corners), name=name).volume * factor**3


FORMATS = {
    "ascii.stl": lambda body: write.stl_text(body),
    "a.obj": lambda body: write.obj(body),
    "relative.obj": lambda body: write.obj(body, relative=True),
    "text.ply": lambda body: write.ply_text(body),
    "little.ply": lambda body: write.ply(body),
    "big.ply": lambda body: write.ply(body, order=">", kind="f"),
    "a.off": lambda body: write.off(body),
    "a.glb": lambda body: write.glb(body),
    "a.gltf": lambda body: write.gltf(body),
    "a.3mf": lambda body: write.three_mf(body),
}


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_same_triangles_in_another_format_give_every_number_to_the_last_digit(name: str) -> None:
    data = FORMATS[name](as_body(corners()))
    assert whole(data, name) == pytest.approx(whole(binary_stl(corners()), "k.stl"), rel=1e-9)
    found = measure_bytes(data, name=name)
    assert found.unit == "mm"
    assert [(item.quantity, item.value, item.expanded_uncertainty, item.lo, item.hi) for item in found.readings] == [
        (item.quantity, item.value, item.expanded_uncertainty, item.lo, item.hi) for item in plain().readings
    ]


def test_a_step_body_of_the_same_facets_has_the_same_volume() -> None:
    body = as_body(make_keeper(Recipe(edge=4.0)).corners)
    one, other = measure_bytes(step_of(body), name="k.step"), measure_bytes(write.ply(body), name="k.ply")
    assert one.triangles == other.triangles
    assert one.facts["whole_volume"] == other.facts["whole_volume"]
    for quantity in EVERY:
        assert value(one, quantity) == pytest.approx(value(other, quantity), rel=1e-3), quantity


@pytest.mark.parametrize("unit", list(FACTORS))
def test_a_unit_changes_nothing(unit: str) -> None:
    factor = FACTORS[unit]
    files = {
        "k.stl": binary_stl(corners() / factor),
        "k.3mf": write.three_mf(as_body(corners()).scaled(1 / factor), unit=WORDS[unit]),
    }
    for name, data in files.items():
        assert whole(data, name, factor) == pytest.approx(whole(binary_stl(corners()), "k.stl"), rel=1e-6)
        found = measure_bytes(data, name=name)
        assert found.unit == unit
        for quantity in EVERY:
            assert value(found, quantity) == pytest.approx(value(plain(), quantity), rel=1e-4), (name, quantity)


def pose(seed: int) -> np.ndarray:
    return corners() @ turned_about(seed).T + np.random.default_rng(seed).uniform(-80, 80, 3)


def test_twenty_poses_have_one_volume() -> None:
    upright = whole(binary_stl(corners()), "k.stl")
    volumes = [whole(write.ply(as_body(pose(seed))), "k.ply") for seed in range(20)]
    assert max(volumes) - min(volumes) < 1e-9 * upright
    assert whole(binary_stl(pose(1)), "k.stl") == pytest.approx(upright, rel=1e-6)


@pytest.mark.parametrize("seed", [0, 7, 13])
def test_a_pose_changes_no_number_by_more_than_a_hundredth_of_its_u(seed: int) -> None:
    found = measure_bytes(binary_stl(pose(seed)))
    for quantity in EVERY:
        u = reading(plain(), quantity).expanded_uncertainty
        assert u is not None
        share = 0.01 if quantity == OUTER else 0.25
        assert abs(value(found, quantity) - value(plain(), quantity)) < share * float(u), quantity


def test_few_facets_and_many_agree_within_u() -> None:
    fine = measure_bytes(binary_stl(make_keeper(Recipe(edge=0.2)).corners))
    assert fine.triangles > 8 * plain().triangles
    for quantity in EVERY:
        u = reading(fine, quantity).expanded_uncertainty
        assert u is not None
        assert abs(value(fine, quantity) - value(plain(), quantity)) < float(u), quantity
    assert value(fine, OUTER) == pytest.approx(value(plain(), OUTER), rel=2e-3)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(edge=4.0),
        Recipe(edge=2.0, handle="hex"),
        Recipe(edge=2.5, attach="back", base=None, handle="hex"),
        Recipe(edge=1.6, attach="feet"),
    ],
    ids=["1700 facets", "hex", "back", "feet"],
)
def test_a_coarse_drawing_is_not_taken_for_a_rough_scan(recipe: Recipe) -> None:
    built = make_keeper(recipe)
    for source in ("cad", "structured_light"):
        found = measured(built.corners, source=source)
        assert found.facts["noise"] == "0.000 mm"
        assert_never_wrong(found, built.truth)
        assert value(found, HANDLE) == pytest.approx(60.0, abs=0.2)


def test_facets_cut_smaller_without_being_moved_change_no_volume() -> None:
    cut = corners_of(keeper().solid.refine_to_length(0.9))
    assert len(cut) > 2 * len(keeper().corners)
    assert whole(write.ply(as_body(cut)), "k.ply") == pytest.approx(whole(write.ply(as_body(keeper().corners)), "k.ply"), rel=1e-9)
    found = measure_bytes(binary_stl(cut))
    assert value(found, OUTER) == pytest.approx(value(plain(), OUTER), rel=2e-3)
