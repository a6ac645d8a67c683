"""What one sheet, or one row of a sheet, submits for judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from homolog.quantity import Article, Conditions, LotSize, ReferenceLengths, ScannerRecord
from homolog.quantity.lot import NOTHING_STATED

Format = Literal["yaml", "json", "jsonl", "csv", "xlsx"]
ScanSource = Literal["structured_light", "photogrammetry", "laser", "ct", "cad"]
SCAN_SOURCES: tuple[str, ...] = get_args(ScanSource)
SCAN_UNITS = ("mm", "cm", "m", "in")
MATERIALS = ("pla", "petg", "abs", "polystyrene", "nylon", "resin", "metal")
"""Classes of material with an expansion of their own."""

SUBMISSION_FORMAT = "homolog-submission/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReference:
    """A scan that a sheet names; the bytes come beside it.

    Attributes:
        file: A bare file name, no folder.
        unit: Unit of the scan's numbers; None if the sheet is silent.
        source: How the scan was made; None if the sheet is silent.
        piece: Which piece of the article the scan shows, by its place in `Article.pieces` from 0, one number a level;
            empty for the article itself.
        instrument: Record of the scanner; None if the sheet names none.
        reference: The known lengths of a reference that was scanned beside the article; None for a scan of an article.
        beside: For a reference, the scan of the article that it was scanned with; None where there is only one.
    """

    file: str
    unit: str | None = None
    source: ScanSource | None = None
    piece: tuple[int, ...] = ()
    instrument: ScannerRecord | None = None
    conditions: Conditions | None = None
    reference: ReferenceLengths | None = None
    beside: str | None = None

    @property
    def is_reference(self) -> bool:
        """Whether the scan shows a reference, not an article."""
        return self.reference is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One article with its scans, and the bytes that it was read from.

    Attributes:
        sha256: Digest of the whole file.
        name: The file's name, as it was handed over.
        format: The form of the sheet, or the ending of a scan that came without one.
        row: In a lot, the line of a CSV, XLSX or JSON Lines file, or the sample's number from 1 in a YAML or JSON
            document; None where the file holds one article.
        lot: What the sheet states of the lot that its samples come from.
    """

    article: Article
    sha256: str
    name: str
    format: str
    scans: tuple[ScanReference, ...] = ()
    row: int | None = None
    lot: LotSize = NOTHING_STATED
