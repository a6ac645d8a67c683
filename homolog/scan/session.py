"""One scanning session: what was stated of scanner and article, and the references, made into the instrument of a measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from homolog.errors import InputRefused
from homolog.quantity import Conditions, Reading, ReferenceLengths, ScannerRecord
from homolog.quantity.units import round_up
from homolog.scan.ball_names import DIAMETER, DISTANCE
from homolog.scan.expansion import departure, thermal_share
from homolog.scan.measurement import InstrumentUsed, KnownLength, ReferenceUsed, ScanMeasurement
from homolog.scan.reference import Compared, calibrate
from homolog.scan.sources import Effect, Instrument, figures_of

STATED, RAISED, CORRECTED = "instrument_stated", "instrument_raised", "reference_ball"
"""Marks of readings: the submitter's record counts; it was raised to what is believed; references show the offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFile:
    """The scan of a reference, as it was sent, and what its certificate says."""

    name: str
    data: bytes
    lengths: ReferenceLengths
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The instrument of one measurement, how the record tells of it, and the marks of its readings."""

    instrument: Instrument
    used: InstrumentUsed
    marks: tuple[str, ...] = ()

    def signed(self, found: ScanMeasurement) -> ScanMeasurement:
        """Return a measurement that names its instrument, each of its readings marked."""
        readings = tuple(replace(reading, marks=(*reading.marks, *self.marks)) for reading in found.readings)
        return replace(found, instrument=self.used, readings=readings)


ReadReference = Callable[[ReferenceFile], ScanMeasurement]


def open_session(
    source: str,
    record: ScannerRecord | None = None,
    conditions: Conditions | None = None,
    references: Sequence[ReferenceFile] = (),
    *,
    read: ReadReference,
) -> Session:
    """Return the session in which an article was scanned.

    Args:
        source: Class of scanner.
        record: What the submitter states of the scanner.
        conditions: What the submitter states of the article and its temperature.
        references: Scans of reference balls of the same session.
        read: Measures one of them, in a process of its own.

    Raises:
        InputRefused: A reference cannot be read, is none, or contradicts another.
        MeasuringFailed: A measuring process ended without an answer.
        UsageError: The source is not known.
    """
    figures = figures_of(source)
    if source == "cad":
        if references:
            todo = "leave the reference out, or say how the article was scanned"
            raise InputRefused.because(
                "no scanner made a design file", where=references[0].name, todo=todo, code="reference_implausible"
            )
        return Session(instrument=Instrument(source=source, effects=()), used=InstrumentUsed(name=None, source=source))
    offset, offset_from = _settled(None if record is None else record.offset_u, figures.offset_mm, figures.offset_floor_mm)
    scale, scale_from = _settled(None if record is None else record.scale_u, figures.scale, figures.scale_floor)
    effects = (
        Effect(
            "offset", _says("The scanner's surface lies off the true one everywhere alike", offset_from, record), offset_mm=offset
        ),
        Effect("scale", _says("The scanner's lengths are too long or too short", scale_from, record), scale=scale),
    )
    instrument = Instrument(source=source, effects=effects)
    read_ones = [(file, read(file)) for file in references]
    if read_ones:
        compared = [one for file, found in read_ones for one in _compared(file, found)]
        known = calibrate(compared, figures, scale, effects[1].says, conditions)
        instrument = Instrument(
            source=source, effects=known.effects, offset_correction=known.offset_mm, scale_correction=known.scale
        )
        offset_from = "reference"
        scale_from = "reference" if len(compared) > 1 else scale_from
    warm = Effect("temperature", _says_warm(conditions), scale=thermal_share(conditions))
    instrument = replace(instrument, effects=(*instrument.effects, warm))
    used = InstrumentUsed(
        name=None if record is None else record.name,
        source=source,
        calibrated=None if record is None or record.calibrated is None else record.calibrated.isoformat(),
        certificate=None if record is None else record.certificate,
        offset_u=_expanded(instrument.offset_mm),
        offset_from=offset_from,
        scale_u=_expanded(sum(effect.scale**2 for effect in instrument.effects[:-1]) ** 0.5),
        scale_from=scale_from,
        temperature=None if conditions is None else conditions.temperature,
        temperature_u=_expanded(departure(conditions)) if conditions is None else conditions.temperature_u,
        material=None if conditions is None else conditions.material,
        offset_correction=Decimal(repr(round(instrument.offset_correction, 5))),
        scale_correction=Decimal(repr(round(instrument.scale_correction, 7))),
        references=tuple(_told(file, found) for file, found in read_ones),
    )
    return Session(instrument=instrument, used=used, marks=_marks(offset_from, scale_from))


def _settled(stated: Decimal | None, assumed: float, floor: float) -> tuple[float, str]:
    """Return a standard uncertainty and where it comes from: the class, the submitter, or the floor of the class."""
    if stated is None:
        return assumed, "class"
    standard = float(stated) / 2
    return (standard, "stated") if standard >= floor else (floor, "raised")


def _marks(*origins: str) -> tuple[str, ...]:
    names = {"stated": STATED, "raised": RAISED, "reference": CORRECTED}
    return tuple(mark for origin, mark in names.items() if origin in origins)


def _says(what: str, origin: str, record: ScannerRecord | None) -> str:
    if record is None or origin == "class":
        return what
    told = f"as the submitter states of {record.name}, certificate {record.certificate} of {record.calibrated}"
    if origin == "raised":
        told += ", raised to the least that is believed of this class of scanner"
    return f"{what}: {told}"


def _says_warm(conditions: Conditions | None) -> str:
    what = "The article was not at 20 degrees Celsius"
    if conditions is None:
        return what
    room = "15 to 25" if conditions.temperature is None else f"{conditions.temperature}"
    return f"{what}: {room} degrees Celsius, {conditions.material or 'material not stated'}"


def _compared(file: ReferenceFile, found: ScanMeasurement) -> list[Compared]:
    values = {(reading.quantity, reading.place): reading for reading in found.readings}
    lengths = file.lengths
    ones = []
    balls = [place for quantity, place in values if quantity == DIAMETER and place is not None and place.count("_") == 1]
    for ball in balls:
        read, u_read = _number(values[DIAMETER, ball])
        most, least = (_number(values[DIAMETER, f"{ball}_{which}"])[0] for which in ("largest", "smallest"))
        ones.append(
            Compared(
                label=file.name if len(balls) == 1 else f"{file.name}, {ball.replace('_', ' ')}",
                surfaces=2,
                true=float(lengths.diameter),
                u_true=float(lengths.diameter_u) / 2,
                read=read,
                u_read=u_read,
                spread=max(most - least, 0.0),
            )
        )
    if lengths.distance is not None and lengths.distance_u is not None:
        read, u_read = _number(values[DISTANCE, None])
        ones.append(
            Compared(
                label=f"{file.name}, distance",
                surfaces=0,
                true=float(lengths.distance),
                u_true=float(lengths.distance_u) / 2,
                read=read,
                u_read=u_read,
            )
        )
    return ones


def _number(reading: Reading) -> tuple[float, float]:
    """Return a reading's value and its standard uncertainty."""
    return float(reading.value or 0), float(reading.expanded_uncertainty or 0) / 2


def _told(file: ReferenceFile, found: ScanMeasurement) -> ReferenceUsed:
    lengths = file.lengths
    known = {DIAMETER: (lengths.diameter, lengths.diameter_u), DISTANCE: (lengths.distance, lengths.distance_u)}
    read = []
    for reading in found.readings:
        true, true_u = known[reading.quantity]
        if true is None or true_u is None or reading.value is None or reading.expanded_uncertainty is None:
            continue
        if reading.place is None or reading.place.count("_") == 1:
            read.append(
                KnownLength(
                    what=reading.place or "distance",
                    true=true,
                    true_u=true_u,
                    read=reading.value,
                    read_u=reading.expanded_uncertainty,
                )
            )
    return ReferenceUsed(file=file.name, sha256=found.sha256, unit=found.unit, lengths=tuple(read))


def _expanded(standard: float) -> Decimal:
    # Twelve digits: what arithmetic leaves behind them must not be rounded up.
    return round_up(Decimal(f"{2 * standard:.11e}"))
