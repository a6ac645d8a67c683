"""What the gate for STL takes, and what it refuses with which words."""

from __future__ import annotations

import struct
import subprocess
import sys
import time

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.gate.stl import check_stl
from tests.bodies import ascii_stl, binary_stl, capsule, corners_of

FACES = corners_of(capsule((0, 0, 0), (0, 0, 5), 2.0))


def refusal(data: bytes) -> tuple[str, str, str]:
    """Return code, place and words of the refusal."""
    with pytest.raises(InputRefused) as caught:
        check_stl(data, name="part.stl")
    problem = caught.value.problems[0]
    assert problem.todo
    return problem.code, problem.where, problem.what


def test_a_binary_file_is_taken_as_it_is() -> None:
    file = check_stl(binary_stl(FACES), name="part.stl")
    assert (file.format, file.triangles, file.solids) == ("stl-binary", len(FACES), 1)
    assert file.corners == binary_stl(FACES)


def test_a_binary_file_may_begin_with_the_word_solid() -> None:
    assert check_stl(binary_stl(FACES, header=b"solid of a program"), name="part.stl").format == "stl-binary"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_an_ascii_file_is_taken_with_any_line_end(newline: str) -> None:
    file = check_stl(ascii_stl(FACES, newline=newline), name="part.stl")
    assert (file.format, file.triangles) == ("stl-ascii", len(FACES))
    assert np.abs(np.frombuffer(file.corners).reshape(-1, 3, 3) - FACES).max() < 1e-7


def test_an_ascii_file_may_have_a_byte_order_mark_capitals_and_leading_blanks() -> None:
    plain = ascii_stl(FACES, name="two words")
    assert check_stl(b"\xef\xbb\xbf  " + plain, name="part.stl").triangles == len(FACES)
    loud = plain.replace(b"facet normal", b"FACET NORMAL").replace(b"endfacet", b"ENDFACET").replace(b"endFACET", b"endfacet")
    assert check_stl(loud, name="part.stl").triangles == len(FACES)


def test_several_solids_are_one_part() -> None:
    file = check_stl(ascii_stl(FACES[:100]) + ascii_stl(FACES[100:], name=""), name="part.stl")
    assert (file.triangles, file.solids) == (len(FACES), 2)


@pytest.mark.parametrize("data", [b"", b"\0" * 84, b" \r\n", b"\0" * 20])
def test_an_empty_file_is_refused(data: bytes) -> None:
    assert refusal(data)[0] == "stl_empty"


@pytest.mark.parametrize("missing", [1, 49, 50, 5_000])
def test_a_cut_binary_file_is_refused(missing: int) -> None:
    code, where, what = refusal(binary_stl(FACES)[:-missing])
    assert (code, where) == ("stl_cut", "part.stl")
    assert f"announces {len(FACES)} facets" in what


