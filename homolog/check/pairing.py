"""Which scan belongs to which submission; one rule for the command line and the service."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from homolog.check.question import Scan
from homolog.errors import InputRefused, UsageError
from homolog.quantity import Article
from homolog.scan import DEFAULT_SOURCE
from homolog.submission.submission import ScanReference, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanFile:
    """A scan as it was handed over."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was said of the scan beside the sheet: its unit, its scanner, and how long measuring may take."""

    unit: str | None = None
    source: str | None = None
    seconds: float = 120.0


def scan_alone(scan: ScanFile, item: str | None, told: Told) -> tuple[Submission, Scan]:
    """Return the submission that a scan without a sheet is.

    Raises:
        UsageError: Nothing says what the scan shows.
    """
    if item is None:
        what = "a scan alone does not say what it shows"
        raise UsageError.because(what, where=scan.name, todo="name the item (--item on the command line)", code="item_missing")
    path = PurePath(scan.name)
    submission = Submission(
        article=Article(item=item, name=path.stem),
        sha256=hashlib.sha256(scan.data).hexdigest(),
        name=scan.name,
        format=path.suffix.lower().lstrip("."),
    )
    return submission, _scan(scan, None, told)


def scan_of(
    submission: Submission, given: ScanFile | None, told: Told, fetch: Callable[[str], ScanFile] | None, *, is_lot: bool
) -> Scan | None:
    """Return the scan of a sheet: the one it names, or the one that came with it.

    Args:
        submission: The sheet, or one row of it.
        given: The scan that was handed over with the sheet.
        told: What was said of the scan.
        fetch: Looks for the file that a sheet names; None where nothing but what was sent can be had.
        is_lot: The sheet holds several samples, so that one scan cannot be of all of them.

    Raises:
        InputRefused: The sheet names several scans, a piece's scan, another scan, or one that is not there.
        UsageError: What was said of the scan contradicts the sheet, or there is no scan that it could be said of.
    """
    named = submission.scans
    if len(named) > 1 or (given is not None and is_lot):
        what = "several samples or several scans stand in the sheet, and each scan wants a sheet of its own"
        raise InputRefused.because(what, where=submission.name, todo="send one sheet for each scan", code="scan_count")
    if not named:
        if given is None:
            _refuse_idle(submission, told)
            return None
        return _scan(given, None, told)
    reference = named[0]
    if reference.piece:
        what = f"the scan {reference.file} is of a piece, and pieces are measured one by one"
        raise InputRefused.because(what, where=submission.name, todo="send the piece by itself with its scan", code="scan_piece")
    if given is None and fetch is None:
        what = f"the sheet names the scan {reference.file}, which was not sent"
        raise InputRefused.because(what, where=submission.name, todo="send it beside the sheet", code="scan_missing")
    if given is not None and given.name != reference.file:
        what = f"the sheet names the scan {reference.file}, but {given.name} was given"
        raise InputRefused.because(what, where=submission.name, todo="give the scan that the sheet names", code="scan_other")
    found = given if given is not None or fetch is None else fetch(reference.file)
    return None if found is None else _scan(found, reference, told)


def _scan(file: ScanFile, reference: ScanReference | None, told: Told) -> Scan:
    unit = _agreed("unit", told.unit, None if reference is None else reference.unit)
    source = _agreed("source", told.source, None if reference is None else reference.source)
    return Scan(name=file.name, data=file.data, unit=unit, source=source or DEFAULT_SOURCE, seconds=told.seconds)


def _refuse_idle(submission: Submission, told: Told) -> None:
    """Refuse what was said of a scan that is not there: it would be passed over."""
    idle = [name for name, value in (("unit", told.unit), ("source", told.source)) if value is not None]
    if idle:
        what = f"the {' and '.join(idle)} of a scan {'is' if len(idle) == 1 else 'are'} given, but there is no scan"
        raise UsageError.because(what, where=submission.name, todo="leave it out, or give the scan too", code="usage")


def _agreed(name: str, given: str | None, written: str | None) -> str | None:
    if given is not None and written is not None and given != written:
        what = f"the scan's {name} is given as {given}, the sheet says {written}"
        raise UsageError.because(what, todo="leave one of them out", code="usage")
    return given if given is not None else written
