"""The names that a sheet for an item may use, gathered from the item's specs of one or several editions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from homolog.errors import SpecError
from homolog.quantity import UNITS
from homolog.spec.interpretation import Bounds, Interpretation
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Derived, MethodUse, Spec
from homolog.spec.requirement import Inspect, Judge, Limit, Requirement
from homolog.spec.rows import answer_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A quantity that a sheet may state.

    Attributes:
        places: The places to measure one by one; empty where the quantity has none, or where their number is open.
        has_open_places: Whether any label names a place (lines, bars).
        is_signed: Whether a value below 0 has a meaning.
        is_derived: Whether the specs work it out from other quantities.
    """

    id: str
    unit: str
    what: str = ""
    methods: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    has_open_places: bool = False
    feature: Literal["external", "internal"] = "external"
    is_signed: bool = False
    is_derived: bool = False

    @property
    def has_places(self) -> bool:
        """Whether the quantity is measured at several places."""
        return self.has_open_places or bool(self.places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that a person may answer, under a requirement's id or a row's.

    Attributes:
        requirements: Ids of the requirements that the answer serves.
        readings: Ids of the interpretation's readings that an answer may name.
    """

    id: str
    requirements: tuple[str, ...]
    ask: str = ""
    is_judged: bool = False
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """All names for one item; a closed attribute maps to its values, an open one to None.

    Attributes:
        methods: Every method that a spec of the item knows, whichever quantities it may prove.
    """

    item: str
    methods: tuple[str, ...] = ()
    quantities: Mapping[str, Term] = field(default_factory=dict)
    questions: Mapping[str, Question] = field(default_factory=dict)
    attributes: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, specs: Iterable[LoadedSpec], *, item: str | None = None) -> Vocabulary:
        """Gather the vocabulary of an item's specs, the first spec's unit and words first.

        Args:
            specs: Specs of one item, of one or several editions.
            item: The item, where there may be no spec at all.

        Raises:
            SpecError: The specs are of several items, or give one quantity units of different dimensions.
        """
        builder = _Builder()
        items = [] if item is None else [item]
        for loaded in specs:
            items.append(loaded.spec.item)
            builder.add(loaded.spec, loaded.name)
        if len(set(items)) != 1:
            raise SpecError.because(f"a vocabulary is of one item, not of {', '.join(items) or 'none'}", code="spec_invalid")
        return cls(
            item=items[0],
            methods=tuple(builder.methods),
            quantities=builder.terms,
            questions=builder.questions,
            attributes=builder.attributes,
        )

    @property
    def places(self) -> frozenset[str]:
        """All named places of the item's quantities."""
        return frozenset(place for term in self.quantities.values() for place in term.places)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that a piece may have, where the specs close them."""
        return self.attributes.get("role") or ()


class _Builder:
    """Adds one spec after the other to what is known."""

    def __init__(self) -> None:
        self.methods: dict[str, None] = {}
        self.terms: dict[str, Term] = {}
        self.questions: dict[str, Question] = {}
        self.attributes: dict[str, tuple[str, ...] | None] = {}

    def add(self, spec: Spec, name: str) -> None:
        used = (method for quantity in spec.quantities.values() for method in _method_names(quantity.methods))
        self.methods |= dict.fromkeys((*spec.methods, *used))
        signed = _signed(spec)
        terms = {term.id: term for term in _terms(spec, signed)}
        for sub in _sub_quantities(spec):
            parent = max((known for known in terms if sub.startswith(f"{known}.")), key=len, default=None)
            if sub not in terms and parent is not None:
                terms[sub] = _renamed(terms[parent], sub, is_signed=sub in signed, methods=_yielding(spec, sub))
        for term in terms.values():
            self.add_term(term, name)
        interpretations = {entry.id: entry for entry in spec.interpretations}
        names = answer_names(spec.requirements)
        for requirement in spec.requirements:
            self.add_question(requirement, interpretations.get(requirement.interpretation or ""), names[requirement.id])
        for key, attribute in spec.attributes.items():
            self.add_attribute(key, attribute.values)

    def add_term(self, term: Term, name: str) -> None:
        known = self.terms.get(term.id)
        if known is None:
            self.terms[term.id] = term
            return
        if UNITS[known.unit].dimension != UNITS[term.unit].dimension:
            raise SpecError.because(
                f"{term.id} is in {term.unit} here and in {known.unit} in another edition", where=name, code="spec_invalid"
            )
        self.terms[term.id] = Term(
            id=known.id,
            unit=known.unit,
            what=known.what,
            methods=_joined(known.methods, term.methods),
            places=_joined(known.places, term.places),
            has_open_places=known.has_open_places or term.has_open_places,
            feature=known.feature,
            is_signed=known.is_signed or term.is_signed,
            is_derived=known.is_derived and term.is_derived,
        )

    def add_question(self, requirement: Requirement, interpretation: Interpretation | None, names: tuple[str, ...]) -> None:
        readings = tuple(reading for reading in interpretation.readings if reading.ask) if interpretation else ()
        if isinstance(requirement, Inspect | Judge):
            ask = requirement.ask
            reading_ids = tuple(reading.id for reading in interpretation.readings) if interpretation else ()
        elif readings:
            ask = readings[0].ask or ""
            reading_ids = tuple(reading.id for reading in readings)
        else:
            return
        for key in names:
            known = self.questions.get(key)
            self.questions[key] = Question(
                id=key,
                requirements=_joined(known.requirements if known else (), (requirement.id,)),
                ask=known.ask if known else ask,
                is_judged=isinstance(requirement, Judge) or bool(known and known.is_judged),
                readings=_joined(known.readings if known else (), reading_ids),
            )

    def add_attribute(self, key: str, values: tuple[str, ...] | None) -> None:
        known = self.attributes.get(key, ())
        self.attributes[key] = None if values is None or known is None else _joined(known, values)


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _renamed(term: Term, name: str, *, is_signed: bool, methods: tuple[str, ...]) -> Term:
    return Term(
        id=name,
        unit=term.unit,
        what=term.what,
        methods=methods or term.methods,
        places=term.places,
        has_open_places=term.has_open_places,
        feature=term.feature,
        is_signed=term.is_signed or is_signed,
    )


def _method_names(methods: Iterable[str | MethodUse]) -> tuple[str, ...]:
    return tuple(use if isinstance(use, str) else use.method for use in methods)


def _terms(spec: Spec, signed: set[str]) -> Iterable[Term]:
    for key, quantity in spec.quantities.items():
        yield Term(
            id=key,
            unit=quantity.unit,
            what=quantity.what,
            methods=_method_names(quantity.methods),
            places=quantity.each if isinstance(quantity.each, tuple) else (),
            has_open_places=quantity.each == "every",
            feature=quantity.feature,
            is_signed=key in signed,
        )
    for key, derived in spec.derived.items():
        places = _derived_places(spec, derived)
        yield Term(
            id=key,
            unit=derived.unit,
            what=derived.what,
            places=places,
            is_signed=derived.op == "difference" or key in signed,
            is_derived=True,
        )


def _derived_places(spec: Spec, derived: Derived) -> tuple[str, ...]:
    """Return the places of a derived quantity: those that all its operands share; a spread has none."""
    if derived.op == "spread":
        return ()
    operands = [spec.quantities[key].each for key in derived.of if key in spec.quantities]
    if len(operands) != len(derived.of) or not all(isinstance(each, tuple) for each in operands):
        return ()
    first, *others = (each for each in operands if isinstance(each, tuple))
    return tuple(place for place in first if all(place in other for other in others))


def _signed(spec: Spec) -> set[str]:
    """Return the quantities with a limit that lets values below 0 in."""
    signed = set()
    interpretations = {entry.id: entry for entry in spec.interpretations}
    for requirement in spec.requirements:
        if not isinstance(requirement, Limit):
            continue
        if any(_reaches_below_zero(bounds) for bounds in (requirement, *requirement.cases)):
            signed.add(requirement.of)
        interpretation = interpretations.get(requirement.interpretation or "")
        for reading in interpretation.readings if interpretation else ():
            if _reaches_below_zero(reading):
                signed.add(reading.uses or requirement.of)
    return signed


def _reaches_below_zero(bounds: Bounds) -> bool:
    sides = (bounds.min, bounds.max, bounds.above, bounds.below)
    return bounds.within is not None or any(side is not None and side.number < 0 for side in sides)


def _sub_quantities(spec: Spec) -> list[str]:
    names = [reading.uses for entry in spec.interpretations for reading in entry.readings if reading.uses]
    for quantity in spec.quantities.values():
        names += [use.measures for use in quantity.methods if isinstance(use, MethodUse) and use.measures]
        names += [quantity.at_most] if quantity.at_most else []
    return list(dict.fromkeys(names))


def _yielding(spec: Spec, sub: str) -> tuple[str, ...]:
    """Return the methods that measure a sub-quantity by name."""
    uses = [use for quantity in spec.quantities.values() for use in quantity.methods if isinstance(use, MethodUse)]
    return tuple(dict.fromkeys(use.method for use in uses if use.measures == sub))
