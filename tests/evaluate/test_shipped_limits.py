"""Every numeric limit of the shipped editions: at it, one step inside, one step outside, and with U across it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import product

import pytest

from homolog.evaluate.assess import assess
from homolog.evaluate.limits import limit_used
from homolog.evaluate.methods import allowed_methods, unit_of
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Article, Reading
from homolog.spec.interpretation import Bounds
from homolog.spec.library import Library
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Derived
from homolog.spec.requirement import Limit
from tests.evaluate.make import TODAY

EDITIONS = [("fistf", "4.0"), ("fistf", "14-2014"), ("fistf-indoor", "4.0"), ("ua-amateur", "undated")]


@dataclass(frozen=True)
class Stated:
    """One limit that a spec states: by a requirement itself, in a case, or in a reading of its interpretation."""

    loaded: LoadedSpec
    requirement: Limit
    quantity: str
    bounds: Bounds
    attributes: tuple[tuple[str, str], ...]
    reading: str | None = None

    def __str__(self) -> str:
        """Return a name for the table."""
        parts = [
            self.loaded.name.removesuffix(".yaml"),
            self.requirement.id,
            self.reading,
            *(value for _, value in self.attributes),
        ]
        return " ".join(part for part in parts if part)

    @property
    def purpose(self) -> str:
        """A purpose under which the requirement applies and a reading without a place speaks for all."""
        wanted = self.requirement.purposes or ("self_test",)
        return next((one for one in wanted if one != "type_approval"), wanted[0])


@cache
def specs() -> tuple[LoadedSpec, ...]:
    library = Library()
    found = [library.edition(*name) for name in EDITIONS]
    own = {edition.path_of(item): edition.spec(item) for edition in found for item in edition.file.files if edition.owns(item)}
    return tuple(spec for spec in own.values() if spec is not None)


def stated() -> Iterator[Stated]:
    for loaded in specs():
        questions = {question.id: question for question in loaded.spec.interpretations}
        for requirement in loaded.spec.requirements:
            if not isinstance(requirement, Limit):
                continue
            meeting = tuple((name, values[0]) for name, values in requirement.when.items())
            question = questions.get(requirement.interpretation or "")
            cases = [*((case, case.when) for case in requirement.cases), (requirement, {})]
            for reading in question.readings if question is not None else (None,):
                if reading is not None and (reading.ask is not None or reading.demands is not None):
                    continue
                quantity = requirement.of if reading is None else reading.uses or requirement.of
                name = None if reading is None else reading.id
                if reading is not None and reading.is_bounded:
                    yield Stated(loaded, requirement, quantity, reading, meeting, name)
                    continue
                for bounds, when in cases:
                    if bounds.is_bounded:
                        its = {**dict(meeting), **{attribute: values[0] for attribute, values in when.items()}}
                        yield Stated(loaded, requirement, quantity, bounds, tuple(its.items()), name)


LIMITS = list(stated())


def a_method(loaded: LoadedSpec, quantity: str) -> str:
    """Return a method that gives a value of an article."""
    return next(
        name for name, one in allowed_methods(loaded.spec, quantity).items() if one.form == "value" and not one.is_of_design
    )


def readings_of(loaded: LoadedSpec, quantity: str, value: Decimal, U: Decimal, unit: str) -> list[Reading]:
    """Return readings from which the quantity has this value with this U: itself, or the parts that it is worked out from."""
    derived: Derived | None = loaded.spec.derived.get(quantity)
    if derived is None:
        known = loaded.spec.quantities[quantity]
        assert known.unit == unit
        places = known.each if isinstance(known.each, tuple) else (None,)
        method = a_method(loaded, quantity)
        return [
            Reading(quantity=quantity, unit=unit, method=method, value=value, expanded_uncertainty=U, place=place)
            for place in places
        ]
    assert derived.unit == unit
    assert derived.op in ("difference", "spread"), f"write down how the parts of a {derived.op} are chosen"
    base = Decimal(1000)
    if derived.op == "difference":
        first, second = derived.of
        return readings_of(loaded, first, base + value, U, unit) + readings_of(loaded, second, base, Decimal(0), unit)
    # The spread of one sharp place and one that is off by the value.
    parts = [reading for operand in derived.of for reading in readings_of(loaded, operand, base, Decimal(0), unit)]
    if len(parts) == 1:
        parts = [replace(parts[0], place=label) for label in ("x", "y")]
    return [*parts[:-1], replace(parts[-1], value=base + value, expanded_uncertainty=U)]


def judged(one: Stated, value: Decimal, U: Decimal) -> Verdict:
    unit = unit_of(one.loaded.spec, one.quantity)
    attributes = {name: known.values[0] for name, known in one.loaded.spec.attributes.items() if known.values} | dict(
        one.attributes
    )
    if one.bounds is one.requirement and one.requirement.cases:
        attributes |= elsewhere(one)
    article = Article(
        item=one.loaded.spec.item, attributes=attributes, readings=tuple(readings_of(one.loaded, one.quantity, value, U, unit))
    )
    decisions = []
    if one.reading is not None:
        name = one.requirement.interpretation or ""
        decisions = [Adoption(interpretation=name, reading=one.reading, by="B", on=TODAY, decision="1")]
    found = assess(one.loaded, article, purpose=one.purpose, on=TODAY, decisions=decisions)  # type: ignore[arg-type]
    (finding,) = (finding for finding in found.findings if finding.requirement == one.requirement.id)
    assert finding.decided, f"{finding.verdict}: {finding.why}"
    assert {decided.limit for decided in finding.decided} == {limit_used(one.bounds, unit)}
    return finding.verdict


def elsewhere(one: Stated) -> dict[str, str]:
    """Return values of the cases' attributes for which none of the cases holds."""
    names = list(dict.fromkeys(name for case in one.requirement.cases for name in case.when))
    lists = [one.loaded.spec.attributes[name].values or () for name in names]
    return next(
        dict(zip(names, values, strict=True))
        for values in product(*lists)
        if not any(
            all(dict(zip(names, values, strict=True))[name] in wanted for name, wanted in case.when.items())
            for case in one.requirement.cases
        )
    )


