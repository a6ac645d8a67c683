"""Read damaged and hostile files in a limited process and compare each answer with what is true.

    python -m tools.run_hostile                # all of them
    python -m tools.run_hostile --every 10     # a tenth, evenly spread over the kinds

Each file must be refused with a reason or read right, within 30 s and 3 GiB; the process must outlive them all.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.hostile_meshes import Case, all_cases

SECONDS = 30.0
MEMORY = 3 << 30
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Outcome:
    """What became of a case; `fault` is empty if all is well."""

    case: Case
    answer: dict[str, Any]
    seconds: float
    fault: str


def sample(cases: Iterable[Case], every: int) -> Iterator[Case]:
    """Yield each n-th case of every category, the first one always."""
    seen: Counter[str] = Counter()
    for case in cases:
        if seen[case.category] % every == 0:
            yield case
        seen[case.category] += 1


class Reader:
    """A limited process that reads one file after the other; it is started anew if one file ends it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def read(self, case: Case) -> dict[str, Any]:
        """Return the process's answer, or what became of the process."""
        if self.process is None:
            environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            program = [sys.executable, "-m", "tools.run_hostile", "--child"]
            self.process = subprocess.Popen(
                program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, start_new_session=True
            )
            self.answer(60.0)
        stdin = self.process.stdin
        if stdin is None:
            raise RuntimeError("the process has no standard input")
        head = json.dumps({"name": case.name, "size": len(case.data), "compare": case.want == "compared"})
        stdin.write(head.encode() + b"\n" + case.data)
        stdin.flush()
        return self.answer(SECONDS)

    def answer(self, seconds: float) -> dict[str, Any]:
        """Wait for the process's next answer; one that takes too long ends it."""
        process = self.process
        if process is None or process.stdout is None:
            raise RuntimeError("the process is not there")
        if not select.select([process.stdout], [], [], seconds)[0]:
            self.close()
            return {"ended": f"no answer after {seconds:g} s"}
        line = process.stdout.readline()
        if not line:
            code = process.wait()
            self.process = None
            return {"ended": f"the process ended with {code}"}
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            self.process = None


def run(cases: Iterable[Case]) -> Iterator[Outcome]:
    """Read every case and yield what became of it."""
    reader = Reader()
    try:
        for case in cases:
            start = time.monotonic()
            answer = reader.read(case)
            yield Outcome(case, answer, time.monotonic() - start, fault_of(case, answer))
    finally:
        reader.close()


def fault_of(case: Case, answer: dict[str, Any]) -> str:
    """Say what is wrong with an answer; an empty text if nothing is."""
    if "ended" in answer or "crash" in answer:
        return str(answer.get("ended") or answer["crash"])
    if "refused" in answer:
        if case.want == "read":
            return f"refused: {answer['refused']}"
        return (
            "" if all(what and code and what.isprintable() for what, code in answer["refused"]) else "the refusal gives no reason"
        )
    if case.want == "refused":
        return f"read: {answer}"
    if case.want in ("read", "either"):
        near = abs(answer["volume"] - case.volume) <= 1e-6 * abs(case.volume)
        return "" if near and answer["triangles"] == case.triangles else f"wrong: {answer}, not {case.triangles}, {case.volume}"
    return str(answer["difference"])


def _child() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from tools.read_hostile import read_case

    out = os.dup(1)
    os.dup2(2, 1)
    os.write(out, b"{}\n")
    while line := sys.stdin.buffer.readline():
        job = json.loads(line)
        answer = read_case(sys.stdin.buffer.read(job["size"]), job["name"], compare=job["compare"])
        os.write(out, json.dumps(answer).encode() + b"\n")
    return 0


def main() -> int:
    """Read the cases and print what is wrong and how many there were."""
    parser = argparse.ArgumentParser(description="Read damaged and hostile mesh files and compare with what is true.")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--child", action="store_true")
    arguments = parser.parse_args()
    if arguments.child:
        return _child()
    counts: Counter[str] = Counter()
    slowest = (0.0, "")
    for outcome in run(sample((case for case in all_cases() if arguments.only in case.name), arguments.every)):
        kind = "refused" if "refused" in outcome.answer else "read"
        counts["wrong" if outcome.fault else kind] += 1
        slowest = max(slowest, (outcome.seconds, outcome.case.name))
        if outcome.fault:
            sys.stdout.write(f"{outcome.case.name} ({outcome.case.category}): {outcome.fault}\n")
    sys.stdout.write(f"{sum(counts.values())} files: {dict(counts)}; slowest {slowest[0]:.1f} s, {slowest[1]}\n")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
