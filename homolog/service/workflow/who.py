"""Owns who may take a step of an application: role, relation to it, separation of duties."""

from __future__ import annotations

from homolog.errors import Problem
from homolog.service.actor import Actor
from homolog.service.workflow.case import FEDERATION, Case
from homolog.spec.process import Relation, Step, Who


def chosen(step: Step, actor: Actor, case: Case, organisation: str | None = None) -> Who | Problem:
    """Return in which role an actor takes a step, or why not.

    For a step that begins an application, `organisation` is the one that applies.
    """
    if actor.account is None:
        return Problem("", f"{step.id} is taken by a person who is known", "sign in", "step_not_yours")
    fitting = [who for who in step.who if who.role in actor.roles]
    if not fitting:
        roles = ", ".join(dict.fromkeys(who.role for who in step.who))
        return Problem("", f"{step.id} is not a step of yours", f"it is taken by: {roles}", "step_not_yours")
    problems = [_related(who.relation, actor, case, organisation) for who in fitting]
    for who, problem in zip(fitting, problems, strict=True):
        if problem is None:
            return _apart(step, actor.account, case) or who
    return next(problem for problem in problems if problem is not None)


def conflict_of(actor: Actor, case: Case) -> Problem | None:
    """Return why an actor is not independent of the applicant, or None."""
    todo = "leave it to another"
    if case.applicant in actor.organisations:
        return Problem("", "you are a member of the organisation that applies", todo, "conflict_of_interest")
    if actor.account in case.applicants:
        return Problem("", "you have acted for the applicant in this application", todo, "conflict_of_interest")
    if actor.account in case.conflicts:
        return Problem("", "you have declared a conflict of interest", todo, "conflict_of_interest")
    return None


def _related(relation: Relation | None, actor: Actor, case: Case, organisation: str | None) -> Problem | None:
    if relation is None:
        return None
    if relation == "applicant":
        is_one = (case.applicant or organisation) in actor.organisations
        return None if is_one else Problem("", "you are no member of the organisation that applies", "", "step_not_yours")
    conflict = conflict_of(actor, case)
    if conflict is not None:
        return conflict
    match relation:
        case "independent":
            return None
        case "holder":
            return None if _is_at(case.holder, actor) else Problem("", "you do not hold the sample", "", "step_not_yours")
        case "receiver":
            return None if _is_at(case.receiver, actor) else Problem("", "the sample was not sent to you", "", "step_not_yours")
        case "elector":
            ballot = case.ballot
            is_called = ballot is not None and ballot.tally is None and actor.account in ballot.electors
            return None if is_called else Problem("", "you are not called to this vote", "", "step_not_yours")


def _is_at(place: str | None, actor: Actor) -> bool:
    if place == FEDERATION:
        return "board" in actor.roles
    return place in actor.organisations and "laboratory" in actor.roles


def _apart(step: Step, account: str, case: Case) -> Problem | None:
    """Return why one person may not take two steps that are to be in two hands."""
    for other in step.not_by:
        if account in case.taken.get(other, frozenset()):
            return Problem("", f"you have taken {other} in this application", f"{step.id} is for another person", "four_eyes")
    return None
