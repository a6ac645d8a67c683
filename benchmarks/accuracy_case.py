"""One scan with known answers, and what became of it, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.scan.session import ReferenceFile


@dataclass(frozen=True)
class Truth:
    """What is true of one quantity in mm or mm3; at all places if none is named."""

    quantity: str
    value: float
    place: str | None = None


@dataclass(frozen=True)
class Case:
    """A file with known answers.

    Attributes:
        says: How it came about, for those who look for the cause of a miss.
        unit: The unit that the file is in.
        references: Reference balls scanned beside it.
        moved: By how much the scanner's drawn errors moved the volume, mm3.
    """

    name: str
    item: str
    data: bytes
    source: str
    truths: tuple[Truth, ...]
    says: str
    unit: str = "mm"
    references: tuple[ReferenceFile, ...] = ()
    moved: float = 0.0
