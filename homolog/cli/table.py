"""The table of a batch: a row a case, a column a number; as CSV, JSON Lines or XLSX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from homolog.cli.files import check_folder
from homolog.cli.results import Result
from homolog.errors import UsageError

ENDINGS = (".csv", ".jsonl", ".xlsx")
_HEAD = ("file", "item", "verdict", "outcome", "problem")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One case: its words, and its readings by quantity and unit."""

    words: tuple[str, ...]
    readings: Mapping[str, Mapping[str, Any]]


def check_table(path: Path) -> None:
    """Refuse a table's path before any work is done.

    Raises:
        UsageError: The ending is none of a table's, or the folder does not exist.
    """
    if path.suffix not in ENDINGS:
        raise UsageError.because(f"{path.name} is no table's name", todo=f"end it in one of {', '.join(ENDINGS)}")
    check_folder(path)


def row_of(result: Result) -> Row:
    """Return a result as a row; readings that no rule used are in it too."""
    if result.report is None:
        return Row(words=(result.name, "", result.word, "", "; ".join(map(str, result.problems))), readings={})
    record = result.report.record
    name = result.name if record["submission"]["row"] is None else f"{result.name}:{record['submission']['row']}"
    readings: dict[str, Mapping[str, Any]] = {}
    for reading in _readings_in((record["findings"], record["unused"], record["pieces"])):
        place = f" ({reading['place']})" if reading.get("place") else ""
        readings.setdefault(f"{reading['quantity']}{place} [{reading.get('unit') or '1'}]", reading)
    return Row(words=(name, record["item"], record["verdict"], record["outcome"], ""), readings=readings)


def write_rows(rows: Sequence[Row], ending: str) -> bytes:
    """Return the table; the same rows give the same bytes.

    Raises:
        UsageError: The cases have more numbers than a workbook has columns.
    """
    match ending:
        case ".csv":
            return _csv(rows)
        case ".jsonl":
            return b"".join(_json_line(row) for row in rows)
        case _:
            return _xlsx(rows)


def _readings_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every reading in a part of a record, wherever it stands."""
    if isinstance(value, Mapping):
        if "quantity" in value and "evidence" in value:
            yield value
        else:
            for inner in value.values():
                yield from _readings_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _readings_in(inner)


def _columns(rows: Iterable[Row]) -> list[str]:
    return sorted({name for row in rows for name in row.readings})


def _said(reading: Mapping[str, Any]) -> tuple[str, bool]:
    """Return a reading's value as text, and whether it is a number."""
    if reading.get("value") is not None:
        return str(reading["value"]), True
    low, high = reading.get("lo"), reading.get("hi")
    bounds = [f"at least {low}" if low is not None else "", f"at most {high}" if high is not None else ""]
    return ", ".join(filter(None, bounds)) or str(reading.get("gauge_result") or reading.get("gauge") or ""), False


def _cells(row: Row, columns: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield a row's cells, each with whether it is a number."""
    for word in row.words:
        yield word, False
    for name in columns:
        reading = row.readings.get(name)
        yield ("", False) if reading is None else _said(reading)
        wide = None if reading is None else reading.get("U")
        yield ("", False) if wide is None else (str(wide), True)


def _head(columns: Sequence[str]) -> list[str]:
    return [*_HEAD, *(cell for name in columns for cell in (name, f"U {name}"))]


def _csv(rows: Sequence[Row]) -> bytes:
    columns = _columns(rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_head(columns))
    for row in rows:
        writer.writerow([cell if is_number else _as_text(cell) for cell, is_number in _cells(row, columns)])
    return text.getvalue().encode()


def _as_text(cell: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _json_line(row: Row) -> bytes:
    readings = {
        name: {key: reading[key] for key in ("value", "U", "lo", "hi") if reading.get(key) is not None}
        for name, reading in sorted(row.readings.items())
    }
    line = dict(zip(_HEAD, row.words, strict=True)) | {"readings": readings}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _xlsx(rows: Sequence[Row]) -> bytes:
    import xlsxwriter

    columns = _columns(rows)
    head = _head(columns)
    if len(head) > _MOST_COLUMNS:
        raise UsageError.because("the table has more columns than a workbook takes", todo="write it as .csv or .jsonl")
    data = io.BytesIO()
    workbook = xlsxwriter.Workbook(data, {"in_memory": True})
    workbook.set_properties({"created": _CREATED})
    sheet = workbook.add_worksheet("check")
    sheet.freeze_panes(1, 1)
    bold = workbook.add_format({"bold": True})
    for column, name in enumerate(head):
        sheet.write_string(0, column, name, bold)
    for number, row in enumerate(rows, 1):
        for column, (cell, is_number) in enumerate(_cells(row, columns)):
            if is_number:
                sheet.write_number(number, column, float(Decimal(cell)))
            elif cell:
                sheet.write_string(number, column, cell)  # as text, whatever it begins with
    workbook.close()
    return data.getvalue()
