"""A register with people, organisations and an application that can be told to the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from homolog.register.columns import json_text
from homolog.register.database import Database
from homolog.register.files import Files
from homolog.register.ids import new_id
from homolog.register.tables.accounts import Account, Membership, Organisation, OrganisationProfile, RoleGrant
from homolog.service import applications, certifying
from homolog.service.actor import Actor, Role
from homolog.service.applications import View
from homolog.service.assessing import assess
from homolog.service.desk import Desk
from homolog.service.types import TypeView

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
PHOTO = b"\x89PNG no matter"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

# A ball that keeps every limit under every reading, with what an applicant and a laboratory answer.
SHEET = """
format: homolog-submission/1
item: ball
attributes: {family: none, maker: Swift Ltd, model: Swift, type: Swift}
readings:
  ball.diameter: {value: 22.00 mm, U: 0.02 mm, method: caliper}
  ball.mass: {value: 1.51 g, U: 0.005 g, method: scale}
answers:
  ball.empty_plastic_sphere: {answer: yes, role: laboratory}
  ball.application_sample_and_memorandum: {answer: yes, role: laboratory}
  ball.industrially_produced_and_available: {answer: yes, role: laboratory}
  ball.disclaimer_accepted: {answer: yes, role: laboratory}
"""


@dataclass
class World:
    """One register, its people, and a clock that goes a minute a step."""

    desk: Desk
    at: datetime = START
    actors: dict[str, Actor] = field(default_factory=dict)
    organisations: dict[str, str] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at

    def organisation(self, name: str, kind: str) -> str:
        made = new_id(self.now)
        with self.desk.database.write() as session:
            session.add(Organisation(id=made, kind=kind, name=name, created_at=self.at))
        self.organisations[name] = made
        return made

    def person(self, name: str, *roles: Role, of: str | None = None) -> Actor:
        made = new_id(self.now)
        with self.desk.database.write() as session:
            session.add(Account(id=made, email=f"{name}@a.example", email_key=f"{name}@a.example", name=name, created_at=self.at))
            if of is not None:
                session.add(Membership(id=new_id(self.at), organisation_id=of, account_id=made, at=self.at, by=made))
            for role in roles:
                if role != "manufacturer":
                    session.add(RoleGrant(id=new_id(self.at), account_id=made, role=role, since=self.at, at=self.at))
        organisations = frozenset() if of is None else frozenset({of})
        actor = Actor(account=made, roles=frozenset(roles), organisations=organisations, scopes=None, via="session")
        self.actors[name] = actor
        return actor

    def profile(self, organisation: str, by: Actor, content: Mapping[str, Any]) -> None:
        with self.desk.database.write() as session:
            text = json_text(dict(content))
            session.add(
                OrganisationProfile(
                    id=new_id(self.now), organisation_id=organisation, number=1, at=self.at, by=by.account or "", content=text
                )
            )

    def __getattr__(self, name: str) -> Actor:
        try:
            return self.actors[name]
        except KeyError:
            raise AttributeError(name) from None

    def take(self, actor: Actor, application: str, step: str, **data: Any) -> View:
        return applications.take(actor, self.desk, application, step, data, now=self.now)

    def attach(self, actor: Actor, application: str, data: bytes, name: str) -> str:
        return applications.attach(actor, self.desk, application, [data], name, now=self.now, limit=1_000_000)

    # The usual way

    def begin(self, **changes: Any) -> str:
        said = {"organisation": self.organisations["Swift Ltd"], "item": "ball", **changes}
        return applications.start(self.mary, self.desk, **said, now=self.now).record.id

    def describe(self, application: str, name: str = "Swift") -> None:
        photo = self.attach(self.mary, application, PHOTO, "front.png")
        sheet = self.attach(self.mary, application, SHEET.encode(), "own.yaml")
        variants = [{"name": "white", "colour": "white", "material": "polystyrene"}]
        self.take(self.mary, application, "describe", family="none", name=name, variants=variants, photos=[photo], sheet=sheet)
        self.take(
            self.mary, application, "accept_memorandum", version="draft-1", language="en", person="Mary Swift", office="director"
        )

    def submit(self, **changes: Any) -> str:
        application = self.begin(**changes)
        self.describe(application)
        self.take(self.mary, application, "submit")
        return application

    def measure(self, application: str, sheet: str = SHEET) -> None:
        laboratory = self.organisations["Measure Well"]
        self.take(self.lena, application, "receive_sample", holder=laboratory, pieces=3, condition="whole, seal 17")
        digest = self.attach(self.lena, application, sheet.encode(), "measured.yaml")
        self.take(self.lena, application, "measure", laboratory=laboratory, person="Lena Lab", sheet=digest)

    def assess(self, application: str) -> View:
        return assess(self.anna, self.desk, application, now=self.now, today=date(2026, 12, 1))

    def vote(self, application: str, proposal: str = "approve", **more: Any) -> View:
        reasons = [{"clause": "III-3.1", "text": "It keeps diameter and mass."}]
        closes = (self.at + timedelta(days=7)).isoformat()
        self.take(self.anna, application, "open_vote", proposal=proposal, reasons=reasons, closes=closes, **more)
        for actor in (self.anna, self.boris, self.carla):
            self.take(actor, application, "vote", choice="yes")
        self.take(self.boris, application, "close_vote")
        return self.take(self.boris, application, "decide", text="The board has decided so.")

    def issue(self, application: str, on: date = date(2026, 12, 1)) -> TypeView:
        return certifying.issue(
            self.carla, self.desk, application, on=on, issuer="FISTF", now=self.now, seal=lambda data: json.dumps(data).encode()
        )

    def homologated(self) -> TypeView:
        application = self.submit()
        self.measure(application)
        self.assess(application)
        self.vote(application)
        return self.issue(application)


def world_of(database: Database, files: Files, at: datetime = START) -> World:
    """Return a register with a maker, a laboratory and a board of three."""
    world = World(Desk(database=database, files=files), at=at)
    maker, laboratory = world.organisation("Swift Ltd", "manufacturer"), world.organisation("Measure Well", "laboratory")
    other = world.organisation("Rival", "manufacturer")
    mary = world.person("mary", "manufacturer", of=maker)
    world.person("rival", "manufacturer", of=other)
    world.person("lena", "laboratory", of=laboratory)
    for name in ("anna", "boris", "carla"):
        world.person(name, "board")
    world.person("ralf", "referee")
    world.profile(maker, mary, {"address": "1 Table Street"})
    return world
