"""Drafts of rules and jobs that rows of the table ask about, made through the service."""

from __future__ import annotations

from typing import Any

from homolog.data import specs_dir
from homolog.register import jobs
from homolog.register.ids import new_id
from homolog.register.jobs import JobRecord
from homolog.service import editions
from homolog.service.rules import Rules
from tests.api.world import Guest, World

BALL = (specs_dir() / "fistf" / "4.0" / "ball.yaml").read_text(encoding="utf-8")
HEAD = '  label: "4.0"\n  status: published\n  effective: {from: unknown, basis: inferred}\n'
NEXT = """  label: "5.0"
  status: published
  effective: {from: 2027-06-01, basis: stated}
  supersedes: "4.0"
  transition: {policy: grace, until: 2028-01-01}
"""
ADOPTIONS = b"""
format: homolog-adoptions/1
adoptions:
  - {interpretation: INT-ball-mass, reading: as-written, by: The board, on: 2026-11-01, decision: Minutes 7}
"""


def next_ball(*changes: tuple[str, str]) -> bytes:
    """Return the next edition's rules for a ball."""
    text = BALL
    for old, new in ((HEAD, NEXT), *changes):
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def adoption(**more: Any) -> dict[str, Any]:
    told = {"interpretation": "INT-ball-mass", "reading": "as-written", "by": "The board", "on": "2026-11-01"}
    return {**told, "decision": "Minutes 7", **more}


def rules_of(world: World) -> Rules:
    rules: Rules = world.door.service.register.rules
    return rules


def draft(world: World, owner: Guest) -> str:
    """Enter a draft; whoever is not on the board has none of his own, so a new member's it is."""
    member = owner if owner.role == "board" else world.guest("board")
    entered = editions.enter_adoptions(world.actor(member), rules_of(world), ADOPTIONS, "a.yaml", now=world.now)
    return entered.draft.id


def job(world: World, owner: Guest) -> str:
    """Make an impact run of the owner's that was cancelled before a worker saw it: what follows it comes to its end."""
    record = JobRecord(
        id=new_id(world.now),
        kind="impact",
        params={"draft": draft(world, owner), "measuring": "stored", "today": world.now.date().isoformat()},
        parent=None,
        by=owner.id,
        at=world.now,
    )
    with world.database.write() as session:
        jobs.add(session, record)
        jobs.end(session, record.id, "cancelled", {}, by=owner.id, at=world.now)
    return record.id
