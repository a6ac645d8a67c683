"""Owns taking a step of an application: everything that must hold, then the event; nothing is stored here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from homolog.errors import Problem
from homolog.service.actor import Actor
from homolog.service.workflow.case import NONE, Case, end_of, state_of
from homolog.service.workflow.event import Event, frozen
from homolog.service.workflow.refusal import StepRefused
from homolog.service.workflow.values import faults_of
from homolog.service.workflow.who import chosen
from homolog.spec.process import Counting, LoadedProcess, Mark, Step

_MISSING: Mapping[Mark, tuple[str, str]] = {
    "memorandum_accepted": ("the memorandum of understanding is not accepted", "take accept_memorandum first"),
    "sample_asked": ("no sample was asked for", "wait until it is"),
    "sample_held": ("nobody here holds the sample", "have its arrival confirmed first"),
    "sample_on_its_way": ("the sample is not on its way", ""),
    "question_open": ("no question is open", ""),
    "vote_due": ("not all have voted, and the vote's time is not over", "wait until one of both is so"),
}
_STANDING: Mapping[Mark, tuple[str, str]] = {"question_open": ("a question waits for its answer", "wait for the answer")}


def apply(
    events: Iterable[Event],
    name: str,
    actor: Actor,
    at: datetime,
    data: Mapping[str, Any],
    *,
    process: LoadedProcess,
    event_id: str,
) -> Event:
    """Return the event of a step that is taken, or refuse it.

    Args:
        events: All that happened to the application so far, in any order; none begins one.
        name: The step.
        actor: Who takes it.
        at: When; aware.
        data: What is said with it, JSON values.
        process: The table of steps.
        event_id: Id of the new event.

    Raises:
        StepRefused: With every reason that is known.
        HistoryDamaged: The events do not follow from each other.
    """
    case = state_of(events, process)
    step = process.step(name)
    if step is None or step.of != "application":
        known = ", ".join(one.id for one in process.steps("application"))
        raise StepRefused.because(f"there is no step {name[:60]!r}", todo=f"take one of {known}", code="step_unknown")
    problems = refusals(step, case, actor, at, data, process)
    if problems:
        raise StepRefused(*problems)
    who = chosen(step, actor, case, data.get("organisation"))
    if isinstance(who, Problem) or actor.account is None:  # refusals() has said so already
        raise StepRefused(*([who] if isinstance(who, Problem) else []))
    tally = case.ballot.counted() if step.effect == "closes_vote" and case.ballot is not None else None
    said = dict(data) if tally is None else {**data, "tally": tally.record()}
    return Event(
        id=event_id,
        seq=case.seq + 1,
        at=at,
        by=actor.account,
        role=who.role,
        step=name,
        to=end_of(step, case, tally),
        data=frozen(said),
        process=process.sha256,
    )


def refusals(
    step: Step, case: Case, actor: Actor, at: datetime, data: Mapping[str, Any], process: LoadedProcess
) -> tuple[Problem, ...]:
    """Return every reason why a step cannot be taken with what is said; none where it can."""
    who = chosen(step, actor, case, data.get("organisation"))
    if isinstance(who, Problem):  # a stranger learns no more than that
        return (who,)
    found = [*blocks(step, case, at, process), *faults_of(step, data)]
    if not found:
        found = list(_of_effect(step, case, actor, at, data, process))
    return tuple(found)


def blocks(step: Step, case: Case, at: datetime, process: LoadedProcess) -> tuple[Problem, ...]:
    """Return what stands in a step's way, whoever takes it: the state, or a mark that is missing or stands against it."""
    if case.state not in step.start:
        if case.state == NONE:
            return (Problem("", "the application has not begun", "take start first", "step_not_now"),)
        state = process.state(case.state)
        says = case.state if state is None else f"{case.state} ({state.says})"
        return (Problem("", f"{step.id} cannot be taken while the application is {says}", "", "step_not_now"),)
    found = [_lacks(mark, case, process) for mark in step.needs if not case.has(mark, process, at)]
    found += [Problem("", *_STANDING[mark], "step_not_now") for mark in step.unless if case.has(mark, process, at)]
    return tuple(found)


