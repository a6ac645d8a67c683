"""Which scans belong to a submission, those of its pieces among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from homolog.check.pairing import ScanFile, Told, scan_of
from homolog.check.question import PieceScan, Scan
from homolog.errors import InputRefused
from homolog.scan.items import ON_PLATE
from homolog.submission.article import WITH_PIECES
from homolog.submission.submission import Submission

Fetch = Callable[[str], ScanFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scans:
    """The scans of one submission: the article's own, and those of its pieces."""

    own: Scan | None = None
    pieces: tuple[PieceScan, ...] = ()


def scans_of(submission: Submission, given: Sequence[ScanFile], told: Told, fetch: Fetch | None, *, is_lot: bool) -> Scans:
    """Return the scans that a sheet names, or that came with it, each with its references.

    A set is no body that could be scanned: a scan of the set itself shows its figures side by side, in the order of the list.

    Args:
        submission: The sheet, or one row of it.
        given: The scans that were handed over with the sheet.
        told: What was said of the scans.
        fetch: Looks for a file that a sheet names; None where nothing but what was sent can be had.
        is_lot: The sheet holds several samples, so that what was given cannot be of all of them.

    Raises:
        InputRefused: The scans do not fit the sheet, or one is not there.
        UsageError: What was said of the scans contradicts the sheet, or there is no scan that it could be said of.
    """
    is_bare = not submission.scans and not given
    if submission.article.item not in WITH_PIECES or is_bare:
        return Scans(own=scan_of(submission, given, told, fetch, is_lot=is_lot))
    return Scans(pieces=_of_pieces(submission, given, told, fetch))


def _of_pieces(submission: Submission, given: Sequence[ScanFile], told: Told, fetch: Fetch | None) -> tuple[PieceScan, ...]:
    named = {reference.file for reference in submission.scans}
    strangers = [file for file in given if file.name not in named]
    found = []
    for place, piece in enumerate(submission.article.pieces):
        # What is left of a longer way leads to a piece of the piece, and is refused there.
        scans = tuple(
            replace(reference, piece=reference.piece[1:]) for reference in submission.scans if reference.piece[:1] == (place,)
        )
        if scans:
            alone = replace(submission, article=piece, scans=scans)
            scan = scan_of(alone, _named_by(alone, given), told, fetch, is_lot=False)
            if scan is not None:
                found.append(PieceScan(scan=scan, pieces=(place,)))
    _refuse_the_same_twice(submission, found)
    whole = replace(submission, scans=tuple(reference for reference in submission.scans if not reference.piece))
    if whole.scans or strangers:
        scan = scan_of(whole, [*_named_by(whole, given), *strangers], told, fetch, is_lot=False)
        if scan is not None:
            pieces = _on_plate(submission, scan.name, {of_piece.pieces[0] for of_piece in found})
            found.append(PieceScan(scan=scan, pieces=pieces, is_plate=True))
    return tuple(found)


def _named_by(submission: Submission, given: Sequence[ScanFile]) -> list[ScanFile]:
    names = {reference.file for reference in submission.scans}
    return [file for file in given if file.name in names]


def _refuse_the_same_twice(submission: Submission, scans: Sequence[PieceScan]) -> None:
    """Refuse one scan for two pieces: two articles never give the same bytes. One drawing may be of both."""
    first: dict[bytes, int] = {}
    for of_piece in scans:
        if of_piece.scan.source != "cad" and first.setdefault(of_piece.scan.data, of_piece.pieces[0]) != of_piece.pieces[0]:
            one, other = first[of_piece.scan.data] + 1, of_piece.pieces[0] + 1
            what = f"pieces {one} and {other} of the list have the same scan"
            todo = "give each piece its own scan, or say that it is a drawing (source: cad)"
            raise InputRefused.because(what, where=submission.name, todo=todo, code="scan_twice")


def _on_plate(submission: Submission, name: str, scanned: set[int]) -> tuple[int, ...]:
    """Return the pieces that a plate shows: those that can be told apart in one file and have no scan of their own."""
    pieces = tuple(
        place for place, piece in enumerate(submission.article.pieces) if piece.item in ON_PLATE and place not in scanned
    )
    if not pieces:
        what = "the scan is of the set, and the set lists no figure without a scan of its own"
        raise InputRefused.because(what, where=name, todo="name the scan under the piece that it shows", code="scan_plate")
    return pieces
