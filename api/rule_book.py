"""What the rule book's pages show of a spec: each requirement with its limits, drawing, methods and interpretation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from api.rule_drawings import drawing
from api.rule_words import RuleWords, Said
from homolog.spec.model import MethodUse
from homolog.spec.requirement import AnyOf, Count, Differs, Inspect, Judge, Limit, OneOf, Requirement, Uniform

if TYPE_CHECKING:
    from homolog.spec.interpretation import Interpretation
    from homolog.spec.load import LoadedSpec
    from homolog.spec.model import Spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """One requirement.

    Attributes:
        limits: Conditions, empty for the usual case, and limits in words.
        asked: What a person answers or the board decides, if that is another sentence than `says`.
        demand: What is asked of attributes, pieces or other requirements, as a sentence of ours.
        others: Ids of requirements of which one has to hold.
        methods: Ids of the methods with their names.
        places: Where to measure one by one.
    """

    id: str
    clause: str
    says: Said
    kind: str
    basis: str
    limits: tuple[tuple[str, str], ...]
    drawn: str
    asked: Said | None
    criteria: tuple[Said, ...]
    panel: str
    demand: str
    others: tuple[str, ...]
    condition: str
    purposes: str
    quantity: Said | None
    quantity_id: str
    methods: tuple[tuple[str, str], ...]
    places: str
    interpretation: str
    note: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read a clause."""

    id: str
    says: Said
    demand: str
    asked: Said | None
    source: str
    is_adopted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """An interpretation: its question, its readings, and what turns on it."""

    id: str
    clause: str
    question: Said
    status: str
    adopted: str
    readings: tuple[Reading, ...]
    turning: tuple[str, ...]
    is_decision_rule: bool
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A method, with the uncertainty that is taken without another, and the largest that may be claimed for shared risk."""

    id: str
    name: str
    says: Said
    default_u: str
    ceiling_u: str


class Book:
    """Makes what a page shows of one spec."""

    def __init__(self, loaded: LoadedSpec, spoken: RuleWords) -> None:
        self.spec: Spec = loaded.spec
        self.spoken = spoken

    def requirements(self) -> tuple[Ruled, ...]:
        """Return the requirements in the file's order."""
        return tuple(self._ruled(requirement) for requirement in self.spec.requirements)

    def holes(self) -> tuple[Hole, ...]:
        """Return the interpretations in the file's order."""
        return tuple(self._hole(entry) for entry in self.spec.interpretations)

    def methods(self) -> tuple[Way, ...]:
        """Return the methods in the file's order."""
        spoken = self.spoken
        return tuple(
            Way(
                id=name,
                name=spoken.report.name("method", name),
                says=spoken.text(f"method.{name}.says", method.says),
                default_u="" if method.default_U is None else spoken.measure(method.default_U),
                ceiling_u="" if method.ceiling_U is None else spoken.measure(method.ceiling_U),
            )
            for name, method in self.spec.methods.items()
        )

    def attributes(self) -> tuple[tuple[str, str, Said, str], ...]:
        """Return each attribute: its id, its name, what it says, and its values if they are a closed list."""
        spoken = self.spoken
        return tuple(
            (
                name,
                spoken.attribute(name),
                spoken.text(f"attribute.{name}.what", attribute.what),
                ", ".join(spoken.value(value) for value in attribute.values or ()),
            )
            for name, attribute in self.spec.attributes.items()
        )

    def _ruled(self, requirement: Requirement) -> Ruled:
        spoken, key = self.spoken, f"requirement.{requirement.id}"
        says = spoken.text(f"{key}.says", requirement.says)
        is_asked = isinstance(requirement, Inspect | Judge)
        asked = spoken.text(f"{key}.ask", requirement.ask) if isinstance(requirement, Inspect | Judge) else None
        criteria = requirement.criteria if isinstance(requirement, Inspect | Judge) else ()
        limits = spoken.limits(requirement) if isinstance(requirement, Limit) else []
        return Ruled(
            id=requirement.id,
            clause=requirement.clause,
            says=says,
            kind=spoken.page.name("rule_kind", requirement.kind),
            basis=spoken.report.name("basis", requirement.basis),
            limits=tuple(limits),
            drawn=self._drawn(requirement, says.text, limits),
            asked=asked if is_asked and asked is not None and asked.text != says.text else None,
            criteria=tuple(spoken.text(f"{key}.criteria.{n}", text) for n, text in enumerate(criteria, 1)),
            panel=self._panel(requirement),
            demand=self._demand(requirement),
            others=requirement.requirements if isinstance(requirement, AnyOf) else (),
            condition=spoken.condition(requirement.when),
            purposes=spoken.names("purpose", requirement.purposes),
            quantity=self._quantity(requirement),
            quantity_id=requirement.of if isinstance(requirement, Limit) else "",
            methods=tuple(self._methods(requirement)),
            places=self._places(requirement),
            interpretation=requirement.interpretation or "",
            note=spoken.text(f"{key}.note", requirement.note),
        )

    def _drawn(self, requirement: Requirement, says: str, limits: list[tuple[str, str]]) -> str:
        if not isinstance(requirement, Limit):
            return ""
        label = limits[0][1] if limits else self.spoken.page.say("rules.open_limit")
        return drawing(self.spec, requirement.of, label, f"{says} {label}")

    def _panel(self, requirement: Requirement) -> str:
        if not isinstance(requirement, Judge):
            return ""
        return self.spoken.page.say(f"rules.panel_{requirement.panel.passes}", {"n": str(requirement.panel.votes)})

    def _demand(self, requirement: Requirement) -> str:
        spoken = self.spoken
        say = spoken.page.say
        match requirement:
            case Count():
                pieces = spoken.condition(requirement.of)
                return say(
                    "rules.demand_count", {"number": spoken.count(requirement), "pieces": pieces, "each": self._each(requirement)}
                )
            case Uniform():
                params = {"pieces": spoken.condition(requirement.of), "alike": spoken.attribute(requirement.by)}
                return say("rules.demand_uniform", params | {"each": self._each(requirement)})
            case Differs():
                params = {"pieces": spoken.condition(requirement.of), "others": spoken.condition(requirement.against)}
                return say(
                    "rules.demand_differs", params | {"alike": spoken.attribute(requirement.by), "each": self._each(requirement)}
                )
            case OneOf():
                values = ", ".join(spoken.value(value) for value in requirement.values)
                return say("rules.demand_one_of", {"attribute": spoken.attribute(requirement.attribute), "values": values})
            case _:
                return ""

    def _each(self, requirement: Count | Uniform | Differs) -> str:
        return self.spoken.attribute(requirement.each) if requirement.each else ""

    def _quantity(self, requirement: Requirement) -> Said | None:
        if not isinstance(requirement, Limit):
            return None
        derived = self.spec.derived.get(requirement.of)
        if derived is not None:
            return self.spoken.text(f"derived.{requirement.of}.what", derived.what)
        return self.spoken.text(f"quantity.{requirement.of}.what", self.spec.quantities[requirement.of].what)

    def _methods(self, requirement: Requirement) -> Iterator[tuple[str, str]]:
        found = self.spec.quantities.get(requirement.of) if isinstance(requirement, Limit) else None
        for entry in () if found is None else found.methods:
            name = entry.method if isinstance(entry, MethodUse) else entry
            yield name, self.spoken.report.name("method", name)

    def _places(self, requirement: Requirement) -> str:
        found = self.spec.quantities.get(requirement.of) if isinstance(requirement, Limit) else None
        if found is None or found.each is None:
            return ""
        return self.spoken.page.say("rules.every_place") if isinstance(found.each, str) else self.spoken.names("place", found.each)

    def _hole(self, entry: Interpretation) -> Hole:
        spoken, key = self.spoken, f"interpretation.{entry.id}"
        adoption = entry.adoption
        adopted = ""
        if adoption is not None:
            params = {"reading": adoption.reading, "on": str(adoption.on), "who": adoption.by, "decision": adoption.decision}
            adopted = spoken.page.say("rules.adopted", params)
        return Hole(
            id=entry.id,
            clause=entry.clause,
            question=spoken.text(f"{key}.question", entry.question),
            status=spoken.report.name("status", entry.status),
            adopted=adopted,
            readings=tuple(
                Reading(
                    id=reading.id,
                    says=spoken.text(f"{key}.reading.{reading.id}.says", reading.says),
                    demand=spoken.limit(reading),
                    asked=spoken.text(f"{key}.reading.{reading.id}.ask", reading.ask) if reading.ask else None,
                    source=reading.source,
                    is_adopted=adoption is not None and adoption.reading == reading.id,
                )
                for reading in entry.readings
            ),
            turning=tuple(one.id for one in self.spec.requirements if one.interpretation == entry.id),
            is_decision_rule=entry.is_decision_rule,
            note=entry.note,
        )
