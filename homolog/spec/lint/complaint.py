"""One complaint of the linter, and the file that it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from homolog.errors import HomologError
from homolog.gate.yaml_text import Document
from homolog.gate.yaml_text import Path as DocumentPath
from homolog.quantity import UNITS
from homolog.spec.interpretation import Interpretation
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Spec

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What is wrong or doubtful at one place of a file.

    Attributes:
        where: `file:line:column`.
        id: The requirement, quantity, interpretation or clause that it is about; may be empty.
        what: What is wrong, one sentence without the final full stop.
        todo: What to write instead.
        code: Stable identifier of the kind of complaint.
    """

    severity: Severity
    where: str
    id: str
    what: str
    todo: str
    code: str

    def __str__(self) -> str:
        """Return the complaint as one line for a person."""
        subject = f"{self.id}: " if self.id else ""
        return f"{self.where}: {self.severity}: {subject}{self.what}; {self.todo}. [{self.code}]"

    @property
    def place(self) -> tuple[str, int, int]:
        """File, line and column, to sort by."""
        file, line, column = self.where.rsplit(":", 2)
        return file, int(line), int(column)


def complain(
    document: Document, path: DocumentPath, *, about: str, what: str, todo: str, code: str, severity: Severity = "error"
) -> Complaint:
    """Return a complaint at the place of a document's part."""
    return Complaint(severity=severity, where=document.where(path), id=about, what=what, todo=todo, code=code)


@dataclass(frozen=True)
class Subject:
    """A loaded spec file under the linter."""

    loaded: LoadedSpec

    @property
    def spec(self) -> Spec:
        """The spec itself."""
        return self.loaded.spec

    @cached_property
    def interpretations(self) -> dict[str, Interpretation]:
        """Interpretations by id."""
        return {interpretation.id: interpretation for interpretation in self.spec.interpretations}

    @cached_property
    def closed_lists(self) -> dict[str, tuple[str, ...] | None]:
        """The closed list of each declared attribute; None for free text."""
        return {name: attribute.values for name, attribute in self.spec.attributes.items()}

    @cached_property
    def dimensions(self) -> dict[str, str]:
        """Dimension of each measured and derived quantity."""
        units = {name: quantity.unit for name, quantity in self.spec.quantities.items()}
        units |= {name: rule.unit for name, rule in self.spec.derived.items()}
        return {name: UNITS[unit].dimension for name, unit in units.items()}

    def error(self, path: DocumentPath, *, about: str, what: str, todo: str, code: str) -> Complaint:
        """Return an error at a part of the file."""
        return complain(self.loaded.document, path, about=about, what=what, todo=todo, code=code)

    def warning(self, path: DocumentPath, *, about: str, what: str, todo: str, code: str) -> Complaint:
        """Return a warning at a part of the file."""
        return complain(self.loaded.document, path, about=about, what=what, todo=todo, code=code, severity="warning")


def full_place(where: str) -> str:
    """Return a place with line and column, also where the loader knows only the file or the line."""
    parts = where.rsplit(":", 2)
    numbers = [part for part in parts[1:] if part.isdigit()]
    return where + ":1" * (2 - len(numbers))


def of_refusal(error: HomologError) -> Iterator[Complaint]:
    """Yield what a loader refused, as complaints."""
    for problem in error.problems:
        yield Complaint(
            severity="error",
            where=full_place(problem.where),
            id="",
            what=problem.what,
            todo=problem.todo or "mend the file",
            code=problem.code,
        )
