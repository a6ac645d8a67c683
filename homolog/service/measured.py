"""Owns what was measured of scans: kept in the store, so that other rules are asked of the same readings.

A measurement is taken again only if other programs would measure: its key is the digest of the scans and of all that was said of
them, and beside it stands the digest of the programs that measured, down to their text.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homolog.register import editions
from homolog.register.columns import json_text
from homolog.service.desk import Desk

if TYPE_CHECKING:
    from homolog.check import Measured, Scan, Scans
    from homolog.quantity import Article

FORMAT = "homolog-measured/1"
_ROOMS = ("scan", "gate", "quantity")


def measured_of(desk: Desk, article: Article, scans: Scans, *, now: datetime, again: bool = False) -> Measured:
    """Return what the scans of a submission give: as it was kept, or measured now and kept.

    Args:
        desk: Where.
        article: What was scanned.
        scans: Its scans; without any nothing is measured.
        now: Aware.
        again: Measure even if the same programs have done so before.

    Raises:
        InputRefused: A scan cannot be taken as it is, or does not fit the list of pieces.
        MeasuringFailed: The measuring process ended without an answer.
    """
    from homolog.check import Measured, measure

    if scans.own is None and not scans.pieces:
        return Measured()
    key, measurer = key_of(article, scans), measurer_of()
    if not again:
        kept = kept_measured(desk, key, measurer)
        if kept is not None:
            return kept
    found = measure(article, scans.own, scans.pieces)
    blob = desk.files.receive([json_text(_plain(found)).encode()])
    with desk.database.write() as session:
        desk.files.record(session, blob, now=now)
        editions.keep_measured(session, key, measurer, blob.digest, now=now)
    return found


def kept_measured(desk: Desk, key: str, measurer: str) -> Measured | None:
    """Return what was kept of scans, or None if these programs never measured them."""
    with desk.database.read() as session:
        digest = editions.measured(session, key, measurer)
    return None if digest is None else _read(desk.files.read(digest))


def key_of(article: Article, scans: Scans) -> str:
    """Return the digest of scans and of all that was said of them."""
    items = [article.item, *(piece.item for piece in article.pieces)]
    own = None if scans.own is None else _said(scans.own)
    pieces = [[_said(one.scan), list(one.pieces), one.is_plate] for one in scans.pieces]
    return hashlib.sha256(json_text([items, own, pieces]).encode()).hexdigest()


@cache
def measurer_of() -> str:
    """Return the digest of the programs that measure here: the text of ours, and the versions of the libraries."""
    from homolog.scan.engine import LIBRARIES, version_of

    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(path for room in _ROOMS for path in (package / room).rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode() + path.read_bytes())
    digest.update(json_text({name: version_of(name) for name in LIBRARIES} | {"python": sys.version}).encode())
    return digest.hexdigest()


def _said(scan: Scan) -> list[Any]:
    # The words of frozen values: numbers in them are decimals, written as they were given.
    references = [[one.name, hashlib.sha256(one.data).hexdigest(), repr(one.unit), repr(one.lengths)] for one in scan.references]
    bytes_of = hashlib.sha256(scan.data).hexdigest()
    return [scan.name, bytes_of, scan.unit, scan.source, repr(scan.record), repr(scan.conditions), references, scan.glb]


def _plain(found: Measured) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "own": None if found.own is None else found.own.to_json(),
        "pieces": {str(place): one.to_json() for place, one in found.pieces.items()},
        "plates": list(found.plates),
    }


def _read(data: bytes) -> Measured:
    from homolog.check import Measured
    from homolog.scan import ScanMeasurement

    plain: Mapping[str, Any] = json.loads(data)
    return Measured(
        own=None if plain["own"] is None else ScanMeasurement.from_json(plain["own"]),
        pieces={int(place): ScanMeasurement.from_json(one) for place, one in plain["pieces"].items()},
        plates=tuple(plain["plates"]),
    )
