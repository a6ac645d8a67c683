"""Owns the register as files that others read: CSV and JSON, a page at a time, so that none is too large to send."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from homolog.register import search
from homolog.register.search import Found, Wanted
from homolog.service.desk import Desk
from homolog.service.extract import extract_text

COLUMNS: Final = (
    "number", "item", "family", "name", "maker", "body", "edition", "named_by", "status", "since", "until",
    "usable", "usable_until",
)  # fmt: skip
FORMAT: Final = "homolog-register-list/1"
# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are their wide forms


def row_of(found: Found) -> dict[str, Any]:
    """Return a type of the register as one flat row; what is not known, or is no homologation, is empty."""
    record, period = found.type, found.period
    since = "" if period is None or period.since == date.min else period.since.isoformat()
    data = {} if period is None else period.data
    return {
        "number": record.number,
        "item": record.item,
        "family": record.family,
        "name": record.name,
        "maker": record.maker,
        "body": record.body,
        "edition": record.edition,
        "named_by": record.named_by or "",
        "status": "" if period is None else period.status,
        "since": since,
        "until": data.get("until", ""),
        "usable": "yes" if period is not None and period.is_usable else "no",
        "usable_until": data.get("usable_until", ""),
    }


def rows(desk: Desk, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """Yield all types that are looked for; each page is read by itself, so that no reader holds the database."""
    after: str | None = None
    while True:
        with desk.database.read() as session:
            page = search.search(session, wanted, after=after, limit=search.MOST)
        for found in page.found:
            yield row_of(found)
        after = page.after
        if after is None:
            return


def csv_lines(desk: Desk, wanted: Wanted) -> Iterator[bytes]:
    """Yield the register as CSV in UTF-8; a text that a spreadsheet would take for a formula begins with an apostrophe."""
    yield _line(COLUMNS)
    for row in rows(desk, wanted):
        yield _line(tuple(_plain(str(row[name])) for name in COLUMNS))


def json_lines(desk: Desk, wanted: Wanted) -> Iterator[bytes]:
    """Yield the register as one JSON document, a type a line."""
    head = json.dumps({"format": FORMAT, "body": desk.body, "on": wanted.on.isoformat()}, ensure_ascii=False)
    yield f'{head[:-1]}, "types": ['.encode()
    mark = "\n"
    for row in rows(desk, wanted):
        yield f"{mark}{json.dumps(row, ensure_ascii=False)}".encode()
        mark = ",\n"
    yield b"\n]}\n"


def extract(desk: Desk, *, day: date) -> bytes:
    """Return the extract that `homolog check --register` reads: which types may be used from when to when."""
    with desk.database.read() as session:
        return extract_text(session, desk, day).encode()


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _line(cells: tuple[str, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode()
