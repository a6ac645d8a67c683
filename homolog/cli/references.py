"""Options that name reference balls scanned beside a scan, and what they say of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homolog.cli.inputs import is_scan, read_bytes
from homolog.errors import InputRefused, UsageError
from homolog.gate.text import shown_name

if TYPE_CHECKING:
    from homolog.scan import ReferenceFile, ScanMeasurement

References = Annotated[
    list[Path] | None,
    typer.Option("--reference", metavar="BALL", help="Scan of a reference ball of the same session; repeatable."),
]
Diameters = Annotated[
    list[str] | None, typer.Option("--diameter", metavar="LENGTH", help='Its diameter, as "25.000 mm"; one for each --reference.')
]
ReferenceU = Annotated[
    list[str] | None,
    typer.Option("--reference-U", metavar="LENGTH", help='U (k = 2) of the diameter, as "0.002 mm"; one for each --reference.'),
]


def reference_files(
    paths: list[Path] | None, diameters: list[str] | None, uncertainties: list[str] | None
) -> tuple[ReferenceFile, ...]:
    """Return the references that the options name.

    Raises:
        InputRefused: A file cannot be read.
        UsageError: A reference lacks its diameter or U, one of them cannot be one, or a file is no scan.
    """
    named, sizes, spreads = paths or [], diameters or [], uncertainties or []
    if not len(named) == len(sizes) == len(spreads):
        what = f"{len(named)} --reference, {len(sizes)} --diameter and {len(spreads)} --reference-U are given"
        raise UsageError.because(what, todo="give each reference its diameter and its U", code="usage")
    if not named:
        return ()
    from homolog.check import ScanFile, reference_of

    found = []
    for path, diameter, u in zip(named, sizes, spreads, strict=True):
        if not is_scan(path):
            raise UsageError.because(f"{path.name} is no scan", todo="give one of the forms that homolog --help names")
        try:
            file = ScanFile(name=shown_name(path.name), data=read_bytes(path))
            found.append(reference_of(file, {"diameter": diameter, "U": u}))
        except InputRefused as error:
            if any(problem.code == "file_unreadable" for problem in error.problems):
                raise
            raise UsageError(*error.problems) from None
    return tuple(found)


def calibration_lines(found: ScanMeasurement) -> list[tuple[str, str]]:
    """Return what the references showed, as a person reads it."""
    used = found.instrument
    if used is None:
        return []
    lines = [
        (f"reference {one.file}", f"{length.what}: {length.read} mm read, {length.true} ± {length.true_u} mm known")
        for one in used.references
        for length in one.lengths
    ]
    if used.references:
        lines.append(("surface moved", f"{used.offset_correction} mm inward, U {used.offset_u} mm"))
        lines.append(("lengths shortened", f"by the share {used.scale_correction}, U {used.scale_u}"))
    return lines
