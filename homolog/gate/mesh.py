"""What every mesh gate hands on: points, faces and placements as plain bytes, with the limits that all gates share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NoReturn

from homolog.errors import InputRefused
from homolog.gate.text import fault_of_words

MAX_BYTES = 200_000_000
MAX_COORDINATE = 10_000.0
"""Largest magnitude of a coordinate in file units where the format states no unit: 10 m in the smallest one, the millimetre."""
MAX_TRIANGLES = 2_000_000
MAX_EXPANDED = 4_000_000
"""Most triangles once every instance stands where it is placed."""
MAX_INSTANCES = 10_000
MAX_DEPTH = 16
MAX_PARTS = 1_000
MAX_SIDES = 1_000
"""Most corners of one face."""
MAX_NAME = 200
MIN_TRIANGLES = 4
"""A closed surface has at least four faces."""

MeshFormat = Literal["stl-binary", "stl-ascii", "obj", "ply-ascii", "ply-binary", "off", "glb", "gltf", "3mf", "step", "xyz"]
FileUnit = Literal["um", "mm", "cm", "m", "in", "ft"]
Matrix = tuple[float, float, float, float, float, float, float, float, float, float, float, float]
"""Three rows of four: the turned and scaled axes, then the shift."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)

DAMAGED = "the file is damaged: export it again"
CUT = "the file is cut: export or copy it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMesh:
    """One mesh of a file before its placements are applied; all numbers are little-endian.

    Attributes:
        points: Doubles, three a point.
        corners: 32-bit indices into the points, face after face.
        sizes: 32-bit numbers of corners a face; empty if every face is a triangle.
        normals: Doubles, three a point, of a point cloud; empty otherwise.
        parts: Name and first face of each part that the file tells apart; empty if it tells none.
    """

    points: bytes
    corners: bytes = b""
    sizes: bytes = b""
    normals: bytes = b""
    parts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One mesh at one place: `mesh` counts in the file's meshes, `matrix` moves its points."""

    mesh: int
    matrix: Matrix = IDENTITY
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshFile:
    """A file that passed its gate.

    Attributes:
        format: Which format and form the file has.
        unit: The unit that the file itself states; None where the format has none.
        unit_is_doubtful: Whether files of the format often state a unit that they are not in.
        triangles: Triangles with every instance counted and every larger face cut up; 0 for a point cloud, and for STEP,
            where the measuring process makes them.
        points: Points with every instance counted.
        meshes: What the placements place.
        placements: Where the meshes stand; one mesh may stand at many places.
        raw: The file as it came, where its reader takes it as it is (binary STL, STEP).
        extent_mm: Largest coordinate or radius of a STEP file.
    """

    format: MeshFormat
    unit: FileUnit | None
    unit_is_doubtful: bool = False
    triangles: int
    points: int
    meshes: tuple[RawMesh, ...] = ()
    placements: tuple[Placement, ...] = ()
    raw: bytes = b""
    extent_mm: float = 0.0


def refuse(where: str, what: str, todo: str, code: str) -> NoReturn:
    """Refuse a file; the code is explained in docs/errors.md."""
    raise InputRefused.because(what, where=where, todo=todo, code=code)


def check_number(value: float, where: str, *, limit: float = MAX_COORDINATE) -> None:
    """See that a number is finite and a place on an article.

    Raises:
        InputRefused: It is not.
    """
    if value - value != 0:
        refuse(where, f"the number {value} is not finite", DAMAGED, "mesh_not_finite")
    if not abs(value) <= limit:
        todo = "move the part to the origin and export it in millimetres"
        refuse(where, f"the number {value:g} lies beyond 10 m", todo, "mesh_far")


def check_triangles(triangles: int, name: str, *, limit: int = MAX_TRIANGLES) -> None:
    """See that a surface has enough triangles to enclose something and not more than are taken.

    Raises:
        InputRefused: It has not.
    """
    if triangles > limit:
        what = f"the file holds {triangles} triangles, more than the {limit} that are taken"
        refuse(name, what, "reduce the mesh; a goalkeeper needs no more than 300000 triangles", "mesh_large")
    if triangles < MIN_TRIANGLES:
        refuse(name, f"{triangles} triangles enclose nothing", "export the whole surface again", "mesh_empty")


def check_sizes(points: int, faces: int, name: str) -> None:
    """Stop while reading a file that already holds more than is taken.

    Raises:
        InputRefused: It holds more points or faces than any mesh that is taken.
    """
    if points > 3 * MAX_TRIANGLES or faces > MAX_TRIANGLES:
        what = f"the file holds more than {MAX_TRIANGLES} faces or {3 * MAX_TRIANGLES} points"
        refuse(name, what, "reduce the mesh; a goalkeeper needs no more than 300000 triangles", "mesh_large")


def check_parts(parts: int, where: str, *, limit: int = MAX_PARTS) -> None:
    """See that a file does not fall into more named parts than an article can have.

    Raises:
        InputRefused: It does.
    """
    if parts > limit:
        refuse(where, f"there are more than {limit} parts", "export the article alone, joined into few parts", "mesh_parts")


def part_name(raw: str, where: str, number: int) -> str:
    """Return a name that can be printed; one that cannot is replaced by a number.

    Raises:
        InputRefused: It is longer than 200 letters.
    """
    name = raw.strip()
    if len(name) > MAX_NAME:
        refuse(where, f"a name is longer than {MAX_NAME} letters", "shorten it", "mesh_name")
    return name if name and fault_of_words(name) is None else f"part {number}"
