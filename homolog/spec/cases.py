"""Which values of declared attributes a condition, or a limit's list of cases, speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from homolog.spec.interpretation import Bounds
from homolog.spec.requirement import Condition, Limit

OTHER = "any other value"
"""Stands for all values of an attribute without a closed list that no condition names."""


def matches(condition: Condition, values: Mapping[str, str]) -> bool:
    """Whether each attribute of the condition has one of the condition's values."""
    return all(values.get(attribute) in allowed for attribute, allowed in condition.items())


def combinations(conditions: Iterable[Condition], closed: Mapping[str, tuple[str, ...] | None]) -> Iterator[dict[str, str]]:
    """Yield every combination of values of the attributes that the conditions name.

    An attribute without a closed list has the values that the conditions name, and `OTHER`.
    """
    named: dict[str, dict[str, None]] = {}
    for condition in conditions:
        for attribute, allowed in condition.items():
            named.setdefault(attribute, {}).update(dict.fromkeys(allowed))
    values = [closed.get(attribute) or (*named[attribute], OTHER) for attribute in named]
    for combination in product(*values):
        yield dict(zip(named, combination, strict=True))


def limit_in(requirement: Limit, values: Mapping[str, str]) -> Bounds | None:
    """Return the limit that holds for an article with these attributes: a case's, else the general one, else None."""
    for case in requirement.cases:
        if matches(case.when, values):
            return case
    return requirement if requirement.is_bounded else None
