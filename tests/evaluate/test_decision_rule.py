"""How uncertainty enters a verdict: guarded until a board adopts shared risk."""

from __future__ import annotations

from datetime import date

import pytest

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, following, make_article, make_decision, make_gauge, make_limit, make_reading, verdict


def spec_of(limit: str = "max: 39 mm", status: str = "status: proposed") -> LoadedSpec:
    return make_limit(
        limit,
        more=f"""
            interpretations:
              - id: INT-decision
                clause: "1"
                question: "How?"
                {status}
                readings: [{{id: guarded, decision: guarded, says: "G"}}, {{id: simple, decision: simple, says: "S"}}]
        """,
    )


SIMPLE = [make_decision("simple", interpretation="INT-decision")]


def found(reading: Reading, *, limit: str = "max: 39 mm", **more: object) -> Finding:
    return finding(spec_of(limit), make_article(reading), **more)


def test_until_it_is_adopted_guarded_decides_and_both_are_shown() -> None:
    one = found(make_reading("38.95", "0.1"))
    assert one.verdict is Verdict.INCONCLUSIVE
    assert (one.decided[0].guarded, one.decided[0].simple) == (Verdict.INCONCLUSIVE, Verdict.CONFORM)
    assert one.decision is not None
    assert (one.decision.rule, one.decision.interpretation, one.decision.adoption) == ("guarded", "INT-decision", None)


def test_a_spec_without_the_question_is_guarded() -> None:
    one = finding(make_limit("max: 39 mm"), make_article(make_reading("39", "0.1")))
    assert one.decision is not None
    assert (one.verdict, one.decision.rule, one.decision.interpretation) == (Verdict.INCONCLUSIVE, "guarded", None)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (make_reading("39", "0.1"), Verdict.CONFORM),
        (make_reading("39", "0.11"), Verdict.INCONCLUSIVE),  # above the ceiling: the zones decide
        (make_reading("38", "0.11"), Verdict.CONFORM),
        (make_reading("39.01", "0.1"), Verdict.NONCONFORM),
        (make_reading("39.01", "0.11"), Verdict.INCONCLUSIVE),
        (make_reading("39.2", "0.11"), Verdict.NONCONFORM),
        (make_reading("39", "0.1", method="ruler"), Verdict.INCONCLUSIVE),  # a method without a ceiling
        (make_reading("39"), Verdict.CONFORM),
        (make_gauge("39", "go"), Verdict.INCONCLUSIVE),
        (make_reading(hi="39.01"), Verdict.INCONCLUSIVE),
        (make_reading("39", "0.01", method="laser"), Verdict.CONFORM),
    ],
)
def test_at_shared_risk_the_value_decides_where_u_is_within_the_methods_ceiling(reading: Reading, expected: Verdict) -> None:
    one = found(reading, decisions=SIMPLE)
    assert one.verdict is expected
    assert one.decision is not None
    assert one.decision.rule == "simple"
    assert one.decision.adoption is not None


def test_a_value_on_its_limit_is_told_of_shared_risk_only_where_that_would_accept_it() -> None:
    assert following(found(make_reading("39", "0.1")))[0] == "accept_shared_risk"
    assert following(found(make_reading("39", "0.1"), limit="below: 39 mm"))[0] == "ask_board"
    assert found(make_reading("39", "0.1"), limit="below: 39 mm", decisions=SIMPLE).verdict is Verdict.NONCONFORM


def test_shared_risk_may_be_adopted_for_named_requirements_and_from_a_day() -> None:
    one, other = (
        [make_decision("simple", interpretation="INT-decision", requirements=[name])] for name in ("gk.height", "gk.width")
    )
    reading = make_reading("39", "0.1")
    assert found(reading, decisions=one).verdict is Verdict.CONFORM
    assert found(reading, decisions=other).verdict is Verdict.INCONCLUSIVE
    assert found(reading, decisions=one, on=date(2024, 12, 31)).verdict is Verdict.INCONCLUSIVE


def test_the_spec_itself_may_adopt_it() -> None:
    status = 'status: adopted\n                adoption: {reading: simple, by: B, on: 2024-01-01, decision: "1"}'
    assert verdict(spec_of(status=status), make_reading("39", "0.1")) is Verdict.CONFORM


def test_a_withdrawn_rule_is_guarded() -> None:
    assert verdict(spec_of(status="status: withdrawn"), make_reading("39", "0.1"), decisions=SIMPLE) is Verdict.INCONCLUSIVE
