"""`homolog measure`: the numbers of a scan, without judging them."""

from __future__ import annotations

import json as json_text
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homolog.cli import options, talk
from homolog.cli.files import check_folder, check_free, write_whole
from homolog.cli.inputs import is_scan, read_bytes
from homolog.cli.references import Diameters, References, ReferenceU, calibration_lines, reference_files
from homolog.errors import UsageError
from homolog.gate.mesh_file import check_kind
from homolog.gate.text import shown_name
from homolog.quantity import Reading, Unmeasured

if TYPE_CHECKING:
    from homolog.scan import ScanMeasurement

Meshes = Annotated[
    Path | None,
    typer.Option("--glb", metavar="FILE", help="Write a goalkeeper's body, rod, handle and repaired places as meshes, in glb."),
]
ScanFile = Annotated[Path, typer.Argument(metavar="SCAN", help="A scan: stl, obj, ply, off, glb, 3mf, step, xyz.")]


def measure(
    scan: ScanFile,
    item: options.ItemMaybe = None,
    unit: options.Unit = None,
    source: options.Source = None,
    reference: References = None,
    diameter: Diameters = None,
    reference_u: ReferenceU = None,
    glb: Meshes = None,
    several: options.Several = False,
    json: options.Json = False,
) -> int:
    """Measure a SCAN: every quantity with its uncertainty, the unit that was taken and why, and what was repaired.

    Without --item: the size, volume and soundness of the surface as it came, whatever it shows.
    """
    if not is_scan(scan):
        raise UsageError.because(f"{scan.name} is no scan", todo="give one of the forms that homolog --help names")
    if item is None:
        _check_alone(unit, source, reference, diameter, reference_u, glb, several or None)
        _look(scan, json=json)
        return 0
    if glb is not None:
        _check_meshes(glb, item, scan, several=several)
    data = read_bytes(scan)
    check_kind(data, name=shown_name(scan.name))  # what a glance refuses is refused before anything large is loaded
    from homolog.scan import DEFAULT_SOURCE, get_ready

    get_ready(item, scan.name)
    from homolog.check import Scan, measure_of, measure_several

    references = reference_files(reference, diameter, reference_u)
    taken = Scan(
        name=shown_name(scan.name),
        data=data,
        unit=unit,
        source=source or DEFAULT_SOURCE,
        glb=glb is not None,
        references=references,
    )
    with talk.progress(f"measuring {scan.name}"):
        parts = measure_several(taken, item) if several else (measure_of(taken, item),)
    for found in parts:
        if glb is not None and found.glb is not None:
            write_whole(glb, found.glb)
        shown = replace(found, glb=None)
        if json:
            _print(shown.to_json())
        else:
            _show(shown)
    return 0


def _check_alone(*given: object) -> None:
    """Refuse options that ask for more than a first look."""
    if any(one is not None for one in given):
        what = "without --item there is only a first look at the file, which takes no other option than --json"
        raise UsageError.because(what, todo="say with --item what the scan shows, or leave the others out")


def _look(scan: Path, *, json: bool) -> None:
    from homolog.scan import look_at_scan

    look = look_at_scan(read_bytes(scan), name=shown_name(scan.name))
    if json:
        _print(look.to_json())
        return
    unit = look.unit or "units of the file, which states none"
    closed = "closed, all facets in one sense" if look.closed else "not closed, or not all facets in one sense"
    if look.volume is not None and look.volume < 0:
        closed += ", but turned inside out"
    talk.pairs([("file", f"{look.format}, {look.triangles} triangles"), ("size", f"{' x '.join(map(str, look.size))} {unit}")])
    talk.pairs([("surface", closed), ("volume", "none" if look.volume is None else f"{abs(look.volume)} cubed {unit}")])


def _print(record: dict[str, Any]) -> None:
    talk.line(json_text.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())


def _show(found: ScanMeasurement) -> None:
    if "part" in found.facts:
        print(f"\nnumber {found.facts['part']}, left to right and row by row from the far side, seen from above")
    talk.pairs([("file", f"{found.format}, {found.triangles} triangles"), ("unit", f"{found.unit}: {found.unit_reason}")])
    talk.pairs(calibration_lines(found))
    talk.pairs([(named(reading), said(reading)) for reading in found.readings])
    talk.pairs([(named(missing), f"not measured: {missing.reason}") for missing in found.unmeasured])
    talk.pairs([(f"repaired: {repair.kind}", repair.says) for repair in found.repairs])


def _check_meshes(path: Path, item: str, scan: Path, *, several: bool) -> None:
    """Refuse meshes that cannot be made or written, before any work is done."""
    if item != "goalkeeper":
        raise UsageError.because(f"only a goalkeeper's parts are written as meshes, not a {item}'s", todo="leave out --glb")
    if several:
        raise UsageError.because("the meshes of one goalkeeper are written, not of several", todo="leave out --glb or --several")
    if path.suffix.lower() != ".glb":
        raise UsageError.because(f"{path.name} is no name of a mesh file", todo="end it in .glb")
    check_folder(path)
    check_free(path, [scan])


def named(known: Reading | Unmeasured) -> str:
    """Return the quantity with its place."""
    return known.quantity if known.place is None else f"{known.quantity} ({known.place})"


def said(reading: Reading) -> str:
    """Return a reading as a person writes it."""
    if reading.value is not None:
        return f"{reading.value} ± {reading.expanded_uncertainty} {reading.unit} (k = 2)"
    low = "" if reading.lo is None else f"at least {reading.lo} {reading.unit}"
    high = "" if reading.hi is None else f"at most {reading.hi} {reading.unit}"
    return ", ".join(part for part in (low, high) if part)
