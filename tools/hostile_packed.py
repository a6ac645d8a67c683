"""Hostile packages: GLB and 3MF."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

from tools import mesh_writers as write
from tools.hostile_meshes import BRACKET, Case

HEAD, DATA = write.gltf_parts(BRACKET)
TRIANGLES, VOLUME = BRACKET.triangles, BRACKET.volume
OBJECT = f'<object id="1" type="model">{write.mesh_xml(BRACKET)}</object>'
ITEM = '<item objectid="1"/>'


def cases() -> Iterator[Case]:
    """Yield all cases of this module."""
    yield from _glb()
    yield from _glb_trees()
    yield from _three_mf()
    yield from _three_mf_packages()


def _bad(name: str, **changes: object) -> Case:
    return Case(f"glb-{name}.glb", "glb", write.pack_glb(HEAD | changes, DATA))


def _changed(key: str, at: int, **changes: object) -> list[object]:
    rows = json.loads(json.dumps(HEAD[key]))
    rows[at] |= changes
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def _glb() -> Iterator[Case]:
    for name, count in {"2g": 2**31, "negative": -4, "float": 4.5, "zero": 0, "text": "4", "more": 13, "null": None}.items():
        yield _bad(f"count-{name}", accessors=_changed("accessors", 0, count=count))
        yield _bad(f"corners-{name}", accessors=_changed("accessors", 1, count=count if count != 13 else 61))
    for name, change in {
        "no-view": {"bufferView": None},
        "view-above": {"bufferView": 9},
        "offset": {"byteOffset": 40},
        "offset-negative": {"byteOffset": -4},
        "type": {"type": "VEC5"},
        "component": {"componentType": 5130},
        "vec2": {"type": "VEC2"},
        "sparse": {"sparse": {"count": 1}},
        "short": {"componentType": 5122},
    }.items():
        yield _bad(f"accessor-{name}", accessors=_changed("accessors", 0, **change))
    for name, change in {
        "long": {"byteLength": 4_000_000_000},
        "offset": {"byteOffset": 10**6},
        "negative": {"byteOffset": -24},
        "buffer": {"buffer": 3},
        "stride-1": {"byteStride": 1},
        "stride-big": {"byteStride": 4000},
        "short": {"byteLength": 20},
    }.items():
        yield _bad(f"view-{name}", bufferViews=_changed("bufferViews", 0, **change))
    for name, address in {
        "up": "../../etc/passwd",
        "absolute": "/etc/passwd",
        "file": "file:///etc/passwd",
        "http": "http://127.0.0.1:9/x",
        "beside": "other.bin",
    }.items():
        yield _bad(f"uri-{name}", buffers=[{"byteLength": len(DATA), "uri": address}])
        yield _bad(f"image-{name}", images=[{"uri": address}])
    yield _bad("uri-base64", buffers=[{"byteLength": 4, "uri": "data:application/octet-stream;base64,@@@@"}])
    yield _bad("buffer-long", buffers=[{"byteLength": 10**9}])
    yield _bad("buffer-short", buffers=[{"byteLength": 100}])
    yield _bad("buffer-second", buffers=[{"byteLength": len(DATA)}, {"byteLength": 10}])
    yield _bad("draco", extensionsRequired=["KHR_draco_mesh_compression"])
    piece = {"attributes": {"POSITION": 0}, "indices": 1}
    yield _bad("draco-quiet", meshes=[{"primitives": [piece | {"extensions": {"KHR_draco_mesh_compression": {"bufferView": 0}}}]}])
    yield _bad("lines", meshes=[{"primitives": [piece | {"mode": 1}]}])
    yield _bad("points", meshes=[{"primitives": [piece | {"mode": 0}]}])
    yield _bad("no-pieces", meshes=[{"primitives": []}])
    yield _bad("no-position", meshes=[{"primitives": [{"attributes": {"NORMAL": 0}, "indices": 1}]}])
    yield _bad("indices-of-points", meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 0}]}])
    yield _bad("position-of-corners", meshes=[{"primitives": [{"attributes": {"POSITION": 1}, "indices": 1}]}])
    yield _bad("morph", meshes=[{"primitives": [piece], "weights": [0.5]}])
    yield _bad("pieces", meshes=[{"primitives": [piece] * 3000}])
    yield _bad("shared", meshes=[{"primitives": [piece]}] * 200_000)
    yield _bad("no-version", asset={})
    yield _bad("version-1", asset={"version": "1.0"})
    for name, number in {"nan": float("nan"), "inf": float("inf"), "far": 20_000.0}.items():
        changed = struct.pack("<f", number) + DATA[4:]
        yield Case(f"glb-number-{name}.glb", "glb", write.pack_glb(HEAD, changed))
    yield Case("glb-index.glb", "glb", write.pack_glb(HEAD, DATA[:-4] + struct.pack("<I", 12)))
    yield Case("glb-index-top.glb", "glb", write.pack_glb(HEAD, DATA[:-4] + b"\xff" * 4))
    text = json.dumps(HEAD).encode()
    for name, head in {
        "deep": b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        "nan": text.replace(b'"version": "2.0"', b'"version": "2.0", "x": NaN'),
        "cut": text[:-9],
        "twice": text[:-1] + b', "nodes": []}',
        "list": b"[]",
        "utf-16": text.decode().encode("utf-16"),
        "comment": text + b" // x",
    }.items():
        yield Case(f"glb-json-{name}.glb", "glb", write.pack_glb(head, DATA))
    sound = write.glb(BRACKET)
    yield Case("glb-length.glb", "glb", sound[:8] + b"\xff" * 4 + sound[12:])
    yield Case("glb-chunk.glb", "glb", sound[:12] + b"\xf0\xff\xff\xff" + sound[16:])
    yield Case("glb-version.glb", "glb", sound[:4] + b"\1\0\0\0" + sound[8:])
    yield Case("glb-json-only.glb", "glb", struct.pack("<4sII", b"glTF", 2, 20) + struct.pack("<I4s", 0, b"JSON"))
    strip = [0, 1, 2, 3]
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    head, _ = write.gltf_parts(BRACKET)
    head |= {
        "buffers": [{"byteLength": 48 + 12}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [piece | {"mode": 5}]}],
    }
    packed = points + struct.pack("<6H", *[1, 0, 2, 3, 1, 0])
    yield Case("glb-strip.glb", "glb legal", write.pack_glb(head, packed), "read", len(strip), 1 / 6)
    address = "data:image/png;base64," + b64encode(b"\x89PNG" + bytes(1000)).decode()
    yield Case("glb-image.glb", "glb legal", write.glb(BRACKET, images=[{"uri": address}]), "read", TRIANGLES, VOLUME)
    name = [{"mesh": 0, "name": "../../{{config}}<img src=x onerror=alert(1)>"}]
    yield Case("glb-name.glb", "glb legal", write.glb(BRACKET, nodes=name), "read", TRIANGLES, VOLUME)
    yield _bad("name-long", nodes=[{"mesh": 0, "name": "x" * 400}])


def _glb_trees() -> Iterator[Case]:
    one = {"mesh": 0}
    for name, nodes in {
        "cycle": [one | {"children": [1]}, one | {"children": [0]}],
        "self": [one | {"children": [0]}],
        "loose-cycle": [one, {"children": [2]}, {"children": [1]}],
        "two-parents": [{"children": [1, 2]}, one | {"children": [2]}, one],
        "twice": [{"children": [1, 1]}, one],
        "above": [one | {"children": [7]}],
        "deep": [one | {"children": [at + 1]} for at in range(40)] + [one],
        "wide": [{"children": list(range(1, 12_000))}, *[one] * 12_000],
        "mesh-above": [{"mesh": 4}],
        "scale-0": [one | {"scale": [0, 0, 0]}],
        "scale-far": [one | {"scale": [1e9, 1, 1]}],
        "moved-far": [one | {"translation": [0, 0, 10_000]}],
        "rotation-0": [one | {"rotation": [0, 0, 0, 0]}],
        "rotation-2": [one | {"rotation": [0, 0, 0, 2]}],
        "matrix-15": [one | {"matrix": [1] * 15}],
        "empty": [{}],
        "matrix-projects": [one | {"matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}],
        "matrix-and-scale": [one | {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "scale": [2, 2, 2]}],
        "instancing": [one | {"extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}}],
        "skin": [one | {"skin": 0}],
        "text": [one | {"scale": ["a", 1, 1]}],
    }.items():
        yield _bad(f"nodes-{name}", nodes=nodes)
    yield _bad("scenes-two", scene=None, scenes=[{"nodes": [0]}, {"nodes": [0]}])
    yield _bad("scene-above", scene=4)
    yield _bad("scene-none", scenes=[])
    yield _bad("scene-empty", scenes=[{"nodes": []}])
    half = 0.5**0.5
    for name, nodes, count, factor in (
        ("mirrored", [one | {"scale": [-1, 1, 1]}], 1, 1.0),
        ("mirrored-twice", [{"scale": [-1, 1, 1], "children": [1]}, one | {"scale": [1, -1, 1]}], 1, 1.0),
        ("turned", [one | {"rotation": [half, 0, 0, half], "translation": [5, 6, 7]}], 1, 1.0),
        (
            "nested",
            [
                {"scale": [2, 2, 2], "children": [1, 2]},
                one | {"translation": [50, 0, 0]},
                one | {"matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -50, 0, 0, 1]},
            ],
            2,
            8.0,
        ),
        ("thrice", [{"children": [1, 2, 3]}, one, one | {"translation": [50, 0, 0]}, one | {"translation": [0, 50, 0]}], 3, 1.0),
    ):
        yield Case(
            f"glb-tree-{name}.glb", "glb legal", write.glb(BRACKET, nodes=nodes), "read", count * TRIANGLES, count * factor * VOLUME
        )


def _model(name: str, objects: str = OBJECT, items: str = ITEM, **more: str) -> Case:
    return Case(f"3mf-{name}.3mf", "3mf", write.pack_3mf(write.model_xml(objects, items, **more)))


def _group(number: int, parts: list[int], extra: str = "") -> str:
    inner = "".join(f'<component objectid="{part}"{extra}/>' for part in parts)
    return f'<object id="{number}" type="model"><components>{inner}</components></object>'


def _three_mf() -> Iterator[Case]:
    for name, (old, new) in {
        "index-above": ('v3="', 'v3="99'),
        "index-negative": ('v3="', 'v3="-'),
        "index-missing": ("v3=", "v9="),
        "nan": ('x="8.0"', 'x="nan"'),
        "1e999": ('x="8.0"', 'x="1e999"'),
        "far": ('x="8.0"', 'x="10001"'),
        "underscore": ('x="8.0"', 'x="8_0"'),
        "arabic": ('x="8.0"', 'x="\u0668"'),
        "word": ('x="8.0"', 'x="8mm"'),
        "axis-missing": ('x="8.0"', 'w="8.0"'),
        "id-zero": ('id="1"', 'id="0"'),
        "id-word": ('id="1"', 'id="one"'),
        "type-support": ('type="model"', 'type="support"'),
        "type-surface": ('type="model"', 'type="surface"'),
        "mesh-twice": ("</mesh>", "</mesh><mesh></mesh>"),
        "no-mesh": ("mesh>", "mash>"),
        "long-name": ('type="model"', f'name="{"x" * 300}"'),
        "lattice": ("</mesh>", '<b:beamlattice xmlns:b="urn:lattice"/></mesh>'),
        "foreign": ("<mesh>", '<q:blob xmlns:q="urn:q"/><mesh>'),
        "vertices-twice": ("<triangles>", "</mesh><vertices>"),
    }.items():
        yield _model(name, OBJECT.replace(old, new, 1))
    for name, items in {
        "item-missing": '<item objectid="77"/>',
        "no-item": "",
        "item-word": '<item objectid="x"/>',
        "nan-transform": '<item objectid="1" transform="nan 0 0 0 1 0 0 0 1 0 0 0"/>',
        "short-transform": '<item objectid="1" transform="1 0 0 0 1 0 0 0 1"/>',
        "flat-transform": '<item objectid="1" transform="1 0 0 0 1 0 0 0 0 0 0 0"/>',
        "far-transform": '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 20000"/>',
        "path-missing": '<item objectid="1" p:path="/3D/other.model"/>',
        "path-climbs": '<item objectid="1" p:path="/../../x.model"/>',
        "items": "".join(
            f'<item objectid="1" partnumber="{sha256(bytes(str(at), "ascii")).hexdigest()}"/>' for at in range(10_001)
        ),
    }.items():
        yield _model(name, items=items)
    yield _model("twice", OBJECT + OBJECT)
    yield _model("unit", unit="parsec")
    yield _model("unit-empty", unit="")
    yield _model("laughs", before='<!DOCTYPE m [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>')
    yield _model("outside", before='<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
    yield _model("dtd", before='<!DOCTYPE m SYSTEM "http://127.0.0.1:9/x.dtd">')
    yield _model("encoding", before="<?xml-stylesheet href='x'?><!DOCTYPE model>")
    yield _model(
        "needs-lattice", head='xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" requiredextensions="b"'
    )
    yield _model("needs-unknown", head='requiredextensions="zz"')
    yield _model("self", OBJECT + _group(2, [2, 1]), '<item objectid="2"/>')
    yield _model("cycle", OBJECT + _group(2, [3, 1]) + _group(3, [2, 1]), '<item objectid="2"/>')
    yield _model("loose-cycle", OBJECT + _group(2, [3, 1]) + _group(3, [2, 1]))
    for width, depth in ((1, 17), (2, 30), (10, 10), (40, 8), (3, 9)):
        groups = "".join(_group(at, [at - 1] * width) for at in range(2, depth + 2))
        yield _model(f"nest-{width}-{depth}", OBJECT + groups, f'<item objectid="{depth + 1}"/>')
    yield _model("deep", OBJECT + "<g>" * 300 + "</g>" * 300)
    yield _model("build-in-object", OBJECT.replace("<mesh>", "<build></build><mesh>"))
    yield _model("vertex-outside", OBJECT + '<vertex x="0" y="0" z="0"/>')
    for name, unit in (("micron", "micron"), ("inch", "inch"), ("foot", "foot"), ("meter", "meter"), ("centimeter", "centimeter")):
        body = BRACKET.scaled(0.01)
        factor = {"micron": 1e-9, "foot": 12.0**3}.get(unit, 1.0)
        yield Case(f"3mf-unit-{name}.3mf", "3mf legal", write.three_mf(body, unit=unit), "read", TRIANGLES, body.volume * factor)
    mirror = '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>'
    yield Case("3mf-mirrored.3mf", "3mf legal", write.three_mf(BRACKET, items=mirror), "read", TRIANGLES, VOLUME)
    moved = "".join(f'<item objectid="1" transform="0 2 0 -2 0 0 0 0 2 {40 * at} 0 0"/>' for at in range(3))
    yield Case("3mf-thrice.3mf", "3mf legal", write.three_mf(BRACKET, items=moved), "read", 3 * TRIANGLES, 24 * VOLUME)
    nested = (
        OBJECT
        + _group(2, [1, 1], ' transform="1 0 0 0 1 0 0 0 -1 50 0 0"')
        + _group(3, [2, 1], ' transform="3 0 0 0 3 0 0 0 3 0 0 0"')
    )
    xml = write.model_xml(nested, '<item objectid="3"/>')
    yield Case("3mf-nested.3mf", "3mf legal", write.pack_3mf(xml), "read", 3 * TRIANGLES, 3 * 27 * VOLUME)
    part = write.model_xml(OBJECT, "")
    root = write.model_xml("", '<item objectid="1" p:path="/3D/parts/a.model"/>', head='requiredextensions="p"')
    yield Case("3mf-production.3mf", "3mf legal", write.pack_3mf(root, [("3D/parts/a.model", part)]), "read", TRIANGLES, VOLUME)
    other = write.model_xml(OBJECT, "", unit="inch")
    yield Case("3mf-production-units.3mf", "3mf", write.pack_3mf(root, [("3D/parts/a.model", other)]))
    yield Case("3mf-production-items.3mf", "3mf", write.pack_3mf(root, [("3D/parts/a.model", write.model_xml(OBJECT, ITEM))]))


def _three_mf_packages() -> Iterator[Case]:
    model = write.model_xml(OBJECT, ITEM)
    sound = [("[Content_Types].xml", write.TYPES), ("_rels/.rels", write.RELATIONS), ("3D/3dmodel.model", model)]

    def pack(name: str, members: list[tuple[str, str | bytes]]) -> Case:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for member, data in members:
                package.writestr(zipfile.ZipInfo(member, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        return Case(f"3mf-{name}.3mf", "3mf package", out.getvalue())

    yield pack("bomb", [*sound[:2], ("3D/3dmodel.model", model[:-8] + " " * 30_000_000 + "</model>")])
    yield pack("bomb-beside", [*sound, ("Metadata/thumb.png", bytes(50_000_000))])
    yield pack("members", [*sound, *((f"m{at}", "x") for at in range(300))])
    yield pack("slip", [("../../out.txt", "x"), *sound])
    yield pack("absolute", [("/etc/x", "x"), *sound])
    yield pack("backslash", [("3D\\x", "x"), *sound])
    yield pack("case-twice", [*sound, ("3d/3DMODEL.model", model)])
    yield pack("no-relations", [sound[0], sound[2]])
    yield pack("no-types", sound[1:])
    yield pack("no-model", sound[:2])
    yield pack("model-elsewhere", [sound[0], ("_rels/.rels", write.RELATIONS.replace("3dmodel.model", "x.model")), sound[2]])
    yield pack(
        "model-outside", [sound[0], ("_rels/.rels", write.RELATIONS.replace("Type=", 'TargetMode="External" Type=')), sound[2]]
    )
    relation = write.RELATIONS[write.RELATIONS.index("<Relationship ") : write.RELATIONS.index("</Relationships>")]
    doubled = write.RELATIONS.replace(relation, relation + relation.replace('"r0"', '"r1"'))
    yield pack("two-models", [sound[0], ("_rels/.rels", doubled), sound[2]])
    yield pack("relations-doctype", [sound[0], ("_rels/.rels", write.RELATIONS.replace("<Rel", "<!DOCTYPE x><Rel", 1)), sound[2]])
    yield pack("not-xml", [*sound[:2], ("3D/3dmodel.model", "v 0 0 0")])
    yield pack("other-xml", [*sound[:2], ("3D/3dmodel.model", "<svg/>")])
    yield pack("utf-16", [*sound[:2], ("3D/3dmodel.model", model.replace("UTF-8", "UTF-16").encode("utf-16"))])
    yield pack("sheet", [("[Content_Types].xml", "<Types/>"), ("xl/workbook.xml", "<workbook/>")])
