"""The errors that Homolog raises when it cannot judge.

A verdict is never an exception: an exception means that the program could not judge at all.
Every class carries a stable `code`, explained under a heading of its own in docs/errors.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input.

    Attributes:
        where: `file:line:column`, a sheet's row and column, or a path inside a document.
        what: What is wrong there, one sentence without the final full stop.
        todo: What to write or do instead; may be empty.
        code: Stable identifier of the kind of problem.
    """

    where: str
    what: str
    todo: str
    code: str

    def __str__(self) -> str:
        """Return the problem as one line for a person."""
        sentence = f"{self.where}: {self.what}" if self.where else self.what
        line = f"{sentence}; {self.todo}" if self.todo else sentence
        return line if line.endswith("?") else f"{line}."


class HomologError(Exception):
    """Base of all errors raised on purpose."""

    code: ClassVar[str] = "homolog"
    exit_code: ClassVar[int] = 5

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; at least one says what happened."""
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    @classmethod
    def because(cls, what: str, *, where: str = "", todo: str = "", code: str | None = None) -> Self:
        """Build the error from a single problem."""
        return cls(Problem(where, what, todo, code or cls.code))


class InputRefused(HomologError):
    """The sheet, scan or adoption file cannot be taken as it is; nothing of it was used."""

    code = "input_refused"
    exit_code = 4


class SpecError(HomologError):
    """A spec file does not say a rule that can be checked."""

    code = "spec_invalid"
    exit_code = 4


class UsageError(HomologError):
    """The call names something that does not exist, such as an unknown edition."""

    code = "usage"
    exit_code = 2


class MeasuringFailed(HomologError):
    """The measuring process ended without an answer: out of time, out of memory or crashed."""

    code = "measuring_failed"
    exit_code = 5
