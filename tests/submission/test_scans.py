"""What a sheet may say of its scans: scanners with a record, temperature, material, and reference balls."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from homolog.quantity import SCANNING_UNITS, UNITS, Conditions, ReferenceLengths, ScannerRecord
from homolog.scan.expansion import EXPANSIONS
from homolog.submission.submission import MATERIALS, ScanReference
from tests.submission.sheets import read, refused

SHEET = """format: homolog-submission/1
item: goalkeeper
instruments:
  SC-1: {kind: scanner, source: laser, offset_U: 0.02 mm, scale_U: 0.4 mm/m, calibrated: 2026-05-01, certificate: K-77}
scans:
  - {file: keeper.stl, instrument: SC-1, temperature: 22.5 degC, temperature_U: 2 degC, material: pla}
  - {file: ball.stl, unit: mm, reference: {diameter: 2.5 cm, U: 0.002 mm}, with: keeper.stl}
"""
SCANNER = ScannerRecord(
    name="SC-1",
    source="laser",
    offset_u=Decimal("0.02"),
    scale_u=Decimal("0.0004"),
    calibrated=date(2026, 5, 1),
    certificate="K-77",
)


def codes(text: str) -> list[str]:
    return [problem.code for problem in refused(text)]


def test_a_scan_takes_over_its_scanners_record_and_class() -> None:
    (submission,) = read(SHEET)
    keeper, ball = submission.scans
    assert keeper == ScanReference(
        file="keeper.stl",
        source="laser",
        instrument=SCANNER,
        conditions=Conditions(temperature=Decimal("22.5"), temperature_u=Decimal(2), material="pla"),
    )
    known = ReferenceLengths(diameter=Decimal("25.0"), diameter_u=Decimal("0.002"))
    assert ball == ScanReference(file="ball.stl", unit="mm", reference=known, beside="keeper.stl")
    assert (keeper.is_reference, ball.is_reference) == (False, True)


def test_a_share_may_be_written_in_percent() -> None:
    (submission,) = read(SHEET.replace("0.4 mm/m", "0.04 %"))
    assert submission.scans[0].instrument == SCANNER


def test_a_bar_has_a_distance_too() -> None:
    text = SHEET.replace("U: 0.002 mm}, with: keeper.stl", "U: 0.002 mm, distance: 100 mm, distance_U: 0.003 mm}")
    (submission,) = read(text)
    lengths = submission.scans[1].reference
    assert lengths is not None
    assert (lengths.distance, lengths.distance_u) == (Decimal(100), Decimal("0.003"))


def test_every_sample_of_a_lot_may_name_the_lots_scanner() -> None:
    head, _, scans = SHEET.partition("scans:\n")
    lot = f"{head}samples:\n  - name: k1\n    scans:\n" + "".join(f"    {line}\n" for line in scans.splitlines())
    (submission,) = read(lot)
    assert submission.scans[0].instrument == SCANNER


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("kind: scanner, ", "", "instrument_form"),
        ("kind: scanner", "kind: caliper", "instrument_form"),
        ("source: laser, ", "", "instrument_form"),
        ("source: laser", "source: cad", "scan_source"),
        (", certificate: K-77", "", "instrument_form"),
        ("calibrated: 2026-05-01, ", "", "instrument_form"),
        ("2026-05-01", "2026-02-30", "date_invalid"),
        ("0.02 mm,", "0.02,", "number_without_unit"),
        ("0.02 mm,", "1.1 mm,", "size_impossible"),
        ("0.02 mm,", "-0.01 mm,", "size_impossible"),
        ("0.02 mm,", "0.02 mm/m,", "unit_unknown"),
        ("0.4 mm/m", "0.4 mm", "unit_dimension"),
        ("0.4 mm/m", "0.0004", "number_without_unit"),
        ("offset_U", "offset_u", "key_unknown"),
        ("instrument: SC-1", "instrument: SC-2", "instrument_unknown"),
        ("instrument: SC-1", "instrument: SC-1, source: ct", "scan_source"),
        (", temperature_U: 2 degC", "", "scan_conditions"),
        ("temperature: 22.5 degC, ", "", "scan_conditions"),
        ("22.5 degC", "46 degC", "size_impossible"),
        ("22.5 degC", "295 K", "unit_unknown"),
        ("material: pla", "material: butter", "scan_conditions"),
        ("diameter: 2.5 cm, ", "", "scan_reference"),
        (", U: 0.002 mm", "", "scan_reference"),
        ("U: 0.002 mm", "U: 0 mm", "scan_reference"),
        ("U: 0.002 mm", "U: 0.13 mm", "scan_reference"),
        ("2.5 cm", "25 cm", "size_impossible"),
        ("U: 0.002 mm}", "U: 0.002 mm, distance: 100 mm}", "scan_reference"),
        ("U: 0.002 mm}", "U: 0.002 mm, distance: 20 mm, distance_U: 0.01 mm}", "scan_reference"),
        ("with: keeper.stl", "with: other.stl", "scan_reference"),
        ("with: keeper.stl", "source: laser", "key_unknown"),
        ("file: ball.stl", "file: keeper.stl", "scan_file"),
    ],
)
def test_what_cannot_stand_is_refused(old: str, new: str, code: str) -> None:
    assert old in SHEET
    assert code in codes(SHEET.replace(old, new))


def test_a_reference_beside_a_drawing_is_refused() -> None:
    assert codes(SHEET.replace("instrument: SC-1", "source: cad")) == ["scan_reference"]


def test_a_reference_alone_belongs_to_nothing() -> None:
    lines = [line for line in SHEET.splitlines() if "file: keeper" not in line]
    assert codes("\n".join(lines).replace(", with: keeper.stl", "")) == ["scan_reference"]


def test_all_that_is_wrong_with_a_record_is_said_at_once() -> None:
    text = SHEET.replace("kind: scanner", "kind: caliper").replace("0.02 mm,", "2 mm,").replace("2026-05-01", "yesterday")
    assert codes(text)[:3] == ["instrument_form", "size_impossible", "date_invalid"]


def test_a_table_holds_no_records() -> None:
    text = "sample,scan.file,scan.instrument\nk1,keeper.stl,SC-1\n"
    assert [problem.code for problem in refused(text, "sheet.csv", item="goalkeeper")] == ["column_unknown"]


def test_quantities_of_articles_know_no_degrees_and_no_shares() -> None:
    assert set(SCANNING_UNITS) - set(UNITS) == {"degC", "mm/m", "%"}
    text = "format: homolog-submission/1\nitem: goalkeeper\nreadings: {goalkeeper.height: {value: 38 degC, method: caliper}}\n"
    assert codes(text) == ["unit_unknown"]


def test_every_material_has_an_expansion() -> None:
    assert set(MATERIALS) | {None} == set(EXPANSIONS)
