"""The scans of a sheet: files, the scanners that made them, what the article was scanned in, and reference balls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from homolog.errors import InputRefused
from homolog.gate.yaml_text import Path, Value
from homolog.quantity import Conditions, ReferenceLengths, ScannerRecord
from homolog.submission.sheet import Sheet
from homolog.submission.submission import MATERIALS, SCAN_SOURCES, SCAN_UNITS, ScanReference

MAX_SCANS = 100
MAX_INSTRUMENTS = 100
KINDS = ("scanner",)
"""Kinds of instruments that have a record."""
_SCANNER_KEYS = ("kind", "source", "offset_U", "scale_U", "calibrated", "certificate")
_SCAN_KEYS = ("file", "unit", "source", "instrument", "temperature", "temperature_U", "material")
_REFERENCE_KEYS = ("file", "unit", "reference", "with")
_LENGTH_KEYS = ("diameter", "U", "distance", "distance_U")
_FILE = re.compile(r"[^/\\:\x00-\x1f]{1,200}")

_LARGEST_OFFSET_MM = Decimal(1)
_LARGEST_SCALE = Decimal("0.05")
_TEMPERATURES = (Decimal(0), Decimal(45))
_DIAMETERS_MM = (Decimal(3), Decimal(100))
_DISTANCES_MM = (Decimal(6), Decimal(1000))


def read_instruments(sheet: Sheet, value: Value, path: Path) -> Mapping[str, ScannerRecord]:
    """Read the `instruments` at the top of a document: a record by the name that scans call it."""
    told = sheet.mapping(value, path, "instruments")
    if len(told) > MAX_INSTRUMENTS:
        sheet.fault(path, f"{len(told)} instruments, more than {MAX_INSTRUMENTS}", "split the sheet", "too_many_instruments")
        return MappingProxyType({})
    found = {}
    for name, entry in told.items():
        at: Path = (*path, name)
        shown = sheet.words(name, at)
        record = _scanner(sheet, shown or "", sheet.mapping(entry, at, "an instrument"), at)
        if record is not None and shown is not None:
            found[name] = record
    return MappingProxyType(found)


def _scanner(sheet: Sheet, name: str, told: dict[str, Value], path: Path) -> ScannerRecord | None:
    sheet.known_keys(told, path, _SCANNER_KEYS)
    before = len(sheet.problems)
    if sheet.choice(told.get("kind", ""), (*path, "kind"), "the kind of instrument", KINDS, "instrument_form") is None:
        _missing(sheet, told, path, "kind", f"write kind: {KINDS[0]}")
    made = [source for source in SCAN_SOURCES if source != "cad"]
    source = sheet.choice(told.get("source", ""), (*path, "source"), "the source", made, "scan_source")
    if source is None:
        _missing(sheet, told, path, "source", f"write source: and one of {', '.join(made)}")
    offset = _bounded(sheet, told, path, "offset_U", "mm", (Decimal(0), _LARGEST_OFFSET_MM))
    scale = _bounded(sheet, told, path, "scale_U", "mm/m", (Decimal(0), 1000 * _LARGEST_SCALE))
    calibrated = sheet.day(told.get("calibrated", ""), (*path, "calibrated"))
    certificate = sheet.words(told.get("certificate", ""), (*path, "certificate"))
    if (told.get("offset_U") or told.get("scale_U")) and not (told.get("calibrated") and told.get("certificate")):
        todo = "write calibrated: and certificate:, or leave the U out, so that the class of the scanner counts"
        sheet.fault(path, "a U of the scanner is stated without the calibration that found it", todo, "instrument_form")
    if source is None or len(sheet.problems) > before:
        return None
    share = None if scale is None else scale / 1000
    return ScannerRecord(name=name, source=source, offset_u=offset, scale_u=share, calibrated=calibrated, certificate=certificate)


def _missing(sheet: Sheet, told: Mapping[str, Value], path: Path, key: str, todo: str) -> None:
    """Note that a key is not there; one that was refused is noted already."""
    if not told.get(key):
        sheet.fault(path, f"the instrument has no {key}", todo, "instrument_form")


def read_scans(sheet: Sheet, value: Value, path: Path) -> tuple[ScanReference, ...]:
    """Read the `scans` of an article."""
    entries = sheet.sequence(value, path, "scans")
    if len(entries) > MAX_SCANS:
        sheet.fault(path, f"{len(entries)} scans, more than {MAX_SCANS}", "split the sheet", "too_many_scans")
        return ()
    found: list[tuple[ScanReference, Path]] = []
    for number, entry in enumerate(entries):
        at: Path = (*path, number)
        told = sheet.mapping(entry, at, "a scan")
        sheet.known_keys(told, at, _REFERENCE_KEYS if "reference" in told else _SCAN_KEYS)
        scan = scan_reference(sheet, told, at)
        if scan is not None:
            found.append((scan, at))
    _check_company(sheet, found)
    return tuple(scan for scan, _ in found)


def scan_reference(sheet: Sheet, told: Mapping[str, Value], path: Path) -> ScanReference | None:
    """Return a scan that a sheet names; None if it was refused."""
    file = _file(sheet, told, path, "file")
    unit = sheet.choice(told.get("unit", ""), (*path, "unit"), "the unit of a scan", SCAN_UNITS, "unit_unknown")
    if "reference" in told:
        lengths = _lengths(sheet, told["reference"], (*path, "reference"))
        company = _file(sheet, told, path, "with") if told.get("with") else None
        return None if file is None or lengths is None else ScanReference(file=file, unit=unit, reference=lengths, beside=company)
    source = sheet.choice(told.get("source", ""), (*path, "source"), "the source", SCAN_SOURCES, "scan_source")
    record = _record(sheet, told, path, source)
    conditions = _conditions(sheet, told, path)
    if file is None:
        return None
    return ScanReference(
        file=file,
        unit=unit,
        source=source if record is None else record.source,  # type: ignore[arg-type]
        instrument=record,
        conditions=conditions,
    )


def _file(sheet: Sheet, told: Mapping[str, Value], path: Path, key: str) -> str | None:
    file = sheet.words(told.get(key, ""), (*path, key))
    if file is None:
        sheet.fault(path, f"the scan has no {key}", f"write {key}: and the file's name", "scan_file")
        return None
    if _FILE.fullmatch(file) is None or file.startswith("."):
        todo = "write the bare name of a file beside the sheet"
        sheet.fault((*path, key), f"{file[:60]!r} is not a bare file name", todo, "scan_file")
        return None
    return file


def _record(sheet: Sheet, told: Mapping[str, Value], path: Path, source: str | None) -> ScannerRecord | None:
    name = sheet.words(told.get("instrument", ""), (*path, "instrument"))
    if name is None:
        return None
    record = sheet.instruments.get(name)
    if record is None:
        sheet.unknown((*path, "instrument"), "the instrument", name, sheet.instruments, "instrument_unknown")
    elif source is not None and source != record.source:
        what = f"the scan's source is {source}, that of the instrument {name} is {record.source}"
        sheet.fault((*path, "source"), what, "leave the scan's source out", "scan_source")
    return record


def _conditions(sheet: Sheet, told: Mapping[str, Value], path: Path) -> Conditions | None:
    temperature = _bounded(sheet, told, path, "temperature", "degC", _TEMPERATURES)
    u = _bounded(sheet, told, path, "temperature_U", "degC", (Decimal(0), _TEMPERATURES[1]))
    if bool(told.get("temperature")) != bool(told.get("temperature_U")):
        todo = "write temperature: 21 degC and temperature_U: 2 degC, or leave both out"
        sheet.fault(path, "a temperature goes with its U", todo, "scan_conditions")
    material = sheet.choice(told.get("material", ""), (*path, "material"), "the material", MATERIALS, "scan_conditions")
    if temperature is None and material is None:
        return None
    return Conditions(temperature=temperature, temperature_u=u, material=material)


def read_conditions(told: Mapping[str, str], name: str) -> Conditions | None:
    """Read what an article was scanned in outside a sheet, in a sheet's words; None where nothing is said.

    Raises:
        InputRefused: With everything that is wrong with it.
    """
    sheet = Sheet.new(lambda path: f"{name}: {path[-1]}" if path else name)
    conditions = _conditions(sheet, dict(told), ())
    sheet.finish()
    return conditions


def read_lengths(told: Mapping[str, str], name: str) -> ReferenceLengths:
    """Read the known lengths of a reference outside a sheet, in a sheet's words.

    Raises:
        InputRefused: With everything that is wrong with them.
    """
    sheet = Sheet.new(lambda path: f"{name}: {path[-1]}" if path else name)
    lengths = _lengths(sheet, dict(told), ())
    sheet.finish()
    if lengths is None:
        raise InputRefused.because("nothing is known of the reference", where=name, code="scan_reference")
    return lengths


def _lengths(sheet: Sheet, value: Value, path: Path) -> ReferenceLengths | None:
    told = sheet.mapping(value, path, "reference")
    sheet.known_keys(told, path, _LENGTH_KEYS)
    for key in ("diameter", "U"):
        if not told.get(key):
            todo = "write {diameter: 25.000 mm, U: 0.002 mm} as the ball's certificate has it"
            sheet.fault(path, f"the reference has no {key}", todo, "scan_reference")
    if bool(told.get("distance")) != bool(told.get("distance_U")):
        sheet.fault(path, "the distance of two balls goes with its U", "write distance: and distance_U:", "scan_reference")
    diameter = _bounded(sheet, told, path, "diameter", "mm", _DIAMETERS_MM)
    distance = _bounded(sheet, told, path, "distance", "mm", _DISTANCES_MM)
    u, distance_u = (_reference_u(sheet, told, path, key, length) for key, length in (("U", diameter), ("distance_U", distance)))
    if diameter is None or u is None:
        return None
    if distance is not None and distance <= diameter:
        sheet.fault((*path, "distance"), "the two balls would cut into each other", "see the bar's certificate", "scan_reference")
    return ReferenceLengths(diameter=diameter, diameter_u=u, distance=distance, distance_u=distance_u)


def _reference_u(sheet: Sheet, told: Mapping[str, Value], path: Path, key: str, length: Decimal | None) -> Decimal | None:
    """Read the U of a length that nobody knows exactly, and that must be known well to be a reference."""
    u = _bounded(sheet, told, path, key, "mm", (Decimal(0), _LARGEST_OFFSET_MM))
    if u is None or length is None or 0 < u <= length / 200:
        return u
    what = "no ball is known exactly" if not u else f"{told[key]} is too much for a reference: it is more than 0.5 %"
    sheet.fault((*path, key), what, "write the U of the certificate", "scan_reference")
    return None


def _bounded(
    sheet: Sheet, told: Mapping[str, Value], path: Path, key: str, unit: str, bounds: tuple[Decimal, Decimal]
) -> Decimal | None:
    """Read a number that lies between bounds; None if it is not stated or was refused."""
    value, at = told.get(key, ""), (*path, key)
    if not isinstance(value, str):
        sheet.fault(at, f"{key} is not one value", "write one text", "shape")
        return None
    if not value.strip():
        return None
    number = sheet.measures.read(value, unit, lambda: sheet.locate(at))
    if number is None or bounds[0] <= number <= bounds[1]:
        return number
    todo = f"write a number from {bounds[0]} to {bounds[1]} {unit}"
    sheet.fault(at, f"{value[:40]} is no {key} of a scan", todo, "size_impossible")
    return None


def _check_company(sheet: Sheet, scans: list[tuple[ScanReference, Path]]) -> None:
    """Note files that are named twice, and references that belong to no scan of the article."""
    seen: set[str] = set()
    for scan, path in scans:
        if scan.file in seen:
            sheet.fault((*path, "file"), f"{scan.file} is named twice", "name each file once", "scan_file")
        seen.add(scan.file)
    articles = {scan.file: scan for scan, _ in scans if not scan.is_reference}
    for scan, path in scans:
        if not scan.is_reference:
            continue
        beside = articles.get(scan.beside or "") if scan.beside or len(articles) != 1 else next(iter(articles.values()))
        if beside is None:
            todo = f"write with: and one of {', '.join(articles)}" if articles else "name the article's scan too"
            sheet.fault(path, f"the reference {scan.file} belongs to no scan of the sheet", todo, "scan_reference")
        elif beside.source == "cad":
            what = f"{beside.file} is a design file, which no scanner made"
            sheet.fault(path, what, "leave the reference out", "scan_reference")
