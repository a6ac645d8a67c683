"""Tables with a row a sample or a piece, as CSV; the columns, and what is refused at row and column."""

from __future__ import annotations

from decimal import Decimal

import pytest

from homolog.quantity import Answer, Unmeasured
from homolog.submission.submission import ScanReference
from tests.submission.sheets import one_problem, read, refused

HEADER = (
    "sample,attribute.family,goalkeeper.height[mm],goalkeeper.height.U,goalkeeper.height.method,goalkeeper.height.instrument,"
    "answer.gk.complete,answer.gk.complete.role,answer.gk.complete.by\n"
)
LOT = """s1,none,38.9,0.05,caliper,K-1,yes,maker,A
s2,,39.1,0.05,caliper,K-1,,,
s3,none,,0.05,caliper,K-1,no,maker,A
"""


def test_a_row_is_a_sample() -> None:
    first, second, third = read(HEADER + LOT, "lot.csv", "goalkeeper")
    reading = first.article.readings[0]
    assert (reading.value, reading.expanded_uncertainty, reading.method, reading.instrument) == (
        Decimal("38.9"),
        Decimal("0.05"),
        "caliper",
        "K-1",
    )
    assert reading.evidence == "lot.csv: row 2, column C (goalkeeper.height[mm])"
    assert first.article.answers == (Answer(asks="gk.complete", yes=True, role="maker", by="A"),)
    assert [s.row for s in (first, second, third)] == [2, 3, 4]
    assert (second.article.answers, dict(second.article.attributes)) == ((), {})
    assert (third.article.name, third.article.readings) == ("s3", ())


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_semicolons_go_with_a_decimal_comma(mark: str, end: str) -> None:
    text = mark + end.join(("goalkeeper.height[cm];goalkeeper.height.U[mm]", "3,89;0,05", ";;")) + end
    (submission,) = read(text, "lot.csv", "goalkeeper")
    assert submission.article.readings[0].value == Decimal("38.9")
    assert submission.article.readings[0].expanded_uncertainty == Decimal("0.05")


def test_tabs_separate_too() -> None:
    (submission,) = read("item\tgoalkeeper.mass[g]\ngoalkeeper\t1.5\n", "lot.tsv")
    assert submission.article.readings[0].value == Decimal("1.5")


def test_places_gauges_bounds_and_scans_have_columns() -> None:
    text = (
        "board.penalty_area_depth@end_a[mm],board.penalty_area_depth@end_a.U,board.penalty_area_depth@end_b[cm],"
        "board.fence_height.gauge[mm],board.fence_height.U,board.fence_height.result,"
        "board.playing_area_length.at_least[m],board.line_width@line_1.unmeasured,scan.file,scan.unit\n"
        "150,0.5,14.9,100.5,0.02,no-go,1.2,worn off,x.stl,mm\n"
    )
    (submission,) = read(text, "lot.csv", "board")
    first, second, fence, length = submission.article.readings
    assert (first.place, first.value, second.place, second.value) == ("end_a", Decimal(150), "end_b", Decimal(149))
    assert (fence.gauge_size, fence.gauge_result, fence.expanded_uncertainty, fence.method) == (
        Decimal("100.5"),
        "no_go",
        Decimal("0.02"),
        "gauge",
    )
    assert (length.lo, length.hi) == (Decimal(1200), None)
    assert submission.article.unmeasured == (Unmeasured(quantity="board.line_width", place="line_1", reason="worn off"),)
    assert submission.scans == (ScanReference(file="x.stl", unit="mm"),)


def test_a_row_of_a_set_is_a_piece() -> None:
    text = "sample,role,base_colour,figure.height[mm],answer.fig.sound,answer.fig.sound.role\n1,field_figure,red,35,yes,maker\n"
    text += "2,goalkeeper,red,,,\n"
    (submission,) = read(text, "set.csv", "set")
    figure, keeper = submission.article.pieces
    assert (submission.article.item, submission.row) == ("set", None)
    assert (figure.item, figure.name, dict(figure.attributes)) == ("figure", "1", {"role": "field_figure", "base_colour": "red"})
    assert (keeper.item, keeper.readings, figure.readings[0].value) == ("goalkeeper", (), Decimal(35))


