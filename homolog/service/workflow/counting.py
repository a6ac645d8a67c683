"""Owns how votes are counted: quorum, majority, ties, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from homolog.spec.process import Counting

Choice: TypeAlias = Literal["yes", "no", "abstain"]
Result: TypeAlias = Literal["carried", "lost", "tie", "no_quorum"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came out of a vote, with what it was counted by.

    Attributes:
        electors: How many could vote, without those who declared a conflict of interest.
        quorum: How many had to take part.
    """

    result: Result
    yes: int
    no: int
    abstain: int
    electors: int
    quorum: int

    def record(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "result": self.result,
            "yes": self.yes,
            "no": self.no,
            "abstain": self.abstain,
            "electors": self.electors,
            "quorum": self.quorum,
        }


def count(choices: Mapping[str, Choice], electors: Sequence[str], rule: Counting) -> Tally:
    """Count a vote.

    Args:
        choices: The last vote of each account; votes of accounts that are no electors do not count.
        electors: Who could vote.
        rule: By which rule.

    An abstention takes part, so it counts for the quorum; whether it stands in the way of a majority is the rule's to say.
    """
    cast = [choice for account, choice in choices.items() if account in set(electors)]
    yes, no, abstain = (cast.count(choice) for choice in ("yes", "no", "abstain"))
    quorum = max(_least(Fraction(rule.quorum), len(electors)), rule.least)
    return Tally(
        result=_result(yes, no, len(cast), len(electors), quorum, rule),
        yes=yes,
        no=no,
        abstain=abstain,
        electors=len(electors),
        quorum=quorum,
    )


def _result(yes: int, no: int, cast: int, electors: int, quorum: int, rule: Counting) -> Result:
    if cast < quorum:
        return "no_quorum"
    whole = {"yes_and_no": yes + no, "cast": cast, "electors": electors}[rule.of]
    words, _, share = rule.majority.rpartition(" ")
    needed = Fraction(share) * whole
    is_carried = yes > needed if words == "more than" else yes >= needed
    if is_carried and yes > 0:  # where all abstain, nobody has decided anything
        return "carried"
    return "tie" if yes == no and yes > 0 else "lost"


def _least(share: Fraction, of: int) -> int:
    """Return the least whole number that is at least a share of a number."""
    return -(-share.numerator * of // share.denominator)
