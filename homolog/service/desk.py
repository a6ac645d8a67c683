"""Owns what every function on applications and types works with: the stores, and the rules they go by."""

from __future__ import annotations

from dataclasses import dataclass, field

from homolog.register.database import Database
from homolog.register.files import Files
from homolog.spec.library import Library
from homolog.spec.memorandum import LoadedMemorandum, shipped_memorandum
from homolog.spec.process import LoadedProcess, shipped_process


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The stores of a register and the rules that it goes by; a board may have a process and a memorandum of its own."""

    database: Database
    files: Files
    body: str = "fistf"
    process: LoadedProcess = field(default_factory=shipped_process)
    memorandum: LoadedMemorandum = field(default_factory=shipped_memorandum)
    library: Library = field(default_factory=Library)
