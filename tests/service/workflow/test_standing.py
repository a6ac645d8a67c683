"""How a type stands on a day."""

from __future__ import annotations

import itertools
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homolog.service.actor import VISITOR, Actor
from homolog.service.workflow.entries import decisions_of, enter, waiting
from homolog.service.workflow.event import Event
from homolog.service.workflow.refusal import HistoryDamaged, StepRefused
from homolog.service.workflow.standing import Decision, Span, Standing, spans_of, status_on
from tests.service.workflow.make import ANNA, BORIS, LENA, MARY, PROCESS, START, digest, person

DECISIONS = [step.id for step in PROCESS.steps("type") if step.effect not in ("confirms", "takes_back")]
REASONS = [{"clause": "III-4.3.2", "text": "It is made otherwise now."}]


def day(text: str) -> date:
    return date.fromisoformat(text)


def decisions(*told: str) -> list[Decision]:
    """Return decisions written as `step on [name=day ...]`."""
    found = []
    for entry, line in enumerate(told, 1):
        step, on, *more = line.split()
        days = {name: day(value) for name, _, value in (one.partition("=") for one in more)}
        found.append(Decision(entry=entry, step=step, on=day(on), entered_by="anna", confirmed_by="boris", **days))
    return found


def on(text: str, told: list[Decision]) -> Standing:
    standing = status_on(told, day(text), PROCESS)
    assert standing is not None
    return standing


def test_a_type_stands_from_the_day_of_its_decision() -> None:
    told = decisions("homologate 2026-03-01")
    assert status_on(told, day("2026-02-28"), PROCESS) is None
    assert on("2026-03-01", told).status == "homologated"
    assert on("2026-03-01", told).is_usable


def test_a_provisional_one_holds_on_its_last_day_and_expires_on_the_next() -> None:
    told = decisions("homologate_provisionally 2026-03-01 until=2026-09-30")
    assert (on("2026-09-30", told).status, on("2026-09-30", told).is_usable) == ("provisional", True)
    assert (on("2026-10-01", told).status, on("2026-10-01", told).is_usable) == ("expired", False)
    assert on("2027-01-01", told).since == day("2026-10-01")


def test_a_withdrawn_type_is_usable_to_the_last_day_of_grace() -> None:
    told = decisions("homologate 2026-03-01", "withdraw 2026-06-01 grace=2026-12-31")
    assert on("2026-05-31", told).status == "homologated"
    last, after = on("2026-12-31", told), on("2027-01-01", told)
    assert (last.status, last.is_usable, last.usable_until) == ("withdrawn", True, day("2026-12-31"))
    assert (after.status, after.is_usable) == ("withdrawn", False)


def test_a_type_withdrawn_without_grace_is_not_usable_from_that_day() -> None:
    told = decisions("homologate 2026-03-01", "withdraw 2026-06-01")
    assert on("2026-05-31", told).is_usable
    assert not on("2026-06-01", told).is_usable


@pytest.mark.parametrize(
    ("before", "status"),
    [
        (["homologate 2026-03-01"], "homologated"),
        (["homologate_provisionally 2026-03-01 until=2027-03-01"], "provisional"),
        (["homologate 2026-03-01", "ask_retest 2026-04-01 retest_by=2026-12-31"], "retest_due"),
    ],
)
def test_a_lifted_suspension_leaves_it_as_it_stood_before(before: list[str], status: str) -> None:
    told = decisions(*before, "suspend 2026-05-01", "lift_suspension 2026-06-01")
    assert (on("2026-05-01", told).status, on("2026-05-31", told).is_usable) == ("suspended", False)
    assert (on("2026-06-01", told).status, on("2026-06-01", told).is_usable) == (status, True)
    assert on("2026-06-01", told).retest_by == (day("2026-12-31") if status == "retest_due" else None)


