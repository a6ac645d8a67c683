"""One database behind one URL: SQLite or PostgreSQL, with the same promises.

There is one writer at a time on both. SQLite is made so; on PostgreSQL a write takes a lock first, which ends with its transaction.
So a write sees all that was acknowledged before it, nothing needs to be tried again, and what is right on one database is right
on the other. A write is short: nothing is computed, uploaded or waited for inside.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, OperationalError
from sqlmodel import Session

from homolog.errors import HomologError, InputRefused, UsageError

WAIT_SECONDS: Final = 30
"""How long a write waits for the one before it."""

_WRITE = "homolog_write"
_JOINED: ContextVar[tuple[Engine, Session] | None] = ContextVar("homolog_joined", default=None)
# SQLite calls faults of ours, such as a table that is not there, by the same name as its own.
_OURS = ("SQLITE_ERROR", "SQLITE_READONLY")
# Any number, the same in every process; the job library's own locks are others.
_WRITER_LOCK = 0x686D6C6777


class DatabaseUnavailable(HomologError):
    """The database did not answer, or another writer held it for too long; nothing of the transaction is in it."""

    code: ClassVar[str] = "database_unavailable"
    exit_code: ClassVar[int] = 5


@dataclass(frozen=True, slots=True)
class Database:
    """An open database; it may be shared by threads, never by forked processes."""

    url: URL
    engine: Engine
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @classmethod
    def open(cls, url: str) -> Self:
        """Open a database; nothing is written, and no table is looked at.

        Args:
            url: `sqlite:///PATH` or `postgresql+psycopg://USER@HOST/NAME`.

        Raises:
            UsageError: The URL is none of these.
        """
        known = _checked(url)
        return cls(known, _sqlite(known) if known.get_backend_name() == "sqlite" else _postgresql(known))

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.engine.dialect.name == "sqlite"

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Hand out the only session that writes; what it did is on the disk when this ends, or nothing of it.

        Raises:
            DatabaseUnavailable: It did not answer, or another writer did not end.
            InputRefused: A text holds what the database cannot.
        """
        joined = self._joined()
        if joined is not None:
            yield joined
            joined.flush()
            return
        with self._transaction(is_write=True) as connection, Session(connection, expire_on_commit=False) as session:
            yield session
            session.flush()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Hand out a session that sees one state of the database and can change nothing.

        Raises:
            DatabaseUnavailable: It did not answer.
        """
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with self._transaction(is_write=False) as connection, Session(connection, autoflush=False) as session:
            yield session

    @contextmanager
    def join(self, session: Session) -> Iterator[None]:
        """Let every `write` and `read` in this context take part in a write that is under way: all of it counts, or nothing.

        Args:
            session: What `write` handed out.
        """
        token = _JOINED.set((self.engine, session))
        try:
            yield
        finally:
            _JOINED.reset(token)

    def _joined(self) -> Session | None:
        joined = _JOINED.get()
        return joined[1] if joined is not None and joined[0] is self.engine else None

    @contextmanager
    def connect(self, *, is_write: bool) -> Iterator[Connection]:
        """Hand out a bare connection in a transaction, for migrations and copies."""
        with self._transaction(is_write=is_write) as connection:
            yield connection

    def close(self) -> None:
        """Let all connections go."""
        self.engine.dispose()

    @contextmanager
    def _in_turn(self, *, is_write: bool) -> Iterator[None]:
        """Let threads of one process write to SQLite in turn: it would have them sleep and try again, some for very long."""
        if not (is_write and self.is_sqlite):
            yield
            return
        if not self._turn.acquire(timeout=WAIT_SECONDS):
            raise _unavailable(self, "another writer does not end")
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def _transaction(self, *, is_write: bool) -> Iterator[Connection]:
        options: dict[str, Any] = {_WRITE: is_write}
        if not self.is_sqlite:
            options |= {"isolation_level": "READ COMMITTED" if is_write else "REPEATABLE READ", "postgresql_readonly": not is_write}
        try:
            with (
                self._in_turn(is_write=is_write),
                self.engine.connect().execution_options(**options) as connection,
                connection.begin(),
            ):
                if is_write and not self.is_sqlite:
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER_LOCK})")
                yield connection
        except OperationalError as error:
            if getattr(error.orig, "sqlite_errorname", "") in _OURS:
                raise
            raise _unavailable(self, _first_line(error)) from error
        except (DataError, UnicodeEncodeError) as error:
            raise _unfit() from error


def _checked(url: str) -> URL:
    todo = "write sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME"
    try:
        known = make_url(url)
    except ArgumentError:
        raise UsageError.because("the database's URL cannot be read", todo=todo) from None
    if known.drivername == "postgresql":
        return known.set(drivername="postgresql+psycopg")
    if known.drivername not in ("sqlite", "postgresql+psycopg"):
        raise UsageError.because(f"a database at {known.drivername}:// is not known", todo=todo)
    if known.drivername == "sqlite" and known.database in (None, "", ":memory:"):
        raise UsageError.because("a database in memory would be lost", todo=todo)
    return known


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS, "check_same_thread": False}, pool_size=20, max_overflow=40)

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would not be IMMEDIATE
        for pragma in (
            "journal_mode = WAL",
            # NORMAL lost a quarter of what was acknowledged when the power was cut; FULL lost nothing.
            "synchronous = FULL",
            "foreign_keys = ON",
            # Without it INSERT OR REPLACE deletes rows and asks no trigger.
            "recursive_triggers = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        is_write = connection.get_execution_options().get(_WRITE, False)
        connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if is_write else 'ON'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")

    @event.listens_for(engine, "before_cursor_execute")
    def _refuse_nul(_: object, __: object, ___: str, parameters: Any, *____: object) -> None:
        # PostgreSQL refuses it; what one database takes must fit into the other.
        rows = parameters if isinstance(parameters, list) else [parameters]
        if any(isinstance(value, str) and "\0" in value for row in rows for value in row):
            raise _unfit()

    return engine


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_size=20,
        max_overflow=40,
        connect_args={
            "connect_timeout": 10,
            # A plan for any value suits a word that all types share as badly as one that a single type has: plan for the value.
            "options": f"-c lock_timeout={WAIT_SECONDS}s -c timezone=UTC -c synchronous_commit=on"
            " -c plan_cache_mode=force_custom_plan",
        },
    )


def _unavailable(database: Database, why: str) -> DatabaseUnavailable:
    return DatabaseUnavailable.because(f"the database {database.shown} does not answer: {why}", todo="look at it, then try again")


def _unfit() -> InputRefused:
    todo = "leave out control characters and halves of characters"
    return InputRefused.because("a value holds what cannot be stored", todo=todo, code="text_refused")


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().partition("\n")[0]


def default_sqlite(folder: Path) -> str:
    """Return the URL of the database that lies in a folder of data."""
    return f"sqlite:///{folder / 'homolog.db'}"


def write_ahead(path: str) -> None:
    """Make a SQLite file that somebody else keeps tables in, or have one write ahead: readers and a writer then do not wait.

    Raises:
        DatabaseUnavailable: Others did not let it go.
    """
    until = time.monotonic() + WAIT_SECONDS
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS)
    try:
        while True:  # the change itself does not wait for others as all else does
            try:
                if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal":
                    return
            except sqlite3.OperationalError:
                pass
            if time.monotonic() > until:
                todo = "look at who holds it, then try again"
                raise DatabaseUnavailable.because(f"the file {path} is held by others", todo=todo)
            time.sleep(0.05)
    finally:
        connection.close()
