"""The one door through which a scan is measured: a glance here, the gate and everything else in a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import homolog
from homolog.errors import InputRefused, MeasuringFailed, Problem, UsageError
from homolog.gate.mesh_file import check_kind
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.sources import DEFAULT_SOURCE, instrument_of

ITEMS = ("goalkeeper",)
UNITS = ("mm", "cm", "m", "in")
GIB = 1 << 30
_PROGRAM = (sys.executable, "-P", "-s", "-m", "homolog.scan.worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the measuring process may use."""

    seconds: float = 120.0
    memory_bytes: int = 6 * GIB


def measure_scan(
    data: bytes,
    *,
    name: str,
    item: str,
    unit: str | None = None,
    source: str = DEFAULT_SOURCE,
    seconds: float = 120.0,
    memory_bytes: int = 6 * GIB,
) -> ScanMeasurement:
    """Measure one article from one file.

    A second process, limited in time and memory, passes the file through its gate before any mesh library is loaded, and
    then measures it.

    Args:
        data: The file's bytes, in any format that `homolog.gate.mesh_file` names.
        name: The file's name; its ending says the format, and the messages call the file so.
        item: What the article is; `goalkeeper`.
        unit: The file's unit if the submitter declares it: mm, cm, m or in.
        source: Class of scanner: structured_light, photogrammetry, laser, ct or cad.
        seconds: Wall and processor time after which the process is ended.
        memory_bytes: Address space of the process.

    Raises:
        UsageError: The item, unit or source is not one that can be measured.
        InputRefused: The file cannot be taken as it is; the problems name the place.
        MeasuringFailed: The process ended without an answer.
    """
    if item not in ITEMS:
        raise UsageError(Problem("", f"a {item} cannot be measured from a scan", f"choose one of {', '.join(ITEMS)}", "scan_item"))
    if unit is not None and unit not in UNITS:
        raise UsageError(Problem("", f"unit {unit!r} is not one of a scan", f"choose one of {', '.join(UNITS)}", "scan_unit"))
    instrument_of(source)
    check_kind(data, name=name)
    job = {
        "name": name,
        "item": item,
        "unit": unit,
        "source": source,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    answer = run_worker(_PROGRAM, job, data, Limits(seconds=seconds, memory_bytes=memory_bytes), name=name)
    if "problems" in answer:
        raise InputRefused(*(Problem(**problem) for problem in answer["problems"]))
    return ScanMeasurement.from_json(answer)


def run_worker(program: Sequence[str], job: dict[str, Any], payload: bytes, limits: Limits, *, name: str) -> dict[str, Any]:
    """Run a measuring program on one job and return its answer.

    The program reads a line of JSON and then the payload from its standard input, and answers with JSON.

    Raises:
        MeasuringFailed: It ran out of time or memory, crashed, or answered nonsense.
    """
    head = json.dumps(job | {"seconds": limits.seconds, "memory_bytes": limits.memory_bytes}).encode()
    with tempfile.TemporaryDirectory(prefix="homolog-scan-") as folder:
        process = subprocess.Popen(  # noqa: S603  fixed program, no shell; the file travels through a pipe
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=_environment(),
            start_new_session=True,
        )
        try:
            out, err = process.communicate(head + b"\n" + payload, timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            what = f"measuring took longer than {limits.seconds:g} s and was ended"
            raise _failed(name, what, "reduce the mesh, or allow more time", "measuring_timeout") from None
        finally:
            _end(process)
    if process.returncode == 0:
        try:
            answer = json.loads(out)
        except ValueError:
            answer = None
        if isinstance(answer, dict):
            return answer
    raise _explain(name, process.returncode, err.decode("utf-8", "replace"), limits)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    if process.stdin is not None:  # what was not sent any more still lies in its buffer, and cannot be flushed
        with suppress(OSError):
            process.stdin.close()


def _environment() -> dict[str, str]:
    """Return a bare environment in which the child finds this very package, with one thread a library."""
    keep = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV") if key in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    root = str(Path(homolog.__file__).parent.parent)
    return keep | threads | {"PYTHONPATH": root, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}


def _failed(name: str, what: str, todo: str, code: str) -> MeasuringFailed:
    return MeasuringFailed(Problem(name, what, todo, code))


def _explain(name: str, returncode: int, err: str, limits: Limits) -> MeasuringFailed:
    last = err.strip().splitlines()[-1][:200] if err.strip() else "no message"
    if "MemoryError" in err or "bad_alloc" in err or "failed to map segment" in err or "annot allocate memory" in err:
        what = f"measuring needed more than {limits.memory_bytes / GIB:.1f} GiB of memory"
        return _failed(name, what, "reduce the mesh, or allow more memory", "measuring_memory")
    if returncode == -signal.SIGXCPU:
        what = f"measuring took longer than {limits.seconds:g} s and was ended"
        return _failed(name, what, "reduce the mesh, or allow more time", "measuring_timeout")
    how = f"was ended by signal {-returncode}" if returncode < 0 else f"ended with code {returncode}"
    return _failed(name, f"the measuring process {how} ({last})", "report this with the file", "measuring_crashed")
