"""What measuring one scan yields: readings, budgets, repairs, facts and pictures, as light values with a JSON form."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from types import MappingProxyType
from typing import Any, get_args

from homolog.quantity import GaugeResult, Reading, Unmeasured
from homolog.scan.marks import Mark, Picture, picture_of

FORMAT = "homolog-scan/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One kind of repair that made a solid out of the file.

    Attributes:
        kind: Stable identifier, such as `holes_closed`.
        count: How many places.
        volume_effect_mm3: By how much the repair changed the volume, as far as that can be said.
        says: A sentence for a person.
    """

    kind: str
    count: int
    volume_effect_mm3: Decimal
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One line of an uncertainty budget; the standard uncertainty is in the quantity's unit."""

    name: str
    says: str
    standard_uncertainty: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Where the uncertainty of one quantity comes from, at one place if it has several; `expanded` is U (k = 2), rounded up."""

    quantity: str
    contributions: tuple[Contribution, ...]
    expanded: Decimal
    place: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLength:
    """One length of a reference, mm: what its certificate says and what the scan reads, each with U (k = 2)."""

    what: str
    true: Decimal
    true_u: Decimal
    read: Decimal
    read_u: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceUsed:
    """A reference that was scanned beside the article: the digest of its file, the file's unit, and its lengths."""

    file: str
    sha256: str
    unit: str
    lengths: tuple[KnownLength, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentUsed:
    """What the measurement took of the scanner; U are expanded uncertainties (k = 2).

    Attributes:
        name: What the sheet calls the scanner; None if it has no record.
        offset_u: Of where the surface lies, mm.
        offset_from: `class`, `stated`, `raised` (stated, and raised to the class's floor), or `reference`.
        scale_u: Of the share by which lengths are too long.
        scale_from: Likewise; one ball alone says nothing of it.
        temperature: Of the article, degrees Celsius; None if it was not stated.
        temperature_u: In kelvin; of 20 degrees Celsius if no temperature was stated.
        offset_correction: By how much the surface was moved inward, mm.
        scale_correction: The share by which lengths were made shorter.
    """

    name: str | None
    source: str
    calibrated: str | None = None
    certificate: str | None = None
    offset_u: Decimal = Decimal(0)
    offset_from: str = "class"
    scale_u: Decimal = Decimal(0)
    scale_from: str = "class"
    temperature: Decimal | None = None
    temperature_u: Decimal | None = None
    material: str | None = None
    offset_correction: Decimal = Decimal(0)
    scale_correction: Decimal = Decimal(0)
    references: tuple[ReferenceUsed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanMeasurement:
    """All that one scan says about an article.

    Attributes:
        sha256: Digest of the file as it came.
        format: `stl-binary` or `stl-ascii`.
        triangles: Facets in the file as it came.
        unit: The file's unit of length: mm, cm, m or in.
        unit_reason: Why that unit, and which others were excluded.
        unit_is_assumed: Whether neither the file nor the submission settled the unit.
        closed: Whether the surface was closed and in one sense as it came.
        engine: Versions of what computed the numbers.
        glb: Body, rod, handle and repaired places as meshes of a GLB file, where they were asked for.
        instrument: What was taken of the scanner; None where nobody said how the article was scanned.
    """

    sha256: str
    format: str
    triangles: int
    unit: str
    unit_reason: str
    unit_is_assumed: bool
    closed: bool
    source: str
    repairs: tuple[Repair, ...] = ()
    readings: tuple[Reading, ...] = ()
    unmeasured: tuple[Unmeasured, ...] = ()
    budgets: tuple[Budget, ...] = ()
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    pictures: tuple[Picture, ...] = ()
    engine: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    glb: bytes | None = field(default=None, repr=False)
    instrument: InstrumentUsed | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the measurement as plain JSON values; numbers are strings, and a GLB file, if there is one, is in base 64."""
        plain = {item.name: _plain(getattr(self, item.name)) for item in fields(self)}
        if self.glb is None:
            del plain["glb"]
        return {"format_of_record": FORMAT} | plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ScanMeasurement:
        """Build the measurement from what `to_json` gave.

        Raises:
            ValueError: The data has another format.
        """
        if data.get("format_of_record") != FORMAT:
            raise ValueError(f"not a {FORMAT} record")
        return cls(
            **{
                name: data[name]
                for name in ("sha256", "format", "triangles", "unit", "unit_reason", "unit_is_assumed", "closed", "source")
            },
            repairs=tuple(Repair(**row | _decimals(row, "volume_effect_mm3")) for row in data["repairs"]),
            readings=tuple(_reading(row) for row in data["readings"]),
            unmeasured=tuple(Unmeasured(**row) for row in data["unmeasured"]),
            budgets=tuple(_budget(row) for row in data["budgets"]),
            facts=MappingProxyType(dict(data["facts"])),
            pictures=tuple(picture_of(row) for row in data["pictures"]),
            engine=MappingProxyType(dict(data["engine"])),
            glb=b64decode(data["glb"], validate=True) if data.get("glb") else None,
            instrument=None if data["instrument"] is None else _instrument(data["instrument"]),
        )


def _plain(value: Any) -> Any:
    match value:
        case Decimal():
            return format(value, "f")
        case bytes():
            return b64encode(value).decode()
        case tuple():
            return [_plain(item) for item in value]
        case Mapping():
            return {key: _plain(item) for key, item in value.items()}
        case (
            Repair()
            | Contribution()
            | Budget()
            | Picture()
            | Mark()
            | Reading()
            | Unmeasured()
            | InstrumentUsed()
            | ReferenceUsed()
            | KnownLength()
        ):
            return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
        case _:
            return value


def _decimals(row: Mapping[str, Any], *names: str) -> dict[str, Decimal | None]:
    return {name: None if row[name] is None else Decimal(row[name]) for name in names}


def _reading(row: Mapping[str, Any]) -> Reading:
    if row["gauge_result"] not in (None, *get_args(GaugeResult)):
        raise ValueError(f"{row['quantity']}: unknown gauge result")
    numbers = _decimals(row, "value", "expanded_uncertainty", "lo", "hi", "gauge_size")
    return Reading(**{**row, **numbers, "marks": tuple(row["marks"])})


def _instrument(row: Mapping[str, Any]) -> InstrumentUsed:
    names = ("offset_u", "scale_u", "temperature", "temperature_u", "offset_correction", "scale_correction")
    references = tuple(
        ReferenceUsed(**{**one, "lengths": tuple(KnownLength(what=it["what"], **_known(it)) for it in one["lengths"])})
        for one in row["references"]
    )
    return InstrumentUsed(**{**row, **_decimals(row, *names), "references": references})


def _known(row: Mapping[str, Any]) -> dict[str, Decimal]:
    return {name: Decimal(row[name]) for name in ("true", "true_u", "read", "read_u")}


def _budget(row: Mapping[str, Any]) -> Budget:
    lines = tuple(Contribution(**line | _decimals(line, "standard_uncertainty")) for line in row["contributions"])
    return Budget(quantity=row["quantity"], place=row.get("place"), contributions=lines, expanded=Decimal(row["expanded"]))
