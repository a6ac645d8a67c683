import math
from decimal import Decimal

import manifold3d
import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.quantity import Reading
from homolog.scan import ScanMeasurement, measure_scan
from homolog.scan.ball import measure_ball_surface
from homolog.scan.oriented import oriented_cloud, oriented_mesh
from tools.make_ball_goal import ball_solid, corners_of_solid, scanned, stl_bytes, turned


def job(**changes):
    common = {"name": "ball.stl", "format": "stl-binary", "triangles": 1, "sha256": "0" * 64, "unit": None, "source": "cad"}
    return common | {"density": None} | changes


def measure(corners, **changes) -> ScanMeasurement:
    return measure_ball_surface(oriented_mesh(corners), job(**changes))


def ball(d1=22.0, d2=22.0, d3=22.0, edge=0.5):
    return corners_of_solid(ball_solid((d1, d2, d3), edge))


def at(found: ScanMeasurement, place: str) -> Reading:
    return next(reading for reading in found.readings if reading.place == place)


def covers(reading: Reading, truth: float) -> bool:
    return abs(float(reading.value) - truth) <= float(reading.expanded_uncertainty) + 5e-4


def seen_part(corners, above):
    return corners[corners.mean(axis=1)[:, 2] > above]


@pytest.mark.parametrize("edge", [0.3, 0.5])
def test_a_drawn_ball_measures_its_diameter_at_all_three_places(edge):
    found = measure(ball(edge=edge))
    assert [reading.place for reading in found.readings] == ["least_squares", "largest", "smallest"]
    assert {reading.method for reading in found.readings} == {"cad"}
    for reading in found.readings:
        assert float(reading.value) == pytest.approx(22.0, abs=0.001)
        assert reading.expanded_uncertainty < Decimal("0.02")


def test_an_oval_ball_has_its_long_axis_as_largest_and_its_short_one_as_smallest():
    found = measure(ball(22.2, 22.0, 21.8))
    assert float(at(found, "largest").value) == pytest.approx(22.2, abs=0.002)
    assert float(at(found, "smallest").value) == pytest.approx(21.8, abs=0.002)
    assert float(at(found, "least_squares").value) == pytest.approx(22.0, abs=0.002)
    assert found.facts["sphericity"].startswith("0.200 mm")


def test_the_corners_of_coarse_facets_count_and_their_depth_enters_u():
    found = measure(ball(edge=2.5))
    reading = at(found, "least_squares")
    assert float(reading.value) == pytest.approx(22.0, abs=0.002)
    # A facet of a subdivided octahedron with sides of 2.4 mm lies some 0.1 mm inside.
    assert 0.05 < float(reading.expanded_uncertainty) < 0.4


def test_a_mesh_refined_without_moving_it_gives_the_same_diameter():
    solid = ball_solid((22.0, 22.0, 22.0), 2.0)
    plain, refined = measure(corners_of_solid(solid)), measure(corners_of_solid(solid.refine(4)))
    assert float(at(refined, "least_squares").value) == pytest.approx(22.0, abs=0.002)
    assert float(at(refined, "smallest").value) == pytest.approx(float(at(plain, "smallest").value), abs=0.003)
    u = at(plain, "smallest").expanded_uncertainty
    assert at(refined, "smallest").expanded_uncertainty == pytest.approx(u, rel=Decimal("0.1"))


@pytest.mark.parametrize(("sigma", "length"), [(0.05, 0.0), (0.1, 0.0), (0.05, 1.0)])
def test_noise_is_not_taken_for_ovality(sigma, length):
    corners = scanned(ball(), np.random.default_rng(3), source="cad", sigma=sigma, length=length, systematic=False)
    found = measure(corners, source="structured_light")
    raw = np.ptp(np.linalg.norm(corners.reshape(-1, 3), axis=1))
    assert float(found.facts["sphericity"].split()[0]) < 0.25 * raw
    for reading in found.readings:
        assert reading.method == "scan.extent"
        assert covers(reading, 22.0)
        # No more than half above what the offset of the class alone demands: 2 x 2 x 0.020 mm.
        assert reading.expanded_uncertainty < Decimal("0.12")


def test_u_of_a_clean_full_scan_is_the_offset_at_both_ends_and_the_scale():
    corners = scanned(ball(), np.random.default_rng(1), source="cad", sigma=0.02, length=0.0, systematic=False)
    reading = at(measure(corners, source="structured_light"), "least_squares")
    offset, scale = 2 * 0.020, 22 * math.hypot(5e-4, 1.4e-4)
    assert float(reading.expanded_uncertainty) == pytest.approx(2 * math.hypot(offset, scale), abs=0.002)


def test_u_grows_as_less_of_the_ball_is_seen():
    rng = np.random.default_rng(5)
    whole = scanned(ball(22.1, 22.0, 21.9), rng, source="cad", sigma=0.04, length=0.6, systematic=False)
    full, half = (measure(part, source="structured_light") for part in (whole, seen_part(whole, 0.0)))
    assert half.facts["coverage"] in {"50 %", "51 %", "52 %", "53 %"}
    for place, truth in (("largest", 22.1), ("smallest", 21.9)):
        assert covers(at(full, place), truth)
        assert covers(at(half, place), truth)
        assert at(half, place).expanded_uncertainty > at(full, place).expanded_uncertainty


