"""Owns entering a decision about a type, and the second person's confirmation that makes it count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from homolog.errors import HomologError, Problem
from homolog.service.actor import Actor, Role
from homolog.service.workflow.event import Event, frozen, in_order
from homolog.service.workflow.refusal import StepRefused
from homolog.service.workflow.standing import Decision, status_on
from homolog.service.workflow.values import faults_of
from homolog.spec.process import LoadedProcess, Step

ROLE_OF_ENTRIES: Role = "board"
_META = ("confirms", "takes_back")


def decisions_of(events: Iterable[Event], process: LoadedProcess) -> tuple[Decision, ...]:
    """Return the decisions about a type that are confirmed, in the order of their entry.

    Raises:
        HistoryDamaged: An event's number is missing or there twice.
    """
    ordered = in_order(events)
    confirmations = {event.data["entry"]: event for event in ordered if _effect(event, process) == "confirms"}
    return tuple(
        _decision(event, confirmations[event.seq].by)
        for event in ordered
        if _effect(event, process) not in _META and event.seq in confirmations
    )


def waiting(events: Iterable[Event], process: LoadedProcess) -> tuple[Event, ...]:
    """Return the entries that nobody has confirmed or taken back."""
    ordered = in_order(events)
    closed = {event.data["entry"] for event in ordered if _effect(event, process) in _META}
    return tuple(event for event in ordered if _effect(event, process) not in _META and event.seq not in closed)


def enter(
    events: Sequence[Event],
    name: str,
    actor: Actor,
    at: datetime,
    data: Mapping[str, Any],
    *,
    maker: str | None,
    process: LoadedProcess,
    event_id: str,
    before: Sequence[Decision] = (),
) -> Event:
    """Return the event of an entry about a type, of its confirmation, or of taking it back.

    A decision is held against all confirmed ones, before and after its day, at its entry and again at its confirmation.

    Args:
        events: All that happened to the type so far, in any order.
        name: The step.
        actor: Who takes it.
        at: When; aware.
        data: What is said with it, JSON values.
        maker: The organisation whose type it is, if it has an account here.
        process: The table of steps.
        event_id: Id of the new event.
        before: Decisions that stand without an entry, such as that the rules name the type.

    Raises:
        StepRefused: With every reason that is known.
        HistoryDamaged: The events do not follow from each other.
    """
    step = process.step(name)
    if step is None or step.of != "type":
        known = ", ".join(one.id for one in process.steps("type"))
        raise StepRefused.because(f"there is no step {name[:60]!r}", todo=f"take one of {known}", code="step_unknown")
    who = _who(step, actor, maker)
    if who is not None:
        raise StepRefused(who)
    problems = faults_of(step, data) or _of_effect(step, events, actor, data, process, before)
    if problems:
        raise StepRefused(*problems)
    ordered = in_order(events)
    return Event(
        id=event_id,
        seq=len(ordered) + 1,
        at=at,
        by=actor.account or "",
        role=ROLE_OF_ENTRIES,
        step=name,
        to=step.to or "",
        data=frozen(dict(data)),
        process=process.sha256,
    )


def _who(step: Step, actor: Actor, maker: str | None) -> Problem | None:
    if actor.account is None or not any(who.role in actor.roles for who in step.who):
        roles = ", ".join(dict.fromkeys(who.role for who in step.who))
        return Problem("", f"{step.id} is not a step of yours", f"it is taken by: {roles}", "step_not_yours")
    if maker is not None and maker in actor.organisations:
        return Problem("", "you are a member of the organisation that makes it", "leave it to another", "conflict_of_interest")
    return None


def _of_effect(
    step: Step, events: Sequence[Event], actor: Actor, data: Mapping[str, Any], process: LoadedProcess, before: Sequence[Decision]
) -> tuple[Problem, ...]:
    if step.effect not in _META:
        return _days(data) or _fits(_said(step.id, data, len(events) + 1, actor.account or "", "-"), events, process, before)
    entry = next((one for one in waiting(events, process) if one.seq == data["entry"]), None)
    if entry is None:
        return (Problem("entry", "no entry of this number waits", "look which do", "step_value"),)
    if step.effect == "takes_back":
        return ()
    if entry.by == actor.account:
        return (Problem("", "you have made this entry yourself", "have another member confirm it", "four_eyes"),)
    return _fits(_decision(entry, actor.account or ""), events, process, before)


def _days(data: Mapping[str, Any]) -> tuple[Problem, ...]:
    on = date.fromisoformat(data["on"])
    return tuple(
        Problem(name, "it is before the day from which the decision holds", "write a later day", "step_value")
        for name in ("until", "grace", "by")
        if name in data and date.fromisoformat(data[name]) < on
    )


def _fits(decision: Decision, events: Sequence[Event], process: LoadedProcess, before: Sequence[Decision]) -> tuple[Problem, ...]:
    """Return why a decision does not go with the confirmed ones: each must follow from those before its day."""
    try:
        status_on([*before, *decisions_of(events, process), decision], date.max, process)
    except HomologError as error:
        return error.problems
    return ()


def _effect(event: Event, process: LoadedProcess) -> str | None:
    step = process.step(event.step)
    return None if step is None else step.effect


def _decision(event: Event, confirmed_by: str) -> Decision:
    return _said(event.step, event.data, event.seq, event.by, confirmed_by)


def _said(step: str, data: Mapping[str, Any], entry: int, entered_by: str, confirmed_by: str) -> Decision:
    def day(name: str) -> date | None:
        return date.fromisoformat(data[name]) if name in data else None

    return Decision(
        entry=entry,
        step=step,
        on=date.fromisoformat(data["on"]),
        until=day("until"),
        grace=day("grace"),
        retest_by=day("by"),
        entered_by=entered_by,
        confirmed_by=confirmed_by,
        data=data,
    )
