"""All that is known of each quantity of one article: readings made ready, joined, bounded and derived.

Each quantity and place is worked out once an assessment, when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from homolog.evaluate.derived import combine
from homolog.evaluate.finding import Statement
from homolog.evaluate.interval import Interval, intersect, interval_of
from homolog.evaluate.methods import Allowed, Ready, in_unit, prepare, unit_of
from homolog.evaluate.vocabulary import vocabulary_of
from homolog.quantity import Article, Reading
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Derived


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is no reading of a quantity at a place, or none that can be used.

    Attributes:
        is_error: The sheet is wrong, rather than silent.
    """

    why: Statement
    is_error: bool = False
    reading: Reading | None = None


Known = Ready | Nothing


class Evidence:
    """The readings of one article under one spec.

    Attributes:
        each_place_alone: A reading without a place is of one place, nobody knows which; else it says that every place reads so.
    """

    def __init__(
        self, loaded: LoadedSpec, article: Article, *, design_proves: bool, statements_prove: bool, each_place_alone: bool
    ) -> None:
        """Sort the article's readings by the quantity that their method really measures."""
        self.each_place_alone = each_place_alone
        self.vocabulary = vocabulary_of(loaded)
        self.used: set[int] = set()
        self._article = article
        self._design_proves = design_proves
        self._statements_prove = statements_prove
        self._by_quantity: dict[str, list[tuple[int, Reading]]] = {}
        self._known: dict[tuple[str, str | None], Known] = {}
        for index, reading in enumerate(article.readings):
            self._by_quantity.setdefault(self._measured(reading), []).append((index, reading))

    def _measured(self, reading: Reading) -> str:
        method = self.vocabulary.methods.get(reading.quantity, {}).get(reading.method or "")
        return method.measures if method is not None and method.measures is not None else reading.quantity

    def places(self, quantity: str) -> tuple[str | None, ...]:
        """Return the places to judge: those of the spec, or for "every" those of the sheet; (None,) for a whole."""
        places = self.vocabulary.places[quantity]
        if places is None:
            return (None,)
        if places:
            return places
        return tuple(self._labels(quantity)) or (None,)

    def _labels(self, quantity: str) -> list[str | None]:
        """Return the labels of the sheet for a quantity, or for any part that it is worked out from place by place.

        A named place that could not be measured is a place all the same: left out, the others would prove the whole.
        """
        labels = dict.fromkeys(reading.place for _, reading in self._by_quantity.get(quantity, ()))
        failed = (missing for missing in self._article.unmeasured if missing.quantity == quantity)
        labels |= dict.fromkeys(missing.place for missing in failed if missing.place is not None)
        rule = self.vocabulary.spec.derived.get(quantity)
        for operand in rule.of if rule is not None and rule.op != "spread" else ():
            if self.vocabulary.places[operand] is not None:
                labels |= dict.fromkeys(self._labels(operand))
        return list(labels)

    def foreign_places(self, quantity: str) -> list[str]:
        """Return places of the sheet that the spec does not know, of a quantity and of the parts that it is worked out from."""
        rule = self.vocabulary.spec.derived.get(quantity)
        found = [place for operand in (rule.of if rule is not None else ()) for place in self.foreign_places(operand)]
        places = self.vocabulary.places[quantity]
        if places != ():
            own = (reading.place for _, reading in self._by_quantity.get(quantity, ()))
            found += [place for place in own if place is not None and place not in (places or ())]
        return list(dict.fromkeys(found))

    def known(self, quantity: str, place: str | None) -> Known:
        """Return what is known of a quantity at a place."""
        key = (quantity, place)
        if key not in self._known:
            self._known[key] = self._work_out(quantity, place)
        return self._known[key]

    def _work_out(self, quantity: str, place: str | None) -> Known:
        ready: list[Ready] = []
        aside: Nothing | None = None  # evidence of the wrong thing: it does not stand in the way of better evidence
        wrong: Nothing | None = None
        for index, reading in self._by_quantity.get(quantity, ()):
            if not self._speaks_for(reading, quantity, place):
                continue
            self.used.add(index)
            prepared = prepare(
                self._as_quantity(reading, quantity),
                allowed=self._allowed(quantity, reading),
                feature=self.vocabulary.feature(quantity),
                design_proves=self._design_proves,
                statements_prove=self._statements_prove,
            )
            if isinstance(prepared, Ready):
                ready.append(_at(prepared, place))
            elif prepared.is_error:
                wrong = wrong or Nothing(prepared.why, is_error=True, reading=prepared.reading)
            else:
                aside = Nothing(prepared.why, reading=prepared.reading)
        if wrong is not None:
            return wrong
        return self._with_others(quantity, place, ready) or aside or Nothing(self._why_nothing(quantity, place))

    def _allowed(self, quantity: str, reading: Reading) -> dict[str, Allowed]:
        """Return the allowed methods; a method that measures this quantity under another name brings its own bounds."""
        methods = self.vocabulary.methods[quantity]
        if reading.quantity == quantity or reading.method is None:
            return methods
        return {reading.method: self.vocabulary.methods[reading.quantity][reading.method]}

    def _speaks_for(self, reading: Reading, quantity: str, place: str | None) -> bool:
        if reading.place is None:
            return place is None or not self.each_place_alone or self.vocabulary.places[quantity] is None
        return reading.place == place

    def _as_quantity(self, reading: Reading, quantity: str) -> Reading:
        turned = in_unit(reading, unit_of(self.vocabulary.spec, quantity))
        return turned if turned.quantity == quantity else replace(turned, quantity=quantity)

    def _with_others(self, quantity: str, place: str | None, ready: list[Ready]) -> Known | None:
        """Join direct readings with what other quantities say; None if nothing says anything."""
        missing: Nothing | None = None
        if quantity in self.vocabulary.spec.derived:
            worked = self._derive(quantity, place)
            if isinstance(worked, Ready):
                ready = [*ready, worked]
            elif worked.is_error:
                return worked
            else:
                missing = worked
        bound = self._upper_bound(quantity, place)
        if isinstance(bound, Ready):
            ready = [*ready, bound]
        elif bound is not None:
            missing = missing or bound
        return _joined(ready) if ready else missing

    def _derive(self, quantity: str, place: str | None) -> Known:
        if self.each_place_alone and place is None and self.vocabulary.places[quantity]:
            return Nothing(self._why_nothing(quantity, None))  # readings without a place may be of two places
        rule = self.vocabulary.spec.derived[quantity]
        operands: list[list[Ready]] = []
        for operand in rule.of:
            spots = (
                self.places(operand) if rule.op == "spread" else (place if self.vocabulary.places[operand] is not None else None,)
            )
            known = {spot: self.known(operand, spot) for spot in spots}
            missing = {spot: one for spot, one in known.items() if isinstance(one, Nothing)}
            if missing:
                return _first_missing(missing)
            operands.append([self._as_part(one, rule, operand) for one in known.values() if isinstance(one, Ready)])
        worked = combine(quantity, rule, operands, place)
        return worked if isinstance(worked, Ready) else Nothing(worked)

    def _as_part(self, known: Ready, rule: Derived, operand: str) -> Ready:
        """Return an operand in the unit of the result; of a ratio, whose result has none, in the unit of its first operand."""
        unit = unit_of(self.vocabulary.spec, rule.of[0]) if rule.op == "ratio" else rule.unit
        return known if known.reading.unit == unit else replace(known, reading=in_unit(known.reading, unit))

    def _upper_bound(self, quantity: str, place: str | None) -> Known | None:
        """Return the bound from a quantity that this one can never exceed, or what is wrong with that one's readings."""
        known = self.vocabulary.spec.quantities.get(quantity)
        if known is None or known.at_most is None:
            return None
        larger = self.known(known.at_most, place)
        if isinstance(larger, Nothing):
            return larger if larger.is_error else None
        ceiling = interval_of(in_unit(larger.reading, known.unit)).hi
        if ceiling is None:
            return None
        reading = Reading(
            quantity=quantity,
            unit=known.unit,
            method=larger.reading.method,
            hi=ceiling,
            place=place,
            instrument=larger.reading.instrument,
            evidence=larger.reading.evidence,
            marks=(*larger.reading.marks, f"at_most {known.at_most}"),
        )
        return Ready(reading, may_share_risk=False)

    def _why_nothing(self, quantity: str, place: str | None) -> Statement:
        for missing in self._article.unmeasured:
            if missing.quantity == quantity and missing.place in (place, None):
                return Statement(code="reading_unmeasured", params={"quantity": quantity, "reason": missing.reason})
        params = {"quantity": quantity}
        return Statement(code="no_reading", params=params if place is None else params | {"place": place})