def test_a_cap_bounds_the_extremes_and_says_so():
    rng = np.random.default_rng(6)
    corners = scanned(seen_part(ball(), 5.0), rng, source="cad", sigma=0.03, length=0.0, systematic=False)
    found = measure(corners, source="structured_light")
    assert covers(at(found, "least_squares"), 22.0)
    largest, smallest = at(found, "largest"), at(found, "smallest")
    assert largest.value is None
    assert largest.hi is None
    assert largest.lo < 22
    assert smallest.lo is None
    assert smallest.hi > 22
    assert [missing.place for missing in found.unmeasured] == ["largest", "smallest"]
    assert "more sides" in found.unmeasured[0].reason


def test_too_small_a_cap_gives_no_diameter():
    found = measure(seen_part(ball(), 9.5))
    assert found.readings == ()
    assert "of the ball, less than the 15 %" in found.unmeasured[0].reason


def hollow(wall=0.8):
    return corners_of_solid(ball_solid((22.0,) * 3, 0.6) - ball_solid((22.0 - 2 * wall,) * 3, 0.6))


def test_an_inner_shell_shows_a_wall_and_the_mass_stays_a_fact():
    found = measure(hollow(), density="1.05")
    assert found.facts["wall_thickness"] == "0.800 mm"
    assert found.facts["material"] == "hollow, as the file shows"
    volume = math.pi / 6 * (22**3 - 20.4**3)
    assert found.facts["mass_estimate"].startswith(f"{volume / 1000 * 1.05:.2f} g")
    assert {reading.quantity for reading in found.readings} == {"ball.diameter"}
    assert float(at(found, "largest").value) == pytest.approx(22.0, abs=0.002)


def test_without_an_inner_shell_a_mass_is_that_of_a_full_ball():
    found = measure(ball(), density="1.05")
    assert "mass_estimate" not in found.facts
    assert found.facts["mass_if_solid"].startswith("5.85 g")
    assert found.facts["material"] == "the file shows no inside"


def test_pose_order_and_sense_change_nothing():
    corners = ball(22.2, 22.0, 21.9)
    rng = np.random.default_rng(8)
    reference = measure(corners)
    for other in (turned(corners, rng), corners[rng.permutation(len(corners))], corners[:, ::-1]):
        for mine, same in zip(measure(other).readings, reference.readings, strict=True):
            assert float(mine.value) == pytest.approx(float(same.value), abs=0.002)


@pytest.mark.parametrize(("unit", "factor"), [("mm", 1.0), ("cm", 0.1), ("in", 1 / 25.4), ("m", 0.001)])
def test_the_unit_is_the_one_in_which_it_is_a_ball(unit, factor):
    found = measure(ball() * factor)
    assert found.unit == unit
    assert float(at(found, "largest").value) == pytest.approx(22.0, abs=0.002)
    assert "within the 14 to 34 mm of a ball" in found.unit_reason
    assert found.unit_is_assumed


def test_a_declared_unit_that_makes_no_ball_is_refused():
    with pytest.raises(InputRefused) as refusal:
        measure(ball(), unit="cm")
    assert refusal.value.problems[0].code == "scan_unit_implausible"


def test_a_sphere_that_is_a_ball_in_no_unit_is_asked_about():
    with pytest.raises(InputRefused) as refusal:
        measure(ball() * 3)
    assert refusal.value.problems[0].code == "scan_unit_unknown"


def test_a_cube_is_no_ball():
    cube = corners_of_solid(manifold3d.Manifold.cube((22.0, 22.0, 22.0)).refine(12))
    found = measure(cube)
    assert found.readings == ()
    assert "export the ball alone" in found.unmeasured[0].reason


def test_a_stand_under_the_ball_is_left_out():
    stand = manifold3d.Manifold.cylinder(8.0, 3.0, 3.0, 40).translate((0, 0, -18.5))
    solid = ball_solid((22.0,) * 3, 0.5) + stand.refine_to_length(0.6)
    found = measure(corners_of_solid(solid))
    assert float(at(found, "least_squares").value) == pytest.approx(22.0, abs=0.004)
    assert float(found.facts["surface_on_ball"].split()[0]) < 95


def test_a_point_cloud_measures_like_its_mesh():
    corners = scanned(ball(22.2, 22.0, 21.8), np.random.default_rng(2), source="cad", sigma=0.03, length=0.0, systematic=False)
    mesh = oriented_mesh(corners)
    found = measure_ball_surface(oriented_cloud(mesh.points, mesh.normals), job(source="structured_light"))
    for place, truth in (("largest", 22.2), ("least_squares", 22.0), ("smallest", 21.8)):
        assert covers(at(found, place), truth)


def test_the_door_measures_a_ball_with_a_stated_density():
    found = measure_scan(stl_bytes(hollow()), name="ball.stl", item="ball", source="cad", density=Decimal("1.05"))
    assert found == ScanMeasurement.from_json(found.to_json())
    assert [budget.place for budget in found.budgets] == ["least_squares", "largest", "smallest"]
    assert found.closed
    assert found.facts["mass_estimate"].endswith("at the stated 1.05 g/cm3; an estimate, no weighing")


def test_the_door_measures_a_point_cloud_of_a_ball():
    mesh = oriented_mesh(ball())
    lines = [
        " ".join(f"{number:.6f}" for number in (*point, *normal)) for point, normal in zip(mesh.points, mesh.normals, strict=True)
    ]
    found = measure_scan("\n".join(lines).encode(), name="ball.xyz", item="ball", source="structured_light")
    assert found.triangles == 0
    assert covers(at(found, "largest"), 22.0)
    assert covers(at(found, "smallest"), 22.0)
