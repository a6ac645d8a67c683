"""What every requirement of one assessment needs to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from homolog.evaluate.adoption import adopted
from homolog.evaluate.evidence import Evidence
from homolog.evaluate.finding import DecisionRule, Finding, Judged, Statement
from homolog.evaluate.groups import holds, missing_attributes
from homolog.evaluate.register import RegisterExtract
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Article
from homolog.spec.interpretation import Interpretation
from homolog.spec.load import LoadedSpec
from homolog.spec.requirement import Condition, Purpose, Requirement


@dataclass(frozen=True, kw_only=True)
class Context:
    """One article under one spec for one purpose on one day.

    Attributes:
        article: The article; attributes that are blank are left out, as nobody declared them.
        attributes: The attributes for conditions, those outside their closed lists left out too.
    """

    loaded: LoadedSpec
    article: Article
    attributes: Mapping[str, str]
    purpose: Purpose
    on: date
    decisions: tuple[Adoption, ...]
    register: RegisterExtract | None
    evidence: Evidence

    def answers(self, requirement: Requirement) -> tuple[Answer, ...]:
        """Return the answers given to a requirement, by its id or its row."""
        names = self.evidence.vocabulary.answer_names[requirement.id]
        return tuple(answer for answer in self.article.answers if answer.asks in names)

    def applies(self, condition: Condition) -> Judged | None:
        """Return None if a condition is met, else the verdict that follows."""
        met = holds(condition, self.attributes)
        if met is None:
            return undeclared(missing_attributes(condition, self.attributes))
        if not met:
            params = {"condition": "; ".join(f"{name}: {', '.join(values)}" for name, values in condition.items())}
            return Judged(Verdict.NOT_APPLICABLE, Statement(code="condition_not_met", params=params))
        return None

    def open_question(self, requirement: Requirement) -> Interpretation | None:
        """Return the interpretation that a requirement turns on; a withdrawn one no longer counts."""
        for question in self.loaded.spec.interpretations:
            if question.id == requirement.interpretation and question.status != "withdrawn":
                return question
        return None

    def adopted(self, question: Interpretation, requirement: Requirement) -> Adoption | None:
        """Return the board's decision on a question for a requirement, or None while it is open."""
        return adopted(question, requirement.id, self.decisions, self.on)

    def decision_rule(self, requirement: Requirement) -> DecisionRule:
        """Return how uncertainty enters a requirement's verdict: guarded, unless a board adopted otherwise."""
        for question in self.loaded.spec.interpretations:
            if question.is_decision_rule and question.status != "withdrawn":
                choice = self.adopted(question, requirement)
                rules = {reading.id: reading.decision or "guarded" for reading in question.readings}
                rule = "guarded" if choice is None else rules[choice.reading]
                return DecisionRule(rule=rule, interpretation=question.id, adoption=choice)
        return DecisionRule(rule="guarded")


def undeclared(names: Sequence[str]) -> Judged:
    """Return the verdict where attributes that a requirement depends on are not declared."""
    params = {"attributes": ", ".join(names)}
    why, step = Statement(code="missing_attribute", params=params), Statement(code="declare", params=params)
    return Judged(Verdict.NOT_MEASURED, why, step)


def with_judged(base: Finding, judged: Judged) -> Finding:
    """Return the finding with a verdict that needed no measurement."""
    return replace(base, verdict=judged.verdict, why=judged.why, next=judged.next)
