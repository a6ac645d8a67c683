"""Whatever is tried in whatever order: no illegal state is reached, and no history loses its sense."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from homolog.service.actor import Actor
from homolog.service.workflow.case import state_of
from homolog.service.workflow.refusal import StepRefused
from tests.service.workflow.make import (
    ANNA,
    BORIS,
    CARLA,
    DMYTRO,
    LAB,
    LENA,
    LEO,
    MARY,
    OTHER,
    PEER,
    PROCESS,
    RIVAL,
    START,
    Story,
    counting,
    person,
)  # fmt: skip

BOTH = person("both", "laboratory", "board", of=LAB)
EVERYBODY: list[Actor] = [MARY, PEER, RIVAL, LENA, LEO, ANNA, BORIS, CARLA, DMYTRO, BOTH]
STEPS = [step.id for step in PROCESS.steps("application")]
BEFORE_DECISION = {"draft", "submitted", "sampled", "measured", "assessed", "voting", "carried"}
MAIN = [step.id for step in PROCESS.steps("application") if step.part == "main"]


class Sequences(RuleBasedStateMachine):
    """Tries steps; what is accepted has to be right by rules that are written anew here."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()

    def attempt(self, step: str, actor: Actor, **data: Any) -> None:
        before = self.story.case
        try:
            event = self.story.take(step, actor, **data)
        except StepRefused:
            assert self.story.case == before
            return
        case = self.story.case
        assert case.state == event.to
        if event.step == "decide":
            proposer = before.ballots[-1].opened.by
            assert event.by != proposer
            assert before.assessment is not None
            if case.state == "approved":
                assert before.assessment.data["outcome"] == "approve"
            tally = before.ballots[-1].tally
            assert tally is not None
            assert tally.yes > tally.no
            assert tally.yes + tally.no + tally.abstain >= 2
        if event.role in ("board", "laboratory") and step != "declare_conflict":
            assert event.by not in before.conflicts | before.applicants
            assert before.applicant not in actor.organisations
        if event.step == "measure":
            assert before.holder in actor.organisations

    @rule(step=st.sampled_from(STEPS), actor=st.sampled_from(EVERYBODY))
    def anyone_tries_anything(self, step: str, actor: Actor) -> None:
        data = {"question": max(self.story.case.questions, default=1), "text": "so"} if step == "answer" else {}
        self.attempt(step, actor, **data)

    @rule(actor=st.sampled_from(EVERYBODY), data=st.data())
    def someone_goes_on(self, actor: Actor, data: st.DataObject) -> None:
        case = self.story.case
        steps = [name for name in MAIN if (step := PROCESS.step(name)) is not None and case.state in step.start]
        if not steps:
            return
        step = data.draw(st.sampled_from(steps))
        said: dict[str, Any] = {}
        if step == "receive_sample":
            said = {"holder": data.draw(st.sampled_from([None, LAB, OTHER]))}
        if step == "assess":
            said = {"outcome": data.draw(st.sampled_from(["approve", "open", "refuse"]))}
        if step == "open_vote":
            said = {
                "proposal": data.draw(st.sampled_from(["approve", "refuse", "send_back"])),
                "electors": data.draw(st.lists(st.sampled_from(["anna", "boris", "carla", "dmytro"]), min_size=1, unique=True)),
                "counting": counting(least=2),
                "closes": (self.story.at + timedelta(minutes=5)).isoformat(),
            }
        if step == "vote":
            said = {"choice": data.draw(st.sampled_from(["yes", "no", "abstain"]))}
        self.attempt(step, actor, **said)

    @precondition(lambda self: self.story.case.ballot is not None)
    @rule(minutes=st.integers(1, 10))
    def time_passes(self, minutes: int) -> None:
        self.story.at += timedelta(minutes=minutes)

    @invariant()
    def the_state_is_that_of_the_last_event_and_of_every_prefix(self) -> None:
        events = self.story.events
        assert self.story.case.state == (events[-1].to if events else "none")
        if events:
            assert state_of(events[:-1], PROCESS).seq == len(events) - 1
            assert state_of(reversed(events), PROCESS) == self.story.case

    @invariant()
    def what_is_claimed_has_happened(self) -> None:
        case = self.story.case
        assert self.story.at >= START
        if case.state in {"submitted", *BEFORE_DECISION} - {"draft"}:
            assert case.memorandum is not None
            assert not case.missing(PROCESS)
        if case.state in ("assessed", "voting", "carried", "approved", "certified"):
            assert case.measurement is not None
            assert case.assessment is not None
            assert case.assessment.seq > case.measurement.seq
        if case.state in ("approved", "certified", "refused", "sent_back"):
            assert case.decision is not None
        assert not (case.holder and case.receiver)


Sequences.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestSequences = Sequences.TestCase
