"""A first look: the size and volume of known bodies, and every way in which a surface can fail to close."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.scan import look_at_scan
from homolog.scan.first_look import look_at
from homolog.scan.sandbox import client
from homolog.scan.welding import weld
from tests.bodies import binary_stl, corners_of, ellipsoid

BALL = corners_of(ellipsoid((1.0, 2.0, 3.0), (9.0, 3.0, 18.0), edge=0.25)).astype(np.float32)
CUBE = np.array(
    [
        [(0, 0, 0), (0, 1, 0), (1, 1, 0)],
        [(0, 0, 0), (1, 1, 0), (1, 0, 0)],
        [(0, 0, 1), (1, 1, 1), (0, 1, 1)],
        [(0, 0, 1), (1, 0, 1), (1, 1, 1)],
        [(0, 0, 0), (1, 0, 0), (1, 0, 1)],
        [(0, 0, 0), (1, 0, 1), (0, 0, 1)],
        [(0, 1, 0), (1, 1, 1), (1, 1, 0)],
        [(0, 1, 0), (0, 1, 1), (1, 1, 1)],
        [(0, 0, 0), (0, 0, 1), (0, 1, 1)],
        [(0, 0, 0), (0, 1, 1), (0, 1, 0)],
        [(1, 0, 0), (1, 1, 0), (1, 1, 1)],
        [(1, 0, 0), (1, 1, 1), (1, 0, 1)],
    ],
    np.float32,
)


def test_a_cube_has_its_size_and_volume_and_is_closed() -> None:
    seen = look_at(CUBE)
    assert (seen.low.tolist(), seen.high.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert seen.volume == pytest.approx(1.0, abs=1e-15)
    assert seen.is_closed


def test_more_faces_than_one_step_takes_give_the_closed_form() -> None:
    assert len(BALL) > 20_000
    seen = look_at(BALL)
    assert seen.is_closed
    assert seen.volume == pytest.approx(4 / 3 * np.pi * 9 * 3 * 18, rel=1e-3)
    assert seen.low == pytest.approx([-8, -1, -15], abs=0.01)
    assert seen.high == pytest.approx([10, 5, 21], abs=0.01)


@pytest.mark.parametrize("face", range(12))
def test_a_missing_a_double_and_a_turned_face_are_each_seen(face: int) -> None:
    assert not look_at(np.delete(CUBE, face, axis=0)).is_closed
    assert not look_at(np.concatenate([CUBE, CUBE[face : face + 1]])).is_closed
    turned = CUBE.copy()
    turned[face] = turned[face, ::-1]
    assert not look_at(turned).is_closed


def test_a_corner_that_is_off_by_one_step_of_its_number_is_seen() -> None:
    moved = BALL.copy()
    moved[777, 1, 2] = np.nextafter(moved[777, 1, 2], np.float32(np.inf))
    assert not look_at(moved).is_closed


def test_a_surface_that_is_turned_inside_out_closes_with_a_negative_volume() -> None:
    seen = look_at(np.ascontiguousarray(CUBE[:, ::-1]))
    assert seen.is_closed
    assert seen.volume == pytest.approx(-1.0)


def test_the_order_of_faces_and_the_sign_of_zero_do_not_matter() -> None:
    shuffled = np.random.default_rng(3).permutation(BALL)
    assert look_at(shuffled).is_closed
    assert look_at(shuffled).volume == pytest.approx(look_at(BALL).volume, rel=1e-12)
    signed = CUBE.copy()
    signed[0] = np.where(signed[0] == 0, np.float32(-0.0), signed[0])
    assert look_at(signed).is_closed


def test_it_says_what_sorting_all_edges_says() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        faces = CUBE[rng.permutation(12)[: rng.integers(9, 13)]]
        surface = weld(faces.astype(np.float64))
        assert look_at(faces).is_closed == surface.edges.are_closed


def test_two_bodies_that_share_an_edge_are_closed() -> None:
    assert look_at(np.concatenate([CUBE, CUBE + np.float32([1, 1, 0])])).is_closed


def test_numbers_of_64_bits_are_told_apart_to_their_last_bit() -> None:
    ball = BALL.astype(np.float64)
    assert look_at(ball).is_closed
    ball[777, 1, 2] = np.nextafter(ball[777, 1, 2], np.inf)
    assert not look_at(ball).is_closed


def test_a_file_is_seen_as_it_is_behind_the_sandbox() -> None:
    seen = look_at_scan(binary_stl(BALL), name="ball.stl")
    assert (seen.format, seen.triangles, seen.unit, seen.closed) == ("stl-binary", len(BALL), None, True)
    assert seen.size == pytest.approx((18, 6, 36), abs=0.02)
    assert seen.volume == pytest.approx(4 / 3 * np.pi * 9 * 3 * 18, rel=1e-3)


def test_a_text_format_is_seen_like_the_binary_one_and_an_open_surface_has_no_volume() -> None:
    corners = CUBE.reshape(-1, 3)
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
    faces = "".join(f"f {3 * face + 1} {3 * face + 2} {3 * face + 3}\n" for face in range(12))
    whole = look_at_scan((points + faces).encode(), name="cube.obj")
    assert (whole.size, whole.volume, whole.closed) == ((1.0, 1.0, 1.0), 1.0, True)
    opened = look_at_scan((points + faces.rsplit("f", 1)[0]).encode(), name="cube.obj")
    assert (opened.triangles, opened.volume, opened.closed) == (11, None, False)


def test_a_cloud_of_points_has_nothing_to_be_seen() -> None:
    rows = "".join(f"{x} {y} 0 0 0 1\n" for x in range(20) for y in range(20))
    with pytest.raises(InputRefused) as refused:
        look_at_scan(rows.encode(), name="plate.xyz")
    assert refused.value.problems[0].code == "cloud_item"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (binary_stl(CUBE)[:-100], "stl_cut"),
        (binary_stl(CUBE)[:84] + struct.pack("<f", float("nan")) + binary_stl(CUBE)[88:], "stl_not_finite"),
        (bytes(500), "mesh_empty"),
    ],
)
def test_a_binary_file_that_its_gate_refuses_starts_no_process(data: bytes, code: str) -> None:
    client.stop()
    with pytest.raises(InputRefused) as refused:
        look_at_scan(data, name="cube.stl")
    assert refused.value.problems[0].code == code
    assert not client._current
