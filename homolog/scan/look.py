"""What a first look at a scan tells, whatever it shows: its size, its volume, and whether its surface closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanLook:
    """A file seen once, in its own unit; nothing of it is repaired.

    Attributes:
        format: Format and form, such as `stl-binary`.
        triangles: Facets in the file.
        unit: The unit that the file states, None if it states none.
        size: Extents along x, y and z.
        volume: What the facets enclose, positive if they face outward; None where they do not close.
        closed: Whether every edge is run through as often one way as the other: closed, and all in one sense.
    """

    format: str
    triangles: int
    unit: str | None
    size: tuple[float, float, float]
    volume: float | None
    closed: bool

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values; sizes and volume are strings."""
        volume = None if self.volume is None else repr(self.volume)
        return asdict(self) | {"size": [repr(side) for side in self.size], "volume": volume}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ScanLook:
        """Build a look from what `to_json` gave."""
        x, y, z = (float(side) for side in data["size"])
        volume = None if data["volume"] is None else float(data["volume"])
        return cls(**{**data, "size": (x, y, z), "volume": volume})
