"""People and short ways to say what happens to an application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from homolog.service.actor import Actor, Role
from homolog.service.workflow.apply import apply
from homolog.service.workflow.case import Case, state_of
from homolog.service.workflow.event import Event
from homolog.spec.process import shipped_process

PROCESS = shipped_process()
START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
CLOSES = START + timedelta(days=14)
MAKER, LAB, OTHER = "org-maker", "org-lab", "org-other"


def person(account: str, *roles: Role, of: str = "") -> Actor:
    organisations = frozenset({of}) if of else frozenset()
    return Actor(account=account, roles=frozenset(roles), organisations=organisations, scopes=None, via="session")


MARY = person("mary", "manufacturer", of=MAKER)
PEER = person("peer", "manufacturer", of=MAKER)
RIVAL = person("rival", "manufacturer", of=OTHER)
LENA = person("lena", "laboratory", of=LAB)
LEO = person("leo", "laboratory", of=OTHER)
ANNA, BORIS, CARLA, DMYTRO = (person(name, "board") for name in ("anna", "boris", "carla", "dmytro"))
RALF = person("ralf", "referee")
ADA = person("ada", "administrator")


def digest(letter: str) -> str:
    return letter * 64


def counting(**changes: Any) -> dict[str, Any]:
    rule = {"quorum": "1/2", "least": 3, "majority": "more than 1/2", "of": "yes_and_no", "secret": "yes"}
    return {**rule, **changes}


SAID: Mapping[str, Mapping[str, Any]] = {
    "start": {"organisation": MAKER, "item": "figure"},
    "describe": {
        "company": digest("c"),
        "family": "sports",
        "name": "Swift",
        "variants": [{"name": "red", "colour": "red", "material": "polystyrene"}],
        "photos": [digest("a")],
        "sheet": digest("b"),
    },
    "accept_memorandum": {
        "version": "draft-1",
        "memorandum": digest("d"),
        "language": "en",
        "person": "Mary Maker",
        "office": "director",
    },
    "submit": {},
    "ask_sample": {"pieces": 3, "address": "1 Table Street"},
    "send_sample": {"pieces": 3},
    "receive_sample": {"pieces": 3, "condition": "whole, seal 17", "holder": LAB},
    "send_sample_on": {"pieces": 3, "condition": "whole"},
    "take_sample_over": {"pieces": 3, "condition": "whole"},
    "return_sample": {"pieces": 3, "condition": "whole"},
    "measure": {"laboratory": LAB, "person": "Lena Lab", "sheet": digest("e")},
    "assess": {"report": digest("f"), "edition": "4.0", "verdict": "conform", "outcome": "approve"},
    "judge": {"requirement": "fig.human_body", "answer": "yes"},
    "ask_question": {"text": "Of which polystyrene?"},
    "declare_conflict": {"text": "My brother works there."},
    "open_vote": {
        "proposal": "approve",
        "reasons": [{"clause": "III-4.1.1", "text": "The base keeps the limits."}],
        "electors": ["anna", "boris", "carla"],
        "counting": counting(),
        "closes": CLOSES.isoformat(),
    },
    "vote": {"choice": "yes"},
    "close_vote": {},
    "decide": {"text": "The type is homologated."},
    "certify": {"type": "HML-F-0001", "certificate": digest("0"), "on": "2026-12-20"},
    "drop": {},
}


@dataclass
class Story:
    """An application that is being told."""

    events: list[Event] = field(default_factory=list)
    at: datetime = START

    def take(self, step: str, actor: Actor, at: datetime | None = None, **data: Any) -> Event:
        """Take a step with what is usually said, changed by what is given; a None leaves a thing out."""
        said = {key: value for key, value in {**SAID.get(step, {}), **data}.items() if value is not None}
        self.at += timedelta(minutes=1)
        event = apply(self.events, step, actor, at or self.at, said, process=PROCESS, event_id=f"event-{len(self.events) + 1}")
        self.events.append(event)
        return event

    @property
    def case(self) -> Case:
        return state_of(self.events, PROCESS)


# One way through an application; each state is first reached on it.
_WAY: tuple[tuple[str, Actor], ...] = (
    ("start", MARY),
    ("describe", MARY),
    ("accept_memorandum", MARY),
    ("submit", MARY),
    ("receive_sample", LENA),
    ("measure", LENA),
    ("assess", ANNA),
    ("open_vote", ANNA),
    ("vote", ANNA),
    ("vote", BORIS),
    ("vote", CARLA),
    ("close_vote", BORIS),
    ("decide", BORIS),
    ("certify", CARLA),
)
_PROPOSALS = {"approved_provisionally": "approve_provisionally", "refused": "refuse", "sent_back": "send_back"}


def at_state(state: str) -> Story:
    """Return an application that has just come to a state by the usual way."""
    if state == "dropped":
        story = at_state("submitted")
        story.take("drop", MARY)
        return story
    story = Story()
    proposal = _PROPOSALS.get(state, "approve")
    way = iter(_WAY)
    while story.case.state != state:
        step, actor = next(way)
        until = "2027-06-30" if step == "open_vote" and proposal == "approve_provisionally" else None
        story.take(step, actor, **({"proposal": proposal, "until": until} if step == "open_vote" else {}))
    return story
