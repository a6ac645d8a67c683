"""One change between two editions, and the direction in which it moves a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Direction = Literal["added", "removed", "tightened", "loosened", "changed", "method", "interpretation", "editorial", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of one requirement.

    Attributes:
        id: Permanent id of the requirement; of an interpretation or attribute where no requirement carries the change.
        direction: `changed` where a rule asks for other things, or is tighter here and looser there.
        what: The change in words for people.
        old: What the older edition says; empty where it says nothing.
        new: What the newer edition says; empty where it says nothing.
    """

    id: str
    direction: Direction
    what: str
    old: str = ""
    new: str = ""
    clause_old: str | None = None
    clause_new: str | None = None


def together(directions: Iterable[Direction | None]) -> Direction | None:
    """Return the direction of several moves of one rule at once; None if nothing moves."""
    moves = {direction for direction in directions if direction is not None}
    if not moves:
        return None
    return moves.pop() if len(moves) == 1 else "changed"


def of_sets(old: frozenset[str], new: frozenset[str], *, more: Direction, fewer: Direction) -> Direction | None:
    """Return the direction of a list that grew (`more`), shrank (`fewer`), or did both."""
    if old == new:
        return None
    if old < new:
        return more
    return fewer if new < old else "changed"
