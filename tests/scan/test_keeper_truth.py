"""What once made a goalkeeper's number wrong: rods that look like something else, ends that are hidden, torn off or blurred."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homolog.scan.measurement import ScanMeasurement
from tests.bodies import Floats, Keeper, Recipe, corners_of, make_keeper, posed, rough, turned_about
from tests.scan.measuring import HANDLE, HEIGHT, OUTER, ROD, STANDING, STRAIGHT, covers, measure, reading, value, why_not

WITHOUT = "goalkeeper.volume.without_embedded_rod"
ON_HEAD = Recipe(tall=36.4, wide=19.9, thick=4.8, base=None, elevation=88.0, rod_radius=1.06, rod_length=71, start=(0.0, 0.0, 32.0))


def scanned(recipe: Recipe, *, sigma: float, waves: float, seed: int = 1, edge: float = 0.7) -> tuple[Keeper, Floats]:
    keeper = make_keeper(recipe)
    return keeper, posed(rough(keeper.solid, sigma, edge, seed, waves), seed)


def test_a_handle_as_wide_as_a_body_seen_from_its_head_is_no_body() -> None:
    recipe = replace(ON_HEAD, handle="hex", handle_radius=5.67, handle_length=49)
    keeper, corners = scanned(recipe, sigma=0.03, waves=0.4)
    measurement = measure(corners)
    assert value(measurement, OUTER) == pytest.approx(keeper.truth["volume"], rel=0.02)
    assert covers(measurement, HEIGHT, keeper.truth["height"])


def test_a_rod_is_found_beside_a_thick_handle_with_edges() -> None:
    recipe = Recipe(
        tall=34.44, wide=14.31, thick=4.373, base="dome", base_diameter=13.56, base_height=5.09, attach="through",
        rod_radius=1.043, rod_length=75.4, handle="hex", handle_radius=3.676, handle_length=72.25, edge=0.368,
    )  # fmt: skip
    keeper = make_keeper(recipe)
    measurement = measure(posed(keeper.corners, 9043), source="cad")
    assert covers(measurement, OUTER, make_keeper(replace(recipe, edge=0.12)).truth["volume"])
    assert value(measurement, "goalkeeper.rod_width") == pytest.approx(2.086, abs=0.01)


def test_a_narrow_head_around_the_rod_is_not_taken_for_it() -> None:
    recipe = Recipe(
        tall=30.785, wide=16.03, thick=5.684, base=None, arms="down", rod_radius=0.879, rod_length=146.2, elevation=76.2,
        handle=None, edge=0.424, start=(0.0, 0.0, 27.09),
    )  # fmt: skip
    keeper, corners = scanned(recipe, sigma=0.03, waves=0.4, seed=9023, edge=0.82)
    measurement = measure(corners)
    assert value(measurement, OUTER) == pytest.approx(keeper.truth["volume"], rel=0.02)


@pytest.mark.parametrize("source", ["cad", "structured_light"])
def test_the_top_of_a_head_that_the_rod_hides_counts_for_the_height(source: str) -> None:
    keeper = make_keeper(ON_HEAD)
    measurement = measure(posed(keeper.corners, 4), source=source)
    assert covers(measurement, HEIGHT, keeper.truth["height"])
    assert covers(measurement, ROD, keeper.truth["rod_length"])


@pytest.fixture(scope="module")
def cut_short() -> ScanMeasurement:
    """A scan whose rod was held in a clamp, the handle and a part of the rod with it."""
    keeper, corners = scanned(Recipe(handle=None, sagitta=3.0), sigma=0.02, waves=0.6)
    return measure(_cut(keeper, corners, 20.0))


def _cut(keeper: Keeper, corners: Floats, missing: float) -> Floats:
    """Return a posed scan without the last mm of the limb."""
    along = turned_about(1) @ keeper.along
    middle = corners.mean(axis=1) @ along
    return corners[middle < middle.max() - missing]


def test_a_rod_whose_end_was_not_scanned_has_no_length(cut_short: ScanMeasurement) -> None:
    """Not even an upper bound: more of it may be anywhere beyond the hole."""
    assert "not part of the scan" in why_not(cut_short, ROD)
    assert "not part of the scan" in why_not(cut_short, HANDLE)


def test_a_part_of_a_bent_rod_says_at_least_how_bent_it_is(cut_short: ScanMeasurement) -> None:
    bow = reading(cut_short, STRAIGHT)
    assert (bow.value, bow.hi) == (None, None)
    assert 0.5 < float(bow.lo or 0) < 3.0


def test_a_handle_whose_end_was_not_scanned_is_at_least_so_long() -> None:
    keeper, corners = scanned(Recipe(), sigma=0.02, waves=0.6)
    measurement = measure(_cut(keeper, corners, 15.0))
    handle = reading(measurement, HANDLE)
    assert handle.value is None
    assert float(handle.lo or 0) == pytest.approx(keeper.truth["handle_length"] - 15.0, abs=1.0)
    assert covers(measurement, ROD, keeper.truth["rod_length"])


def test_a_bent_rod_is_bent_up_to_its_handle() -> None:
    recipe = Recipe(attach="back", sagitta=4.7, rod_length=110.0)
    keeper = make_keeper(recipe)
    measurement = measure(posed(keeper.corners, 6), source="cad")
    assert covers(measurement, STRAIGHT, keeper.truth["rod_straightness"])


@pytest.mark.parametrize(("sigma", "waves"), [(0.05, 1.0), (0.08, 0.6), (0.09, 0.0)])
def test_noise_bends_no_straight_rod(sigma: float, waves: float) -> None:
    _, corners = scanned(Recipe(rod_length=120.0, handle=None), sigma=sigma, waves=waves)
    assert covers(measure(corners), STRAIGHT, 0.0)


def test_the_blurred_edge_of_a_base_does_not_turn_the_figure() -> None:
    recipe = Recipe(
        tall=36.12, wide=19.09, thick=5.868, base="disc", base_diameter=16.03, base_height=4.383, rod_radius=0.897,
        rod_length=149.5, elevation=2.3, handle=None, edge=0.449,
    )  # fmt: skip
    keeper, corners = scanned(recipe, sigma=0.053, waves=0.6, seed=9018, edge=0.51)
    measurement = measure(corners)
    assert all(item.value is None for item in measurement.readings if item.quantity == STANDING) or covers(
        measurement, STANDING, keeper.truth["figure_thickness"]
    )


def test_a_hole_closed_at_the_rods_root_adds_nothing_to_the_thickness() -> None:
    recipe = Recipe(tall=31.2, wide=18.6, thick=5.895, base="dome", attach="back", elevation=23.0, rod_radius=0.9, handle=None)
    keeper = make_keeper(recipe)
    corners = rough(keeper.solid, 0.0, 0.5, 1)
    root = np.array([0.0, -3.4, 3.0 + 0.62 * 31.2 + 1.4 + 0.9])
    torn = corners[np.linalg.norm(corners.mean(axis=1) - root, axis=1) > 0.8]
    assert 5 < len(corners) - len(torn) < 400
    measurement = measure(posed(torn, 3), source="cad")
    assert value(measurement, STANDING) == pytest.approx(keeper.truth["figure_thickness"], abs=0.1)


def test_shells_of_rod_and_handle_are_taken_off_without_a_rest() -> None:
    """Where faces lie on each other the whole less the rod leaves sheets of some micrometres, 4 mm3 of them on a long handle."""
    recipe = Recipe(
        tall=36.7, wide=17.5, thick=4.4, base_diameter=18.0, base_height=4.77, attach="back", rod_radius=1.35, rod_length=121.5,
        elevation=75.9, sagitta=5.76, handle="round", handle_radius=5.11, handle_length=49.3, arms="down", edge=0.374,
        start=(0.0, -7.26, 1.5),
    )  # fmt: skip
    keeper = make_keeper(recipe)
    measurement = measure(posed(np.concatenate([corners_of(part) for part in keeper.parts]), 9005), source="cad")
    smooth = make_keeper(replace(recipe, edge=0.12)).truth
    assert covers(measurement, WITHOUT, smooth["volume_without_embedded_rod"])
    embedded = value(measurement, OUTER) - value(measurement, WITHOUT)
    assert embedded == pytest.approx(smooth["volume"] - smooth["volume_without_embedded_rod"], abs=2.0)
