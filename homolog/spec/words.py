"""Limits, conditions and requirements in plain English words; every function is pure."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import assert_never

from homolog.quantity import Measure
from homolog.spec.interpretation import Bounds
from homolog.spec.requirement import (
    AnyOf,
    Approved,
    Condition,
    Count,
    Differs,
    Inspect,
    Judge,
    Limit,
    OneOf,
    Requirement,
    Uniform,
)

_SIGNS = {"mm3": "mm³", "cm3": "cm³", "deg": "°", "count": ""}


def say_unit(unit: str) -> str:
    """Return a unit as people write it; a count has none."""
    return _SIGNS.get(unit, unit)


def say_number(number: Decimal, unit: str) -> str:
    """Return a number with its unit: `39 mm`, `2700 mm³`, `360°`, `10`."""
    sign = say_unit(unit)
    return f"{number:f}{'' if sign in ('', '°') else ' '}{sign}"


def say_measure(measure: Measure) -> str:
    """Return a measure as written in the spec, with its unit as people write it."""
    return say_number(measure.number, measure.unit.name)


def say_limit(bounds: Bounds) -> str:
    """Return a limit in words: `at most 39 mm`, `21.5 to 22.5 mm`, `more than 21 mm`; empty if there is none."""
    if bounds.within is not None:
        return f"at most {say_measure(bounds.within)} either way"
    low, high = bounds.min, bounds.max
    if low is not None and high is not None:
        if low.to(high.unit.name) == high.number:
            return f"exactly {say_measure(high)}"
        first = say_number(low.number, "count") if low.unit is high.unit else say_measure(low)
        return f"{first} to {say_measure(high)}"
    parts = []
    if low is not None:
        parts.append(f"at least {say_measure(low)}")
    if bounds.above is not None:
        parts.append(f"more than {say_measure(bounds.above)}")
    if high is not None:
        parts.append(f"at most {say_measure(high)}")
    if bounds.below is not None:
        parts.append(f"less than {say_measure(bounds.below)}")
    return " and ".join(parts)


def say_count(count: Count) -> str:
    """Return how many a count allows: `exactly 10`, `at most 3`, `1 to 4`."""
    if count.min is None:
        return f"at most {count.max}"
    if count.max is None:
        return f"at least {count.min}"
    return f"exactly {count.min}" if count.min == count.max else f"{count.min} to {count.max}"


def say_list(names: Iterable[str], last: str = "and") -> str:
    """Return names as a list in a sentence: `a, b and c`."""
    *first, final = names
    return f"{', '.join(first)} {last} {final}" if first else final


def say_name(identifier: str) -> str:
    """Return the words of an id without its group: `gk.rod_length` gives `rod length`."""
    _, _, tail = identifier.partition(".")
    return (tail or identifier).replace("_", " ").replace(".", ", ")


def say_condition(condition: Condition) -> str:
    """Return a condition in words: `family is sports or toccer`; empty if there is none."""
    return " and ".join(
        f"{attribute.replace('_', ' ')} is {say_list((value.replace('_', ' ') for value in values), 'or')}"
        for attribute, values in condition.items()
    )


def say_limits(requirement: Limit) -> str:
    """Return a requirement's limit with its cases: `at most 39 mm; at most 40 mm where pose is bent`."""
    cases = [f"{say_limit(case)} where {say_condition(case.when)}" for case in requirement.cases]
    return "; ".join([say_limit(requirement), *cases] if requirement.is_bounded else cases)


def _say_pieces(condition: Condition) -> str:
    return f"pieces whose {say_condition(condition)}" if condition else "pieces"


def _say_each(requirement: Count | Uniform | Differs) -> str:
    return f", for each {say_name(requirement.each)} apart" if requirement.each else ""


def say_demand(requirement: Requirement) -> str:
    """Return what a requirement demands, in words made from its data."""
    match requirement:
        case Limit():
            return f"{say_name(requirement.of)}: {say_limits(requirement) or 'as its interpretation says'}"
        case Inspect() | Judge():
            return requirement.ask
        case Count():
            return f"{say_count(requirement)} {_say_pieces(requirement.of)}{_say_each(requirement)}"
        case Uniform():
            return f"all {_say_pieces(requirement.of)} are alike in {say_name(requirement.by)}{_say_each(requirement)}"
        case Differs():
            group, others = _say_pieces(requirement.of), _say_pieces(requirement.against)
            return f"no {group} are like {others} in {say_name(requirement.by)}{_say_each(requirement)}"
        case OneOf():
            return f"{say_name(requirement.attribute)} is {say_list(requirement.values, 'or')}"
        case Approved():
            return f"the {say_name(requirement.by)} stands in the register on the day that counts"
        case AnyOf():
            return f"at least one of {say_list(requirement.requirements)} holds"
        case _ as unreachable:
            assert_never(unreachable)
