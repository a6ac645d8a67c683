"""Quantities, methods and requirements that are named: they exist, fit each other, and do not turn in circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.quantity import UNITS, Measure
from homolog.spec.lint.complaint import Complaint, Subject
from homolog.spec.model import Method, MethodUse, Quantity
from homolog.spec.requirement import AnyOf, Limit
from homolog.spec.words import say_list

_OPERANDS = {"difference": (2, 2), "ratio": (2, 2), "sum": (2, None), "distance": (2, None), "spread": (1, None)}


def lint_names(subject: Subject) -> Iterator[Complaint]:
    """Complain of names that lead nowhere, to the wrong dimension, or back to themselves."""
    for name, quantity in subject.spec.quantities.items():
        yield from _quantity(subject, name, quantity)
    for name in subject.spec.derived:
        yield from _derived(subject, name)
    for index, interpretation in enumerate(subject.spec.interpretations):
        for number, reading in enumerate(interpretation.readings):
            if reading.uses is not None and reading.uses not in subject.dimensions:
                path = ("interpretations", index, "readings", number, "uses")
                yield _unknown_quantity(subject, path, interpretation.id, reading.uses)
    for index, requirement in enumerate(subject.spec.requirements):
        if isinstance(requirement, Limit) and requirement.of not in subject.dimensions:
            yield _unknown_quantity(subject, ("requirements", index, "of"), requirement.id, requirement.of)
    yield from _any_of(subject)
    yield from _circles(subject)


def _unknown_quantity(subject: Subject, path: DocumentPath, owner: str, name: str) -> Complaint:
    return subject.error(
        path,
        about=owner,
        what=f"the quantity {name!r} is not known",
        todo="define it under quantities or derived, or correct the name",
        code="quantity_unknown",
    )


def _quantity(subject: Subject, name: str, quantity: Quantity) -> Iterator[Complaint]:
    path: DocumentPath = ("quantities", name)
    if quantity.at_most is not None:
        yield from _same_dimension(subject, (*path, "at_most"), name, quantity.at_most)
    listed: list[str] = []
    for index, entry in enumerate(quantity.methods):
        use = entry if isinstance(entry, MethodUse) else MethodUse(method=entry, measures=None)
        here: DocumentPath = (*path, "methods", index)
        if use.method in listed:
            yield subject.error(
                here, about=name, what=f"the method {use.method!r} is listed twice", todo="keep one of them", code="method_twice"
            )
        listed.append(use.method)
        if use.method not in subject.spec.methods:
            yield subject.error(
                here,
                about=name,
                what=f"the method {use.method!r} is not known",
                todo=f"define it under methods, or write one of {', '.join(subject.spec.methods)}",
                code="method_unknown",
            )
        else:
            yield from _uncertainties(subject, here, name, quantity, use)
        if use.measures is not None:
            yield from _same_dimension(subject, (*here, "measures"), name, use.measures)


def _uncertainties(subject: Subject, path: DocumentPath, name: str, quantity: Quantity, use: MethodUse) -> Iterator[Complaint]:
    """Complain of bounds on U in another dimension than the quantity's, or that leave no U at all."""
    dimension = UNITS[quantity.unit].dimension
    for key in ("default_U", "floor_U", "ceiling_U"):
        measure: Measure | None = getattr(use, key)
        if measure is not None and measure.unit.dimension != dimension:
            yield subject.error(
                path,
                about=name,
                what=f"{key} {measure} of the method {use.method!r} is no {dimension}",
                todo=f"write it in the dimension of {quantity.unit}",
                code="limit_dimension",
            )
    method = subject.spec.methods[use.method]
    bounds = [(key, _bound(method, use, key, dimension)) for key in ("floor_U", "default_U", "ceiling_U")]
    known = [(key, measure) for key, measure in bounds if measure is not None]
    for (lower, low), (upper, high) in pairwise(known):
        if low.to(quantity.unit) > high.to(quantity.unit):
            yield subject.error(
                path,
                about=name,
                what=f"{lower} {low} of the method {use.method!r} is above its {upper} {high}",
                todo="let floor, default and ceiling rise in this order",
                code="method_uncertainty",
            )


def _bound(method: Method, use: MethodUse, key: str, dimension: str) -> Measure | None:
    """Return the bound on U that holds for a quantity; a method states it for one dimension only."""
    measure: Measure | None = getattr(use, key) or getattr(method, key)
    return measure if measure is not None and measure.unit.dimension == dimension else None


