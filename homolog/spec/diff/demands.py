"""What a requirement demands, and of which articles, in two editions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from homolog.spec.diff.change import Direction, of_sets
from homolog.spec.diff.limits import of_conditions, of_counts, of_limits
from homolog.spec.model import Spec
from homolog.spec.requirement import (
    AnyOf,
    Condition,
    Count,
    Inspect,
    Judge,
    Limit,
    OneOf,
    Purpose,
    Requirement,
)
from homolog.spec.words import say_condition, say_count, say_demand, say_limits, say_list


@dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect of a requirement that moved; the topic is empty for the demand itself."""

    direction: Direction
    topic: str
    old: str
    new: str


_Move = tuple[str, Direction | None, str, str]


def demands(old: Spec, new: Spec, before: Requirement, after: Requirement) -> Iterator[Aspect]:
    """Yield what moved in the demand of a requirement, and in when it applies."""
    closed = _closed_lists(old, new)
    moves: list[_Move] = []
    if before.kind != after.kind:
        moves.append(("kind", "changed", f"{before.kind}: {say_demand(before)}", f"{after.kind}: {say_demand(after)}"))
    else:
        moves.extend(_of_kind(before, after, closed))
    moves.append(("when", of_conditions(before.when, after.when, closed), *_always(before.when, after.when)))
    was, now = _purposes(before), _purposes(after)
    moves.append(("purposes", of_sets(was, now, more="tightened", fewer="loosened"), say_list(sorted(was)), say_list(sorted(now))))
    moves.append(_alternative(_alternative_of(old, before.id), _alternative_of(new, after.id)))
    for topic, direction, earlier, later in moves:
        if direction is not None:
            yield Aspect(direction, topic, earlier, later)


def _closed_lists(old: Spec, new: Spec) -> dict[str, tuple[str, ...] | None]:
    """Return the values of each attribute in either edition; None where one of them leaves it open."""
    closed: dict[str, tuple[str, ...] | None] = {}
    for name in old.attributes | new.attributes:
        lists = [spec.attributes[name].values for spec in (old, new) if name in spec.attributes]
        known = [values for values in lists if values is not None]
        closed[name] = tuple(dict.fromkeys(value for values in known for value in values)) if len(known) == len(lists) else None
    return closed


def _purposes(requirement: Requirement) -> frozenset[str]:
    return frozenset(requirement.purposes or get_args(Purpose))


def _of_kind(before: Requirement, after: Requirement, closed: dict[str, tuple[str, ...] | None]) -> Iterator[_Move]:
    match before, after:
        case Limit(), Limit():
            if before.of == after.of:
                yield "", of_limits(before, after, closed), say_limits(before), say_limits(after)
            else:
                yield "quantity", "changed", f"{before.of} {say_limits(before)}", f"{after.of} {say_limits(after)}"
        case Count(), Count():
            yield "", of_counts(before, after), say_count(before), say_count(after)
            yield "pieces", _changed(before.of, after.of), *_always(before.of, after.of)
            yield "counted apart by", _changed(before.each, after.each), before.each or "", after.each or ""
        case Inspect(), Inspect():
            yield from _questions(before, after)
        case Judge(), Judge():
            yield from _questions(before, after)
            yield "panel", _panel(before, after), _say_panel(before), _say_panel(after)
        case OneOf(), OneOf():
            yield "attribute", _changed(before.attribute, after.attribute), before.attribute, after.attribute
            listed = of_sets(frozenset(before.values), frozenset(after.values), more="loosened", fewer="tightened")
            yield "values", listed, say_list(before.values, "or"), say_list(after.values, "or")
        case AnyOf(), AnyOf():
            named = of_sets(frozenset(before.requirements), frozenset(after.requirements), more="loosened", fewer="tightened")
            yield "", named, say_demand(before), say_demand(after)
        case _:  # uniform, differs and approved say all in one sentence
            yield "", _changed(say_demand(before), say_demand(after)), say_demand(before), say_demand(after)


def _questions(before: Inspect | Judge, after: Inspect | Judge) -> Iterator[_Move]:
    # The words of a question are the rule that people answer, so no rewording passes as editorial.
    yield "question", _changed(before.ask, after.ask), before.ask, after.ask
    yield "criteria", _changed(before.criteria, after.criteria), "; ".join(before.criteria), "; ".join(after.criteria)


def _changed(old: object, new: object) -> Direction | None:
    return None if old == new else "changed"


def _panel(before: Judge, after: Judge) -> Direction | None:
    if before.panel == after.panel:
        return None
    if before.panel.votes != after.panel.votes:
        return "changed"
    return "tightened" if after.panel.passes == "unanimous" else "loosened"


def _say_panel(requirement: Judge) -> str:
    return f"{requirement.panel.votes} votes, {requirement.panel.passes}"


def _always(old: Condition, new: Condition) -> tuple[str, str]:
    return say_condition(old) or "always", say_condition(new) or "always"


def _alternative_of(spec: Spec, name: str) -> str:
    return next((rule.id for rule in spec.requirements if isinstance(rule, AnyOf) and name in rule.requirements), "")


def _alternative(old: str, new: str) -> _Move:
    """Return the move of a rule that need no longer hold by itself, or must again."""
    if old and new:
        return "alternative of", _changed(old, new), old, new
    direction: Direction | None = None if old == new else "loosened" if new else "tightened"
    return "alternative of", direction, old, new