def _at(ready: Ready, place: str | None) -> Ready:
    """Let a reading of the whole speak for a place, marked."""
    if ready.reading.place == place:
        return ready
    return replace(ready, reading=replace(ready.reading, place=place, marks=(*ready.reading.marks, "for_all_places")))


def _first_missing(missing: dict[str | None, Nothing]) -> Nothing:
    """Return what is wrong with a part, else what it lacks first, with all places that lack it."""
    first = next((one for one in missing.values() if one.is_error), next(iter(missing.values())))
    places = ", ".join(place for place, one in missing.items() if place is not None and one.reading is None)
    if first.is_error or len(missing) == 1 or not places:
        return first
    return replace(first, why=replace(first.why, params={**first.why.params, "places": places}))


def _joined(ready: list[Ready]) -> Known:
    """Intersect several readings of one quantity; readings that exclude each other are an error of the sheet."""
    joint = Interval(None, None)
    for one in ready:
        joint = intersect(joint, interval_of(one.reading))
    if joint.is_empty:
        methods = ", ".join(dict.fromkeys(one.reading.method or "" for one in ready))
        params = {"quantity": ready[0].reading.quantity, "methods": methods, "count": str(len(ready))}
        return Nothing(Statement(code="contradiction", params=params), is_error=True, reading=ready[0].reading)
    sharpest = [one for one in ready if interval_of(one.reading) == joint]
    if sharpest:  # the others add nothing; of several alike the one that may do most stands, whatever their order
        return max(sharpest, key=lambda one: (one.may_share_risk, one.reading.value is not None))
    return Ready(_intersection(ready, joint), may_share_risk=False)


def _intersection(ready: list[Ready], joint: Interval) -> Reading:
    readings = [one.reading for one in ready]
    return Reading(
        quantity=readings[0].quantity,
        unit=readings[0].unit,
        method=_listed(reading.method for reading in readings),
        lo=joint.lo,
        hi=joint.hi,
        place=readings[0].place,
        instrument=_listed(reading.instrument for reading in readings),
        evidence=_listed(reading.evidence for reading in readings),
        marks=(*dict.fromkeys(mark for reading in readings for mark in reading.marks), "intersected"),
    )


def _listed(names: Iterable[str | None]) -> str | None:
    return ", ".join(dict.fromkeys(name for name in names if name)) or None
