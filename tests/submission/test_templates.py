"""An empty sheet shows what is asked, and reads back as what was filled in."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import xlsxwriter

from homolog.errors import InputRefused, UsageError
from homolog.gate.xlsx import read_workbook_rows
from homolog.quantity import Answer, Conditions, ReferenceLengths, ScannerRecord, Unmeasured
from homolog.spec.library import Library
from homolog.spec.load import load_spec
from homolog.submission.submission import ScanReference
from homolog.submission.template import write_template
from tests.submission.sheets import HEAD, one_problem, read, refused, spec_of

Rows = list[list[str]]
ITEMS = ["goalkeeper", "board", "figure", "set", "ball", "match"]


def rows_of(data: bytes, form: str) -> Rows:
    if form == "xlsx":
        found = read_workbook_rows(data, "x.xlsx")
        rows: Rows = [[] for _ in range(max(row.number for row in found))]
        for row in found:
            rows[row.number - 1] = list(row.cells)
        return rows
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def written(rows: Rows, form: str) -> bytes:
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, delimiter=";").writerows(rows)
        return text.getvalue().encode()
    data = io.BytesIO()
    book = xlsxwriter.Workbook(data, {"in_memory": True})
    sheet: Any = book.add_worksheet("measurements")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell.replace(".", "", 1).isdecimal():
                sheet.write_number(number, column, float(cell))
            elif cell:
                sheet.write_string(number, column, cell)
    book.close()
    return data.getvalue()


def fill(rows: Rows, first: str, place: str = "", **cells: str) -> None:
    """Write into the row that begins so, under the headers of its section."""
    header: list[str] = []
    for row in rows:
        if row and row[0] in ("quantity", "question", "attribute", "scanner", "scan", "reference", "pieces"):
            header = row
        elif row and row[0] == first and (not place or row[1] == place):
            row += [""] * (len(header) - len(row))
            for name, cell in cells.items():
                row[header.index(name)] = cell
            return
    raise AssertionError(first)


@pytest.mark.parametrize("form", ["xlsx", "csv", "yaml"])
@pytest.mark.parametrize("item", ITEMS)
def test_an_untouched_template_reads_as_an_article_with_nothing_measured(item: str, form: str) -> None:
    (submission,) = read(write_template(spec_of(item), form), f"sheet.{form}")
    article = submission.article
    assert (article.item, article.name, dict(article.attributes)) == (item, None, {})
    assert (article.readings, article.unmeasured, article.answers, article.pieces, submission.scans) == ((), (), (), (), ())


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_a_filled_template_reads_as_what_was_filled_in(form: str) -> None:
    rows = rows_of(write_template(spec_of("goalkeeper"), form), form)
    fill(rows, "goalkeeper.height", value="38.95", U="0.05", method="caliper", instrument="K-1")
    fill(rows, "goalkeeper.width", gauge="40", result="go", unit="mm")
    fill(rows, "goalkeeper.volume.outer", value="2.6", unit="cm3", method="displacement")
    fill(rows, "goalkeeper.mass", unmeasured="no scale at hand")
    fill(rows, "gk.human_body", answer="yes", role="board", by="A")
    fill(rows, "family", value="none")
    rows[2] = ["name", "the first"]
    rows += [["scan", "unit", "source"], ["x.stl", "mm", "laser"]]
    (submission,) = read(written(rows, form), f"sheet.{form}")
    article = submission.article
    height, width, volume = article.readings
    assert (height.quantity, height.value, height.expanded_uncertainty, height.method, height.instrument) == (
        "goalkeeper.height",
        Decimal("38.95"),
        Decimal("0.05"),
        "caliper",
        "K-1",
    )
    assert (width.gauge_size, width.gauge_result, width.method) == (Decimal(40), "go", "gauge")
    assert volume.value == Decimal(2600)
    assert article.unmeasured == (Unmeasured(quantity="goalkeeper.mass", reason="no scale at hand"),)
    assert article.answers == (Answer(asks="gk.human_body", yes=True, role="board", by="A"),)
    assert (article.name, dict(article.attributes)) == ("the first", {"family": "none"})
    assert submission.scans == (ScanReference(file="x.stl", unit="mm", source="laser"),)


def put(rows: Rows, section: str, number: int, **cells: str) -> None:
    """Write into an empty row of a section, under its headers."""
    rows += [[] for _ in range(3)]
    at = next(index for index, row in enumerate(rows) if row[:1] == [section])
    free = [row for row in rows[at + 1 :] if not (row and row[0].startswith("#"))]
    header, row = rows[at], free[number]
    row += [""] * (len(header) - len(row))
    for name, cell in cells.items():
        row[header.index(name)] = cell


def put_session(rows: Rows, **reference: str) -> None:
    put(rows, "scanner", 0, scanner="SC-1", source="laser", offset_U="0.02 mm", calibrated="2026-05-01", certificate="K-1")
    warm = {"temperature": "22.5 degC", "temperature_U": "2 degC", "material": "pla"}
    put(rows, "scan", 0, scan="x.stl", unit="mm", instrument="SC-1", **warm)
    put(rows, "reference", 0, **{"reference": "ball.stl", "diameter": "25.000 mm", "U": "0.002 mm"} | reference)


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_scanner_temperature_and_reference_ball_have_cells_of_their_own(form: str) -> None:
    rows = rows_of(write_template(spec_of("goalkeeper"), form), form)
    put_session(rows)
    (submission,) = read(written(rows, form), f"sheet.{form}")
    article, ball = submission.scans
    record = ScannerRecord(
        name="SC-1", source="laser", offset_u=Decimal("0.02"), calibrated=date(2026, 5, 1), certificate="K-1", scale_u=None
    )
    assert (article.file, article.source, article.instrument) == ("x.stl", "laser", record)
    assert article.conditions == Conditions(temperature=Decimal("22.5"), temperature_u=Decimal(2), material="pla")
    assert ball == ScanReference(
        file="ball.stl", reference=ReferenceLengths(diameter=Decimal("25.000"), diameter_u=Decimal("0.002")), beside=None
    )


@pytest.mark.parametrize(
    ("told", "code", "column"),
    [
        ({"diameter": "250 mm"}, "size_impossible", "diameter"),
        ({"U": ""}, "scan_reference", "reference"),
        ({"with": "y.stl"}, "scan_reference", "reference"),
        ({"reference": "x.stl"}, "scan_file", "reference"),
    ],
)
def test_what_is_wrong_with_a_reference_is_named_at_its_cell(told: dict[str, str], code: str, column: str) -> None:
    rows = rows_of(write_template(spec_of("goalkeeper"), "csv"), "csv")
    put_session(rows, **told)
    (problem,) = refused(written(rows, "csv"), "sheet.csv")
    line = next(number for number, row in enumerate(rows, 1) if row[:1] == [told.get("reference", "ball.stl")] and "25" in str(row))
    assert problem.code == code
    assert f"row {line}," in problem.where
    assert f"({column})" in problem.where


def test_more_scans_than_a_sheet_takes_are_refused() -> None:
    rows = [["format", "homolog-submission/1"], ["item", "goalkeeper"], ["scan"], *([f"{number}.stl"] for number in range(101))]
    (problem,) = refused(written(rows, "csv"), "sheet.csv")
    assert (problem.code, problem.where) == ("too_many_scans", "sheet.csv: the scans")


def test_a_scanner_is_listed_once_and_named() -> None:
    rows = rows_of(write_template(spec_of("goalkeeper"), "csv"), "csv")
    put_session(rows)
    rows += [["scanner", "source"], ["SC-1", "laser"], ["", "laser"]]
    found = refused(written(rows, "csv"), "sheet.csv")
    assert sorted(problem.code for problem in found) == ["key_duplicate", "row_nameless"]


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_places_have_rows_of_their_own(form: str) -> None:
    rows = rows_of(write_template(spec_of("board"), form), form)
    fill(rows, "board.penalty_area_depth", "end_b", value="150")
    fill(rows, "board.line_width", "2", value="2.5")
    assert [(r.quantity, r.place, r.value) for r in read(written(rows, form), f"sheet.{form}")[0].article.readings] == [
        ("board.penalty_area_depth", "end_b", Decimal(150)),
        ("board.line_width", "2", Decimal("2.5")),
    ]


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_a_set_has_a_table_of_its_pieces(form: str) -> None:
    data = write_template(spec_of("set"), form, pieces=[spec_of("figure"), spec_of("goalkeeper")])
    rows = rows_of(data, form)
    assert [row[0] for row in rows[-12:]] == [str(number) for number in range(1, 13)]
    fill(rows, "2", **{"attribute.role": "field_figure", "figure.height[mm]": "35", "figure.height.U": "0.05"})
    fill(rows, "set.same_box", answer="no", role="referee")
    article = read(written(rows, form), f"sheet.{form}")[0].article
    (piece,) = article.pieces
    assert (piece.item, piece.name, piece.readings[0].value, dict(piece.attributes)) == (
        "figure",
        "2",
        Decimal(35),
        {"role": "field_figure"},
    )
    assert article.answers[0].yes is False


def test_a_filled_yaml_template_reads_as_what_was_filled_in() -> None:
    text = write_template(spec_of("board"), "yaml").decode()
    assert text.count("value:  # mm") == 7
    text = text.replace("value:  # mm", "value: 150 mm", 1).replace("answer:  # yes or no", "answer: yes", 1)
    text = text.replace("role:  # laboratory, referee, maker", "role: referee", 1)
    article = read(text)[0].article
    assert [(r.quantity, r.value) for r in article.readings] == [("board.playing_area_length", Decimal(150))]
    assert article.answers == (Answer(asks="board.level", yes=True, role="referee"),)


def test_limits_are_said_in_words_with_their_clause() -> None:
    rows = rows_of(write_template(spec_of("goalkeeper"), "sheet.csv"), "csv")
    header = next(row for row in rows if row[:1] == ["quantity"])
    told = {row[0]: dict(zip(header, row, strict=False)) for row in rows if row and row[0].startswith("goalkeeper.")}
    assert told["goalkeeper.height"]["limit"] == "at most 39 mm (1)"
    assert told["goalkeeper.height"]["methods"] == "gauge, caliper"
    assert told["goalkeeper.offset"]["limit"] == "at most 5 mm either way (1)"
    assert told["goalkeeper.volume.outer"]["limit"] == "at most 2700 mm³ by INT-contents, reading outer (1)"
    assert "goalkeeper.height_minus_width" not in told


@pytest.mark.parametrize("form", ["xlsx", "csv", "yaml"])
def test_one_spec_gives_the_same_bytes_every_time(form: str) -> None:
    assert write_template(spec_of("goalkeeper"), form) == write_template(spec_of("goalkeeper"), form)


def test_a_text_that_looks_like_a_formula_stays_text() -> None:
    spec = load_spec(
        (
            HEAD.format(item="goal") + "quantities: {goal.height: {unit: mm, what: '=1+1', methods: [ruler]}}\nrequirements: []\n"
        ).encode(),
        "goal.yaml",
    )
    assert "'=1+1" in write_template(spec, "csv").decode()
    data = write_template(spec, "xlsx")
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
        assert b"=1+1" in book.read("xl/sharedStrings.xml")


def test_closed_lists_are_offered_in_the_cells() -> None:
    with zipfile.ZipFile(io.BytesIO(write_template(spec_of("goalkeeper"), "xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    for values in ("none,flat,toccer", "yes,no", "go,no_go", "gauge,caliper", "mm,cm,m,in"):
        assert f'"{values}"' in sheet


def test_a_template_offers_the_roles_whose_answers_count() -> None:
    spec = spec_of("goalkeeper")
    with zipfile.ZipFile(io.BytesIO(write_template(spec, "xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert ('<formula1>"board"' in sheet, '<formula1>"laboratory,referee,maker"' in sheet) == (True, True)
    told = write_template(spec, "yaml").decode()
    assert "  gk.human_body:\n    answer:  # yes or no\n    role:  # board\n" in told


def test_a_question_for_some_articles_only_says_for_which() -> None:
    told = write_template(Library().edition("fistf", "4.0").spec("figure"), "yaml").decode()
    assert "Newfooty style? Only where family is flat. (III-4.3.2.1)" in told


def test_a_template_of_another_format_is_not_to_be_had() -> None:
    with pytest.raises(UsageError, match="no template as 'pdf'"):
        write_template(spec_of("goalkeeper"), "sheet.pdf")


FORM = "format,homolog-submission/1\nitem,goalkeeper\n"
Q = "quantity,place,value,unit,U,method\n"


@pytest.mark.parametrize(
    ("text", "where", "code"),
    [
        ("format,homolog-submission/2\n", "x.csv: the row format", "format_unknown"),
        ("format,homolog-submission/1\nitem,bord\n", "x.csv: the row item", "item_unknown"),
        ("format,homolog-submission/1\n", "x.csv", "item_missing"),
        (FORM + "item,board\n", "x.csv: row 3, column A", "key_duplicate"),
        (FORM + "colour,red\n", "x.csv: row 3, column A", "key_unknown"),
        (FORM + Q + "goalkeeper.hieght,,38,mm\n", "x.csv: row 4, column A (quantity)", "quantity_unknown"),
        (FORM + Q + "goalkeeper.height,end_a,38,mm\n", "x.csv: row 4, column B (place)", "place_unknown"),
        (FORM + Q + "goalkeeper.height,,38_9,mm\n", "x.csv: row 4, column C (value)", "number_invalid"),
        (FORM + Q + "goalkeeper.height,,38,\n", "x.csv: row 4, column C (value)", "number_without_unit"),
        (FORM + Q + "goalkeeper.height,,38,g\n", "x.csv: row 4, column C (value)", "unit_dimension"),
        (FORM + Q + "goalkeeper.height,,,mm,0.1\n", "x.csv: row 4, column A (quantity)", "reading_form"),
        (FORM + Q + "goalkeeper.height,,38,mm,-0.1\n", "x.csv: row 4, column E (U)", "size_impossible"),
        (FORM + Q + ",,38,mm\n", "x.csv: row 4, column A (quantity)", "row_nameless"),
        (FORM + Q + "goalkeeper.height,,38,mm,,,x\n", "x.csv: row 4, column G", "column_unknown"),
        (FORM + "quantity,value,unit,colour\n", "x.csv: row 3, column D (colour)", "column_unknown"),
        (FORM + "quantity,value,value\n", "x.csv: row 3, column C (value)", "column_duplicate"),
        (FORM + "question,answer,role\ngk.complete,perhaps,maker\n", "x.csv: row 4, column B (answer)", "answer_form"),
        (FORM + "question,answer,role\ngk.complet,yes,maker\n", "x.csv: row 4, column A (question)", "question_unknown"),
        (FORM + "attribute,value\nfamily,none\nfamily,flat\n", "x.csv: row 5, column A (attribute)", "key_duplicate"),
        (FORM + "attribute,value\nfamily,flatt\n", "x.csv: row 4, column B (value)", "attribute_value"),
        (FORM + "scan,unit\nx.stl,ft\n", "x.csv: row 4, column B (unit)", "unit_unknown"),
        (FORM + "pieces,item\n1,figure\n", "x.csv: row 3", "piece_item"),
    ],
)
def test_a_form_is_refused_at_row_and_column(text: str, where: str, code: str) -> None:
    assert one_problem(refused(text, "x.csv")) == (where, code)


def test_a_quantity_measured_twice_has_two_rows() -> None:
    article = read(FORM + Q + "goalkeeper.height,,38.9,mm\ngoalkeeper.height,,39,mm\n", "x.csv")[0].article
    assert [reading.value for reading in article.readings] == [Decimal("38.9"), Decimal(39)]


def workbook(fill_in: Any) -> bytes:
    data = io.BytesIO()
    book = xlsxwriter.Workbook(data, {"in_memory": True})
    fill_in(book.add_worksheet("measurements"))
    book.close()
    return data.getvalue()


@pytest.mark.parametrize("at", ["B2", "C2"])
def test_a_formula_without_a_value_is_not_measured_and_never_zero(at: str) -> None:
    def fill_in(sheet: Any) -> None:
        sheet.write_row("A1", ["item", "goalkeeper.height[mm]", "goalkeeper.height.U"])
        sheet.write_row("A2", ["goalkeeper", 38.9, 0.05])
        sheet.write_formula(at, "=1+1")

    article = read(workbook(fill_in), "x.xlsx")[0].article
    assert article.readings == ()
    assert article.unmeasured == (Unmeasured(quantity="goalkeeper.height", reason="the cell's formula has no value in the file"),)


def test_a_workbook_with_a_row_a_sample_is_read_as_the_csv_is() -> None:
    def fill_in(sheet: Any) -> None:
        sheet.write_row("A1", ["item", "sample", "goalkeeper.height[mm]", "goalkeeper.width[mm]"])
        sheet.write_row("A2", ["goalkeeper", 1, 38.9, "12,5"])

    (submission,) = read(workbook(fill_in), "x.xlsx")
    assert (submission.format, submission.row, submission.article.name) == ("xlsx", 2, "1")
    assert [reading.value for reading in submission.article.readings] == [Decimal("38.9"), Decimal("12.5")]


def test_a_truth_value_in_a_workbook_is_refused_at_its_cell() -> None:
    def fill_in(sheet: Any) -> None:
        sheet.write_row("A1", ["item", "goalkeeper.height[mm]", "answer.gk.complete", "answer.gk.complete.role"])
        sheet.write_row("A2", ["goalkeeper", True, True, "maker"])

    with pytest.raises(InputRefused) as caught:
        read(workbook(fill_in), "x.xlsx")
    assert [(problem.where, problem.code) for problem in caught.value.problems] == [
        ("x.xlsx: row 2, column B (goalkeeper.height[mm])", "cell_invalid"),
        ("x.xlsx: row 2, column C (answer.gk.complete)", "cell_invalid"),
    ]
