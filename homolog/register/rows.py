"""Rows as lines of canonical JSON, in a form that belongs to no database: out of a table, and into an empty one."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, LargeBinary, Table, collate, func, select

from homolog.register.columns import UtcTime, json_text, time_of, time_text
from homolog.register.tables import METADATA

_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Copied:
    """One table in a copy: how many rows, and the SHA-256 of their lines."""

    rows: int
    sha256: str


def copied_tables() -> list[Table]:
    """Return the tables that a copy holds, in the order of their names."""
    return [table for _, table in sorted(METADATA.tables.items()) if not table.info.get("passing")]


def rows_of(connection: Connection, table: Table) -> Iterator[bytes]:
    """Yield a table's rows, each as a line of canonical JSON, in the order of its primary key."""
    is_postgresql = connection.dialect.name == "postgresql"
    # By code points, not by the collation of some host.
    order = [collate(key, "C") if is_postgresql and _is_text(key) else key for key in table.primary_key.columns]
    encoders = [(column.name, _encoder(column)) for column in table.columns]
    query = select(table).order_by(*order)
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        values = {name: None if value is None else encode(value) for (name, encode), value in zip(encoders, row, strict=True)}
        yield json_text(values).encode() + b"\n"


def copy_of(connection: Connection, table: Table, write: Callable[[bytes], object]) -> Copied:
    """Write a table's rows and return what was written."""
    digest, count = hashlib.sha256(), 0
    for line in rows_of(connection, table):
        digest.update(line)
        count += 1
        write(line)
    return Copied(count, digest.hexdigest())


def put_rows(connection: Connection, table: Table, lines: Iterable[bytes]) -> None:
    """Write rows into an empty table, in the transaction of the whole register.

    Raises:
        ValueError: A line is none of this table's.
    """
    decoders = {column.name: _decoder(column) for column in table.columns}
    waiting: list[dict[str, Any]] = []
    for line in lines:
        try:
            values = json.loads(line)
            decoded = {name: None if values[name] is None else decode(values[name]) for name, decode in decoders.items()}
        except (ValueError, AttributeError, TypeError, KeyError) as error:
            raise ValueError(f"a line is no row of the table {table.name}") from error
        waiting.append(decoded)
        if len(waiting) == _AT_ONCE:
            connection.execute(table.insert(), waiting)
            waiting.clear()
    if waiting:
        connection.execute(table.insert(), waiting)


def filled_tables(connection: Connection) -> list[str]:
    """Return the names of the tables that hold rows."""
    tables = sorted(METADATA.tables.items())
    return [name for name, table in tables if connection.execute(select(func.count()).select_from(table)).scalar_one()]


def _is_text(column: Column[Any]) -> bool:
    return column.type.python_type is str and not isinstance(column.type, UtcTime)


def _encoder(column: Column[Any]) -> Callable[[Any], Any]:
    if isinstance(column.type, UtcTime):
        return time_text
    if isinstance(column.type, LargeBinary):
        return lambda value: base64.b64encode(value).decode()
    return lambda value: value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else value


def _decoder(column: Column[Any]) -> Callable[[Any], Any]:
    if isinstance(column.type, UtcTime):
        return time_of
    if isinstance(column.type, LargeBinary):
        return lambda value: base64.b64decode(value, validate=True)
    if column.type.python_type is date:
        return date.fromisoformat
    return lambda value: value
