"""One model part of a 3MF package: its unit, objects and build items, out of XML that is read without any entity."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from homolog.gate.affine import check_placement
from homolog.gate.mesh import (
    DAMAGED,
    IDENTITY,
    MAX_COORDINATE,
    FileUnit,
    Matrix,
    check_number,
    check_parts,
    check_sizes,
    refuse,
)
from homolog.gate.numbers import NUMBER

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_HARMLESS = {
    CORE,
    PRODUCTION,
    "http://schemas.microsoft.com/3dmanufacturing/production/alternatives/2021/04",
    "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07",
}
"""Extensions that a package may require: those that change no shape."""
UNITS: Mapping[str, tuple[FileUnit, float]] = {
    "micron": ("um", 0.001),
    "millimeter": ("mm", 1.0),
    "centimeter": ("cm", 10.0),
    "inch": ("in", 25.4),
    "foot": ("ft", 304.8),
    "meter": ("m", 1000.0),
}
MAX_XML_DEPTH = 64
MAX_OBJECTS = 10_000
MAX_ELEMENTS = 8_100_000
"""Two million triangles, three times as many points, and the rest."""
_CHUNK = 1 << 20
_INDEX = re.compile(r"[0-9]{1,9}")
_ID = re.compile(r"[1-9][0-9]{0,9}")
_TEXT_NUMBER = re.compile(NUMBER.pattern.decode())


@dataclass(frozen=True, slots=True)
class Reference:
    """One object put somewhere: by a build item, or as a component of another object."""

    path: str
    object_id: int
    matrix: Matrix


@dataclass(slots=True)
class ModelObject:
    """An object: a mesh of its own, or components."""

    object_id: int
    name: str
    kind: str
    points: array[float] = field(default_factory=lambda: array("d"))
    corners: array[int] = field(default_factory=lambda: array("i"))
    components: list[Reference] = field(default_factory=list)
    has_mesh: bool = False


@dataclass(slots=True)
class Model:
    """What a model part holds."""

    unit: str = "millimeter"
    objects: dict[int, ModelObject] = field(default_factory=dict)
    items: list[Reference] = field(default_factory=list)


def read_model(xml: bytes, where: str, path: str) -> Model:
    """Read one model part.

    Args:
        xml: The part's bytes.
        where: What the messages call the part.
        path: The part's own path, which references without a path mean.

    Raises:
        InputRefused: Not well-formed, with a DOCTYPE, too deep, or not a sound model.
    """
    if b"\0" in xml[:_CHUNK] or xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        refuse(where, "the model is not UTF-8", "save it anew as 3MF", "text_invalid")
    reader = _Reader(where, path)
    parser = expat.ParserCreate("UTF-8", " ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartNamespaceDeclHandler = reader.prefix
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.doctype
    try:
        for at in range(0, len(xml), _CHUNK):
            parser.Parse(xml[at : at + _CHUNK], at + _CHUNK >= len(xml))
    except expat.ExpatError as error:
        refuse(f"{where}:{error.lineno}", "the model is not well-formed XML", DAMAGED, "three_mf_xml")
    if not reader.began:
        refuse(where, "the part is no 3MF model", DAMAGED, "three_mf_xml")
    return reader.model


class _Reader:
    """Takes the elements of a model one by one, in the order of the file."""

    def __init__(self, where: str, path: str) -> None:
        self.where = where
        self.path = path
        self.model = Model()
        self.began = False
        self.elements = 0
        self.open: list[str] = []
        self.prefixes: dict[str, str] = {}
        self.now: ModelObject | None = None
        self.limit = MAX_COORDINATE

    def place(self) -> str:
        return f"{self.where} object {self.now.object_id}" if self.now else self.where

    def doctype(self, *_: object) -> None:
        refuse(self.where, "the model declares a document type or entities", "save it anew as 3MF", "three_mf_doctype")

    def prefix(self, prefix: str | None, uri: str) -> None:
        self.prefixes[prefix or ""] = uri

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        space, _, word = tag.rpartition(" ")
        parent = self.open[-1] if self.open else ""
        self.open.append(word if space == CORE else tag)
        self.check_amount()
        if not self.began:
            if space != CORE or word != "model":
                refuse(self.where, "the part is no 3MF model", DAMAGED, "three_mf_xml")
            self.began = True
            self.head(attributes)
        elif space == CORE:
            match parent, word:
                case "vertices", "vertex":
                    self.vertex(attributes)
                case "triangles", "triangle":
                    self.triangle(attributes)
                case "resources", "object":
                    self.object(attributes)
                case "object", "mesh":
                    self.mesh()
                case "components", "component":
                    self.component(attributes)
                case "build", "item":
                    self.model.items.append(self.reference(attributes))
                    check_parts(len(self.model.items), self.where, limit=MAX_OBJECTS)
                case _:
                    self.frame(parent, word)
        elif parent == "object" or (parent == "mesh" and word != "trianglesets"):
            refuse(self.place(), f"the object is shaped by {word}, which is not read", "export a plain mesh", "three_mf_extension")

    def check_amount(self) -> None:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            refuse(self.where, f"the model has more than {MAX_ELEMENTS} elements", "reduce the mesh", "mesh_large")
        if len(self.open) > MAX_XML_DEPTH:
            refuse(self.where, f"elements lie more than {MAX_XML_DEPTH} deep", DAMAGED, "three_mf_xml")

    def frame(self, parent: str, word: str) -> None:
        """See that what shapes an object stands where it belongs."""
        homes = {
            "resources": "model",
            "build": "model",
            "object": "resources",
            "mesh": "object",
            "components": "object",
            "vertices": "mesh",
            "triangles": "mesh",
            "vertex": "vertices",
            "triangle": "triangles",
            "component": "components",
            "item": "build",
        }
        if homes.get(word, parent) != parent or word == "model":
            refuse(self.place(), f"{word} stands where it does not belong", DAMAGED, "three_mf_xml")

    def end(self, _tag: str) -> None:
        if self.open.pop() == "object" and self.open[-1:] == ["resources"]:
            self.close()

    def head(self, attributes: dict[str, str]) -> None:
        self.model.unit = attributes.get("unit", "millimeter")
        if self.model.unit not in UNITS:
            todo = f"export it in one of {', '.join(UNITS)}"
            refuse(self.where, f"the unit {self.model.unit[:40]!r} is not known", todo, "three_mf_unit")
        self.limit = MAX_COORDINATE / UNITS[self.model.unit][1]
        for prefix in attributes.get("requiredextensions", "").split():
            if self.prefixes.get(prefix) not in _HARMLESS:
                what = f"the package needs the extension {self.prefixes.get(prefix, prefix)[:100]}"
                refuse(self.where, what, "export plain meshes, without lattices, slices or encryption", "three_mf_extension")

    def object(self, attributes: dict[str, str]) -> None:
        raw = attributes.get("id", "")
        if not _ID.fullmatch(raw):
            refuse(self.where, f"an object has the id {raw[:40]!r}", DAMAGED, "three_mf_object")
        number = int(raw)
        if number in self.model.objects:
            refuse(self.where, f"two objects have the id {number}", DAMAGED, "three_mf_object")
        kind = attributes.get("type", "model")
        self.now = ModelObject(number, attributes.get("name", ""), kind)
        self.model.objects[number] = self.now
        check_parts(len(self.model.objects), self.where, limit=MAX_OBJECTS)

    def mesh(self) -> None:
        if self.now is None or self.now.has_mesh or self.now.components:
            refuse(self.place(), "the object holds more than one shape", DAMAGED, "three_mf_object")
        self.now.has_mesh = True

    def vertex(self, attributes: dict[str, str]) -> None:
        if self.now is None:
            refuse(self.where, "a point stands outside an object", DAMAGED, "three_mf_xml")
        for axis in "xyz":
            self.now.points.append(self.number(attributes.get(axis, ""), axis))
        check_sizes(len(self.now.points) // 3, 0, self.place())

    def number(self, text: str, what: str) -> float:
        if not _TEXT_NUMBER.fullmatch(text.strip()) or len(text) > 60:
            where = f"{self.place()} point {len(self.now.points) // 3}" if self.now and what in "xyz" else self.place()
            if text.strip().lower().lstrip("+-") in ("nan", "inf", "infinity"):
                check_number(float(text), where)
            refuse(where, f"{text[:40]!r} is not a number", DAMAGED, "mesh_number")
        value = float(text)
        if not abs(value) <= self.limit:
            check_number(value, self.place(), limit=self.limit)
        return value

    def triangle(self, attributes: dict[str, str]) -> None:
        if self.now is None:
            refuse(self.where, "a triangle stands outside an object", DAMAGED, "three_mf_xml")
        for corner in ("v1", "v2", "v3"):
            text = attributes.get(corner, "")
            if not _INDEX.fullmatch(text):
                where = f"{self.place()} triangle {len(self.now.corners) // 3}"
                refuse(where, f"corner {text[:40]!r} is no number of a point", DAMAGED, "mesh_index")
            self.now.corners.append(int(text))
        check_sizes(0, len(self.now.corners) // 3, self.place())

    def component(self, attributes: dict[str, str]) -> None:
        if self.now is None or self.now.has_mesh:
            refuse(self.place(), "the object holds more than one shape", DAMAGED, "three_mf_object")
        self.now.components.append(self.reference(attributes))
        check_parts(len(self.now.components), self.place(), limit=MAX_OBJECTS)

    def reference(self, attributes: dict[str, str]) -> Reference:
        raw = attributes.get("objectid", "")
        if not _ID.fullmatch(raw):
            refuse(self.place(), f"something refers to the object {raw[:40]!r}", DAMAGED, "three_mf_object")
        path = attributes.get(f"{PRODUCTION} path", "")
        matrix = self.matrix(attributes.get("transform"))
        return Reference(path.lstrip("/") or self.path, int(raw), matrix)

    def matrix(self, text: str | None) -> Matrix:
        if text is None:
            return IDENTITY
        words = text.split()
        if len(words) != 12:
            refuse(self.place(), f"a transform has {len(words)} numbers instead of 12", DAMAGED, "mesh_placement")
        m = [self.number(word, "transform") for word in words]
        # The file multiplies rows from the left; here columns stand on the right.
        matrix = (m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11])
        check_placement(matrix, self.place(), limit=max(self.limit, MAX_COORDINATE))
        return matrix

    def close(self) -> None:
        item = self.now
        if item is None:
            return
        count = len(item.points) // 3
        if item.has_mesh and item.corners and max(item.corners) >= count:
            at = next(at for at, corner in enumerate(item.corners) if corner >= count)
            where = f"{self.place()} triangle {at // 3}"
            refuse(where, f"the triangle points at corner {item.corners[at]} of {count}, counted from 0", DAMAGED, "mesh_index")
        if not item.has_mesh and not item.components:
            refuse(self.place(), "the object has neither a mesh nor components", DAMAGED, "three_mf_object")
        self.now = None
