"""Days as they are written on the command line."""

from __future__ import annotations

import re
from datetime import date

from homolog.errors import UsageError

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def read_day(text: str, option: str) -> date:
    """Return the day that an option names.

    Raises:
        UsageError: There is no such day.
    """
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise UsageError.because(f"{option} {text[:20]!r} is not a date", todo="write as 2026-11-30")
