"""An edition's clause table, `clauses.csv`: every row of its sources as data, without sentences."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from homolog.errors import HomologError, Problem, SpecError
from homolog.gate.text import decode_text
from homolog.quantity import UNITS, parse_number

COLUMNS = ("clause", "item", "row", "unit", "min", "max", "nominal", "kind", "scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseRow:
    """One row: a clause says one thing of an item.

    Attributes:
        line: Where the row stands in the file.
        unit: Unit of the numbers; empty where the row has none.
    """

    line: int
    clause: str
    item: str
    row: str
    unit: str = ""
    min: Decimal | None = None
    max: Decimal | None = None
    nominal: Decimal | None = None
    kind: str = ""
    scope: str = ""


def read_clause_table(folder: Path, name: str | None = None) -> tuple[ClauseRow, ...]:
    """Read the clause table of an edition's folder.

    Raises:
        SpecError: There is no table, its columns are others, or a cell is not what it must be.
    """
    path = folder / "clauses.csv"
    shown = name or "/".join(path.parts[-3:])
    if not path.is_file():
        raise SpecError.because(
            "there is no clause table", where=shown, todo="list every row of the sources there", code="table_missing"
        )
    lines = decode_text(path.read_bytes(), shown).splitlines()
    reader = csv.reader(lines, strict=True)
    problems: list[Problem] = []
    rows: list[ClauseRow] = []
    try:
        header = tuple(next(reader))
        if header != COLUMNS:
            problems.append(
                Problem(f"{shown}:1:1", f"the columns are {', '.join(header)}", f"write {','.join(COLUMNS)}", "table_columns")
            )
        else:
            rows = [row for cells in reader if (row := _row(cells, reader.line_num, shown, problems)) is not None]
    except csv.Error as error:
        problems.append(Problem(f"{shown}:{reader.line_num}:1", f"not a row: {error}", "mend its quotes", "table_row"))
    problems.extend(_doubles(rows, shown))
    if problems:
        raise SpecError(*problems)
    return tuple(rows)


def _row(cells: list[str], line: int, shown: str, problems: list[Problem]) -> ClauseRow | None:
    where = f"{shown}:{line}:1"
    if len(cells) != len(COLUMNS):
        problems.append(
            Problem(where, f"{len(cells)} cells instead of {len(COLUMNS)}", "write every cell, empty ones too", "table_row")
        )
        return None
    row = dict(zip(COLUMNS, cells, strict=True))
    numbers: dict[str, Decimal | None] = {}
    for key in ("min", "max", "nominal"):
        try:
            numbers[key] = parse_number(row[key]) if row[key] else None
        except HomologError as error:
            problems.append(Problem(where, f"{key}: {error.problems[0].what}", error.problems[0].todo, "table_row"))
            return None
    if row["unit"] not in UNITS and (row["unit"] or any(number is not None for number in numbers.values())):
        problems.append(Problem(where, f"the unit {row['unit']!r} is not known", f"write one of {', '.join(UNITS)}", "table_row"))
        return None
    if not (row["clause"] and row["item"] and row["row"]):
        problems.append(Problem(where, "clause, item or row is empty", "fill it in", "table_row"))
        return None
    texts = {key: row[key] for key in ("clause", "item", "row", "unit", "kind", "scope")}
    return ClauseRow(line=line, **texts, **numbers)  # type: ignore[arg-type]


def _doubles(rows: list[ClauseRow], shown: str) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if (row.clause, row.row) in seen:
            yield Problem(f"{shown}:{row.line}:1", f"{row.row} stands twice under {row.clause}", "keep one row", "table_row")
        seen.add((row.clause, row.row))
