"""The numbers of a glTF file: chunks, buffers, views and accessors, each seen to lie inside the one before."""

from __future__ import annotations

import re
import struct
from base64 import b64decode
from dataclasses import dataclass

from homolog.gate.gltf_json import Node
from homolog.gate.mesh import CUT, DAMAGED, refuse

MAX_RATIO = 4
"""The accessors together may be this many times as large as the file."""
_SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_DATA = re.compile(r"data:(?:application/(?:octet-stream|gltf-buffer))?;base64,")


@dataclass(frozen=True, slots=True)
class Accessor:
    """Rows of numbers inside a view: where they start, how far apart they are, and of which kind."""

    data: bytes
    start: int
    stride: int
    count: int
    component: int
    kind: str


def chunks_of(data: bytes, name: str) -> tuple[bytes, bytes | None]:
    """Return the JSON and the binary part of a GLB file.

    Raises:
        InputRefused: The chunks do not fill the file exactly.
    """
    if len(data) < 20:
        refuse(name, f"{len(data)} bytes are no GLB file", CUT, "glb_chunk")
    version, total = struct.unpack_from("<II", data, 4)
    if version != 2 or total != len(data):
        what = f"the file announces version {version} and {total} bytes, but has {len(data)}"
        refuse(name, what, CUT if total > len(data) else DAMAGED, "glb_chunk")
    chunks: list[tuple[bytes, bytes]] = []
    at = 12
    while at < len(data):
        if at + 8 > len(data) or len(chunks) == 10:
            refuse(name, "the chunks do not end where the file ends", DAMAGED, "glb_chunk")
        length, kind = struct.unpack_from("<I4s", data, at)
        if at + 8 + length > len(data):
            refuse(f"{name}: chunk {len(chunks)}", f"the chunk announces {length} bytes, more than follow", CUT, "glb_chunk")
        chunks.append((kind, data[at + 8 : at + 8 + length]))
        at += 8 + length
    kinds = [kind for kind, _ in chunks]
    if not kinds or kinds[0] != b"JSON" or kinds.count(b"JSON") != 1 or b"BIN\0" in kinds[2:] or kinds.count(b"BIN\0") > 1:
        refuse(name, "the chunks are not one of JSON and at most one of data", DAMAGED, "glb_chunk")
    return chunks[0][1], chunks[1][1] if len(chunks) > 1 and kinds[1] == b"BIN\0" else None


class GltfData:
    """All accessors of a file, checked when it is built.

    Raises:
        InputRefused: Something lies outside what holds it, comes from another file, or stands for more than the file.
    """

    def __init__(self, root: Node, packed: bytes | None, size: int, name: str) -> None:
        self.name = name
        self.size = size
        self.packed = packed
        self.buffers = [self.buffer(node, at) for at, node in enumerate(root.nodes("buffers", "buffer"))]
        self.views = root.nodes("bufferViews", "bufferView")
        self.accessors = [self.accessor(node) for node in root.nodes("accessors", "accessor")]
        self.check_growth()

    def buffer(self, node: Node, at: int) -> bytes:
        """Return the bytes of one buffer."""
        length = node.integer("byteLength")
        if node.has("uri"):
            address = node.text("uri")
            found = _DATA.match(address)
            if found is None:
                refuse(node.where, "the file refers to another file", "export it as GLB with everything inside", "glb_address")
            try:
                content = b64decode(address[found.end() :], validate=True)
            except ValueError:
                refuse(node.where, "the embedded data is not base64", DAMAGED, "glb_chunk")
        elif at == 0 and self.packed is not None:
            content = self.packed
        else:
            refuse(node.where, "the buffer has no data", CUT, "glb_chunk")
        # A GLB chunk is padded to four bytes, and nothing else may follow the buffer.
        if not length <= len(content) <= length + (0 if node.has("uri") else 3):
            what = f"the buffer announces {length} bytes, but {len(content)} are there"
            refuse(node.where, what, CUT if length > len(content) else DAMAGED, "glb_chunk")
        return content[:length]

    def accessor(self, node: Node) -> Accessor:
        """Return one accessor, seen to lie inside its view."""
        component, kind, count = node.integer("componentType"), node.text("type"), node.integer("count")
        if component not in _SIZES or kind not in _WIDTHS or count < 1:
            refuse(node.where, "the numbers are of no known type, or none", DAMAGED, "glb_accessor")
        if not node.has("bufferView") or node.has("sparse"):
            refuse(
                node.where, "the numbers have no view of their own, or only some are stored", "export plain meshes", "glb_accessor"
            )
        which = node.integer("bufferView")
        if which >= len(self.views):
            refuse(node.where, f"view {which} is not there", DAMAGED, "glb_accessor")
        view = self.views[which]
        buffer, offset, length = view.integer("buffer"), view.integer("byteOffset", 0), view.integer("byteLength")
        if buffer >= len(self.buffers) or offset + length > len(self.buffers[buffer]):
            refuse(view.where, "the view reaches beyond its buffer", DAMAGED, "glb_accessor")
        width = _SIZES[component] * _WIDTHS[kind]
        stride = view.integer("byteStride", 0) or width
        start = node.integer("byteOffset", 0)
        if stride < width or (stride > 252 and stride != width) or start + stride * (count - 1) + width > length:
            refuse(node.where, f"{count} rows reach beyond their view, or overlap", DAMAGED, "glb_accessor")
        return Accessor(self.buffers[buffer], offset + start, stride, count, component, kind)

    def check_growth(self) -> None:
        """See that the numbers do not stand for more than the file holds."""
        total = sum(item.count * _SIZES[item.component] * _WIDTHS[item.kind] for item in self.accessors)
        if total > MAX_RATIO * self.size:
            refuse(self.name, f"the numbers together are more than {MAX_RATIO} times the file", DAMAGED, "glb_accessor")

    def at(self, index: int, where: str) -> Accessor:
        """Return an accessor by its number."""
        if index >= len(self.accessors):
            refuse(where, f"accessor {index} is not there", DAMAGED, "glb_accessor")
        return self.accessors[index]
