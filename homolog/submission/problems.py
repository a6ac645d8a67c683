"""All that is wrong with one sheet, collected until the sheet has been read to its end."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from homolog.errors import InputRefused, Problem

MAX_PROBLEMS = 1_000
_MAX_SUGGESTIONS = 50
_SHORT_LIST = 12


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known name that a misspelt one most resembles, or None."""
    close = difflib.get_close_matches(word[:100], list(known), 1, 0.6)
    return close[0] if close else None


class ProblemList:
    """Problems in the order they were found; reading stops at the thousandth."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def add(self, where: str, what: str, todo: str, code: str) -> None:
        """Note a problem.

        Raises:
            InputRefused: The list is full.
        """
        self.add_problem(Problem(where, what, todo, code))

    def add_problem(self, problem: Problem) -> None:
        """Note a problem that is already one.

        Raises:
            InputRefused: The list is full.
        """
        self._problems.append(problem)
        if len(self._problems) >= MAX_PROBLEMS:
            self._problems.append(Problem("", f"there may be more than these {MAX_PROBLEMS} problems", "", "too_many_problems"))
            self.raise_if_any()

    def unknown(self, where: str, kind: str, word: str, known: Iterable[str], code: str) -> None:
        """Note a name that is not known, with the nearest known one, or all of a short list."""
        names = list(known)
        # A look for the nearest name takes a millisecond in a long list; a hostile sheet would make thousands.
        near = nearest(word, names) if len(self._problems) < _MAX_SUGGESTIONS else None
        if near is not None:
            todo = f"did you mean {near}?"
        elif 0 < len(names) <= _SHORT_LIST:
            todo = f"use one of {', '.join(names)}"
        else:
            todo = "remove it or correct its spelling"
        self.add(where, f"{kind} {word[:100]!r} is not known", todo, code)

    def __len__(self) -> int:
        """Return how many problems were found."""
        return len(self._problems)

    def raise_if_any(self) -> None:
        """Refuse the sheet with all of its problems.

        Raises:
            InputRefused: There is at least one.
        """
        if self._problems:
            raise InputRefused(*self._problems)
