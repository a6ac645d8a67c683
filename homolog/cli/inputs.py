"""Files named on the command line, sorted into sheets and scans, and paired into submissions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from homolog.errors import InputRefused, UsageError
from homolog.gate.mesh_file import ENDINGS as SCANS
from homolog.gate.text import shown_name

if TYPE_CHECKING:
    from homolog.check import PieceScan, Scan, ScanFile
    from homolog.submission.submission import Submission
    from homolog.submission.vocabulary import Vocabulary

SHEETS = (".yaml", ".yml", ".json", ".jsonl", ".csv", ".tsv", ".xlsx")
STREAMED = (".csv", ".tsv", ".jsonl")
MAX_BYTES = 400_000_000


@dataclass(frozen=True, slots=True)
class Case:
    """One submission with the scans that belong to it.

    Attributes:
        is_several: Whether the scan shows several articles side by side, each of which is a case of its own once it is measured.
        samples: What a sheet lists of these articles, in the order of their numbers; empty if there is no sheet.
    """

    submission: Submission
    scan: Scan | None
    pieces: tuple[PieceScan, ...] = ()
    is_several: bool = False
    samples: tuple[Submission, ...] = ()

    @property
    def scan_names(self) -> tuple[str, ...]:
        """What will be measured."""
        own = () if self.scan is None else (self.scan.name,)
        return (*own, *(piece.scan.name for piece in self.pieces))


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line says of its inputs."""

    item: str | None
    unit: str | None
    source: str | None
    several: bool = False
    attributes: tuple[str, ...] = ()


def is_scan(path: Path) -> bool:
    """Whether a file is a scan by its ending; the gate looks at its content later."""
    return path.suffix.lower() in SCANS


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        InputRefused: There is no such file, it cannot be read, it is too large, or its ending is not known.
    """
    if path.suffix.lower() not in (*SHEETS, *SCANS):
        todo = f"send one of {', '.join((*SHEETS, *SCANS))}"
        raise InputRefused.because(
            f"files ending in {path.suffix or 'nothing'} are not read", where=path.name, todo=todo, code="file_type"
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputRefused.because(f"the file is larger than {MAX_BYTES} bytes", where=path.name, code="file_too_large")
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error.strerror or "it is damaged") from None


def groups(paths: Sequence[Path]) -> list[tuple[Path, tuple[Path, ...]]]:
    """Group the inputs: one sheet and the scans beside it are one submission, otherwise each file is one."""
    sheets = [path for path in paths if not is_scan(path)]
    if len(sheets) == 1:
        return [(sheets[0], tuple(path for path in paths if is_scan(path)))]
    return [(path, ()) for path in paths]


def labels_of(paths: Sequence[Path]) -> list[str]:
    """Return what tells the reports of several inputs apart: each one's bare name, with a number where it comes again."""
    labels: list[str] = []
    for path in paths:
        found = (path.stem, *(f"{path.stem}_{number}" for number in range(2, len(paths) + 2)))
        labels.append(next(label for label in found if label not in labels))
    return labels


def cases(path: Path, scans: Sequence[Path], choice: Choice, vocabulary_of: Callable[[str], Vocabulary]) -> Iterator[Case]:
    """Yield the submissions of one input, each with its scan and its references; a lot is read row by row.

    Raises:
        InputRefused: A file cannot be taken as it is.
        UsageError: A scan alone does not say what it shows.
    """
    from homolog.check import Told, scan_alone, scans_of

    told = Told(unit=choice.unit, source=choice.source, attributes=choice.attributes)
    if is_scan(path):
        yield Case(*scan_alone(_scan_file(path), choice.item, told, vocabulary_of), is_several=choice.several)
        return
    if choice.attributes:
        todo = "write it in the sheet, under attributes"
        raise UsageError.because("--attribute is for a scan alone", where=shown_name(path.name), todo=todo)
    if choice.several:
        yield _samples(path, scans, choice, vocabulary_of)
        return
    given = [_scan_file(scan) for scan in scans]
    for submission, is_lot in _submissions(path, choice.item, vocabulary_of, may_stream=not scans):
        found = scans_of(submission, given, told, lambda name: _scan_file(path.parent / name), is_lot=is_lot)
        yield Case(submission, found.own, found.pieces)


def _samples(path: Path, scans: Sequence[Path], choice: Choice, vocabulary_of: Callable[[str], Vocabulary]) -> Case:
    """Return a sheet's samples with the one scan that shows them side by side.

    Raises:
        InputRefused: A file cannot be taken as it is, or a sample names a scan of its own.
        UsageError: There is not exactly one scan, or the sheet is of a set.
    """
    from homolog.check import Told, scan_of_samples

    if len(scans) != 1:
        what = f"--several beside a sheet takes one scan of all its samples, not {len(scans)}"
        raise UsageError.because(what, where=shown_name(path.name), todo="give the scan that shows them side by side")
    listed = tuple(submission for submission, _ in _submissions(path, choice.item, vocabulary_of, may_stream=False))
    scan = scan_of_samples(listed, _scan_file(scans[0]), Told(unit=choice.unit, source=choice.source))
    return Case(listed[0], scan, is_several=True, samples=listed)


def _submissions(
    path: Path, item: str | None, vocabulary_of: Callable[[str], Vocabulary], *, may_stream: bool
) -> Iterator[tuple[Submission, bool]]:
    """Yield submissions, each with whether it is one of several."""
    from homolog.submission.read import read_submissions, stream_submissions

    if may_stream and path.suffix.lower() in STREAMED:
        if not path.is_file():
            raise _unreadable(path, "no such file")
        for submission in stream_submissions(path, vocabulary_of, item):
            yield submission, True
        return
    found = read_submissions(read_bytes(path), shown_name(path.name), vocabulary_of, item)
    for submission in found:
        yield submission, len(found) > 1


def _scan_file(path: Path) -> ScanFile:
    from homolog.check import ScanFile

    return ScanFile(name=shown_name(path.name), data=read_bytes(path))


def _unreadable(path: Path, why: str) -> InputRefused:
    return InputRefused.because(f"the file cannot be read: {why}", where=str(path), todo="look at its name", code="file_unreadable")
