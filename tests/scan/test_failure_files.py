"""Failure kinds of files: units, placements, formats, counts, numbers. Each is measured right or refused, never read in part."""

from __future__ import annotations

import struct
import tracemalloc
from functools import cache

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import ENDINGS, check_kind, check_mesh
from homolog.scan.ball import measure_ball
from homolog.scan.figure import measure_figure
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.readers.read import read_any
from homolog.scan.surface import signed_volume
from tests.bodies import Recipe, ascii_stl, binary_stl, corners_of, make_keeper
from tests.scan.failing import as_body, assert_as_clean, assert_never_wrong, clean, keeper, kinds, measured, tried
from tests.scan.measuring import OUTER, covers, measure_bytes, value
from tools import mesh_writers as write
from tools import step_writer

MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, "m": 1000.0}
WORDS = {"mm": "millimeter", "cm": "centimeter", "in": "inch", "m": "meter"}


@cache
def body() -> write.Body:
    return as_body(keeper().corners)


def ball(data: bytes, name: str, *, unit: str | None = None) -> ScanMeasurement:
    job = {"name": name, "item": "ball", "unit": unit, "source": "structured_light", "sha256": "0" * 64}
    return measure_ball(check_mesh(data, name=name), job)


def diameter(found: ScanMeasurement) -> float:
    return next(float(item.value) for item in found.readings if item.quantity == "ball.diameter" and item.value is not None)


def sole(outcome: ScanMeasurement | str) -> ScanMeasurement:
    assert isinstance(outcome, ScanMeasurement), outcome
    return outcome


@pytest.mark.parametrize("unit", ["cm", "in", "m"])
def test_f08_an_stl_file_in_another_unit_is_told_from_the_figure(unit: str) -> None:
    found = measured(keeper().corners / MM[unit])
    assert (found.unit, found.unit_is_assumed) == (unit, True)
    assert "excluded" in found.unit_reason
    assert_as_clean(found)


@pytest.mark.parametrize("factor", [3.5, 0.5, 0.004])
def test_f08_a_file_in_no_unit_is_refused_and_asks(factor: float) -> None:
    assert tried(binary_stl(keeper().corners * factor)) == "scan_unit_unknown"


@pytest.mark.parametrize("tall", [27.0, 44.0])
def test_f09_a_small_or_large_article_is_not_taken_for_another_unit(tall: float) -> None:
    built = make_keeper(Recipe(edge=0.9, tall=tall - 3.0, rod_length=80.0))
    found = measured(built.corners)
    assert found.unit == "mm"
    assert_never_wrong(found, built.truth)


def test_f09_a_short_figure_keeps_its_millimetres() -> None:
    small = corners_of(keeper().body) * 0.6
    job = {"name": "f.stl", "item": "figure", "unit": None, "source": "structured_light", "sha256": "0" * 64}
    assert measure_figure(check_mesh(binary_stl(small), name="f.stl"), job).unit == "mm"


@pytest.mark.parametrize("unit", ["mm", "cm", "in", "m"])
def test_f10_a_3mf_unit_holds_for_points_and_placements(unit: str) -> None:
    turned = f'<item objectid="1" transform="0 1 0 -1 0 0 0 0 1 {30 / MM[unit]!r} 0 {-7 / MM[unit]!r}"/>'
    found = sole(tried(write.three_mf(body().scaled(1 / MM[unit]), unit=WORDS[unit], items=turned), "keeper.3mf"))
    assert (found.unit, found.unit_is_assumed) == (unit, False)
    assert_as_clean(found)


def parts_3mf(items: str) -> bytes:
    """The article in two parts, its rod in a file of its own, both in inch."""
    figure, rod = (as_body(corners_of(part) / 25.4) for part in (keeper().body, keeper().solid - keeper().body))
    first = f'<object id="1" type="model">{write.mesh_xml(figure)}</object>'
    whole = '<object id="3" type="model"><components><component objectid="1"/><component objectid="2" p:path="/3D/rod.model"/>'
    other = write.model_xml(f'<object id="2" type="model">{write.mesh_xml(rod)}</object>', "", unit="inch")
    model = write.model_xml(f"{first}{whole}</components></object>", items, unit="inch", head='requiredextensions="p"')
    return write.pack_3mf(model, [("3D/rod.model", other)])


