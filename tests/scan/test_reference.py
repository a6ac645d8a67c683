"""Reference balls: what they say of offset and scale in closed form, by chance, and on scanned bodies."""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from homolog.quantity import Conditions, ReferenceLengths, ScannerRecord
from homolog.scan.ball import measure_ball
from homolog.scan.correction import corrected, corrected_solid, outward_steps
from homolog.scan.expansion import thermal_share
from homolog.scan.keeper import measure_goalkeeper
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.reference import TRANSFER_SHARE, Calibration, Compared, calibrate
from homolog.scan.session import CORRECTED, RAISED, STATED, ReferenceFile, Session, open_session
from homolog.scan.solid import build_solid
from homolog.scan.sources import CLASSES, Instrument, instrument_of
from homolog.scan.surface import Surface, normals_and_areas, signed_volume
from homolog.scan.texture import point_normals
from homolog.scan.welding import weld
from tests.bodies import Recipe, binary_stl, capsule, corners_of, ellipsoid, make_keeper, rough
from tests.scan.measuring import HEIGHT, OUTER, ROD_WIDTH, STANDING, covers, reading, value

FIGURES = CLASSES["structured_light"]
D, L = 25.0, 38.0


def ball(read: float, *, true: float = D, spread: float = 0.0, label: str = "ball.stl") -> Compared:
    return Compared(label=label, surfaces=2, true=true, u_true=0.001, read=read, u_read=0.001, spread=spread)


def bar(read: float, true: float = 100.0) -> Compared:
    return Compared(label="bar.stl", surfaces=0, true=true, u_true=0.0015, read=read, u_read=0.001)


def solved(*compared: Compared, conditions: Conditions | None = None) -> Calibration:
    return calibrate(compared, FIGURES, FIGURES.scale, "scale", conditions)


def u_of(found: Calibration, length: float, surfaces: int) -> float:
    return math.sqrt(sum(effect.on_length(length, surfaces) ** 2 for effect in found.effects))


def test_one_ball_gives_half_of_what_it_reads_too_much_as_offset_and_leaves_the_scale() -> None:
    found = solved(ball(25.04))
    assert found.offset_mm == pytest.approx(0.02)
    assert found.scale == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(("surfaces", "length"), [(2, 38.0), (2, 25.0), (0, 150.0), (-2, 60.0)])
def test_the_uncertainty_of_a_length_after_one_ball_is_that_of_the_formula(surfaces: int, length: float) -> None:
    on_two = TRANSFER_SHARE * FIGURES.offset_mm
    warm = D * 1.2e-5 * 5 / math.sqrt(3)
    own = (0.001**2 + 0.001**2 + warm**2) / 4
    expected = surfaces**2 * (own + on_two**2) + (surfaces * D / 2 - length) ** 2 * FIGURES.scale**2
    assert u_of(solved(ball(25.04)), length, surfaces) == pytest.approx(math.sqrt(expected))


def test_the_uncertainty_of_a_volume_after_one_ball_is_that_of_the_formula() -> None:
    volume, area = 1700.0, 1277.0
    on_two, warm = TRANSFER_SHARE * FIGURES.offset_mm, D * 1.2e-5 * 5 / math.sqrt(3)
    own = (0.001**2 + 0.001**2 + warm**2) / 4
    expected = area**2 * (own + on_two**2) + (area * D / 2 - 3 * volume) ** 2 * FIGURES.scale**2
    found = sum(effect.on_volume(volume, area) ** 2 for effect in solved(ball(25.04)).effects)
    assert math.sqrt(found) == pytest.approx(math.sqrt(expected))


def test_a_length_of_the_balls_own_size_hardly_hangs_on_the_scale() -> None:
    scale = next(effect for effect in solved(ball(25.04)).effects if effect.name == "scale")
    assert scale.on_length(D, 2) == pytest.approx(0.0, abs=1e-12)
    assert scale.on_length(L, 2) == pytest.approx((L - D) * FIGURES.scale)
    assert scale.on_length(L, -2) == pytest.approx((L + D) * FIGURES.scale)


