"""The header of a PLY file: which elements it announces, how many of each, and how a row of each is laid out."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Literal

from homolog.gate.mesh import CUT, DAMAGED, refuse

MAX_HEADER = 65_536
MAX_ELEMENTS = 20
MAX_PROPERTIES = 100

_CODES = "bBhHiIfd"
_OLD = ("char", "uchar", "short", "ushort", "int", "uint", "float", "double")
_NEW = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
_TYPES = dict(zip(_OLD + _NEW, _CODES * 2, strict=True))
_FORMATS: dict[str, Literal["ascii", "little", "big"]] = {
    "ascii": "ascii",
    "binary_little_endian": "little",
    "binary_big_endian": "big",
}
_COUNT = re.compile(r"[0-9]{1,10}")
_STRIPS = ("tristrips", "range_grid")


@dataclass(frozen=True, slots=True)
class Property:
    """One number of a row, or a list of numbers if `length` names the type of its length; types as in `struct`."""

    name: str
    kind: str
    length: str = ""

    @property
    def least(self) -> int:
        """The fewest bytes that it takes."""
        return struct.calcsize("<" + (self.length or self.kind))


@dataclass(frozen=True, slots=True)
class Element:
    """A kind of row: how many there are, and what each holds."""

    name: str
    count: int
    properties: tuple[Property, ...]

    @property
    def least(self) -> int:
        """The fewest bytes that a row takes."""
        return sum(item.least for item in self.properties)

    @property
    def has_lists(self) -> bool:
        """Whether rows may differ in length."""
        return any(item.length for item in self.properties)

    def index(self, name: str) -> int:
        """Return which property has a name, or -1."""
        return next((at for at, item in enumerate(self.properties) if item.name == name), -1)


@dataclass(frozen=True, slots=True)
class Header:
    """What a PLY file announces; the body begins at byte `end`, in line `lines` + 1 of a text file."""

    form: Literal["ascii", "little", "big"]
    elements: tuple[Element, ...]
    end: int
    lines: int


def read_header(data: bytes, name: str) -> Header:
    """Read the header of a PLY file.

    Raises:
        InputRefused: It is cut, unknown, or announces more than a mesh can have.
    """
    line_end = next((mark for mark in (b"\r\n", b"\n", b"\r") if data.startswith(b"ply" + mark)), b"")
    if not line_end:
        refuse(f"{name}:1", "the file does not begin with a line that says ply", DAMAGED, "ply_header")
    stop = data.find(line_end + b"end_header" + line_end, 0, MAX_HEADER)
    if stop < 0:
        refuse(name, f"the header does not end within {MAX_HEADER} bytes", CUT, "ply_header")
    try:
        lines = data[:stop].decode("utf-8").split(line_end.decode())
    except UnicodeDecodeError:
        refuse(name, "the header is not UTF-8", DAMAGED, "text_invalid")
    form: Literal["ascii", "little", "big"] | None = None
    elements: list[tuple[str, int, list[Property]]] = []
    for number, line in enumerate(lines[1:], start=2):
        where = f"{name}:{number}"
        match line.split():
            case ["comment" | "obj_info", *_] | []:
                continue
            case ["format", word, "1.0"] if word in _FORMATS and form is None and not elements:
                form = _FORMATS[word]
            case ["element", kind, count] if _COUNT.fullmatch(count) and len(kind) <= 200:
                elements.append((kind, int(count), []))
            case ["property", *words] if elements:
                elements[-1][2].append(_property(words, where))
            case _:
                refuse(where, f"{line[:60]!r} is no line of a PLY header", DAMAGED, "ply_header")
        _check_amount(elements, where)
    if form is None:
        refuse(f"{name}:2", "the header states no format that is known", DAMAGED, "ply_header")
    built = tuple(Element(kind, count, tuple(properties)) for kind, count, properties in elements)
    return Header(form, built, stop + len(b"end_header") + 2 * len(line_end), len(lines) + 1)


def _property(words: list[str], where: str) -> Property:
    match words:
        case ["list", length, kind, name] if length in _TYPES and kind in _TYPES and _TYPES[length] not in "fd":
            return Property(name, _TYPES[kind], _TYPES[length])
        case [kind, name] if kind in _TYPES:
            return Property(name, _TYPES[kind])
        case _:
            pass
    return refuse(where, f"{' '.join(words)[:60]!r} is no property that is known", DAMAGED, "ply_header")


def _check_amount(elements: list[tuple[str, int, list[Property]]], where: str) -> None:
    if not elements:
        return
    kind, count, properties = elements[-1]
    names = [item.name for item in properties]
    if len(elements) > MAX_ELEMENTS or len(names) > MAX_PROPERTIES:
        refuse(where, "the header announces more kinds of rows or numbers than a mesh has", DAMAGED, "ply_header")
    if len(set(names)) < len(names) or len({element[0] for element in elements}) < len(elements):
        refuse(where, "the header names the same thing twice", DAMAGED, "ply_header")
    if kind in _STRIPS and count:
        refuse(where, f"{kind} are not read", "export plain faces", "mesh_kind")
