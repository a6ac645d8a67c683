"""What a measuring process does: it reads one job, passes the file through its gate, and measures."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from typing import Any, BinaryIO

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from homolog.scan.items import ITEMS, LOOK, SETS

ENTRY = "homolog.scan.worker:answer"
LIBRARIES = "homolog.scan.sandbox.libraries:load"
READERS = {"STL": ("homolog.scan.readers.stl",), "STEP": ("homolog.scan.readers.step", "cascadio")}
_READING_BYTES = 4 << 30
"""Address space for the gate, which expands nothing; measuring needs more."""


def needs_of(job: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """Return what a job on a kind of file uses, as `run_job` takes it; loaded once, it is there for every job."""
    module, _ = _place_of(job)
    libraries = () if job["item"] is None else (LIBRARIES,)
    return (*libraries, *READERS.get(kind, ("homolog.scan.readers.expand",)), module)


def _place_of(job: Mapping[str, Any]) -> tuple[str, str]:
    """Return the module and the function that measure what a job asks for."""
    module, function = LOOK if job["item"] is None else (SETS if job.get("several") else ITEMS)[job["item"]]
    return f"homolog.scan.{module}", function


def answer(stream: BinaryIO) -> bytes:
    """Measure one scan; a refusal is an answer, anything else unforeseen ends the process.

    Args:
        stream: A line of JSON that says what is asked, then the file.
    """
    job = json.loads(stream.readline())
    found: dict[str, Any]
    try:
        with _less_memory():
            file = check_mesh(_rest_of(stream), name=job["name"])
        module, function = _place_of(job)
        measured = getattr(import_module(module), function)(file, job)
        found = {"parts": [part.to_json() for part in measured]} if job.get("several") else measured.to_json()
    except InputRefused as refusal:
        found = {"problems": [asdict(problem) for problem in refusal.problems]}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def _rest_of(stream: BinaryIO) -> bytes:
    """Read to the end past what is buffered, which would have to be joined with the rest: a second copy of a large file."""
    raw = getattr(stream, "raw", stream)
    raw.seek(stream.tell())
    return bytes(raw.read())


@contextmanager
def _less_memory() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_READING_BYTES if soft < 0 else min(soft, _READING_BYTES), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
