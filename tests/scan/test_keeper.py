"""A goalkeeper's numbers: right on known bodies, the same in every pose, unit and order, and honest where nothing is seen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan.measurement import ScanMeasurement
from tests.bodies import (
    Keeper,
    Recipe,
    ascii_stl,
    capsule,
    corners_of,
    cylinder,
    ellipsoid,
    make_keeper,
    posed,
    rough,
    with_holes,
)
from tests.scan.measuring import (
    COLUMNS,
    HANDLE,
    HEIGHT,
    OUTER,
    ROD,
    ROD_WIDTH,
    STANDING,
    STRAIGHT,
    THICKNESS,
    WIDTH,
    covers,
    measure,
    measure_bytes,
    reading,
    value,
    why_not,
)


@pytest.fixture(scope="module")
def keeper() -> Keeper:
    return make_keeper(Recipe())


@pytest.fixture(scope="module")
def plain(keeper: Keeper) -> ScanMeasurement:
    return measure(keeper.corners)


def assert_true(measurement: ScanMeasurement, truth: dict[str, float]) -> None:
    for quantity, column in COLUMNS.items():
        if column in truth:
            assert covers(measurement, quantity, truth[column]), (quantity, reading(measurement, quantity), truth[column])


def test_every_number_of_a_known_goalkeeper_is_within_its_uncertainty(keeper: Keeper, plain: ScanMeasurement) -> None:
    assert_true(plain, keeper.truth)
    assert plain.closed
    assert plain.repairs == ()
    assert {item.quantity for item in plain.readings} >= set(COLUMNS)


def test_the_volume_is_close_as_well(keeper: Keeper, plain: ScanMeasurement) -> None:
    assert value(plain, OUTER) == pytest.approx(keeper.truth["volume"], rel=8e-3)
    assert value(plain, HEIGHT) == pytest.approx(keeper.truth["height"], abs=0.01)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(base=None, attach="back", handle="hex"),
        Recipe(base="dome", attach="feet", arms="down", sagitta=3.0),
        Recipe(attach="through", rod_radius=1.3, handle=None),
        Recipe(base=None, attach="feet", arms="out", handle="round", rod_radius=1.6),
    ],
    ids=["back", "feet-bent", "through", "feet-round"],
)
def test_rods_of_all_attachments_come_off(recipe: Recipe) -> None:
    built = make_keeper(recipe)
    measurement = measure(posed(built.corners, 5))
    assert_true(measurement, built.truth)
    assert value(measurement, OUTER) == pytest.approx(built.truth["volume"], rel=0.012)


def test_turning_and_moving_changes_nothing(keeper: Keeper, plain: ScanMeasurement) -> None:
    moved = measure(posed(keeper.corners, 3))
    for quantity in (OUTER, HEIGHT, WIDTH, STANDING, ROD_WIDTH):
        assert value(moved, quantity) == pytest.approx(value(plain, quantity), rel=1e-3)
    for quantity in (ROD, HANDLE):
        assert value(moved, quantity) == pytest.approx(value(plain, quantity), abs=0.12)


@pytest.mark.parametrize(("unit", "factor"), [("cm", 10.0), ("in", 25.4), ("m", 1000.0)])
def test_the_unit_is_told_from_the_body(keeper: Keeper, plain: ScanMeasurement, unit: str, factor: float) -> None:
    measurement = measure(keeper.corners / factor)
    assert measurement.unit == unit
    assert "excluded" in measurement.unit_reason
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)


def test_the_order_of_the_facets_does_not_matter(keeper: Keeper, plain: ScanMeasurement) -> None:
    order = np.random.default_rng(8).permutation(len(keeper.corners))
    shuffled = measure(np.roll(keeper.corners[order], 1, axis=1))
    for quantity in (OUTER, HEIGHT, WIDTH, STANDING, ROD_WIDTH):
        assert value(shuffled, quantity) == pytest.approx(value(plain, quantity), rel=1e-3)


def test_ascii_and_binary_agree(keeper: Keeper, plain: ScanMeasurement) -> None:
    text = measure_bytes(ascii_stl(keeper.corners))
    assert text.format == "stl-ascii"
    assert value(text, OUTER) == pytest.approx(value(plain, OUTER), rel=2e-4)


def test_a_declared_unit_wins(keeper: Keeper) -> None:
    assert measure(keeper.corners, unit="mm").unit_reason.startswith("The submission declares mm")


def test_a_declared_unit_that_makes_no_goalkeeper_is_refused(keeper: Keeper) -> None:
    with pytest.raises(InputRefused, match="declare mm if that is the file's unit"):
        measure(keeper.corners, unit="in")


def test_a_file_outside_every_unit_is_refused_and_asks_for_the_unit(keeper: Keeper) -> None:
    with pytest.raises(InputRefused) as caught:
        measure(keeper.corners * 3.5)
    assert caught.value.problems[0].code == "scan_unit_unknown"
    assert "declare the unit" in caught.value.problems[0].todo


def test_noise_widens_the_uncertainty_but_not_the_body(keeper: Keeper, plain: ScanMeasurement) -> None:
    noisy = measure(rough(keeper.solid, 0.04, 0.6, 1))
    assert_true(noisy, keeper.truth)
    for quantity in (OUTER, HEIGHT, WIDTH, ROD_WIDTH):
        wide, narrow = reading(noisy, quantity).expanded_uncertainty, reading(plain, quantity).expanded_uncertainty
        assert wide is not None
        assert narrow is not None
        assert wide > narrow
    assert {line.name for budget in noisy.budgets for line in budget.contributions} >= {"noise", "offset", "scale"}


def test_an_inverted_file_is_turned_and_said_so(keeper: Keeper, plain: ScanMeasurement) -> None:
    measurement = measure(keeper.corners[:, ::-1])
    assert not measurement.closed
    assert [repair.kind for repair in measurement.repairs] == ["shells_turned"]
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)


def test_flipped_facets_are_turned_and_counted(keeper: Keeper, plain: ScanMeasurement) -> None:
    flipped = keeper.corners.copy()
    flipped[::9] = flipped[::9, ::-1]
    measurement = measure(flipped)
    assert [(repair.kind, repair.count) for repair in measurement.repairs] == [("facets_turned", len(flipped[::9]))]
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)


@pytest.mark.parametrize("share", [10, 1])
def test_doubled_facets_are_dropped_and_counted(keeper: Keeper, plain: ScanMeasurement, share: int) -> None:
    doubled = np.concatenate([keeper.corners, keeper.corners[::share]])
    measurement = measure(doubled)
    (repair,) = measurement.repairs
    assert (repair.kind, repair.count) == ("duplicates_dropped", len(keeper.corners[::share]))
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)


def test_holes_are_closed_and_enter_the_uncertainty(keeper: Keeper) -> None:
    measurement = measure(with_holes(rough(keeper.solid, 0.0, 0.7, 0), 5, 1.0, 4))
    (repair,) = (repair for repair in measurement.repairs if repair.kind == "holes_closed")
    assert repair.count >= 3
    assert not measurement.closed
    assert covers(measurement, OUTER, keeper.truth["volume"])
    budget = next(budget for budget in measurement.budgets if budget.quantity == OUTER)
    assert any(line.name == "holes" for line in budget.contributions)


def test_overlapping_shells_count_once(keeper: Keeper) -> None:
    measurement = measure(np.concatenate([corners_of(part) for part in keeper.parts]))
    assert "shells_united" in {repair.kind for repair in measurement.repairs}
    assert value(measurement, OUTER) == pytest.approx(keeper.truth["volume"], rel=0.01)


def test_overlapping_shells_count_once_even_if_some_are_inverted(keeper: Keeper) -> None:
    shells = [corners_of(part) for part in keeper.parts]
    shells[2], shells[4] = shells[2][:, ::-1], shells[4][:, ::-1]
    measurement = measure(np.concatenate(shells))
    assert value(measurement, OUTER) == pytest.approx(keeper.truth["volume"], rel=0.01)


def test_a_sealed_cavity_is_filled_for_the_outer_volume(keeper: Keeper, plain: ScanMeasurement) -> None:
    hollow = corners_of(ellipsoid((0, 0, 24.5), (1.5, 1.0, 2.0)))[:, ::-1]
    measurement = measure(np.concatenate([keeper.corners, hollow]))
    (repair,) = measurement.repairs
    assert repair.kind == "cavities_filled"
    assert float(repair.volume_effect_mm3) == pytest.approx(4 / 3 * np.pi * 3.0, rel=0.05)
    assert measurement.closed
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)


def test_debris_is_left_out_and_a_second_body_refused(keeper: Keeper, plain: ScanMeasurement) -> None:
    crumb = corners_of(ellipsoid((20, 20, 5), (0.6, 0.6, 0.6)))
    measurement = measure(np.concatenate([keeper.corners, crumb]))
    assert [repair.kind for repair in measurement.repairs] == ["debris_dropped"]
    assert value(measurement, OUTER) == pytest.approx(value(plain, OUTER), rel=1e-3)
    with pytest.raises(InputRefused, match="2 bodies that do not touch"):
        measure(np.concatenate([keeper.corners, keeper.corners + np.array([60.0, 0, 0])]))


def test_a_keeper_without_a_rod_gets_only_an_upper_bound(keeper: Keeper) -> None:
    measurement = measure(corners_of(keeper.body))
    bound = reading(measurement, OUTER)
    assert bound.value is None
    assert bound.hi is not None
    assert keeper.body.volume() < float(bound.hi) < 1.05 * keeper.body.volume() + 80
    for quantity in (HEIGHT, WIDTH, THICKNESS, STANDING, ROD, ROD_WIDTH, STRAIGHT, HANDLE):
        assert "rod" in why_not(measurement, quantity)
    assert [picture.name for picture in measurement.pictures] == ["scanned", "scanned_side"]


def test_a_pillar_under_the_figure_is_no_rod() -> None:
    figure = ellipsoid((0, 0, 26), (6.0, 2.6, 9.0))
    pillar = cylinder(np.array([0.0, 0.0, 3.0]), np.array([0.0, 0.0, 20.0]), 1.6)
    base = cylinder(np.zeros(3), np.array([0.0, 0.0, 4.0]), 8.0)
    whole = figure + pillar + base
    measurement = measure(corners_of(whole))
    bound = reading(measurement, OUTER)
    assert bound.value is None
    assert float(bound.hi or 0) > whole.volume()


def test_a_rod_alone_is_no_goalkeeper() -> None:
    rod = corners_of(cylinder(np.zeros(3), np.array([0.0, 0.0, 150.0]), 1.2))
    with pytest.raises(InputRefused):
        measure(rod)


def test_a_ball_is_no_goalkeeper_with_a_volume() -> None:
    ball = corners_of(ellipsoid((0, 0, 0), (14.0, 14.0, 14.0)))
    measurement = measure(ball)
    assert all(item.value is None for item in measurement.readings)


def test_without_a_step_the_handle_is_unmeasured_and_the_rod_only_bounded() -> None:
    built = make_keeper(Recipe(handle=None))
    measurement = measure(built.corners)
    assert "no step" in why_not(measurement, HANDLE)
    rod = reading(measurement, ROD)
    assert rod.value is None
    assert rod.lo is None
    assert float(rod.hi or 0) == pytest.approx(90 - 6.5, abs=1.5)


def test_a_bent_rod_is_as_crooked_as_its_visible_arc() -> None:
    built = make_keeper(Recipe(sagitta=4.0, handle=None, attach="back", base=None))
    visible = (90 - 2.6) / 90
    assert value(measure(built.corners), STRAIGHT) == pytest.approx(4.0 * visible**2, abs=0.12)


def test_a_leaning_figure_has_a_thickness_only_as_it_stands() -> None:
    built = make_keeper(Recipe(bow=12.0))
    measurement = measure(built.corners)
    own = reading(measurement, THICKNESS)
    assert own.value is None
    assert own.hi is not None
    assert value(measurement, STANDING) > built.truth["figure_thickness"] - 0.2
    assert float(own.hi) >= value(measurement, STANDING)


def test_a_drawing_is_measured_as_a_drawing(keeper: Keeper, plain: ScanMeasurement) -> None:
    drawing = measure(keeper.corners, source="cad")
    assert {item.method for item in drawing.readings} == {"cad"}
    names = {line.name for budget in drawing.budgets for line in budget.contributions}
    assert names.isdisjoint({"offset", "scale", "temperature"})
    assert (reading(drawing, OUTER).expanded_uncertainty or 0) < (reading(plain, OUTER).expanded_uncertainty or 0) / 3


def test_a_coarse_drawing_is_corrected_and_says_how_sure_it_is(keeper: Keeper) -> None:
    coarse = make_keeper(replace(Recipe(), edge=1.2))
    measurement = measure(coarse.corners, source="cad")
    fine = make_keeper(replace(Recipe(), edge=0.15)).truth["volume"]
    assert covers(measurement, OUTER, fine)
    assert abs(value(measurement, OUTER) - fine) < abs(coarse.truth["volume"] - fine)


def test_the_same_bytes_give_the_same_record(keeper: Keeper, plain: ScanMeasurement) -> None:
    assert measure(keeper.corners) == plain


def test_numbers_are_rounded_to_a_stated_resolution_and_u_never_down(plain: ScanMeasurement) -> None:
    for item in plain.readings:
        assert item.evidence == f"scan:{plain.sha256[:12]}"
        step = Decimal("0.1") if item.unit == "mm3" else Decimal("0.001")
        for number in (item.value, item.lo, item.hi):
            assert number is None or number == number.quantize(step)
    for budget in plain.budgets:
        squares = sum(line.standard_uncertainty**2 for line in budget.contributions)
        assert budget.expanded >= 2 * squares.sqrt() * Decimal("0.99")


def test_the_record_survives_json(plain: ScanMeasurement) -> None:
    import json

    again = ScanMeasurement.from_json(json.loads(json.dumps(plain.to_json())))
    assert again == plain
    with pytest.raises(ValueError, match="homolog-scan/1"):
        ScanMeasurement.from_json({"format_of_record": "homolog-scan/0"})


def test_a_thin_wire_beside_the_body_is_not_a_rod() -> None:
    body = ellipsoid((0, 0, 15), (6, 3, 15))
    loop = capsule((5.0, 0, 15), (9.0, 0, 15), 0.5)
    measurement = measure(corners_of(body + loop))
    assert all(item.value is None for item in measurement.readings if item.quantity == OUTER)
