"""What judging one case gave, as a light value that can be kept, shown and tabled."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from homolog.errors import Problem
from homolog.quantity.lot import NOTHING_STATED, LotSize

if TYPE_CHECKING:
    from homolog.check import Question, Scan
    from homolog.cli.inputs import Case
    from homolog.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One case's end: a report, or the problems for which there is none.

    Attributes:
        name: The input, as it was named on the command line.
        number: Which of the input's cases it is, from 1; 0 where the input was refused as a whole.
        code: The exit code that it asks for.
        lot: What the sheet states of the lot that the case is a sample of.
    """

    name: str
    number: int
    code: int
    report: Report | None = None
    problems: tuple[Problem, ...] = ()
    lot: LotSize = NOTHING_STATED

    @property
    def word(self) -> str:
        """The verdict, or why there is none."""
        if self.report is not None:
            return self.report.verdict.value
        return "refused" if self.code == 4 else "failed"


def digest_of_question(question: Question, adopted: bytes) -> str:
    """Return a digest of all that an answer hangs on besides the input: rules, day, purpose, adoptions, engine."""
    from homolog.check.build import build_digest

    rules = hashlib.sha256()
    for path in sorted(question.library.root.rglob("*.yaml")):
        rules.update(
            path.relative_to(question.library.root).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest()
        )
    # Whatever a question or a scan comes to hold counts too, or a journal would answer what was not asked.
    asked = [repr(getattr(question, known.name)) for known in fields(question) if known.name != "library"]
    return _digest([build_digest(), rules.hexdigest(), hashlib.sha256(adopted).hexdigest(), *asked])


def digest_of_case(case: Case, number: int, question: str) -> str:
    """Return a digest of one case under one question; the same digest has the same answer."""
    scan = [] if case.scan is None else _shown(case.scan)
    pieces = [[one.pieces, one.is_plate, _shown(one.scan)] for one in case.pieces]
    return _digest([question, number, repr(case.submission), scan, pieces, case.is_several, repr(case.samples)])


def _shown(scan: Scan) -> list[object]:
    """Return a scan with its references, their files as digests."""
    told = [repr(getattr(scan, known.name)) for known in fields(scan) if known.name not in ("data", "references")]
    files = [hashlib.sha256(data).hexdigest() for data in (scan.data, *(one.data for one in scan.references))]
    known_of = [[one.name, one.unit, repr(one.lengths)] for one in scan.references]
    return [files, known_of, *told]


def as_line(result: Result) -> dict[str, Any]:
    """Return a result as plain JSON values."""
    report = None if result.report is None else result.report.canonical.decode()
    problems = [asdict(problem) for problem in result.problems]
    return {"name": result.name, "code": result.code, "report": report, "problems": problems}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()