H = "goalkeeper.height[mm]"
REFUSALS = [
    ("an unknown quantity", "goalkeeper.hieght[mm]\n1\n", "lot.csv: row 1, column A (goalkeeper.hieght[mm])", "quantity_unknown"),
    ("an unknown word", "heigth\n1\n", "lot.csv: row 1, column A (heigth)", "column_unknown"),
    ("a column without a name", f"{H},,item\n1,2,goalkeeper\n", "lot.csv: row 1, column B", "column_unknown"),
    ("a column twice", f"{H},goalkeeper.height[cm]\n1,2\n", "lot.csv: row 1, column B (goalkeeper.height[cm])", "column_duplicate"),
    ("a role twice", "attribute.family,family\nnone,none\n", "lot.csv: row 1, column B (family)", "column_duplicate"),
    ("no unit", "goalkeeper.height\n1\n", "lot.csv: row 1, column A (goalkeeper.height)", "number_without_unit"),
    ("an unknown unit", "goalkeeper.height[mn]\n1\n", "lot.csv: row 1, column A (goalkeeper.height[mn])", "unit_unknown"),
    ("another dimension", "goalkeeper.height[g]\n1\n", "lot.csv: row 1, column A (goalkeeper.height[g])", "unit_dimension"),
    (
        "a misspelt method",
        f"{H},goalkeeper.height.method\n38,calipers\n",
        "lot.csv: row 2, column B (goalkeeper.height.method)",
        "method_unknown",
    ),
    (
        "a unit of a method",
        f"{H},goalkeeper.height.method[mm]\n1,x\n",
        "lot.csv: row 1, column B (goalkeeper.height.method[mm])",
        "column_unknown",
    ),
    ("U alone", "goalkeeper.height.U[mm]\n1\n", "lot.csv: row 1, column A (goalkeeper.height.U[mm])", "column_missing"),
    (
        "a gauge alone",
        "goalkeeper.height.gauge[mm],goalkeeper.height.at_most[mm]\n1,\n",
        "lot.csv: row 1, column A (goalkeeper.height.gauge[mm])",
        "column_missing",
    ),
    (
        "a place of none",
        "goalkeeper.height@end_a[mm]\n1\n",
        "lot.csv: row 1, column A (goalkeeper.height@end_a[mm])",
        "place_unknown",
    ),
    ("an unknown question", "answer.gk.humanbody\nyes\n", "lot.csv: row 1, column A (answer.gk.humanbody)", "question_unknown"),
    ("an unknown attribute", "attribute.familly\nnone\n", "lot.csv: row 1, column A (attribute.familly)", "attribute_unknown"),
    ("an unknown scan field", "scan.path\nx.stl\n", "lot.csv: row 1, column A (scan.path)", "column_unknown"),
    ("no number", f"{H}\nabout 38\n", f"lot.csv: row 2, column A ({H})", "number_invalid"),
    ("a unit in the cell", f"{H}\n38 mm\n", f"lot.csv: row 2, column A ({H})", "number_invalid"),
    ("underscores", f"{H}\n1_000\n", f"lot.csv: row 2, column A ({H})", "number_invalid"),
    ("a negative length", f"{H}\n-38\n", f"lot.csv: row 2, column A ({H})", "size_impossible"),
    ("a thousand separator", f"{H};item\n1,200;goalkeeper\n", f"lot.csv: row 2, column A ({H})", "number_ambiguous"),
    ("an attribute out of its list", "item,family\ngoalkeeper,flatt\n", "lot.csv: row 2, column B (family)", "attribute_value"),
    (
        "an answer without role",
        "item,answer.gk.complete\ngoalkeeper,yes\n",
        "lot.csv: row 2, column B (answer.gk.complete)",
        "answer_form",
    ),
    (
        "a result without gauge",
        "goalkeeper.height.gauge[mm],goalkeeper.height.result\n,go\n",
        "lot.csv: row 2, column B (goalkeeper.height.result)",
        "reading_form",
    ),
    ("a short row", f"item,{H}\ngoalkeeper,38\ngoalkeeper\n", "lot.csv: row 3", "row_length"),
    ("a comma without quotes", f"item,{H}\ngoalkeeper,38,9\n", "lot.csv: row 2", "row_length"),
    ("two items", f"item,{H}\ngoalkeeper,38\nfigure,38\n", "lot.csv: row 3, column A (item)", "item_conflict"),
    ("no row", f"{H}\n", "lot.csv: row 1", "file_empty"),
    ("blank rows only", ",\n,\n", "lot.csv", "file_empty"),
    ("two separators", "a,b;c\n", "lot.csv: row 1", "csv_separator"),
    ("an open quote", f'item,{H}\ngoalkeeper,"38\n', "lot.csv: row 2", "csv_invalid"),
    ("too many columns", ",".join(["item"] * 501) + "\n", "lot.csv: row 1", "too_many_columns"),
    ("a long row", f"{H}\n{'1' * 100_001}\n", "lot.csv:2", "row_too_long"),
    ("bytes that are no text", f"{H}\n\x00\n", "lot.csv:2", "text_invalid"),
    ("a scan in a folder", "item,scan.file\ngoalkeeper,a/b.stl\n", "lot.csv: row 2, column B (scan.file)", "scan_file"),
]


