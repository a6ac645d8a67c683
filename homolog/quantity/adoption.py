"""A board's dated decision for one reading of an interpretation."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption:
    """One adopted reading, and what it holds for.

    Attributes:
        by: Who decided.
        on: The day from which it counts.
        decision: Where the decision is written down.
        requirements: The only requirements that it holds for; empty means every one that turns on the interpretation.
        body: The rules' body that it holds for; None means all.
        edition: The edition's label that it holds for; None means all.
        where: Where it stands in its file; of two that say the same it makes no difference.
    """

    interpretation: str
    reading: str
    by: str
    on: date
    decision: str
    requirements: tuple[str, ...] = ()
    body: str | None = None
    edition: str | None = None
    where: str = field(default="", compare=False)

    def is_meant_for(self, *, body: str, edition: str) -> bool:
        """Whether it speaks of a body's edition; one that names neither speaks of all."""
        return self.body in (None, body) and self.edition in (None, edition)

    def makes_rule(self, interpretation: str, requirement: str, on: date) -> bool:
        """Whether it makes the rule for a requirement on a day."""
        named = not self.requirements or requirement in self.requirements
        return named and self.interpretation == interpretation and self.on <= on

    def overlaps(self, other: Adoption) -> bool:
        """Whether some requirement of some edition falls under both decisions."""
        shared = not self.requirements or not other.requirements or set(self.requirements) & set(other.requirements)
        same_body = self.body is None or other.body is None or self.body == other.body
        same_edition = self.edition is None or other.edition is None or self.edition == other.edition
        return self.interpretation == other.interpretation and bool(shared) and same_body and same_edition
