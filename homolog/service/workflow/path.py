"""Owns the way of an application as a line of states, with where it stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from homolog.service.workflow.case import Case
from homolog.service.workflow.next import Next, texts_for
from homolog.spec.process import LoadedProcess

_LAST = "certified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One state on the way."""

    state: str
    says: str
    when: Literal["past", "now", "ahead"]


def path_of(case: Case, process: LoadedProcess, lang: str = "en") -> tuple[Stage, ...]:
    """Return the states that lead to the certificate; where it ended elsewhere, that end stands in place of what is ahead."""
    texts = texts_for(process, lang)
    states = [state for state in process.process.states if state.of == "application"]
    line = [state for state in states if state.ends == "no" or state.id == _LAST]
    other = "approved_provisionally" if case.state != "approved_provisionally" else "approved"
    line = [state for state in line if state.id != other]
    names = [state.id for state in line]
    here = names.index(case.state) if case.state in names else None
    if here is None:  # it has ended before the certificate
        ended = [state for state in states if state.id == case.state]
        line, here = [*line[:1], *ended], 1
    found = []
    for place, state in enumerate(line):
        when: Literal["past", "now", "ahead"] = "past" if place < here else "now" if place == here else "ahead"
        found.append(Stage(state=state.id, says=texts.text(f"state.{state.id}.says", state.says), when=when))
    return tuple(found)


def awaited(steps: Sequence[Next], case: Case, process: LoadedProcess) -> tuple[Next, ...]:
    """Return the steps that a matter waits for now: those that move it on, or else those that are its matter where it stands."""
    ready = [one for one in steps if one.is_main and not one.blocks]
    onward = [one for one in ready if _moves_on(one.step, case, process)]
    return tuple(onward or ready)


def _moves_on(name: str, case: Case, process: LoadedProcess) -> bool:
    step = process.step(name)
    order = [state.id for state in process.process.states]
    if step is None or case.state not in order:
        return False
    return any(end in order and order.index(end) > order.index(case.state) for end in step.ends)
