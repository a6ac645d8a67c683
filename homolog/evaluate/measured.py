"""Requirements that turn on a number or an inspection, and the open questions that they may turn on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from homolog.evaluate.answers import Counted, inspection
from homolog.evaluate.context import Context, undeclared, with_judged
from homolog.evaluate.finding import Decided, DecisionRule, Finding, InterpretationUsed, Judged, ReadingOutcome, Statement
from homolog.evaluate.groups import holds, missing_attributes
from homolog.evaluate.limits import joint, judge_quantity, limit_used, next_of
from homolog.evaluate.methods import unit_of
from homolog.evaluate.verdict import Verdict, under_open_readings
from homolog.quantity import Answer
from homolog.spec.interpretation import Bounds, Interpretation, InterpretationReading
from homolog.spec.requirement import Inspect, Limit


@dataclass(frozen=True, slots=True)
class _Under:
    """How the article stands under one reading of an interpretation, and who answered for it, if people did."""

    outcome: ReadingOutcome
    people: Counted | None = None


def limit_finding(context: Context, requirement: Limit, base: Finding) -> Finding:
    """Return the finding on a limit."""
    bounds = _bounds(context, requirement)
    if isinstance(bounds, Judged):
        return with_judged(base, bounds)
    question = context.open_question(requirement)
    if question is not None:
        return _interpreted(context, requirement, base, question, bounds)
    rule = context.decision_rule(requirement)
    return _with_decided(replace(base, decision=rule), _decide(context, requirement, requirement.of, bounds, rule))


def inspect_finding(context: Context, requirement: Inspect, base: Finding) -> Finding:
    """Return the finding on an inspection."""
    question = context.open_question(requirement)
    if question is not None:
        return _interpreted(context, requirement, base, question, None)
    return with_count(base, _inspected(context, requirement, context.answers(requirement)))


def _inspected(context: Context, requirement: Limit | Inspect, answers: Sequence[Answer]) -> Counted:
    return inspection(answers, purpose=context.purpose, requirement=requirement.id, places=context.evidence.vocabulary.place_lists)


def with_count(base: Finding, counted: Counted) -> Finding:
    """Return the finding with what people answered."""
    return replace(base, verdict=counted.verdict, why=counted.why, next=counted.next, answers=counted.answers)


def _bounds(context: Context, requirement: Limit) -> Bounds | Judged:
    """Return the limit that holds for the article's attributes."""
    missing: list[str] = []
    for case in requirement.cases:
        met = holds(case.when, context.attributes)
        if met is None:
            missing += missing_attributes(case.when, context.attributes)
        elif met and not missing:  # behind a case that may hold, a later one says nothing
            return case
    if missing:
        return undeclared(list(dict.fromkeys(missing)))
    if requirement.cases and not requirement.is_bounded:
        return Judged(Verdict.NOT_APPLICABLE, Statement(code="condition_not_met", params={"condition": "cases"}))
    return requirement


def _decide(
    context: Context, requirement: Limit | Inspect, quantity: str, bounds: Bounds, rule: DecisionRule
) -> tuple[Decided, ...]:
    if not bounds.is_bounded:
        # A question that was withdrawn, or a reading without a number: nothing to hold the article against is no proof of it.
        params = {"interpretation": requirement.interpretation or "", "requirement": requirement.id}
        why, step = Statement(code="limit_open", params=params), Statement(code="ask_board", params=params)
        return (Decided(verdict=Verdict.NEEDS_JUDGEMENT, why=why, next=step),)
    limit = limit_used(bounds, unit_of(context.loaded.spec, quantity))
    return judge_quantity(context.evidence, quantity, limit, rule=rule.rule)


def _interpreted(
    context: Context, requirement: Limit | Inspect, base: Finding, question: Interpretation, bounds: Bounds | None
) -> Finding:
    rule, choice = context.decision_rule(requirement), context.adopted(question, requirement)
    first_asked = next((reading.id for reading in question.readings if reading.ask is not None), question.readings[0].id)
    under = {
        reading.id: _under(context, requirement, reading, bounds, rule, takes_plain_answers=reading.id == first_asked)
        for reading in question.readings
    }
    outcomes = tuple(one.outcome for one in under.values())
    status: Literal["proposed", "adopted"] = "proposed" if choice is None else "adopted"
    used = InterpretationUsed(id=question.id, status=status, adoption=choice, readings=outcomes)
    answers = tuple(dict.fromkeys(answer for one in under.values() if one.people for answer in one.people.answers))
    deciding = outcomes if choice is None else (under[choice.reading].outcome,)
    # Where people answer yes or no, no uncertainty enters, and a rule for it would say nothing.
    is_measured = any(decided.limit is not None for outcome in deciding for decided in outcome.decided)
    base = replace(base, decision=rule if is_measured else None, interpretation=used, answers=answers)
    if choice is None:
        return _open(base, question.id, outcomes)
    ruling = under[choice.reading]
    return with_count(base, ruling.people) if ruling.people is not None else _with_decided(base, ruling.outcome.decided)


def _under(
    context: Context,
    requirement: Limit | Inspect,
    reading: InterpretationReading,
    bounds: Bounds | None,
    rule: DecisionRule,
    *,
    takes_plain_answers: bool,
) -> _Under:
    if reading.demands == "nothing":
        free = Decided(verdict=Verdict.CONFORM, why=Statement(code="asks_nothing"))
        return _Under(ReadingOutcome(id=reading.id, verdict=free.verdict, decided=(free,)))
    quantity = reading.uses or (requirement.of if isinstance(requirement, Limit) else None)
    if reading.ask is None and quantity is not None:
        results = _decide(context, requirement, quantity, reading if bounds is None or reading.is_bounded else bounds, rule)
        return _Under(ReadingOutcome(id=reading.id, verdict=joint(results), decided=results))
    # An answer that names no reading was given for the first that people can answer, as a plain value serves none.
    answers = [
        answer
        for answer in context.answers(requirement)
        if answer.reading == reading.id or (answer.reading is None and takes_plain_answers)
    ]
    people = _inspected(context, requirement, answers)
    decided = Decided(verdict=people.verdict, why=people.why, next=people.next)
    return _Under(ReadingOutcome(id=reading.id, verdict=people.verdict, decided=(decided,)), people)


def _with_decided(base: Finding, decided: tuple[Decided, ...]) -> Finding:
    worst = decided[0]
    return replace(base, verdict=worst.verdict, decided=decided, why=worst.why, next=next_of(decided))


def _open(base: Finding, question: str, outcomes: Sequence[ReadingOutcome]) -> Finding:
    """Return the finding of an open question: the first reading's results are shown, all readings decide."""
    verdict = under_open_readings(outcome.verdict for outcome in outcomes)
    shown = replace(base, verdict=verdict, decided=outcomes[0].decided)
    leading = next((outcome for outcome in outcomes if outcome.verdict is verdict), None)
    if leading is None or any(outcome.verdict is Verdict.NONCONFORM for outcome in outcomes if outcome.verdict is not verdict):
        says = "; ".join(f"{outcome.id}: {outcome.verdict.value}" for outcome in outcomes)
        params = {"interpretation": question, "readings": says}
        turns, step = (
            Statement(code="turns_on_interpretation", params=params),
            Statement(code="adopt_interpretation", params=params),
        )
        return replace(shown, why=turns, next=step)
    return replace(shown, why=leading.decided[0].why, next=next_of(leading.decided))