def test_a_ball_and_a_bar_tell_offset_from_scale() -> None:
    offset, scale = 0.015, 6e-4
    found = solved(ball(D * (1 + scale) + 2 * offset), bar(100 * (1 + scale)))
    assert found.scale == pytest.approx(scale, rel=0.01)
    assert found.offset_mm == pytest.approx(offset, rel=0.02)
    assert u_of(found, 300.0, 0) < 0.1 * 300 * FIGURES.scale


def test_two_balls_of_one_size_say_no_more_of_the_scale_than_one() -> None:
    one, two = solved(ball(25.04)), solved(ball(25.04), ball(25.04, label="b"))
    assert u_of(two, 100.0, 0) == pytest.approx(u_of(one, 100.0, 0), rel=1e-6)
    assert u_of(two, D, 2) < u_of(one, D, 2)


def test_a_ball_that_reads_out_of_round_widens_the_uncertainty() -> None:
    assert u_of(solved(ball(25.04, spread=0.1)), D, 2) > 1.5 * u_of(solved(ball(25.04)), D, 2)


def test_a_ball_of_another_diameter_is_refused() -> None:
    with pytest.raises(InputRefused) as caught:
        solved(ball(25.4))
    assert caught.value.problems[0].code == "reference_implausible"


def test_references_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InputRefused) as caught:
        solved(ball(25.08), ball(24.94, label="b"))
    assert caught.value.problems[0].code == "reference_contradiction"


@pytest.mark.parametrize("pieces", ["none", "ball", "ball and bar"])
def test_the_truth_lies_within_u_for_drawn_scanners(pieces: str) -> None:
    """Monte Carlo over everything that the model names: U (k = 2) holds 95 % of lengths and of volumes, and not all of them."""
    rng = np.random.default_rng(11)
    volume, area = 1700.0, 1277.0
    cases = ((2, L), (2, 20.0), (-2, 60.0), (0, 150.0))
    bare = Calibration(offset_mm=0.0, scale=0.0, effects=instrument_of("structured_light").effects[:2])
    inside = np.zeros((4000, len(cases) + 1), bool)
    for row in inside:
        o, s = rng.normal() * FIGURES.offset_mm, rng.normal() * FIGURES.scale
        one, other, third = rng.normal(size=3) * TRANSFER_SHARE * FIGURES.offset_mm / math.sqrt(2)
        warm = rng.uniform(-5, 5) * 1.2e-5
        given = [ball(D * (1 + s + warm) + 2 * (o + one) + rng.normal() * math.hypot(0.001, 0.001))]
        if pieces == "ball and bar":
            given.append(bar(100 * (1 + s + warm) + rng.normal() * math.hypot(0.0015, 0.001)))
            given.append(
                ball(10 * (1 + s + warm) + 2 * (o + third) + rng.normal() * math.hypot(0.001, 0.001), true=10.0, label="b")
            )
        found = solved(*given) if pieces != "none" else bare
        for at, (surfaces, length) in enumerate(cases):
            own = o if pieces == "none" else o + other
            wrong = surfaces * (own - found.offset_mm) + length * (s - found.scale)
            row[at] = abs(wrong) <= 2 * u_of(found, length, surfaces)
        wrong = area * (own - found.offset_mm) + 3 * volume * (s - found.scale)
        row[-1] = abs(wrong) <= 2 * math.sqrt(sum(effect.on_volume(volume, area) ** 2 for effect in found.effects))
    assert (inside.mean(axis=0) > 0.945).all(), inside.mean(axis=0)
    assert (inside.mean(axis=0) < 0.985).all(), inside.mean(axis=0)


# Scanned bodies.


def scanned(corners: np.ndarray, offset: float, scale: float) -> np.ndarray:
    """Return faces as a scanner with an offset and a scale lays them: points move along their mean normals."""
    surface = weld(corners)
    return ((surface.points + offset * point_normals(surface)) * (1 + scale))[surface.faces]


