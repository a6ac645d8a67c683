"""What happened is never changed: both databases refuse it, whoever asks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from homolog.register.append_only import REFUSAL
from homolog.register.database import Database
from homolog.register.tables import METADATA
from homolog.register.tables.base import append_only_tables
from homolog.register.tables.files import StoredFile

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def stored(database: Database) -> Database:
    with database.write() as session:
        session.add(StoredFile(digest="a", size=1, at=NOW))
    return database


def refuses(database: Database, statement: str) -> None:
    with pytest.raises(IntegrityError, match=REFUSAL), database.connect(is_write=True) as connection:
        connection.execute(text(statement))
    with database.read() as session:
        assert session.get_one(StoredFile, "a").size == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_file SET size = 2",
        "DELETE FROM stored_file",
        "DELETE FROM stored_file WHERE digest = 'a'",
        "INSERT INTO stored_file VALUES ('a', 2, :now) ON CONFLICT (digest) DO UPDATE SET size = 2",
    ],
)
def test_a_row_stays_as_it_is(stored: Database, statement: str) -> None:
    refuses(stored, statement.replace(":now", "'2026-11-30T12:00:00.000000Z'"))


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_replacing_a_row_is_refused_too(stored: Database) -> None:
    refuses(stored, "INSERT OR REPLACE INTO stored_file VALUES ('a', 2, '2026-11-30T12:00:00.000000Z')")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_emptying_a_table_is_refused_too(stored: Database) -> None:
    refuses(stored, "TRUNCATE stored_file CASCADE")


def test_every_table_that_is_written_once_has_its_guards(database: Database) -> None:
    query = (
        "SELECT tbl_name, count(*) FROM sqlite_master WHERE type = 'trigger' GROUP BY tbl_name"
        if database.is_sqlite
        else "SELECT tgrelid::regclass::text, count(*) FROM pg_trigger WHERE NOT tgisinternal GROUP BY tgrelid"
    )
    with database.connect(is_write=False) as connection:
        found = {row[0]: row[1] for row in connection.execute(text(query))}
    assert found == {table.name: 2 for table in append_only_tables()}


def test_what_only_happens_is_written_once() -> None:
    once = {table.name for table in append_only_tables()}
    assert {"audit_entry", "stored_file", "role_grant", "membership", "organisation_profile"} <= once
    assert "account" in METADATA.tables.keys() - once
