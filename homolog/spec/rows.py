"""Which rows of the edition's clause table a requirement accounts for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homolog.spec.requirement import Requirement

# Requirement ids are short; the rows of the clause tables carry the item's full name.
_LONG = {"gk": "goalkeeper", "fig": "figure"}


def own_row(requirement: Requirement) -> str:
    """Return the row that bears a requirement's own name: `gk.volume` is the row `goalkeeper.volume`."""
    group, _, rest = requirement.id.partition(".")
    return f"{_LONG.get(group, group)}.{rest}"


def rows_of(requirement: Requirement) -> tuple[str, ...]:
    """Return the rows that a requirement may account for: its own, and those that it names under `covers`."""
    return tuple(dict.fromkeys((own_row(requirement), *requirement.covers)))


def answer_names(requirements: Iterable[Requirement]) -> Mapping[str, tuple[str, ...]]:
    """Return for each requirement's id the names under which people may answer it: the id, and its rows.

    A row that is another requirement's id is that requirement alone: one answer must not prove a rule that it does not name.
    """
    rules = tuple(requirements)
    ids = {rule.id for rule in rules}
    return {rule.id: (rule.id, *(row for row in rows_of(rule) if row not in ids)) for rule in rules}