def read_here(file: ReferenceFile) -> ScanMeasurement:
    distance = file.lengths.distance
    job = {
        "name": file.name,
        "item": "ball",
        "unit": file.unit,
        "source": "structured_light",
        "sha256": hashlib.sha256(file.data).hexdigest(),
        "reference": {"diameter": str(file.lengths.diameter), "distance": None if distance is None else str(distance)},
    }
    return measure_ball(check_mesh(file.data, name=file.name), job)


def reference(corners: np.ndarray, **lengths: str) -> ReferenceFile:
    told = {"diameter": "25.000", "diameter_u": "0.002"} | lengths
    return ReferenceFile(
        name="ball.stl", data=binary_stl(corners), lengths=ReferenceLengths(**{name: Decimal(text) for name, text in told.items()})
    )


def session(*references: ReferenceFile, record: ScannerRecord | None = None, conditions: Conditions | None = None) -> Session:
    return open_session("structured_light", record, conditions, references, read=read_here)


def keeper(corners: np.ndarray, opened: Session) -> ScanMeasurement:
    data = binary_stl(corners)
    job = {
        "name": "keeper.stl",
        "item": "goalkeeper",
        "unit": None,
        "source": opened.instrument.source,
        "sha256": hashlib.sha256(data).hexdigest(),
        "instrument": opened.instrument.to_job(),
    }
    return opened.signed(measure_goalkeeper(check_mesh(data, name="keeper.stl"), job))


def ball_corners(diameter: float = D, *, noise: float = 0.01, seed: int = 1) -> np.ndarray:
    return rough(ellipsoid((0, 0, 0), (diameter / 2,) * 3, edge=0.3), noise, 0.6, seed)


@pytest.fixture(scope="module")
def wrong_scan() -> tuple[dict[str, float], np.ndarray, Session]:
    body = make_keeper(Recipe(edge=0.3))
    offset, scale = 0.035, -4e-4
    opened = session(reference(scanned(ball_corners(), offset, scale)))
    return body.truth, scanned(body.corners, offset, scale), opened


def test_a_corrected_keeper_is_near_the_truth_and_an_uncorrected_one_far(
    wrong_scan: tuple[dict[str, float], np.ndarray, Session],
) -> None:
    truth, corners, opened = wrong_scan
    bare, right = keeper(corners, session()), keeper(corners, opened)
    assert abs(value(bare, OUTER) / truth["volume"] - 1) > 0.01
    for quantity, column in ((OUTER, "volume"), (HEIGHT, "height"), (STANDING, "figure_thickness"), (ROD_WIDTH, "rod_width")):
        assert covers(right, quantity, truth[column]), (quantity, reading(right, quantity), truth[column])
        assert abs(value(right, quantity) - truth[column]) < 0.5 * abs(value(bare, quantity) - truth[column]) + 0.005
    assert value(right, OUTER) == pytest.approx(truth["volume"], rel=6e-3)


def test_scans_of_drawn_scanners_hold_the_truth_with_a_ball_and_without() -> None:
    """Volume and height of one body as ten scanners see it; offset, scale, temperature and the other piece's offset by chance."""
    rng = np.random.default_rng(3)
    body = make_keeper(Recipe(edge=0.3))
    inside = []
    for seed in range(10):
        offset, scale, apart = rng.normal(size=3) * (FIGURES.offset_mm, FIGURES.scale, TRANSFER_SHARE * FIGURES.offset_mm)
        warm = rng.uniform(-5, 5) * 90e-6
        corners = scanned(body.corners, offset, scale + warm)
        known = session(reference(scanned(ball_corners(seed=seed), offset + apart, scale)))
        for found in (keeper(corners, session()), keeper(corners, known)):
            inside += [covers(found, quantity, body.truth[column]) for quantity, column in ((OUTER, "volume"), (HEIGHT, "height"))]
    assert sum(inside) >= 0.95 * len(inside)


def parts(measurement: ScanMeasurement, quantity: str) -> tuple[float, float]:
    """Return the whole standard uncertainty of a quantity, and the instrument's own part of it."""
    (budget,) = (item for item in measurement.budgets if item.quantity == quantity)
    own = {"offset", "scale", "reference", "temperature"}
    squares = [(line.name in own, float(line.standard_uncertainty) ** 2) for line in budget.contributions]
    return math.sqrt(sum(square for _, square in squares)), math.sqrt(sum(square for is_own, square in squares if is_own))


