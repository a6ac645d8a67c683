"""The faces of a mesh as they are gathered, each corner seen to be a point that is there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from homolog.gate.mesh import DAMAGED, MAX_SIDES, RawMesh, check_triangles, refuse
from homolog.gate.numbers import little


class Faces:
    """Corners, face after face, as indices from 0 into a known number of points."""

    def __init__(self, points: int) -> None:
        self.points = points
        self.corners = array("i")
        self.sizes = array("i")

    def add_columns(self, columns: Sequence[Sequence[int]]) -> bool:
        """Take many faces of one size, one column a corner; nothing is taken if one corner is not there."""
        count, sides = len(columns[0]), len(columns)
        if not 3 <= sides <= MAX_SIDES or any(min(column) < 0 or max(column) >= self.points for column in columns if count):
            return False
        packed = array("i", bytes(4 * count * sides))
        for side, column in enumerate(columns):
            packed[side::sides] = array("i", column)
        self.corners.extend(packed)
        self.sizes.extend(array("i", [sides]) * count)
        return True

    def add(self, corners: Sequence[int], where: str) -> None:
        """Take one face.

        Raises:
            InputRefused: It has too few or too many corners, or one of them is not there.
        """
        check_sides(len(corners), where)
        for index in corners:
            if not 0 <= index < self.points:
                refuse(where, f"a face points at corner {index} of {self.points} points, counted from 0", DAMAGED, "mesh_index")
        self.corners.extend(corners)
        self.sizes.append(len(corners))

    @property
    def triangles(self) -> int:
        """How many triangles the faces make."""
        return len(self.corners) - 2 * len(self.sizes)

    def mesh(self, points: array[float], name: str) -> RawMesh:
        """Return the mesh of these faces on points, three doubles each.

        Raises:
            InputRefused: There are too few or too many triangles.
        """
        check_triangles(self.triangles, name)
        uniform = self.triangles == len(self.sizes)
        return RawMesh(points=little(points), corners=little(self.corners), sizes=b"" if uniform else little(self.sizes))


def check_sides(sides: int, where: str) -> None:
    """See that a face has three corners or more, and not more than a face can have.

    Raises:
        InputRefused: It has not.
    """
    if sides < 3:
        refuse(where, f"a face has {sides} corners", DAMAGED, "mesh_face")
    if sides > MAX_SIDES:
        refuse(where, f"a face has {sides} corners, more than {MAX_SIDES}", "export triangles", "mesh_face")
