"""Readings of a sheet: values with U, bounds, gauge results, and what could not be measured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from homolog.gate.xlsx import FormulaCell
from homolog.gate.yaml_text import Path, Value
from homolog.quantity import Reading, Unmeasured
from homolog.quantity.reading import GaugeResult
from homolog.submission.sheet import Sheet
from homolog.submission.vocabulary import Term, Vocabulary

FIELDS = ("value", "U", "method", "instrument", "gauge", "result", "at_least", "at_most", "unmeasured")
NUMBERS = ("value", "U", "gauge", "at_least", "at_most")
DECIDING = ("value", "at_least", "at_most", "result", "unmeasured")
"""Any of these fields makes a reading; the others only describe it."""
FORMS = "{value, U, method, instrument}, {gauge, U, result}, {at_least, at_most, method} or {unmeasured}"

_RESULTS: dict[str, GaugeResult] = {"go": "go", "no_go": "no_go", "no-go": "no_go"}
_LABEL = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
_COMMA_REST = re.compile(r"[0-9]+( .*)?", re.ASCII)
_SYNONYMS = {"lo": "at_least", "hi": "at_most", "u": "U"}


@dataclass(slots=True)
class ReadingList:
    """The readings of one article, while they are gathered.

    Attributes:
        methods: The methods that may be named; which of them prove a quantity is judged later.
    """

    sheet: Sheet
    methods: tuple[str, ...]
    readings: list[Reading]
    unmeasured: list[Unmeasured]

    @classmethod
    def new(cls, sheet: Sheet, methods: tuple[str, ...]) -> ReadingList:
        """Begin an article without readings."""
        return cls(sheet, methods, [], [])

    def add_all(self, value: Value, path: Path, vocabulary: Vocabulary) -> None:
        """Read the `readings` of a document."""
        for quantity, told in self.sheet.mapping(value, path, "readings").items():
            term = vocabulary.quantities.get(quantity)
            if term is None:
                self.sheet.unknown((*path, quantity), "the quantity", quantity, vocabulary.quantities, "quantity_unknown")
            else:
                self.add_term(term, told, (*path, quantity))

    def add_term(self, term: Term, value: Value, path: Path) -> None:
        """Read all that a document says of one quantity: a reading, a list of readings, or one a place."""
        if isinstance(value, dict) and self._is_by_place(term, value):
            for place, told in value.items():
                if self.place(term, place, (*path, place)):
                    self.add_some(term, place, told, (*path, place))
        else:
            self.add_some(term, None, value, path)

    def place(self, term: Term, place: str, path: Path) -> bool:
        """Return whether a quantity has a place; note it if not."""
        if not term.has_places:
            self.sheet.fault(path, f"{term.id} is measured once, not at places", "leave the place out", "place_unknown")
        elif place in term.places or (term.has_open_places and _LABEL.fullmatch(place) and place not in FIELDS):
            return True
        elif term.has_open_places:
            todo = "write up to 40 small letters, digits and _, as line_3"
            self.sheet.fault(path, f"{place[:60]!r} cannot name a place", todo, "place_unknown")
        else:
            self.sheet.unknown(path, f"the place of {term.id}", place, term.places, "place_unknown")
        return False

    def add_some(self, term: Term, place: str | None, value: Value, path: Path) -> None:
        """Read one reading, or a list of them, for one quantity and place."""
        if isinstance(value, list):
            for number, told in enumerate(value):
                self.add_fields(term, place, self.sheet.mapping(told, (*path, number), term.id), (*path, number))
        elif isinstance(value, dict):
            self.add_fields(term, place, value, path)
        elif value.strip():
            self.sheet.fault(path, f"{term.id} is not a reading", f"write one of {FORMS}", "shape")

    def add_fields(self, term: Term, place: str | None, fields: Mapping[str, Value], path: Path) -> None:
        """Read one reading from its fields; empty ones are not stated."""
        told = {key: value for key, value in fields.items() if not isinstance(value, str) or value.strip()}
        for key in fields:
            if key not in FIELDS:
                self._unknown_field(key, (*path, key))
        for key, value in told.items():
            if not isinstance(value, str):
                self.sheet.fault((*path, key), f"{key} is not one value", "write one text", "shape")
                return
        is_misspelt = any(key not in FIELDS for key in fields) and not any(key in DECIDING for key in told)
        if is_misspelt or not any(key in FIELDS for key in told):
            if not fields:
                self.sheet.fault(path, f"{term.id} has an empty reading", f"write one of {FORMS}", "reading_form")
            return
        self._read(term, place, {key: value for key, value in told.items() if isinstance(value, str)}, path)

    def _is_by_place(self, term: Term, value: Mapping[str, Value]) -> bool:
        if not value or any(key in FIELDS for key in value):
            return False
        return term.has_places or all(isinstance(told, dict | list) for told in value.values())

    def _unknown_field(self, key: str, path: Path) -> None:
        if _COMMA_REST.fullmatch(key):
            # {value: 38,9 mm} is the value 38 and the key "9 mm" to YAML.
            todo = 'write a number with a comma in quotes: value: "38,9 mm"'
            self.sheet.fault(path, f"{key[:40]!r} is the rest of a number that a comma cut in two", todo, "key_unknown")
        elif key in _SYNONYMS:
            self.sheet.fault(path, f"the key {key!r} is not known", f"did you mean {_SYNONYMS[key]}?", "key_unknown")
        else:
            self.sheet.unknown(path, "the key", key, FIELDS, "key_unknown")

    def _read(self, term: Term, place: str | None, told: dict[str, str], path: Path) -> None:
        if "unmeasured" in told:
            self._add_unmeasured(term, place, told, path)
            return
        formula = next((text for key, text in told.items() if key in NUMBERS and isinstance(text, FormulaCell)), None)
        if formula is not None:
            self.unmeasured.append(Unmeasured(quantity=term.id, place=place, reason=str(formula)))
            return
        is_gauge, is_bounds = "gauge" in told or "result" in told, "at_least" in told or "at_most" in told
        if ("value" in told) + is_gauge + is_bounds != 1:
            what = "is given in two forms" if is_gauge or is_bounds else "has no value"
            self.sheet.fault(path, f"{term.id} {what}", f"write one of {FORMS}", "reading_form")
            return
        if is_gauge and not ("gauge" in told and "result" in told):
            there, missing = ("gauge", "result") if "gauge" in told else ("result", "gauge")
            what = f"{term.id} has a {there} without its {missing}"
            self.sheet.fault((*path, there), what, "write gauge and result", "reading_form")
            return
        if is_bounds and "U" in told:
            todo = "widen the bounds by U, and leave U out"
            self.sheet.fault((*path, "U"), f"{term.id} has bounds and U", todo, "reading_form")
            return
        self._add_reading(term, place, told, path)

    def _add_unmeasured(self, term: Term, place: str | None, told: dict[str, str], path: Path) -> None:
        reason = self.sheet.words(told["unmeasured"], (*path, "unmeasured"))
        if len(told) > 1:
            other = next(key for key in told if key != "unmeasured")
            self.sheet.fault((*path, other), f"{term.id} is unmeasured and has {other}", "keep one of the two", "reading_form")
        elif reason is not None:
            self.unmeasured.append(Unmeasured(quantity=term.id, place=place, reason=reason))

    def _add_reading(self, term: Term, place: str | None, told: dict[str, str], path: Path) -> None:
        before = len(self.sheet.problems)
        value, size, lo, hi = (self._size(term, told, key, path) for key in ("value", "gauge", "at_least", "at_most"))
        uncertainty = self._size(term, told, "U", path)
        method = self._method(told, (*path, "method"))
        instrument = self.sheet.words(told["instrument"], (*path, "instrument")) if "instrument" in told else None
        result: GaugeResult | None = None
        if "result" in told:
            word = self.sheet.choice(told["result"], (*path, "result"), "the result", _RESULTS, "result_unknown")
            result = _RESULTS.get(word or "")
        if lo is not None and hi is not None and lo > hi:
            self.sheet.fault((*path, "at_least"), f"{term.id} is at least more than at most", "swap them", "reading_form")
        if len(self.sheet.problems) > before:
            return
        self.readings.append(
            Reading(
                quantity=term.id,
                unit=term.unit,
                method="gauge" if size is not None and method is None else method,
                value=value,
                expanded_uncertainty=uncertainty,
                lo=lo,
                hi=hi,
                gauge_size=size,
                gauge_result=result,
                place=place,
                instrument=instrument,
                evidence=self.sheet.locate(path),
                bounds_are_stated=lo is not None or hi is not None,
            )
        )

    def _method(self, told: dict[str, str], path: Path) -> str | None:
        if "method" not in told:
            return None
        return self.sheet.choice(told["method"], path, "the method", self.methods, "method_unknown")

    def _size(self, term: Term, told: dict[str, str], key: str, path: Path) -> Decimal | None:
        text = told.get(key)
        if text is None:
            return None
        return self.sheet.measures.size(
            text, term.unit, lambda: self.sheet.locate((*path, key)), is_signed=term.is_signed and key != "U"
        )
