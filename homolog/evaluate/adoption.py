"""Which reading of an interpretation is the rule: a board's decision handed in, else the spec's own status."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from homolog.errors import InputRefused
from homolog.quantity import Adoption
from homolog.spec.interpretation import Interpretation


def adopted(interpretation: Interpretation, requirement: str, decisions: Sequence[Adoption], on: date) -> Adoption | None:
    """Return the decision that makes one reading the rule, or None while the question is open.

    Decisions handed in come before the spec's own; of several the latest counts, a narrow one before a general one.

    Raises:
        InputRefused: A decision adopts a reading that the interpretation does not have, or two of one day differ.
    """
    found = [decision for decision in decisions if decision.makes_rule(interpretation.id, requirement, on)]
    if found:
        return _latest(interpretation, found)
    own = interpretation.adoption
    if interpretation.status == "adopted" and own is not None and own.on <= on:
        return Adoption(interpretation=interpretation.id, reading=own.reading, by=own.by, on=own.on, decision=own.decision)
    return None


def _latest(interpretation: Interpretation, found: Sequence[Adoption]) -> Adoption:
    def rank(decision: Adoption) -> tuple[bool, date]:
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
