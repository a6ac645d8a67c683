"""What is assumed of a scanner when the submission does not state its calibration, by class of source.

| source           | offset u_o | scale u_s | where it comes from                                                              |
|------------------|-----------:|----------:|----------------------------------------------------------------------------------|
| structured_light |   0.020 mm |      5e-4 | matting spray 5 to 20 um, rounding of edges, calibration of a desktop scanner     |
| photogrammetry   |   0.040 mm |      2e-3 | scale bar read to about 0.1 mm on 50 mm; surface blurred by the dense matching    |
| laser            |   0.030 mm |      1e-3 | spot width and speckle of line scanners; arm or turntable calibration             |
| ct               |   0.025 mm |      5e-4 | threshold of the surface at a fraction of a voxel of 0.1 mm; voxel size           |
| cad              |   0        |         0 | a drawing, not an article: nothing was scanned                                    |

All figures are standard uncertainties (k = 1). They are assumptions of this project, not data of an instrument: an
instrument record that states its own is better. The offset moves the whole surface along its normals, the scale
stretches all lengths. Temperature: 2 K (k = 1) around 20 degrees Celsius at 7e-5 per K, the expansion of PLA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from homolog.errors import Problem, UsageError

Source = Literal["structured_light", "photogrammetry", "laser", "ct", "cad"]
SOURCES: tuple[str, ...] = get_args(Source)
DEFAULT_SOURCE: Source = "structured_light"
"""What a scan is taken to be if nobody says how it was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """What a class of source contributes to every length (k = 1): offset in mm, scale and temperature without unit."""

    source: str
    offset_mm: float
    scale: float
    thermal: float

    @property
    def is_design(self) -> bool:
        """Whether the file is a drawing of the article instead of a scan of it."""
        return self.source == "cad"


_THERMAL = 2 * 7e-5
_TABLE = {
    "structured_light": Instrument(source="structured_light", offset_mm=0.020, scale=5e-4, thermal=_THERMAL),
    "photogrammetry": Instrument(source="photogrammetry", offset_mm=0.040, scale=2e-3, thermal=_THERMAL),
    "laser": Instrument(source="laser", offset_mm=0.030, scale=1e-3, thermal=_THERMAL),
    "ct": Instrument(source="ct", offset_mm=0.025, scale=5e-4, thermal=_THERMAL),
    "cad": Instrument(source="cad", offset_mm=0.0, scale=0.0, thermal=0.0),
}


def instrument_of(source: str) -> Instrument:
    """Return what is assumed of a class of source.

    Raises:
        UsageError: The class is not in the table.
    """
    if source not in _TABLE:
        raise UsageError(Problem("", f"source {source!r} is not known", f"choose one of {', '.join(SOURCES)}", "source_unknown"))
    return _TABLE[source]
