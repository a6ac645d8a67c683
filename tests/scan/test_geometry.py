"""The pieces on shapes whose answers are known in closed form."""

from __future__ import annotations

import math

import manifold3d
import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan.cut import clip_below
from homolog.scan.extents import patch_under, slab_widths
from homolog.scan.limb import narrowest_tube
from homolog.scan.posture import narrowest
from homolog.scan.rodline import Line, find_line, fit_cylinder, frame_of, sample
from homolog.scan.shells import open_loops, split_shells
from homolog.scan.solid import build_solid
from homolog.scan.stabbing import stab
from homolog.scan.surface import Surface, signed_volume
from homolog.scan.texture import facet_deficit, folds_of, scatter
from homolog.scan.welding import weld, weld_seams
from tests.bodies import capsule, corners_of, cylinder, ellipsoid, posed, rough, with_holes


def surface(corners: np.ndarray) -> Surface:
    return weld(corners)


def test_stabbing_agrees_with_the_sum_over_facets() -> None:
    corners = posed(corners_of(ellipsoid((0, 0, 0), (3, 4, 9))), 4)
    assert stab(surface(corners)).volume == pytest.approx(signed_volume(corners), rel=1e-4)
    assert stab(surface(corners)).leaks == 0


def test_stabbing_counts_what_lies_in_two_shells_once() -> None:
    a, b = ellipsoid((0, 0, 0), (5, 5, 5)), ellipsoid((4, 0, 0), (5, 5, 5))
    both = np.concatenate([corners_of(a), corners_of(b)])
    assert stab(surface(both)).volume == pytest.approx((a + b).volume(), rel=5e-4)


def test_stabbing_sees_an_open_surface() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 5, 5)))
    assert stab(surface(corners[corners.mean(axis=1)[:, 2] > -3])).leaks > 0.05


def test_the_facets_deficit_is_that_of_a_cylinder() -> None:
    radius, length = 4.0, 30.0
    corners = corners_of(cylinder(np.zeros(3), np.array([0, 0, length]), radius))
    missing = math.pi * radius**2 * length - signed_volume(corners)
    # A pure cylinder's deficit is c itself, a figure's about twice as much.
    assert facet_deficit(folds_of(surface(corners))) == pytest.approx(missing, rel=0.03)


def test_the_scatter_of_a_noisy_body_is_found() -> None:
    solid = ellipsoid((0, 0, 0), (6, 6, 12))
    assert scatter(surface(rough(solid, 0.05, 0.4, 3)), 1.2) == pytest.approx(0.05, rel=0.2)


def test_a_flat_closing_of_a_round_hole_is_bulged_as_its_rim_says() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (8, 8, 8)))
    full = signed_volume(corners)
    middle = corners.mean(axis=1)
    (shell,) = split_shells(surface(corners[middle[:, 2] < 7.4])).closed
    flat_loss = math.pi * 0.6**2 * (8 - 0.6 / 3)
    assert abs(shell.volume - full) < 0.25 * flat_loss
    assert len(shell.fillings) == 1


def test_open_loops_are_found_one_a_hole() -> None:
    corners = with_holes(corners_of(ellipsoid((0, 0, 0), (9, 9, 9))), 3, 0.8, 5)
    loops = open_loops(surface(corners))
    assert 1 <= len(loops) <= 3
    assert all(len(loop) >= 5 for loop in loops)


def test_seams_are_welded_only_where_edges_are_open() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 5, 5)))
    jitter = np.random.default_rng(1).normal(scale=1e-6, size=corners.shape)
    loose = surface(corners + jitter)
    assert not loose.edges.are_closed
    joined, count = weld_seams(loose, 2e-5)
    assert count > 1000
    assert joined.edges.are_closed
    solid = build_solid(corners + jitter, name="x")
    assert solid.volume == pytest.approx(signed_volume(corners), rel=1e-5)
    assert "seams_welded" in {note.kind for note in solid.notes}


def test_fins_on_a_closed_body_are_left_out() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 5, 5)))
    fin = corners[:6].copy()
    fin[:, 2] *= 1.3
    solid = build_solid(np.concatenate([corners, fin]), name="x")
    assert solid.volume == pytest.approx(signed_volume(corners), rel=1e-9)
    assert "sheets_dropped" in {note.kind for note in solid.notes}


