from dataclasses import replace

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.quantity import Reading
from homolog.scan import ScanMeasurement, measure_scan
from homolog.scan.goal import measure_goal_surface
from homolog.scan.oriented import oriented_cloud, oriented_mesh
from homolog.scan.sources import instrument_of
from tools.make_ball_goal import GoalShape, ball_solid, corners_of_solid, goal_corners, goal_solid, scanned, stl_bytes, turned

CLEAR, WHOLE = "goal.post_length.clear", "goal.post_length.with_crossbar"
INNER, CENTRES = "goal.post_distance.inner_faces", "goal.post_distance.centres"
THICK, LEAN, DEPTH = "goal.bar_thickness", "goal.post_lean", "goal.goalline_to_back_bar"


def job(**changes):
    common = {"name": "goal.stl", "format": "stl-binary", "triangles": 1, "sha256": "0" * 64, "unit": None, "source": "cad"}
    return common | changes


def corners_of(shape: GoalShape, edge=0.0):
    solid, _ = goal_solid(shape)
    return goal_corners(shape, solid.refine_to_length(edge) if edge else solid)


def measure(corners, **changes) -> ScanMeasurement:
    return measure_goal_surface(oriented_mesh(corners), job(**changes))


def get(found: ScanMeasurement, quantity: str, place: str | None = None) -> Reading:
    return next(reading for reading in found.readings if (reading.quantity, reading.place) == (quantity, place))


def value(found: ScanMeasurement, quantity: str, place: str | None = None) -> float:
    return float(get(found, quantity, place).value)


def covers(reading: Reading, truth: float) -> bool:
    return abs(float(reading.value) - truth) <= float(reading.expanded_uncertainty) + 5e-4


@pytest.mark.parametrize("is_round", [False, True])
@pytest.mark.parametrize("edge", [0.0, 1.2])
def test_a_drawn_goal_measures_what_was_drawn(is_round, edge):
    found = measure(corners_of(GoalShape(is_round=is_round, post=4.0, top=3.6, side=3.0, back=4.4, sides=32), edge))
    assert found.unmeasured == ()
    for side in ("post_left", "post_right"):
        assert value(found, CLEAR, side) == pytest.approx(60.0, abs=0.01)
        assert value(found, WHOLE, side) == pytest.approx(63.6, abs=0.01)
        assert value(found, LEAN, side) == pytest.approx(0.0, abs=0.01)
        assert value(found, THICK, side) == pytest.approx(4.0, abs=0.01)
    assert value(found, INNER) == pytest.approx(125.0, abs=0.01)
    assert value(found, CENTRES) == pytest.approx(129.0, abs=0.01)
    assert value(found, THICK, "crossbar") == pytest.approx(3.6, abs=0.01)
    assert value(found, THICK, "back_bar") == pytest.approx(4.4, abs=0.01)
    assert {reading.place for reading in found.readings if reading.quantity == THICK} == {
        "post_left",
        "post_right",
        "crossbar",
        "back_bar",
        "side_bar_left",
        "side_bar_right",
    }


def test_the_distance_to_the_back_bar_is_bounds_over_the_faces_that_may_stand_on_the_goalline():
    found = measure(corners_of(GoalShape(post=4.0, depth=75.0)))
    depth = get(found, DEPTH)
    assert float(depth.lo) == pytest.approx(71.0, abs=0.01)
    assert float(depth.hi) == pytest.approx(75.0, abs=0.01)
    assert found.facts["back_bar_from_posts_front_face"].startswith("75.00 mm")
    assert found.facts["back_bar_from_posts_middle"].startswith("73.00 mm")
    assert found.facts["back_bar_from_posts_rear_face"].startswith("71.00 mm")


def test_a_post_that_leans_has_its_length_upright_and_its_lean_both_ways():
    found = measure(corners_of(GoalShape(lean=((0.3, 0.4), (0.0, 0.0)))))
    assert value(found, LEAN, "post_left") == pytest.approx(0.5, abs=0.005)
    assert value(found, LEAN, "post_right") == pytest.approx(0.0, abs=0.005)
    assert found.facts["post_left_lean"] == "+0.30 mm to the right, +0.40 mm to the rear"
    assert value(found, CLEAR, "post_left") == pytest.approx(60.0, abs=0.005)
    # At half the height the inner faces are nearer by half the lean; what they are at foot and top is within U.
    assert value(found, INNER) == pytest.approx(124.85, abs=0.005)
    assert 0.15 < float(get(found, INNER).expanded_uncertainty) < 0.2