def test_u_with_a_ball_is_less_than_half(wrong_scan: tuple[dict[str, float], np.ndarray, Session]) -> None:
    """The instrument's part falls below 45 %; what else a height's U holds, such as the upright axis, no ball can lower."""
    _, corners, opened = wrong_scan
    bare, right = keeper(corners, session()), keeper(corners, opened)
    for quantity, most in ((OUTER, 0.45), (HEIGHT, 0.55)):
        (whole, own), (whole_then, own_then) = parts(bare, quantity), parts(right, quantity)
        assert own_then < 0.45 * own, quantity
        assert whole_then < most * whole, quantity


def test_every_reading_is_marked_and_the_record_names_the_ball(
    wrong_scan: tuple[dict[str, float], np.ndarray, Session],
) -> None:
    _, corners, opened = wrong_scan
    right = keeper(corners, opened)
    assert all(CORRECTED in item.marks for item in right.readings)
    assert right.instrument is not None
    (one,) = right.instrument.references
    assert len(one.sha256) == 64
    assert one.lengths[0].true == D
    assert float(one.lengths[0].read) == pytest.approx(D * (1 - 4e-4) + 0.07, abs=0.003)
    assert float(right.instrument.offset_correction) == pytest.approx(0.035 - D / 2 * 4e-4, abs=0.002)
    assert ScanMeasurement.from_json(right.to_json()) == right


def test_a_bar_of_two_balls_is_read_whatever_joins_them() -> None:
    joined = ellipsoid((0, 0, 0), (D / 2,) * 3, edge=0.3) + ellipsoid((80, 0, 0), (D / 2,) * 3, edge=0.3)
    joined += capsule((0, 0, 0), (80, 0, 0), 4.0)
    offset, scale = 0.02, 7e-4
    found = session(reference(scanned(rough(joined, 0.01, 0.8, 3), offset, scale), distance="80.000", distance_u="0.003"))
    assert found.instrument.scale_correction == pytest.approx(scale, abs=1e-4)
    assert found.instrument.offset_correction == pytest.approx(offset, abs=0.003)
    assert found.used.scale_from == "reference"
    assert [length.what for length in found.used.references[0].lengths] == ["ball_1", "ball_2", "distance"]


def test_less_than_a_half_of_a_ball_is_no_reference() -> None:
    corners = ball_corners()
    with pytest.raises(InputRefused) as caught:
        session(reference(corners[corners[:, :, 2].min(axis=1) > 5.0]))
    assert caught.value.problems[0].code == "reference_partial"


def test_a_cube_is_no_reference() -> None:
    import manifold3d

    cube = corners_of(manifold3d.Manifold.cube((25, 25, 25)).refine_to_length(1.0))
    with pytest.raises(InputRefused) as caught:
        session(reference(cube))
    assert caught.value.problems[0].code in {"reference_unseen", "reference_partial", "reference_implausible"}


def test_the_unit_of_a_reference_follows_from_its_diameter() -> None:
    found = session(reference(scanned(ball_corners(), 0.02, 0.0) / 25.4))
    assert found.used.references[0].unit == "in"
    assert found.instrument.offset_correction == pytest.approx(0.02, abs=0.002)


# What is stated.


def record(**changes: object) -> ScannerRecord:
    base: dict[str, object] = {"name": "SC-1", "source": "structured_light", "certificate": "K-77"}
    return ScannerRecord(**(base | changes))  # type: ignore[arg-type]


def test_a_stated_offset_takes_the_place_of_the_classs() -> None:
    found = session(record=record(offset_u=Decimal("0.012")))
    assert found.instrument.effects[0].offset_mm == 0.006
    assert found.instrument.effects[1].scale == FIGURES.scale
    assert "certificate K-77" in found.instrument.effects[0].says
    assert (found.used.offset_from, found.used.scale_from, found.marks) == ("stated", "class", (STATED,))