def test_there_are_limits_in_every_item_that_the_rules_measure() -> None:
    items = {one.loaded.spec.item for one in LIMITS}
    assert {"board", "goal", "ball", "figure", "goalkeeper"} <= items
    assert len({(one.loaded.name, one.requirement.id) for one in LIMITS}) >= 60


def test_every_limit_requirement_is_in_the_table() -> None:
    tested = {(one.loaded.name, one.requirement.id) for one in LIMITS}
    wanted = {(spec.name, one.id) for spec in specs() for one in spec.spec.requirements if isinstance(one, Limit)}
    assert wanted == tested


@pytest.mark.parametrize("one", LIMITS, ids=str)
def test_a_shipped_limit_holds_at_inside_outside_and_across(one: Stated) -> None:
    limit = limit_used(one.bounds, unit_of(one.loaded.spec, one.quantity))
    sides = [(limit.max, 1, limit.max_is_strict), (limit.min, -1, limit.min_is_strict)]
    width = None if limit.max is None or limit.min is None else limit.max - limit.min
    step = Decimal("0.01") if width is None or width > Decimal("0.05") else width / 10
    U, nought = step * 2, Decimal(0)
    for edge, outward, strict in sides:
        if edge is None:
            continue
        out = step * outward
        at_limit = Verdict.NONCONFORM if strict else Verdict.CONFORM
        assert judged(one, edge, nought) is at_limit, "at the limit"
        assert judged(one, edge - out, nought) is Verdict.CONFORM, "one step inside"
        assert judged(one, edge + out, nought) is Verdict.NONCONFORM, "one step outside"
        assert judged(one, edge, U) is Verdict.INCONCLUSIVE, "on the limit with U"
        assert judged(one, edge - out, U) is Verdict.INCONCLUSIVE, "inside by less than U"
        assert judged(one, edge + out, U) is Verdict.INCONCLUSIVE, "outside by less than U"
        assert judged(one, edge - 2 * out, U) is (Verdict.INCONCLUSIVE if strict else Verdict.CONFORM), "inside by U"
        assert judged(one, edge + 2 * out, U) is (Verdict.NONCONFORM if strict else Verdict.INCONCLUSIVE), "outside by U"
        assert judged(one, edge + 3 * out, U) is Verdict.NONCONFORM, "outside by more than U"
