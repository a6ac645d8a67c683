"""What a file's own unit is worth: taken, weighed against the article's size, or in conflict with what was declared."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.errors import InputRefused
from homolog.scan.readers.mesh import Mesh

_NONE = "The file states no unit. "


@dataclass(frozen=True, slots=True)
class FileUnit:
    """A unit that need not be found out, or None, and what to say about the file's own one.

    Attributes:
        is_own: Whether the file's own word settles the unit.
    """

    unit: str | None
    says: str
    is_own: bool = False

    def reason(self, found: str) -> str:
        """Return why the unit was taken, given the reason that the article's size or the submission gave."""
        if self.is_own:
            return self.says
        return f"{self.says} {found.removeprefix(_NONE)}" if self.says else found


def unit_of_file(mesh: Mesh, declared: str | None, *, name: str) -> FileUnit:
    """Return the unit that is settled before the article's size is looked at.

    A unit that a 3MF or STEP file states holds. Of glTF the format says metres, but files in millimetres are common:
    there the submitter's word, or else the size, decides.

    Raises:
        InputRefused: The submitter declares another unit than the one that the file states and that holds.
    """
    if mesh.unit is None:
        return FileUnit(declared, "")
    if mesh.unit_is_doubtful:
        rule = f"The format of the file counts in {mesh.unit}, but files in other units are common"
        says = f"{rule}: the submission's word holds." if declared else f"{rule}: the size decides."
        return FileUnit(declared, says)
    if declared not in (None, mesh.unit):
        what = f"the file states the unit {mesh.unit}, but {declared} is declared"
        raise InputRefused.because(what, where=name, todo="leave the unit to the file", code="scan_unit_contradicted")
    return FileUnit(mesh.unit, f"The file itself states its unit: {mesh.unit}.", is_own=True)
