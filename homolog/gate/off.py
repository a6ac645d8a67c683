"""The gate for OFF text files: points and faces, colours and normals ignored."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from functools import partial

from homolog.gate.faces import Faces, check_sides
from homolog.gate.lines import Lines, check_text, without_comments
from homolog.gate.mesh import CUT, DAMAGED, MAX_TRIANGLES, MeshFile, Placement, check_sizes, refuse
from homolog.gate.numbers import float_at, floats_of, integer_at, integers_of

_MAGIC = re.compile(rb"(ST)?(C)?(N)?OFF(?=[ \t\n])[ \t]*")
_COLOURS = (0, 1, 3, 4)
_CHUNK = 20_000
_MAX_LINES = 9 * MAX_TRIANGLES // 2
"""Twice a closed mesh of the largest size: there may be blank lines and comments."""


def check_off(data: bytes, *, name: str) -> MeshFile:
    """Take an OFF file whole, or refuse it.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is damaged or cut, or points at corners that are not there.
    """
    lines = check_text(data, name)
    found = _MAGIC.match(lines.text)
    if found is None:
        refuse(f"{name}:1", "the file does not begin with the word OFF", DAMAGED, "off_line")
    rows = _Rows(lines, found.end())
    points, faces = rows.counts()
    check_sizes(points, faces, name)
    extra = (3 if found[3] else 0) + (2 if found[1] else 0)
    widths = [3 + extra + colour for colour in (_COLOURS if found[2] else (0,))]
    places = array("d")
    for at, chunk in rows.chunks(1, 1 + points):
        places.extend(_points(chunk, widths, partial(rows.place, at)))
    gathered = Faces(points)
    for at, chunk in rows.chunks(1 + points, 1 + points + faces):
        _faces(chunk, gathered, partial(rows.place, at))
    mesh = gathered.mesh(places, name)
    return MeshFile(
        format="off", unit=None, triangles=gathered.triangles, points=points, meshes=(mesh,), placements=(Placement(mesh=0),)
    )


class _Rows:
    """The lines that hold something, without their comments; the first one says how many there are."""

    def __init__(self, lines: Lines, start: int) -> None:
        self.name = lines.name
        text = lines.text[start:]
        if text.count(b"\n") > _MAX_LINES:
            refuse(self.name, f"the file has more than {_MAX_LINES} lines", "reduce the mesh", "mesh_large")
        every = without_comments(text).split(b"\n")
        self.numbers = array("i", [number for number, line in enumerate(every, start=1) if line and not line.isspace()])
        self.lines = [line for line in every if line and not line.isspace()]

    def place(self, at: int, further: int = 0) -> str:
        return f"{self.name}:{self.numbers[at + further]}"

    def counts(self) -> tuple[int, int]:
        if not self.lines:
            refuse(self.name, "the file ends after its first word", CUT, "mesh_count")
        counts = [integer_at(token, self.place(0)) for token in self.lines[0].split()]
        if len(counts) not in (2, 3) or min(counts) < 0:
            refuse(self.place(0), "here should stand how many points, faces and edges there are", DAMAGED, "off_line")
        points, faces = counts[:2]
        follow = len(self.lines) - 1
        if follow != points + faces:
            what = f"the file announces {points} points and {faces} faces, but {follow} lines follow"
            refuse(self.name, what, CUT if follow < points + faces else DAMAGED, "mesh_count")
        return points, faces

    def chunks(self, start: int, stop: int) -> Iterator[tuple[int, list[list[bytes]]]]:
        for at in range(start, stop, _CHUNK):
            yield at, [line.split() for line in self.lines[at : min(at + _CHUNK, stop)]]


def _points(rows: list[list[bytes]], widths: list[int], where: Callable[[int], str]) -> array[float]:
    packed = array("d", bytes(24 * len(rows)))
    for at, row in enumerate(rows):
        if len(row) not in widths:
            refuse(where(at), f"a point has {len(row)} numbers instead of {widths[0]}", DAMAGED, "off_line")
    for axis in range(3):
        tokens = [row[axis] for row in rows]
        values = floats_of(tokens)
        if values is None:
            values = [float_at(token, where(at)) for at, token in enumerate(tokens)]
        packed[axis::3] = array("d", values)
    if widths != [3]:
        for at, row in enumerate(rows):
            for token in row[3:]:
                float_at(token, where(at), limit=1e12)
    return packed


def _faces(rows: list[list[bytes]], faces: Faces, where: Callable[[int], str]) -> None:
    if len(set(map(len, rows))) == 1:
        columns = [integers_of(tokens) for tokens in zip(*rows, strict=True)]
        sizes, found = columns[0], [column for column in columns[1:] if column is not None]
        if sizes is not None and len(found) == len(columns) - 1 and set(sizes) == {len(found)} and faces.add_columns(found):
            return
    for at, row in enumerate(rows):
        sides = integer_at(row[0], where(at))
        check_sides(sides, where(at))
        if len(row) - 1 - sides not in _COLOURS:
            refuse(where(at), f"the line announces {sides} corners, but holds {len(row) - 1} numbers", DAMAGED, "mesh_count")
        faces.add([integer_at(token, where(at)) for token in row[1 : 1 + sides]], where(at))
        for token in row[1 + sides :]:
            float_at(token, where(at), limit=1e12)
