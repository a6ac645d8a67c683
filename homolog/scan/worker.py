"""The measuring process: limits itself, reads one job from standard input, answers on standard output."""

from __future__ import annotations

import json
import resource
import sys
from importlib import import_module
from typing import Any

from homolog.errors import HomologError, InputRefused
from homolog.gate.mesh import MAX_BYTES
from homolog.gate.mesh_file import check_mesh
from homolog.scan.items import ITEMS, SETS


def main() -> int:
    """Measure one scan; a refusal is an answer, anything else unforeseen ends the process."""
    job = json.loads(sys.stdin.buffer.readline())
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, int(job["memory_bytes"]))
    _limit(resource.RLIMIT_CPU, max(1, int(job["seconds"]) + 1))
    answer: dict[str, Any]
    try:
        file = check_mesh(sys.stdin.buffer.read(), name=job["name"])
        module, function = (SETS if job.get("several") else ITEMS)[job["item"]]
        measure = getattr(import_module(f"homolog.scan.{module}"), function)  # only now: a refused file loads no mesh library

        # Python has now written its compiled modules, if it may; from here on nothing is written.
        # The CAD kernel hands its mesh over in a file that lives in memory only.
        _limit(resource.RLIMIT_FSIZE, MAX_BYTES if file.format == "step" else 0)
        found = measure(file, job)
        answer = {"parts": [part.to_json() for part in found]} if job.get("several") else found.to_json()
    except InputRefused as refusal:
        answer = {"problems": _problems(refusal)}
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
    return 0


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (ceiling, ceiling))


def _problems(refusal: HomologError) -> list[dict[str, str]]:
    return [
        {"where": problem.where, "what": problem.what, "todo": problem.todo, "code": problem.code} for problem in refusal.problems
    ]


if __name__ == "__main__":
    sys.exit(main())
