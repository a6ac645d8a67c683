"""A workbook's cells come as they were meant, or with the reason why they cannot be used."""

from __future__ import annotations

import datetime as dt
import io
import time
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import xlsxwriter

from homolog.errors import InputRefused
from homolog.gate.xlsx import CellNumber, FaultyCell, FormulaCell, column_letters, column_number, read_workbook_rows


def workbook(fill: Callable[[Any, Any], None], *names: str) -> bytes:
    data = io.BytesIO()
    book = xlsxwriter.Workbook(data, {"in_memory": True})
    for name in names or ("measurements",):
        fill(book.add_worksheet(name), book)
    book.close()
    return data.getvalue()


def changed(data: bytes, change: Callable[[str, str], str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for info in source.infolist():
            text = change(info.filename, source.read(info.filename).decode())
            new.writestr(info.filename, text)
    return target.getvalue()


def calculated(data: bytes) -> bytes:
    """The same workbook as a program leaves it that has calculated every formula."""
    return changed(data, lambda _, text: text.replace(' fullCalcOnLoad="1"', ""))


def refused(data: bytes) -> str:
    with pytest.raises(InputRefused) as caught:
        read_workbook_rows(data, "x.xlsx")
    (problem,) = caught.value.problems
    return problem.code


def cells(fill: Callable[[Any, Any], None]) -> list[str]:
    return read_workbook_rows(calculated(workbook(fill)), "x.xlsx")[0].cells


def test_numbers_have_the_digits_that_were_typed() -> None:
    def fill(sheet: Any, _: Any) -> None:
        for column, number in enumerate((38.95, 0.1 + 0.2, 3, 1e-5, 123456789.125)):
            sheet.write_number(0, column, number)

    found = cells(fill)
    assert found == ["38.95", "0.3", "3", "0.00001", "123456789.125"]
    assert all(isinstance(cell, CellNumber) for cell in found)


def test_texts_that_look_like_formulas_are_texts() -> None:
    assert cells(lambda sheet, _: sheet.write_string("A1", "=1+1")) == ["=1+1"]


def test_dates_truth_values_and_errors_are_faults() -> None:
    def fill(sheet: Any, book: Any) -> None:
        sheet.write_datetime("A1", dt.datetime(2020, 1, 2), book.add_format({"num_format": "dd.mm.yy"}))  # noqa: DTZ001
        sheet.write_boolean("B1", boolean=True)
        sheet.write_formula("C1", "=1/0", None, "#DIV/0!")

    found = cells(fill)
    assert found == ["a date or time", "a truth value", "an error of a formula"]
    assert all(isinstance(cell, FaultyCell) for cell in found)


def test_a_formula_counts_by_the_value_that_was_calculated() -> None:
    assert cells(lambda sheet, _: sheet.write_formula("A1", "=B1*2", None, 77.9)) == ["77.9"]


@pytest.mark.parametrize("stored", ["", "<v></v>", "<v/>"])
def test_a_formula_without_a_value_is_told_from_an_empty_cell(stored: str) -> None:
    data = workbook(lambda sheet, _: sheet.write_formula("B1", "=C1*2"))
    data = changed(calculated(data), lambda _, text: text.replace("<v>0</v>", stored))
    (row,) = read_workbook_rows(data, "x.xlsx")
    assert row.cells[0] == ""
    assert isinstance(row.cells[1], FormulaCell)


def test_a_formula_that_waits_for_its_first_calculation_has_no_value() -> None:
    (row,) = read_workbook_rows(workbook(lambda sheet, _: sheet.write_formula("A1", "=B1*2")), "x.xlsx")
    assert isinstance(row.cells[0], FormulaCell)


def test_the_sheet_named_measurements_is_read_else_the_first() -> None:
    def fill(sheet: Any, _: Any) -> None:
        sheet.write_string("A1", sheet.get_name())

    assert read_workbook_rows(workbook(fill, "notes", "measurements"), "x.xlsx")[0].cells == ["measurements"]
    assert read_workbook_rows(workbook(fill, "first", "second"), "x.xlsx")[0].cells == ["first"]


def test_rows_keep_their_numbers() -> None:
    rows = read_workbook_rows(workbook(lambda sheet, _: [sheet.write_string(at, "x") for at in ("B2", "A5")]), "x.xlsx")
    assert [(row.number, row.cells) for row in rows] == [(2, ["", "x"]), (5, ["x", ""])]


@pytest.mark.parametrize("at", ["XFD1", "A1048576", "SG2000"])
def test_one_far_cell_does_not_make_a_table(at: str) -> None:
    begin = time.process_time()
    assert refused(workbook(lambda sheet, _: sheet.write_string(at, "x"))) == "xlsx_too_large"
    assert time.process_time() - begin < 1


def test_too_many_cells_are_refused_over_all_sheets() -> None:
    def fill(sheet: Any, _: Any) -> None:
        for row in range(101):
            for column in range(500):
                sheet.write_number(row, column, 1)

    assert refused(workbook(fill, "measurements", "more")) == "xlsx_too_large"


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/worksheets/sheet1.xml", "<worksheet", "<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet"),
        ("xl/worksheets/sheet1.xml", "</worksheet>", ""),
        ("xl/worksheets/sheet1.xml", 'r="A1"', 'r="A-1"'),
        ("xl/workbook.xml", "<workbook ", "<!DOCTYPE a><workbook "),
        ("xl/_rels/workbook.xml.rels", "worksheets/sheet1.xml", "worksheets/sheet9.xml"),
        ("xl/_rels/workbook.xml.rels", "worksheets/sheet1.xml", "../../etc/passwd"),
    ],
)
def test_a_workbook_that_is_not_as_it_should_be_is_refused(part: str, old: str, new: str) -> None:
    data = workbook(lambda sheet, _: sheet.write_string("A1", "x"))
    assert refused(changed(data, lambda name, text: text.replace(old, new) if name == part else text)) == "xlsx_invalid"


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        target.writestr("a.txt", "x")
    assert refused(data.getvalue()) == "xlsx_invalid"
    assert refused(b"PK\x03\x04") == "zip_invalid"


@pytest.mark.parametrize(("letters", "number"), [("A", 1), ("Z", 26), ("AA", 27), ("XFD", 16384)])
def test_columns_are_counted_as_a_spreadsheet_does(letters: str, number: int) -> None:
    assert (column_number(letters), column_letters(number)) == (number, letters)
