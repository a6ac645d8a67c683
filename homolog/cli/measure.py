"""`homolog measure`: the numbers of a scan, without judging them."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.inputs import is_scan, read_bytes
from homolog.errors import UsageError
from homolog.quantity import Reading

ScanFile = Annotated[Path, typer.Argument(metavar="SCAN", help="A scan (stl).")]


def measure(
    scan: ScanFile,
    item: options.Item,
    unit: options.Unit = None,
    source: options.Source = None,
    json: options.Json = False,
) -> int:
    """Measure a SCAN: every quantity with its uncertainty, the unit that was taken and why, and what was repaired."""
    from homolog.check import Scan, measure_of
    from homolog.scan import DEFAULT_SOURCE

    if not is_scan(scan):
        raise UsageError.because(f"{scan.name} is no scan", todo="give a file that ends in .stl")
    data = read_bytes(scan)
    with talk.progress(f"measuring {scan.name}"):
        found = measure_of(Scan(name=scan.name, data=data, unit=unit, source=source or DEFAULT_SOURCE), item)
    if json:
        talk.line(json_text.dumps(found.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())
        return 0
    talk.pairs([("file", f"{found.format}, {found.triangles} triangles"), ("unit", f"{found.unit}: {found.unit_reason}")])
    talk.pairs([(reading.quantity, said(reading)) for reading in found.readings])
    talk.pairs([(missing.quantity, f"not measured: {missing.reason}") for missing in found.unmeasured])
    talk.pairs([(f"repaired: {repair.kind}", repair.says) for repair in found.repairs])
    return 0


def said(reading: Reading) -> str:
    """Return a reading as a person writes it."""
    if reading.value is not None:
        return f"{reading.value} ± {reading.expanded_uncertainty} {reading.unit} (k = 2)"
    low = "" if reading.lo is None else f"at least {reading.lo} {reading.unit}"
    high = "" if reading.hi is None else f"at most {reading.hi} {reading.unit}"
    return ", ".join(part for part in (low, high) if part)
