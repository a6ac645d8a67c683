"""Findings as the record writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from homolog.evaluate.finding import Decided, DecisionRule, Finding, InterpretationUsed, LimitUsed, Statement
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Reading
from homolog.report.messages import english
from homolog.report.numbers import plain, plain_uncertainty
from homolog.spec.interpretation import Interpretation
from homolog.spec.load import LoadedSpec
from homolog.spec.requirement import Requirement


def finding_record(finding: Finding, spec: LoadedSpec | None) -> dict[str, Any]:
    """Return one finding; what its requirement says comes from the spec."""
    requirement = None if spec is None else spec.requirements.get(finding.requirement)
    worst = finding.decided[0] if finding.decided else None
    several = len(finding.decided) > 1 or any(decided.place for decided in finding.decided)
    top = _decided(worst) if worst is not None else _UNDECIDED
    why = finding.why or (worst.why if worst is not None else None)
    step = finding.next or (worst.next if worst is not None else None)
    return {
        "requirement": finding.requirement,
        "clause": finding.clause,
        "kind": finding.kind,
        "basis": finding.basis,
        **_words(requirement),
        **top,
        "verdict": finding.verdict.value,
        "why": statement_record(why, "why"),
        "next": statement_record(step, "next"),
        "interpretation": _interpretation(finding.interpretation, spec),
        "decision": decision_record(finding.decision),
        "places": [_placed(decided) for decided in finding.decided] if several else [],
        "answers": [_answer(answer) for answer in finding.answers],
        "alternative_of": finding.alternative_of,
        "details": dict(finding.details),
    }


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Count findings by verdict; those that count only through an `any_of` are left out."""
    counts = {verdict.value: 0 for verdict in Verdict}
    for record in records:
        if record["alternative_of"] is None:
            counts[record["verdict"]] += 1
    return counts


def statement_record(statement: Statement | None, group: str) -> dict[str, Any] | None:
    """Return a statement with its English sentence."""
    if statement is None:
        return None
    params = dict(statement.params)
    text = english().say(f"{group}.{statement.code}", params)
    return {"code": statement.code, "params": params, "text": text.replace("\N{NO-BREAK SPACE}", " ")}


def adoption_record(adoption: Adoption) -> dict[str, Any]:
    """Return the board's decision behind a reading."""
    return {"reading": adoption.reading, "by": adoption.by, "on": adoption.on.isoformat(), "decision": adoption.decision}


def decision_record(decision: DecisionRule | None) -> dict[str, Any] | None:
    """Return how uncertainty entered a finding."""
    if decision is None:
        return None
    return {
        "rule": decision.rule,
        "interpretation": decision.interpretation,
        "adoption": None if decision.adoption is None else adoption_record(decision.adoption),
    }


def reading_record(reading: Reading | None) -> dict[str, Any] | None:
    """Return a reading in its one form: `value`, `U`; or `lo`, `hi`, for a gauge with its size, U and result."""
    if reading is None:
        return None
    form: dict[str, Any]
    if reading.value is not None:
        form = {"value": plain(reading.value), "U": plain_uncertainty(reading.expanded_uncertainty)}
    elif reading.gauge_size is not None:
        form = {
            "lo": plain(reading.lo),
            "hi": plain(reading.hi),
            "gauge": plain(reading.gauge_size),
            "U": plain_uncertainty(reading.expanded_uncertainty),
            "result": reading.gauge_result,
        }
    else:
        form = {"lo": plain(reading.lo), "hi": plain(reading.hi)}
    return {
        "quantity": reading.quantity,
        **form,
        "unit": reading.unit,
        "method": reading.method,
        "place": reading.place,
        "instrument": reading.instrument,
        "evidence": reading.evidence,
        "marks": list(reading.marks),
    }


def _decided(decided: Decided) -> dict[str, Any]:
    margin = decided.margin
    return {
        "reading": reading_record(decided.reading),
        "limit": _limit(decided.limit),
        "margin": None if margin is None else {"value": plain(margin.value), "side": margin.side},
        "probability": plain(decided.probability),
        "guarded": None if decided.guarded is None else decided.guarded.value,
        "simple": None if decided.simple is None else decided.simple.value,
        "marks": [] if decided.reading is None else list(decided.reading.marks),
    }


_UNDECIDED: dict[str, Any] = {
    "reading": None,
    "limit": None,
    "margin": None,
    "probability": None,
    "guarded": None,
    "simple": None,
    "marks": [],
}


def _placed(decided: Decided) -> dict[str, Any]:
    return {
        "place": decided.place,
        "verdict": decided.verdict.value,
        **_decided(decided),
        "why": statement_record(decided.why, "why"),
        "next": statement_record(decided.next, "next"),
    }


def _limit(limit: LimitUsed | None) -> dict[str, Any] | None:
    if limit is None:
        return None
    strict = {"min_is_strict": limit.min_is_strict, "max_is_strict": limit.max_is_strict}
    return {
        "min": plain(limit.min),
        "max": plain(limit.max),
        "unit": limit.unit,
        **{key: True for key, is_strict in strict.items() if is_strict},
    }


def _interpretation(used: InterpretationUsed | None, spec: LoadedSpec | None) -> dict[str, Any] | None:
    if used is None:
        return None
    written = _written(used.id, spec)
    says = {} if written is None else {reading.id: reading for reading in written.readings}
    readings = []
    for outcome in used.readings:
        words = says.get(outcome.id)
        worst = outcome.decided[0] if outcome.decided else None
        several = len(outcome.decided) > 1 or any(decided.place for decided in outcome.decided)
        readings.append(
            {
                "id": outcome.id,
                "says": "" if words is None else words.says,
                "ask": "" if words is None else words.ask or "",
                "source": "" if words is None else words.source,
                **(_UNDECIDED if worst is None else _decided(worst)),
                "verdict": outcome.verdict.value,
                "why": statement_record(None if worst is None else worst.why, "why"),
                "next": statement_record(None if worst is None else worst.next, "next"),
                "places": [_placed(decided) for decided in outcome.decided] if several else [],
            }
        )
    return {
        "id": used.id,
        "status": used.status,
        "adoption": None if used.adoption is None else adoption_record(used.adoption),
        "question": "" if written is None else written.question,
        "readings": readings,
    }


def _written(interpretation: str, spec: LoadedSpec | None) -> Interpretation | None:
    if spec is None:
        return None
    return next((written for written in spec.spec.interpretations if written.id == interpretation), None)


def _words(requirement: Requirement | None) -> dict[str, Any]:
    return {
        "says": getattr(requirement, "says", ""),
        "ask": getattr(requirement, "ask", ""),
        "criteria": list(getattr(requirement, "criteria", ())),
        "note": getattr(requirement, "note", ""),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "asks": answer.asks,
        "yes": answer.yes,
        "role": answer.role,
        "by": answer.by,
        "reading": answer.reading,
        "place": answer.place,
        "stated": not answer.is_proven,
    }
