"""The one door through which a scan is measured: a glance here, the gate and everything else in a process behind rings."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from homolog.errors import InputRefused, Problem, UsageError
from homolog.gate.mesh import MAX_BYTES
from homolog.gate.mesh_file import check_kind, kind_of
from homolog.quantity import Conditions, ScannerRecord
from homolog.scan.items import ITEMS
from homolog.scan.look import ScanLook
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.sandbox import client
from homolog.scan.sandbox.job import run_job
from homolog.scan.sandbox.limits import GIB, Limits
from homolog.scan.session import ReferenceFile, Session, open_session
from homolog.scan.sources import DEFAULT_SOURCE, instrument_of
from homolog.scan.worker import ENTRY, needs_of

UNITS = ("mm", "cm", "m", "in")
_log = logging.getLogger(__name__)
_told: set[str] = set()
"""Missing rings that were spoken of; once a process is enough."""


def measure_scan(
    data: bytes,
    *,
    name: str,
    item: str,
    unit: str | None = None,
    source: str = DEFAULT_SOURCE,
    seconds: float = 120.0,
    memory_bytes: int = 6 * GIB,
    density: Decimal | None = None,
    glb: bool = False,
    record: ScannerRecord | None = None,
    conditions: Conditions | None = None,
    references: Sequence[ReferenceFile] = (),
) -> ScanMeasurement:
    """Measure one article from one file.

    A process of its own, with no way to files, network or other processes, passes the file through its gate before any
    library reads it, and then measures it. May be called from several threads at once.

    Args:
        data: The file's bytes, in any format that `homolog.gate.mesh_file` names.
        name: The file's name; its ending says the format, and the messages call the file so.
        item: What the article is: goalkeeper, figure, ball or goal.
        unit: The file's unit if the submitter declares it: mm, cm, m or in.
        source: Class of scanner: structured_light, photogrammetry, laser, ct or cad.
        seconds: Wall and processor time after which the process is ended.
        memory_bytes: Address space of the process; it is ended as well when it holds more than 3 GiB.
        density: The material's density in g/cm3, if the submitter states it; only for an estimate of a ball's mass.
        glb: Whether the meshes of a goalkeeper's parts are wanted as a GLB file.
        record: What the submitter states of the scanner.
        conditions: What the submitter states of the article and its temperature.
        references: Scans of reference balls of the same session; each is measured in a process of its own.

    Raises:
        UsageError: The item, unit or source is not one that can be measured.
        InputRefused: The file cannot be taken as it is; the problems name the place.
        MeasuringFailed: The process ended without an answer.
    """
    check_question(item, unit, source, ITEMS)
    check_kind(data, name=name)
    session = session_of(source, record, conditions, references, seconds=seconds, memory_bytes=memory_bytes)
    job = job_of(data, name=name, item=item, unit=unit, source=source, session=session)
    job |= {"density": None if density is None else str(density), "glb": glb}
    return session.signed(ScanMeasurement.from_json(ask_worker(job, data, seconds=seconds, memory_bytes=memory_bytes)))


def look_at_scan(data: bytes, *, name: str, seconds: float = 120.0, memory_bytes: int = 6 * GIB) -> ScanLook:
    """Take a first look at a file of which nobody says what it shows; it is read behind the same rings.

    Args:
        data: The file's bytes, in any format that `homolog.gate.mesh_file` names.
        name: The file's name; its ending says the format, and the messages call the file so.
        seconds: Wall and processor time after which the process is ended.
        memory_bytes: Address space of the process.

    Raises:
        InputRefused: The file cannot be taken as it is, or is a cloud of points.
        MeasuringFailed: The process ended without an answer.
    """
    check_kind(data, name=name)
    return ScanLook.from_json(ask_worker({"name": name, "item": None}, data, seconds=seconds, memory_bytes=memory_bytes))


def job_of(data: bytes, *, name: str, item: str, unit: str | None, source: str, session: Session) -> dict[str, Any]:
    """Return what every job says of its file and how that was made."""
    return {
        "name": name,
        "item": item,
        "unit": unit,
        "source": source,
        "sha256": hashlib.sha256(data).hexdigest(),
        "instrument": session.instrument.to_job(),
    }


def session_of(
    source: str,
    record: ScannerRecord | None,
    conditions: Conditions | None,
    references: Sequence[ReferenceFile],
    *,
    seconds: float,
    memory_bytes: int,
) -> Session:
    """Return the session of a scan, its references measured, each in a process of its own.

    Raises:
        InputRefused: A reference cannot be read, is none, or contradicts another.
        MeasuringFailed: A process ended without an answer.
        UsageError: The source is not known.
    """

    def read(file: ReferenceFile) -> ScanMeasurement:
        check_kind(file.data, name=file.name)
        distance = file.lengths.distance
        job = {
            "name": file.name,
            "item": "ball",
            "unit": file.unit,
            "source": source,
            "sha256": hashlib.sha256(file.data).hexdigest(),
            "reference": {"diameter": str(file.lengths.diameter), "distance": None if distance is None else str(distance)},
        }
        return ScanMeasurement.from_json(ask_worker(job, file.data, seconds=seconds, memory_bytes=memory_bytes))

    return open_session(source, record, conditions, references, read=read)


def check_question(item: str, unit: str | None, source: str, items: Collection[str]) -> None:
    """Refuse to measure what cannot be measured.

    Raises:
        UsageError: The item, unit or source is not one that can be measured.
    """
    if item not in items:
        raise UsageError(Problem("", f"a {item} cannot be measured from a scan", f"choose one of {', '.join(items)}", "scan_item"))
    if unit is not None and unit not in UNITS:
        raise UsageError(Problem("", f"unit {unit!r} is not one of a scan", f"choose one of {', '.join(UNITS)}", "scan_unit"))
    instrument_of(source)


def ask_worker(job: Mapping[str, Any], data: bytes, *, seconds: float = 120.0, memory_bytes: int = 6 * GIB) -> dict[str, Any]:
    """Have a file measured behind the rings and return what the worker answers.

    Args:
        job: Name, item and what else `homolog.scan.worker` reads.
        data: The file's bytes.
        seconds: Wall and processor time after which the process is ended.
        memory_bytes: Address space of the process.

    Raises:
        InputRefused: The file cannot be taken as it is.
        MeasuringFailed: The process ended without an answer.
    """
    kind = kind_of(job["name"])
    is_step = kind == "STEP"  # the CAD kernel runs in a copy of the process, and hands its mesh over in a file in memory
    limits = Limits(seconds=seconds, memory_bytes=memory_bytes, may_fork=is_step, file_bytes=MAX_BYTES if is_step else 0)
    head = json.dumps(dict(job)).encode() + b"\n"
    done = run_job(ENTRY, (head, data), limits, name=job["name"], needs=needs_of(job, kind))
    _tell(done.missing)
    if "problems" in done.answer:
        raise InputRefused(*(Problem(**problem) for problem in done.answer["problems"]))
    return done.answer


def get_ready(item: str | None, name: str) -> None:
    """Have the libraries loaded while there is other work to do, if they will be used; nothing is wrong if not.

    Without an item they are those of a first look.
    """
    if item is None or item in ITEMS:
        with suppress(OSError, InputRefused):
            client.get_ready(needs_of({"item": item}, kind_of(name)))


def _tell(missing: Mapping[str, str]) -> None:
    for ring, why in missing.items():
        if ring not in _told:
            _told.add(ring)
            _log.warning("the sandbox lacks the ring %r on this machine: %s; see docs/sandbox.md", ring, why)
