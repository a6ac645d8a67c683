"""What a spec holds without need: requirements that decide nothing, and definitions that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from homolog.quantity import UNITS
from homolog.spec.lint.attributes import attributes_of, conditions_of
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.lint.limits import StatedLimit, stated_limits
from homolog.spec.model import MethodUse
from homolog.spec.requirement import Count, Differs, Limit, OneOf, Requirement, Uniform
from homolog.spec.sides import sides_of
from homolog.spec.words import say_limit

IDENTITY = ("family", "maker", "model", "type", "colour", "material", "player", "role", "paint", "base_colour")
"""Attributes that say which article it is; a sheet may state them whether or not a requirement asks."""


_INEXACT = {"in": "mm", "min": "s"}
"""Units whose size is no product of tens, and what to keep a quantity in instead."""


def lint_usefulness(subject: Subject) -> Iterator[Complaint]:
    """Warn of requirements that can never fail or never hold, of inexact units, and of what nothing uses."""
    for stated in stated_limits(subject):
        yield from _limit(subject, stated)
    for index, requirement in enumerate(subject.spec.requirements):
        outcome = _always(subject, requirement)
        if outcome is not None:
            yield _pointless(subject, ("requirements", index), requirement.id, outcome, "as it is written")
    used = set(_reachable(subject))
    for group, names in (("quantities", subject.spec.quantities), ("derived", subject.spec.derived)):
        for name, known in names.items():
            if name not in used:
                yield _unused(subject, group, name, "quantity")
            if known.unit in _INEXACT:
                yield _inexact(subject, group, name, known.unit)
    named = {
        name
        for requirement in subject.spec.requirements
        for name in (
            *(name for _, condition in conditions_of(requirement) for name in condition),
            *(name for _, name in attributes_of(requirement)),
        )
    }
    for name in subject.spec.attributes:
        if name not in named and name not in IDENTITY:
            yield _unused(subject, "attributes", name, "attribute")
    methods = {
        entry.method if isinstance(entry, MethodUse) else entry
        for quantity in subject.spec.quantities.values()
        for entry in quantity.methods
    }
    for name in subject.spec.methods:
        if name not in methods:
            yield _unused(subject, "methods", name, "method")


def _inexact(subject: Subject, group: str, name: str, unit: str) -> Complaint:
    what = f"what is measured in another unit has no exact value in {unit}, so that such sheets would be refused"
    return subject.warning((group, name), about=name, what=what, todo=f"keep it in {_INEXACT[unit]}", code="quantity_unit")


def _unused(subject: Subject, group: str, name: str, what: str) -> Complaint:
    return subject.warning(
        (group, name), about=name, what=f"nothing uses the {what}", todo="use it, or remove it", code=f"{what}_unused"
    )


def _pointless(subject: Subject, path: tuple[str | int, ...], name: str, outcome: str, why: str) -> Complaint:
    return subject.warning(
        path, about=name, what=f"it can never {outcome}, {why}", todo="mend it, or remove it", code=f"never_{outcome}s"
    )


def _limit(subject: Subject, stated: StatedLimit) -> Iterator[Complaint]:
    if not _is_never_negative(subject, stated.quantity):
        return
    sides, zero = sides_of(stated.bounds), Decimal(0)
    lower_is_idle = sides.lower is None or sides.lower.value < zero or (sides.lower.value == zero and not sides.lower.is_strict)
    why = f"as {stated.quantity} is never negative and the limit is {say_limit(stated.bounds)!r}"
    if sides.upper is None and lower_is_idle:
        yield _pointless(subject, stated.path, stated.name, "fail", why)
    if sides.upper is not None and (sides.upper.value < zero or (sides.upper.value == zero and sides.upper.is_strict)):
        yield _pointless(subject, stated.path, stated.name, "hold", why)


def _is_never_negative(subject: Subject, quantity: str, depth: int = 0) -> bool:
    """Whether no article can have a negative value; circles, complained of elsewhere, end the search."""
    rule = subject.spec.derived.get(quantity)
    if rule is None:
        known = subject.spec.quantities.get(quantity)
        return known is not None and UNITS[known.unit].dimension != "angle"
    if rule.op in {"distance", "spread"}:
        return True
    if rule.op == "difference" or depth > len(subject.spec.derived):
        return False
    return all(_is_never_negative(subject, operand, depth + 1) for operand in rule.of)


def _always(subject: Subject, requirement: Requirement) -> str | None:
    """Return what a requirement can never do: `fail`, `hold`, or None."""
    lists = subject.closed_lists
    interpretation = subject.interpretations.get(requirement.interpretation or "")
    if interpretation is not None and all(reading.demands == "nothing" for reading in interpretation.readings):
        return "fail"
    if isinstance(requirement, Count):
        return "fail" if not requirement.min and requirement.max is None else None
    if isinstance(requirement, OneOf):
        closed = lists.get(requirement.attribute)
        return "fail" if closed is not None and set(closed) <= set(requirement.values) else None
    if isinstance(requirement, Uniform | Differs) and len(lists.get(requirement.by) or ("", "")) == 1:
        return "fail" if isinstance(requirement, Uniform) else "hold"
    return None


def _reachable(subject: Subject) -> Iterator[str]:
    """Yield the quantities on which a requirement rests, straight or through others."""
    spec = subject.spec
    ways = [requirement.of for requirement in spec.requirements if isinstance(requirement, Limit)]
    ways += [reading.uses for interpretation in spec.interpretations for reading in interpretation.readings if reading.uses]
    seen: set[str] = set()
    while ways:
        name = ways.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        if name in spec.derived:
            ways.extend(spec.derived[name].of)
        elif name in spec.quantities and spec.quantities[name].at_most is not None:
            ways.append(spec.quantities[name].at_most or "")
