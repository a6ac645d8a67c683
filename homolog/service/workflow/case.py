"""Owns the state of an application: worked out from its events, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from homolog.service.workflow.counting import Choice, Tally, count
from homolog.service.workflow.event import Event, in_order
from homolog.service.workflow.refusal import HistoryDamaged
from homolog.spec.process import Counting, Effect, LoadedProcess, Mark, Step

FEDERATION = "federation"
"""The holder of a sample that is with the federation itself and not with a laboratory."""
NONE = "none"
"""The state before the first event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """One vote of the board.

    Attributes:
        opened: The event that proposed and opened it.
        votes: All votes in their order, replaced ones among them.
        tally: What came out; None while it is open.
        excluded: Accounts that declared a conflict of interest before it was closed; their votes do not count.
    """

    opened: Event
    votes: tuple[Event, ...] = ()
    tally: Tally | None = None
    excluded: frozenset[str] = frozenset()

    @property
    def counting(self) -> Counting:
        """The rule by which it is counted."""
        return Counting.model_validate(dict(self.opened.data["counting"]))

    @property
    def electors(self) -> tuple[str, ...]:
        """Who can vote."""
        return tuple(account for account in self.opened.data["electors"] if account not in self.excluded)

    @property
    def choices(self) -> dict[str, Choice]:
        """The last vote of each account."""
        return {event.by: event.data["choice"] for event in self.votes}

    def counted(self) -> Tally:
        """Count it as it stands."""
        return count(self.choices, self.electors, self.counting)

    def is_due(self, at: datetime) -> bool:
        """Whether it can be closed: all have voted, or its time is over."""
        has_all = set(self.electors) <= set(self.choices)
        return has_all or at >= datetime.fromisoformat(self.opened.data["closes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Where one application stands, and all that was said in it.

    Attributes:
        facts: What the applicant has said of the type; the last word on each counts.
        holder: Who has the sample: a laboratory's organisation, `federation`, or None.
        receiver: To whom the sample is on its way, once it was here.
        questions: Questions that wait for an answer, by their events' numbers.
        judgements: What members of the board answered last to what the rules leave to them, by requirement and account.
        conflicts: Accounts that declared a conflict of interest.
        applicants: Accounts that acted for the applicant.
        taken: The accounts that took each step.
    """

    state: str = NONE
    seq: int = 0
    applicant: str | None = None
    item: str | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    memorandum: Event | None = None
    sample_asked: Event | None = None
    holder: str | None = None
    receiver: str | None = None
    custody: tuple[Event, ...] = ()
    questions: Mapping[int, Event] = field(default_factory=lambda: MappingProxyType({}))
    conflicts: frozenset[str] = frozenset()
    applicants: frozenset[str] = frozenset()
    measurement: Event | None = None
    judgements: Mapping[tuple[str, str], Event] = field(default_factory=lambda: MappingProxyType({}))
    assessment: Event | None = None
    ballots: tuple[Ballot, ...] = ()
    decision: Event | None = None
    certificate: Event | None = None
    taken: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def ballot(self) -> Ballot | None:
        """The latest vote."""
        return self.ballots[-1] if self.ballots else None

    def missing(self, process: LoadedProcess) -> tuple[str, ...]:
        """Return what the application does not say yet; `a|b` is either of two."""
        return tuple(names for names in process.process.complete if not any(name in self.facts for name in names.split("|")))

    def has(self, mark: Mark, process: LoadedProcess, at: datetime) -> bool:
        """Whether a mark of the process holds at a moment."""
        match mark:
            case "complete":
                return not self.missing(process)
            case "memorandum_accepted":
                return self.memorandum is not None
            case "sample_asked":
                return self.sample_asked is not None
            case "sample_held":
                return self.holder is not None
            case "sample_on_its_way":
                return self.receiver is not None
            case "question_open":
                return bool(self.questions)
            case "vote_due":
                return self.ballot is not None and self.ballot.tally is None and self.ballot.is_due(at)


def state_of(events: Iterable[Event], process: LoadedProcess) -> Case:
    """Work out where an application stands.

    Events may come in any order: their numbers count. Each is held against the table of steps, if it was taken under this one.

    Raises:
        HistoryDamaged: The events do not follow from each other.
    """
    case = Case()
    for event in in_order(events):
        case = after(case, event, process)
    return case


def after(case: Case, event: Event, process: LoadedProcess) -> Case:
    """Return the case after one more event.

    Raises:
        HistoryDamaged: The event does not follow.
    """
    step = process.step(event.step)
    if event.process == process.sha256:
        _check(case, event, step)
    taken = {**case.taken, event.step: case.taken.get(event.step, frozenset()) | {event.by}}
    applicants = case.applicants | {event.by} if event.role == "manufacturer" else case.applicants
    moved = replace(case, state=event.to, seq=event.seq, taken=MappingProxyType(taken), applicants=applicants)
    return _affected(moved, event, step.effect if step is not None else None)


def end_of(step: Step, case: Case, tally: Tally | None) -> str:
    """Return the state to which a step leads."""
    if step.branch is None:
        return step.to or case.state
    key = "" if case.ballot is None else str(case.ballot.opened.data["proposal"])
    if step.branch.on == "result" and tally is not None:
        key = tally.result
    return step.branch.to[key]


def _check(case: Case, event: Event, step: Step | None) -> None:
    """Refuse an event that its own table of steps would not have allowed where it stands."""
    if step is None or case.state not in step.start:
        what = f"event {event.seq} is a {event.step} in state {case.state}"
    else:
        tally = case.ballot.counted() if step.effect == "closes_vote" and case.ballot is not None else None
        if event.to == end_of(step, case, tally) and (tally is None or dict(event.data.get("tally", {})) == tally.record()):
            return
        what = f"event {event.seq}, a {event.step}, leads to {event.to}, or was counted otherwise"
    raise HistoryDamaged.because(what, todo="restore the history from a backup")


def _affected(case: Case, event: Event, effect: Effect | None) -> Case:
    """Return the case with what an event's step does beside moving it."""
    change = _CHANGES.get(effect) if effect is not None else None
    return case if change is None else replace(case, **change(case, event))


_Change: TypeAlias = Mapping[str, Any]


def _starts(_case: Case, event: Event) -> _Change:
    said = {key: event.data[key] for key in ("item", "resubmits") if key in event.data}
    return {"applicant": event.data["organisation"], "item": event.data["item"], "facts": MappingProxyType(said)}


def _describes(case: Case, event: Event) -> _Change:
    return {"facts": MappingProxyType({**case.facts, **event.data})}


def _receives(case: Case, event: Event) -> _Change:
    holder = case.receiver or event.data.get("holder", FEDERATION)
    return {"holder": holder, "receiver": None, "custody": (*case.custody, event)}


def _sends_on(case: Case, event: Event) -> _Change:
    return {"holder": None, "receiver": event.data.get("to", FEDERATION), "custody": (*case.custody, event)}


def _answers(case: Case, event: Event) -> _Change:
    answered = event.data["question"]
    return {"questions": MappingProxyType({seq: one for seq, one in case.questions.items() if seq != answered})}


def _judges(case: Case, event: Event) -> _Change:
    key = (event.data["requirement"], event.by)
    # What was assessed without this answer is worth no more than what was assessed without a measurement.
    return {"judgements": MappingProxyType({**case.judgements, key: event}), "assessment": None}


def _votes(case: Case, event: Event) -> _Change:
    last = case.ballots[-1]
    return {"ballots": (*case.ballots[:-1], replace(last, votes=(*last.votes, event)))}


def _declares(case: Case, event: Event) -> _Change:
    change: dict[str, Any] = {"conflicts": case.conflicts | {event.by}}
    if case.ballots and case.ballots[-1].tally is None:
        last = case.ballots[-1]
        change["ballots"] = (*case.ballots[:-1], replace(last, excluded=last.excluded | {event.by}))
    return change


def _closes(case: Case, _event: Event) -> _Change:
    last = case.ballots[-1]
    return {"ballots": (*case.ballots[:-1], replace(last, tally=last.counted()))}


_CHANGES: Mapping[Effect, Any] = {
    "starts": _starts,
    "describes": _describes,
    "accepts_memorandum": lambda _case, event: {"memorandum": event},
    "asks_sample": lambda _case, event: {"sample_asked": event},
    "receives_sample": _receives,
    "sends_sample_on": _sends_on,
    "returns_sample": lambda case, event: {"holder": None, "custody": (*case.custody, event)},
    "asks_question": lambda case, event: {"questions": MappingProxyType({**case.questions, event.seq: event})},
    "answers_question": _answers,
    "declares_conflict": _declares,
    # A measurement makes the assessment of an earlier one worthless.
    "measures": lambda _case, event: {"measurement": event, "assessment": None},
    "judges": _judges,
    "assesses": lambda _case, event: {"assessment": event},
    "opens_vote": lambda case, event: {"ballots": (*case.ballots, Ballot(opened=event))},
    "votes": _votes,
    "closes_vote": _closes,
    "decides": lambda _case, event: {"decision": event},
    "certifies": lambda _case, event: {"certificate": event},
}
