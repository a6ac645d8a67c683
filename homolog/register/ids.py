"""Identifiers: made by who makes the row, in the order of time, and never given twice."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from uuid import UUID

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)


def new_id(now: datetime) -> str:
    """Return an identifier that nobody can guess: a UUID of version 7 as text.

    Those of a later millisecond sort after those of an earlier one, in any database and by any collation.

    Args:
        now: Aware.
    """
    if now.tzinfo is None:
        raise ValueError("an identifier is made from an aware time")
    milliseconds = int(now.timestamp() * 1000)
    chance = secrets.randbits(74)
    number = milliseconds << 80 | 0x7 << 76 | (chance >> 62) << 64 | 0b10 << 62 | chance & (1 << 62) - 1
    return str(UUID(int=number))


def is_id(text: str) -> bool:
    """Whether a text could be an identifier; what could not be one need not be looked for."""
    return _ID.fullmatch(text) is not None
