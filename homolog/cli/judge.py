"""Judging one input of a check, from whichever thread: its cases, each from the journal or anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from homolog.cli import talk
from homolog.cli.codes import exit_code
from homolog.cli.inputs import STREAMED, Case, Choice, cases
from homolog.cli.journal import Journal
from homolog.cli.results import Result, digest_of_case
from homolog.errors import HomologError, InputRefused, UsageError
from homolog.gate.text import shown_name

if TYPE_CHECKING:
    from homolog.check import Question


@dataclass(frozen=True, slots=True)
class Input:
    """One input: a scan, or a sheet with the scans beside it, and what tells its reports apart."""

    label: str
    sheet: Path
    scans: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """What is asked of every input.

    Attributes:
        digest: Digest of the question; empty where no journal is kept.
    """

    choice: Choice
    question: Question
    journal: Journal
    digest: str

    def all_of(self, one: Input, *, is_batch: bool) -> Iterable[Result]:
        """Judge everything in one input; a refused input is a result too.

        A lot may hold more cases than can be kept, so it is judged while it is handed out, in whichever thread does that.

        Raises:
            UsageError: The call itself is wrong.
        """
        found = self._cases(one, is_quiet=is_batch)
        return list(found) if is_batch and one.sheet.suffix.lower() not in STREAMED else found

    def _cases(self, one: Input, *, is_quiet: bool) -> Iterator[Result]:
        from homolog.check import vocabulary_of

        name, number = shown_name(str(one.sheet)), 0
        try:
            for number, case in enumerate(cases(one.sheet, one.scans, self.choice, vocabulary_of(self.question.library)), 1):
                yield self._case(case, name, number, is_quiet=is_quiet)
        except UsageError:
            raise
        except HomologError as error:
            yield Result(name=name, number=number, code=error.exit_code, problems=error.problems)

    def _case(self, case: Case, name: str, number: int, *, is_quiet: bool) -> Result:
        from homolog.check import check

        digest = digest_of_case(case, number, self.digest) if self.digest else ""
        finished = self.journal.find(digest, name, number)
        if finished is not None:
            return finished
        try:
            with talk.progress(None if is_quiet or case.scan is None else f"measuring {case.scan.name}"):
                found = check(case.submission, self.question, case.scan)
            result = Result(name=name, number=number, code=exit_code(found.verdict.value), report=found)
        except InputRefused as error:
            result = Result(name=name, number=number, code=error.exit_code, problems=error.problems)
        # What ran out of time or memory is not kept: it may end otherwise next time.
        self.journal.keep(digest, result)
        return result