@pytest.mark.parametrize(("text", "place", "code"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_a_table_is_refused_at_row_and_column(text: str, place: str, code: str) -> None:
    item = None if text.startswith(("item", f"{H},,item", f"{H};item")) else "goalkeeper"
    assert one_problem(refused(text, "lot.csv", item)) == (place, code)


def test_a_comma_beside_a_point_is_refused_with_both_cells() -> None:
    text = f"{H};goalkeeper.width[mm]\n38.9;\n;12,5\n"
    (problem,) = refused(text, "lot.csv", "goalkeeper")
    assert (problem.where, problem.code) == ("lot.csv: row 3, column B (goalkeeper.width[mm])", "decimal_mixed")
    assert f"lot.csv: row 2, column A ({H})" in problem.what


def test_the_faults_of_header_and_rows_come_together() -> None:
    text = f"{H},colour\n38_9,x\n38,9,x\n"
    assert [(problem.where, problem.code) for problem in refused(text, "lot.csv", "goalkeeper")] == [
        ("lot.csv: row 1, column B (colour)", "column_unknown"),
        (f"lot.csv: row 2, column A ({H})", "number_invalid"),
        ("lot.csv: row 3", "row_length"),
    ]


def test_a_table_without_an_item_asks_for_it() -> None:
    assert one_problem(refused(f"{H}\n1\n", "lot.csv")) == ("lot.csv", "item_missing")


@pytest.mark.parametrize(
    ("text", "place", "code"),
    [
        ("role,figure.height[mm]\ngoalkeeper,35\n", "set.csv: row 2, column B (figure.height[mm])", "quantity_unknown"),
        ("role,figure.height[mm]\n,35\n", "set.csv: row 2, column A (role)", "piece_item"),
        ("item,role\nfigure,goalkeeper\n", "set.csv: row 2, column A (item)", "piece_item"),
        (
            "role,answer.fig.sound,answer.fig.sound.role\ngoalkeeper,yes,maker\n",
            "set.csv: row 2, column B (answer.fig.sound)",
            "question_unknown",
        ),
        ("role\nstriker\n", "set.csv: row 2, column A (role)", "attribute_value"),
    ],
)
def test_a_piece_says_what_it_is_and_keeps_to_it(text: str, place: str, code: str) -> None:
    assert one_problem(refused(text, "set.csv", "set")) == (place, code)


def test_scans_of_pieces_know_their_piece() -> None:
    (submission,) = read("role,scan.file\nfield_figure,\ngoalkeeper,k.stl\n", "set.csv", "set")
    assert submission.scans == (ScanReference(file="k.stl", piece=(1,)),)


def test_a_short_row_among_pieces_is_refused() -> None:
    assert one_problem(refused("role,player\nfield_figure\n", "set.csv", "set")) == ("set.csv: row 2", "row_length")


def test_a_gauge_without_a_result_says_nothing_beside_bounds() -> None:
    text = "goalkeeper.height.gauge[mm],goalkeeper.height.result,goalkeeper.height.at_most[mm]\n39,,40\n"
    (reading,) = read(text, "lot.csv", "goalkeeper")[0].article.readings
    assert (reading.hi, reading.gauge_size) == (Decimal(40), None)


def test_answers_at_places_have_columns() -> None:
    text = "answer.board.level@end_a,answer.board.level@end_a.role,answer.board.level@end_a.by\nyes,referee,R\n"
    (answer,) = read(text, "lot.csv", "board")[0].article.answers
    assert answer == Answer(asks="board.level", yes=True, role="referee", by="R", place="end_a")


def test_an_unclear_unit_of_u_is_refused() -> None:
    text = "goalkeeper.height[mm],goalkeeper.height.gauge[cm],goalkeeper.height.result,goalkeeper.height.U\n1,,,1\n"
    place = "lot.csv: row 1, column D (goalkeeper.height.U)"
    assert one_problem(refused(text, "lot.csv", "goalkeeper")) == (place, "number_without_unit")
