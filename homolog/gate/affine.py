"""Products and determinants of placements: three rows of four numbers that turn, scale and shift points."""

from __future__ import annotations

from homolog.gate.mesh import Matrix, refuse


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the placement that first applies the inner and then the outer one."""
    a, b = outer, inner
    rows: list[float] = []
    for row in (0, 4, 8):
        for column in range(4):
            shift = a[row + 3] if column == 3 else 0.0
            rows.append(a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column] + shift)
    return (*rows,)  # type: ignore[return-value]  # twelve by construction


def determinant(matrix: Matrix) -> float:
    """Return by how much a placement scales volumes; negative if it mirrors."""
    a, b, c, _, d, e, f, _, g, h, i, _ = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def check_placement(matrix: Matrix, where: str, *, limit: float) -> None:
    """See that a placement keeps bodies bodies, and within the limit.

    Raises:
        InputRefused: It flattens them, or moves them further away than the limit.
    """
    if not all(abs(value) <= limit for value in matrix):
        refuse(where, "a placement moves or scales beyond 10 m", "export the part near the origin", "mesh_far")
    # Exporters that count in metres place millimetres with a scale of 0.001: a volume factor of 1e-9 is sound.
    if not abs(determinant(matrix)) > 1e-18:
        refuse(where, "a placement flattens the body", "export the part anew with its transforms applied", "mesh_placement")
