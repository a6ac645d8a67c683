"""Databases for tests: a migrated SQLite file, and a database in a throw-away PostgreSQL, both empty for each test."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.migrate import migrate, newest
from homolog.register.tables import METADATA

REQUIRED = "HOMOLOG_REQUIRE_POSTGRESQL"
UrlFor = Callable[[str], str]


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, of the newest version there is."""
    on_path = shutil.which("pg_ctl")
    found = [Path(on_path).resolve().parent] if on_path else []
    debian = Path("/usr/lib/postgresql")
    if debian.is_dir():
        found += [path / "bin" for path in sorted(debian.iterdir(), key=lambda path: path.name.zfill(4), reverse=True)]
    return next((folder for folder in found if (folder / "initdb").is_file() and (folder / "postgres").is_file()), None)


def unprivileged() -> str | None:
    """Return whom the server runs as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextmanager
def server(*, is_durable: bool) -> Iterator[str]:
    """Start a PostgreSQL on a socket in a temporary folder of its own; yield the folder.

    Args:
        is_durable: Whether it waits for the disk; without, tests are quicker.
    """
    folder = programs()
    if folder is None:
        raise FileNotFoundError("PostgreSQL is not installed")
    user = unprivileged()
    base = Path(tempfile.mkdtemp(prefix="homolog-pg-"))
    if user is not None:
        shutil.chown(base, user)

    def run(*words: str) -> None:
        done = subprocess.run(words, user=user, cwd=base, capture_output=True, text=True, check=False, env={"LC_ALL": "C.UTF-8"})
        assert done.returncode == 0, f"{words[0]}: {done.stdout}{done.stderr}"

    # An ordinary collation, as a host would have it: what only sorts right by code points must not pass here by chance.
    locale = ("--locale-provider=icu", "--icu-locale=en", "--locale=C.UTF-8")
    run(f"{folder}/initdb", "-D", f"{base}/data", "-U", "homolog", "-A", "trust", "-E", "UTF8", "--no-sync", *locale)
    options = f"-k {base} -c listen_addresses='' -c max_connections=100"
    options += "" if is_durable else " -c fsync=off -c full_page_writes=off"
    run(f"{folder}/pg_ctl", "-D", f"{base}/data", "-l", f"{base}/log", "-o", options, "-w", "start")
    try:
        yield str(base)
    finally:
        run(f"{folder}/pg_ctl", "-D", f"{base}/data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(base, ignore_errors=True)


def create_database(server_folder: str, name: str) -> str:
    """Make an empty database and return its URL."""
    _command(server_folder, f"CREATE DATABASE {name}")
    return f"postgresql+psycopg://homolog@/{name}?host={server_folder}"


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """Yield the folder of a PostgreSQL that was started for these tests."""
    if programs() is None:
        says = "PostgreSQL is not installed, so nothing was tried on it"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(says)
        pytest.skip(says)
    with server(is_durable=False) as folder:
        yield folder


@pytest.fixture(scope="session")
def _migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "homolog.db"
    _migrate(f"sqlite:///{path}")
    with Database.open(f"sqlite:///{path}").engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture(scope="session")
def _migrated_postgresql(postgresql_server: str) -> str:
    url = create_database(postgresql_server, "migrated")
    _migrate(url)
    return url


@pytest.fixture
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[UrlFor]:
    """Yield a function that gives the URL of a new, empty database of a kind: sqlite or postgresql."""
    made: list[str] = []
    numbers = count()

    def url(kind: str) -> str:
        name = f"t{os.getpid()}_{abs(hash(request.node.nodeid)) % 10**12}_{next(numbers)}"
        if kind == "sqlite":
            return f"sqlite:///{tmp_path / name}.db"
        made.append(name)
        return create_database(request.getfixturevalue("postgresql_server"), name)

    yield url
    for name in made:
        _command(request.getfixturevalue("postgresql_server"), f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Yield a migrated database without rows; each test runs on both kinds."""
    if request.param == "sqlite":
        path = tmp_path / "homolog.db"
        shutil.copy(request.getfixturevalue("_migrated_sqlite"), path)
        opened = Database.open(f"sqlite:///{path}")
        yield opened
        opened.close()
        return
    opened = Database.open(request.getfixturevalue("_migrated_postgresql"))
    _empty(opened)
    yield opened
    opened.close()


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return an empty store of files."""
    return Files.open(tmp_path / "files")


def _command(server_folder: str, statement: str) -> None:
    with psycopg.connect(f"host={server_folder} user=homolog dbname=postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


def _empty(database: Database) -> None:
    """Take all rows out, past the guards: making a new database takes a second, this a few milliseconds."""
    with database.connect(is_write=True) as connection:
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        for table in METADATA.tables:
            connection.exec_driver_sql(f'DELETE FROM "{table}"')  # noqa: S608 -- our own names
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{newest()}'")  # noqa: S608


def _migrate(url: str) -> None:
    opened = Database.open(url)
    migrate(opened)
    opened.close()
