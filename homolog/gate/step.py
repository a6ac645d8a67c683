"""The gate for STEP files (ISO 10303-21): statements, references, sizes and assemblies, before a CAD kernel sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from homolog.gate.assembly import count_load
from homolog.gate.lines import check_text
from homolog.gate.mesh import CUT, DAMAGED, MAX_COORDINATE, FileUnit, MeshFile, check_number, refuse
from homolog.gate.numbers import shown
from homolog.gate.step_kinds import RULED, check_references

MAX_BRACKETS = 64
MAX_STATEMENTS = 500_000
MAX_INSTANCES = 1_000
MAX_DEGREE = 64
"""Largest degree, multiplicity or count written as a whole number in a spline."""
_ANY = 1e15

_QUIET = re.compile(rb"'(?:[^']|'')*'|/\*[\s\S]*?\*/")
_FRAME = re.compile(rb"\s*ISO-10303-21\s*;\s*HEADER\s*;([\s\S]*?);?\s*ENDSEC\s*;([\s\S]*)\bEND-ISO-10303-21\s*;\s*")
_SECTION = re.compile(rb"\s*DATA\s*(?:\([^;]*\))?\s*;([\s\S]*?)\bENDSEC\s*;\s*")
_STATEMENT = re.compile(rb"\s*#([0-9]{1,15})\s*=\s*(\(?)\s*([A-Z][A-Z0-9_]*)?")
_SIMPLE = re.compile(rb"[A-Z0-9_]+\s*\([\s\S]*\)\s*")
_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_#,.()$*'\"+- \t\n"
_REFERENCE = re.compile(rb"#([0-9]+)")
_REAL = re.compile(rb"[+-]?[0-9]+\.[0-9]*(?:[Ee][+-]?[0-9]+)?")
_COORDINATES = re.compile(rb"[A-Z_]+\s*\(\s*(?:''|\$)\s*,\s*\(\s*%b\s*,\s*%b\s*(?:,\s*%b\s*)?\)\s*\)\s*" % ((_REAL.pattern,) * 3))
_WHOLE = re.compile(rb"(?<![#\w.+-])[0-9]+(?![\w.])")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"()"))
_PLACES = re.compile(
    rb"\b(?:CARTESIAN_POINT|CIRCLE|ELLIPSE|HYPERBOLA|PARABOLA|CYLINDRICAL_SURFACE|SPHERICAL_SURFACE|TOROIDAL_SURFACE"
    rb"|DEGENERATE_TOROIDAL_SURFACE|CONICAL_SURFACE|OFFSET_SURFACE|OFFSET_CURVE_3D|COORDINATES_LIST)\b"
)
_BODIES = re.compile(
    rb"\b(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP|SHELL_BASED_SURFACE_MODEL|TESSELLATED_SOLID|TESSELLATED_SHELL)\b"
)
_SI = re.compile(rb"\bSI_UNIT\s*\(\s*(?:\.([A-Z]+)\.|\$)\s*,\s*\.METRE\.\s*\)")
_MEASURE = re.compile(rb"LENGTH_MEASURE\s*\(\s*([0-9.Ee+-]+)\s*\)\s*,\s*#([0-9]+)")
_PREFIXES = {b"": 1000.0, b"MILLI": 1.0, b"CENTI": 10.0, b"DECI": 100.0, b"MICRO": 0.001}
_NAMED: dict[float, FileUnit] = {0.001: "um", 1.0: "mm", 10.0: "cm", 1000.0: "m", 25.4: "in", 304.8: "ft"}


@dataclass(slots=True)
class _Data:
    """What the statements say, gathered once."""

    kinds: dict[int, bytes] = field(default_factory=dict)
    ruled: dict[int, list[int]] = field(default_factory=dict)
    references: set[int] = field(default_factory=set)
    children: dict[int, tuple[int, ...]] = field(default_factory=dict)
    listed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    units: dict[int, float] = field(default_factory=dict)
    conversions: dict[int, tuple[float, int]] = field(default_factory=dict)
    mapped: set[int] = field(default_factory=set)
    places: list[tuple[int, float]] = field(default_factory=list)
    holds_body: bool = False


def check_step(data: bytes, *, name: str) -> MeshFile:
    """Take a STEP file whole, or refuse it.

    The triangles are made later, inside the measuring process; the file passes on as it came.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is cut or damaged, refers to what is not there, reaches beyond 10 m, states no unit of
            length, repeats parts too often, or holds no body.
    """
    lines = check_text(data, name)
    quiet = _QUIET.sub(lambda found: b"''" if found[0][:1] == b"'" else b" ", lines.text)
    if quiet.count(b"'") % 2 or b"/*" in quiet or quiet.replace(b"''", b"").count(b"'"):
        refuse(name, "a text or comment does not end", CUT, "step_text")
    gathered = _Data()
    for statement in _statements(quiet, name):
        _take(statement, gathered, name)
    missing = gathered.references - gathered.kinds.keys()
    if missing:
        refuse(f"{name}: #{min(missing)}", "the file refers to this entity, which is not there", CUT, "step_reference")
    for number, references in gathered.ruled.items():
        check_references(gathered.kinds[number], references, gathered.kinds, f"{name}: #{number}")
    if not gathered.holds_body:
        refuse(name, "the file holds no solid or shell", "export the body as a solid", "mesh_empty")
    factors = _factors(gathered, name)
    extent = _extent(gathered, min(factors), name)
    _check_instances(gathered, name)
    unit = _NAMED.get(next(iter(factors))) if len(factors) == 1 else None
    return MeshFile(format="step", unit=unit, triangles=0, points=0, raw=data, extent_mm=extent)


def _statements(text: bytes, name: str) -> Iterator[bytes]:
    frame = _FRAME.fullmatch(text)
    if frame is None:
        refuse(name, "the file has not the frame of a STEP file from ISO-10303-21 to END-ISO-10303-21", CUT, "step_text")
    at, count = 0, 0
    body = frame[2]
    while at < len(body):
        section = _SECTION.match(body, at)
        if section is None:
            refuse(name, "the file holds something else than DATA sections", DAMAGED, "step_text")
        pieces = section[1].split(b";")
        count += len(pieces)
        if count > MAX_STATEMENTS:
            refuse(name, f"the file holds more than {MAX_STATEMENTS} entities", "export the article alone", "mesh_large")
        if pieces.pop().strip():
            refuse(name, "the last entity does not end", CUT, "step_text")
        yield from pieces
        at = section.end()


def _take(statement: bytes, gathered: _Data, name: str) -> None:
    found = _STATEMENT.match(statement)
    if found is None or not (found[2] or found[3]):
        refuse(name, f"{shown(statement.strip())} is no entity", DAMAGED, "step_text")
    number = int(found[1])
    where = f"{name}: #{number}"
    if number in gathered.kinds:
        refuse(where, "two entities have this number", DAMAGED, "step_reference")
    keyword = b"" if found[2] else found[3]
    gathered.kinds[number] = keyword
    body = statement[found.start(2) if found[2] else found.start(3) :]
    if body.translate(None, _SIGNS) or (keyword and not _SIMPLE.fullmatch(body)):
        refuse(where, "the entity is not written as one", DAMAGED, "step_text")
    _check_brackets(body, where)
    references = [int(item) for item in _REFERENCE.findall(body)]
    if number in references:
        refuse(where, "the entity refers to itself", DAMAGED, "step_reference")
    gathered.references.update(references)
    if keyword in RULED:
        gathered.ruled[number] = references
    if keyword in (b"CARTESIAN_POINT", b"DIRECTION") and not _COORDINATES.fullmatch(body):
        refuse(where, "a point or direction has not two or three numbers", DAMAGED, "step_text")
    reals = _REAL.findall(body)
    if reals:
        largest = max(abs(float(item)) for item in reals)
        check_number(largest, where, limit=_ANY)
        if _PLACES.search(body):
            gathered.places.append((number, largest))
    if b"SPLINE" in body or b"KNOT" in body:
        for item in _WHOLE.findall(body):
            if len(item) > 6 or int(item) > MAX_DEGREE:
                refuse(where, f"a spline has the degree or multiplicity {shown(item)}", DAMAGED, "step_spline")
    _note(keyword, number, body, references, gathered)


def _check_brackets(body: bytes, where: str) -> None:
    brackets = body.translate(None, _NOT_BRACKETS)
    depth = 0
    while brackets:
        left = brackets.replace(b"()", b"")
        depth += 1
        if len(left) == len(brackets):
            refuse(where, "the brackets do not match", DAMAGED, "step_text")
        if depth > MAX_BRACKETS:
            refuse(where, f"brackets lie more than {MAX_BRACKETS} deep", DAMAGED, "step_text")
        brackets = left


def _note(keyword: bytes, number: int, body: bytes, references: list[int], gathered: _Data) -> None:
    """Keep what the later checks need of an entity."""
    if keyword == b"NEXT_ASSEMBLY_USAGE_OCCURRENCE" and len(references) >= 2:
        gathered.children[references[0]] = (*gathered.children.get(references[0], ()), references[1])
    elif keyword == b"MAPPED_ITEM" and references:
        gathered.mapped.add(number)
        gathered.children[number] = (references[0],)
    elif keyword == b"REPRESENTATION_MAP" and len(references) == 2:
        gathered.children[number] = (references[1],)
    elif keyword.endswith(b"REPRESENTATION"):
        gathered.listed[number] = tuple(references)
    elif b"LENGTH_UNIT" in body:
        si = _SI.search(body)
        if si is not None:
            gathered.units[number] = _PREFIXES.get(si[1] or b"", 0.0)
        elif b"CONVERSION_BASED_UNIT" in body and references:
            gathered.conversions[number] = (0.0, references[-1])
    elif b"LENGTH_MEASURE_WITH_UNIT" in body:
        measure = _MEASURE.search(body)
        if measure is not None:
            gathered.conversions[number] = (float(measure[1]), int(measure[2]))
    if _BODIES.search(body):
        gathered.holds_body = True


def _factors(gathered: _Data, name: str) -> set[float]:
    """Return how many millimetres each unit of length is that a context of the file may use."""
    basic = dict(gathered.units)
    named: dict[int, float] = {}
    for number, (factor, below) in gathered.conversions.items():
        if factor == 0.0 and below in gathered.conversions:
            value, unit = gathered.conversions[below]
            named[number] = round(value * basic.get(unit, 0.0), 9)
    # A millimetre that only explains what an inch is measures nothing itself.
    explained = {unit for factor, unit in gathered.conversions.values() if factor}
    factors = {factor for number, factor in basic.items() if not named or number not in explained} | set(named.values())
    if not factors or min(factors) <= 0:
        refuse(name, "the file states no unit of length that is known", "export it in mm or inch", "step_unit")
    return factors


def _extent(gathered: _Data, factor: float, name: str) -> float:
    for number, largest in gathered.places:
        check_number(largest, f"{name}: #{number}", limit=MAX_COORDINATE / factor)
    return max((largest for _, largest in gathered.places), default=0.0) * factor


def _check_instances(gathered: _Data, name: str) -> None:
    # Of all that a representation lists, only mapped items stand for another representation.
    listed = {number: tuple(item for item in items if item in gathered.mapped) for number, items in gathered.listed.items()}
    graph = gathered.children | {number: items for number, items in listed.items() if items}
    inner = {child for below in graph.values() for child in below}
    roots = [number for number in graph if number not in inner]
    count_load(roots, graph, {}, lambda number: f"{name}: #{number}", name=name, max_instances=MAX_INSTANCES)
