"""What a verdict means for each purpose."""

from __future__ import annotations

from datetime import date

import pytest

from homolog.evaluate.outcome import outcome_of, recheck_verdict
from homolog.evaluate.verdict import Verdict
from homolog.spec.model import Transition
from tests.evaluate.make import TODAY

ALL = list(Verdict)


def outcomes(purpose: str, transition: Transition | None = None, on: date = TODAY) -> dict[str, str]:
    return {one.value: outcome_of(one, [one], purpose, transition=transition, on=on) for one in ALL}  # type: ignore[arg-type]


def expect(default: str, **others: str) -> dict[str, str]:
    return {one.value: default for one in ALL} | others


def policy(name: str, until: str | None = None) -> Transition:
    return Transition.model_validate({"policy": name} | ({} if until is None else {"until": until}))


def test_approval_approves_on_conform_only_and_refuses_on_nonconform_only() -> None:
    assert outcomes("type_approval") == expect("open", conform="approve", nonconform="refuse")


def test_a_self_test_tells_its_maker_what_is_borderline() -> None:
    assert outcomes("self_test") == expect("open", conform="pass", nonconform="fail", inconclusive="borderline")


def test_a_match_removes_on_nonconform_only_and_says_what_was_not_checked() -> None:
    assert outcomes("match") == expect("play_noted", conform="play", nonconform="change", error="ask", needs_judgement="ask")


def test_a_match_asks_where_one_finding_needs_people_though_another_is_less() -> None:
    found = [Verdict.NOT_MEASURED, Verdict.NEEDS_JUDGEMENT, Verdict.CONFORM]
    assert outcome_of(Verdict.NOT_MEASURED, found, "match", transition=None, on=TODAY) == "ask"
    assert outcome_of(Verdict.NONCONFORM, [*found, Verdict.NONCONFORM], "match", transition=None, on=TODAY) == "change"


@pytest.mark.parametrize(
    ("transition", "conform", "nonconform"),
    [
        (None, "keep", "withdraw"),
        (policy("immediate"), "keep", "withdraw"),
        (policy("keep"), "keep", "keep"),
        (policy("grace", "2025-06-01"), "keep", "grace"),
        (policy("grace", "2025-05-31"), "keep", "withdraw"),
        (policy("grace", "unknown"), "keep", "open"),
        (policy("grace"), "keep", "open"),
        (policy("unknown"), "open", "open"),
    ],
)
def test_a_recheck_follows_the_editions_transition(transition: Transition | None, conform: str, nonconform: str) -> None:
    assert outcomes("recheck", transition) == expect("open", conform=conform, nonconform=nonconform)


@pytest.mark.parametrize("one", ALL)
def test_while_no_transition_is_known_people_decide(one: Verdict) -> None:
    assert recheck_verdict(one, policy("unknown")) is Verdict.NEEDS_JUDGEMENT
    assert recheck_verdict(one, policy("keep")) is recheck_verdict(one, None) is one
