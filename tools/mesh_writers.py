"""Writers of sound mesh files for tests, one a format, made of a body with faces of any size; the standard library only."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float, float]
Face = tuple[int, ...]
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="r0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


@dataclass(frozen=True)
class Body:
    """Points and faces, outside to the right hand, with the volume that they enclose."""

    points: tuple[Point, ...]
    faces: tuple[Face, ...]
    volume: float

    @property
    def triangles(self) -> int:
        """How many triangles the faces make."""
        return sum(len(face) - 2 for face in self.faces)

    def cut(self) -> Body:
        """Return the same body in triangles; its faces are convex or dented so that a fan from the first corner is sound."""
        fans = tuple((face[0], face[at], face[at + 1]) for face in self.faces for at in range(1, len(face) - 1))
        return Body(self.points, fans, self.volume)

    def scaled(self, factor: float) -> Body:
        """Return the body with all lengths multiplied."""
        return Body(tuple((x * factor, y * factor, z * factor) for x, y, z in self.points), self.faces, self.volume * factor**3)


def bracket() -> Body:
    """Return a prism over an L: six-cornered dented ends and quads, all coordinates exact in binary."""
    outline = [(8.0, 0.0), (8.0, 4.0), (3.0, 4.0), (3.0, 12.5), (0.0, 12.5), (0.0, 0.0)]
    # The fan of an end must start where the whole outline is seen: at the inner corner, the third one.
    outline = outline[2:] + outline[:2]
    low, high = [(x, y, 0.25) for x, y in outline], [(x, y, 6.25) for x, y in outline]
    count = len(outline)
    ends = ((0, *range(count - 1, 0, -1)), tuple(range(count, 2 * count)))
    sides = tuple((at, (at + 1) % count, count + (at + 1) % count, count + at) for at in range(count))
    return Body(tuple(low + high), ends + sides, (8 * 4 + 3 * 8.5) * 6)


def ball(rings: int = 24) -> Body:
    """Return a closed round body of quads and triangles; its volume is summed from its own triangles."""
    from math import cos, pi, sin

    points: list[Point] = [(0.0, 0.0, 11.0)]
    around = 2 * rings
    for ring in range(1, rings):
        z, r = 11 * cos(pi * ring / rings), 11 * sin(pi * ring / rings)
        points += [(r * cos(2 * pi * at / around), r * sin(2 * pi * at / around), z) for at in range(around)]
    points.append((0.0, 0.0, -11.0))
    faces: list[Face] = [(0, 1 + at, 1 + (at + 1) % around) for at in range(around)]
    for ring in range(rings - 2):
        a, b = 1 + ring * around, 1 + (ring + 1) * around
        faces += [(a + at, b + at, b + (at + 1) % around, a + (at + 1) % around) for at in range(around)]
    last = len(points) - 1
    faces += [(last, last - around + (at + 1) % around, last - around + at) for at in range(around)]
    body = Body(tuple(points), tuple(faces), 0.0)
    return Body(body.points, body.faces, volume_of(body.cut()))


def volume_of(body: Body) -> float:
    """Return the signed volume of triangles, summed by hand."""
    total = 0.0
    for face in body.faces:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (body.points[at] for at in face)
        total += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)
    return total / 6


def stl(body: Body) -> bytes:
    """Write binary STL."""
    rows = [struct.pack("<12fH", 0, 0, 0, *(n for at in face for n in body.points[at]), 0) for face in body.cut().faces]
    return b"made for tests".ljust(80, b" ") + struct.pack("<I", len(rows)) + b"".join(rows)


def stl_text(body: Body) -> bytes:
    """Write ASCII STL."""
    lines = ["solid body"]
    for face in body.cut().faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(map(repr, body.points[at])) for at in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid body", ""]).encode()


def obj(body: Body, *, suffix: str = "", relative: bool = False) -> bytes:
    """Write OBJ; a suffix goes behind each corner, relative corners count back."""
    lines = ["# made for tests", "mtllib nowhere.mtl", "o body"]
    lines += ["v " + " ".join(map(repr, point)) for point in body.points]
    if suffix:
        lines += ["vt 0.5 0.5", "vn 0 0 1"]
    base = -len(body.points) if relative else 1
    lines += ["f " + " ".join(f"{at + base}{suffix}" for at in face) for face in body.faces]
    return ("\n".join(lines) + "\n").encode()


def off(body: Body) -> bytes:
    """Write OFF."""
    lines = ["OFF", f"{len(body.points)} {len(body.faces)} 0"]
    lines += [" ".join(map(repr, point)) for point in body.points]
    lines += [f"{len(face)} " + " ".join(map(str, face)) for face in body.faces]
    return ("\n".join(lines) + "\n").encode()


def ply_head(points: int, faces: int, form: str, kind: str = "double") -> bytes:
    """Return the header of a PLY file."""
    axes = "".join(f"property {kind} {axis}\n" for axis in "xyz")
    listed = "property list uchar int vertex_indices\n"
    return f"ply\nformat {form} 1.0\nelement vertex {points}\n{axes}element face {faces}\n{listed}end_header\n".encode()


def ply_text(body: Body) -> bytes:
    """Write ASCII PLY."""
    lines = [" ".join(map(repr, point)) for point in body.points]
    lines += [f"{len(face)} " + " ".join(map(str, face)) for face in body.faces]
    return ply_head(len(body.points), len(body.faces), "ascii") + ("\n".join(lines) + "\n").encode()


def ply(body: Body, *, order: str = "<", kind: str = "d") -> bytes:
    """Write binary PLY in either byte order."""
    form = "binary_little_endian" if order == "<" else "binary_big_endian"
    head = ply_head(len(body.points), len(body.faces), form, {"d": "double", "f": "float"}[kind])
    rows = [struct.pack(f"{order}3{kind}", *point) for point in body.points]
    rows += [struct.pack(f"{order}B{len(face)}i", len(face), *face) for face in body.faces]
    return head + b"".join(rows)


def cloud_points(body: Body) -> list[tuple[Point, Point]]:
    """Return points of a ball about the origin with their outward normals."""
    found = []
    for x, y, z in body.points:
        length = (x * x + y * y + z * z) ** 0.5
        found.append(((x, y, z), (x / length, y / length, z / length)))
    return found


def xyz(body: Body) -> bytes:
    """Write a point cloud as text."""
    rows = [" ".join(map(repr, (*point, *normal))) for point, normal in cloud_points(body)]
    return ("# x y z nx ny nz\n" + "\n".join(rows) + "\n").encode()


def ply_cloud(body: Body, *, order: str = "<") -> bytes:
    """Write a point cloud as PLY."""
    form = "binary_little_endian" if order == "<" else "binary_big_endian"
    names = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz"))
    head = f"ply\nformat {form} 1.0\nelement vertex {len(body.points)}\n{names}end_header\n".encode()
    return head + b"".join(struct.pack(f"{order}6f", *point, *normal) for point, normal in cloud_points(body))


def gltf_parts(body: Body) -> tuple[dict[str, object], bytes]:
    """Return the JSON of one mesh and its data: float points, then 32-bit corners."""
    cut = body.cut()
    points = b"".join(struct.pack("<3f", *point) for point in cut.points)
    corners = b"".join(struct.pack("<3I", *face) for face in cut.faces)
    head: dict[str, object] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "body"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(points) + len(corners)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(corners)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(cut.points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(cut.faces), "type": "SCALAR"},
        ],
    }
    return head, points + corners


def pack_glb(head: object, data: bytes) -> bytes:
    """Pack JSON and data into one GLB file."""
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    total = 28 + len(text) + len(data)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, total) + chunks


def glb(body: Body, **changes: object) -> bytes:
    """Write GLB; changes replace whole entries of the JSON."""
    head, data = gltf_parts(body)
    return pack_glb(head | changes, data)


def gltf(body: Body) -> bytes:
    """Write glTF with its data inside."""
    from base64 import b64encode

    head, data = gltf_parts(body)
    address = "data:application/octet-stream;base64," + b64encode(data).decode()
    return json.dumps(head | {"buffers": [{"byteLength": len(data), "uri": address}]}).encode()


def mesh_xml(body: Body) -> str:
    """Return the mesh element of a 3MF object."""
    points = "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in body.points)
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in body.cut().faces)
    return f"<mesh><vertices>{points}</vertices><triangles>{faces}</triangles></mesh>"


def model_xml(objects: str, items: str, *, unit: str = "millimeter", head: str = "", before: str = "") -> str:
    """Return a 3MF model part."""
    spaces = f'xmlns="{CORE}" xmlns:p="{PRODUCTION}"'
    start = f'<?xml version="1.0" encoding="UTF-8"?>{before}<model unit="{unit}" {spaces} {head}>'
    return f"{start}<resources>{objects}</resources><build>{items}</build></model>"


def pack_3mf(model: str, parts: Sequence[tuple[str, str]] = ()) -> bytes:
    """Pack a model, and further parts, into one package."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (("[Content_Types].xml", TYPES), ("_rels/.rels", RELATIONS), ("3D/3dmodel.model", model), *parts):
            package.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def three_mf(body: Body, *, unit: str = "millimeter", items: str = '<item objectid="1"/>') -> bytes:
    """Write 3MF."""
    return pack_3mf(model_xml(f'<object id="1" type="model" name="body">{mesh_xml(body)}</object>', items, unit=unit))
