"""Which build of the engine judges: a digest over its own sources, as a version that nobody has raised tells nothing apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import homolog
from homolog.data import templates_dir

_ROOMS = ("check", "evaluate", "gate", "quantity", "scan", "spec", "submission")
_MODULES = ("errors", *(f"report/{name}" for name in ("findings", "inputs", "messages", "numbers", "record", "scans", "specs")))
_WORDS = "report/messages/en.yaml"
"""The record's own sentences. Pages, and what reaches the engine from outside, change no byte of a record."""


@cache
def build_digest() -> str:
    """Return the SHA-256 of everything in this program that a record's bytes can hang on.

    It is the digest of the lines `<sha256>  <path>`, as sha256sum writes them, in the order of the paths. The libraries that
    measure are named with their versions in the record's `scan.engine`.
    """
    lines = sorted((name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in _sources())
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in lines).encode()).hexdigest()


def _sources() -> Iterator[tuple[str, Path]]:
    package = Path(homolog.__path__[0])
    found = [path for room in _ROOMS for path in (package / room).rglob("*.py")]
    for path in (*found, *(package / f"{name}.py" for name in _MODULES)):
        yield f"homolog/{path.relative_to(package).as_posix()}", path
    yield f"templates/{_WORDS}", templates_dir() / _WORDS
