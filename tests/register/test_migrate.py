"""Migrating an empty database gives the tables that the program knows, on both databases."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from homolog.register.append_only import triggers_for
from homolog.register.database import Database
from homolog.register.migrate import FOLDER, DatabaseOutdated, migrate, newest, require_current, revision
from homolog.register.tables import METADATA
from homolog.register.tables.base import append_only_tables

ROOT = Path(__file__).resolve().parents[2]


def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_migration", ROOT / "tools" / "write_migration.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shape(connection: Connection) -> dict[str, object]:
    """Return all that the database says of its tables."""
    found = inspect(connection)
    return {
        name: (
            [(column["name"], repr(column["type"]), column["nullable"], column["default"]) for column in found.get_columns(name)],
            found.get_pk_constraint(name),
            sorted(found.get_foreign_keys(name), key=repr),
            sorted(found.get_unique_constraints(name), key=repr),
            sorted(found.get_check_constraints(name), key=repr),
            sorted(found.get_indexes(name), key=repr),
        )
        for name in sorted(found.get_table_names())
        if name != "alembic_version"
    }


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrating_gives_exactly_what_the_classes_say(kind: str, empty_url: Callable[[str], str]) -> None:
    migrated, direct = Database.open(empty_url(kind)), Database.open(empty_url(kind))
    migrate(migrated)
    with direct.connect(is_write=True) as connection:
        METADATA.create_all(connection)
    with migrated.connect(is_write=False) as one, direct.connect(is_write=False) as other:
        assert shape(one).keys() == METADATA.tables.keys()
        assert shape(one) == shape(other)
        assert compare_metadata(MigrationContext.configure(one, opts={"compare_type": True}), METADATA) == []
    migrated.close()
    direct.close()


def test_the_migration_is_the_one_that_the_classes_give(tmp_path: Path) -> None:
    tool = writer()
    tool.TARGET = tmp_path / "0001_first.py"
    tool.main()
    written = (FOLDER / "versions" / "0001_first.py").read_text()
    assert written == tool.TARGET.read_text(), f"run: {Path(sys.executable).name} tools/write_migration.py"


def test_migrating_twice_changes_nothing(database: Database) -> None:
    assert migrate(database) == (newest(), newest())
    require_current(database)


def test_an_empty_database_is_not_worked_on(empty_url: Callable[[str], str]) -> None:
    database = Database.open(empty_url("sqlite"))
    with pytest.raises(DatabaseOutdated, match=r"is empty, and .* is wanted; run: homolog migrate"):
        require_current(database)
    assert migrate(database) == (None, newest())
    require_current(database)
    database.close()


def test_a_newer_database_is_left_alone(database: Database) -> None:
    with database.connect(is_write=True) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseOutdated, match="9999"):
        migrate(database)
    with pytest.raises(DatabaseOutdated, match="9999"):
        require_current(database)
    assert revision(database) == "9999"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_migration_that_fails_leaves_nothing(kind: str, empty_url: Callable[[str], str]) -> None:
    database = Database.open(empty_url(kind))
    with database.connect(is_write=True) as connection:
        connection.execute(text("CREATE TABLE upload (id text)"))  # in the way of the migration, late in it
    with pytest.raises(Exception, match="upload"):
        migrate(database)
    with database.connect(is_write=False) as connection:
        assert set(inspect(connection).get_table_names()) - {"alembic_version"} == {"upload"}
    assert revision(database) is None
    database.close()


def test_the_guards_of_the_migration_are_those_of_the_classes() -> None:
    names = [table.name for table in append_only_tables()]
    assert len(triggers_for("sqlite", names)) == len(triggers_for("postgresql", names)) - 1 == 2 * len(names)
