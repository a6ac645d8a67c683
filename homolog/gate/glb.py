"""The gate for glTF with all its data inside: GLB, or JSON with data: addresses; metres by the format's rule."""

from __future__ import annotations

import math
from array import array

from homolog.gate.affine import check_placement, product
from homolog.gate.assembly import check_total, count_load
from homolog.gate.faces import Faces
from homolog.gate.gltf_data import GltfData, chunks_of
from homolog.gate.gltf_json import Node
from homolog.gate.json_text import parse_json
from homolog.gate.mesh import (
    CUT,
    DAMAGED,
    IDENTITY,
    MAX_COORDINATE,
    MAX_TRIANGLES,
    Matrix,
    MeshFile,
    Placement,
    RawMesh,
    check_number,
    part_name,
    refuse,
)
from homolog.gate.numbers import column, first_bad, little, within

MAX_JSON = 20_000_000
_INDEX_CODES = {5121: "B", 5123: "H", 5125: "I"}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def check_glb(data: bytes, *, name: str) -> MeshFile:
    """Take a GLB or glTF file whole, or refuse it; pictures and materials are ignored.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The file is damaged or cut, refers to another file, needs an extension, or places too much.
    """
    is_binary = data[:4] == b"glTF"
    text, packed = chunks_of(data, name) if is_binary else (data, None)
    if is_binary and len(text) > MAX_JSON:
        refuse(name, "the JSON part is too large", "export the article alone, without animation", "mesh_large")
    taker = _Taker(Node(parse_json(text, name).value, name), packed, len(data), name)
    taker.check_kind()
    meshes = taker.meshes()
    placements, triangles, points = taker.placements(meshes)
    return MeshFile(
        format="glb" if is_binary else "gltf",
        unit="m",
        unit_is_doubtful=True,
        triangles=triangles,
        points=points,
        meshes=tuple(meshes),
        placements=placements,
    )


