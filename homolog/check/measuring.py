"""From scans to what they measure: one article a file, several side by side, or the pieces of a set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypedDict

from homolog.check.question import PieceScan, Scan
from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_kind
from homolog.quantity import Article, Conditions, ScannerRecord
from homolog.scan import ReferenceFile, ScanMeasurement, measure_scan, measure_scan_set
from homolog.submission.article import WITH_PIECES

_NOTHING: Mapping[int, ScanMeasurement] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured of the scans of one submission; no rule is in it, so that it serves any number of questions.

    Attributes:
        own: Of the article's own scan.
        pieces: Of the pieces' scans, by the piece's place in `Article.pieces`.
        plates: Names of the scans that show pieces side by side, or samples of which this is one.
    """

    own: ScanMeasurement | None = None
    pieces: Mapping[int, ScanMeasurement] = field(default_factory=lambda: _NOTHING)
    plates: tuple[str, ...] = ()


def measure(article: Article, scan: Scan | None = None, pieces: Sequence[PieceScan] = ()) -> Measured:
    """Measure all scans of a submission, minutes of work that no change of the rules asks for again.

    Raises:
        InputRefused: A scan cannot be taken as it is, or does not fit the list of pieces.
        MeasuringFailed: The measuring process ended without an answer.
    """
    if scan is not None:
        refuse_unlisted(scan, article.item)
    _glance_at([*([] if scan is None else [scan]), *(one.scan for one in pieces)])
    return Measured(
        own=None if scan is None else measure_of(scan, article.item),
        pieces=measure_pieces(article, pieces),
        plates=tuple(one.scan.name for one in pieces if one.is_plate),
    )


def _glance_at(scans: Sequence[Scan]) -> None:
    """Refuse what a glance shows to be no scan before minutes go into any: references first, as all else hangs on them."""
    for scan in scans:
        for reference in scan.references:
            check_kind(reference.data, name=reference.name)
    for scan in scans:
        check_kind(scan.data, name=scan.name)


def refuse_unlisted(scan: Scan, item: str) -> None:
    """Refuse a scan of a set or match that came without a list of its pieces.

    Raises:
        InputRefused: Nothing says which pieces the scan shows.
    """
    if item in WITH_PIECES:
        what = f"a scan of a {item} does not say which pieces it shows"
        todo = "list the pieces in a sheet beside it, or check the figures one by one (--item figure --several)"
        raise InputRefused.because(what, where=scan.name, todo=todo, code="scan_plate")


def measure_of(scan: Scan, item: str) -> ScanMeasurement:
    """Measure a scan in its own process, and its references in theirs."""
    return measure_scan(scan.data, item=item, glb=scan.glb, **_said(scan))


def measure_several(scan: Scan, item: str) -> tuple[ScanMeasurement, ...]:
    """Measure every article of a file that shows several side by side, numbered as one reads."""
    _glance_at([scan])
    return measure_scan_set(scan.data, item=item, **_said(scan))


class _Said(TypedDict):
    """What is said of every scan, as both ways of measuring take it."""

    name: str
    unit: str | None
    source: str
    seconds: float
    record: ScannerRecord | None
    conditions: Conditions | None
    references: tuple[ReferenceFile, ...]


def _said(scan: Scan) -> _Said:
    return {
        "name": scan.name,
        "unit": scan.unit,
        "source": scan.source,
        "seconds": scan.seconds,
        "record": scan.record,
        "conditions": scan.conditions,
        "references": scan.references,
    }


def measure_pieces(article: Article, scans: Iterable[PieceScan]) -> dict[int, ScanMeasurement]:
    """Measure the pieces of a set or match one by one.

    Args:
        article: The set or match.
        scans: Which piece each scan shows.

    Returns:
        The measurements by the piece's place in `Article.pieces`; pieces without a scan are left out.

    Raises:
        InputRefused: A scan cannot be taken as it is, or shows another number of figures than the list has.
    """
    found: dict[int, ScanMeasurement] = {}
    for of_piece in scans:
        items = [article.pieces[place].item for place in of_piece.pieces]
        if not of_piece.is_plate:
            found[of_piece.pieces[0]] = measure_of(of_piece.scan, items[0])
            continue
        parts = measure_several(of_piece.scan, items[0])
        if len(parts) != len(items):
            what = f"the scan shows {len(parts)} figures, the list has {len(items)} that name no scan of their own"
            todo = "list the figures left to right and row by row from the far side, one for each on the plate"
            raise InputRefused.because(what, where=of_piece.scan.name, todo=todo, code="scan_plate")
        found |= dict(zip(of_piece.pieces, parts, strict=True))
    return found


def with_scan(article: Article, measured: ScanMeasurement | None) -> Article:
    """Return an article with what was measured of its scan."""
    if measured is None:
        return article
    return replace(
        article,
        readings=(*article.readings, *measured.readings),
        unmeasured=(*article.unmeasured, *measured.unmeasured),
    )