def test_a_slanting_crossbar_gives_each_post_its_own_length():
    found = measure(corners_of(GoalShape(clear=(59.6, 60.2))))
    assert value(found, CLEAR, "post_left") == pytest.approx(59.6, abs=0.01)
    assert value(found, CLEAR, "post_right") == pytest.approx(60.2, abs=0.01)


def test_a_back_bar_out_of_parallel_is_a_fact_and_in_the_bounds():
    found = measure(corners_of(GoalShape(yaw=0.5)))
    # 1 mm over 129 mm between the posts' middle lines.
    assert found.facts["back_bar_parallel"] == (
        "off parallel to the crossbar by 1.00 mm seen from above and 0.00 mm seen from the front"
    )
    depth = get(found, DEPTH)
    assert float(depth.lo) < 70.5
    assert float(depth.hi) > 75.5


def test_a_raised_back_bar_on_uprights_is_found():
    found = measure(corners_of(GoalShape(raised=30.0)))
    assert value(found, THICK, "back_bar") == pytest.approx(4.0, abs=0.005)
    assert float(get(found, DEPTH).hi) == pytest.approx(75.0, abs=0.02)
    places = {reading.place for reading in found.readings if reading.quantity == THICK}
    assert {"side_bar_left_lower", "side_bar_left_upper", "side_bar_right_lower", "side_bar_right_upper"} <= places


@pytest.mark.parametrize("extra", ["sheet", "strands"])
def test_a_net_is_left_out(extra):
    plain = measure(corners_of(GoalShape(has_upper=True)))
    netted = measure(corners_of(GoalShape(has_upper=True, extra=extra)))
    assert {(r.quantity, r.place) for r in netted.readings} == {(r.quantity, r.place) for r in plain.readings}
    for reading in plain.readings:
        if reading.value is not None:
            assert value(netted, reading.quantity, reading.place) == pytest.approx(float(reading.value), abs=0.01)


def test_plates_under_the_feet_are_the_board_s_level():
    found = measure(corners_of(GoalShape(extra="feet")))
    assert value(found, CLEAR, "post_left") == pytest.approx(61.5, abs=0.02)
    assert value(found, THICK, "post_left") == pytest.approx(4.0, abs=0.01)


def test_on_a_scanned_board_a_bar_of_which_one_side_is_hidden_is_only_at_least_so_thick():
    found = measure(corners_of(GoalShape(extra="board")))
    assert value(found, CLEAR, "post_left") == pytest.approx(60.0, abs=0.01)
    back = get(found, THICK, "back_bar")
    assert back.value is None
    assert back.hi is None
    assert float(back.lo) == pytest.approx(4.0, abs=0.02)
    assert any(missing.place == "back_bar" and "not seen" in missing.reason for missing in found.unmeasured)


def test_a_frame_that_is_a_goal_in_two_ways_gives_bounds_over_both():
    # Posts of 60 mm and side bars of 58 mm: turned over, posts of 58 mm with the crossbar, and side bars of 64 mm.
    found = measure(corners_of(GoalShape(clear=(60.0, 60.0), depth=58.0)))
    clear = get(found, CLEAR, "post_left")
    assert float(clear.lo) == pytest.approx(54.0, abs=0.01)
    assert float(clear.hi) == pytest.approx(60.0, abs=0.01)
    assert value(found, INNER) == pytest.approx(125.0, abs=0.01)
    assert found.facts["ways_to_see_it"].startswith("2:")


def test_pose_and_order_change_nothing():
    corners = corners_of(GoalShape(is_round=True, clear=(59.8, 60.1)), 1.0)
    rng = np.random.default_rng(8)
    reference = measure(corners)
    for other in (turned(corners, rng), corners[rng.permutation(len(corners))]):
        found = measure(other)
        for same in reference.readings:
            if same.value is not None:
                u = float(same.expanded_uncertainty)
                assert value(found, same.quantity, same.place) == pytest.approx(float(same.value), abs=u + 0.002)


@pytest.mark.parametrize(("unit", "factor"), [("mm", 1.0), ("cm", 0.1), ("in", 1 / 25.4), ("m", 0.001)])
def test_the_unit_is_the_one_in_which_it_is_a_goal(unit, factor):
    found = measure(corners_of(GoalShape()) * factor)
    assert (found.unit, found.unit_is_assumed) == (unit, True)
    assert value(found, INNER) == pytest.approx(125.0, abs=0.01)


def test_a_declared_unit_that_makes_no_goal_is_refused():
    with pytest.raises(InputRefused) as refusal:
        measure(corners_of(GoalShape()), unit="cm")
    assert refusal.value.problems[0].code == "scan_unit_implausible"
    assert refusal.value.problems[0].todo == "declare mm if that is the file's unit"


