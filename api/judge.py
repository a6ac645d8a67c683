"""From what was sent to the reports: the engine's own functions, asked in their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from api.problems import Failure
from api.sent import File, Sent
from homolog.errors import InputRefused

if TYPE_CHECKING:
    from api.service import Shelf
    from homolog.check import Question, ScanFile, Scans, Told
    from homolog.report import Report
    from homolog.submission.submission import Submission

_OTHER_LINES = 1_000
"""Lines of a table that hold no sample: heads, blanks, notes, and breaks inside a cell."""


def submissions_of(sent: Sent, shelf: Shelf, *, lot_limit: int) -> tuple[Submission, ...]:
    """Read what was sent into submissions; a scan alone is one.

    Raises:
        InputRefused: The sheet cannot be taken as it is.
        UsageError: A scan alone does not say what it shows.
    """
    from homolog.submission.read import read_submissions

    if sent.sheet is None:
        return (_scan_alone(sent, shelf),)
    _check_lines(sent.sheet, lot_limit)
    found = read_submissions(sent.sheet.data, sent.sheet.name, shelf.vocabulary_of, sent.fields.item)
    if len(found) > lot_limit:
        raise _too_long(sent.sheet.name, f"the sheet holds {len(found)} samples, more than {lot_limit}")
    return found


def _check_lines(sheet: File, lot_limit: int) -> None:
    """Refuse a table by its lines: a long one would be read for half a minute to find that it is too long."""
    lines = sheet.data.count(b"\n")
    if sheet.name.lower().endswith((".csv", ".jsonl")) and lines > lot_limit + _OTHER_LINES:
        raise _too_long(sheet.name, f"the sheet has {lines} lines, and a lot may have {lot_limit} samples")


def _too_long(name: str, what: str) -> InputRefused:
    return InputRefused.because(what, where=name, todo="split it, or use the command line", code="lot_too_large")


@dataclass(frozen=True, slots=True)
class Judged:
    """A report, and the measured surface as a GLB file where it was asked for and there is one."""

    report: Report
    mesh: bytes | None = None


def judged_of(
    submissions: tuple[Submission, ...], sent: Sent, shelf: Shelf, *, today: date, seconds: float, with_mesh: bool = False
) -> list[Judged]:
    """Judge each submission on the day that the request names, else today; `seconds` are for measuring all scans.

    Raises:
        InputRefused: A scan or the adoptions cannot be taken as they are.
        MeasuringFailed: The measuring process ended without an answer.
        UsageError: The request names something that does not exist.
    """
    from homolog.check import judge, measured_for

    question = question_of(sent, shelf, today=today)
    each = seconds / max(1, len(sent.scans) + len(sent.references))
    found = [_scans_of(submission, sent, shelf, each, is_lot=len(submissions) > 1) for submission in submissions]
    judged = []
    for submission, scans in zip(submissions, found, strict=True):
        own = replace(scans.own, glb=True) if with_mesh and scans.own is not None else scans.own
        measured = measured_for(submission, question, own, scans.pieces)
        mesh = None if measured.own is None else measured.own.glb
        judged.append(Judged(judge(submission, question, measured), mesh))
    return judged


def question_of(sent: Sent, shelf: Shelf, *, today: date) -> Question:
    """Return what is asked.

    Raises:
        InputRefused: The adoptions cannot be taken as they are.
        UsageError: The body or the edition does not exist.
    """
    from homolog.check import Question, default_edition, with_adoptions

    asked = sent.fields
    is_by_default = asked.edition is None and asked.on is None
    question = Question(
        on=asked.on or today,
        body=asked.body,
        edition=default_edition(shelf.library, asked.body, None) if is_by_default else asked.edition,
        purpose=asked.purpose,
        is_by_default=is_by_default,
        library=shelf.library,
    )
    return question if sent.adopted is None else with_adoptions(question, sent.adopted.data, sent.adopted.name)


def _scan_alone(sent: Sent, shelf: Shelf) -> Submission:
    from homolog.check import scan_alone

    if not sent.scans:
        raise Failure("nothing_sent", "Neither a sheet nor a scan was sent.")
    if len(sent.scans) > 1:
        what = f"{len(sent.scans)} scans were sent without a sheet that says what they show"
        todo = "send a sheet that names them, the reference balls with what is known of them"
        raise InputRefused.because(what, where=sent.scans[0].name, todo=todo, code="scan_count")
    submission, _ = scan_alone(_file(sent.scans[0]), sent.fields.item, _told_alone(sent, 0), shelf.vocabulary_of)
    return submission


def _scans_of(submission: Submission, sent: Sent, shelf: Shelf, seconds: float, *, is_lot: bool) -> Scans:
    """Return the scans that belong to a submission: those it names, or the one that was sent beside it, or alone."""
    from homolog.check import Scans, scan_alone, scans_of

    if sent.sheet is None:
        told = _told_alone(sent, seconds)
        return Scans(own=scan_alone(_file(sent.scans[0]), sent.fields.item, told, shelf.vocabulary_of)[1])
    return scans_of(submission, [_file(scan) for scan in sent.scans], _told(sent, seconds), None, is_lot=is_lot)


def _file(file: File) -> ScanFile:
    from homolog.check import ScanFile

    return ScanFile(name=file.name, data=file.data)


def _told(sent: Sent, seconds: float) -> Told:
    from homolog.check import Told

    return Told(unit=sent.fields.unit, source=sent.fields.source, seconds=seconds)


def _told_alone(sent: Sent, seconds: float) -> Told:
    """Return what is said of a scan without a sheet, which could say it."""
    from homolog.check import conditions_of, reference_of

    balls = (reference_of(_file(ball.file), {"diameter": ball.diameter, "U": ball.u}) for ball in sent.references)
    return replace(
        _told(sent, seconds),
        attributes=sent.attributes,
        conditions=conditions_of(_file(sent.scans[0]), sent.conditions) if sent.conditions else None,
        references=tuple(balls),
    )
