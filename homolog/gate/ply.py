"""The gate for PLY, as text and in both binary byte orders: faces of three corners or more, or points with normals."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence

from homolog.gate.cloud import check_cloud, woven
from homolog.gate.faces import Faces, check_sides
from homolog.gate.lines import check_text
from homolog.gate.mesh import (
    CUT,
    DAMAGED,
    MAX_COORDINATE,
    MAX_TRIANGLES,
    MeshFile,
    MeshFormat,
    Placement,
    check_number,
    check_sizes,
    refuse,
)
from homolog.gate.numbers import column, first_bad, float_at, floats_of, integer_at, integers_of, within
from homolog.gate.ply_header import Element, Header, Property, read_header

_PLACE = ("x", "y", "z")
_NORMAL = ("nx", "ny", "nz")
_INDICES = ("vertex_indices", "vertex_index")
_CHUNK = 20_000
_ANY = 1e30


def check_ply(data: bytes, *, name: str) -> MeshFile:
    """Take a PLY file whole, or refuse it.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is damaged, announces more than it holds, points at corners that are not there, or is a
            point cloud without normals.
    """
    header = read_header(data, name)
    vertex = next((element for element in header.elements if element.name == "vertex"), None)
    face = next((element for element in header.elements if element.name == "face"), None)
    if vertex is None or any(vertex.index(axis) < 0 for axis in _PLACE):
        refuse(name, "the header announces no points with x, y and z", DAMAGED, "ply_header")
    if vertex.has_lists:
        refuse(name, "points with lists are not read", "export plain points and faces", "mesh_kind")
    if face is not None and face.count and header.elements.index(face) < header.elements.index(vertex):
        refuse(name, "the faces stand before the points", "export the file again", "ply_header")
    check_sizes(vertex.count, face.count if face else 0, name)
    source = _Text(data, header, name) if header.form == "ascii" else _Packed(data, header, name)
    columns: list[Sequence[float]] = []
    faces = Faces(vertex.count)
    for element in header.elements:
        if element is vertex:
            columns = source.points(element)
        elif element is face and element.count:
            source.faces(element, faces)
        else:
            source.skip(element)
    source.finish()
    form: MeshFormat = "ply-ascii" if header.form == "ascii" else "ply-binary"
    placed = [columns[vertex.index(axis)] for axis in _PLACE]
    if face is None or not face.count:
        if any(vertex.index(axis) < 0 for axis in _NORMAL):
            what = "the file holds points without faces and without normals"
            refuse(name, what, "export the scan as a mesh, or the points with nx, ny, nz", "cloud_normal")
        normals = [columns[vertex.index(axis)] for axis in _NORMAL]
        return check_cloud([*placed, *normals], form, name, lambda at: f"{name}: point {at + 1}")
    mesh = faces.mesh(woven(placed), name)
    return MeshFile(
        format=form, unit=None, triangles=faces.triangles, points=vertex.count, meshes=(mesh,), placements=(Placement(mesh=0),)
    )


def _limit(item: Property) -> float:
    return MAX_COORDINATE if item.name in _PLACE else _ANY


def _index_of_corners(face: Element, name: str) -> int:
    found = [at for at, item in enumerate(face.properties) if item.name in _INDICES and item.length and item.kind not in "fd"]
    if len(found) != 1:
        refuse(name, "the faces have no single list of corners", DAMAGED, "ply_header")
    return found[0]


class _Text:
    """The body of a text file, row by row as the header announces it."""

    def __init__(self, data: bytes, header: Header, name: str) -> None:
        self.name = name
        text = check_text(data[header.end :], name).text
        self.rows = text.rstrip().split(b"\n") if text.strip() else []
        self.first = header.lines + 1
        self.at = 0
        announced = sum(element.count for element in header.elements)
        if len(self.rows) != announced:
            what = f"the header announces {announced} lines, but {len(self.rows)} follow it"
            refuse(name, what, CUT if len(self.rows) < announced else DAMAGED, "mesh_count")

    def place(self, at: int) -> str:
        return f"{self.name}:{self.first + at}"

    def chunks(self, element: Element, take: Callable[[list[list[bytes]], int], None]) -> None:
        stop = self.at + element.count
        while self.at < stop:
            rows = self.rows[self.at : min(self.at + _CHUNK, stop)]
            take([row.split() for row in rows], self.at)
            self.at += len(rows)

    def points(self, element: Element) -> list[Sequence[float]]:
        columns = [array("d") for _ in element.properties]

        def take(rows: list[list[bytes]], at: int) -> None:
            wrong = next((row for row, fields in enumerate(rows) if len(fields) != len(columns)), None)
            if wrong is not None:
                what = f"a point has {len(rows[wrong])} numbers, but the header announces {len(columns)}"
                refuse(self.place(at + wrong), what, DAMAGED, "mesh_count")
            for values, item, tokens in zip(columns, element.properties, zip(*rows, strict=True), strict=True):
                numbers = floats_of(tokens)
                if numbers is None:
                    numbers = [float_at(token, self.place(at + row), limit=_limit(item)) for row, token in enumerate(tokens)]
                values.extend(numbers)

        self.chunks(element, take)
        return list(columns)

    def faces(self, element: Element, faces: Faces) -> None:
        which = _index_of_corners(element, self.name)
        alone = len(element.properties) == 1

        def take(rows: list[list[bytes]], at: int) -> None:
            if alone and len(set(map(len, rows))) == 1 and self.regular(rows, faces):
                return
            for row, fields in enumerate(rows):
                faces.add(self.corners(fields, element, which, self.place(at + row)), self.place(at + row))

        self.chunks(element, take)

    def regular(self, rows: list[list[bytes]], faces: Faces) -> bool:
        columns = [integers_of(tokens) for tokens in zip(*rows, strict=True)]
        if not columns or columns[0] is None or set(columns[0]) != {len(columns) - 1}:
            return False
        found = [column for column in columns[1:] if column is not None]
        return len(found) == len(columns) - 1 and faces.add_columns(found)

    def corners(self, fields: list[bytes], element: Element, which: int, where: str) -> list[int]:
        at, found = 0, []
        for number, item in enumerate(element.properties):
            length = 1
            if item.length:
                length = integer_at(fields[at], where) if at < len(fields) else -1
                at += 1
                if number == which:
                    check_sides(length, where)
            if length < 0 or at + length > len(fields):
                refuse(where, "the line holds fewer numbers than it announces", CUT, "mesh_count")
            if number == which:
                found = [integer_at(field, where) for field in fields[at : at + length]]
            else:
                for field in fields[at : at + length]:
                    float_at(field, where, limit=_ANY)
            at += length
        if at != len(fields):
            refuse(where, "the line holds more numbers than it announces", DAMAGED, "mesh_count")
        return found

    def skip(self, element: Element) -> None:
        self.at += element.count

    def finish(self) -> None:
        """All rows were counted before."""


class _Packed:
    """The body of a binary file, row by row as the header announces it."""

    def __init__(self, data: bytes, header: Header, name: str) -> None:
        self.name = name
        self.data = data
        self.at = header.end
        self.big = header.form == "big"
        self.order = ">" if self.big else "<"
        least = sum(element.count * element.least for element in header.elements)
        if least > len(data) - header.end:
            what = f"the header announces at least {least} bytes, but {len(data) - header.end} follow it"
            refuse(name, what, CUT, "mesh_count")

    def points(self, element: Element) -> list[Sequence[float]]:
        stride = element.least
        columns: list[Sequence[float]] = []
        offset = self.at
        for item in element.properties:
            values = column(self.data, offset, stride, element.count, item.kind, big=self.big)
            limit = _limit(item) if item.kind in "fd" or item.name in _PLACE else float(2**32)
            if not within(values, limit):
                bad = first_bad(values, limit)
                check_number(values[bad], f"{self.name}: point {bad + 1}", limit=limit)
            columns.append(values)
            offset += item.least
        self.at += stride * element.count
        return columns

    def faces(self, element: Element, faces: Faces) -> None:
        which = _index_of_corners(element, self.name)
        if sum(bool(item.length) for item in element.properties) == 1 and self.regular(element, which, faces):
            return
        self.walk(element, which, faces)

    def regular(self, element: Element, which: int, faces: Faces) -> bool:
        """Take the faces column by column if all have as many corners as the first one."""
        before = sum(item.least for item in element.properties[:which])
        item = element.properties[which]
        (sides,) = struct.unpack_from(self.order + item.length, self.data, self.at + before)
        width = struct.calcsize("<" + item.kind)
        stride = element.least + sides * width
        start = self.at + before
        if not 3 <= sides <= 8 or self.at + stride * element.count > len(self.data):
            return False
        lengths = column(self.data, start, stride, element.count, item.length, big=self.big)
        if lengths.count(sides) != element.count:
            return False
        start += item.least
        columns = [column(self.data, start + side * width, stride, element.count, item.kind, big=self.big) for side in range(sides)]
        if not faces.add_columns(columns):  # type: ignore[arg-type]  # arrays of whole numbers
            return False
        self.at += stride * element.count
        return True

    def walk(self, element: Element, which: int, faces: Faces | None) -> None:
        """Go through rows of differing lengths one by one."""
        steps = [
            (number == which, item.length and struct.Struct(self.order + item.length), item.kind, struct.calcsize("<" + item.kind))
            for number, item in enumerate(element.properties)
        ]
        data, at, total = self.data, self.at, len(self.data)
        for row in range(element.count):
            where = f"{self.name}: {element.name} {row + 1}"
            for wanted, length, kind, width in steps:
                count = 1
                if length:
                    if at + length.size > total:
                        refuse(where, "the file ends within it", CUT, "mesh_count")
                    (count,) = length.unpack_from(data, at)
                    at += length.size
                    if wanted:
                        check_sides(count, where)
                if count < 0 or at + count * width > total:
                    refuse(where, "it announces more numbers than follow", CUT, "mesh_count")
                if wanted and faces is not None:
                    faces.add(struct.unpack_from(f"{self.order}{count}{kind}", data, at), where)
                at += count * width
            if faces is not None and faces.triangles > MAX_TRIANGLES:
                check_sizes(0, faces.triangles, self.name)
        self.at = at

    def skip(self, element: Element) -> None:
        if element.has_lists:
            self.walk(element, -1, None)
        else:
            self.at += element.count * element.least

    def finish(self) -> None:
        if self.at != len(self.data):
            what = f"the file has {len(self.data)} bytes, but what its header announces ends after {self.at}"
            refuse(self.name, what, DAMAGED if self.at < len(self.data) else CUT, "mesh_count")