@pytest.mark.parametrize("count", [0, 3, len(FACES) // 2, len(FACES) - 1])
def test_a_binary_file_with_a_count_too_small_is_refused(count: int) -> None:
    assert refusal(binary_stl(FACES, count=count))[0] == "stl_count"


@pytest.mark.parametrize("count", [len(FACES) + 1, 0xFFFFFFFF])
def test_a_binary_file_with_a_count_too_large_is_refused(count: int) -> None:
    assert refusal(binary_stl(FACES, count=count))[0] == "stl_cut"


def test_three_facets_enclose_nothing() -> None:
    assert refusal(binary_stl(FACES[:3]))[0] == "stl_empty"
    assert refusal(ascii_stl(FACES[:3]))[0] == "stl_empty"
    assert check_stl(binary_stl(FACES[:4]), name="part.stl").triangles == 4


@pytest.mark.parametrize(("number", "code"), [(np.nan, "stl_not_finite"), (np.inf, "stl_not_finite"), (-np.inf, "stl_not_finite")])
def test_a_number_that_is_not_finite_is_refused_with_its_facet(number: float, code: str) -> None:
    faces = FACES.copy()
    faces[41, 2, 1] = number
    assert refusal(binary_stl(faces))[:2] == (code, "part.stl: facet 42")
    assert refusal(ascii_stl(faces))[:2] == (code, "part.stl: facet 42")


def test_the_first_of_several_bad_facets_is_named() -> None:
    faces = FACES.copy()
    faces[7, 0, 0], faces[3, 2, 2] = np.nan, np.inf
    assert refusal(binary_stl(faces))[1] == "part.stl: facet 4"


def test_a_normal_that_is_not_finite_is_refused() -> None:
    data = bytearray(binary_stl(FACES))
    struct.pack_into("<f", data, 84 + 50 * 9 + 4, float("nan"))
    assert refusal(bytes(data))[:2] == ("stl_not_finite", "part.stl: facet 10")


@pytest.mark.parametrize("x", [10_000.0, -10_000.0, 8_192.0])
def test_a_coordinate_of_ten_metres_is_taken(x: float) -> None:
    faces = FACES.copy()
    faces[5, 1, 0] = x
    assert check_stl(binary_stl(faces), name="part.stl").triangles == len(FACES)


@pytest.mark.parametrize("x", [10_000.01, -3e38])
def test_a_coordinate_beyond_ten_metres_is_refused(x: float) -> None:
    faces = FACES.copy()
    faces[5, 1, 0] = x
    assert refusal(binary_stl(faces))[:2] == ("stl_far", "part.stl: facet 6")
    assert refusal(ascii_stl(faces))[:2] == ("stl_far", "part.stl: facet 6")


@pytest.mark.parametrize("token", [b"1_000", b"0x10", b"1,5", b"nan(1)", b"\xd9\xa1", b"--1", b"1e", b"1.2.3", b"."])
def test_what_only_some_readers_call_a_number_is_refused(token: bytes) -> None:
    lines = ascii_stl(FACES).split(b"\n")
    at = next(i for i, line in enumerate(lines) if b"vertex" in line)
    lines[at + 7] = b"vertex 1.0 " + token + b" 2.0"
    code, where, _ = refusal(b"\n".join(lines))
    assert (code, where) == ("stl_number", "part.stl: facet 2")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"endloop", b"endlop", "stl_word"),
        (b"outer loop", b"outer", "stl_word"),
        (b"facet normal", b"facet", "stl_word"),
        (b"endsolid", b"", "stl_word"),
        (b"vertex", b"vertex 1.0", "stl_word"),
        (b"solid part\n", b"solid " + b"x" * 300 + b"\n", "stl_name"),
    ],
)
def test_damaged_ascii_is_refused(old: bytes, new: bytes, code: str) -> None:
    assert refusal(ascii_stl(FACES).replace(old, new, 1))[0] in {code, "stl_cut"}


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_cut_ascii_file_is_refused(share: float) -> None:
    data = ascii_stl(FACES)
    assert refusal(data[: int(len(data) * share)])[0] in {"stl_cut", "stl_word"}


def test_text_after_the_last_solid_is_refused() -> None:
    assert refusal(ascii_stl(FACES) + b"facet")[0] == "stl_word"


def test_too_many_solids_are_refused() -> None:
    assert refusal(b"solid a\nendsolid a\n" * 2_001)[0] == "stl_large"


@pytest.mark.parametrize("data", [b"ply\nformat ascii 1.0\n" + b"x" * 200, b"PK\x03\x04" + b"\0" * 300, b"solid\0" + b"\1" * 300])
def test_another_format_is_refused(data: bytes) -> None:
    assert refusal(data)[0] in {"stl_cut", "stl_count"}


def test_a_large_file_passes_in_a_moment_without_numpy() -> None:
    code = (
        "import sys, time, struct; from homolog.gate.stl import check_stl;"
        "data = b'x' * 80 + struct.pack('<I', 300_000) + (b'\\0' * 48 + b'\\0\\0') * 300_000;"
        "start = time.perf_counter(); n = check_stl(data, name='f').triangles if data.strip(b'\\0') else 0;"
        "assert n == 300_000 and 'numpy' not in sys.modules; print(time.perf_counter() - start)"
    )
    seconds = float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)
    assert seconds < 1.0


def test_refusing_takes_less_than_a_second() -> None:
    data = binary_stl(np.repeat(FACES, 40, axis=0))[:-1]
    start = time.perf_counter()
    refusal(data)
    assert time.perf_counter() - start < 1.0
