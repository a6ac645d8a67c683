"""The file that states how a type is homologated: states, steps, who takes them, and what each asks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from homolog.data import specs_dir
from homolog.gate.yaml_text import Document
from homolog.spec.fields import Strict, Text, Whole
from homolog.spec.load import read_model

Subject = Literal["application", "type"]
TypeItem = Literal["ball", "figure", "goalkeeper"]
StepRole = Literal["manufacturer", "laboratory", "referee", "board", "administrator"]
Relation = Literal["applicant", "independent", "holder", "receiver", "elector"]
"""How the actor stands to the application: one of the applicant's; not one of them and without a conflict of interest;
that, and holding the sample; that, and the one to whom it was sent; that, and called to the vote."""
Proposal = Literal["approve", "approve_provisionally", "refuse", "send_back"]
FieldKind = Literal[
    "name", "text", "day", "moment", "whole", "choice", "digest", "digests", "organisation", "account", "accounts",
    "application", "event", "variants", "reasons", "counting",
]  # fmt: skip
Effect = Literal[
    "starts", "describes", "accepts_memorandum", "asks_sample", "receives_sample", "sends_sample_on", "returns_sample",
    "asks_question", "answers_question", "declares_conflict", "measures", "judges", "assesses", "opens_vote", "votes",
    "closes_vote", "decides", "certifies", "enters", "confirms", "takes_back",
]  # fmt: skip
"""What an event of the step does to the state beside moving it; the service knows a meaning for each."""
Mark = Literal["complete", "memorandum_accepted", "sample_asked", "sample_held", "sample_on_its_way", "question_open", "vote_due"]
"""A fact about an application that is worked out from its events."""
StepId = Annotated[str, Field(pattern="^[a-z][a-z_]*$")]


class State(Strict):
    """Where an application or a type stands."""

    id: StepId
    of: Subject
    says: Text
    ends: Literal["yes", "no"] = Field("no", description="Whether nothing moves on from here.")
    by_date: Literal["yes", "no"] = Field("no", description="Whether it comes by a day that a decision names, without a step.")


class Asked(Strict):
    """One thing that a step asks for."""

    name: StepId
    kind: FieldKind
    what: Text
    need: Literal["must", "may"] = Field("must", description="Whether the step cannot be taken without it.")
    values: tuple[Text, ...] = Field((), description="The closed list, where the kind is choice.")


class Who(Strict):
    """Who may take a step: a role, and how its bearer stands to the application."""

    role: StepRole
    relation: Relation | None = None


class Branch(Strict):
    """A step's end that hangs on the count of votes, on what was proposed, or on how it stood before."""

    on: Literal["result", "proposal", "before"]
    to: dict[StepId, StepId]


class Step(Strict):
    """One step: who takes it, from where to where, and what it asks."""

    id: StepId
    of: Subject
    says: Text
    asks: tuple[Asked, ...] = ()
    who: tuple[Who, ...] = Field(min_length=1)
    start: tuple[StepId, ...] = Field(alias="from", description="States in which it can be taken; none begins a new one.")
    to: StepId | None = Field(None, description="The state after it; left out, it stays.")
    branch: Branch | None = None
    effect: Effect | None = None
    needs: tuple[Mark, ...] = ()
    unless: tuple[Mark, ...] = ()
    not_by: tuple[StepId, ...] = Field((), description="Steps whose takers may not take this one.")
    part: Literal["main", "side"] = Field("main", description="Whether it moves the matter on, or may be taken beside.")
    clauses: dict[TypeItem, tuple[Text, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_end(self) -> Step:
        if self.to is not None and self.branch is not None:
            raise ValueError("it has both to and branch; keep one")
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        """The states that it can lead to; empty if it stays."""
        if self.branch is not None:
            return tuple(dict.fromkeys(self.branch.to.values()))
        return () if self.to is None else (self.to,)


class Counting(Strict):
    """How votes are counted; recorded with each vote that is opened."""

    quorum: Annotated[str, Field(pattern="^[0-9]{1,3}/[1-9][0-9]{0,2}$", description="Least share of the electors who take part.")]
    least: Whole = Field(1, description="Least number of electors who take part, whatever their share.")
    majority: Annotated[str, Field(pattern="^(more than|at least) [0-9]{1,3}/[1-9][0-9]{0,2}$")]
    of: Literal["yes_and_no", "cast", "electors"] = Field(description="What the majority is of.")
    secret: Literal["yes", "no"] = Field(description="Whether votes are hidden until the vote is closed.")


class Process(Strict):
    """`process/type.yaml`: the way of a type from its application to the register, and what may happen to it there."""

    format: Literal["homolog-process/1"]
    id: Literal["process.type"]
    body: Annotated[str, Field(pattern="^[a-z0-9-]+$", description="The body whose clauses are named.")]
    title: Text
    note: str = ""
    complete: tuple[Text, ...] = Field(description="What an application must say before it is handed in; `a|b` is either of two.")
    proposals: dict[Proposal, tuple[Literal["approve", "open", "refuse"], ...]] = Field(
        description="Which outcomes of the assessment let the board vote on a proposal."
    )
    counting: Counting
    states: tuple[State, ...] = Field(min_length=1)
    steps: tuple[Step, ...] = Field(min_length=1)


@dataclass(frozen=True)
class LoadedProcess:
    """A process with its digest and the places of its parts."""

    process: Process
    sha256: str
    document: Document = field(compare=False, repr=False)
    data: bytes = field(compare=False, repr=False)
    path: Path | None = field(default=None, compare=False)

    def step(self, name: str) -> Step | None:
        """Return a step, or None if there is none of this name."""
        return next((step for step in self.process.steps if step.id == name), None)

    def steps(self, subject: Subject) -> tuple[Step, ...]:
        """Return the steps of applications, or of types."""
        return tuple(step for step in self.process.steps if step.of == subject)

    def state(self, name: str) -> State | None:
        """Return a state, or None if there is none of this name."""
        return next((state for state in self.process.states if state.id == name), None)


def process_path() -> Path:
    """Return where the shipped process stands."""
    return specs_dir() / "process" / "type.yaml"


def load_process(data: bytes, name: str, path: Path | None = None) -> LoadedProcess:
    """Read a process.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The file does not fit its format.
    """
    process, document = read_model(data, name, Process)
    return LoadedProcess(process, hashlib.sha256(data).hexdigest(), document, data, path)


@lru_cache(maxsize=4)
def shipped_process() -> LoadedProcess:
    """Return the process that Homolog ships, read once."""
    path = process_path()
    return load_process(path.read_bytes(), "process/type.yaml", path)


def process_texts(process: Process) -> dict[str, str]:
    """Return every text of a process that a catalogue translates, by key.

    The keys: `title`; `state.<id>.says`; `step.<id>.says`, `step.<id>.<name>.what`.
    """
    return dict(_texts(process))


def _texts(process: Process) -> Iterator[tuple[str, str]]:
    yield "title", process.title
    for state in process.states:
        yield f"state.{state.id}.says", state.says
    for step in process.steps:
        yield f"step.{step.id}.says", step.says
        for asked in step.asks:
            yield f"step.{step.id}.{asked.name}.what", asked.what
