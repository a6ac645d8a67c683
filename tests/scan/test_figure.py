"""A playing figure's numbers: right on bodies of known form, the same in every pose, unit and order, honest where unseen."""

from __future__ import annotations

import hashlib
from decimal import Decimal

import manifold3d
import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from homolog.quantity import Reading
from homolog.scan import measure_scan, measure_scan_set
from homolog.scan.figure import measure_figure
from homolog.scan.figure_outline import enclosing_circle
from homolog.scan.figure_separate import reading_order, separate
from homolog.scan.figure_sizes import (
    BASE_DIAMETER,
    BASE_HEIGHT,
    HEIGHT,
    QUANTITIES,
    RIM_HEIGHT,
    THICKNESS,
    WIDTH,
    WITHOUT_BASE,
)
from homolog.scan.measurement import ScanMeasurement
from tests.bodies import binary_stl, capsule, corners_of, ellipsoid, posed, rough, with_holes

Solid = manifold3d.Manifold
UNION = manifold3d.OpType.Add
TALL, WIDE, THICK, TOP = 30.0, 10.0, 4.0, 34.0


def bar(radius: float, low: float, high: float, upper: float | None = None, sides: int = 128) -> Solid:
    top = radius if upper is None else upper
    return Solid.cylinder(high - low, radius, top, sides).translate((0, 0, low))


def person(floor: float = 6.0) -> list[Solid]:
    """An ellipsoid with two legs and two arms: 4 thick, 10 wide, its top at 34."""
    pieces = [ellipsoid((0, 0, 22), (3.0, THICK / 2, TOP - 22), 0.5)]
    for side in (-1, 1):
        pieces += [
            capsule((side * 1.5, 0, 16), (side * 1.8, 0, floor + 0.5), 1.4, 0.5),
            capsule((side * 2.0, 0, 26), (side * (WIDE / 2 - 1.2), 0, 18), 1.2, 0.5),
        ]
    return pieces


def disc(radius: float = 9.0) -> Solid:
    return bar(radius, 0, 6)


def dome() -> Solid:
    """An upright rim of 3 mm under half an ellipsoid of 3 mm."""
    top = ellipsoid((0, 0, 3), (9, 9, 3), 0.4).trim_by_plane((0, 0, 1), 2.99)
    return bar(9, 0, 3) + top


def bowl() -> Solid:
    return ellipsoid((0, 0, 6), (9, 9, 6), 0.4).trim_by_plane((0, 0, -1), -6)


def figure(base: Solid) -> Solid:
    return Solid.batch_boolean([base, *person()], UNION)


def faces(solid: Solid, edge: float = 0.7) -> np.ndarray:
    return corners_of(solid.refine_to_length(edge))


def measure(corners: np.ndarray, *, unit: str | None = None, source: str = "structured_light") -> ScanMeasurement:
    data = binary_stl(corners)
    job = {"name": "figure.stl", "unit": unit, "source": source, "sha256": hashlib.sha256(data).hexdigest()}
    return measure_figure(check_mesh(data, name="figure.stl"), job)


def reading(measurement: ScanMeasurement, quantity: str) -> Reading:
    (found,) = (item for item in measurement.readings if item.quantity == quantity)
    return found


def value(measurement: ScanMeasurement, quantity: str) -> float:
    number = reading(measurement, quantity).value
    assert number is not None
    return float(number)


def covers(measurement: ScanMeasurement, quantity: str, truth: float) -> bool:
    u = reading(measurement, quantity).expanded_uncertainty
    assert u is not None
    return abs(value(measurement, quantity) - truth) <= float(u)


def why_not(measurement: ScanMeasurement, quantity: str) -> str:
    (found,) = (item.reason for item in measurement.unmeasured if item.quantity == quantity)
    return found


