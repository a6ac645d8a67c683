"""Hostile text and row files: OBJ, PLY, OFF, XYZ, STEP and wrong endings."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

from tools import mesh_writers as write
from tools import step_writer
from tools.hostile_meshes import BALL, BRACKET, FLAT, Case

V4 = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
F4 = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SIXTH = 1 / 6


def cases() -> Iterator[Case]:
    """Yield all cases of this module."""
    yield from _obj()
    yield from _ply()
    yield from _off()
    yield from _clouds()
    yield from _step()
    yield from _endings()


def _obj() -> Iterator[Case]:
    def bad(name: str, text: str | bytes) -> Case:
        return Case(f"obj-{name}.obj", "obj", text if isinstance(text, bytes) else text.encode())

    def good(name: str, text: str | bytes, triangles: int = 4, volume: float = SIXTH) -> Case:
        data = text if isinstance(text, bytes) else text.encode()
        return Case(f"obj-{name}.obj", "obj legal", data, "read", triangles, volume)

    for name, face in {
        "zero": "0 1 2",
        "below": "-9 -1 -2",
        "lowest": "-9223372036854775808 1 2",
        "above": "1 2 5",
        "huge": "1 2 4000000000",
        "1e18": "1 2 1000000000000000000",
        "digits": "1 2 " + "9" * 400,
        "float": "1 2 3.0",
        "exponent": "1 2 3e0",
        "word": "1 2 x",
        "plus": "1 2 +",
        "minus": "1 2 -",
        "slash": "1 2 /3",
        "two": "1 2",
        "none": "",
        "underscore": "1 2 0_3",
        "arabic": "1 2 \u0663",
        "hex": "1 2 0x3",
        "four-slashes": "1 2 3/1/1/1",
    }.items():
        yield bad(f"index-{name}", f"{V4}{F4}f {face}\n")
    for name, number in {
        "nan": "nan",
        "inf": "inf",
        "minus-inf": "-Infinity",
        "1e999": "1e999",
        "1e308": "1e308",
        "far": "10001",
        "word": "one",
        "underscore": "1_0",
        "comma": "1,5",
        "arabic": "\u0661",
        "hex": "0x1p3",
        "empty": "",
        "long": "1" * 5000,
        "qnan": "1.#QNAN",
    }.items():
        yield bad(f"number-{name}", f"v {number} 0 0\n{V4}{F4}")
        yield bad(f"last-{name}", f"v 0 0 {number}\n{V4}{F4}")
        yield bad(f"normal-{name}", f"{V4}vn 0 0 {number}x\n{F4}")
    yield bad("weight", f"v 0 0 0 2\n{V4}{F4}")
    yield bad("five-numbers", f"v 0 0 0 1 1\n{V4}{F4}")
    yield bad("ngon-long", V4 + "f " + " ".join(["1 2 3"] * 40_000) + "\n" + F4)
    yield bad("groups", "".join(f"g g{at}\n{V4}{F4}" for at in range(1500)))
    yield bad("group-name", f"o {'x' * 300}\n{V4}{F4}")
    yield bad("continuation", V4 + "f 1 2 \\\n" * 200_000 + "3\n")
    yield bad("noise", random.Random(1).randbytes(300_000))  # noqa: S311
    yield bad("nul", V4 + F4.replace(" ", "\0"))
    yield bad("latin-1", b"# caf\xe9\n" + (V4 + F4).encode())
    yield bad("utf-16", (V4 + F4).encode("utf-16"))
    yield bad("lines", V4 + F4 + "l 1 2 3\n")
    yield bad("curve", V4 + F4 + "cstype bezier\ndeg 3\n")
    yield bad("three-faces", V4 + "f 1 3 2\nf 1 2 4\nf 1 4 3\n")
    yield bad("points-only", V4)
    yield bad("crossed-face", "v 0 0 0\nv 4 4 0\nv 4 0 0\nv 0 4 0\nv 2 2 5\nf 1 2 3 4\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n")
    yield bad(
        "bent-quads",
        "v 0 0 0\nv 1 0 1\nv 1 1 0\nv 0 1 1\nv 0 0 -1\nv 1 0 -1\nv 1 1 -1\nv 0 1 -1\nf 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\n",
    )
    yield bad("materials", V4 + "usemtl a\n" * 1_000_010 + F4)
    yield bad("too-many-points", "v 0 0 0\n" * 6_100_000 + F4)
    yield good("mtllib", "mtllib ../../../../etc/passwd\nusemtl secret\n" + V4 + F4)
    yield good("mtllib-absolute", "mtllib /etc/passwd\n" + V4 + F4)
    yield good("template-name", "o {{7*7}}<script>alert(1)</script>=cmd|' /C calc'!A0\n" + V4 + F4)
    yield good("crlf", (V4 + F4).replace("\n", "\r\n"))
    yield good("cr", (V4 + F4).replace("\n", "\r"))
    yield good("bom", b"\xef\xbb\xbf" + (V4 + F4).encode())
    yield good("blanks", "\n  \n\t\n" + V4.replace(" ", "  ").replace("v", "\tv") + F4.replace("\n", " # odd\n"))
    yield good("colours", V4.replace("\n", " 0.5 0.5 0.5\n") + F4)
    yield good("weights", V4.replace("\n", " 1.0\n") + F4)
    yield good("exponents", V4.replace("v 1", "v 1.0E+0").replace("0 0\n", "-0.0e-3 +.0\n") + F4)
    yield good("faces-first", F4 + V4)
    yield good("relative-midway", f"{V4}f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\nv 9 9 9\n")
    yield good("continued", V4 + F4.replace("f 1 2 4", "f 1 \\\n2 4"))
    yield good("mixed-slashes", V4 + "vt 0 0\nvn 0 0 1\nf 1/1 3 2//1\nf 1 2 4\nf 1/1/1 4/1/1 3/1/1\nf 2 3 4\n")
    yield good(
        "groups-few", f"o one\n{V4}{F4}o two\n{V4.replace('0', '7')}f -4 -3 -2\nf -4 -1 -3\nf -4 -2 -1\nf -3 -1 -2\n", 8, SIXTH + 36
    )
    textured = write.obj(FLAT, suffix="/1/1")
    yield good("textured", textured, BRACKET.triangles, BRACKET.volume)
    yield good("dented", write.obj(BRACKET), BRACKET.triangles, BRACKET.volume)
    rolled = write.Body(BRACKET.points, tuple((*face[1:], face[0]) for face in BRACKET.faces), BRACKET.volume)
    yield good("dented-rolled", write.obj(rolled), BRACKET.triangles, BRACKET.volume)
    yield good("dart", "v 0 0 0\nv 1 3 0\nv 2 0 0\nv 1 1 0\nv 1 1 4\nf 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n", 6, 8 / 3)


def _ply() -> Iterator[Case]:
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    faces = b"".join(struct.pack("<B3i", 3, *face) for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    rows, corners = b"0 0 0\n1 0 0\n0 1 0\n0 0 1\n", b"3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
    little = "binary_little_endian"

    def head(
        count: object = 4, faces: object = 4, form: str = little, more: str = "", length: str = "uchar", kind: str = "int"
    ) -> bytes:
        axes = "property float x\nproperty float y\nproperty float z\n"
        listed = f"property list {length} {kind} vertex_indices\n"
        return f"ply\nformat {form} 1.0\n{more}element vertex {count}\n{axes}element face {faces}\n{listed}end_header\n".encode()

    def bad(name: str, data: bytes) -> Case:
        return Case(f"ply-{name}.ply", "ply", data)

    def good(name: str, data: bytes, triangles: int = 4) -> Case:
        return Case(f"ply-{name}.ply", "ply legal", data, "read", triangles, SIXTH)

    for name, count in {
        "2g": 2**31,
        "1e30": 10**30,
        "negative": -4,
        "float": "4.0",
        "hex": "0x4",
        "three": 3,
        "five": 5,
        "none": 0,
    }.items():
        yield bad(f"points-{name}", head(count) + points + faces)
        yield bad(f"points-text-{name}", head(count, 4, "ascii") + rows + corners)
        yield bad(f"faces-{name}", head(4, count) + points + faces)
        yield bad(f"faces-text-{name}", head(4, count, "ascii") + rows + corners)
    yield bad("list-4g", head(length="uint") + points + struct.pack("<I", 0xFFFFFFFF) + bytes(60))
    yield bad("list-negative", head(length="int") + points + struct.pack("<i", -3) + bytes(60))
    yield bad("list-text-4g", head(form="ascii", length="uint") + rows + corners.replace(b"3 0 2 1", b"4294967295 0 1 2"))
    yield bad("list-float", head(length="float") + points + faces)
    for name, index in {"above": 4, "top": 2**31 - 1, "negative": -1, "lowest": -(2**31)}.items():
        yield bad(f"index-{name}", head() + points + faces[:-4] + struct.pack("<i", index))
        yield bad(f"index-text-{name}", head(form="ascii") + rows + corners[:-2] + f"{index}\n".encode())
    for name, number in {"nan": float("nan"), "inf": float("inf"), "far": 10_001.0, "huge": 1e38}.items():
        yield bad(f"number-{name}", head() + points[:-4] + struct.pack("<f", number) + faces)
        yield bad(f"number-text-{name}", head(form="ascii") + rows[:-2] + f"{number}\n".encode() + corners)
    for name, word in {"underscore": "1_0", "arabic": "\u0661", "comma": "1,0", "hex": "0x1"}.items():
        yield bad(f"word-{name}", head(form="ascii") + rows[:-2] + f"{word}\n".encode() + corners)
    yield bad("two-corners", head(form="ascii") + rows + corners.replace(b"3 1 2 3", b"2 1 2"))
    yield bad("row-shifted", head(form="ascii") + b"0 0 0 1\n0 0\n0 1 0\n0 0 1\n" + corners)
    yield bad("face-short", head(form="ascii") + rows + corners.replace(b"3 1 2 3", b"3 1 2"))
    yield bad("face-long", head(form="ascii") + rows + corners.replace(b"3 1 2 3", b"3 1 2 3 0"))
    yield bad("no-end", head()[:-11] + b"comment x\n" * 200_000)
    yield bad("long-comment", b"ply\nformat ascii 1.0\ncomment " + b"A" * 3_000_000)
    yield bad(
        "properties",
        b"ply\nformat ascii 1.0\nelement vertex 4\n"
        + b"".join(b"property double p%d\n" % at for at in range(2000))
        + b"end_header\n",
    )
    yield bad("elements", b"ply\nformat ascii 1.0\n" + b"".join(b"element e%d 0\n" % at for at in range(500)) + b"end_header\n")
    yield bad("property-first", b"ply\nformat ascii 1.0\nproperty float x\nend_header\n")
    yield bad("format-twice", head(more=f"format {little} 1.0\n") + points + faces)
    yield bad("format-none", head().replace(b"format binary_little_endian 1.0\n", b"") + points + faces)
    yield bad("format-odd", head(form="binary_middle_endian") + points + faces)
    yield bad(
        "vertex-twice", head(more="element vertex 0\nproperty float x\nproperty float y\nproperty float z\n") + points + faces
    )
    yield bad("axis-twice", head().replace(b"float y", b"float x") + points + faces)
    yield bad("axis-missing", head().replace(b"float y", b"float w") + points + faces)
    yield bad("type-odd", head().replace(b"float y", b"quad y") + points + faces)
    yield bad("wrong-order", head(form="binary_big_endian") + points + faces)
    yield bad("faces-only", head(0, 4) + faces)
    yield bad("no-normals", head(4, 0) + points)
    yield bad("strips", head().replace(b"element face", b"element tristrips") + points + faces)
    yield bad("trailing", head() + points + faces + b"\0")
    yield bad("fake-list", head(kind="float") + points + faces)
    yield good("texture", head(more="comment TextureFile ../../../../etc/passwd\n") + points + faces)
    yield good("text-crlf", (head(form="ascii") + rows + corners).replace(b"\n", b"\r\n"))
    yield good("crlf-head", head().replace(b"\n", b"\r\n") + points + faces)
    yield good(
        "quad-mixed", head(5, 4, "ascii") + b"0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.5 0 0\n" + b"3 0 2 1\n4 0 4 1 3\n3 0 3 2\n3 1 2 3\n", 5
    )
    coloured = (
        head(form="ascii")
        .replace(b"float z\n", b"float z\nproperty uchar red\n")
        .replace(b"indices\n", b"indices\nproperty int flag\n")
    )
    yield good("extras-text", coloured + rows.replace(b"\n", b" 255\n") + corners.replace(b"\n", b" 7\n"))
    more = (
        head()
        .replace(b"float z\n", b"float z\nproperty uchar red\n")
        .replace(b"indices\n", b"indices\nproperty list uchar float uv\n")
    )
    packed = b"".join(points[at : at + 12] + b"\x09" for at in range(0, 48, 12))
    listed = b"".join(faces[at : at + 13] + struct.pack("<B2f", 2, 0.5, 0.5) for at in range(0, 52, 13))
    yield good("extras", more + packed + listed)
    for order, kind in (("<", "d"), (">", "d"), ("<", "f")):
        mixed = write.ply(BRACKET, order=order, kind=kind)
        yield Case(f"ply-mixed-{kind}{ord(order)}.ply", "ply legal", mixed, "read", BRACKET.triangles, BRACKET.volume)
    edges = head().replace(b"end_header", b"element edge 1\nproperty int a\nproperty list uchar int b\nend_header")
    yield good("other-element", edges + points + faces + struct.pack("<iB2i", 1, 2, 3, 4))
    yield good(
        "unsigned",
        head(kind="uint", length="uint") + points + b"".join(b"\3\0\0\0" + faces[at + 1 : at + 13] for at in range(0, 52, 13)),
    )


def _off() -> Iterator[Case]:
    body = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    faces = "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

    def bad(name: str, text: str) -> Case:
        return Case(f"off-{name}.off", "off", text.encode())

    def good(name: str, text: str) -> Case:
        return Case(f"off-{name}.off", "off legal", text.encode(), "read", 4, SIXTH)

    for name, counts in {
        "more": "4 5 0",
        "fewer": "4 3 0",
        "points": "5 4 0",
        "negative": "-4 4 0",
        "huge": "4000000000 4 0",
        "one": "8",
        "word": "four 4 0",
        "none": "",
    }.items():
        yield bad(f"counts-{name}", f"OFF\n{counts}\n{body}{faces}")
    for name, face in {
        "above": "3 1 2 4",
        "negative": "3 1 2 -1",
        "two": "2 1 2",
        "size": "9 1 2 3",
        "many": "4294967295 1 2 3",
        "float": "3 1 2 3.0",
        "short": "3 1 2",
    }.items():
        yield bad(f"face-{name}", f"OFF\n4 4 0\n{body}{faces[:-8]}{face}\n")
    for name, number in {"nan": "nan", "far": "-20000", "word": "x", "underscore": "0_1"}.items():
        yield bad(f"number-{name}", f"OFF\n4 4 0\n{body[:-2]}{number}\n{faces}")
    yield bad("lines", f"OFF\n4 4 0\n{body}{faces}" + " \n" * 9_000_010)
    yield bad("binary", "OFF BINARY\n" + body)
    yield bad("4off", f"4OFF\n4 4 0\n{body}{faces}")
    yield bad("shifted", f"OFF\n4 4 0\n0 0\n0 1 0 0\n0 1 0\n0 0 1\n{faces}")
    yield good("counts-beside", f"OFF 4 4 6\n{body}{faces}")
    yield bad("number-comment", f"OFF\n4 4 0\n{body[:-2]}1.#QNAN\n{faces}")
    yield good("comments", f"OFF\n# counts\n4 4 0 # here\n\n{body}\n{faces}")
    yield Case("off-mixed.off", "off legal", write.off(BRACKET), "read", BRACKET.triangles, BRACKET.volume)
    yield good(
        "colours", f"COFF\n4 4 0\n{body.replace(chr(10), ' 1 0 0 1' + chr(10))}{faces.replace(chr(10), ' 0.1 0.2 0.3' + chr(10))}"
    )
    yield good("crlf", f"OFF\n4 4 0\n{body}{faces}".replace("\n", "\r\n"))
    yield good("normals", f"NOFF\n4 4 0\n{body.replace(chr(10), ' 0 0 1' + chr(10))}{faces}")


def _clouds() -> Iterator[Case]:
    sound = write.xyz(BALL)
    lines = sound.split(b"\n")
    for name, line in {
        "three": b"1 2 3",
        "nine": b"1 2 3 0 0 1 255 255 255",
        "nan": b"nan 2 3 0 0 1",
        "far": b"1 2 30000 0 0 1",
        "zero-normal": b"1 2 3 0 0 0",
        "long-normal": b"1 2 3 0 0 2",
        "comma": b"1,2,3,0,0,1",
        "word": b"x y z nx ny nz",
        "nan-normal": b"1 2 3 0 nan 1",
    }.items():
        yield Case(f"xyz-{name}.xyz", "cloud", b"\n".join([*lines[:50], line, *lines[50:]]))
    yield Case("xyz-lines.xyz", "cloud", sound + b"\n" * 6_200_000)
    yield Case("xyz-few.xyz", "cloud", b"\n".join(lines[:40]))
    yield Case("xyz-comments.xyz", "cloud", b"# nothing\n" * 1000)
    yield Case("xyz-colours.xyz", "cloud", b"1 2 3 255 128 0\n" * 500)
    yield Case("xyz-slashes.xyz", "cloud legal", b"// scan\n\n" + sound.replace(b"\n", b"\r\n"), "read", 0, 0.0)
    yield Case("ply-cloud-big.ply", "cloud legal", write.ply_cloud(BALL, order=">"), "read", 0, 0.0)


def _step() -> Iterator[Case]:
    sound = step_writer.step_of(BRACKET)

    def bad(name: str, data: bytes) -> Case:
        return Case(f"step-{name}.step", "step", data)

    def good(name: str, data: bytes, triangles: int = 20, volume: float = BRACKET.volume) -> Case:
        return Case(f"step-{name}.step", "step legal", data, "read", triangles, volume)

    def with_line(line: str) -> bytes:
        return sound.replace(b"ENDSEC;\nEND-ISO", line.encode() + b"\nENDSEC;\nEND-ISO")

    first = sound.index(b"CARTESIAN_POINT")
    stop = sound.index(b";", first)
    point = sound[first:stop]
    yield bad("deep", with_line(f"#9000=CARTESIAN_POINT('',{'(' * 100_000}0.{')' * 100_000});"))
    yield bad("deep-100", with_line(f"#9000=CARTESIAN_POINT('',{'(' * 100}0.{')' * 100});"))
    yield bad("unbalanced", with_line("#9000=CARTESIAN_POINT('',(0.,0.,0.);"))
    yield bad("backwards", with_line("#9000=)CARTESIAN_POINT(;"))
    yield bad("missing", with_line("#9000=VERTEX_POINT('',#77777);"))
    yield bad("self", with_line("#9000=VERTEX_POINT('',#9000);"))
    yield bad("twice", with_line("#5=CARTESIAN_POINT('',(0.,0.,0.));"))
    yield bad("huge-radius", step_writer.step_cylinder(1e30, 30.0))
    yield bad("large-radius", step_writer.step_cylinder(11_000.0, 30.0))
    yield bad("large-radius-metres", step_writer.step_cylinder(11.0, 30.0, unit="m"))
    yield bad("far", sound.replace(point, b"CARTESIAN_POINT('',(0.,0.,1.E+6))"))
    yield bad("1e999", with_line("#9000=CARTESIAN_POINT('',(1.E+999,0.,0.));"))
    yield bad(
        "degree",
        with_line("#9000=B_SPLINE_CURVE_WITH_KNOTS('',2000000000,(#1,#1),.UNSPECIFIED.,.F.,.F.,(4,4),(0.,1.),.UNSPECIFIED.);"),
    )
    yield bad(
        "multiplicity",
        with_line("#9000=B_SPLINE_CURVE_WITH_KNOTS('',3,(#1,#1),.UNSPECIFIED.,.F.,.F.,(4,400000000),(0.,1.),.UNSPECIFIED.);"),
    )
    yield bad("no-unit", sound.replace(step_writer.UNITS["mm"].encode(), b"( LENGTH_UNIT() NAMED_UNIT(*) )"))
    yield bad("odd-unit", sound.replace(b".MILLI.", b".PICO."))
    yield bad("no-body", sound.replace(b"MANIFOLD_SOLID_BREP", b"GEOMETRIC_CURVE_SET"))
    yield bad("open-text", with_line("#9000=PRODUCT('never ends,'',(#1));"))
    yield bad("open-comment", with_line("/* never ends"))
    yield bad("no-header", sound.replace(b"HEADER;", b""))
    yield bad("no-end", sound.replace(b"END-ISO-10303-21;", b""))
    yield bad("nul", sound.replace(b"body", b"bo\0y"))
    yield bad("reference-section", sound.replace(b"DATA;", b"REFERENCE;\n#1=<other.stp#5>;\nENDSEC;\nDATA;"))
    yield bad("instances", step_writer.step_assembly(BRACKET, [(20.0 * at, 0.0, 0.0) for at in range(4)], levels=6))
    yield bad("instances-deep", step_writer.step_assembly(BRACKET, [(0.0, 0.0, 0.0)], levels=20))
    yield bad(
        "assembly-cycle",
        with_line(
            "#9000=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#1,#2,$);\n#9001=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#2,#1,$);"
        ),
    )
    nested = ""
    for number in range(9000, 9015, 3):
        inner, items = number - 1 if number > 9000 else 1, ",".join([f"#{number + 1}"] * 20)
        nested += f"#{number}=REPRESENTATION_MAP(#1,#{inner});\n#{number + 1}=MAPPED_ITEM('',#{number},#1);\n"
        nested += f"#{number + 2}=SHAPE_REPRESENTATION('',({items}),#1);\n"
    yield bad("mapped", with_line(nested))
    # One face of the solid is left out: the kernel meshes what is left without a word.
    last = sound.rindex(b",#", 0, sound.index(b"MANIFOLD_SOLID_BREP") - 8)
    yield bad("open-shell", sound[:last] + sound[sound.index(b"))", last) :])
    for unit, factor in {"cm": 0.1, "m": 0.001, "in": 1 / 25.4}.items():
        yield good(f"unit-{unit}", step_writer.step_of(BRACKET.scaled(factor), unit=unit))
    yield good("comments", sound.replace(b"DATA;", b"DATA; /* ; #1 = ( '' */"))
    yield good("crlf", sound.replace(b"\n", b"\r\n"))
    yield good("text-with-signs", sound.replace(b"'body'", b"'it''s ; #99999 ((( /* '"))
    yield good(
        "assembly", step_writer.step_assembly(BRACKET, [(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)], levels=2), 80, 4 * BRACKET.volume
    )


def _endings() -> Iterator[Case]:
    files = {
        "stl": write.stl(BRACKET),
        "obj": write.obj(BRACKET),
        "ply": write.ply(BRACKET),
        "off": write.off(BRACKET),
        "glb": write.glb(BRACKET),
        "3mf": write.three_mf(BRACKET),
        "step": step_writer.step_of(FLAT),
        "xyz": write.xyz(BALL),
    }
    for kind, data in files.items():
        for other in files:
            if kind != other:
                yield Case(f"ending-{kind}-as.{other}", "ending", data)
    for name, data in {
        "page.obj": b"<html><body>v 0 0 0</body></html>",
        "picture.stl": b"\x89PNG\r\n\x1a\n" + bytes(500),
        "paper.step": b"%PDF-1.7\n" + bytes(500),
        "packed.ply": b"\x1f\x8b" + bytes(500),
        "nothing.3mf": b"",
        "blanks.obj": b" \n" * 500,
        "zeros.stl": bytes(5000),
        "scan.txt": b"1 2 3",
        "scan": b"solid x",
        "scan.iges": b"S",
        "scan.stl.exe": write.stl(BRACKET),
        "xml.glb": b"<?xml version='1.0'?><a/>",
    }.items():
        yield Case(f"ending-{name}", "ending", data)
    yield Case("ending-CAPITALS.OBJ", "ending legal", write.obj(BRACKET), "read", 20, BRACKET.volume)
