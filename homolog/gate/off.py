"""The gate for OFF text files: points and faces, colours and normals ignored."""

from __future__ import annotations

import re
from array import array

from homolog.gate.faces import Faces, check_sides
from homolog.gate.lines import Lines, check_text
from homolog.gate.mesh import CUT, DAMAGED, MeshFile, Placement, check_sizes, refuse
from homolog.gate.numbers import float_at, floats_of, integer_at, integers_of

_MAGIC = re.compile(rb"(ST)?(C)?(N)?OFF(?=[ \t\n])[ \t]*")
_COLOURS = (0, 1, 3, 4)
_CHUNK = 20_000
_COMMENT = re.compile(rb"[ \t]*#[^\n]*")


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
    rows = _rows(lines, found.end())
    if not rows:
        refuse(name, "the file ends after its first word", CUT, "mesh_count")
    number, head = rows[0]
    counts = [integer_at(token, f"{name}:{number}") for token in head]
    if len(counts) not in (2, 3) or min(counts) < 0:
        refuse(f"{name}:{number}", "here should stand how many points, faces and edges there are", DAMAGED, "off_line")
    points, faces = counts[:2]
    if len(rows) - 1 != points + faces:
        what = f"the file announces {points} points and {faces} faces, but {len(rows) - 1} lines follow"
        refuse(name, what, CUT if len(rows) - 1 < points + faces else DAMAGED, "mesh_count")
    check_sizes(points, faces, name)
    extra = (3 if found[3] else 0) + (2 if found[1] else 0)
    widths = [3 + extra + colour for colour in (_COLOURS if found[2] else (0,))]
    places = _points(rows[1 : 1 + points], widths, name)
    gathered = Faces(points)
    for start in range(1 + points, len(rows), _CHUNK):
        _faces(rows[start : start + _CHUNK], gathered, name)
    mesh = gathered.mesh(places, name)
    return MeshFile(
        format="off", unit=None, triangles=gathered.triangles, points=points, meshes=(mesh,), placements=(Placement(mesh=0),)
    )


def _rows(lines: Lines, start: int) -> list[tuple[int, list[bytes]]]:
    """Return the lines that hold something, with their numbers; comments are dropped."""
    text = lines.text[start:]
    if b"#" in text:
        text = _COMMENT.sub(b"", text)
    return [(number, row) for number, line in enumerate(text.split(b"\n"), start=1) if (row := line.split())]


def _points(rows: list[tuple[int, list[bytes]]], widths: list[int], name: str) -> array[float]:
    packed = array("d", bytes(24 * len(rows)))
    for number, row in rows:
        if len(row) not in widths:
            refuse(f"{name}:{number}", f"a point has {len(row)} numbers instead of {widths[0]}", DAMAGED, "off_line")
    for axis in range(3):
        tokens = [row[axis] for _, row in rows]
        values = floats_of(tokens)
        if values is None:
            values = [float_at(token, f"{name}:{number}") for token, (number, _) in zip(tokens, rows, strict=True)]
        packed[axis::3] = array("d", values)
    for number, row in rows:
        for token in row[3:]:
            float_at(token, f"{name}:{number}", limit=1e12)
    return packed


def _faces(rows: list[tuple[int, list[bytes]]], faces: Faces, name: str) -> None:
    if len({len(row) for _, row in rows}) == 1:
        columns = [integers_of(tokens) for tokens in zip(*(row for _, row in rows), strict=True)]
        sizes, found = columns[0], [column for column in columns[1:] if column is not None]
        if sizes is not None and len(found) == len(columns) - 1 and set(sizes) == {len(found)} and faces.add_columns(found):
            return
    for number, row in rows:
        where = f"{name}:{number}"
        sides = integer_at(row[0], where)
        check_sides(sides, where)
        if len(row) - 1 - sides not in _COLOURS:
            refuse(where, f"the line announces {sides} corners, but holds {len(row) - 1} numbers", DAMAGED, "mesh_count")
        faces.add([integer_at(token, where) for token in row[1 : 1 + sides]], where)
        for token in row[1 + sides :]:
            float_at(token, where, limit=1e12)
