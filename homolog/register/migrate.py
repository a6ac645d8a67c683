"""Bringing a database to the tables that this version of the program knows."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from homolog.errors import HomologError
from homolog.register.database import Database

FOLDER: Final = Path(__file__).resolve().parent / "migrations"


class DatabaseOutdated(HomologError):
    """The database's tables are not those of this version of the program."""

    code: ClassVar[str] = "database_outdated"
    exit_code: ClassVar[int] = 5


def newest() -> str:
    """Return the revision that this version of the program works with."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise RuntimeError("the package holds no migration")
    return head


def revision(database: Database) -> str | None:
    """Return where a database stands; None for an empty one."""
    with database.connect(is_write=False) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def migrate(database: Database) -> tuple[str | None, str]:
    """Bring a database to the newest revision, all of the way or not at all.

    Returns:
        The revision before and after.

    Raises:
        DatabaseOutdated: The database is from a newer version of the program.
    """
    known = ScriptDirectory.from_config(_config())
    with database.connect(is_write=True) as connection:
        before = MigrationContext.configure(connection).get_current_revision()
        if before is not None and before not in {script.revision for script in known.walk_revisions()}:
            raise DatabaseOutdated.because(
                f"the database {database.shown} is at revision {before[:40]}, which this version of the program does not know",
                todo="run the newer version of the program",
            )
        command.upgrade(_config(connection), "head")
    return before, newest()


def require_current(database: Database) -> None:
    """Refuse to work on tables that are not those of this version.

    Raises:
        DatabaseOutdated: They are older or newer, or there are none.
    """
    found, wanted = revision(database), newest()
    if found != wanted:
        raise DatabaseOutdated.because(
            f"the database {database.shown} is {'empty' if found is None else f'at revision {found[:40]}'}, and {wanted} is wanted",
            todo="run: homolog migrate",
        )


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
