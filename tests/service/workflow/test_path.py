"""The way of an application, and what stands in its way."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from homolog.service.actor import VISITOR, Actor
from homolog.service.workflow.apply import apply
from homolog.service.workflow.case import state_of
from homolog.service.workflow.next import next_steps, state_says
from homolog.service.workflow.refusal import HistoryDamaged, StepRefused
from homolog.service.workflow.secrecy import shown
from homolog.spec.process import load_process
from tests.service.workflow.make import (
    ADA,
    ANNA,
    BORIS,
    CARLA,
    CLOSES,
    DMYTRO,
    LAB,
    LENA,
    LEO,
    MAKER,
    MARY,
    OTHER,
    PEER,
    PROCESS,
    RIVAL,
    START,
    Story,
    at_state,
    counting,
    digest,
    person,
)


def codes(story: Story, step: str, actor: Actor, *, at: datetime | None = None, **data: Any) -> list[str]:
    """Return why a step is refused; nothing of it is recorded."""
    before = list(story.events)
    with pytest.raises(StepRefused) as refused:
        story.take(step, actor, at, **data)
    assert story.events == before
    return [problem.code for problem in refused.value.problems]


def test_a_type_comes_from_its_application_to_its_certificate() -> None:
    story = at_state("certified")
    case = story.case
    assert case.applicant == MAKER
    assert case.facts["name"] == "Swift"
    assert case.certificate is not None
    assert case.certificate.data["type"] == "HML-F-0001"
    assert [event.step for event in story.events] == [
        "start", "describe", "accept_memorandum", "submit", "receive_sample", "measure", "assess",
        "open_vote", "vote", "vote", "vote", "close_vote", "decide", "certify",
    ]  # fmt: skip


def test_every_prefix_of_a_history_has_a_state_whatever_the_order_of_reading() -> None:
    story = at_state("certified")
    shuffled = random.Random(5)  # noqa: S311
    for length in range(len(story.events) + 1):
        prefix = story.events[:length]
        mixed = shuffled.sample(prefix, length)
        assert state_of(mixed, PROCESS) == state_of(prefix, PROCESS)


def test_an_event_that_is_missing_or_twice_damages_the_history() -> None:
    story = at_state("submitted")
    with pytest.raises(HistoryDamaged):
        state_of([*story.events[:1], *story.events[2:]], PROCESS)
    with pytest.raises(HistoryDamaged):
        state_of([*story.events, story.events[0]], PROCESS)


def test_an_event_that_does_not_follow_damages_the_history() -> None:
    story, other = at_state("draft"), at_state("submitted")
    decision = at_state("approved").events[-1]
    forged = [*other.events, type(decision)(**{**_fields(decision), "seq": len(other.events) + 1})]
    with pytest.raises(HistoryDamaged):
        state_of(forged, PROCESS)
    assert story.case.state == "draft"


def test_a_count_that_was_changed_afterwards_damages_the_history() -> None:
    story = at_state("carried")
    for place, event in enumerate(story.events):
        if event.step == "vote" and event.by == "boris":
            story.events[place] = type(event)(**{**_fields(event), "data": {"choice": "no"}})
    with pytest.raises(HistoryDamaged):
        state_of(story.events, PROCESS)


def test_a_history_stays_readable_under_a_later_table_of_steps() -> None:
    story = at_state("submitted")
    story.take("ask_sample", ANNA)
    story.take("send_sample", MARY)
    text = PROCESS.data.decode()
    begin = text.index("  - id: send_sample\n")
    later = text[:begin] + text[text.index("  - id: answer\n") :]
    process = load_process(later.replace("least: 3", "least: 5").encode(), "later.yaml")
    assert process.step("send_sample") is None
    case = state_of(story.events, process)
    assert (case.state, case.seq, case.facts) == (story.case.state, story.case.seq, story.case.facts)
    event = apply(story.events, "drop", MARY, START, {}, process=process, event_id="new")
    assert (event.to, event.process) == ("dropped", process.sha256)


def _fields(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__slots__}


# The applicant


def test_an_application_is_handed_in_only_when_it_is_whole() -> None:
    story = at_state("draft")
    with pytest.raises(StepRefused) as refused:
        story.take("submit", MARY)
    assert [problem.code for problem in refused.value.problems] == ["step_incomplete", "step_incomplete"]
    says = str(refused.value)
    assert "company, family, name, variants, photos, sheet or scans" in says
    assert "memorandum" in says


def test_a_scan_serves_in_place_of_a_sheet() -> None:
    story = at_state("draft")
    story.take("describe", MARY, sheet=None, scans=[digest("9")])
    story.take("accept_memorandum", MARY)
    story.take("submit", PEER)
    assert story.case.state == "submitted"


def test_the_last_word_on_each_thing_counts_and_all_words_are_kept() -> None:
    story = at_state("draft")
    story.take("describe", MARY)
    story.take("describe", PEER, name="Swift II", family=None, sheet=None, photos=None)
    assert story.case.facts["name"] == "Swift II"
    assert story.case.facts["family"] == "sports"
    assert len(story.events) == 3


def test_the_memorandum_is_accepted_by_a_named_person_with_its_version() -> None:
    story = at_state("draft")
    assert codes(story, "accept_memorandum", MARY, person=None) == ["step_incomplete"]
    story.take("accept_memorandum", MARY)
    assert story.case.memorandum is not None
    assert story.case.memorandum.data["person"] == "Mary Maker"
    assert story.case.memorandum.data["version"] == "draft-1"


def test_a_stranger_is_told_nothing_but_that_it_is_not_his() -> None:
    story = at_state("draft")
    for actor in (RIVAL, LENA, ANNA, ADA, VISITOR):
        assert codes(story, "submit", actor, nonsense=1) == ["step_not_yours"]


def test_nobody_applies_for_an_organisation_of_others() -> None:
    assert codes(Story(), "start", RIVAL) == ["step_not_yours"]


def test_a_dropped_application_is_over() -> None:
    story = at_state("dropped")
    assert codes(story, "receive_sample", LENA) == ["step_not_now"]
    assert codes(story, "describe", MARY) == ["step_not_now"]


def test_an_unknown_step_says_which_there_are() -> None:
    with pytest.raises(StepRefused, match="accept_memorandum"):
        Story().take("approve_it_all", ANNA)


@pytest.mark.parametrize(
    ("step", "data"),
    [
        ("describe", {"owner": "me"}),
        ("describe", {"name": ""}),
        ("describe", {"name": "two\nlines"}),
        ("describe", {"name": "turned \u202e round"}),
        ("describe", {"name": "x" * 201}),
        ("describe", {"note": "x" * 20_001}),
        ("describe", {"photos": [digest("a"), digest("a")]}),
        ("describe", {"photos": []}),
        ("describe", {"photos": digest("a")}),
        ("describe", {"sheet": "../etc/passwd"}),
        ("describe", {"variants": [{"colour": "red"}]}),
        ("describe", {"variants": [{"name": "red", "price": "1"}]}),
        ("accept_memorandum", {"language": "fr"}),
        ("accept_memorandum", {"version": 1}),
    ],
)
def test_a_value_of_another_kind_is_refused(step: str, data: dict[str, Any]) -> None:
    assert codes(at_state("draft"), step, MARY, **data) == ["step_value"]


def test_all_that_is_wrong_is_said_at_once() -> None:
    found = codes(at_state("submitted"), "ask_sample", ANNA, pieces=0, address=None, by="2026-13-01")
    assert sorted(found) == ["step_incomplete", "step_value", "step_value"]


# The sample


def test_a_sample_goes_from_hand_to_hand_and_each_hand_is_known() -> None:
    story = at_state("submitted")
    story.take("ask_sample", ANNA)
    story.take("send_sample", MARY)
    story.take("receive_sample", BORIS, holder=None)
    assert story.case.holder == "federation"
    story.take("send_sample_on", BORIS, to=LAB)
    assert (story.case.holder, story.case.receiver) == (None, LAB)
    assert codes(story, "measure", LENA) == ["step_not_yours"]
    assert codes(story, "take_sample_over", LEO) == ["step_not_yours"]
    story.take("take_sample_over", LENA)
    assert (story.case.holder, story.case.receiver) == (LAB, None)
    assert [event.by for event in story.case.custody] == ["boris", "boris", "lena"]
    story.take("measure", LENA)
    assert story.case.state == "measured"


def test_a_sample_is_sent_once_it_is_asked_for() -> None:
    assert codes(at_state("submitted"), "send_sample", MARY) == ["step_not_now"]


def test_a_laboratory_takes_a_sample_for_itself_alone() -> None:
    assert codes(at_state("submitted"), "receive_sample", LENA, holder=OTHER) == ["step_value"]
    assert codes(at_state("submitted"), "receive_sample", LENA, holder=None) == ["step_incomplete"]
    assert codes(at_state("submitted"), "receive_sample", ANNA, holder=LAB) == ["step_value"]


def test_a_sample_is_not_sent_on_to_the_applicant() -> None:
    assert codes(at_state("sampled"), "send_sample_on", LENA, to=MAKER) == ["conflict_of_interest"]


def test_who_does_not_hold_the_sample_does_not_measure_it() -> None:
    assert codes(at_state("sampled"), "measure", LEO) == ["step_not_yours"]
    assert codes(at_state("sampled"), "measure", LENA, laboratory=OTHER) == ["step_value"]


# Hands that are kept apart


def test_the_laboratory_is_not_the_applicant() -> None:
    own = person("own", "laboratory", of=MAKER)
    assert codes(at_state("submitted"), "receive_sample", own, holder=MAKER) == ["conflict_of_interest"]
    story = at_state("sampled")
    assert codes(story, "measure", own, laboratory=MAKER) == ["conflict_of_interest"]


def test_who_once_acted_for_the_applicant_judges_nothing_of_it() -> None:
    story = at_state("draft")
    mole = person("mole", "manufacturer", of=MAKER)
    story.take("describe", mole)
    story.take("accept_memorandum", MARY)
    story.take("submit", MARY)
    turned = person("mole", "board", "laboratory", of=LAB)  # has left the maker since
    assert codes(story, "ask_sample", turned) == ["conflict_of_interest"]
    assert codes(story, "receive_sample", turned) == ["conflict_of_interest"]


def test_a_board_member_of_the_applicant_is_kept_out() -> None:
    inside = person("inside", "board", of=MAKER)
    for state, step in (("submitted", "ask_question"), ("assessed", "open_vote"), ("voting", "close_vote"), ("carried", "decide")):
        assert codes(at_state(state), step, inside) == ["conflict_of_interest"]


def test_who_has_declared_a_conflict_is_kept_out_from_then_on() -> None:
    story = at_state("assessed")
    story.take("declare_conflict", DMYTRO)
    assert codes(story, "open_vote", DMYTRO) == ["conflict_of_interest"]
    assert codes(story, "open_vote", ANNA, electors=["anna", "boris", "dmytro"]) == ["conflict_of_interest"]


def test_who_measured_neither_proposes_nor_votes_nor_decides() -> None:
    both = person("lena", "laboratory", "board", of=LAB)
    assert codes(at_state("assessed"), "open_vote", both) == ["four_eyes"]
    assert codes(at_state("assessed"), "open_vote", ANNA, electors=["anna", "boris", "lena"]) == ["conflict_of_interest"]
    assert codes(at_state("carried"), "decide", both) == ["four_eyes"]


def test_who_proposed_a_decision_does_not_confirm_it() -> None:
    story = at_state("carried")
    assert codes(story, "decide", ANNA) == ["four_eyes"]
    story.take("decide", DMYTRO)
    assert story.case.state == "approved"


# Questions


def test_no_vote_while_a_question_waits() -> None:
    story = at_state("assessed")
    first = story.take("ask_question", ANNA)
    second = story.take("ask_question", LENA)
    assert codes(story, "open_vote", ANNA) == ["step_not_now"]
    assert codes(story, "answer", MARY, question=99, text="PS 1") == ["step_value"]
    story.take("answer", MARY, question=first.seq, text="PS 1")
    assert codes(story, "answer", MARY, question=first.seq, text="PS 2") == ["step_value"]
    assert codes(story, "open_vote", ANNA) == ["step_not_now"]
    story.take("answer", PEER, question=second.seq, text="PS 1")
    story.take("open_vote", ANNA)
    assert story.case.state == "voting"


# The assessment bounds the proposals


@pytest.mark.parametrize(
    ("outcome", "proposals"),
    [
        ("approve", {"approve", "approve_provisionally", "refuse", "send_back"}),
        ("open", {"approve_provisionally", "refuse", "send_back"}),
        ("refuse", {"refuse", "send_back"}),
    ],
)
def test_nobody_proposes_what_the_assessment_speaks_against(outcome: str, proposals: set[str]) -> None:
    for proposal in ("approve", "approve_provisionally", "refuse", "send_back"):
        story = at_state("measured")
        story.take("assess", LENA, outcome=outcome)
        until = "2027-12-31" if proposal == "approve_provisionally" else None
        if proposal in proposals:
            story.take("open_vote", ANNA, proposal=proposal, until=until)
        else:
            assert codes(story, "open_vote", ANNA, proposal=proposal, until=until) == ["proposal_unfounded"]


def test_measuring_again_asks_for_a_new_assessment() -> None:
    story = at_state("assessed")
    story.take("measure", LENA)
    assert codes(story, "open_vote", ANNA) == ["step_not_now"]
    assert story.case.assessment is None


def test_an_answer_of_the_board_asks_for_a_new_assessment() -> None:
    story = at_state("assessed")
    story.take("judge", BORIS, answer="no")
    story.take("judge", BORIS)
    assert codes(story, "open_vote", ANNA) == ["step_not_now"]
    assert story.case.assessment is None
    assert [(key, event.data["answer"]) for key, event in story.case.judgements.items()] == [(("fig.human_body", "boris"), "yes")]
    assert codes(story, "judge", person("lena", "board")) == ["four_eyes"]


def test_a_provisional_approval_has_an_end_and_no_other_has() -> None:
    story = at_state("assessed")
    assert codes(story, "open_vote", ANNA, proposal="approve_provisionally") == ["step_incomplete"]
    assert codes(story, "open_vote", ANNA, until="2027-12-31") == ["step_value"]
    assert codes(story, "open_vote", ANNA, proposal="approve_provisionally", until="2026-12-01") == ["step_value"]


# Votes


def test_a_vote_can_be_replaced_until_it_is_closed_and_all_are_kept() -> None:
    story = at_state("voting")
    for choice in ("yes", "no"):
        story.take("vote", ANNA, choice=choice)
    story.take("vote", BORIS, choice="no")
    story.take("vote", CARLA, choice="yes")
    closing = story.take("close_vote", ANNA)
    assert closing.data["tally"] == {"result": "lost", "yes": 1, "no": 2, "abstain": 0, "electors": 3, "quorum": 3}
    assert story.case.state == "assessed"
    assert story.case.ballot is not None
    assert [event.by for event in story.case.ballot.votes] == ["anna", "anna", "boris", "carla"]


def test_only_who_is_called_votes() -> None:
    assert codes(at_state("voting"), "vote", DMYTRO) == ["step_not_yours"]
    assert codes(at_state("carried"), "vote", ANNA) == ["step_not_yours"]


def test_a_vote_is_closed_when_all_have_voted_or_its_time_is_over() -> None:
    story = at_state("voting")
    story.take("vote", ANNA)
    story.take("vote", BORIS)
    assert codes(story, "close_vote", BORIS, at=CLOSES - timedelta(seconds=1)) == ["step_not_now"]
    story.take("close_vote", BORIS, at=CLOSES)
    assert story.case.ballot is not None
    assert story.case.ballot.tally is not None
    assert story.case.ballot.tally.result == "no_quorum"
    assert story.case.state == "assessed"


def test_after_a_lost_vote_another_can_be_opened_and_both_are_kept() -> None:
    story = at_state("voting")
    for actor in (ANNA, BORIS, CARLA):
        story.take("vote", actor, choice="no")
    story.take("close_vote", ANNA)
    story.take("open_vote", BORIS, proposal="send_back")
    for actor in (ANNA, BORIS, CARLA):
        story.take("vote", actor)
    story.take("close_vote", ANNA)
    assert codes(story, "decide", ANNA) == ["four_eyes"]
    assert codes(story, "decide", BORIS) == ["four_eyes"]
    story.take("decide", CARLA)
    assert story.case.state == "sent_back"
    assert [ballot.opened.data["proposal"] for ballot in story.case.ballots] == ["approve", "send_back"]


def test_the_vote_of_who_then_declares_a_conflict_does_not_count() -> None:
    story = at_state("assessed")
    story.take("open_vote", ANNA, electors=["anna", "boris", "carla", "dmytro"], counting=counting(least=2))
    story.take("vote", DMYTRO, choice="no")
    story.take("declare_conflict", DMYTRO)
    assert codes(story, "vote", DMYTRO) == ["conflict_of_interest"]
    for actor in (ANNA, BORIS, CARLA):
        story.take("vote", actor)
    closing = story.take("close_vote", BORIS)
    assert closing.data["tally"] == {"result": "carried", "yes": 3, "no": 0, "abstain": 0, "electors": 3, "quorum": 2}


def test_a_secret_vote_is_seen_by_its_voter_alone_until_it_is_closed() -> None:
    story = at_state("voting")
    story.take("vote", ANNA, text="Well made.")
    story.take("vote", BORIS, choice="no")

    def seen(account: str | None) -> list[str]:
        return [event.data["choice"] for event in shown(story.events, story.case, account) if event.step == "vote"]

    assert seen("anna") == ["yes", "hidden"]
    assert seen("boris") == ["hidden", "no"]
    assert seen(None) == ["hidden", "hidden"]
    assert not any("text" in event.data for event in shown(story.events, story.case, "carla") if event.step == "vote")
    story.take("vote", CARLA)
    story.take("close_vote", BORIS)
    assert seen(None) == ["yes", "no", "yes"]


def test_an_open_vote_is_seen_by_all() -> None:
    story = at_state("assessed")
    story.take("open_vote", ANNA, counting={**counting(), "secret": "no"})
    story.take("vote", ANNA)
    assert shown(story.events, story.case, None) == tuple(story.events)


@pytest.mark.parametrize(
    "rule",
    [
        counting(majority="at least 1/2"),
        counting(majority="more than 1/3"),
        counting(majority="more than 1/1"),
        counting(majority="at least 3/2"),
        counting(quorum="3/2"),
        counting(quorum="1/0"),
        counting(least=0),
        counting(of="members"),
        {"quorum": "1/2"},
    ],
)
def test_a_rule_by_which_both_or_none_could_win_is_refused(rule: dict[str, Any]) -> None:
    assert codes(at_state("assessed"), "open_vote", ANNA, counting=rule) == ["step_value"]


def test_a_vote_that_can_never_reach_its_quorum_is_not_opened() -> None:
    assert codes(at_state("assessed"), "open_vote", ANNA, electors=["anna", "boris"]) == ["step_value"]
    assert codes(at_state("assessed"), "open_vote", ANNA, closes=START.isoformat()) == ["step_value"]


# What is asked next


def test_the_next_step_is_said_to_whom_it_is_asked_of() -> None:
    case = at_state("submitted").case
    first = next_steps(case, LENA, START, process=PROCESS)[0]
    assert (first.step, first.is_yours, first.blocks) == ("receive_sample", True, ())
    assert first.says == "Confirm that the sample has come"
    assert first.clauses == ("III-4.3.1",)
    assert state_says(case, process=PROCESS) == "Handed in; a sample is to come"


def test_what_has_to_happen_before_is_said_in_words() -> None:
    case = at_state("draft").case
    submit = next(one for one in next_steps(case, MARY, START, process=PROCESS) if one.step == "submit")
    assert submit.is_yours
    assert [problem.what for problem in submit.blocks] == [
        "the application does not say yet: company, family, name, variants, photos, sheet or scans",
        "the memorandum of understanding is not accepted",
    ]


def test_a_visitor_is_asked_for_nothing() -> None:
    assert not any(one.is_yours for one in next_steps(at_state("submitted").case, VISITOR, START, process=PROCESS))
