"""Which scans belong to which submission; one rule for the command line and the service."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from homolog.check.question import Scan
from homolog.errors import InputRefused, Problem, UsageError
from homolog.quantity import Article, Conditions
from homolog.scan import DEFAULT_SOURCE, ReferenceFile
from homolog.submission.article import WITH_PIECES, VocabularyOf
from homolog.submission.scans import read_conditions, read_lengths
from homolog.submission.stated import read_stated
from homolog.submission.submission import ScanReference, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanFile:
    """A scan as it was handed over."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was said of the scan beside the sheet: its unit, its scanner, and how long measuring may take.

    Attributes:
        attributes: What is stated of the article that a scan alone shows, as `pose=upright`.
        conditions: What a scan alone was scanned in.
        references: Scans of reference balls of the same session as a scan alone.
    """

    unit: str | None = None
    source: str | None = None
    seconds: float = 120.0
    attributes: tuple[str, ...] = ()
    conditions: Conditions | None = None
    references: tuple[ReferenceFile, ...] = ()


def scan_alone(scan: ScanFile, item: str | None, told: Told, vocabulary_of: VocabularyOf) -> tuple[Submission, Scan]:
    """Return the submission that a scan without a sheet is.

    Raises:
        InputRefused: An attribute is not known.
        UsageError: Nothing says what the scan shows.
    """
    if item is None:
        what = "a scan alone does not say what it shows"
        raise UsageError.because(what, where=scan.name, todo="name the item (--item on the command line)", code="item_missing")
    path = PurePath(scan.name)
    attributes = read_stated(told.attributes, vocabulary_of(item), scan.name) if told.attributes else {}
    submission = Submission(
        article=Article(item=item, name=path.stem, attributes=attributes),
        sha256=hashlib.sha256(scan.data).hexdigest(),
        name=scan.name,
        format=path.suffix.lower().lstrip("."),
    )
    return submission, replace(_scan(scan, None, told), conditions=told.conditions, references=told.references)


def scan_of_samples(samples: Sequence[Submission], scan: ScanFile, told: Told) -> Scan:
    """Return the scan that shows all samples of a sheet side by side.

    Raises:
        InputRefused: The samples are of two items, or one names a scan of its own.
        UsageError: The sheet is of a set, whose figures are its pieces.
    """
    name = samples[0].name
    if any(sample.article.item in WITH_PIECES for sample in samples):
        todo = "leave out --several; a sheet of a set takes a scan of its figures side by side without it"
        raise UsageError.because("the sheet is of a set, not of samples", where=name, todo=todo, code="usage")
    if len({sample.article.item for sample in samples}) > 1:
        todo = "give each item a sheet and a scan of its own"
        raise InputRefused.because("the samples in one scan are of several items", where=name, todo=todo, code="scan_count")
    own = next((sample for sample in samples if sample.scans), None)
    if own is not None:
        what = f"the sample {own.article.name or own.row or ''} names a scan of its own, and one scan of all samples was given"
        raise InputRefused.because(what, where=name, todo="keep one of the two", code="scan_count")
    return _scan(scan, None, told)


def reference_of(file: ScanFile, told: Mapping[str, str]) -> ReferenceFile:
    """Return a reference that no sheet names, from what is said of it in a sheet's words.

    Raises:
        InputRefused: What is said cannot be true of a reference.
    """
    return ReferenceFile(name=file.name, data=file.data, lengths=read_lengths(told, file.name))


def conditions_of(file: ScanFile, told: Mapping[str, str]) -> Conditions | None:
    """Return what a scan that no sheet names was scanned in, from what is said of it in a sheet's words.

    Raises:
        InputRefused: What is said cannot be true of a scan.
    """
    return read_conditions(told, file.name)


def scan_of(
    submission: Submission, given: Sequence[ScanFile], told: Told, fetch: Callable[[str], ScanFile] | None, *, is_lot: bool
) -> Scan | None:
    """Return the scan of a sheet with its references: those that it names, or the one that came with it.

    Args:
        submission: The sheet, or one row of it.
        given: The scans that were handed over with the sheet; if there are any, all that the sheet names must be there.
        told: What was said of the scan; nothing is said of references.
        fetch: Looks for a file that a sheet names; None where nothing but what was sent can be had.
        is_lot: The sheet holds several samples, so that what was given cannot be of all of them.

    Raises:
        InputRefused: The sheet names scans of several articles, a piece's scan, other scans, or some that are not there.
        UsageError: What was said of the scan contradicts the sheet, or there is no scan that it could be said of.
    """
    articles = [scan for scan in submission.scans if not scan.is_reference]
    references = [scan for scan in submission.scans if scan.is_reference]
    if len(articles) > 1 or (given and is_lot):
        what = "several samples or scans of several articles stand in the sheet, and each scan wants a sheet of its own"
        raise InputRefused.because(what, where=submission.name, todo="send one sheet for each scan", code="scan_count")
    if not articles:
        if not given:
            _refuse_idle(submission, told)
            return None
        if len(given) > 1:
            what = f"{len(given)} scans were given, and the sheet does not say which of them shows the article"
            todo = "name them in the sheet, the reference balls with what is known of them"
            raise InputRefused.because(what, where=submission.name, todo=todo, code="scan_count")
        return _scan(given[0], None, told)
    article = articles[0]
    for reference in (article, *references):
        _refuse_piece(submission, reference)
    names = [scan.file for scan in (article, *references)]
    files = _gathered(submission, names, given, fetch)
    return replace(
        _scan(files[article.file], article, told),
        record=article.instrument,
        conditions=article.conditions,
        references=tuple(
            ReferenceFile(name=scan.file, data=files[scan.file].data, unit=scan.unit, lengths=scan.reference)
            for scan in references
            if scan.reference is not None
        ),
    )


def _refuse_piece(submission: Submission, scan: ScanReference) -> None:
    if scan.piece:
        what = f"the scan {scan.file} is of a piece of a piece"
        raise InputRefused.because(what, where=submission.name, todo="send each set with a sheet of its own", code="scan_piece")


def _gathered(
    submission: Submission, names: Sequence[str], given: Sequence[ScanFile], fetch: Callable[[str], ScanFile] | None
) -> dict[str, ScanFile]:
    """Return the files that a sheet names, by their names; none is left over, and none is missing.

    Raises:
        InputRefused: With every file that was given and not named, or named and not given.
    """
    problems = []
    for file in given:
        if file.name not in names:
            what = f"the sheet names {_listed('the scan', names)}, but {file.name} was given"
            problems.append(Problem(submission.name, what, "give the scans that the sheet names", "scan_other"))
    if len({file.name for file in given}) < len(given):
        problems.append(Problem(submission.name, "two scans of one name were given", "give each file once", "scan_other"))
    found = {file.name: file for file in given}
    for name in names:
        if name in found or problems:
            continue
        if given or fetch is None:
            what = f"the sheet names the scan {name}, which was not sent"
            problems.append(Problem(submission.name, what, "send it beside the sheet", "scan_missing"))
        else:
            found[name] = fetch(name)
    if problems:
        raise InputRefused(*problems)
    return found


def _listed(what: str, names: Sequence[str]) -> str:
    return f"{what} {names[0]}" if len(names) == 1 else f"{what}s {', '.join(names)}"


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
