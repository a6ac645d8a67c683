"""Every row of the clause table is accounted for, or named as not."""

from decimal import Decimal
from pathlib import Path

import pytest

from homolog.errors import SpecError
from homolog.spec.clause_table import ClauseRow, read_clause_table
from homolog.spec.coverage import coverage
from homolog.spec.library import Library
from tests.spec.sample import TABLE, Edit, Shelf, edited

KEEPER = "fistf/4.0/goalkeeper.yaml"


def covered(shelf: Shelf):  # type: ignore[no-untyped-def]
    return coverage(Library(shelf.root).edition("fistf", "4.0"))


def test_a_whole_edition_has_all_its_rows() -> None:
    for (body, label), edition in Library().editions.items():
        found = coverage(edition)
        assert (found.percent, found.unaccounted, found.unknown_clauses) == (Decimal(100), (), ()), f"{body} {label}"


def test_each_row_says_how_it_is_accounted_for(shelf: Shelf) -> None:
    found = covered(shelf)
    assert (found.body, found.label, found.percent, found.unaccounted) == ("fistf", "4.0", Decimal("100.0"), ())
    by_row = {row.row.row: row for row in found.rows}
    assert by_row["goalkeeper.height"].requirements == ("gk.height",)
    assert by_row["goalkeeper.hue"].requirements == ("gk.colour",)
    assert by_row["goalkeeper.colour"].requirements == ("gk.colour",)
    grip = by_row["goalkeeper.grip"]
    assert (grip.requirements, grip.status, grip.reason) == ((), "informative", "a rule of play")


@pytest.mark.parametrize(
    ("edits", "row"),
    [
        ([(', covers: [goalkeeper.colour, goalkeeper.hue]', "")], "goalkeeper.hue"),
        ([('39 mm, clause: "1"', '39 mm, clause: "3"')], "goalkeeper.height"),  # the right name under another clause
        ([(', row: goalkeeper.grip', "")], "goalkeeper.grip"),  # a clause as a whole says nothing of its rows
        ([(', note: "a rule of play"', "")], "goalkeeper.grip"),  # no reason
        ([("status: informative", "status: checked")], "goalkeeper.grip"),  # checked by nothing
    ],
)  # fmt: skip
def test_a_row_without_requirement_or_reason_is_listed(shelf: Shelf, edits: list[Edit], row: str) -> None:
    shelf.edit(KEEPER, *edits)
    found = covered(shelf)
    assert [unaccounted.row for unaccounted in found.unaccounted] == [row]
    assert found.percent == Decimal("92.3")  # 12 of 13


def test_all_but_one_of_many_rows_are_not_100_per_cent(shelf: Shelf) -> None:
    more = "".join(f"5,goalkeeper,goalkeeper.row_{number},,,,,match,match\n" for number in range(3000))
    shelf.write("fistf/4.0/clauses.csv", f"{TABLE}{more}5,goalkeeper,goalkeeper.last,,,,,match,match\n")
    clauses = "".join(
        f'  - {{id: "5", row: goalkeeper.row_{number}, status: informative, note: "play"}}\n' for number in range(3000)
    )
    shelf.edit(KEEPER, ("attributes:\n  pose", f"{clauses}attributes:\n  pose"))
    assert covered(shelf).percent == Decimal("99.9")


def test_clauses_that_the_table_does_not_hold_are_listed(shelf: Shelf) -> None:
    more = '  - {id: "7", status: informative, note: "x"}\n  - {id: "5", row: goalkeeper.hold, status: informative, note: "x"}\n'
    shelf.edit(KEEPER, ("attributes:\n  pose", f"{more}attributes:\n  pose"))
    assert covered(shelf).unknown_clauses == ("7", "5 goalkeeper.hold")


def test_an_empty_table_covers_nothing(shelf: Shelf) -> None:
    shelf.write("fistf/4.0/clauses.csv", TABLE.splitlines()[0])
    assert covered(shelf).percent == 0


def read(folder: Path, text: str) -> tuple[ClauseRow, ...]:
    (folder / "clauses.csv").write_text(text, encoding="utf-8")
    return read_clause_table(folder, "clauses.csv")


def test_a_row_is_read_with_its_numbers_and_its_line(tmp_path: Path) -> None:
    row = read(tmp_path, TABLE)[5]
    assert row == ClauseRow(
        line=7,
        clause="4",
        item="goalkeeper",
        row="goalkeeper.ten",
        unit="count",
        min=Decimal(2),
        max=Decimal(10),
        kind="set",
        scope="set",
    )


@pytest.mark.parametrize(
    ("edit", "where", "says"),
    [
        (("row,unit", "quantity,unit"), "clauses.csv:1:1", "the columns are clause, item, quantity"),
        (("2,goalkeeper,goalkeeper.body,,", "2,goalkeeper,goalkeeper.body,"), "clauses.csv:4:1", "8 cells instead of 9"),
        (("mm,,39,", "mm,,39 mm,"), "clauses.csv:2:1", "max: '39 mm' is not a plain number"),
        (("mm,,39,", "ell,,39,"), "clauses.csv:2:1", "the unit 'ell' is not known"),
        (("mm,,39,", ",,39,"), "clauses.csv:2:1", "the unit '' is not known"),
        (("2,goalkeeper,goalkeeper.body", ",goalkeeper,goalkeeper.body"), "clauses.csv:4:1", "clause, item or row is empty"),
        (
            ("2,goalkeeper,goalkeeper.body", "3,goalkeeper,goalkeeper.fixed"),
            "clauses.csv:6:1",
            "goalkeeper.fixed stands twice under 3",
        ),
        (("5,goalkeeper", '"5,goalkeeper'), "clauses.csv:14:1", "not a row: unexpected end of data"),
    ],
)
def test_a_table_that_is_no_table_is_refused_at_its_line(tmp_path: Path, edit: Edit, where: str, says: str) -> None:
    with pytest.raises(SpecError) as refused:
        read(tmp_path, edited(TABLE, edit))
    assert [problem.where for problem in refused.value.problems] == [where]
    assert refused.value.problems[0].what.startswith(says)


def test_an_edition_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no clause table"):
        read_clause_table(tmp_path)
