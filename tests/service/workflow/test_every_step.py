"""Every step, from every state, by everybody: what is allowed is written out here by hand, all else is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from homolog.service.actor import VISITOR, Actor
from homolog.service.workflow.refusal import StepRefused
from tests.service.workflow.make import (
    ADA,
    ANNA,
    BORIS,
    CARLA,
    CLOSES,
    DMYTRO,
    LENA,
    LEO,
    MARY,
    OTHER,
    PROCESS,
    RALF,
    RIVAL,
    Story,
    at_state,
    person,
)  # fmt: skip

INSIDE = person("inside", "board", of="org-maker")
OWN_LAB = person("ownlab", "laboratory", of="org-maker")
PEOPLE: Mapping[str, Actor] = {
    "visitor": VISITOR,
    "applicant": MARY,
    "rival": RIVAL,
    "laboratory": LENA,
    "other laboratory": LEO,
    "applicant's laboratory": OWN_LAB,
    "proposer": ANNA,
    "board": BORIS,
    "board, not called": DMYTRO,
    "applicant's board member": INSIDE,
    "referee": RALF,
    "administrator": ADA,
}
APPLICANT = {"applicant"}
BOARD = {"proposer", "board", "board, not called"}
LABS = {"laboratory", "other laboratory"}
HOLDER = {"laboratory"}
DECLARES = BOARD | {"applicant's board member"}
SAMPLE = {"send_sample_on": HOLDER}
OVER = {**SAMPLE, "return_sample": HOLDER}
OPEN = {"ask_question": BOARD | LABS, "declare_conflict": DECLARES, "drop": APPLICANT}

# In each state, as it was just reached: every step that can be taken, and who can take it.
ALLOWED: Mapping[str, Mapping[str, set[str]]] = {
    "none": {"start": APPLICANT},
    "draft": {"describe": APPLICANT, "accept_memorandum": APPLICANT, "drop": APPLICANT},
    "submitted": {**OPEN, "ask_sample": BOARD, "receive_sample": BOARD | LABS},
    "sampled": {**OPEN, **SAMPLE, "measure": HOLDER},
    "measured": {**OPEN, **SAMPLE, "measure": HOLDER, "assess": BOARD | LABS, "judge": BOARD},
    "assessed": {**OPEN, **SAMPLE, "measure": HOLDER, "assess": BOARD | LABS, "judge": BOARD, "open_vote": BOARD},
    "voting": {**SAMPLE, "vote": {"proposer", "board"}, "close_vote": BOARD, "declare_conflict": DECLARES, "drop": APPLICANT},
    "carried": {**SAMPLE, "decide": {"board", "board, not called"}, "declare_conflict": DECLARES, "drop": APPLICANT},
    "approved": {**SAMPLE, "certify": BOARD},
    "approved_provisionally": {**SAMPLE, "certify": BOARD},
    "certified": OVER,
    "refused": OVER,
    "sent_back": OVER,
    "dropped": {},
}
STEPS = [step.id for step in PROCESS.steps("application")]
STATES = ["none", *(state.id for state in PROCESS.process.states if state.of == "application")]


def test_the_table_is_about_every_state() -> None:
    assert set(ALLOWED) == set(STATES)


def changes(step: str, who: str) -> dict[str, Any]:
    """Return what a person of this kind would rightly say otherwise than usual."""
    if step == "receive_sample":
        return {"holder": None if "board" in who or who == "proposer" else OTHER if who == "other laboratory" else "org-lab"}
    return {"question": 1, "text": "so"} if step == "answer" else {}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_taken_by_those_who_may_and_refused_to_all_others(state: str, step: str) -> None:
    story = Story() if state == "none" else at_state(state)
    at = CLOSES if step == "close_vote" else None
    may = set()
    for who, actor in PEOPLE.items():
        trial = Story(list(story.events), story.at)
        try:
            event = trial.take(step, actor, at, **changes(step, who))
        except StepRefused:
            continue
        assert (event.by, event.seq) == (actor.account, len(story.events) + 1)
        assert trial.case.state == event.to
        may.add(who)
    assert may == ALLOWED[state].get(step, set())


MARKS: tuple[tuple[str, list[tuple[str, Actor, dict[str, Any]]], str, set[str]], ...] = (
    ("submitted", [("ask_sample", ANNA, {})], "send_sample", APPLICANT),
    ("draft", [("describe", MARY, {}), ("accept_memorandum", MARY, {})], "submit", APPLICANT),
    ("assessed", [("ask_question", ANNA, {})], "open_vote", set()),
    ("sampled", [("send_sample_on", LENA, {"to": OTHER})], "take_sample_over", {"other laboratory"}),
    ("sampled", [("send_sample_on", LENA, {})], "take_sample_over", BOARD),
    ("sampled", [("send_sample_on", LENA, {})], "measure", set()),
    ("refused", [("send_sample_on", LENA, {}), ("take_sample_over", BORIS, {})], "return_sample", BOARD),
    ("voting", [("declare_conflict", BORIS, {})], "vote", {"proposer"}),
    ("carried", [("declare_conflict", DMYTRO, {})], "decide", {"board"}),
)  # fmt: skip


@pytest.mark.parametrize(("state", "first", "step", "allowed"), MARKS)
def test_what_happened_before_opens_or_bars_a_step(
    state: str, first: list[tuple[str, Actor, dict[str, Any]]], step: str, allowed: set[str]
) -> None:
    story = at_state(state)
    for name, actor, data in first:
        story.take(name, actor, **data)
    may = set()
    for who, actor in PEOPLE.items():
        try:
            Story(list(story.events), story.at).take(step, actor, **changes(step, who))
        except StepRefused:
            continue
        may.add(who)
    assert may == allowed


def test_carla_is_called_too() -> None:
    assert at_state("voting").take("vote", CARLA).to == "voting"