def test_a_small_piece_with_a_hole_is_closed_and_not_taken_for_a_sheet() -> None:
    body = corners_of(ellipsoid((0, 0, 0), (9, 9, 9)))
    hand = corners_of(ellipsoid((9.2, 0, 0), (1.0, 0.8, 0.8)))
    solid = build_solid(np.concatenate([body, with_holes(hand, 1, 0.2, 1)]), name="x")
    assert "sheets_dropped" not in {note.kind for note in solid.notes}
    whole = build_solid(np.concatenate([body, hand]), name="x")
    assert solid.volume == pytest.approx(whole.volume, rel=1e-5)


def test_half_a_hand_that_is_left_out_is_said_and_held_against_the_volume() -> None:
    body = corners_of(ellipsoid((0, 0, 0), (9, 9, 9)))
    hand = corners_of(ellipsoid((9.2, 0, 0), (1.0, 0.8, 0.8)))
    half = hand[hand[:, :, 2].mean(axis=1) > 0]
    solid = build_solid(np.concatenate([body, half]), name="x")
    (note,) = (note for note in solid.notes if note.kind == "sheets_dropped")
    assert solid.doubt == pytest.approx(signed_volume(hand) / 2, rel=0.1)
    assert note.volume == -solid.doubt


def test_half_a_head_that_would_be_left_out_is_refused() -> None:
    body = corners_of(ellipsoid((0, 0, 0), (9, 9, 9)))
    head = corners_of(ellipsoid((10, 0, 0), (1.8, 1.8, 1.8)))
    half = head[head[:, :, 2].mean(axis=1) > 0]
    with pytest.raises(InputRefused) as caught:
        build_solid(np.concatenate([body, half]), name="x")
    assert caught.value.problems[0].code == "scan_open_pieces"


def test_degenerate_facets_are_left_out() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 5, 5)))
    flat = corners[:9].copy()
    flat[:, 1] = flat[:, 0]
    solid = build_solid(np.concatenate([corners, flat]), name="x")
    assert [(note.kind, note.count) for note in solid.notes] == [("degenerate_dropped", 9)]
    assert solid.as_it_came


def test_a_facet_without_area_closes_no_hole() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (5, 5, 5)))
    flat = corners[:1].copy()
    flat[:, 1] = flat[:, 0]
    assert not build_solid(np.concatenate([corners[1:], flat]), name="x").as_it_came


def test_facets_without_area_do_not_join_parts_that_a_file_keeps_apart() -> None:
    cube = corners_of(manifold3d.Manifold.cube((4.0, 4.0, 4.0)))
    flat = cube[:1].copy()
    flat[:, 1] = flat[:, 0]
    beside = cube + np.array([4.0, 4.0, 0.0])  # touches along one edge
    parts = [np.concatenate([cube, flat]), beside, cube + np.array([1.0, 1.0, 1.0])]
    solid = build_solid(np.concatenate(parts), name="x", runs=[len(part) for part in parts])
    assert solid.volume == pytest.approx(3 * 64 - 27 - 3, rel=1e-9)
    assert not {"holes_closed", "facets_turned", "seams_welded"} & {note.kind for note in solid.notes}


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (1, 2, -3), (1e-9, 1, 1)])
def test_a_frame_is_right_handed_about_its_axis(axis: tuple[float, float, float]) -> None:
    frame = frame_of(np.array(axis, float))
    assert np.allclose(frame.T @ frame, np.eye(3))
    assert np.linalg.det(frame) == pytest.approx(1)
    assert np.allclose(frame[:, 2], np.array(axis) / np.linalg.norm(axis))


def test_a_cylinder_is_fitted_without_widening_by_noise() -> None:
    rng = np.random.default_rng(7)
    turn, z = rng.uniform(0, 2 * np.pi, 4000), rng.uniform(-20, 20, 4000)
    reach = 1.5 + rng.normal(scale=0.05, size=4000)
    points = np.column_stack([reach * np.cos(turn), reach * np.sin(turn), z])
    line = Line(np.array([0.2, -0.1, 0]), np.array([0.02, 0.01, 1.0]) / np.linalg.norm([0.02, 0.01, 1.0]), 1.3)
    for _ in range(5):
        line = fit_cylinder(points, line)
    assert line.radius == pytest.approx(1.5, abs=0.005)
    assert abs(line.axis[2]) == pytest.approx(1, abs=1e-5)


def test_the_longest_round_piece_is_found_and_none_on_a_ball() -> None:
    shape = capsule((0, 0, 0), (0, 0, 60), 1.5) + ellipsoid((0, 0, 0), (9, 7, 5))
    line = find_line(sample(surface(posed(corners_of(shape), 1)), 30_000), 3.0)
    assert line is not None
    assert line.radius == pytest.approx(1.5, abs=0.05)
    assert find_line(sample(surface(corners_of(ellipsoid((0, 0, 0), (9, 9, 9)))), 30_000), 3.0) is None


