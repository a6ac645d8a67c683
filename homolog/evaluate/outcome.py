"""What a verdict means for a purpose: who carries the doubt."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal, assert_never

from homolog.evaluate.verdict import Verdict
from homolog.spec.model import Transition
from homolog.spec.requirement import Purpose

Outcome = Literal[
    "approve", "refuse", "play", "play_noted", "change", "ask", "pass", "fail", "borderline", "keep", "grace", "withdraw", "open"
]


def outcome_of(
    verdict: Verdict, findings: Iterable[Verdict], purpose: Purpose, *, transition: Transition | None, on: date
) -> Outcome:
    """Return the outcome of all findings for a purpose."""
    match purpose:
        case "type_approval":
            return {Verdict.CONFORM: "approve", Verdict.NONCONFORM: "refuse"}.get(verdict, "open")  # type: ignore[return-value]
        case "self_test":
            names = {Verdict.CONFORM: "pass", Verdict.NONCONFORM: "fail", Verdict.INCONCLUSIVE: "borderline"}
            return names.get(verdict, "open")  # type: ignore[return-value]
        case "match":
            return _match(verdict, set(findings))
        case "recheck":
            return _recheck(verdict, transition, on)
        case _:
            assert_never(purpose)


def _match(verdict: Verdict, found: set[Verdict]) -> Outcome:
    """Remove on nonconform only; what was not checked is noted, what people must rule on goes to the head referee."""
    if verdict is Verdict.NONCONFORM:
        return "change"
    if found & {Verdict.ERROR, Verdict.NEEDS_JUDGEMENT}:
        return "ask"
    return "play" if verdict is Verdict.CONFORM else "play_noted"


def _recheck(verdict: Verdict, transition: Transition | None, on: date) -> Outcome:
    verdict = recheck_verdict(verdict, transition)
    if verdict is Verdict.CONFORM:
        return "keep"
    if verdict is not Verdict.NONCONFORM:
        return "open"
    if transition is None or transition.policy == "immediate":
        return "withdraw"
    if transition.policy == "keep":
        return "keep"
    if isinstance(transition.until, date):
        return "grace" if on <= transition.until else "withdraw"
    return "open"


def recheck_verdict(verdict: Verdict, transition: Transition | None) -> Verdict:
    """Return the verdict of a recheck: while no transition policy is known, people decide whether a type stays."""
    if transition is not None and transition.policy == "unknown":
        return Verdict.NEEDS_JUDGEMENT
    return verdict
