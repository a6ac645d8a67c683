"""Owns the register's extract: which types may be used from when to when, as an assessment looks into it and as a file."""

from __future__ import annotations

from datetime import date
from typing import Any

from homolog.check.extract import FORMAT, extract_from
from homolog.evaluate.register import RegisterExtract
from homolog.register import search, types
from homolog.register.columns import json_text
from homolog.register.session import Session
from homolog.service.desk import Desk


def extract_text(session: Session, desk: Desk, day: date) -> str:
    """Return the extract of a day as canonical JSON: every type with the days on which it may be used, as decided so far."""
    entries: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        page = search.search(session, search.Wanted(on=day), after=after, limit=search.MOST)
        spans = types.periods(session, [found.type.id for found in page.found])
        entries += [_entry(found.type, spans[found.type.id]) for found in page.found]
        after = page.after
        if after is None:
            break
    return json_text({"format": FORMAT, "body": desk.body, "on": day.isoformat(), "types": entries})


def extract_of(session: Session, desk: Desk, day: date) -> RegisterExtract:
    """Return the extract of a day as an assessment looks into it, with the digest of its text."""
    return extract_from(extract_text(session, desk, day).encode(), "register")


def _entry(record: types.TypeRecord, periods: tuple[types.PeriodRecord, ...]) -> dict[str, Any]:
    return {
        "number": record.number,
        "item": record.item,
        "names": [record.name, *record.details.get("also", ())],
        "usable": [
            {"since": period.since.isoformat(), **({} if period.until is None else {"until": period.until.isoformat()})}
            for period in periods
            if period.is_usable
        ],
    }