def _same_dimension(subject: Subject, path: DocumentPath, name: str, other: str) -> Iterator[Complaint]:
    if other not in subject.dimensions:
        yield _unknown_quantity(subject, path, name, other)
    elif subject.dimensions[other] != subject.dimensions[name]:
        yield subject.error(
            path,
            about=name,
            what=f"{other} is a {subject.dimensions[other]}, not a {subject.dimensions[name]}",
            todo="name a quantity of the same dimension",
            code="quantity_dimension",
        )


def _derived(subject: Subject, name: str) -> Iterator[Complaint]:
    rule = subject.spec.derived[name]
    path: DocumentPath = ("derived", name)
    least, most = _OPERANDS[rule.op]
    if len(rule.of) < least or (most is not None and len(rule.of) > most):
        yield subject.error(
            (*path, "of"),
            about=name,
            what=f"a {rule.op} of {len(rule.of)} quantities",
            todo=f"name {'exactly' if most else 'at least'} {least}",
            code="derived_operands",
        )
    unknown = [operand for operand in rule.of if operand not in subject.dimensions]
    for operand in unknown:
        yield _unknown_quantity(subject, (*path, "of", rule.of.index(operand)), name, operand)
    if unknown:
        return
    dimensions = {subject.dimensions[operand] for operand in rule.of}
    wanted = {"count"} if rule.op == "ratio" else dimensions
    if len(dimensions) > 1 or subject.dimensions[name] not in wanted:
        yield subject.error(
            (*path, "unit"),
            about=name,
            what=f"a {rule.op} of {say_list(sorted(dimensions))} in {rule.unit}",
            todo="let all parts and the result be of one dimension; a ratio has the unit count",
            code="quantity_dimension",
        )
    if rule.op != "spread":
        places = [subject.spec.quantities[operand].each for operand in rule.of if operand in subject.spec.quantities]
        if len({each for each in places if each is not None}) > 1 or (places and places[0] is None and any(places)):
            yield subject.error(
                (*path, "of"),
                about=name,
                what="its parts are measured at different places",
                todo="give the parts the same `each`, with a part that has places first",
                code="derived_places",
            )


def _any_of(subject: Subject) -> Iterator[Complaint]:
    taken: dict[str, str] = {}
    for index, requirement in enumerate(subject.spec.requirements):
        if not isinstance(requirement, AnyOf):
            continue
        for number, member in enumerate(requirement.requirements):
            path = ("requirements", index, "requirements", number)
            if member not in subject.loaded.requirements:
                yield subject.error(
                    path,
                    about=requirement.id,
                    what=f"the requirement {member!r} is not known",
                    todo="name requirements of this file",
                    code="requirement_unknown",
                )
            elif member in taken:
                yield subject.error(
                    path,
                    about=requirement.id,
                    what=f"{member} already counts through {taken[member]}",
                    todo="let each requirement count through one any_of only",
                    code="any_of_twice",
                )
            taken.setdefault(member, requirement.id)


def _circles(subject: Subject) -> Iterator[Complaint]:
    spec = subject.spec
    upper = {name: (quantity.at_most,) for name, quantity in spec.quantities.items() if quantity.at_most is not None}
    places = {requirement.id: index for index, requirement in enumerate(spec.requirements)}
    members = {rule.id: rule.requirements for rule in spec.requirements if isinstance(rule, AnyOf)}
    for name in _turning({name: rule.of for name, rule in spec.derived.items()}):
        yield _circle(subject, ("derived", name, "of"), name)
    for name in _turning(upper):
        yield _circle(subject, ("quantities", name, "at_most"), name)
    for name in _turning(members):
        yield _circle(subject, ("requirements", places[name], "requirements"), name)


def _circle(subject: Subject, path: DocumentPath, name: str) -> Complaint:
    return subject.error(
        path, about=name, what="it leads back to itself", todo="break the circle: let it rest on others only", code="circle"
    )


def _turning(leads_to: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the names from which a way leads back to themselves."""
    for start in leads_to:
        seen: set[str] = set()
        ways = list(leads_to[start])
        while ways:
            name = ways.pop()
            if name not in seen:
                seen.add(name)
                ways.extend(leads_to.get(name, ()))
        if start in seen:
            yield start
