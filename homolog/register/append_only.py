"""Triggers that let no row of a written-once table be changed or deleted, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable

REFUSAL = "rows of this table are written once"

_FUNCTION = f"""CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%: {REFUSAL}', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$"""


def triggers_for(dialect: str, tables: Iterable[str]) -> list[str]:
    """Return the statements that guard tables.

    Args:
        dialect: sqlite or postgresql.
        tables: Names of tables; the migration hands over what it was written with, not what the code says today.
    """
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table}: {REFUSAL}'); END"
            for table in tables
            for change in ("update", "delete")
        ]
    # A statement trigger too: TRUNCATE asks no row.
    changes = (("change", "UPDATE OR DELETE", "ROW"), ("truncate", "TRUNCATE", "STATEMENT"))
    guards = [
        f"CREATE TRIGGER {table}_no_{name} BEFORE {change} ON {table} FOR EACH {each} EXECUTE FUNCTION refuse_change()"
        for table in tables
        for name, change, each in changes
    ]
    return [_FUNCTION, *guards]
