"""Volumes without the embedded rod and of the material: exact where the file shows the inside, bounds where it does not."""

from __future__ import annotations

from dataclasses import replace

import manifold3d
import numpy as np
import pytest

from homolog.scan.measurement import ScanMeasurement
from tests.bodies import Keeper, Recipe, base_parts, corners_of, cylinder, ellipsoid, figure_parts, make_keeper, posed
from tests.scan.measuring import OUTER, covers, measure, measure_bytes, reading, value

WITHOUT = "goalkeeper.volume.without_embedded_rod"
MATERIAL = "goalkeeper.volume.material"


def shells_of(keeper: Keeper) -> np.ndarray:
    return np.concatenate([corners_of(part) for part in keeper.parts])


def fine_truth(recipe: Recipe) -> tuple[float, float]:
    """Return the volume with and without the embedded rod of a body so finely meshed that its facets do not matter."""
    truth = make_keeper(replace(recipe, edge=0.15)).truth
    return truth["volume"], truth["volume_without_embedded_rod"]


RECIPES = {
    "base": Recipe(rod_radius=1.5),
    "through": Recipe(attach="through", rod_radius=1.3, handle=None),
    "back": Recipe(base=None, attach="back", handle="hex"),
    "feet-bent": Recipe(base="dome", attach="feet", arms="down", sagitta=3.0),
}


@pytest.mark.parametrize("name", RECIPES)
def test_shells_of_a_drawing_give_the_volume_without_the_rod(name: str) -> None:
    recipe = RECIPES[name]
    measurement = measure(posed(shells_of(make_keeper(recipe)), 7), source="cad")
    outer, without = fine_truth(recipe)
    assert covers(measurement, OUTER, outer)
    assert covers(measurement, WITHOUT, without), (reading(measurement, WITHOUT), without)
    assert value(measurement, WITHOUT) == pytest.approx(without, rel=3e-3)
    assert value(measurement, MATERIAL) == value(measurement, WITHOUT)
    assert value(measurement, WITHOUT) <= value(measurement, OUTER)
    assert "the file holds the rod as" in measurement.facts["inside"]
    lines = [line for budget in measurement.budgets if budget.quantity == WITHOUT for line in budget.contributions]
    assert [line.standard_uncertainty for line in lines if line.name == "rod_cut"] == [0]


def hollow(keeper: Keeper) -> tuple[np.ndarray, float]:
    cave = ellipsoid((0, 0, 24.5), (1.5, 1.0, 2.0), 0.2)
    return corners_of(cave)[:, ::-1], 4 / 3 * np.pi * 3.0


def test_a_cavity_of_a_drawing_counts_as_empty_in_the_material_only() -> None:
    keeper = make_keeper(Recipe())
    cave, empty = hollow(keeper)
    # The cavity lies in the figure, which is one shell here.
    union = manifold3d.Manifold.batch_boolean(keeper.parts[:-2], manifold3d.OpType.Add)
    limbs = [corners_of(part) for part in keeper.parts[-2:]]
    measurement = measure(np.concatenate([corners_of(union), *limbs, cave]), source="cad")
    assert value(measurement, WITHOUT) - value(measurement, MATERIAL) == pytest.approx(empty, rel=0.02)
    assert value(measurement, OUTER) == pytest.approx(fine_truth(Recipe())[0], rel=5e-3)


def test_without_a_shell_for_the_rod_a_drawing_keeps_bounds_and_its_cavity_counts() -> None:
    keeper = make_keeper(Recipe())
    cave, empty = hollow(keeper)
    plain = measure(keeper.corners, source="cad")
    measurement = measure(np.concatenate([keeper.corners, cave]), source="cad")
    assert reading(plain, WITHOUT).value is None
    assert "inside" not in plain.facts
    before, after = reading(plain, MATERIAL), reading(measurement, MATERIAL)
    assert float(before.hi or 0) - float(after.hi or 0) == pytest.approx(empty, abs=0.5)
    assert float(after.lo or 0) < fine_truth(Recipe())[1] - empty < float(after.hi or 0)


def test_what_an_outer_scan_cannot_see_stays_bounded_and_says_so() -> None:
    measurement = measure(shells_of(make_keeper(Recipe())))
    assert reading(measurement, WITHOUT).value is None
    assert reading(measurement, MATERIAL).lo == 0
    assert "sees only the outside" in measurement.facts["inside"]


def test_tomography_sees_the_inside_with_the_uncertainty_of_its_surfaces() -> None:
    measurement = measure(shells_of(make_keeper(Recipe())), source="ct")
    assert covers(measurement, WITHOUT, fine_truth(Recipe())[1])
    wide = reading(measurement, WITHOUT).expanded_uncertainty
    assert wide is not None
    assert wide > (reading(measure(shells_of(make_keeper(Recipe())), source="cad"), WITHOUT).expanded_uncertainty or 0)


def test_a_closed_piece_within_the_body_is_material_or_cavity() -> None:
    keeper = make_keeper(Recipe())
    weight = ellipsoid((0, 1.0, 24.5), (1.5, 1.0, 2.0), 0.2)
    measurement = measure(np.concatenate([shells_of(keeper), corners_of(weight)]), source="cad")
    material = reading(measurement, MATERIAL)
    assert material.value is None
    assert float(material.hi or 0) - float(material.lo or 0) > weight.volume()
    assert "material or cavity" in measurement.facts["inside"]


def objects_of(bodies: list[manifold3d.Manifold]) -> bytes:
    """Write bodies as a Wavefront file, one object each."""
    lines: list[str] = []
    total = 0
    for at, body in enumerate(bodies):
        mesh = body.to_mesh64()
        points = np.array(mesh.vert_properties)[:, :3]
        faces = np.array(mesh.tri_verts).reshape(-1, 3).astype(np.int64) + 1 + total
        lines += [f"o piece{at}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist())]
        lines += [f"f {a} {b} {c}" for a, b, c in faces.tolist()]
        total += len(points)
    return ("\n".join(lines) + "\n").encode()


def measure_objects(bodies: list[manifold3d.Manifold]) -> ScanMeasurement:
    return measure_bytes(objects_of(bodies), source="cad", name="keeper.obj")


def test_a_rod_that_fills_its_bore_touches_the_body_face_to_face_and_is_told_apart() -> None:
    recipe = Recipe()
    figure = manifold3d.Manifold.batch_boolean([*figure_parts(recipe, 3.0), *base_parts(recipe)], manifold3d.OpType.Add)
    start = np.array([0.0, 4.0, 2.2])
    rod = cylinder(start, start + np.array([0.0, -100.0, 0.0]), 1.2)
    measurement = measure_objects([figure - rod, rod])
    smooth = replace(recipe, edge=0.12)
    truth = manifold3d.Manifold.batch_boolean([*figure_parts(smooth, 3.0), *base_parts(smooth)], manifold3d.OpType.Add)
    fine = cylinder(start, start + np.array([0.0, -100.0, 0.0]), 1.2, 0.12)
    assert covers(measurement, OUTER, truth.volume())
    assert covers(measurement, WITHOUT, (truth - fine).volume())
    assert value(measurement, WITHOUT) < value(measurement, OUTER) - 40
