"""A first look at a file's faces, in one pass and little memory: size, volume, and whether they close.

A surface is closed and oriented when every edge is run through as often one way as the other. Instead of sorting the edges, each
gets a random number that only changes its sign with the direction, and the numbers are added up: they cancel for a closed
surface, and for any other with a chance of about one in 10^19. The numbers are drawn anew in every process, so that no file can be
made to fit them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.scan.look import ScanLook
from homolog.scan.readers.mesh import Mesh
from homolog.scan.readers.read import read_mesh
from homolog.scan.surface import Floats, cross, highest, lowest

_BLOCK = 16_384
"""Faces a step: what they need stays in the processor's cache."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a first look shows, in the file's units.

    Attributes:
        low: Least x, y and z.
        high: Greatest x, y and z.
        volume: Volume that the faces enclose, positive if they face outward; a number without meaning where they do not close.
        is_closed: Whether every edge is run through as often one way as the other.
    """

    low: Floats
    high: Floats
    volume: float
    is_closed: bool


def look_at_file(file: MeshFile, job: Mapping[str, Any]) -> ScanLook:
    """Look at a file that passed its gate.

    Args:
        file: The file.
        job: Its `name`.

    Raises:
        InputRefused: It holds a cloud of points.
    """
    if file.format == "stl-binary":  # its numbers are looked at where they lie
        seen = look_at(np.ndarray((file.triangles, 3, 3), "<f4", file.raw, 96, (50, 12, 4)))
        return _told(seen, file.format, file.triangles, None)
    mesh: Mesh = read_mesh(file, name=job["name"])
    if not len(mesh.faces):
        todo = "say what it shows with --item, or export the scan as a mesh"
        raise InputRefused.because("a cloud of points has no surface", where=job["name"], todo=todo, code="cloud_item")
    return _told(look_at(mesh.corners), file.format, len(mesh.faces), mesh.unit)


def _told(seen: FirstLook, form: str, triangles: int, unit: str | None) -> ScanLook:
    x, y, z = (float(f"{side:.7g}") for side in seen.high - seen.low)
    volume = float(f"{seen.volume:.7g}") if seen.is_closed else None
    return ScanLook(format=form, triangles=triangles, unit=unit, size=(x, y, z), volume=volume, closed=seen.is_closed)


def look_at(corners: NDArray[np.float32] | Floats) -> FirstLook:
    """Look at faces once.

    Args:
        corners: Shape (m, 3, 3), at least one face, in numbers of 32 or 64 bits; two corners are the same point where their
            numbers are equal.
    """
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    origin = corners[0, 0].astype(np.float64)
    volumes: list[float] = []
    balance = np.uint64(0)
    with np.errstate(over="ignore"):
        for start in range(0, len(corners), _BLOCK):
            block: NDArray[Any] = corners[start : start + _BLOCK] + corners.dtype.type(0)  # contiguous, and -0 becomes 0
            low, high = np.minimum(low, lowest(block).min(axis=0)), np.maximum(high, highest(block).max(axis=0))
            local = block - origin
            volumes.append(float(np.einsum("ij,ij->", local[:, 0], cross(local[:, 1], local[:, 2]))))
            balance += _balance(block)
    return FirstLook(low, high, float(np.sum(volumes)) / 6, bool(balance == 0))


def _balance(block: NDArray[Any]) -> np.uint64:
    """Return the sum of the edges' numbers, modulo 2^64."""
    factors = _factors()
    bits = block.view(np.uint32).astype(np.uint64) if block.dtype.itemsize == 4 else _mixed(block.view(np.uint64).copy())
    points = bits[:, :, 0] * factors[0]
    points += bits[:, :, 1] * factors[1]
    points += bits[:, :, 2] * factors[2]
    first = points * factors[3]
    second = points * factors[4]
    total = np.uint64(0)
    for begin, end in ((0, 1), (1, 2), (2, 0)):
        total += _mixed(first[:, begin] + second[:, end]).sum() - _mixed(first[:, end] + second[:, begin]).sum()
    return total


def _mixed(words: Words) -> Words:
    """Scatter words over all 64 bits, so that sums of different ones cancel by chance only; changes what it is given."""
    words ^= words >> np.uint64(30)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(27)
    words *= np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    return words


@cache
def _factors() -> Words:
    """Return five random odd numbers."""
    return np.frombuffer(os.urandom(40), np.uint64) | np.uint64(1)
