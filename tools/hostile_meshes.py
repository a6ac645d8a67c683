"""Damaged and hostile mesh files, made anew each time and always the same; the standard library only.

    python -m tools.hostile_meshes OUT             # write them all into a folder, with a list
    python -m tools.run_hostile                    # read them all, each within limits, and compare with what is true

A case that must be refused says so; one that is legal says how many triangles and what volume are in it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools import mesh_writers as write
from tools import step_writer
from tools.mesh_writers import Body

Want = Literal["refused", "read", "either", "compared"]


@dataclass(frozen=True)
class Case:
    """One file.

    Attributes:
        want: `refused`; `read`, with the triangles and the volume given; `either` of them; or `compared`: refused, or read as
            another program reads the same bytes.
    """

    name: str
    category: str
    data: bytes
    want: Want = "refused"
    triangles: int = 0
    volume: float = 0.0


BRACKET = write.bracket()
FLAT = BRACKET.cut()
BALL = write.ball()
TRUNCATIONS = 24
FLIPS = 24


def good_files() -> dict[str, tuple[bytes, Body]]:
    """Return sound files of every format by name, with the body that each holds in the file's unit."""
    metres = BRACKET.scaled(0.001)
    return {
        "binary.stl": (write.stl(BRACKET), BRACKET),
        "text.stl": (write.stl_text(BRACKET), BRACKET),
        "faces.obj": (write.obj(BRACKET), BRACKET),
        "slashes.obj": (write.obj(FLAT, suffix="//1"), BRACKET),
        "relative.obj": (write.obj(BRACKET, relative=True), BRACKET),
        "text.ply": (write.ply_text(BRACKET), BRACKET),
        "little.ply": (write.ply(FLAT), BRACKET),
        "big.ply": (write.ply(FLAT, order=">", kind="f"), BRACKET),
        "faces.off": (write.off(FLAT), BRACKET),
        "body.glb": (write.glb(BRACKET), BRACKET),
        "body.gltf": (write.gltf(BRACKET), BRACKET),
        "body.3mf": (write.three_mf(BRACKET), BRACKET),
        "body.step": (step_writer.step_of(BRACKET), BRACKET),
        "metres.step": (step_writer.step_of(metres, unit="m"), BRACKET),
        "cloud.xyz": (write.xyz(BALL), Body(BALL.points, (), 0.0)),
        "cloud.ply": (write.ply_cloud(BALL), Body(BALL.points, (), 0.0)),
    }


def all_cases() -> Iterator[Case]:
    """Yield every case, in an order that never changes."""
    from tools import hostile_packed, hostile_text

    for name, (data, body) in good_files().items():
        yield Case(f"good-{name}", "good", data, "read", body.triangles, body.volume)
        yield from damaged(name, data, body)
    yield from hostile_text.cases()
    yield from hostile_packed.cases()


def damaged(name: str, data: bytes, body: Body) -> Iterator[Case]:
    """Yield a file cut at many places, with bits turned, bytes lost, doubled and added."""
    luck = random.Random(name)  # noqa: S311  the same damage each time
    ending = Path(name).suffix
    stem = name.replace(".", "-")
    # Cutting off nothing but the last line end leaves a text file whole.
    least = 12 if name == "text.stl" else 4 if ending in (".step", ".gltf", ".obj", ".off", ".xyz") or "text" in name else 1
    for at in range(TRUNCATIONS):
        kept = (len(data) - least) * (at + 1) // (TRUNCATIONS + 1) if at < TRUNCATIONS - 1 else len(data) - least
        # OBJ and XYZ do not say how much they hold: a file that is cut at the end of a line is a smaller, sound file.
        want: Want = "compared" if ending in (".obj", ".xyz") else "refused"
        yield Case(f"cut-{stem}-{at}{ending}", "cut", data[:kept], want)
    for at in range(FLIPS):
        place, bit = luck.randrange(len(data)), luck.randrange(8)
        changed = bytearray(data)
        changed[place] ^= 1 << bit
        # A package carries sums of its parts: whatever is read of it must be what was packed.
        want = "either" if ending == ".3mf" else "compared"
        yield Case(f"flip-{stem}-{at}-{place}-{bit}{ending}", "flip", bytes(changed), want, body.triangles, body.volume)
    for at in range(4):
        start = luck.randrange(len(data) - 20)
        want = "either" if ending == ".3mf" else "compared"
        lost = data[:start] + data[start + 1 + at * 5 :]
        yield Case(f"lost-{stem}-{at}{ending}", "lost", lost, want, body.triangles, body.volume)
        doubled = data[: start + 16] + data[start:]
        yield Case(f"doubled-{stem}-{at}{ending}", "doubled", doubled, want, body.triangles, body.volume)
    zeros = data[: len(data) // 2] + bytes(len(data) - len(data) // 2)
    yield Case(f"zeros-{stem}{ending}", "zeros", zeros, "refused" if ending != ".stl" or "text" in name else "compared")
    if ending not in (".obj", ".xyz"):
        yield Case(f"behind-{stem}{ending}", "behind", data + b"1 2 3\n", "refused")


def main() -> int:
    """Write all cases into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for case in all_cases():
        (folder / case.name).write_bytes(case.data)
        rows.append({"name": case.name, "category": case.category, "bytes": len(case.data), "want": case.want})
    (folder / "list.json").write_text(json.dumps(rows, indent=1))
    sys.stdout.write(f"{len(rows)} files\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
