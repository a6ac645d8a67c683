"""Measuring a file that shows several articles of one item side by side."""

from __future__ import annotations

from collections.abc import Sequence

from homolog.errors import UsageError
from homolog.gate.mesh_file import check_kind
from homolog.quantity import Conditions, ScannerRecord
from homolog.scan.door import ask_worker, check_question, job_of, session_of
from homolog.scan.items import SETS
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.sandbox.limits import GIB
from homolog.scan.session import ReferenceFile


def measure_scan_set(
    data: bytes,
    *,
    name: str,
    item: str = "figure",
    unit: str | None = None,
    source: str = "structured_light",
    seconds: float = 120.0,
    memory_bytes: int = 6 * GIB,
    record: ScannerRecord | None = None,
    conditions: Conditions | None = None,
    references: Sequence[ReferenceFile] = (),
) -> tuple[ScanMeasurement, ...]:
    """Measure every article that stands alone in a file, such as the twelve figures of a team on one plate.

    They are numbered as one reads: seen from above with the file's x axis to the right, left to right and row by row from
    the far side. Each measurement carries its number as the fact `part` ("3 of 12") and in its readings' evidence ("scan:...#3");
    digest, format and triangles are the file's. An article that cannot be measured is there with its reasons, so that the numbers
    of the others do not shift.

    Args:
        data: The file's bytes, in any format that `homolog.gate.mesh_file` names.
        name: The file's name.
        item: What the articles are; `figure`.
        unit: The file's unit if the submitter declares it: mm, cm, m or in.
        source: Class of scanner: structured_light, photogrammetry, laser, ct or cad.
        seconds: Wall and processor time after which the process is ended.
        memory_bytes: Address space of the process.
        record: What the submitter states of the scanner.
        conditions: What the submitter states of the articles and their temperature.
        references: Scans of reference balls of the same session.

    Raises:
        UsageError: The item, unit or source is not one that can be measured.
        InputRefused: The file cannot be taken as it is; the problems name the place.
        MeasuringFailed: The process ended without an answer.
    """
    if item not in SETS:
        what = f"several articles in one file are told apart only if they are one of {', '.join(SETS)}, not a {item}"
        raise UsageError.because(what, where=name, todo="send a file for each", code="scan_several_item")
    check_question(item, unit, source, SETS)
    check_kind(data, name=name)
    session = session_of(source, record, conditions, references, seconds=seconds, memory_bytes=memory_bytes)
    job = job_of(data, name=name, item=item, unit=unit, source=source, session=session) | {"several": True}
    answer = ask_worker(job, data, seconds=seconds, memory_bytes=memory_bytes)
    return tuple(session.signed(ScanMeasurement.from_json(part)) for part in answer["parts"])
