"""What is asked of a submission: under which rules, for which purpose, on which day."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from homolog.errors import UsageError
from homolog.evaluate.register import RegisterExtract
from homolog.quantity import Adoption, Answer, Conditions, Role, ScannerRecord
from homolog.scan import DEFAULT_SOURCE, ReferenceFile
from homolog.spec.edition import EditionFile
from homolog.spec.library import Library, LoadedEdition
from homolog.spec.requirement import Purpose
from homolog.submission.adoptions import Adoptions

DEFAULT_BODY = "fistf"
DEFAULT_EDITION = "4.0"


@dataclass(frozen=True, kw_only=True)
class Scan:
    """A scan as it was sent.

    Attributes:
        unit: The file's unit if it was declared; None lets the measuring decide, with reasons.
        source: The class of scanner, which gives the default uncertainty.
        record: What the sheet states of the scanner.
        conditions: What the sheet states of the article while it was scanned.
        references: Scans of reference balls of the same session.
        seconds: How long measuring may take.
        glb: Whether the meshes of a goalkeeper's parts are wanted as well.
    """

    name: str
    data: bytes
    unit: str | None = None
    source: str = DEFAULT_SOURCE
    record: ScannerRecord | None = None
    conditions: Conditions | None = None
    references: tuple[ReferenceFile, ...] = ()
    seconds: float = 120.0
    glb: bool = False


@dataclass(frozen=True, kw_only=True)
class PieceScan:
    """A scan of one piece of a set or match, or of several of its figures side by side.

    Attributes:
        pieces: The places in `Article.pieces` of what the scan shows, in the order of the list; one if it is no plate.
        is_plate: Whether the file shows several articles, to be told apart and numbered.
    """

    scan: Scan
    pieces: tuple[int, ...]
    is_plate: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """Under which rules, for which purpose and on which day a submission is judged.

    Attributes:
        edition: The edition's label; None takes the edition in force on the day, an item.
        on: The day that counts: it is handed in, the engine has no clock.
        is_by_default: Whether nobody named an edition or a day, so that the report must say which edition was taken.
        register: The approved types; the report names it by its digest.
        roles: Roles that who sends the sheet is known to speak for: only their answers count, besides those that are proven
            already. None, as on the command line, knows nobody: all count, each marked as the sheet states it. A role is no
            person: who is known as one member of a board must not bring a sheet with the votes of several.
    """

    on: date
    body: str = DEFAULT_BODY
    edition: str | None = DEFAULT_EDITION
    purpose: Purpose = "self_test"
    is_by_default: bool = False
    adoptions: Adoptions | None = None
    register: RegisterExtract | None = None
    roles: frozenset[Role] | None = None
    library: Library = field(default_factory=Library)

    def edition_of(self, item: str) -> LoadedEdition:
        """Return the edition that judges an item.

        Raises:
            UsageError: There is no such body or edition, or none is in force on the day.
        """
        if self.edition is not None:
            return self.library.edition(self.body, self.edition)
        return self.library.in_force(self.body, item, self.on)

    def in_force(self, item: str) -> str | None:
        """Return the label of the edition in force for an item on the day, or None if none is known."""
        try:
            return self.library.in_force(self.body, item, self.on).file.label
        except UsageError:
            return None

    def may_count(self, answer: Answer) -> bool:
        """Whether an answer counts, given who sent it."""
        return answer.is_proven or self.roles is None or answer.role in self.roles

    def decisions(self, edition: EditionFile) -> tuple[Adoption, ...]:
        """Return the board's adoptions that are meant for an edition; their days are looked at in the assessment."""
        given = () if self.adoptions is None else self.adoptions.adoptions
        return tuple(one for one in given if one.is_meant_for(body=edition.body, edition=edition.label))
