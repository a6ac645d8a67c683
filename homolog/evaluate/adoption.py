"""Which reading of an interpretation is the rule: a board's decision handed in, else the spec's own status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

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
    """
    found = [decision for decision in decisions if decision.holds_for(interpretation.id, requirement, on)]
    if found:
        best = max(found, key=lambda decision: (bool(decision.requirements), decision.on))
        return AdoptionUsed(reading=best.reading, by=best.by, on=best.on.isoformat(), decision=best.decision)
    own = interpretation.adoption
    if interpretation.status == "adopted" and own is not None and own.on <= on:
        return AdoptionUsed(reading=own.reading, by=own.by, on=own.on.isoformat(), decision=own.decision)
    return None
