"""Failure kinds of surfaces: shells that overlap, face the wrong way, gape, or lie double. Each is measured right or refused."""

from __future__ import annotations

import time
from functools import cache

import manifold3d
import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan.measurement import ScanMeasurement
from tests.bodies import binary_stl, corners_of, rough, with_holes
from tests.scan.failing import as_body, assert_as_clean, assert_never_wrong, clean, keeper, kinds, measured, tried
from tests.scan.measuring import OUTER, covers, measure_bytes, reading, value
from tools import mesh_writers as write


def shells() -> list[np.ndarray]:
    return [corners_of(part) for part in keeper().parts]


@cache
def fine() -> tuple[ScanMeasurement, float]:
    """The goalkeeper in 90,000 facets, and how many seconds of processor time it takes."""
    corners = corners_of(keeper().solid.refine_to_length(0.4))
    start = time.process_time()
    return measured(corners), time.process_time() - start


def without_underside() -> np.ndarray:
    corners = keeper().corners
    return corners[~(corners[:, :, 2].max(axis=1) < 1e-6)]


def test_f01_shells_that_overlap_are_counted_once() -> None:
    double = sum(part.volume() for part in keeper().parts) - keeper().solid.volume()
    assert double > 0.04 * keeper().truth["volume"]  # what a sum over facets would be wrong by
    found = measured(np.concatenate(shells()))
    assert "shells_united" in kinds(found)
    assert_as_clean(found, rel=5e-3)


@pytest.mark.parametrize("shift", [(0.0, 0, 0), (500.0, 0, 0), (-40.0, 300, 900)])
def test_f02_an_open_mesh_gives_the_same_answer_wherever_it_stands(shift: tuple[float, float, float]) -> None:
    found = measured(without_underside() + np.array(shift))
    assert not found.closed
    assert "holes_closed" in kinds(found)
    assert_never_wrong(found)
    assert value(found, OUTER) == pytest.approx(value(clean(), OUTER), rel=0.01)


def test_f02_half_a_surface_is_no_volume() -> None:
    corners = keeper().corners
    half = corners[corners[:, :, 0].mean(axis=1) < 0.4]
    found = tried(binary_stl(half))
    if not isinstance(found, str):
        assert not found.closed
        assert_never_wrong(found)


def test_f03_closed_is_closed_however_the_corners_are_shared() -> None:
    loose = measured(keeper().corners)
    shared = measure_bytes(write.ply(as_body(keeper().corners), kind="f"), name="keeper.ply")
    split = measure_bytes(write.stl_text(as_body(keeper().corners.astype(np.float32).astype(float))))
    assert loose.closed
    assert shared.closed
    assert split.closed
    assert {value(loose, OUTER), value(shared, OUTER), value(split, OUTER)} == {value(clean(), OUTER)}


@pytest.mark.parametrize("scatter", [1e-6, 1e-5, 1e-4])
def test_f04_corners_that_do_not_quite_meet_are_joined(scatter: float) -> None:
    corners = keeper().corners + np.random.default_rng(1).normal(scale=scatter, size=keeper().corners.shape)
    points = write.ply(write.Body(tuple(map(tuple, corners.reshape(-1, 3).tolist())), _loose(len(corners)), 0.0))
    found = tried(points, "keeper.ply")
    if isinstance(found, str):
        assert found in {"scan_pieces", "scan_no_body", "scan_not_solid"}
    else:
        assert "seams_welded" in kinds(found)
        assert_as_clean(found, rel=5e-3)


