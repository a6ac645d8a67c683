"""What a scanner adds to every length and volume: how that is modelled, and what is assumed of each class of source.

A scanner lays the whole surface off the true one by the offset o along its normals, and stretches all lengths by the scale s:
a length between surfaces of which n more move outward than inward along it reads L (1 + s) + n o, a volume under the area A
reads V (1 + 3 s) + A o. Both are the same for all numbers of one scan, so each cause is one `Effect` with a standard
uncertainty of o and of s that go together: of a ball's calibration, one cause moves both.

| source           | offset u_o | scale u_s | floor of u_o | floor of u_s | where it comes from                                  |
|------------------|-----------:|----------:|-------------:|-------------:|------------------------------------------------------|
| structured_light |   0.020 mm |      5e-4 |     0.003 mm |         2e-5 | matting spray 5 to 20 um, rounding of edges, desktop |
| photogrammetry   |   0.040 mm |      2e-3 |     0.005 mm |         5e-5 | scale bar read to 0.1 mm on 50 mm; dense matching    |
| laser            |   0.030 mm |      1e-3 |     0.005 mm |         5e-5 | spot width and speckle of line scanners; turntable   |
| ct               |   0.025 mm |      5e-4 |     0.003 mm |         2e-5 | threshold within a voxel of 0.1 mm; voxel size       |
| cad              |   0        |         0 |            0 |            0 | a drawing, not an article: nothing was scanned       |

All figures are standard uncertainties (k = 1) and assumptions of this project, not data of an instrument. A scanner's record
that states its own is better; one that states less than the floor, which we believe no scanner of the class reaches on a
sprayed or dull article of plastic, is raised to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from homolog.errors import Problem, UsageError
from homolog.scan.expansion import thermal_share

Source = Literal["structured_light", "photogrammetry", "laser", "ct", "cad"]
SOURCES: tuple[str, ...] = get_args(Source)
DEFAULT_SOURCE: Source = "structured_light"
"""What a scan is taken to be if nobody says how it was made."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One cause and what it adds (k = 1): by how far surfaces move outward, mm, and by what share lengths grow."""

    name: str
    says: str
    offset_mm: float = 0.0
    scale: float = 0.0

    def on_length(self, length: float, surfaces: int) -> float:
        """Return what it adds to a length in mm of which `surfaces` more ends move outward than inward."""
        return abs(surfaces * self.offset_mm + length * self.scale)

    def on_volume(self, volume: float, area: float) -> float:
        """Return what it adds to a volume in mm3 under a surface in mm2."""
        return abs(area * self.offset_mm + 3 * volume * self.scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """What is known of the scanner of one scan.

    Attributes:
        effects: What it adds to the uncertainty, each cause apart from the others.
        offset_correction: By how much every surface of the scan lies outward, as references show; mm.
        scale_correction: By what share all lengths of the scan are too long, as references show.
    """

    source: str
    effects: tuple[Effect, ...]
    offset_correction: float = 0.0
    scale_correction: float = 0.0

    @property
    def is_design(self) -> bool:
        """Whether the file is a drawing of the article instead of a scan of it."""
        return self.source == "cad"

    @property
    def is_corrected(self) -> bool:
        """Whether references show how the scan is to be corrected."""
        return self.offset_correction != 0.0 or self.scale_correction != 0.0

    @property
    def offset_mm(self) -> float:
        """Standard uncertainty of where the surface lies, mm."""
        return math.sqrt(sum(effect.offset_mm**2 for effect in self.effects))

    def to_job(self) -> dict[str, Any]:
        """Return the instrument as plain values, for the measuring process."""
        return {
            "source": self.source,
            "effects": [[effect.name, effect.says, effect.offset_mm, effect.scale] for effect in self.effects],
            "offset_correction": self.offset_correction,
            "scale_correction": self.scale_correction,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFigures:
    """What is assumed of one class of source (k = 1)."""

    offset_mm: float
    scale: float
    offset_floor_mm: float
    scale_floor: float


CLASSES: Mapping[str, ClassFigures] = {
    "structured_light": ClassFigures(offset_mm=0.020, scale=5e-4, offset_floor_mm=0.003, scale_floor=2e-5),
    "photogrammetry": ClassFigures(offset_mm=0.040, scale=2e-3, offset_floor_mm=0.005, scale_floor=5e-5),
    "laser": ClassFigures(offset_mm=0.030, scale=1e-3, offset_floor_mm=0.005, scale_floor=5e-5),
    "ct": ClassFigures(offset_mm=0.025, scale=5e-4, offset_floor_mm=0.003, scale_floor=2e-5),
    "cad": ClassFigures(offset_mm=0.0, scale=0.0, offset_floor_mm=0.0, scale_floor=0.0),
}


def instrument_of(source: str) -> Instrument:
    """Return what is assumed of a class of source, with an article at 20 degrees Celsius give or take 5.

    Raises:
        UsageError: The class is not in the table.
    """
    figures = figures_of(source)
    if source == "cad":
        return Instrument(source=source, effects=())
    return Instrument(
        source=source,
        effects=(
            Effect("offset", "The scanner's surface lies off the true one everywhere alike", offset_mm=figures.offset_mm),
            Effect("scale", "The scanner's lengths are too long or too short", scale=figures.scale),
            Effect("temperature", "The article was not at 20 degrees Celsius", scale=thermal_share(None)),
        ),
    )


def figures_of(source: str) -> ClassFigures:
    """Return the figures of a class of source.

    Raises:
        UsageError: The class is not in the table.
    """
    if source not in CLASSES:
        raise UsageError(Problem("", f"source {source!r} is not known", f"choose one of {', '.join(SOURCES)}", "source_unknown"))
    return CLASSES[source]


def instrument_of_job(job: Mapping[str, Any]) -> Instrument:
    """Return the instrument that a measuring job names, or else what is assumed of its source."""
    told = job.get("instrument")
    if told is None:
        return instrument_of(job["source"])
    effects = tuple(Effect(name, says, offset_mm, scale) for name, says, offset_mm, scale in told["effects"])
    corrections = {name: float(told[name]) for name in ("offset_correction", "scale_correction")}
    return Instrument(source=told["source"], effects=effects, **corrections)