def test_a_suspension_does_not_stop_the_end() -> None:
    told = decisions("homologate 2026-03-01 until=2026-06-30", "suspend 2026-05-01")
    assert on("2026-07-01", told).status == "expired"
    with pytest.raises(HistoryDamaged):
        status_on([*told, *decisions("x 2026-01-01", "x 2026-01-01", "lift_suspension 2026-08-01")[2:]], day("2027-01-01"), PROCESS)


def test_a_retest_that_is_due_leaves_the_type_usable() -> None:
    told = decisions("homologate 2026-03-01", "ask_retest 2026-04-01 retest_by=2026-12-31", "pass_retest 2026-10-01")
    assert (on("2026-04-01", told).status, on("2026-04-01", told).is_usable) == ("retest_due", True)
    assert on("2026-09-30", told).retest_by == day("2026-12-31")
    assert (on("2026-10-01", told).status, on("2026-10-01", told).retest_by) == ("homologated", None)


def test_an_expired_type_is_reinstated_by_a_decision() -> None:
    told = decisions("homologate 2026-03-01 until=2026-06-30", "reinstate 2026-08-01")
    assert [on(text, told).status for text in ("2026-06-30", "2026-07-31", "2026-08-01")] == [
        "homologated",
        "expired",
        "homologated",
    ]
    assert spans_of(told, PROCESS) == (Span(day("2026-03-01"), day("2026-06-30")), Span(day("2026-08-01"), None))


def test_prolonging_moves_the_end_and_keeps_the_status() -> None:
    told = decisions("homologate_provisionally 2026-03-01 until=2026-06-30", "prolong 2026-06-01 until=2026-12-31")
    assert (on("2026-12-31", told).status, on("2026-12-31", told).since) == ("provisional", day("2026-03-01"))
    assert on("2027-01-01", told).status == "expired"


def test_days_that_touch_are_one_span() -> None:
    told = decisions("homologate_provisionally 2026-03-01 until=2026-06-30", "make_final 2026-06-30")
    assert spans_of(told, PROCESS) == (Span(day("2026-03-01"), None),)


@pytest.mark.parametrize(
    "told",
    [
        ["suspend 2026-03-01"],
        ["homologate 2026-03-01", "homologate 2026-04-01"],
        ["homologate 2026-03-01", "reinstate 2026-04-01"],
        ["homologate 2026-03-01", "make_final 2026-04-01"],
        ["homologate 2026-03-01 until=2026-04-01", "suspend 2026-05-01"],
        ["homologate 2026-03-01", "withdraw 2026-04-01", "withdraw 2026-05-01"],
        ["homologate 2026-03-01", "confirm 2026-04-01"],
        ["homologate 2026-03-01", "vote 2026-04-01"],
    ],
)
def test_a_decision_that_does_not_follow_is_refused(told: list[str]) -> None:
    with pytest.raises(HistoryDamaged):
        status_on(decisions(*told), date.max, PROCESS)


def test_the_order_of_reading_does_not_matter() -> None:
    told = decisions(
        "homologate 2026-03-01", "suspend 2026-05-01", "lift_suspension 2026-05-01", "withdraw 2026-06-01 grace=2026-07-01"
    )
    expected = spans_of(told, PROCESS)
    assert all(spans_of(mixed, PROCESS) == expected for mixed in itertools.permutations(told))
    assert expected == (Span(day("2026-03-01"), day("2026-07-01")),)


@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(DECISIONS),
            st.integers(0, 40),
            st.none() | st.integers(0, 40),
        ),
        max_size=8,
    ),
    at=st.integers(0, 90),
)  # fmt: skip
def test_spans_say_the_same_as_each_single_day(steps: list[tuple[str, int, int | None]], at: int) -> None:
    first = day("2026-01-01")
    told: list[Decision] = []
    for step, start, length in steps:
        begin = first + timedelta(days=start)
        end = None if length is None else begin + timedelta(days=length)
        days = {"grace": end} if step == "withdraw" else {"until": end}
        decision = Decision(entry=len(told) + 1, step=step, on=begin, entered_by="anna", confirmed_by="boris", **days)
        try:
            status_on([*told, decision], date.max, PROCESS)
        except HistoryDamaged:
            continue
        told.append(decision)
    asked = first + timedelta(days=at)
    standing = status_on(told, asked, PROCESS)
    is_inside = any(span.since <= asked and (span.until is None or asked <= span.until) for span in spans_of(told, PROCESS))
    assert is_inside is (standing is not None and standing.is_usable)