@pytest.mark.parametrize(("is_round", "sigma", "length"), [(False, 0.03, 1.0), (True, 0.06, 0.0), (True, 0.1, 1.0)])
def test_a_noisy_scan_covers_the_truth(is_round, sigma, length):
    shape = GoalShape(is_round=is_round, post=3.4, top=3.2, clear=(59.7, 60.0), lean=((0.2, 0.3), (0.0, 0.1)), has_upper=True)
    rng = np.random.default_rng(4)
    corners = scanned(corners_of(shape, 1.0), rng, source="cad", sigma=sigma, length=length, systematic=False)
    found = measure(turned(corners, rng), source="structured_light")
    truth = {
        (CLEAR, "post_left"): 59.7,
        (CLEAR, "post_right"): 60.0,
        (WHOLE, "post_left"): 62.9,
        (INNER, None): 124.9,
        (CENTRES, None): 128.3,
        (THICK, "post_left"): 3.4,
        (THICK, "crossbar"): 3.2,
        (LEAN, "post_left"): np.hypot(0.2, 0.3),
        (LEAN, "post_right"): 0.1,
    }
    for (quantity, place), number in truth.items():
        assert covers(get(found, quantity, place), number), (quantity, place)
    assert found.unmeasured == ()


def test_the_offset_shrinks_an_opening_thickens_a_bar_and_leaves_a_clear_post():
    budgets = {(b.quantity, b.place): b for b in measure(corners_of(GoalShape(), 1.0), source="laser").budgets}

    def offset(quantity, place=None):
        lines = budgets[quantity, place].contributions
        return next((float(line.standard_uncertainty) for line in lines if line.name == "offset"), 0.0)

    assert offset(INNER) == 0.06
    assert offset(THICK, "crossbar") == 0.06
    assert offset(WHOLE, "post_left") == 0.06
    assert offset(CLEAR, "post_left") == 0.0
    assert offset(CENTRES) == 0.0


def test_a_point_cloud_measures_like_its_mesh():
    rng = np.random.default_rng(2)
    corners = scanned(corners_of(GoalShape(has_upper=True), 0.7), rng, source="cad", sigma=0.02, length=0.0, systematic=False)
    mesh = oriented_mesh(corners)
    found = measure_goal_surface(oriented_cloud(mesh.points, mesh.normals), job(source="structured_light"))
    assert covers(get(found, INNER), 125.0)
    assert covers(get(found, CLEAR, "post_left"), 60.0)
    assert covers(get(found, THICK, "crossbar"), 4.0)


def test_what_shows_no_goal_is_not_measured_at_all():
    found = measure(corners_of_solid(ball_solid((120.0, 120.0, 120.0), 4.0)))
    assert found.readings == ()
    assert {missing.quantity for missing in found.unmeasured} == {CLEAR, WHOLE, INNER, CENTRES, LEAN, THICK, DEPTH}


def test_a_goal_without_its_back_bar_says_that_it_is_missing():
    corners = corners_of(GoalShape(), 1.0)
    found = measure(corners[corners[:, :, 1].min(axis=1) < 60.0])
    assert value(found, INNER) == pytest.approx(125.0, abs=0.01)
    assert any(missing.quantity == DEPTH and "rear" in missing.reason for missing in found.unmeasured)


def test_the_door_measures_a_goal():
    data = stl_bytes(corners_of(GoalShape()))
    found = measure_scan(data, name="goal.stl", item="goal", source="cad")
    assert found == ScanMeasurement.from_json(found.to_json())
    assert value(found, INNER) == pytest.approx(125.0, abs=0.01)
    assert found.closed


def test_a_correction_moves_thickness_and_opening_against_each_other_and_leaves_centres():
    corners = corners_of(GoalShape(post=4.0), 1.2)
    instrument = instrument_of("laser")
    right = replace(instrument, offset_correction=0.03, scale_correction=1e-3)
    bare, found = (measure(corners, source="laser", instrument=one.to_job()) for one in (instrument, right))
    for quantity, place, surfaces in (
        (THICK, "post_left", 2),
        (INNER, None, -2),
        (CENTRES, None, 0),
        (CLEAR, "post_left", 0),
        (WHOLE, "post_left", 2),
    ):
        expected = (value(bare, quantity, place) - surfaces * 0.03) / 1.001
        assert value(found, quantity, place) == pytest.approx(expected, abs=0.0011), quantity
    depths = get(bare, DEPTH), get(found, DEPTH)
    assert float(depths[1].hi) == pytest.approx((float(depths[0].hi) - 0.06) / 1.001, abs=0.002)
