"""The gate for Wavefront OBJ: points, faces and groups; no file that it names is ever opened.

Runs of like lines are taken column by column. Only where a run is not as regular as its first line is each line
looked at, so that the messages name the line and large files still pass in seconds.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable

from homolog.gate.lines import LINE_END, Lines, Places, check_text, join_lines, without_comments
from homolog.gate.mesh import (
    DAMAGED,
    MAX_SIDES,
    MeshFile,
    Placement,
    RawMesh,
    check_parts,
    check_sizes,
    check_triangles,
    part_name,
    refuse,
)
from homolog.gate.numbers import float_at, floats_of, integer_at, integers_of, little, shown

_RUNS = {
    b"v": re.compile(rb"(?:v[ \t][^\n]*\n){1,20000}"),
    b"f": re.compile(rb"(?:f[ \t][^\n]*\n){1,20000}"),
    b"": re.compile(rb"(?:(?:v[tnp][ \t][^\n]*|[ \t]*|[ \t]*#[^\n]*)\n){1,20000}"),
}
_WORD = re.compile(rb"[ \t]*([^ \t\n]*)[ \t]*([^\n]*)\n")
_IGNORED = {
    b"s",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"shadow_obj",
    b"trace_obj",
    b"mg",
}
_CORNER = re.compile(rb"(-?[0-9]{1,18})(?:/-?[0-9]*){0,2}")
_DIGITS = b"0123456789"
_TOP = 2**31 - 1
MAX_LONE = 1_000_000
"""Most lines that are read one by one: names, materials, smoothing, indented lines."""


def check_obj(data: bytes, *, name: str) -> MeshFile:
    """Take an OBJ file whole, or refuse it.

    Groups and objects become parts; materials, textures and smoothing are ignored.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is damaged, points at corners that are not there, or holds more than a surface.
    """
    taker = _Taker(join_lines(check_text(data, name)))
    taker.take()
    return taker.result()


class _Taker:
    """Goes through the text once and gathers points, corners and parts."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.place = Places(lines).place
        self.points = array("d")
        self.corners = array("i")
        self.sizes = array("i")
        self.parts: list[tuple[str, int]] = []
        self.statements = 0
        self.lone = 0
        self.highest = 0
        self.highest_run = (0, 0)

    def take(self) -> None:
        text, at = self.lines.text, 0
        while at < len(text):
            for kind, pattern in _RUNS.items():
                run = pattern.match(text, at)
                if run is not None:
                    self.run(kind, run.group(), at)
                    at = run.end()
                    break
            else:
                at = self.other(at)

    def run(self, kind: bytes, block: bytes, at: int) -> None:
        check_sizes(len(self.points) // 3, len(self.sizes), self.lines.name)
        if kind == b"v":
            if not self.regular_points(block):
                self.each_line(block, at, self.point)
        elif kind == b"f":
            if not self.regular_faces(block, at):
                self.each_line(block, at, self.face)
        elif not self.regular_unused(block):
            self.each_line(block, at, self.unused)

    def each_line(self, block: bytes, at: int, take: Callable[[list[bytes], int], None]) -> None:
        for line in block.split(b"\n")[:-1]:
            fields = without_comments(line).split()
            if fields:
                take(fields[1:], at)
            at += len(line) + 1

    def regular_unused(self, block: bytes) -> bool:
        words = sum(block.count(word) for word in (b"vt", b"vn", b"vp"))
        return not block.translate(None, b"vtnp 0123456789+-.eE\t\n") and (LINE_END + block).count(b"\nv") == words

    def regular_points(self, block: bytes) -> bool:
        tokens = block.split()
        count = block.count(b"\n")
        if len(tokens) != 4 * count or tokens[::4].count(b"v") != count:
            return False
        columns = [floats_of(tokens[place::4]) for place in (1, 2, 3)]
        xs, ys, zs = columns
        if xs is None or ys is None or zs is None:
            return False
        packed = array("d", bytes(24 * count))
        packed[0::3], packed[1::3], packed[2::3] = array("d", xs), array("d", ys), array("d", zs)
        self.points.extend(packed)
        return True

    def regular_faces(self, block: bytes, at: int) -> bool:
        first = block[: block.index(b"\n") + 1]
        count = block.count(b"\n")
        # Without its digits every line must look like the first one: that fixes how many numbers each can hold.
        if block.translate(None, _DIGITS) != first.translate(None, _DIGITS) * count or b"#" in first:
            return False
        fields = first.split()[1:]
        shapes = {field.translate(None, _DIGITS) for field in fields}
        if len(fields) < 3 or len(fields) > MAX_SIDES or len(shapes) != 1:
            return False
        tokens = block.replace(b"/", b" ").split()
        width = len(first.replace(b"/", b" ").split())
        step = (width - 1) // len(fields)
        if len(tokens) != width * count or width != 1 + step * len(fields) or tokens[::width].count(b"f") != count:
            return False
        if any(not _CORNER.fullmatch(field) for field in fields):
            return False
        return self.columns([tokens[1 + step * side :: width] for side in range(len(fields))], block, at)

    def columns(self, columns: list[list[bytes]], block: bytes, at: int) -> bool:
        count, sides = len(columns[0]), len(columns)
        known = len(self.points) // 3
        packed = array("i", bytes(4 * count * sides))
        for side, tokens in enumerate(columns):
            values = integers_of(tokens)
            if values is None or max(values) > _TOP or 0 in values:
                return False
            if min(values) < 0:
                values = [value if value > 0 else known + 1 + value for value in values]
                if min(values) < 1:
                    return False
            self.note_highest(max(values), at, at + len(block))
            packed[side::sides] = array("i", values)
        self.corners.extend(packed)
        self.sizes.extend(array("i", [sides]) * count)
        return True

    def note_highest(self, index: int, start: int, stop: int) -> None:
        if index > self.highest:
            self.highest, self.highest_run = index, (start, stop)

    def point(self, fields: list[bytes], at: int) -> None:
        place = self.place(at)
        if len(fields) not in (3, 4, 6, 7):
            refuse(place, f"a point has {len(fields)} numbers instead of three", DAMAGED, "obj_line")
        values = [float_at(field, place) for field in fields]
        if len(fields) in (4, 7) and values[3] != 1:
            refuse(place, "a point has a weight other than 1", "export a plain mesh, no curved surfaces", "obj_line")
        self.points.extend(values[:3])

    def face(self, fields: list[bytes], at: int) -> None:
        place = self.place(at)
        if len(fields) < 3:
            refuse(place, f"a face has {len(fields)} corners", DAMAGED, "mesh_face")
        if len(fields) > MAX_SIDES:
            refuse(place, f"a face has {len(fields)} corners, more than {MAX_SIDES}", "export triangles", "mesh_face")
        known = len(self.points) // 3
        for field in fields:
            found = _CORNER.fullmatch(field)
            if found is None:
                integer_at(field, place)
                refuse(place, f"{shown(field)} is not a corner of a face", DAMAGED, "obj_line")
            index = int(found[1])
            if index == 0:
                refuse(place, "a corner is numbered 0; the points of an OBJ file count from 1", DAMAGED, "mesh_index")
            if index < -known or index > _TOP:
                refuse(place, f"a face points at corner {index} of {known} points", DAMAGED, "mesh_index")
            index = index if index > 0 else known + 1 + index
            self.note_highest(index, at, at + 1)
            self.corners.append(index)
        self.sizes.append(len(fields))

    def unused(self, fields: list[bytes], at: int) -> None:
        """See that texture places and normals, which nothing here needs, are numbers all the same."""
        for field in fields:
            float_at(field, self.place(at), limit=1e12)

    def other(self, at: int) -> int:
        found = _WORD.match(self.lines.text, at)
        if found is None:  # every line has a first word, if an empty one
            return len(self.lines.text)
        word, rest = found[1], found[2].strip()
        self.lone += 1
        if self.lone > MAX_LONE:
            refuse(self.place(at), f"more than {MAX_LONE} lines name materials and the like", "export the mesh alone", "mesh_large")
        if word in (b"v", b"f", b"vt", b"vn", b"vp"):
            take = {b"v": self.point, b"f": self.face}.get(word, self.unused)
            take(without_comments(rest).split(), at)
        elif word in (b"o", b"g"):
            self.statements += 1
            check_parts(self.statements, self.place(at))
            place = self.place(at)
            self.parts.append((part_name(rest.decode(), place, self.statements), len(self.sizes)))
        elif word in (b"l", b"p"):
            refuse(self.place(at), "the file holds lines or lone points", "export the surface alone", "mesh_kind")
        elif word not in _IGNORED:
            what = f"{shown(word)} is no word of a plain mesh"
            refuse(self.place(at), what, "export a plain mesh as OBJ, no curved surfaces", "obj_line")
        elif len(rest) > 4000:
            refuse(self.place(at), "the line is too long", DAMAGED, "mesh_name")
        return found.end()

    def result(self) -> MeshFile:
        count = len(self.points) // 3
        if self.highest > count:
            refuse(self.find_highest(), f"a face points at corner {self.highest} of {count} points", DAMAGED, "mesh_index")
        triangles = len(self.corners) - 2 * len(self.sizes)
        check_triangles(triangles, self.lines.name)
        mesh = RawMesh(
            points=little(self.points),
            corners=little(array("i", [index - 1 for index in self.corners])),
            sizes=b"" if triangles == len(self.sizes) else little(self.sizes),
            parts=_with_faces(self.parts, len(self.sizes)),
        )
        return MeshFile(format="obj", unit=None, triangles=triangles, points=count, meshes=(mesh,), placements=(Placement(mesh=0),))

    def find_highest(self) -> str:
        start, stop = self.highest_run
        needle = re.compile(rb"(?<![0-9/])0*%d(?![0-9])" % self.highest)
        found = needle.search(self.lines.text, start, max(stop, self.lines.text.index(b"\n", start)))
        return self.place(found.start() if found else start)


def _with_faces(parts: list[tuple[str, int]], faces: int) -> tuple[tuple[str, int], ...]:
    """Drop the parts that hold no face."""
    if not parts:
        return ()
    ends = [first for _, first in parts[1:]] + [faces]
    kept = [part for part, end in zip(parts, ends, strict=True) if end > part[1]]
    if kept and kept[0][1] > 0:
        kept.insert(0, ("part 0", 0))
    return tuple(kept)