TRUTH = {BASE_DIAMETER: 18.0, BASE_HEIGHT: 6.0, WIDTH: WIDE, THICKNESS: THICK, HEIGHT: TOP, WITHOUT_BASE: TOP - 6.0}


@pytest.fixture(scope="module")
def discs() -> ScanMeasurement:
    return measure(posed(faces(figure(disc())), 4))


# Closed form


@pytest.mark.parametrize(("kind", "make"), [("disc", disc), ("dome", dome), ("bowl", bowl)])
def test_every_kind_of_base_gives_the_sizes_it_was_made_with(kind: str, make) -> None:
    found = measure(posed(faces(figure(make())), 8))
    assert found.facts["base_kind"] == kind
    for quantity, truth in TRUTH.items():
        assert covers(found, quantity, truth), (quantity, reading(found, quantity))
        assert value(found, quantity) == pytest.approx(truth, abs=0.05), quantity


def test_the_rim_of_a_dome_is_where_its_upright_side_ends() -> None:
    found = measure(posed(faces(figure(dome())), 1))
    assert covers(found, RIM_HEIGHT, 3.0)
    assert value(found, RIM_HEIGHT) == pytest.approx(3.0, abs=0.15)


def test_a_dome_that_meets_its_rim_at_an_angle_has_its_rim_there() -> None:
    high, rim = 6.0, 3.0
    ball = (9.0**2 + (high - rim) ** 2) / (2 * (high - rim))
    top = ellipsoid((0, 0, high - ball), (ball, ball, ball), 0.5) + Solid.cube((40, 40, 2 * rim), True)
    found = measure(faces(figure(bar(9, 0, 7) ^ top)))
    assert covers(found, RIM_HEIGHT, rim)
    assert covers(found, BASE_HEIGHT, high)


def test_the_base_height_of_a_dome_reaches_its_apex_under_the_feet() -> None:
    found = measure(faces(figure(dome())))
    assert value(found, BASE_HEIGHT) == pytest.approx(6.0, abs=0.05)
    assert value(found, BASE_HEIGHT) - value(found, RIM_HEIGHT) == pytest.approx(3.0, abs=0.15)


def test_a_flat_base_has_no_rim_and_says_so(discs: ScanMeasurement) -> None:
    assert "flat" in why_not(discs, RIM_HEIGHT)


def test_the_base_volume_is_that_of_its_form() -> None:
    for make, volume in ((disc, np.pi * 81 * 6), (bowl, np.pi * 81 * 4), (dome, np.pi * 81 * 5)):
        found = measure(faces(figure(make())))
        assert float(found.facts["base_volume"].split()[0]) == pytest.approx(volume, rel=0.015)


def test_an_oval_base_is_as_wide_as_the_circle_it_fits_into() -> None:
    found = measure(posed(faces(figure(disc(9.0).scale((1.02, 1.0, 1.0)))), 2))
    assert value(found, BASE_DIAMETER) == pytest.approx(18.36, abs=0.01)
    assert float(found.facts["base_roundness"].split()[0]) == pytest.approx(0.18, abs=0.03)


def test_the_widest_place_counts_wherever_it_is() -> None:
    for base in (bar(9, 0, 6, upper=8.2), bar(8.2, 0, 6, upper=9)):
        assert value(measure(faces(figure(base))), BASE_DIAMETER) == pytest.approx(18.0, abs=0.01)


@pytest.mark.parametrize("turn", [0.0, 31.0, 77.0])
def test_thickness_is_the_narrowest_caliper_width_and_width_lies_across_it(turn: float) -> None:
    # A parallelogram, turned: neither its box nor its longest line gives these.
    corners = [(-5.5, -2.0), (2.5, -2.0), (5.5, 2.0), (-2.5, 2.0)]
    slab = Solid.extrude(manifold3d.CrossSection([corners]), 20).translate((0, 0, 10)).rotate((0, 0, turn))
    found = measure(faces(Solid.batch_boolean([disc(), bar(1, 5, 15), slab], UNION)))
    assert value(found, THICKNESS) == pytest.approx(4.0, abs=0.005)
    assert value(found, WIDTH) == pytest.approx(11.0, abs=0.005)


