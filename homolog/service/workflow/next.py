"""Owns what is asked next in an application, of whom, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from homolog.errors import Problem
from homolog.service.actor import Actor
from homolog.service.workflow.apply import blocks
from homolog.service.workflow.case import Case
from homolog.service.workflow.who import chosen
from homolog.spec.i18n import NO_TEXTS, SpecTexts, load_texts
from homolog.spec.process import Asked, LoadedProcess, Step, StepRole


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One thing that is asked with a step."""

    name: str
    what: str
    is_needed: bool
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """A step that can come next.

    Attributes:
        says: What to do, in words.
        roles: Who takes it.
        is_main: Whether it moves the matter on.
        is_yours: Whether the actor that was asked for may take it.
        blocks: What has to happen before; empty where it can be taken now.
        clauses: The rule's clauses behind it, for the item.
    """

    step: str
    says: str
    roles: tuple[StepRole, ...]
    is_main: bool
    is_yours: bool
    wants: tuple[Wanted, ...]
    blocks: tuple[Problem, ...]
    clauses: tuple[str, ...]


def texts_for(process: LoadedProcess, lang: str) -> SpecTexts:
    """Return the translations of a process's texts; none for one that was not read from a file."""
    return NO_TEXTS if process.path is None else load_texts(process.path, lang)


def next_steps(case: Case, actor: Actor, at: datetime, *, process: LoadedProcess, lang: str = "en") -> tuple[Next, ...]:
    """Return every step that starts from where an application stands, the actor's own first, main ones before the others."""
    texts = texts_for(process, lang)
    found = [_next(step, case, actor, at, process, texts) for step in process.steps("application") if case.state in step.start]
    return tuple(sorted(found, key=lambda one: (not one.is_yours, bool(one.blocks), not one.is_main)))


def state_says(case: Case, *, process: LoadedProcess, lang: str = "en") -> str:
    """Return in words where an application stands."""
    state = process.state(case.state)
    return case.state if state is None else texts_for(process, lang).text(f"state.{state.id}.says", state.says)


def described(
    step: Step,
    texts: SpecTexts,
    *,
    is_yours: bool,
    blocks: tuple[Problem, ...] = (),
    clauses: tuple[str, ...] = (),
) -> Next:
    """Return a step in words, with what it asks."""
    wants = [
        Wanted(
            name=asked.name,
            what=texts.text(f"step.{step.id}.{asked.name}.what", asked.what),
            is_needed=asked.need == "must",
            asked=asked,
        )
        for asked in step.asks
    ]
    return Next(
        step=step.id,
        says=texts.text(f"step.{step.id}.says", step.says),
        roles=tuple(dict.fromkeys(who.role for who in step.who)),
        is_main=step.part == "main",
        is_yours=is_yours,
        wants=tuple(wants),
        blocks=blocks,
        clauses=clauses,
    )


def _next(step: Step, case: Case, actor: Actor, at: datetime, process: LoadedProcess, texts: SpecTexts) -> Next:
    organisation = next(iter(actor.organisations), None) if case.applicant is None else None
    return described(
        step,
        texts,
        is_yours=not isinstance(chosen(step, actor, case, organisation), Problem),
        blocks=blocks(step, case, at, process),
        clauses=step.clauses.get(case.item, ()) if case.item is not None else (),  # type: ignore[call-overload]
    )
