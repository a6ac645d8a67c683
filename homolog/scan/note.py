"""A repair in file units, on its way into the record."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from homolog.scan.measurement import Repair

EXPORT_AGAIN = "close and repair the mesh in the scanner's software, and export it again"
"""What to do where no repair helps."""


@dataclass(frozen=True, slots=True)
class Note:
    """One kind of repair in file units: its volume effect scales with the cube of the unit."""

    kind: str
    count: int
    volume: float
    says: str

    def repair(self, factor: float) -> Repair:
        """Return the record of the repair in mm3."""
        effect = Decimal(repr(round(self.volume * factor**3, 3) + 0.0))
        return Repair(kind=self.kind, count=self.count, volume_effect_mm3=effect, says=self.says)