def test_the_base_never_leaks_into_the_figures_width() -> None:
    found = measure(rough(figure(disc()), 0.05, 0.5, 3))
    assert value(found, WIDTH) == pytest.approx(WIDE, abs=0.3)
    assert value(found, THICKNESS) == pytest.approx(THICK, abs=0.3)


def test_a_chamfer_is_part_of_the_base() -> None:
    found = measure(faces(figure(bar(9, 0, 5) + bar(9, 5, 6, upper=8))))
    assert value(found, BASE_HEIGHT) == pytest.approx(6.0, abs=0.02)
    assert found.facts["base_kind"] == "disc"


# Same part, same answer


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_pose_changes_nothing(seed: int, discs: ScanMeasurement) -> None:
    other = measure(posed(faces(figure(disc())), seed))
    for quantity in TRUTH:
        assert value(other, quantity) == pytest.approx(value(discs, quantity), abs=0.003)


def test_the_order_of_the_facets_changes_nothing(discs: ScanMeasurement) -> None:
    corners = posed(faces(figure(disc())), 4)
    other = measure(np.random.default_rng(0).permutation(corners))
    for quantity in TRUTH:
        assert value(other, quantity) == pytest.approx(value(discs, quantity), abs=0.002)


@pytest.mark.parametrize(("unit", "factor"), [("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("m", 1000.0)])
def test_the_unit_is_found_and_changes_nothing(unit: str, factor: float, discs: ScanMeasurement) -> None:
    other = measure(posed(faces(figure(disc())), 4) / factor)
    assert other.unit == unit
    assert "playing figure" in other.unit_reason
    assert other.unit_is_assumed
    assert not measure(posed(faces(figure(disc())), 4) / factor, unit=unit).unit_is_assumed
    for quantity in TRUTH:
        assert value(other, quantity) == pytest.approx(value(discs, quantity), abs=0.003)


def test_a_declared_unit_that_makes_no_figure_is_refused() -> None:
    with pytest.raises(InputRefused) as caught:
        measure(faces(figure(disc())), unit="in")
    assert caught.value.problems[0].code == "scan_unit_implausible"


def test_upside_down_is_turned_upright() -> None:
    corners = faces(figure(bowl())) * np.array([1.0, -1.0, -1.0])
    assert value(measure(corners), BASE_HEIGHT) == pytest.approx(6.0, abs=0.02)


# Noise and defects


@pytest.mark.parametrize(("sigma", "correlation"), [(0.03, 0.0), (0.03, 0.6), (0.1, 0.0), (0.1, 1.0)])
def test_a_noisy_scan_keeps_the_truth_within_its_uncertainty(sigma: float, correlation: float) -> None:
    for at, make in enumerate((disc, dome, bowl)):
        found = measure(posed(rough(figure(make()), sigma, 0.5, 20 + at, correlation), at))
        missed = [quantity for quantity, truth in TRUTH.items() if not covers(found, quantity, truth)]
        assert not missed, (make.__name__, missed)


def test_the_uncertainty_of_a_clean_drawing_is_small() -> None:
    u = reading(measure(faces(figure(disc())), source="cad"), BASE_DIAMETER)
    assert u.method == "cad"
    assert u.expanded_uncertainty is not None
    assert u.expanded_uncertainty < Decimal("0.02")


def test_a_scans_uncertainty_is_mostly_its_offset() -> None:
    clean = reading(measure(faces(figure(disc()))), BASE_DIAMETER).expanded_uncertainty
    rough_u = reading(measure(rough(figure(disc()), 0.03, 0.5, 5, 0.6)), BASE_DIAMETER).expanded_uncertainty
    assert clean is not None
    assert rough_u is not None
    assert clean < Decimal("0.1")
    assert clean <= rough_u < Decimal("0.25")


def test_offset_cancels_in_the_height_above_the_base(discs: ScanMeasurement) -> None:
    (budget,) = (item for item in discs.budgets if item.quantity == WITHOUT_BASE)
    assert "offset" not in {line.name for line in budget.contributions}
    (whole,) = (item for item in discs.budgets if item.quantity == HEIGHT)
    assert "offset" in {line.name for line in whole.contributions}


def test_small_holes_leave_the_sizes_within_their_uncertainty() -> None:
    found = measure(with_holes(posed(faces(figure(disc()), 0.4), 3), 5, 0.7, 9))
    assert any(repair.kind == "holes_closed" for repair in found.repairs)
    for quantity in (BASE_DIAMETER, BASE_HEIGHT):
        assert covers(found, quantity, TRUTH[quantity])


@pytest.mark.parametrize("radius", [0.8, 1.5, 2.4, 4.0, 6.0])
def test_a_hole_at_the_crown_leaves_only_what_the_height_is_at_least(radius: float) -> None:
    corners = faces(figure(disc()), 0.4)
    kept = corners[np.linalg.norm(corners.mean(axis=1) - np.array([0, 0, TOP]), axis=1) > radius]
    found = measure(posed(kept, 7))
    for quantity in (HEIGHT, WITHOUT_BASE):
        item = reading(found, quantity)
        assert item.value is None
        assert item.lo is not None
        assert TRUTH[quantity] - 3 * radius < float(item.lo) <= TRUTH[quantity]
        assert item.marks == ("hole_where_it_ends",)
    assert covers(found, BASE_DIAMETER, 18.0)


@pytest.mark.parametrize("make", [disc, bowl])
def test_an_underside_that_was_not_scanned_leaves_lower_bounds_only(make) -> None:
    corners = faces(figure(make()))
    found = measure(posed(corners[corners[:, :, 2].max(axis=1) > 0.6], 5))
    for quantity in (HEIGHT, BASE_HEIGHT):
        item = reading(found, quantity)
        assert item.value is None
        assert item.lo is not None
        assert TRUTH[quantity] - 1.4 < float(item.lo) <= TRUTH[quantity]
        assert item.marks == ("underside_not_seen",)
    assert covers(found, BASE_DIAMETER, 18.0)
    assert covers(found, WIDTH, WIDE)
    assert found.facts["base_kind"] == "undecided"


# Nothing wrong where nothing is right


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        (bar(9, 0, 30, upper=2), "upper face"),
        (ellipsoid((0, 0, 0), (15, 15, 15)), "middle"),
        (bar(10, 0, 30), "middle"),
        (Solid.cube((30, 30, 30)), "no round base"),
        (Solid.batch_boolean(person(), UNION), "no round base"),
        (Solid.batch_boolean([Solid.cube((18, 18, 12), True), *person()], UNION), "no round base"),
        (Solid.batch_boolean([bar(9, 0, 6, sides=6), *person()], UNION), "not round"),
        (Solid.batch_boolean([disc(), *person(), bar(9, 32, 38)], UNION), "two round parts"),
    ],
    ids=["cone", "ball", "bar", "cube", "no base", "square base", "six sides", "two bases"],
)
def test_a_body_without_a_base_to_trust_is_not_measured(shape: Solid, says: str) -> None:
    found = measure(posed(faces(shape), 6))
    assert not found.readings
    assert {item.quantity for item in found.unmeasured} == set(QUANTITIES)
    assert says in why_not(found, BASE_DIAMETER)


def test_a_base_too_far_from_round_is_not_measured() -> None:
    found = measure(faces(figure(disc().scale((1.08, 1.0, 1.0)))))
    assert not found.readings
    assert "round" in why_not(found, BASE_DIAMETER)


def test_a_collar_leaves_open_where_the_base_ends() -> None:
    found = measure(faces(Solid.batch_boolean([disc(), bar(5, 5, 8), *person(8.0)], UNION)))
    assert covers(found, BASE_DIAMETER, 18.0)
    assert covers(found, HEIGHT, TOP)
    for quantity in (BASE_HEIGHT, WIDTH, THICKNESS, WITHOUT_BASE):
        assert "cannot be told" in why_not(found, quantity)


# Several in one file


def plate() -> np.ndarray:
    """Five figures in two rows, told apart by the heights of their heads, in no order."""
    places = [(0, 30, 33.0), (24, 30, 34.0), (48, 30, 35.0), (0, 0, 36.0), (24, 0, 37.0)]
    bodies = []
    for x, y, top in places:
        head = ellipsoid((0, 0, 30), (1.5, 1.5, top - 30), 0.5)
        body = Solid.batch_boolean([disc(), *(piece.scale((1, 1, 0.95)) for piece in person(6.3)), head], UNION)
        bodies.append(faces(body, 1.0) + np.array([x, y, 0]))
    return np.random.default_rng(1).permutation(np.concatenate(bodies))


def test_figures_on_one_plate_are_numbered_left_to_right_and_row_by_row() -> None:
    parts = measure_scan_set(binary_stl(plate()), name="plate.stl")
    assert [part.facts["part"] for part in parts] == [f"{number} of 5" for number in range(1, 6)]
    assert [value(part, HEIGHT) for part in parts] == pytest.approx([33.0, 34.0, 35.0, 36.0, 37.0], abs=0.03)
    assert reading(parts[2], HEIGHT).evidence == f"scan:{parts[2].sha256[:12]}#3"


def test_one_figure_in_a_set_is_what_it_is_alone() -> None:
    corners = faces(figure(disc()), 1.0)
    (part,) = measure_scan_set(binary_stl(corners), name="one.stl")
    alone = measure_scan(binary_stl(corners), name="one.stl", item="figure")
    assert [item.value for item in part.readings] == [item.value for item in alone.readings]


def test_several_figures_are_refused_where_one_was_asked_for() -> None:
    with pytest.raises(InputRefused) as caught:
        measure_scan(binary_stl(plate()), name="plate.stl", item="figure")
    assert caught.value.problems[0].code == "scan_several_bodies"


def test_shells_that_overlap_are_one_figure_and_not_several() -> None:
    shells = np.concatenate([corners_of(piece) for piece in [disc(), *person()]])
    assert len(separate(shells)) == 1
    assert len(separate(np.concatenate([shells, shells + np.array([25.0, 0, 0])]))) == 2


def test_reading_order_follows_the_plate_however_it_is_turned() -> None:
    centres = np.array([[0, 10, 0], [10, 10, 0], [0, -10, 0], [10, -10, 0]], float)
    assert reading_order(centres, np.array([0.0, 0, 1]), 18.0) == [0, 1, 2, 3]
    y_up = centres @ np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert reading_order(y_up, np.array([0.0, 1, 0]), 18.0) == [0, 1, 2, 3]


# Pieces


def test_the_enclosing_circle_is_the_smallest() -> None:
    square = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]], float)
    centre, radius = enclosing_circle(square)
    assert centre == pytest.approx([1.0, 1.0])
    assert radius == pytest.approx(np.sqrt(2))
    rng = np.random.default_rng(5)
    for _ in range(50):
        points = rng.normal(size=(40, 2))
        centre, radius = enclosing_circle(points)
        reach = np.hypot(*(points - centre).T)
        assert reach.max() <= radius + 1e-9
        # At least two points lie on it, and not all on one side: else it could shrink.
        on = np.sort(np.arctan2(*(points - centre)[reach > radius - 1e-7].T))
        assert len(on) >= 2
        assert np.diff(np.r_[on, on[0] + 2 * np.pi]).max() <= np.pi + 1e-6
