"""The gate for point clouds as text: x y z and a normal a line, as XYZ files hold them."""

from __future__ import annotations

from array import array

from homolog.gate.cloud import MAX_POINTS, check_cloud
from homolog.gate.lines import check_text
from homolog.gate.mesh import DAMAGED, MeshFile, check_sizes, refuse
from homolog.gate.numbers import float_at, floats_of

_CHUNK = 20_000
_MAX_LINES = MAX_POINTS + 100_000


def check_points(data: bytes, *, name: str) -> MeshFile:
    """Take a point cloud whole, or refuse it.

    Blank lines and lines that begin with `#` or `//` are passed over.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: A line has not six numbers, or a normal has not the length 1.
    """
    lines = check_text(data, name)
    if lines.text.count(b"\n") > _MAX_LINES:
        what = f"the file has more than {_MAX_LINES} lines"
        refuse(name, what, "export the scan with fewer points", "cloud_size")
    columns = [array("d") for _ in range(6)]
    numbers = array("i")
    rows: list[list[bytes]] = []
    for number, line in enumerate(lines.text.split(b"\n"), start=1):
        row = line.split()
        if not row or row[0].startswith((b"#", b"//")):
            continue
        if len(row) != 6:
            what = f"a line has {len(row)} numbers instead of six"
            refuse(f"{name}:{number}", what, "export the points as x y z nx ny nz, without colours", "cloud_line")
        rows.append(row)
        numbers.append(number)
        if len(rows) == _CHUNK:
            _take(rows, columns, numbers, name)
            check_sizes(len(numbers), 0, name)
            rows = []
    _take(rows, columns, numbers, name)
    if not numbers:
        refuse(name, "the file holds no point", DAMAGED, "mesh_empty")
    return check_cloud(columns, "xyz", name, lambda at: f"{name}:{numbers[at]}")


def _take(rows: list[list[bytes]], columns: list[array[float]], numbers: array[int], name: str) -> None:
    first = len(numbers) - len(rows)
    for values, tokens in zip(columns, zip(*rows, strict=True), strict=False):
        found = floats_of(tokens)
        if found is None:
            found = [float_at(token, f"{name}:{numbers[first + row]}") for row, token in enumerate(tokens)]
        values.extend(found)
