"""Where a host keeps its register, opened by its settings: the database and the files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.migrate import migrate, require_current
from homolog.service.settings import Settings


@dataclass(frozen=True, slots=True)
class Stores:
    """An open register."""

    database: Database
    files: Files


@contextmanager
def open_stores(settings: Settings, *, must_be_current: bool = True) -> Iterator[Stores]:
    """Open the register that the settings name, and close it afterwards.

    Args:
        settings: Where it is.
        must_be_current: Refuse tables that are not those of this version; a migration and a restore do without.

    Raises:
        UsageError: It cannot be there.
        DatabaseOutdated: Its tables are older or newer, or there are none.
        DatabaseUnavailable: The database does not answer.
    """
    database = Database.open(settings.database)
    try:
        if database.is_sqlite and settings.is_default_database:
            Path(settings.data).mkdir(mode=0o700, parents=True, exist_ok=True)  # passwords' hashes lie there
        if must_be_current:
            require_current(database)
        yield Stores(database, Files.open(settings.files, settings.bucket_options))
    finally:
        database.close()


def prepare(settings: Settings) -> str | None:
    """Make the tables of a register that nobody chose a database for; any other one is only looked at.

    Returns:
        The revision that the tables are at now, if this changed them.

    Raises:
        DatabaseOutdated: Somebody's own database has other tables.
    """
    with open_stores(settings, must_be_current=not settings.is_default_database) as stores:
        if not settings.is_default_database:
            return None
        before, after = migrate(stores.database)
        return None if before == after else after


def is_made(settings: Settings) -> bool:
    """Whether there could be tables: a SQLite file that is not there would be made by opening it."""
    kind, _, path = settings.database.partition(":///")
    return kind != "sqlite" or Path(path).is_file()
