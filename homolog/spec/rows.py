"""Which rows of the edition's clause table a requirement accounts for."""

from __future__ import annotations

from homolog.spec.requirement import Requirement

# Requirement ids are short; the rows of the clause tables carry the item's full name.
_LONG = {"gk": "goalkeeper", "fig": "figure"}


def row_of_id(requirement_id: str) -> str:
    """Return the row that an id stands for: `gk.volume` for `goalkeeper.volume`."""
    item, _, rest = requirement_id.partition(".")
    return f"{_LONG.get(item, item)}.{rest}"


def rows_of(requirement: Requirement) -> tuple[str, ...]:
    """Return the rows that a requirement names, or the one of its own name."""
    return requirement.covers or (row_of_id(requirement.id),)