def test_clipping_keeps_the_volume_below_the_level() -> None:
    corners = corners_of(ellipsoid((0, 0, 0), (4, 4, 4)))
    below = clip_below(corners, 0.0)
    assert below[:, :, 2].max() <= 1e-12
    assert signed_volume(below, np.zeros(3)) == pytest.approx(signed_volume(corners) / 2, rel=1e-6)


def test_the_narrowest_width_is_the_calipers_not_the_boxs() -> None:
    side = 10.0
    triangle = np.array([[0, 0], [side, 0], [side / 2, side * math.sqrt(3) / 2]])
    assert narrowest(triangle)[1] == pytest.approx(side * math.sqrt(3) / 2)
    ellipse = np.column_stack([5 * np.cos(np.linspace(0, 6.28, 400)), 2 * np.sin(np.linspace(0, 6.28, 400))])
    angle, width = narrowest(ellipse)
    assert width == pytest.approx(4, abs=1e-3)
    assert abs(math.sin(angle)) == pytest.approx(1, abs=1e-2)


@pytest.mark.parametrize("sagitta", [0.5, 3.0])
def test_an_arc_fits_in_a_tube_as_wide_as_its_sagitta(sagitta: float) -> None:
    arc = (100**2 / 4 + sagitta**2) / (2 * sagitta)
    angle = np.linspace(-1, 1, 101) * math.asin(50 / arc)
    line = np.column_stack([arc * np.sin(angle), arc * np.cos(angle), np.zeros(101)])
    assert narrowest_tube(line) == pytest.approx(sagitta, rel=0.01)
    assert narrowest_tube(line[:, [0, 2, 2]]) == 0.0


def test_slabs_are_as_wide_as_the_body_at_their_height() -> None:
    corners = corners_of(cylinder(np.zeros(3), np.array([0, 0, 20.0]), 3.0, end_radius=1.0))
    widths = slab_widths(corners)
    assert widths.max() == pytest.approx(6.0, abs=0.05)
    assert widths.min() == pytest.approx(2.0, abs=0.1)


def test_a_patch_continues_a_paraboloid_and_needs_surface_all_around() -> None:
    x, y = np.random.default_rng(0).uniform(-4, 4, (2, 2000))
    points = np.column_stack([x, y, 1 + 0.1 * x**2 - 0.05 * y**2])
    patch = patch_under(points, 1.5, 3.5)
    assert np.abs(patch[:, 2] - (1 + 0.1 * patch[:, 0] ** 2 - 0.05 * patch[:, 1] ** 2)).max() < 1e-9
    assert len(patch_under(points[points[:, 0] > 0], 1.5, 3.5)) == 0


def test_pieces_that_share_edges_are_closed_each_for_itself() -> None:
    below = corners_of(manifold3d.Manifold.cube((4.0, 4.0, 4.0)))
    beside = below + np.array([4.0, 4.0, 0.0])  # touches along one edge
    above = below + np.array([0.0, 4.0, 4.0])
    shells = split_shells(weld(np.concatenate([below, beside, above])))
    assert [shell.fillings for shell in shells.closed] == [(), (), ()]
    assert sum(shell.volume for shell in shells.closed) == pytest.approx(3 * 64.0)


def test_pieces_that_overlap_up_to_a_shared_rim_need_no_filling() -> None:
    turn = np.arange(24) * (2 * np.pi / 24)
    ring = np.column_stack([7.0 * np.cos(turn), 7.0 * np.sin(turn), np.zeros(24)])
    after = np.roll(ring, -1, axis=0)

    def cone(tip: float, back: float) -> np.ndarray:
        sides = np.stack([ring, after, np.broadcast_to([0.0, 0.0, tip], ring.shape)], axis=1)
        floor = np.stack([after, ring, np.broadcast_to([0.0, 0.0, back], ring.shape)], axis=1)
        return np.concatenate([sides, floor])

    shells = split_shells(weld(np.concatenate([cone(9.0, -1.0), cone(5.0, -4.0)])))
    assert [shell.fillings for shell in shells.closed] == [(), ()]
    third = np.linalg.norm(np.cross(ring, after), axis=1).sum() / 2 / 3
    assert sum(shell.volume for shell in shells.closed) == pytest.approx(third * (10.0 + 9.0))