def test_f11_parts_of_a_3mf_in_other_files_are_placed_once() -> None:
    assert_as_clean(sole(tried(parts_3mf('<item objectid="3"/>'), "keeper.3mf")), rel=5e-3)


def test_f11_an_article_placed_three_times_is_no_article_of_three_volumes() -> None:
    moved = "".join(f'<item objectid="1" transform="1 0 0 0 1 0 0 0 1 {60 * at} 0 0"/>' for at in range(3))
    assert tried(write.three_mf(body(), items=moved), "keeper.3mf") == "scan_several_bodies"


def test_f11_an_article_placed_twice_at_one_place_counts_once() -> None:
    found = sole(tried(write.three_mf(body(), items='<item objectid="1"/><item objectid="1"/>'), "keeper.3mf"))
    assert_as_clean(found, rel=5e-3)


@pytest.mark.parametrize("unit", ["mm", "m"])
def test_f12_a_glb_file_in_millimetres_is_told_from_one_in_metres(unit: str) -> None:
    found = sole(tried(write.glb(body().scaled(1 / MM[unit])), "keeper.glb"))
    assert found.unit == unit
    assert "counts in m" in found.unit_reason
    assert_as_clean(found)


@pytest.mark.parametrize("unit", ["mm", "in", "m"])
def test_f13_a_step_file_is_read_in_its_own_unit(unit: str) -> None:
    round_body = write.ball(12)
    found = ball(step_writer.step_of(round_body.cut().scaled(1 / MM[unit]), unit=unit), "ball.step")
    assert not found.unit_is_assumed
    assert diameter(found) == pytest.approx(diameter(ball(write.stl(round_body), "ball.stl")), abs=0.005)


@pytest.mark.parametrize("radius", [0.4, 1.0, 8.0])
def test_f13_a_round_step_body_is_meshed_finely_for_its_size(radius: float) -> None:
    mesh = read_any(step_writer.step_cylinder(radius, 15 * radius), {"name": "rod.step"})
    assert signed_volume(mesh.corners) == pytest.approx(np.pi * 15 * radius**3, rel=5e-4)  # a kernel's defaults lose 1 %


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda corners: binary_stl(corners, header=b"solid of a program"), "keeper.stl"),
        (lambda corners: b"\n  \t" + ascii_stl(corners), "keeper.stl"),
        (lambda corners: b"\xef\xbb\xbf" + ascii_stl(corners, newline="\r\n"), "keeper.stl"),
        (lambda corners: ascii_stl(corners, name="solid facet endsolid"), "keeper.STL"),
    ],
    ids=["binary that begins with solid", "blanks before", "mark and CRLF", "words in the name"],
)
def test_f17_odd_beginnings_are_read_right(change, name: str) -> None:
    assert_as_clean(sole(tried(change(keeper().corners), name)))


