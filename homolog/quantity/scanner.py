"""What a submitter states of a scanner, of an article while it was scanned, and of reference balls; nothing here is assumed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannerRecord:
    """A scanner as its record in the sheet states it; U are expanded uncertainties (k = 2), None where the record is silent.

    Attributes:
        name: What the sheet calls it.
        source: Class of scanner, such as `structured_light`.
        offset_u: How far its surface may lie off the true one everywhere alike, mm.
        scale_u: By what share its lengths may be too long or too short.
        calibrated: Day of the calibration.
        certificate: Number of the certificate that says so.
    """

    name: str
    source: str
    offset_u: Decimal | None = None
    scale_u: Decimal | None = None
    calibrated: date | None = None
    certificate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What an article was scanned in and is made of; None where the sheet is silent.

    Attributes:
        temperature: The article's, in degrees Celsius.
        temperature_u: Its expanded uncertainty (k = 2), in kelvin.
        material: Class of material, such as `pla`.
    """

    temperature: Decimal | None = None
    temperature_u: Decimal | None = None
    material: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceLengths:
    """What is known of one ball, or of two on a bar, that were scanned in the article's session; mm.

    Attributes:
        diameter: Of the ball, or of each of the two.
        diameter_u: Its expanded uncertainty (k = 2).
        distance: Between the centres of a bar's two balls; None for a ball alone.
        distance_u: Its expanded uncertainty (k = 2).
    """

    diameter: Decimal
    diameter_u: Decimal
    distance: Decimal | None = None
    distance_u: Decimal | None = None