def _lacks(mark: Mark, case: Case, process: LoadedProcess) -> Problem:
    if mark == "complete":
        names = ", ".join(name.replace("|", " or ") for name in case.missing(process))
        return Problem("", f"the application does not say yet: {names}", "describe the type first", "step_incomplete")
    return Problem("", *_MISSING[mark], "step_incomplete" if mark == "memorandum_accepted" else "step_not_now")


def _of_effect(
    step: Step, case: Case, actor: Actor, at: datetime, data: Mapping[str, Any], process: LoadedProcess
) -> tuple[Problem, ...]:
    """Return what is wrong with values that are right by themselves."""
    match step.effect:
        case "receives_sample":
            return _holder(case, actor, data)
        case "sends_sample_on":
            to = data.get("to")
            wrong = to is not None and to == case.applicant
            return (
                (Problem("to", "the applicant is no laboratory", "give the sample back", "conflict_of_interest"),) if wrong else ()
            )
        case "measures":
            is_own = data["laboratory"] == case.holder
            return () if is_own else (Problem("laboratory", "it does not hold the sample", f"write {case.holder}", "step_value"),)
        case "answers_question":
            return () if data["question"] in case.questions else (_no_question(case),)
        case "opens_vote":
            return _ballot(case, actor, at, data, process)
        case _:
            return ()


def _holder(case: Case, actor: Actor, data: Mapping[str, Any]) -> tuple[Problem, ...]:
    """A board member takes a sample for the federation, a laboratory's for the laboratory."""
    if case.receiver is not None:
        return ()
    holder = data.get("holder")
    if holder is None and "board" not in actor.roles:
        return (Problem("holder", "it is missing", "write your laboratory's id", "step_incomplete"),)
    if holder is not None and (holder not in actor.organisations or "laboratory" not in actor.roles):
        return (Problem("holder", "it is no laboratory of yours", "leave it out, or write your laboratory's id", "step_value"),)
    return ()


def _no_question(case: Case) -> Problem:
    open_ones = ", ".join(map(str, case.questions))
    return Problem("question", "no question of this number waits for an answer", f"write one of {open_ones}", "step_value")


def _ballot(case: Case, actor: Actor, at: datetime, data: Mapping[str, Any], process: LoadedProcess) -> tuple[Problem, ...]:
    found = []
    outcome = "" if case.assessment is None else case.assessment.data["outcome"]
    proposal = data["proposal"]
    if outcome not in process.process.proposals.get(proposal, ()):
        what = f"{proposal} cannot be proposed where the assessment says {outcome or 'nothing'}"
        todo = "propose what it allows, or decide the open points and have it assessed again"
        found.append(Problem("proposal", what, todo, "proposal_unfounded"))
    is_limited = proposal == "approve_provisionally"
    if is_limited and "until" not in data:
        found.append(Problem("until", "a provisional approval has an end", "write its last day", "step_incomplete"))
    if "until" in data and not is_limited:
        found.append(Problem("until", f"{proposal} has no end", "leave it out", "step_value"))
    if "until" in data and date.fromisoformat(data["until"]) <= at.date():
        found.append(Problem("until", "the day is over", "write a later one", "step_value"))
    if datetime.fromisoformat(data["closes"]) <= at:
        found.append(Problem("closes", "the moment is past", "write a later one", "step_value"))
    barred = case.conflicts | case.applicants | case.taken.get("measure", frozenset())
    listed = [account for account in data["electors"] if account in barred]
    if listed:
        what = f"not independent in this matter: {', '.join(listed)}"
        found.append(Problem("electors", what, "leave them out", "conflict_of_interest"))
    rule = Counting.model_validate(dict(data["counting"]))
    if len(data["electors"]) < rule.least:
        found.append(Problem("electors", f"fewer than the {rule.least} who must take part", "call more", "step_value"))
    return tuple(found)