def test_f18_a_file_with_a_wrong_count_or_cut_is_refused_and_never_read_in_part() -> None:
    corners = keeper().corners
    whole = binary_stl(corners)
    text = ascii_stl(corners)
    for data in (binary_stl(corners, count=len(corners) // 2), binary_stl(corners, count=2**32 - 1), binary_stl(corners, count=0)):
        assert tried(data) in {"stl_count", "stl_cut", "stl_empty"}
    for share in (0.35, 0.9, 0.999):
        assert tried(whole[: int(share * len(whole))]) == "stl_cut"
        assert str(tried(text[: int(share * len(text))])).startswith("stl_")
    for empty in (b"", b"solid x\nendsolid x\n", bytes(84), b"solid"):
        assert tried(empty) in {"stl_empty", "stl_cut", "mesh_empty"}


def test_f18_what_programs_put_into_the_spare_bytes_is_no_matter() -> None:
    data = bytearray(binary_stl(keeper().corners))
    for at in range(len(keeper().corners)):
        struct.pack_into("<H", data, 84 + 50 * at + 48, (at * 7919) % 65536)
    assert_as_clean(sole(tried(bytes(data))))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_f19_a_number_that_is_none_is_refused(number: float) -> None:
    corners = keeper().corners.copy()
    corners[1_234, 1, 2] = number
    assert tried(binary_stl(corners)) == "stl_not_finite"
    word = {"nan": "nan", "inf": "inf", "-inf": "-1e999"}[str(number)]
    points = write.obj(body()).split(b"\n")
    points[100] = f"v 1 {word} 2".encode()
    assert tried(b"\n".join(points), "keeper.obj") in {"mesh_not_finite", "mesh_number"}


def bomb() -> bytes:
    """A 3MF package of 200 kB that would take 200 MB."""
    model = write.model_xml(f'<object id="1" type="model">{write.mesh_xml(write.bracket())}</object>', '<item objectid="1"/>')
    return write.pack_3mf(model + " " * 200_000_000)


def nested() -> bytes:
    """A 3MF package in which each object holds the one before ten times over: ten thousand million of them."""
    objects = f'<object id="1" type="model">{write.mesh_xml(write.bracket())}</object>'
    for level in range(2, 12):
        held = f'<component objectid="{level - 1}"/>' * 10
        objects += f'<object id="{level}" type="model"><components>{held}</components></object>'
    return write.pack_3mf(write.model_xml(objects, '<item objectid="11"/>'))


def entities() -> bytes:
    """A 3MF package whose text would expand without end."""
    inner = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
    before = f'<!DOCTYPE model [<!ENTITY a0 "lol">{inner}]>'
    return write.pack_3mf(write.model_xml("&a9;", "", before=before))


@pytest.mark.parametrize(
    ("make", "name", "codes"),
    [
        (bomb, "a.3mf", {"zip_ratio", "zip_too_large", "zip_bomb"}),
        (nested, "a.3mf", {"mesh_instances"}),
        (entities, "a.3mf", {"three_mf_doctype"}),
        (lambda: b"v 0 0 0\n" * 3 + b"g a\nf 1 2 3\n" * 20_000, "a.obj", {"mesh_parts"}),
        (lambda: b"ply\nformat ascii 1.0\nelement vertex 4000000000\n", "a.ply", {"ply_header", "mesh_large", "mesh_count"}),
    ],
    ids=["bomb", "nested", "entities", "groups", "counts"],
)
def test_f20_what_would_take_all_memory_is_refused_before_it_does(make, name: str, codes: set[str]) -> None:
    data = make()
    tracemalloc.start()
    try:
        found = tried(data, name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found in codes
    assert peak < 30_000_000


def test_f25_an_obj_file_with_relative_numbers_quads_and_groups_is_read_whole() -> None:
    square = write.ball(16)
    relative = write.obj(square, suffix="/1/1", relative=True)
    lines = relative.split(b"\n")
    first = next(at for at, line in enumerate(lines) if line.startswith(b"f "))
    for at in range(first + 40, len(lines) - 1, 40):
        lines[at] = b"g part " + str(at).encode() + b"\n" + lines[at]
    grouped = b"\n".join(lines)
    assert any(len(face) > 3 for face in square.faces)
    assert diameter(ball(grouped, "ball.obj")) == diameter(ball(write.ply(square, kind="f"), "ball.ply"))


def test_f25_an_obj_index_that_points_at_nothing_is_refused() -> None:
    for index in ("0", "99999", "-99999"):
        assert tried(write.obj(body()) + f"f 1 2 {index}\n".encode(), "keeper.obj") == "mesh_index"


def test_f28_no_dxf_file_is_taken_for_a_scan() -> None:
    # Nothing reads DXF: its unit cannot be got wrong. Whoever sends one is told what is read.
    assert ".dxf" not in ENDINGS
    with pytest.raises(InputRefused) as caught:
        check_kind(b"  0\nSECTION\n  2\nHEADER\n  9\n$INSUNITS\n 70\n     1\n  0\nENDSEC\n  0\nEOF\n", name="pitch.dxf")
    assert caught.value.problems[0].code == "mesh_ending"


def test_one_article_in_every_format_is_the_same_article() -> None:
    for data, name in ((write.off(body()), "k.off"), (write.obj(body()), "k.obj"), (write.ply_text(body()), "k.ply")):
        found = sole(tried(data, name))
        assert_as_clean(found)
        assert covers(found, OUTER, keeper().truth["volume"])
    assert kinds(clean()) == set()
    assert value(measure_bytes(binary_stl(keeper().corners)), OUTER) == value(clean(), OUTER)
