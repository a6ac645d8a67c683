"""Comparing limits exactly, whatever their units: tighter, looser, or both at once."""

from __future__ import annotations

from collections.abc import Mapping

from homolog.spec.cases import combinations, limit_in
from homolog.spec.diff.change import Direction, together
from homolog.spec.interpretation import Bounds
from homolog.spec.requirement import Condition, Count, Limit
from homolog.spec.sides import Side, Sides, sides_of

_Closed = Mapping[str, tuple[str, ...] | None]


def of_limits(old: Limit, new: Limit, closed: _Closed) -> Direction | None:
    """Return how a limit moved over all articles: every combination of the attributes that its cases name."""
    conditions = [case.when for case in (*old.cases, *new.cases)]
    return together(
        of_sides(_sides(limit_in(old, values)), _sides(limit_in(new, values))) for values in combinations(conditions, closed)
    )


def of_counts(old: Count, new: Count) -> Direction | None:
    """Return how the number of pieces that is asked for moved."""
    return of_sides(sides_of(old), sides_of(new))


def of_sides(old: Sides, new: Sides) -> Direction | None:
    """Return how a limit moved: each side for itself, then both together."""
    return together((_of_side(old.lower, new.lower, 1), _of_side(old.upper, new.upper, -1)))


def _sides(bounds: Bounds | None) -> Sides:
    return Sides() if bounds is None else sides_of(bounds)


def _of_side(old: Side | None, new: Side | None, inward: int) -> Direction | None:
    if old == new:
        return None
    if old is None or new is None:
        return "tightened" if old is None else "loosened"
    if old.value == new.value:  # 21 mm itself is let in or shut out
        return "tightened" if new.is_strict else "loosened"
    return "tightened" if (new.value - old.value) * inward > 0 else "loosened"


def of_conditions(old: Condition, new: Condition, closed: _Closed) -> Direction | None:
    """Return how the range of articles that a rule applies to moved: to more is tighter, to fewer looser."""
    moves: list[Direction | None] = []
    for values in combinations((old, new), closed):
        before, after = _applies(old, values), _applies(new, values)
        if before != after:
            moves.append("tightened" if after else "loosened")
    return together(moves)


def _applies(condition: Condition, values: Mapping[str, str]) -> bool:
    return all(values[name] in allowed for name, allowed in condition.items())
