"""Which reading of an interpretation is the rule: a board's decision handed in, else the spec's own status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from homolog.errors import InputRefused
from homolog.evaluate.finding import AdoptionUsed
from homolog.spec.interpretation import Interpretation


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDecision:
    """One adopted reading, with the day from which it counts.

    Attributes:
        requirements: The only requirements that it holds for; empty means every one that names the interpretation.
    """

    interpretation: str
    reading: str
    by: str
    on: date
    decision: str
    requirements: tuple[str, ...] = ()

    def holds_for(self, interpretation: str, requirement: str, on: date) -> bool:
        """Whether the decision makes the rule for a requirement on a day."""
        named = not self.requirements or requirement in self.requirements
        return named and self.interpretation == interpretation and self.on <= on


def adopted(interpretation: Interpretation, requirement: str, decisions: Sequence[BoardDecision], on: date) -> AdoptionUsed | None:
    """Return the decision that makes one reading the rule, or None while the question is open.

    Decisions handed in come before the spec's own; of several the latest counts, a narrow one before a general one.

    Raises:
        InputRefused: A decision adopts a reading that the interpretation does not have, or two of one day differ.
    """
    found = [decision for decision in decisions if decision.holds_for(interpretation.id, requirement, on)]
    if found:
        best = _latest(interpretation, found)
        return AdoptionUsed(reading=best.reading, by=best.by, on=best.on.isoformat(), decision=best.decision)
    own = interpretation.adoption
    if interpretation.status == "adopted" and own is not None and own.on <= on:
        return AdoptionUsed(reading=own.reading, by=own.by, on=own.on.isoformat(), decision=own.decision)
    return None


def _latest(interpretation: Interpretation, found: Sequence[BoardDecision]) -> BoardDecision:
    def rank(decision: BoardDecision) -> tuple[bool, date]:
        return bool(decision.requirements), decision.on

    best = max(found, key=rank)
    chosen = {decision.reading for decision in found if rank(decision) == rank(best)}
    if len(chosen) > 1:
        raise InputRefused.because(
            f"two decisions of {best.on} on {interpretation.id} differ: {', '.join(sorted(chosen))}",
            todo="keep the one that holds",
            code="adoption_overlap",
        )
    known = [reading.id for reading in interpretation.readings]
    if best.reading not in known:
        raise InputRefused.because(
            f"{best.reading!r} is no reading of {interpretation.id}",
            todo=f"write one of {', '.join(known)}",
            code="reading_unknown",
        )
    return best