@pytest.mark.parametrize(
    ("stated", "used", "origin"), [("0.006", 0.003, "stated"), ("0.0059", 0.003, "raised"), ("0", 0.003, "raised")]
)
def test_a_stated_offset_below_the_floor_is_raised_and_marked(stated: str, used: float, origin: str) -> None:
    found = session(record=record(offset_u=Decimal(stated)))
    assert (found.instrument.effects[0].offset_mm, found.used.offset_from) == (used, origin)
    assert (RAISED in found.marks) == (origin == "raised")


def test_a_stated_scale_counts_beside_a_ball() -> None:
    opened = session(reference(ball_corners()), record=record(scale_u=Decimal("0.0002")))
    scale = next(effect for effect in opened.instrument.effects if effect.name == "scale")
    assert scale.scale == pytest.approx(0.0001)
    assert opened.marks == (STATED, CORRECTED)


def test_nothing_stated_is_what_the_class_assumes() -> None:
    assert session().instrument == instrument_of("structured_light")
    assert session().marks == ()


def test_a_known_temperature_is_not_corrected_for_but_covered() -> None:
    warm = Conditions(temperature=Decimal(30), temperature_u=Decimal(1), material="pla")
    assert 2 * thermal_share(warm) > 10 * 95e-6
    assert session(conditions=warm).instrument.is_corrected is False
    assert thermal_share(Conditions(material="metal")) < 0.3 * thermal_share(None)


# Moving a surface.


def cube() -> Surface:
    import manifold3d

    return weld(corners_of(manifold3d.Manifold.cube((10, 20, 30)).refine_to_length(4.0)))


def instrument(offset: float, scale: float = 0.0) -> Instrument:
    return Instrument(source="laser", effects=(), offset_correction=offset, scale_correction=scale)


def test_a_box_keeps_its_edges_and_loses_the_offset_on_all_sides() -> None:
    moved = corrected(cube(), instrument(0.05))
    assert np.ptp(moved.points, axis=0) == pytest.approx([9.9, 19.9, 29.9])
    assert signed_volume(moved.corners) == pytest.approx(9.9 * 19.9 * 29.9)


def test_a_surface_shrinks_by_the_scale() -> None:
    assert np.ptp(corrected(cube(), instrument(0.0, 0.01)).points, axis=0) == pytest.approx(np.array([10, 20, 30]) / 1.01)


def test_a_ball_loses_the_offset_of_its_radius() -> None:
    moved = corrected(weld(corners_of(ellipsoid((0, 0, 0), (5, 5, 5), edge=0.3))), instrument(0.1))
    assert np.linalg.norm(moved.points, axis=1) == pytest.approx(4.9, abs=2e-4)


def test_noise_does_not_throw_points_about() -> None:
    surface = weld(rough(ellipsoid((0, 0, 0), (8, 8, 8), edge=0.4), 0.05, 0.4, 4))
    steps = outward_steps(surface)
    assert np.quantile(np.linalg.norm(steps, axis=1), 0.999) < 1.6
    area = float(normals_and_areas(surface.corners)[1].sum())
    loss = signed_volume(surface.corners) - signed_volume(corrected(surface, instrument(0.02)).corners)
    assert loss == pytest.approx(0.02 * area, rel=0.02)


def test_a_cavity_grows_where_its_walls_shrink() -> None:
    outside, inside = corners_of(ellipsoid((0, 0, 0), (9, 9, 9), edge=0.5)), corners_of(ellipsoid((0, 0, 0), (4, 4, 4), edge=0.3))
    solid = build_solid(np.vstack([outside, inside[:, ::-1]]), name="x.stl")
    moved = corrected_solid(solid, corrected(solid.surface, instrument(0.05)), 1.0, instrument(0.05))
    assert moved.volume == pytest.approx(solid.volume * (8.95 / 9) ** 3, rel=1e-4)
    assert moved.cavity_volume == pytest.approx(solid.cavity_volume * (4.05 / 4) ** 3, rel=1e-4)
    assert solid.cavity_volume == pytest.approx(268, rel=0.01)
