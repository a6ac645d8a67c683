"""Files named on the command line, sorted into sheets and scans, and paired into submissions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from homolog.errors import InputRefused, UsageError

if TYPE_CHECKING:
    from homolog.check import Scan
    from homolog.submission.submission import Submission
    from homolog.submission.vocabulary import Vocabulary

SHEETS = (".yaml", ".yml", ".json", ".jsonl", ".csv", ".xlsx")
SCANS = (".stl",)
STREAMED = (".csv", ".jsonl")
MAX_BYTES = 400_000_000


@dataclass(frozen=True, slots=True)
class Case:
    """One submission with the scan that belongs to it."""

    submission: Submission
    scan: Scan | None


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line says of its inputs."""

    item: str | None
    unit: str | None
    source: str | None


def is_scan(path: Path) -> bool:
    """Whether a file is a scan by its ending; the gate looks at its content later."""
    return path.suffix.lower() in SCANS


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        InputRefused: There is no such file, it cannot be read, it is too large, or its ending is not known.
    """
    if path.suffix.lower() not in SHEETS + SCANS:
        todo = f"send one of {', '.join(SHEETS + SCANS)}"
        raise InputRefused.because(
            f"files ending in {path.suffix or 'nothing'} are not read", where=path.name, todo=todo, code="file_type"
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputRefused.because(f"the file is larger than {MAX_BYTES} bytes", where=path.name, code="file_too_large")
        return path.read_bytes()
    except OSError as error:
        raise InputRefused.because(f"the file cannot be read: {error.strerror}", where=str(path), code="file_unreadable") from None


def groups(paths: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """Pair the inputs: one sheet and one scan are one submission, otherwise each file is one."""
    if len(paths) == 2 and is_scan(paths[0]) != is_scan(paths[1]):
        sheet, scan = sorted(paths, key=is_scan)
        return [(sheet, scan)]
    return [(path, None) for path in paths]


def cases(path: Path, scan: Path | None, choice: Choice, vocabulary_of: Callable[[str], Vocabulary]) -> Iterator[Case]:
    """Yield the submissions of one input, each with its scan; a lot is read row by row.

    Raises:
        InputRefused: A file cannot be taken as it is.
        UsageError: A scan alone does not say what it shows.
    """
    from homolog.submission.read import read_submissions, stream_submissions

    if is_scan(path):
        yield _scan_alone(path, choice)
        return
    if path.suffix.lower() in STREAMED:
        read_bytes_checked(path)
        for submission in stream_submissions(path, vocabulary_of, choice.item):
            yield Case(submission, _scan_of(submission, path, scan, choice))
        return
    for submission in read_submissions(read_bytes(path), path.name, vocabulary_of, choice.item):
        yield Case(submission, _scan_of(submission, path, scan, choice))


def read_bytes_checked(path: Path) -> None:
    """Refuse a file that is not there, without reading it.

    Raises:
        InputRefused: There is no such file.
    """
    if not path.is_file():
        raise InputRefused.because("the file cannot be read: no such file", where=str(path), code="file_unreadable")


def _scan_alone(path: Path, choice: Choice) -> Case:
    from homolog.quantity import Article
    from homolog.submission.submission import Submission

    if choice.item is None:
        raise UsageError.because(
            "a scan alone does not say what it shows", where=path.name, todo="name it with --item", code="item_missing"
        )
    scan = _scan(path, choice.unit, choice.source)
    submission = Submission(
        article=Article(item=choice.item, name=path.stem),
        scans=(),
        sha256=hashlib.sha256(scan.data).hexdigest(),
        name=path.name,
        format="stl",
    )
    return Case(submission, scan)


def _scan_of(submission: Submission, sheet: Path, scan: Path | None, choice: Choice) -> Scan | None:
    """Return the scan that a sheet names, or that was given beside it."""
    named = submission.scans
    if len(named) > 1:
        todo = "send one sheet for each scan"
        raise InputRefused.because("the sheet names more than one scan", where=sheet.name, todo=todo, code="scan_count")
    if not named:
        return None if scan is None else _scan(scan, choice.unit, choice.source)
    reference = named[0]
    path = scan if scan is not None else sheet.parent / reference.file
    if scan is not None and scan.name != reference.file:
        raise InputRefused.because(
            f"the sheet names the scan {reference.file}, but {scan.name} was given",
            where=sheet.name,
            todo="give the scan that the sheet names",
            code="scan_other",
        )
    return _scan(path, _agreed("unit", choice.unit, reference.unit), _agreed("source", choice.source, reference.source))


def _agreed(name: str, given: str | None, written: str | None) -> str | None:
    if given is not None and written is not None and given != written:
        raise UsageError.because(
            f"--{name} {given} contradicts the sheet, which says {written}", todo="leave one of them out", code="usage"
        )
    return given if given is not None else written


def _scan(path: Path, unit: str | None, source: str | None) -> Scan:
    from homolog.check import Scan

    return Scan(name=path.name, data=read_bytes(path), unit=unit, source=source or "structured_light")
