"""What the record says of a scan: where it came from, how it was mended, where its uncertainty comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homolog.quantity import Reading
from homolog.report.findings import reading_record
from homolog.report.instruments import instrument_record
from homolog.report.numbers import plain, plain_uncertainty

if TYPE_CHECKING:
    from homolog.scan.marks import Mark
    from homolog.scan.measurement import Budget, ScanMeasurement


def scan_record(scan: ScanMeasurement) -> dict[str, Any]:
    """Return the scan's facts; its readings stand in the findings, its pictures in the record's head."""
    return {
        "sha256": scan.sha256,
        "format": scan.format,
        "triangles": scan.triangles,
        "unit": scan.unit,
        "unit_reason": scan.unit_reason,
        "closed": scan.closed,
        "source": scan.source,
        "repairs": [
            {
                "kind": repair.kind,
                "count": repair.count,
                "volume_effect_mm3": plain(repair.volume_effect_mm3),
                "says": repair.says,
            }
            for repair in scan.repairs
        ],
        "budgets": [_budget(budget) for budget in scan.budgets],
        "facts": dict(scan.facts),
        "engine": dict(scan.engine),
        "instrument": None if scan.instrument is None else instrument_record(scan.instrument),
    }


def picture_records(scan: ScanMeasurement) -> list[dict[str, Any]]:
    """Return the scan's pictures, every mark with the reading that was taken there; HTML and PDF need nothing else."""
    readings = {(reading.quantity, reading.place): reading for reading in scan.readings}
    return [
        {
            "name": picture.name,
            "title": picture.title,
            "alt": picture.alt,
            "svg": picture.svg,
            "marks": [_mark(mark, readings.get((mark.quantity or "", mark.place))) for mark in picture.marks],
            "repaired": picture.repaired,
            "params": dict(picture.params),
        }
        for picture in scan.pictures
    ]


def _mark(mark: Mark, reading: Reading | None) -> dict[str, Any]:
    return {
        "form": mark.form,
        "side": mark.side,
        "a": [plain(number) for number in mark.a],
        "b": [plain(number) for number in mark.b],
        "quantity": mark.quantity,
        "place": mark.place,
        "spot": mark.spot,
        "number": mark.number,
        "reading": reading_record(reading),
    }


def _budget(budget: Budget) -> dict[str, Any]:
    return {
        "quantity": budget.quantity,
        "contributions": [
            {"name": line.name, "says": line.says, "standard_uncertainty": plain_uncertainty(line.standard_uncertainty)}
            for line in budget.contributions
            if line.standard_uncertainty  # a cause that contributes nothing is the measurement's to list
        ],
        "expanded": plain_uncertainty(budget.expanded),
    }
