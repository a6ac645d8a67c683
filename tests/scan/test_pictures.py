"""Pictures of scans: marks lie where the geometry says, both renderers draw alike, and what was not seen is shown."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from homolog.gate.mesh_file import check_mesh
from homolog.scan import rays
from homolog.scan.ball import measure_ball_surface
from homolog.scan.figure import measure_figure
from homolog.scan.goal import measure_goal_surface
from homolog.scan.marks import Mark, Picture
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.oriented import oriented_cloud, oriented_mesh
from homolog.scan.render import MOST_PIXELS, render
from homolog.scan.sheet import FRONT, SIDE, TOP, ends_along
from homolog.scan.sight import Eye, gathered
from homolog.scan.surface import Surface, normals_and_areas
from homolog.scan.surfels import surface_to_show
from homolog.scan.welding import weld
from tests.bodies import Recipe, binary_stl, corners_of, ellipsoid, make_keeper
from tests.scan.measuring import measure
from tests.scan.test_figure import disc, dome, person
from tools.make_ball_goal import GoalShape, ball_solid, corners_of_solid, goal_corners, goal_solid

JOB = {"format": "stl-binary", "triangles": 1, "sha256": "0" * 64, "unit": None, "source": "cad", "density": None, "name": "a.stl"}
ITEMS = ("goalkeeper", "figure", "ball", "goal")
CASTER = pytest.mark.skipif(rays.device() is None, reason="embreex has no wheel for this machine")


@pytest.fixture
def no_caster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rays, "_device", [None])


def figure_corners(base) -> np.ndarray:
    body = base
    for piece in person():
        body = body + piece
    return corners_of(body.refine_to_length(0.6))


def measure_figure_corners(corners: np.ndarray) -> ScanMeasurement:
    data = binary_stl(corners)
    job = {"name": "f.stl", "unit": None, "source": "structured_light", "sha256": hashlib.sha256(data).hexdigest()}
    return measure_figure(check_mesh(data, name="f.stl"), job)


def oval() -> np.ndarray:
    return corners_of_solid(ball_solid((22.4, 22.0, 21.6), 0.6))


def goal() -> np.ndarray:
    shape = GoalShape(is_round=False, post=4.0, top=3.6, side=3.0, back=4.4, depth=75.0)
    return goal_corners(shape, goal_solid(shape)[0])


def drawn(item: str) -> ScanMeasurement:
    match item:
        case "goalkeeper":
            return measure(make_keeper(Recipe(edge=0.6)).corners)
        case "figure":
            return measure_figure_corners(figure_corners(disc()))
        case "ball":
            return measure_ball_surface(oriented_mesh(oval()), JOB)
        case _:
            return measure_goal_surface(oriented_mesh(goal()), JOB)


@pytest.fixture(scope="module")
def all_drawn() -> dict[str, ScanMeasurement]:
    return {item: drawn(item) for item in ITEMS}


def marks_of(found: ScanMeasurement) -> Iterator[tuple[Picture, Mark]]:
    return ((picture, mark) for picture in found.pictures for mark in picture.marks)


def length_of(mark: Mark) -> float:
    across, down = (float(b - a) for a, b in zip(mark.a, mark.b, strict=True))
    if mark.form == "within":
        return float(np.hypot(across, down))
    return abs(down) if mark.side in ("left", "right") else abs(across)


def middle_of_reading(found: ScanMeasurement, mark: Mark) -> float | None:
    for reading in found.readings:
        if (reading.quantity, reading.place) == (mark.quantity, mark.place) and reading.value is not None:
            return float(reading.value)
    return None


def pixels(picture: Picture) -> np.ndarray:
    (coded,) = re.findall(r"data:image/png;base64,([^\"]+)", picture.svg)
    data = base64.b64decode(coded)
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    begin = data.index(b"IDAT") + 4
    size = int.from_bytes(data[begin - 8 : begin - 4], "big")
    lines = np.frombuffer(zlib.decompress(data[begin : begin + size]), np.uint8).reshape(height, width + 1)
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)


@pytest.mark.parametrize("item", ITEMS)
def test_a_dimension_is_as_long_in_the_picture_as_its_reading_says(all_drawn: dict[str, ScanMeasurement], item: str) -> None:
    found = all_drawn[item]
    checked = set()
    for _, mark in marks_of(found):
        if mark.form == "spot":
            continue
        value = middle_of_reading(found, mark)
        if value is not None:
            # A rod may leave a little to the side, which a picture from the side does not show.
            slant = 0.005 if "rod_length" in str(mark.quantity) or "handle" in str(mark.quantity) else 1e-6
            assert length_of(mark) == pytest.approx(value, abs=0.06, rel=slant), mark
            checked.add(mark.quantity)
    assert len(checked) >= {"goalkeeper": 5, "figure": 6, "ball": 1, "goal": 5}[item]


@pytest.mark.parametrize("item", ITEMS)
def test_every_reading_of_a_length_is_marked_somewhere(all_drawn: dict[str, ScanMeasurement], item: str) -> None:
    found = all_drawn[item]
    marked = {(mark.quantity, mark.place) for _, mark in marks_of(found)}
    not_drawn = ("straightness", "end_width", "lean", "without_embedded", "material", "volume")
    lengths = {(reading.quantity, reading.place) for reading in found.readings if reading.unit == "mm"}
    left = {key for key in lengths - marked if not any(word in key[0] for word in not_drawn)}
    assert left <= {("goalkeeper.figure_thickness", None)}


def test_the_ends_of_a_drawn_figure_are_where_they_were_put(all_drawn: dict[str, ScanMeasurement]) -> None:
    front = all_drawn["figure"].pictures[0]
    at = {mark.quantity: mark for mark in front.marks}
    ground = float(at["figure.height"].a[1])
    assert ground - float(at["figure.height"].b[1]) == pytest.approx(34.0, abs=0.02)
    assert ground - float(at["figure.base_height"].b[1]) == pytest.approx(6.0, abs=0.02)
    assert float(at["figure.base_diameter"].b[0] - at["figure.base_diameter"].a[0]) == pytest.approx(18.0, abs=0.02)


def test_a_mark_lies_on_the_edge_of_what_is_seen(all_drawn: dict[str, ScanMeasurement]) -> None:
    front = all_drawn["figure"].pictures[0]
    image = pixels(front)
    (width,) = (mark for mark in front.marks if mark.quantity == "figure.figure_width")
    for sense, (x, y) in ((1, width.a), (-1, width.b)):
        row, column = int(float(y) * 7), int(float(x) * 7)
        side = sense if width.a[0] < width.b[0] else -sense
        assert (image[row, column - 4 * side - 1 : column - 4 * side + 2] > 250).all(), "beyond the end there is nothing"
        assert (image[row, column + 4 * side - 1 : column + 4 * side + 2] < 252).any(), "within the end there is the body"


@pytest.mark.parametrize("item", ITEMS)
def test_the_same_scan_is_drawn_with_the_same_bytes(all_drawn: dict[str, ScanMeasurement], item: str) -> None:
    assert drawn(item).pictures == all_drawn[item].pictures


@pytest.mark.parametrize("item", ITEMS)
def test_the_record_names_what_drew_the_pictures(all_drawn: dict[str, ScanMeasurement], item: str) -> None:
    assert all_drawn[item].engine["renderer"] == rays.renderer()


@CASTER
@pytest.mark.parametrize("item", ITEMS)
def test_without_the_caster_the_pictures_are_the_same_but_for_edges(
    all_drawn: dict[str, ScanMeasurement], item: str, no_caster: None
) -> None:
    plain = drawn(item)
    assert plain.engine["renderer"] == "numpy"
    assert drawn(item).pictures == plain.pictures
    for one, other in zip(all_drawn[item].pictures, plain.pictures, strict=True):
        assert (one.marks, one.repaired, one.alt) == (other.marks, other.repaired, other.alt)
        if "data:image/png" in one.svg:
            first, second = pixels(one).astype(int), pixels(other).astype(int)
            assert first.shape == second.shape
            assert (np.abs(first - second) > 12).mean() < 0.01


@CASTER
def test_the_caster_and_the_buffer_see_the_same_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    welded = weld(corners_of(ellipsoid((0, 0, 0), (9, 5, 14), 0.6)))
    surface = Surface(welded.points, welded.faces)
    seen = {}
    for name, device in (("cast", rays.device()), ("buffered", None)):
        monkeypatch.setattr(rays, "_device", [device])
        seen[name] = Eye(surface).look(FRONT, 14.0, 2)
    cast, buffered = seen["cast"], seen["buffered"]
    assert (cast.face == buffered.face).mean() > 0.999
    both = (cast.face >= 0) & (buffered.face >= 0)
    assert float(np.abs(cast.depth[both] - buffered.depth[both]).max()) < 0.01


def test_what_is_seen_of_a_ball_is_its_near_half() -> None:
    welded = weld(corners_of(ellipsoid((3, -2, 5), (10, 10, 10), 0.4)))
    for axes in (FRONT, SIDE, TOP):
        seen = Eye(Surface(welded.points, welded.faces)).look(axes, 10.0, 2)
        hit = seen.face >= 0
        assert hit.sum() / 100 == pytest.approx(np.pi * 100, rel=0.01)
        centre = np.array([3.0, -2.0, 5.0]) @ axes
        rows, columns = np.nonzero(hit)
        x, y = seen.left + columns * seen.step - centre[0], seen.top - rows * seen.step - centre[1]
        expected = np.sqrt(np.maximum(100 - x**2 - y**2, 0)) + centre[2]
        inner = np.hypot(x, y) < 9
        assert np.abs(seen.depth[hit] - expected)[inner].max() < 0.05


def test_a_face_from_behind_is_seen_of_an_open_surface_only() -> None:
    cap = corners_of(ellipsoid((0, 0, 0), (10, 10, 10), 0.8))
    below = weld(cap[cap.mean(axis=1)[:, 2] < -2])
    surface = Surface(below.points, below.faces)
    tone = np.zeros(len(surface.faces), np.int64)
    inside = render(Eye(surface, is_closed=False), TOP, tone, ((150.0, 250.0),), 6.0)
    outside = render(Eye(surface, is_closed=False), TOP * [1, -1, -1], tone, ((150.0, 250.0),), 6.0)
    shown = [view.picture[view.picture < 250].mean() for view in (inside, outside)]
    assert shown[0] < shown[1] - 20
    assert (Eye(surface, is_closed=True).look(TOP, 6.0, 2).face >= 0).mean() < 0.02


def test_a_fine_mesh_is_shown_by_fewer_facets_of_the_same_form() -> None:
    welded = weld(corners_of(ellipsoid((0, 0, 0), (9, 5, 14), 0.2)))
    surface = Surface(welded.points, welded.faces)
    faces, kept = gathered(surface, 5_000)
    assert 1_500 < len(faces) < 9_000
    assert len(kept) == len(faces)
    assert set(faces.ravel()) <= set(range(len(surface.points)))
    whole, fewer = (normals_and_areas(corners)[1].sum() for corners in (surface.corners, surface.points[faces]))
    assert fewer == pytest.approx(whole, rel=0.03)
    assert gathered(surface, 10**6)[0] is surface.faces


def test_something_far_off_makes_no_large_picture() -> None:
    ball = corners_of(ellipsoid((0, 0, 0), (10, 10, 10), 1.0))
    welded = weld(np.concatenate([ball, ball + np.array([0.0, 0.0, 9_000.0])]))
    view = render(Eye(welded), FRONT, np.zeros(len(welded.faces), np.int64), ((150.0, 250.0),), 7.0)
    assert max(view.picture.shape) < MOST_PIXELS + 5
    assert view.height == pytest.approx(9_020, rel=0.01)


def test_ends_are_the_farthest_points() -> None:
    points = np.array([[0.0, 5.0, 1.0], [2.0, -3.0, 4.0], [-1.0, 0.0, 9.0]])
    low, high = ends_along(points, 0)
    assert (low.tolist(), high.tolist()) == ([-1.0, 0.0, 9.0], [2.0, -3.0, 4.0])


def test_the_largest_and_the_smallest_diameter_lie_where_the_ball_is_oval(all_drawn: dict[str, ScanMeasurement]) -> None:
    (plane,) = all_drawn["ball"].pictures
    at = {mark.place: mark for mark in plane.marks}
    assert (length_of(at["largest"]), length_of(at["smallest"])) == pytest.approx((22.4, 21.6), abs=0.05)
    way = np.array([float(b - a) for a, b in zip(at["smallest"].a, at["smallest"].b, strict=True)])
    assert abs(way[0]) / np.hypot(*way) < 0.1, "across the largest one"


def test_what_was_not_scanned_of_a_ball_is_pointed_at() -> None:
    corners = corners_of_solid(ball_solid((22, 22, 22), 0.6))
    found = measure_ball_surface(oriented_mesh(corners[corners.mean(axis=1)[:, 2] < 4]), JOB)
    spots = [mark for _, mark in marks_of(found) if mark.spot == "not_seen"]
    assert spots
    assert {mark.number for mark in spots} == {f"{float(100 - float(found.facts['coverage'].split()[0])):.0f} %"}
    for picture, mark in marks_of(found):
        if mark.spot == "not_seen":
            image = pixels(picture)
            left = re.search(r'<image x="([-0-9.]+)" y="([-0-9.]+)"', picture.svg)
            assert left is not None
            column, row = (int((float(at) - float(edge)) * 10) for at, edge in zip(mark.a, left.groups(), strict=True))
            if 0 <= row < image.shape[0] and 0 <= column < image.shape[1]:
                assert image[row, column] > 250, "nothing was seen there"


def test_a_cloud_of_points_is_drawn_as_a_surface() -> None:
    corners = corners_of_solid(ball_solid((22, 22, 22), 0.5))
    points = np.unique(np.round(corners.reshape(-1, 3), 4), axis=0)
    cloud = oriented_cloud(points, points / np.linalg.norm(points, axis=1, keepdims=True))
    found = measure_ball_surface(cloud, JOB | {"source": "structured_light"})
    image = pixels(found.pictures[0])
    middle = image[image.shape[0] // 3 : -(image.shape[0] // 3), image.shape[1] // 3 : -(image.shape[1] // 3)]
    assert (middle < 255).mean() > 0.98
    assert len(surface_to_show(cloud).faces) == 2 * len(points)


def test_an_underside_that_was_not_scanned_is_marked() -> None:
    corners = figure_corners(disc())
    middle = corners.mean(axis=1)
    found = measure_figure_corners(corners[~((middle[:, 2] < 0.01) & (np.hypot(middle[:, 0], middle[:, 1]) < 8.5))])
    spots = {mark.spot for picture, mark in marks_of(found) if picture.name == "front"}
    assert "underside_not_seen" in spots


def test_a_domed_base_is_marked_at_its_rim_and_at_its_apex() -> None:
    found = measure_figure_corners(figure_corners(dome()))
    front = {mark.quantity: mark for mark in found.pictures[0].marks}
    assert length_of(front["figure.base_height.rim"]) == pytest.approx(3.0, abs=0.1)
    assert length_of(front["figure.base_height"]) == pytest.approx(6.0, abs=0.1)


def test_a_hole_is_hatched_in_the_views_that_show_it() -> None:
    corners = figure_corners(disc())
    middle = corners.mean(axis=1)
    for side in (2.0, -2.0):  # one on the chest, one on the back
        corners = corners[np.linalg.norm(corners.mean(axis=1) - np.array([0.0, side, 22.0]), axis=1) > 1.6]
    assert len(corners) < len(middle)
    found = measure_figure_corners(corners)
    hatched = {picture.name: picture.repaired for picture in found.pictures}
    assert hatched == {"front": 1, "side": 0, "top": 0}
    (named,) = (mark for _, mark in marks_of(found) if mark.spot == "repaired")
    assert named.number is not None
    assert float(Decimal(named.number.removesuffix(" mm2"))) == pytest.approx(8.0, rel=0.3)


def test_what_could_not_be_measured_is_shown_as_it_was_scanned() -> None:
    box = corners_of(ellipsoid((0, 0, 0), (8, 6, 15), 0.8))
    for found in (
        measure_figure_corners(box),
        measure(corners_of(make_keeper(Recipe(edge=0.6)).body)),
        measure_goal_surface(oriented_mesh(box * 8), JOB),
    ):
        assert found.unmeasured
        assert [picture.name for picture in found.pictures] == ["scanned", "scanned_side"]
        assert all((pixels(picture) < 250).mean() > 0.3 for picture in found.pictures)
        assert found.engine["renderer"] == rays.renderer()


def test_a_measurement_with_pictures_survives_its_json(all_drawn: dict[str, ScanMeasurement]) -> None:
    for found in all_drawn.values():
        assert replace(ScanMeasurement.from_json(found.to_json()), glb=None) == replace(found, glb=None)