# Entering and confirming


class Entries:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def take(self, step: str, actor: Actor, **data: Any) -> Event:
        event = enter(
            self.events, step, actor, START, data, maker="org-maker", process=PROCESS, event_id=f"e{len(self.events) + 1}"
        )
        self.events.append(event)
        return event

    def codes(self, step: str, actor: Actor, **data: Any) -> list[str]:
        with pytest.raises(StepRefused) as refused:
            self.take(step, actor, **data)
        return [problem.code for problem in refused.value.problems]

    def decided(self) -> list[str]:
        return [decision.step for decision in decisions_of(self.events, PROCESS)]


def homologated() -> Entries:
    entries = Entries()
    entry = entries.take("homologate", ANNA, on="2026-12-01")
    entries.take("confirm", BORIS, entry=entry.seq)
    return entries


def test_an_entry_counts_once_a_second_person_has_confirmed_it() -> None:
    entries = Entries()
    entry = entries.take("homologate", ANNA, on="2026-12-01")
    assert entries.decided() == []
    assert [event.seq for event in waiting(entries.events, PROCESS)] == [1]
    assert entries.codes("confirm", ANNA, entry=entry.seq) == ["four_eyes"]
    entries.take("confirm", BORIS, entry=entry.seq)
    assert entries.decided() == ["homologate"]
    assert decisions_of(entries.events, PROCESS)[0].confirmed_by == "boris"
    assert waiting(entries.events, PROCESS) == ()
    assert entries.codes("confirm", BORIS, entry=entry.seq) == ["step_value"]


def test_an_entry_that_is_taken_back_never_counts() -> None:
    entries = homologated()
    entry = entries.take("suspend", ANNA, on="2027-01-01", reasons=REASONS)
    entries.take("take_back", ANNA, entry=entry.seq, text="A slip.")
    assert entries.codes("confirm", BORIS, entry=entry.seq) == ["step_value"]
    assert entries.decided() == ["homologate"]


def test_who_makes_the_type_enters_and_confirms_nothing_of_it() -> None:
    inside = person("inside", "board", of="org-maker")
    entries = homologated()
    assert entries.codes("withdraw", inside, on="2027-01-01", reasons=REASONS) == ["conflict_of_interest"]
    for stranger in (MARY, LENA):
        assert entries.codes("withdraw", stranger, on="2027-01-01", reasons=REASONS) == ["step_not_yours"]


def test_a_decision_that_does_not_fit_is_refused_at_its_entry() -> None:
    entries = homologated()
    assert entries.codes("reinstate", ANNA, on="2027-01-01", reasons=REASONS) == ["decision_out_of_order"]
    assert entries.codes("suspend", ANNA, on="2026-11-30", reasons=REASONS) == ["decision_out_of_order"]
    assert entries.codes("withdraw", ANNA, on="2027-01-01", grace="2026-12-31", reasons=REASONS) == ["step_value"]
    assert entries.codes("withdraw", ANNA, on="2027-01-01") == ["step_incomplete"]
    assert entries.codes("pass_retest", ANNA, on="2027-01-01", report=digest("a")) == ["decision_out_of_order"]


def test_of_two_entries_that_exclude_each_other_one_is_confirmed() -> None:
    entries = homologated()
    first = entries.take("withdraw", ANNA, on="2027-01-01", reasons=REASONS)
    second = entries.take("withdraw", ANNA, on="2027-02-01", reasons=REASONS)
    entries.take("confirm", BORIS, entry=second.seq)
    assert entries.codes("confirm", BORIS, entry=first.seq) == ["decision_out_of_order"]
    assert entries.decided() == ["homologate", "withdraw"]