class _Taker:
    """Goes from the scene down to the numbers of each mesh, once."""

    def __init__(self, root: Node, packed: bytes | None, size: int, name: str) -> None:
        self.root = root
        self.name = name
        self.at = GltfData(root, packed, size, name).at

    def check_kind(self) -> None:
        if self.root.node("asset").text("version") not in ("2.0", "2.1"):
            refuse(self.name, "the file is not of glTF version 2.0", "export it as glTF 2.0", "glb_json")
        if self.root.value.get("extensionsRequired"):
            refuse(
                self.name, "the file needs extensions of the format", "export it without compression or extensions", "glb_extension"
            )
        for image in self.root.nodes("images", "image"):
            if image.has("uri") and not image.text("uri").startswith("data:"):
                refuse(image.where, "the file refers to another file", "export it with everything inside", "glb_address")

    def meshes(self) -> list[RawMesh]:
        nodes = self.root.nodes("meshes", "mesh")
        self.check_reads(nodes)
        return [self.mesh(node) for node in nodes]

    def check_reads(self, nodes: list[Node]) -> None:
        """Meshes may share an accessor, and each reads it: what all read together is counted before anything is read."""
        points = corners = 0
        for node in nodes:
            for piece in node.nodes("primitives", "primitive"):
                place = self.at(piece.node("attributes").integer("POSITION"), piece.where)
                points += place.count
                corners += self.at(piece.integer("indices"), piece.where).count if piece.has("indices") else place.count
            if points > 3 * MAX_TRIANGLES or corners > 3 * MAX_TRIANGLES:
                refuse(node.where, "the meshes together are too large", "export the article alone", "mesh_large")

    def mesh(self, node: Node) -> RawMesh:
        primitives = node.nodes("primitives", "primitive")
        if not 0 < len(primitives) <= 1000:
            refuse(node.where, f"the mesh has {len(primitives)} pieces", "export the article joined into few parts", "mesh_parts")
        weights = node.numbers("weights", len(node.value.get("weights", ())))
        if weights and any(weights):
            refuse(node.where, "the mesh is a blend of shapes", "export the shape applied", "glb_skin")
        points, corners = array("d"), array("i")
        for piece in primitives:
            self.piece(piece, points, corners)
        return RawMesh(points=little(points), corners=little(corners))

    def piece(self, node: Node, points: array[float], corners: array[int]) -> None:
        mode = node.integer("mode", _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            refuse(node.where, "the file holds lines or lone points", "export the surface alone", "mesh_kind")
        extensions = node.value.get("extensions", {})
        if isinstance(extensions, dict) and "KHR_draco_mesh_compression" in extensions:
            refuse(node.where, "the mesh is compressed", "export it without compression", "glb_extension")
        place = self.at(node.node("attributes").integer("POSITION"), node.where)
        if place.component != 5126 or place.kind != "VEC3":
            refuse(node.where, "the points are not three plain numbers each", "export it without compression", "glb_accessor")
        first = len(points) // 3
        packed = array("d", bytes(24 * place.count))
        for axis in range(3):
            values = column(place.data, place.start + 4 * axis, place.stride, place.count, "f")
            if not within(values):
                bad = first_bad(values)
                check_number(values[bad], f"{node.where}: point {bad}")
            packed[axis::3] = array("d", values)
        points.extend(packed)
        run = self.indices(node, place.count)
        faces = Faces(place.count)
        columns = _triangles(run, mode)
        if not columns[0] or not faces.add_columns(columns):
            refuse(node.where, "a triangle points at a corner that is not there, or there is none", DAMAGED, "mesh_index")
        corners.extend(array("i", [index + first for index in faces.corners]))

    def indices(self, node: Node, count: int) -> list[int]:
        if not node.has("indices"):
            run = list(range(count))
        else:
            index = self.at(node.integer("indices"), node.where)
            code = _INDEX_CODES.get(index.component)
            if code is None or index.kind != "SCALAR":
                refuse(node.where, "the corners are not whole numbers", DAMAGED, "glb_accessor")
            run = list(map(int, column(index.data, index.start, index.stride, index.count, code)))
        if node.integer("mode", _TRIANGLES) == _TRIANGLES and len(run) % 3:
            refuse(node.where, f"{len(run)} corners are no whole number of triangles", CUT, "mesh_count")
        return run

    def placements(self, meshes: list[RawMesh]) -> tuple[tuple[Placement, ...], int, int]:
        nodes = self.root.nodes("nodes", "node")
        children = {at: tuple(node.integers("children")) for at, node in enumerate(nodes)}
        parents: dict[int, int] = {}
        for parent, below in children.items():
            for child in below:
                if child >= len(nodes) or child in parents:
                    refuse(nodes[parent].where, f"node {child} is not there, or has two parents", DAMAGED, "mesh_cycle")
                parents[child] = parent
        roots = self.scene(nodes, parents)
        own: dict[int, tuple[int, int]] = {}
        for at, node in enumerate(nodes):
            if node.has("mesh"):
                which = node.integer("mesh")
                if which >= len(meshes):
                    refuse(node.where, f"mesh {which} is not there", DAMAGED, "glb_json")
                own[at] = (len(meshes[which].corners) // 12, len(meshes[which].points) // 24)
        load = count_load(roots, children, own, lambda at: nodes[at].where, name=self.name)
        check_total(load, self.name)
        found: list[Placement] = []
        stack: list[tuple[int, Matrix]] = [(root, IDENTITY) for root in reversed(roots)]
        while stack:
            at, above = stack.pop()
            node = nodes[at]
            matrix = product(above, _matrix(node))
            if node.has("mesh"):
                _check_body(node)
                check_placement(matrix, node.where, limit=MAX_COORDINATE)
                title = part_name(node.text("name"), node.where, len(found) + 1)
                found.append(Placement(mesh=node.integer("mesh"), matrix=matrix, name=title))
            stack.extend((child, matrix) for child in reversed(children[at]))
        return tuple(found), load.triangles, load.points

    def scene(self, nodes: list[Node], parents: dict[int, int]) -> list[int]:
        scenes = self.root.nodes("scenes", "scene")
        if not scenes or (len(scenes) > 1 and not self.root.has("scene")):
            refuse(self.name, "the file does not say which scene it shows", "export one scene", "glb_json")
        which = self.root.integer("scene", 0)
        if which >= len(scenes):
            refuse(self.name, f"scene {which} is not there", DAMAGED, "glb_json")
        roots = scenes[which].integers("nodes")
        if len(set(roots)) < len(roots) or any(at >= len(nodes) or at in parents for at in roots):
            refuse(scenes[which].where, "a node of the scene is not there, or has a parent", DAMAGED, "mesh_cycle")
        return roots


def _check_body(node: Node) -> None:
    extensions = node.value.get("extensions", {})
    if isinstance(extensions, dict) and "EXT_mesh_gpu_instancing" in extensions:
        refuse(node.where, "the part is repeated by an extension", "export each part by itself", "glb_extension")
    if node.has("skin") or any(node.numbers("weights", len(node.value.get("weights", ()))) or ()):
        refuse(node.where, "the part is bent by a skeleton or a blend of shapes", "export the shape applied", "glb_skin")


def _triangles(run: list[int], mode: int) -> list[list[int]]:
    if mode == _TRIANGLES:
        return [run[side::3] for side in range(3)]
    if mode == _FAN:
        return [[run[0]] * (len(run) - 2), run[1:-1], run[2:]] if len(run) > 2 else [[], [], []]
    # In a strip every second triangle runs the other way round.
    odd = [at % 2 for at in range(len(run) - 2)]
    return [run[: len(odd)], [run[at + 1 + o] for at, o in enumerate(odd)], [run[at + 2 - o] for at, o in enumerate(odd)]]


def _matrix(node: Node) -> Matrix:
    given = node.numbers("matrix", 16)
    moved, turned, scaled = node.numbers("translation", 3), node.numbers("rotation", 4), node.numbers("scale", 3)
    if given is not None:
        if moved or turned or scaled or given[3::4] != [0, 0, 0, 1]:
            refuse(node.where, "the placement is said twice, or is none of a body", DAMAGED, "mesh_placement")
        return tuple(given[row + 4 * column] for row in range(3) for column in range(4))  # type: ignore[return-value]
    x, y, z, w = turned or (0.0, 0.0, 0.0, 1.0)
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if not 0.99 < length < 1.01:
        refuse(node.where, "the rotation has not the length 1", DAMAGED, "mesh_placement")
    x, y, z, w = x / length, y / length, z / length, w / length
    sx, sy, sz = scaled or (1.0, 1.0, 1.0)
    tx, ty, tz = moved or (0.0, 0.0, 0.0)
    return (
        *((1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy, 2 * (x * z + y * w) * sz, tx),
        *(2 * (x * y + z * w) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - x * w) * sz, ty),
        *(2 * (x * z - y * w) * sx, 2 * (y * z + x * w) * sy, (1 - 2 * (x * x + y * y)) * sz, tz),
    )
