"""How a requirement is proven and read: its quantities, methods and interpretation in two editions."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.spec.diff.change import Direction
from homolog.spec.diff.demands import Aspect
from homolog.spec.interpretation import Interpretation, InterpretationReading
from homolog.spec.model import MethodUse, Quantity, Spec
from homolog.spec.requirement import Limit, Requirement
from homolog.spec.words import say_limit


def method_aspects(old: Spec, new: Spec, before: Requirement, after: Requirement) -> Iterator[Aspect]:
    """Yield what moved in the quantities that both editions measure for a requirement, and in their methods."""
    for name in [name for name in _quantities(old, before) if name in _quantities(new, after)]:
        yield from _definition(old, new, name)
        was, now = old.quantities.get(name), new.quantities.get(name)
        if was is None or now is None:
            continue
        methods = _say_methods(old, was), _say_methods(new, now)
        for method in methods[0] | methods[1]:
            first, second = methods[0].get(method, ""), methods[1].get(method, "")
            if first != second:
                yield Aspect("method", f"method {method} of {name}", first, second)


def _quantities(spec: Spec, requirement: Requirement) -> list[str]:
    """Return the quantities on which a requirement rests: its own, its readings', and the parts of derived ones."""
    ways = [requirement.of] if isinstance(requirement, Limit) else []
    for entry in spec.interpretations:
        if entry.id == requirement.interpretation:
            ways += [reading.uses for reading in entry.readings if reading.uses]
    found: list[str] = []
    while ways:
        name = ways.pop(0)
        if name not in found:
            found.append(name)
            ways += spec.derived[name].of if name in spec.derived else ()
    return found


def _definition(old: Spec, new: Spec, name: str) -> Iterator[Aspect]:
    """Yield changes of what is measured: they change the rule, whatever its number."""
    was, now = _say_definition(old, name), _say_definition(new, name)
    for topic, first in was.items():
        second = now.get(topic, "")
        if first != second:
            direction: Direction = "editorial" if topic == "unit" else "changed"
            yield Aspect(direction, f"{topic} of {name}", first, second)


def _say_definition(spec: Spec, name: str) -> dict[str, str]:
    rule = spec.derived.get(name)
    if rule is not None:
        return {"what": f"{rule.op} of {', '.join(rule.of)}: {rule.what}", "unit": rule.unit, "feature": "", "places": ""}
    quantity = spec.quantities.get(name)
    if quantity is None:  # the linter complains of it
        return {}
    places = quantity.each if isinstance(quantity.each, str) else ", ".join(quantity.each or ())
    return {"what": quantity.what, "unit": quantity.unit, "feature": quantity.feature, "places": places}


def _say_methods(spec: Spec, quantity: Quantity) -> dict[str, str]:
    """Return each method of a quantity with the bounds on U that hold for it."""
    said = {}
    for entry in quantity.methods:
        use = entry if isinstance(entry, MethodUse) else MethodUse(method=entry, measures=None)
        method = spec.methods.get(use.method)
        bounds = {key: getattr(use, key) or getattr(method, key, None) for key in ("default_U", "floor_U", "ceiling_U")}
        parts = [f"{key.replace('_', ' ')} {measure}" for key, measure in bounds.items() if measure is not None]
        parts += [f"measures {use.measures}"] if use.measures else []
        if method is not None:
            parts += ["go/no-go"] if method.form == "go_no_go" else []
            parts += ["of the design"] if method.evidence == "design" else []
            parts += [method.algorithm] if method.algorithm else []
        said[use.method] = ", ".join(parts) or "allowed"
    return said


def interpretation_aspects(old: Spec, new: Spec, before: Requirement, after: Requirement) -> Iterator[Aspect]:
    """Yield what moved in how a requirement's clause is read."""
    was = next((entry for entry in old.interpretations if entry.id == before.interpretation), None)
    now = next((entry for entry in new.interpretations if entry.id == after.interpretation), None)
    said = say_interpretation(was), say_interpretation(now)
    if said[0] != said[1]:
        yield Aspect("interpretation", "interpretation", *said)
    if before.basis != after.basis:
        yield Aspect("interpretation", "basis", before.basis, after.basis)


def say_interpretation(entry: Interpretation | None) -> str:
    """Return an interpretation as its id, status, adoption and readings; empty for none."""
    if entry is None:
        return ""
    adoption = f" {entry.adoption.reading} by {entry.adoption.by} on {entry.adoption.on}" if entry.adoption else ""
    return f"{entry.id} {entry.status}{adoption}: {'; '.join(_say_reading(reading) for reading in entry.readings)}"


def _say_reading(reading: InterpretationReading) -> str:
    parts = [reading.uses or "", say_limit(reading), reading.ask or ""]
    parts += ["asks nothing"] if reading.demands else []
    return f"{reading.id} ({', '.join(part for part in parts if part) or reading.says})"
