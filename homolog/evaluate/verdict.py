"""The six verdicts in their one order, and what does not apply."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import total_ordering


@total_ordering
class Verdict(Enum):
    """What was found about one requirement, or about all of them.

    The order is the only logic: all of several requirements hold as far as the least of them holds (`least`), one of
    several as far as the greatest (`greatest`). `not_applicable` stands outside the order and is left out of both.
    """

    NONCONFORM = "nonconform"
    ERROR = "error"
    NOT_MEASURED = "not_measured"
    NEEDS_JUDGEMENT = "needs_judgement"
    INCONCLUSIVE = "inconclusive"
    CONFORM = "conform"
    NOT_APPLICABLE = "not_applicable"

    def __bool__(self) -> bool:
        """Refuse to be taken for a yes or a no.

        Raises:
            TypeError: Always.
        """
        raise TypeError("a verdict is not a yes or a no; compare it")

    def __lt__(self, other: object) -> bool:
        """Compare by the order of verdicts."""
        if not isinstance(other, Verdict):
            return NotImplemented
        return _RANK[self] < _RANK[other]


_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


def least(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of "all of these"; nothing applicable gives `not_applicable`, never `conform`."""
    return min((verdict for verdict in verdicts if verdict is not Verdict.NOT_APPLICABLE), default=Verdict.NOT_APPLICABLE)


def greatest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of "one of these"; nothing applicable gives `not_applicable`, never `conform`."""
    return max((verdict for verdict in verdicts if verdict is not Verdict.NOT_APPLICABLE), default=Verdict.NOT_APPLICABLE)


def under_open_readings(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a requirement whose interpretation is open, from the verdict under each reading.

    Nonconform needs all readings; a requirement that some readings fail turns on the interpretation, so people decide.
    """
    applicable = [verdict for verdict in verdicts if verdict is not Verdict.NOT_APPLICABLE]
    failing = sum(verdict is Verdict.NONCONFORM for verdict in applicable)
    if 0 < failing < len(applicable):
        return Verdict.NEEDS_JUDGEMENT
    return least(applicable)
