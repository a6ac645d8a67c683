"""Judging one input of a check, from whichever thread: its cases, each from the journal or anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
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
    from homolog.report import Report


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
                if case.is_several:
                    yield from self._several(case, name, is_quiet=is_quiet)
                else:
                    yield replace(self._case(case, name, number, is_quiet=is_quiet), lot=case.submission.lot)
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
            with _progress(case, is_quiet=is_quiet):
                found = check(case.submission, self.question, case.scan, case.pieces)
            result = _judged(found, name, number)
        except InputRefused as error:
            result = Result(name=name, number=number, code=error.exit_code, problems=error.problems)
        # What ran out of time or memory is not kept: it may end otherwise next time.
        self.journal.keep(digest, result)
        return result

    def _several(self, case: Case, name: str, *, is_quiet: bool) -> list[Result]:
        """Judge all that one scan shows; how many they are is known from the journal, or when it has been measured."""
        from homolog.check import check_samples, check_several

        finished = self._finished(case, name)
        if finished:
            return finished
        if case.scan is None:
            return []
        try:
            with _progress(case, is_quiet=is_quiet):
                if case.samples:
                    found = check_samples(case.samples, self.question, case.scan)
                else:
                    found = check_several(case.submission, self.question, case.scan)
            lot = case.submission.lot
            results = [replace(_judged(report, name, number), lot=lot) for number, report in enumerate(found, 1)]
        except InputRefused as error:
            results = [Result(name=name, number=1, code=error.exit_code, problems=error.problems)]
        for result in reversed(results):  # the first one, by which the others are found, comes when they are there
            self.journal.keep(digest_of_case(case, result.number, self.digest) if self.digest else "", result)
        return results

    def _finished(self, case: Case, name: str) -> list[Result]:
        """Return what the journal holds of a scan of several, all of it or nothing."""
        if not self.digest:
            return []
        first = self.journal.find(digest_of_case(case, 1, self.digest), name, 1)
        if first is None or first.report is None:
            return [] if first is None else [first]
        scan = first.report.record["scan"]  # None where the edition does not regulate the item: nothing was measured
        total = max(len(case.samples), 1) if scan is None else int(scan["facts"]["part"].rpartition(" ")[2])
        others = [self.journal.find(digest_of_case(case, number, self.digest), name, number) for number in range(2, total + 1)]
        whole = [replace(one, lot=case.submission.lot) for one in (first, *others) if one is not None]
        return whole if len(whole) == total else []


def _judged(report: Report, name: str, number: int) -> Result:
    return Result(name=name, number=number, code=exit_code(report.verdict.value), report=report)


def _progress(case: Case, *, is_quiet: bool) -> AbstractContextManager[None]:
    names = case.scan_names
    says = names[0] if len(names) == 1 else f"{len(names)} scans"
    return talk.progress(None if is_quiet or not names else f"measuring {says}")
