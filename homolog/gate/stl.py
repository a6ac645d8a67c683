"""The gate for STL: binary and ASCII files are taken whole or refused, before any mesh library sees them.

Only the standard library is used, so that a caller may run the gate without loading numpy.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from homolog.errors import InputRefused, Problem

HEADER = 84
RECORD = 50
MAX_COORDINATE = 10_000.0
"""Largest magnitude of a coordinate in file units: 10 m in the smallest unit, the millimetre."""
MAX_BINARY_BYTES = 200_000_000
MAX_ASCII_BYTES = 400_000_000
MAX_TRIANGLES = 2_000_000
MAX_SOLIDS = 2_000
MAX_NAME = 200
MIN_TRIANGLES = 4
"""A closed surface has at least four faces."""

_CHUNK = 8_000_000
_TOKENS = 21
# The words of a facet by their place among its 21 tokens; the other places hold the numbers.
_WORDS = {
    0: b"facet",
    1: b"normal",
    5: b"outer",
    6: b"loop",
    7: b"vertex",
    11: b"vertex",
    15: b"vertex",
    19: b"endloop",
    20: b"endfacet",
}
_SOMETHING = re.compile(rb"[^\0 \t\r\n]")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_FRAME = re.compile(rb"^[ \t]*(endsolid|solid)(?=[ \t\r\n]|\Z)([^\r\n]*)", re.MULTILINE | re.IGNORECASE)
# An exponent byte below this one holds a magnitude below 8192, so that only the others need a look.
_SUSPECT = bytes(0x01 if (byte & 0x7F) >= 0x46 else 0x00 for byte in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class StlFile:
    """A file that passed the gate.

    Attributes:
        format: Which of the two forms the file has.
        triangles: How many facets it holds.
        solids: How many named solids an ASCII file holds; 1 for a binary one.
        corners: For ASCII the corners as little-endian doubles, nine a facet; for binary the file as it came.
    """

    format: Literal["stl-binary", "stl-ascii"]
    triangles: int
    solids: int
    corners: bytes


def check_stl(data: bytes, *, name: str) -> StlFile:
    """Take an STL file whole, or refuse it.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is empty, cut, damaged, too large, or holds a number that is no place on an article.
    """
    if is_blank(data):
        raise _refused(name, "the file is empty", "export the scan again", "stl_empty")
    return _check_ascii(data, name) if is_text(data) else check_binary(data, name=name)


def is_blank(data: bytes) -> bool:
    """Say whether a file holds nothing but blanks and zeros; without a copy of it, as stripping would make."""
    return _SOMETHING.search(data) is None


def is_text(data: bytes) -> bool:
    """Say whether an STL file is in the ASCII form; one whose size fits the binary form is that, whatever it begins with."""
    if len(data) >= HEADER and len(data) == HEADER + RECORD * _count(data):
        return False
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return head[:5].lower() == b"solid" and b"\0" not in data


def check_binary(data: bytes, *, name: str) -> StlFile:
    """Take an STL file that is not in the ASCII form, or refuse it; quick enough for any caller, since nothing is parsed.

    Raises:
        InputRefused: As for `check_stl`.
    """
    if len(data) >= HEADER and len(data) == HEADER + RECORD * _count(data):
        return _check_binary(data, name)
    if len(data) < HEADER:
        raise _refused(name, f"{len(data)} bytes are no STL file", "export the scan again as binary STL", "stl_cut")
    expected = HEADER + RECORD * _count(data)
    what = f"the header announces {_count(data)} facets, which is {expected} bytes, but the file has {len(data)}"
    todo = "the file is cut or damaged: export or copy it again" if expected > len(data) else "the file is damaged: export it again"
    raise _refused(name, what, todo, "stl_cut" if expected > len(data) else "stl_count")


def _count(data: bytes) -> int:
    return int(struct.unpack_from("<I", data, 80)[0])


def _refused(where: str, what: str, todo: str, code: str) -> InputRefused:
    return InputRefused(Problem(where, what, todo, code))


def _check_size(name: str, triangles: int, size: int, limit: int) -> None:
    if triangles > MAX_TRIANGLES or size > limit:
        what = f"{triangles} facets in {size} bytes are more than is taken ({MAX_TRIANGLES} facets, {limit} bytes)"
        raise _refused(name, what, "reduce the mesh; a goalkeeper needs no more than 300000 facets", "stl_large")


def _check_binary(data: bytes, name: str) -> StlFile:
    triangles = _count(data)
    if triangles < MIN_TRIANGLES:
        raise _refused(name, f"{triangles} facets enclose nothing", "export the scan again", "stl_empty")
    _check_size(name, triangles, len(data), MAX_BINARY_BYTES)
    bad = min(_bad_facets(data), default=None)
    if bad is not None:
        facet, number = bad
        raise _refused(f"{name}: facet {facet}", *_number_trouble(number))
    return StlFile(format="stl-binary", triangles=triangles, solids=1, corners=data)


def _bad_facets(data: bytes) -> Iterator[tuple[int, float]]:
    """Yield the first facet, counted from 1, of each of the 12 columns of numbers that holds no place on an article."""
    for column in range(12):
        offset = HEADER + 4 * column
        flags = data[offset + 3 :: RECORD].translate(_SUSPECT)
        at = flags.find(1)
        while at >= 0:
            number = struct.unpack_from("<f", data, offset + RECORD * at)[0]
            if not abs(number) <= MAX_COORDINATE:
                yield at + 1, number
                break
            at = flags.find(1, at + 1)


def _number_trouble(number: float) -> tuple[str, str, str]:
    if number - number == 0:  # neither infinite nor NaN
        return f"the number {number:g} lies beyond 10 m", "move the part to the origin and export it in millimetres", "stl_far"
    return f"the number {number} is not finite", "the file is damaged: export the scan again", "stl_not_finite"


def _check_ascii(data: bytes, name: str) -> StlFile:
    text = data.removeprefix(b"\xef\xbb\xbf")
    _check_size(name, 0, len(text), MAX_ASCII_BYTES)
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(name, f"byte {error.start} is not UTF-8", "export the scan again", "stl_text") from None
    corners = array("d")
    solids = 0
    for body in _bodies(text, name):
        solids += 1
        for chunk in _chunks(body):
            _read_facets(chunk, corners, name)
            _check_size(name, len(corners) // 9, len(text), MAX_ASCII_BYTES)
    triangles = len(corners) // 9
    if triangles < MIN_TRIANGLES:
        raise _refused(name, f"{triangles} facets enclose nothing", "export the scan again", "stl_empty")
    return StlFile(format="stl-ascii", triangles=triangles, solids=solids, corners=corners.tobytes())


def _bodies(text: bytes, name: str) -> Iterator[bytes]:
    """Yield what stands between each `solid` and its `endsolid`, and see that nothing stands outside."""
    cut = "the file is cut: export or copy it again"
    if b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    frames = list(islice(_FRAME.finditer(text), 2 * MAX_SOLIDS + 1))
    if len(frames) > 2 * MAX_SOLIDS:
        raise _refused(name, f"there are more than {MAX_SOLIDS} solids", "export the article alone", "stl_large")
    end = 0
    for index in range(0, len(frames), 2):
        start, stop = frames[index], frames[index + 1] if index + 1 < len(frames) else None
        if start[1].lower() != b"solid" or text[end : start.start()].strip():
            raise _refused(name, f"solid {index // 2 + 1} does not begin with the word solid", cut, "stl_word")
        if stop is None or stop[1].lower() != b"endsolid":
            raise _refused(name, f"solid {index // 2 + 1} has no endsolid", cut, "stl_cut")
        if len(start[2].strip()) > MAX_NAME:
            raise _refused(name, f"the name of solid {index // 2 + 1} is longer than {MAX_NAME} bytes", "shorten it", "stl_name")
        yield text[start.end() : stop.start()]
        end = stop.end()
    if text[end:].strip():
        raise _refused(name, "text stands after the last endsolid", cut, "stl_word")


def _chunks(body: bytes) -> Iterator[bytes]:
    """Cut a solid into pieces of whole facets, so that a large file does not become a huge list of tokens."""
    start = 0
    while start < len(body):
        stop = body.find(b"endfacet", start + _CHUNK)
        stop = len(body) if stop < 0 else stop + len(b"endfacet")
        yield body[start:stop]
        start = stop


def _read_facets(chunk: bytes, corners: array[float], name: str) -> None:
    before = len(corners) // 9
    tokens = chunk.split()
    if len(tokens) % _TOKENS or any(tokens[place::_TOKENS].count(word) * _TOKENS != len(tokens) for place, word in _WORDS.items()):
        tokens = [token.lower() if token.isalpha() else token for token in tokens]
        _check_words(tokens, before, name)
    numbers: list[list[float]] = []
    for place in range(_TOKENS):
        if place in _WORDS:
            continue
        column = tokens[place::_TOKENS]
        values = _numbers(column)
        if values is None or not all(abs(value) <= MAX_COORDINATE for value in values):
            _report_number(column, before, name)
            continue
        if place > 5:
            numbers.append(values)
    for facet in zip(*numbers, strict=True):
        corners.extend(facet)


def _numbers(column: list[bytes]) -> list[float] | None:
    """Read a column of plain numbers; None if one of them is not, though float() would take it."""
    if b"".join(column).translate(None, b"0123456789+-.eE"):
        return None
    try:
        return list(map(float, column))
    except ValueError:
        return None


def _check_words(tokens: list[bytes], before: int, name: str) -> None:
    for at, token in enumerate(tokens):
        word = _WORDS.get(at % _TOKENS)
        if word is not None and token != word:
            place = f"{name}: facet {before + at // _TOKENS + 1}"
            what = f"here stands {_shown(token)} where {word.decode()} should stand"
            raise _refused(place, what, "the file is damaged: export the scan again", "stl_word")
    if len(tokens) % _TOKENS:
        place = f"{name}: facet {before + len(tokens) // _TOKENS + 1}"
        raise _refused(place, "the facet ends before its endfacet", "the file is cut: export or copy it again", "stl_cut")


def _report_number(column: list[bytes], before: int, name: str) -> None:
    for at, token in enumerate(column):
        place = f"{name}: facet {before + at + 1}"
        if token.lower().lstrip(b"+-") in {b"nan", b"inf", b"infinity"}:
            raise _refused(place, *_number_trouble(float(token)))
        if not _NUMBER.fullmatch(token):
            raise _refused(place, f"{_shown(token)} is not a number", "the file is damaged: export the scan again", "stl_number")
        if not abs(float(token)) <= MAX_COORDINATE:
            raise _refused(place, *_number_trouble(float(token)))


def _shown(token: bytes) -> str:
    return repr(token[:40].decode("utf-8", "replace"))
