"""How values lie in a column: times, canonical JSON, text with one order on both databases."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import rfc8785
from sqlalchemy import Dialect, String, Text, TypeDecorator
from sqlalchemy.dialects.postgresql import TIMESTAMP, VARCHAR
from sqlalchemy.types import TypeEngine

_LENGTH_OF_TIME = 27


def time_text(moment: datetime) -> str:
    """Return a moment as `2026-11-30T17:18:03.000000Z`, always of the same length, so that text sorts as time.

    Raises:
        ValueError: The moment has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone could be any; pass an aware one")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def time_of(text: str) -> datetime:
    """Return the moment that `time_text` wrote."""
    return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=UTC)


def json_text(value: Any) -> str:
    """Return a value as RFC 8785 canonical JSON: one text a value, so that it can be compared, hashed and signed."""
    return rfc8785.dumps(value).decode("utf-8")


class UtcTime(TypeDecorator[datetime]):
    """A moment: text of one length on SQLite, `timestamptz` on PostgreSQL; aware and in UTC wherever it is read."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database knows."""
        is_postgresql = dialect.name == "postgresql"
        return dialect.type_descriptor(TIMESTAMP(timezone=True) if is_postgresql else String(_LENGTH_OF_TIME))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Refuse a moment without a zone; the rest goes in as UTC."""
        if value is None:
            return None
        text = time_text(value)
        return value.astimezone(UTC) if dialect.name == "postgresql" else text

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC."""
        if value is None:
            return None
        return value.astimezone(UTC) if isinstance(value, datetime) else time_of(value)


class CanonicalJson(TypeDecorator[str]):
    """JSON as its canonical text, made by `json_text`.

    The column holds text, not the value: a change inside a value is not saved and nobody sees it; a text cannot be changed.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Refuse what is not canonical: it would hash differently from what it says."""
        if value is not None and json_text(json.loads(value)) != value:
            raise ValueError(f"{value[:40]!r} is not canonical JSON; make it by json_text")
        return value


class Ordered(TypeDecorator[str]):
    """Text in the order of its code points, on PostgreSQL too: what is paged through, or searched by its beginning."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database knows."""
        return dialect.type_descriptor(VARCHAR(collation="C") if dialect.name == "postgresql" else String())
