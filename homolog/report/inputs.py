"""What a report is built from, beside the types of the rooms below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Reading, Unmeasured
from homolog.spec.edition import EditionFile
from homolog.spec.load import LoadedSpec

if TYPE_CHECKING:
    from homolog.scan.measurement import ScanMeasurement

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionFacts:
    """The sheet or scan that was sent in.

    Attributes:
        format: The form of the file, such as `yaml`, `csv` or `stl`.
        row: Row of the sheet, where one sheet holds many articles.
        article: What the sheet calls the article, such as a sample's name.
        attributes: What the submitter declared of the article.
    """

    name: str
    sha256: str
    format: str
    row: int | None = None
    article: str | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceFindings:
    """One piece of a set or match, judged against its own item's spec.

    Attributes:
        spec: None if the edition does not regulate the item, or the piece was not judged.
        not_judged: Why the piece was not judged, as a code or a sentence; None if it was.
        edition: The edition used for the piece; None is the article's.
        unused: Readings that no requirement of the piece's rules uses.
        unmeasured: Attempts without a number; those that a finding names already are left out.
        scan: What was measured of the piece's own scan.
    """

    name: str
    item: str
    verdict: Verdict
    role: str | None = None
    spec: LoadedSpec | None = None
    findings: tuple[Finding, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    not_judged: str | None = None
    edition: EditionFile | None = None
    unused: tuple[Reading, ...] = ()
    unmeasured: tuple[Unmeasured, ...] = ()
    scan: ScanMeasurement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptionGiven:
    """One adoption that was handed in.

    Attributes:
        in_force: Whether it decides in this report.
        sha256: Digest of the file that holds it.
    """

    adoption: Adoption
    in_force: bool
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """How the same submission stands under another edition.

    Attributes:
        differs: Requirements whose verdict is another one there.
    """

    edition: str
    verdict: Verdict
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which rules were asked for, and between which editions the day could choose.

    Attributes:
        body: Whose rules.
        edition: The label that was asked for; None asked for the edition in force on the day, an item.
        is_by_default: Whether nobody named an edition or a day.
        editions: All editions of the body that were known, by their labels, each with the digest of its rules for the item.
    """

    body: str
    edition: str | None
    is_by_default: bool
    editions: Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionNotes:
    """How the edition that was used stands to the others.

    Attributes:
        in_force: Label of the edition in force on the day, if that is another one.
        elsewhere: The same submission under other editions.
    """

    in_force: str | None = None
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The program that judged.

    Attributes:
        build: Digest over the sources that judge; None leaves it out.
    """

    name: str
    version: str
    build: str | None = None