def test_an_earlier_decision_may_not_break_a_later_one() -> None:
    entries = homologated()
    later = entries.take("suspend", ANNA, on="2027-03-01", reasons=REASONS)
    entries.take("confirm", BORIS, entry=later.seq)
    assert entries.codes("withdraw", ANNA, on="2027-02-01", reasons=REASONS) == ["decision_out_of_order"]
    assert entries.codes("approve", ANNA, on="2027-02-01") == ["step_unknown"]


# Every step, from every status, by every role: what is allowed is written out by hand, all else is refused.
WAY: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "none": [],
    "homologated": [("homologate", {"on": "2026-01-01"})],
    "provisional": [("homologate_provisionally", {"on": "2026-01-01", "until": "2030-12-31"})],
    "retest_due": [("homologate", {"on": "2026-01-01"}), ("ask_retest", {"on": "2026-02-01", "text": "A new mould."})],
    "suspended": [("homologate", {"on": "2026-01-01"}), ("suspend", {"on": "2026-02-01", "reasons": REASONS})],
    "withdrawn": [("homologate", {"on": "2026-01-01"}), ("withdraw", {"on": "2026-02-01", "reasons": REASONS})],
    "expired": [("homologate", {"on": "2026-01-01", "until": "2026-02-01"})],
}
ENTERED = {
    "none": {"homologate", "homologate_provisionally"},
    "homologated": {"prolong", "ask_retest", "suspend", "withdraw"},
    "provisional": {"make_final", "prolong", "suspend", "withdraw"},
    "retest_due": {"pass_retest", "prolong", "ask_retest", "suspend", "withdraw"},
    "suspended": {"lift_suspension", "withdraw"},
    "withdrawn": {"reinstate"},
    "expired": {"reinstate", "withdraw"},
}
SAID: dict[str, dict[str, Any]] = {
    "homologate": {},
    "homologate_provisionally": {"until": "2030-12-31"},
    "make_final": {"text": "It has held."},
    "prolong": {"text": "It has held."},
    "ask_retest": {"text": "A new mould."},
    "pass_retest": {"report": digest("a")},
    "suspend": {"reasons": REASONS},
    "lift_suspension": {"reasons": REASONS},
    "withdraw": {"reasons": REASONS},
    "reinstate": {"reasons": REASONS},
}
OTHERS = [VISITOR, MARY, LENA, person("ralf", "referee"), person("ada", "administrator"), person("inside", "board", of="org-maker")]


def test_the_tables_are_about_every_status_and_every_step() -> None:
    statuses = {state.id for state in PROCESS.process.states if state.of == "type"}
    assert set(WAY) == set(ENTERED) == statuses | {"none"}
    assert set(SAID) == set(DECISIONS) == set().union(*ENTERED.values())


@pytest.mark.parametrize("status", WAY)
@pytest.mark.parametrize("step", DECISIONS)
def test_a_decision_is_entered_from_where_it_may_by_the_board_alone(status: str, step: str) -> None:
    entries = Entries()
    for name, said in WAY[status]:
        entry = entries.take(name, ANNA, **said)
        entries.take("confirm", BORIS, entry=entry.seq)
    told = decisions_of(entries.events, PROCESS)
    standing = status_on(told, day("2026-06-01"), PROCESS)
    assert (standing.status if standing else "none") == status
    for actor in OTHERS:
        assert entries.codes(step, actor, on="2026-06-01", **SAID[step]) in (["step_not_yours"], ["conflict_of_interest"])
    if step in ENTERED[status]:
        entry = entries.take(step, ANNA, on="2026-06-01", **SAID[step])
        for actor in (*OTHERS, ANNA):
            assert entries.codes("confirm", actor, entry=entry.seq) in (["step_not_yours"], ["conflict_of_interest"], ["four_eyes"])
        entries.take("confirm", BORIS, entry=entry.seq)
    else:
        assert entries.codes(step, ANNA, on="2026-06-01", **SAID[step]) == ["decision_out_of_order"]
