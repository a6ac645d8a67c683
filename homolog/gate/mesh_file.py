"""The one gate for scans: the format chosen by ending and content, which must agree."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from homolog.gate.mesh import DAMAGED, MAX_BYTES, MeshFile, MeshFormat, refuse
from homolog.gate.stl import HEADER, MAX_ASCII_BYTES, RECORD, StlFile, check_binary, check_stl, is_blank, is_text

ENDINGS = {
    ".stl": "STL",
    ".obj": "OBJ",
    ".ply": "PLY",
    ".off": "OFF",
    ".glb": "GLB",
    ".gltf": "glTF",
    ".3mf": "3MF",
    ".step": "STEP",
    ".stp": "STEP",
    ".xyz": "XYZ",
}
"""Endings of the files that can be read, in small letters, with the kind that each one says."""

_OFF = re.compile(rb"(ST)?C?N?OFF[ \t\r\n]")
_OBJ = re.compile(rb"^[ \t]*(?:v[tn]?|f|o|g|mtllib|usemtl|s)[ \t]+\S", re.MULTILINE)
_MAGIC = (
    (re.compile(rb"glTF"), "GLB"),
    (re.compile(rb"PK\x03\x04"), "3MF"),
    (re.compile(rb"ply[ \t]*\r?[\r\n]"), "PLY"),
    (re.compile(rb"\s*ISO-10303-21"), "STEP"),
    (_OFF, "OFF"),
    (re.compile(rb"\s*solid\b[\s\S]*\bfacet\b", re.IGNORECASE), "STL"),
    (re.compile(rb"\s*\{"), "glTF"),
    (re.compile(rb"\s*<"), "XML"),
    (re.compile(rb"%PDF"), "PDF"),
    (re.compile(rb"\x89PNG|\xff\xd8\xff"), "picture"),
    (re.compile(rb"Rar!|7z\xbc\xaf|\x1f\x8b"), "compressed archive"),
)
_HEAD = 4096
_NO_MAGIC = ("OBJ", "XYZ")


def check_mesh(data: bytes, *, name: str) -> MeshFile:
    """Take a scan of any format whole, or refuse it; nothing is expanded, and no other file is opened.

    Args:
        data: The file's bytes.
        name: The file's name; its ending says the format, and the messages call the file so.

    Raises:
        InputRefused: The ending is unknown, the content is of another format, or that format's gate refuses the file.
    """
    return _take(data, check_kind(data, name=name), name)


def check_kind(data: bytes, *, name: str) -> str:
    """Return what kind of scan a file is, after a glance that costs little: its ending, size and first bytes; binary STL whole.

    Raises:
        InputRefused: The ending is unknown, the file is empty or too large, its content is of another kind, or it is a binary
            STL file that its gate refuses.
    """
    kind = kind_of(name)
    limit = MAX_ASCII_BYTES if kind == "STL" else MAX_BYTES
    if len(data) > limit:
        todo = "reduce the mesh; a goalkeeper needs no more than 300000 triangles"
        refuse(name, f"the file has {len(data)} bytes, more than {limit}", todo, "mesh_large")
    if is_blank(data):
        refuse(name, "the file is empty", "export the scan again", "mesh_empty")
    _check_content(data, kind, name)
    if kind == "STL" and not is_text(data):
        check_binary(data, name=name)
    return kind


def kind_of(name: str) -> str:
    """Return the kind of mesh file that a name's ending says.

    Raises:
        InputRefused: It says none that can be read.
    """
    ending = PurePosixPath(name).suffix.lower()
    if ending not in ENDINGS:
        todo = f"export the scan as one of {', '.join(ENDINGS)}"
        refuse(name, f"a file that ends in {ending or 'nothing'} is no scan that can be read", todo, "mesh_ending")
    return ENDINGS[ending]


def looks_like(data: bytes) -> str:
    """Return the kind of file that the content shows, or an empty text if it shows none."""
    if len(data) > HEADER and len(data) == HEADER + RECORD * int.from_bytes(data[80:84], "little"):
        return "STL"
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    for magic, kind in _MAGIC:
        if magic.match(head):
            return kind
    if b"\0" not in head and _OBJ.search(head):
        return "OBJ"
    return ""


def _check_content(data: bytes, kind: str, name: str) -> None:
    seen = looks_like(data)
    if seen == kind or (not seen and kind in (*_NO_MAGIC, "STL")):
        return
    if seen:
        what = f"the file ends like {kind}, but its content looks like {seen}"
        refuse(name, what, "give it the ending of what it is, or export it again", "mesh_content")
    refuse(name, f"the file ends like {kind}, but does not begin like it", DAMAGED, "mesh_content")


def _take(data: bytes, kind: str, name: str) -> MeshFile:
    # Each gate is loaded only when a file needs it: starting up stays quick.
    match kind:
        case "STL":
            return _from_stl(check_stl(data, name=name), data)
        case "OBJ":
            from homolog.gate.obj import check_obj

            return check_obj(data, name=name)
        case "PLY":
            from homolog.gate.ply import check_ply

            return check_ply(data, name=name)
        case "OFF":
            from homolog.gate.off import check_off

            return check_off(data, name=name)
        case "GLB" | "glTF":
            from homolog.gate.glb import check_glb

            return check_glb(data, name=name)
        case "3MF":
            from homolog.gate.three_mf import check_3mf

            return check_3mf(data, name=name)
        case "STEP":
            from homolog.gate.step import check_step

            return check_step(data, name=name)
        case _:
            from homolog.gate.points import check_points

            return check_points(data, name=name)


def _from_stl(file: StlFile, data: bytes) -> MeshFile:
    """Return an STL file as what every gate returns; its corners travel as they are, three a facet."""
    form: MeshFormat = file.format
    raw = data if form == "stl-binary" else file.corners
    return MeshFile(format=form, unit=None, triangles=file.triangles, points=3 * file.triangles, raw=raw)
