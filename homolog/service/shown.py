"""Owns applications and types as JSON values, for answers and pages: nothing is decided here, nothing is left out but secrets."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from homolog.errors import Problem
from homolog.register.applications import Summary
from homolog.register.search import Page
from homolog.register.types import ChangeRecord, FileRecord, PeriodRecord, TypeRecord
from homolog.service.applications import View
from homolog.service.exports import row_of
from homolog.service.types import TypeView
from homolog.service.workflow.case import Ballot
from homolog.service.workflow.event import Event, thawed
from homolog.service.workflow.next import Next
from homolog.service.workflow.standing import Decision, Standing


def application(view: View) -> dict[str, Any]:
    """Return an application as an actor may see it."""
    case = view.case
    return {
        "id": view.record.id,
        "organisation": view.record.organisation_id,
        "item": view.record.item,
        "resubmits": view.record.resubmits,
        "followed_up_by": list(view.follow_ups),
        "begun": _moment(view.record.at),
        "number": view.seq,
        "state": case.state,
        "says": view.says,
        "facts": thawed(case.facts),
        "memorandum": None if case.memorandum is None else event(case.memorandum),
        "sample": {"holder": case.holder, "on_its_way_to": case.receiver, "moves": [event(one) for one in case.custody]},
        "questions": [event(one) for one in case.questions.values()],
        "assessment": None if case.assessment is None else event(case.assessment),
        "votes": [ballot(one) for one in case.ballots],
        "decision": None if case.decision is None else event(case.decision),
        "certificate": None if case.certificate is None else event(case.certificate),
        "events": [event(one) for one in view.events],
        "files": [{"sha256": one.digest, "name": one.name, "at": _moment(one.at)} for one in view.files],
        "next": [step(one) for one in view.next],
    }


def summary(one: Summary) -> dict[str, Any]:
    """Return an application of a list."""
    return {
        "id": one.id,
        "organisation": one.organisation_id,
        "item": one.item,
        "name": one.name,
        "state": one.state,
        "number": one.seq,
        "changed": _moment(one.at),
    }


def event(one: Event) -> dict[str, Any]:
    """Return an event."""
    return {
        "number": one.seq,
        "at": _moment(one.at),
        "by": one.by,
        "role": one.role,
        "step": one.step,
        "state": one.to,
        "data": thawed(one.data),
    }


def step(one: Next) -> dict[str, Any]:
    """Return a step that can come next."""
    return {
        "step": one.step,
        "says": one.says,
        "roles": list(one.roles),
        "main": one.is_main,
        "yours": one.is_yours,
        "asks": [
            {
                "name": wanted.name,
                "kind": wanted.asked.kind,
                "says": wanted.what,
                "needed": wanted.is_needed,
                "values": list(wanted.asked.values),
            }
            for wanted in one.wants
        ],
        "blocked_by": [problem(fault) for fault in one.blocks],
        "clauses": list(one.clauses),
    }


def problem(one: Problem) -> dict[str, str]:
    """Return a problem."""
    return {"where": one.where, "what": one.what, "todo": one.todo, "code": one.code}


def ballot(one: Ballot) -> dict[str, Any]:
    """Return a vote: who has voted is no secret, how is one as long as the events say so."""
    return {
        "opened": event(one.opened),
        "counting": one.counting.model_dump(),
        "electors": list(one.electors),
        "voted": sorted(one.choices),
        "tally": None if one.tally is None else one.tally.record(),
    }


def page(found: Page) -> dict[str, Any]:
    """Return a page of the register."""
    return {"types": [row_of(one) for one in found.found], "after": found.after}


def a_type(view: TypeView) -> dict[str, Any]:
    """Return a type with its history."""
    return {
        **record(view.record),
        "number_of_events": view.seq,
        "on": view.day.isoformat(),
        "standing": None if view.standing is None else standing(view.standing),
        "periods": [period(one) for one in view.periods],
        "decisions": [decision(one) for one in view.decisions],
        "waiting": [event(one) for one in view.waiting],
        "files": [file(one) for one in view.files],
        "changes": [change(one) for one in view.changes],
    }


def record(one: TypeRecord) -> dict[str, Any]:
    """Return what a type was entered with."""
    return {
        "number": one.number,
        "item": one.item,
        "family": one.family,
        "name": one.name,
        "maker": one.maker,
        "body": one.body,
        "edition": one.edition,
        "named_by": one.named_by,
        "application": one.application_id,
        "details": dict(one.details),
        "entered": _moment(one.at),
    }


def standing(one: Standing) -> dict[str, Any]:
    """Return how a type stands on a day."""
    return {
        "status": one.status,
        "since": _since(one.since),
        "until": _day(one.until),
        "usable": one.is_usable,
        "usable_until": _day(one.usable_until),
        "retest_by": _day(one.retest_by),
    }


def period(one: PeriodRecord) -> dict[str, Any]:
    """Return how a type stands over some days."""
    return {"status": one.status, "since": _since(one.since), "until": _day(one.until), "usable": one.is_usable}


def decision(one: Decision) -> dict[str, Any]:
    """Return a decision that counts; the rules' own has no number and nobody who made it."""
    return {
        "number": one.entry or None,
        "step": one.step,
        "on": _since(one.on),
        "entered_by": one.entered_by or None,
        "confirmed_by": one.confirmed_by,
        "data": thawed(one.data),
    }


def file(one: FileRecord) -> dict[str, Any]:
    """Return a public file of a type."""
    return {"kind": one.kind, "sha256": one.digest, "name": one.name, "at": _moment(one.at)}


def change(one: ChangeRecord) -> dict[str, Any]:
    """Return a line of the feed."""
    return {
        "number": one.number,
        "type": one.type_number,
        "name": one.name,
        "at": _moment(one.at),
        "what": one.what,
        "on": _day(one.on),
        "data": dict(one.data),
    }


def _moment(at: datetime) -> str:
    return at.isoformat()


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _since(day: date) -> str | None:
    """Return a first day; the first of all days stands for one that nobody has named."""
    return None if day == date.min else day.isoformat()