def _loose(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple((3 * at, 3 * at + 1, 3 * at + 2) for at in range(count))


def test_f05_rounding_to_the_numbers_of_a_file_loses_nothing() -> None:
    far = keeper().corners + np.array([3_000.0, -2_000.0, 1_000.0])  # 32-bit numbers there are 0.0002 mm apart
    assert_as_clean(measured(far))


def test_f05_fine_detail_is_not_welded_away() -> None:
    found, _ = fine()
    assert found.triangles > 90_000
    assert found.repairs == ()
    assert_never_wrong(found)


def test_f06_faces_left_inside_where_two_pieces_meet_count_for_nothing() -> None:
    above, below = keeper().solid.split_by_plane((0.0, 0.0, 1.0), 15.0)
    cut = np.concatenate([corners_of(above), corners_of(below)])  # both have the cut as a face
    assert len(cut) > len(keeper().corners)
    assert_as_clean(measured(cut), rel=5e-3)


def test_f07_a_large_sound_mesh_is_not_called_crossed_and_takes_no_minutes() -> None:
    found, seconds = fine()
    assert seconds < 30.0  # it takes three; to hold each face against each takes an hour
    assert found.closed
    assert_as_clean(found)


def test_f14_a_file_turned_inside_out_is_turned_back() -> None:
    found = measured(keeper().corners[:, ::-1])
    assert kinds(found) == {"shells_turned"}
    assert_as_clean(found)


def test_f14_some_shells_turned_inside_out_are_turned_back() -> None:
    some = [shell[:, ::-1] if at % 3 == 1 else shell for at, shell in enumerate(shells())]
    assert_as_clean(measured(np.concatenate(some)), rel=5e-3)


@pytest.mark.parametrize("share", [0.01, 0.1])
def test_f14_facets_turned_the_wrong_way_are_turned_back(share: float) -> None:
    corners = keeper().corners.copy()
    chosen = np.random.default_rng(2).random(len(corners)) < share
    corners[chosen] = corners[chosen, ::-1]
    found = measured(corners)
    assert [(repair.kind, repair.count) for repair in found.repairs] == [("facets_turned", int(chosen.sum()))]
    assert_as_clean(found)


def test_f15_repair_keeps_every_piece_of_the_body() -> None:
    holed = [with_holes(shell, 1, 0.5, at) for at, shell in enumerate(shells())]
    found = measured(np.concatenate(holed))
    assert {"holes_closed", "shells_united"} <= kinds(found)
    assert "sheets_dropped" not in kinds(found)  # an arm with a hole in it is no sheet
    assert_never_wrong(found)
    assert value(found, OUTER) == pytest.approx(value(clean(), OUTER), rel=0.01)


def test_f15_a_rough_scan_is_not_taken_for_debris() -> None:
    found = measured(rough(keeper().solid, 0.1, 0.8, 3))
    assert_never_wrong(found)
    assert covers(found, OUTER, keeper().truth["volume"])


def test_f16_several_repairs_together_leave_the_volume_where_it_was() -> None:
    corners = with_holes(keeper().corners, 3, 0.7, 6)
    corners = np.concatenate([corners, corners[::17]])
    corners[::11] = corners[::11, ::-1]
    flat = corners[:40].copy()
    flat[:, 2] = flat[:, 1]
    found = measured(np.concatenate([corners, flat]))
    assert {"holes_closed", "duplicates_dropped", "facets_turned", "degenerate_dropped"} <= kinds(found)
    assert_never_wrong(found)
    assert value(found, OUTER) == pytest.approx(value(clean(), OUTER), rel=0.01)


def test_f21_facets_that_face_at_random_are_sorted_out() -> None:
    corners = keeper().corners.copy()
    chosen = np.random.default_rng(4).random(len(corners)) < 0.5
    corners[chosen] = corners[chosen, ::-1]
    assert_as_clean(measured(corners))


def test_f22_no_wrap_is_put_around_the_body() -> None:
    drawing = measured(keeper().corners, source="cad")
    assert drawing.repairs == ()
    u = reading(drawing, OUTER).expanded_uncertainty
    assert u is not None
    assert float(u) < 0.012 * keeper().truth["volume"]  # a wrap adds 3 to 13 %
    assert_never_wrong(drawing)


@pytest.mark.parametrize("lean", [0.0, 0.6])
def test_f26_a_scan_from_one_side_is_no_volume(lean: float) -> None:
    corners = keeper().corners
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    seen = normals @ np.array([lean, 1.0, 0.3]) > 0
    found = tried(binary_stl(corners[seen]))
    if not isinstance(found, str):
        assert not found.closed
        assert_never_wrong(found)


def test_f27_a_file_with_two_facets_without_area_is_read_and_closed() -> None:
    corners = keeper().corners
    flat = corners[:2].copy()
    flat[:, 1] = flat[:, 0]
    found = measured(np.concatenate([corners, flat]))
    assert [(repair.kind, repair.count) for repair in found.repairs] == [("degenerate_dropped", 2)]
    assert found.closed
    assert_as_clean(found)
    assert value(found, OUTER) == value(clean(), OUTER)


def test_an_edge_that_three_sheets_share_does_not_count_a_fin() -> None:
    corners = keeper().corners
    fin = corners[:6].copy()
    fin[:, 2] += (corners[:6] - corners[:6].mean(axis=1, keepdims=True))[:, 2] * 0.5
    found = tried(binary_stl(np.concatenate([corners, fin])))
    assert not isinstance(found, str)
    assert_as_clean(found)


def test_a_thousand_crumbs_are_refused_or_left_out() -> None:
    crumb = corners_of(manifold3d.Manifold.cube((0.2, 0.2, 0.2)))
    places = np.random.default_rng(5).uniform(30, 200, (2_100, 3))
    dust = (crumb[None] + places[:, None, None]).reshape(-1, 3, 3)
    with pytest.raises(InputRefused) as caught:
        measured(np.concatenate([keeper().corners, dust]))
    assert caught.value.problems[0].code == "scan_pieces"
