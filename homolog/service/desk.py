"""Owns what every function on applications and types works with: the stores, and the rules they go by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from homolog.errors import Problem, SpecError, UsageError
from homolog.register.database import Database
from homolog.register.files import Files
from homolog.service.settings import Settings
from homolog.service.stores import Stores, open_stores
from homolog.spec.library import Library
from homolog.spec.lint.process import body_clauses, lint_process
from homolog.spec.memorandum import LoadedMemorandum, load_memorandum, shipped_memorandum
from homolog.spec.process import LoadedProcess, load_process, shipped_process


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The stores of a register and the rules that it goes by; a board may have a process and a memorandum of its own."""

    database: Database
    files: Files
    body: str = "fistf"
    process: LoadedProcess = field(default_factory=shipped_process)
    memorandum: LoadedMemorandum = field(default_factory=shipped_memorandum)
    library: Library = field(default_factory=Library)


@contextmanager
def open_desk(settings: Settings) -> Iterator[Desk]:
    """Open the register that the settings name, with the board's own rules where it has some.

    Raises:
        UsageError: A file that the settings name is not there.
        SpecError: The table of steps or the memorandum is not as it has to be; with every complaint of the linter.
        DatabaseOutdated: The tables are of another version.
    """
    rules = rules_of(settings)
    with open_stores(settings) as stores:
        yield desk_of(settings, stores, *rules)


def desk_of(settings: Settings, stores: Stores, process: LoadedProcess, memorandum: LoadedMemorandum) -> Desk:
    """Return what functions work with, from stores that are open already."""
    return Desk(database=stores.database, files=stores.files, body=settings.body, process=process, memorandum=memorandum)


def rules_of(settings: Settings) -> tuple[LoadedProcess, LoadedMemorandum]:
    """Return the table of steps and the memorandum that the settings name, or the shipped ones.

    Raises:
        UsageError: A file is not there.
        SpecError: It is not as it has to be.
    """
    process, memorandum = shipped_process(), shipped_memorandum()
    if settings.steps:
        path = Path(settings.steps)
        process = load_process(_read(path, "HOMOLOG_STEPS"), path.name, path)
        _refuse_faults(process, Library())
    if settings.memorandum:
        path = Path(settings.memorandum)
        memorandum = load_memorandum(_read(path, "HOMOLOG_MEMORANDUM"), path.name, path)
    return process, memorandum


def _refuse_faults(process: LoadedProcess, library: Library) -> None:
    """Refuse a table that the linter complains of: a state without a way out would keep an application for good."""
    faults = lint_process(process, body_clauses(library.root).get(process.process.body, frozenset()))
    problems = [
        Problem(one.where, f"{one.id}: {one.what}" if one.id else one.what, one.todo, one.code)
        for one in faults
        if one.severity == "error"
    ]
    if problems:
        raise SpecError(*problems)


def _read(path: Path, variable: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        why = error.strerror or "it is damaged"
        raise UsageError.because(f"{variable} names {path}, which cannot be read: {why}", todo="name a file") from None
