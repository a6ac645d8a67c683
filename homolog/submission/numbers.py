"""Measures of a sheet: read exactly, with one decimal sign for the whole sheet, and refused where their size is impossible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, Inexact, localcontext

from homolog.gate.json_text import Bare
from homolog.gate.xlsx import CellNumber
from homolog.quantity import SCANNING_UNITS, UNITS, NumberError, parse_measure
from homolog.submission.problems import ProblemList

LARGEST = {
    "length": Decimal(10_000),
    "mass": Decimal(100_000),
    "volume": Decimal(1_000_000_000),
    "time": Decimal(86_400),
    "angle": Decimal(360),
    "count": Decimal(100_000),
    "temperature": Decimal(100),
    "ratio": Decimal(1),
}
"""The largest size that a sheet may state, in each dimension's base unit: 10 m, 100 kg, 1 m3, a day, a full turn."""
_LARGEST_WORDS = {
    "length": "10 m",
    "mass": "100 kg",
    "volume": "1 m3",
    "time": "a day",
    "angle": "360 deg",
    "count": "100000",
    "temperature": "100 degC",
    "ratio": "100 %",
}
_MAX_AMBIGUOUS = 20

_COMMA = re.compile(r"[+-]?([0-9]{1,15}),([0-9]{1,15})(?=\s|\Z)", re.ASCII)
_POINT = re.compile(r"[+-]?[0-9]{1,15}\.[0-9]{1,15}(?=\s|\Z)", re.ASCII)
_NUMBER_ALONE = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)

Where = Callable[[], str]


class MeasureReader:
    """Reads the measures of one sheet and watches that all of them use one decimal sign.

    `1,200` may mean 1.2 or 1200. It is taken as 1.2 only where another number of the sheet, such as `0,05` or `38,9`,
    shows that the comma is the decimal sign.
    """

    def __init__(self, problems: ProblemList) -> None:
        """Keep the list that problems go to."""
        self.problems = problems
        self._point: str | None = None
        self._comma: str | None = None
        self._is_comma_shown = False
        self._ambiguous: list[tuple[str, str]] = []

    def read(self, text: str, unit: str, where: Where) -> Decimal | None:
        """Return a measure in a unit, exactly; None if it was refused.

        Args:
            text: `<number> <unit>`.
            unit: Unit of the result.
            where: Gives the place, should there be a problem.
        """
        if isinstance(text, Bare) or _NUMBER_ALONE.fullmatch(text):
            self._no_unit(text, unit, where)
            return None
        text = self._with_point(text, where)
        try:
            measure = parse_measure(text, UNITS if unit in UNITS else SCANNING_UNITS)
            with localcontext() as context:
                context.prec = 60
                context.traps[Inexact] = True
                return measure.to(unit)
        except NumberError as error:
            for problem in error.problems:
                self.problems.add_problem(replace(problem, where=where()))
        except Inexact:
            self.problems.add(where(), f"{text} has no exact value in {unit}", f"write it in {unit}", "measure_inexact")
        return None

    def size(self, text: str, unit: str, where: Where, *, is_signed: bool = False) -> Decimal | None:
        """Return a measure as `read` does; refused too where no article can be of that size."""
        number = self.read(text, unit, where)
        if number is None:
            return None
        kind = SCANNING_UNITS[unit]
        if abs(number) > LARGEST[kind.dimension] / kind.factor:
            what = f"{text} is more than {_LARGEST_WORDS[kind.dimension]}, which no article measures"
            self.problems.add(where(), what, "check the unit", "size_impossible")
            return None
        if number < 0 and not is_signed and kind.dimension != "angle":
            self.problems.add(where(), f"{text} is below 0", "check the number and its unit", "size_impossible")
            return None
        if kind.dimension == "count" and number != number.to_integral_value():
            self.problems.add(where(), f"{text} is not a whole count", "write a whole number", "size_impossible")
            return None
        return number

    def _no_unit(self, text: str, unit: str, where: Where) -> None:
        if isinstance(text, Bare) and not text[0].isdigit() and text[0] != "-":
            self.problems.add(where(), f"{text} is not a number with a unit", f'write as "38.95 {unit}"', "measure_invalid")
            return
        what = f"the number {text[:40]} has no unit"
        self.problems.add(where(), what, f'write "{text[:40]} {unit}", if it is in {unit}', "number_without_unit")

    def _with_point(self, text: str, where: Where) -> str:
        if isinstance(text, CellNumber):
            return text
        comma = _COMMA.match(text)
        if comma is None:
            if self._point is None and _POINT.match(text):
                self._point = where()
            return text
        if self._comma is None:
            self._comma = where()
        whole, part = comma[1], comma[2]
        if len(part) == 3 and len(whole) <= 3 and not whole.startswith("0"):
            if not self._is_comma_shown and len(self._ambiguous) < _MAX_AMBIGUOUS:
                self._ambiguous.append((where(), comma[0]))
        else:
            self._is_comma_shown = True
        return text.replace(",", ".", 1)

    def finish(self) -> None:
        """Note what can be told only when the whole sheet has been read."""
        if self._point is not None and self._comma is not None:
            self.problems.add(
                self._comma,
                f"a decimal comma stands here and a decimal point at {self._point}",
                "use one of the two in the whole sheet",
                "decimal_mixed",
            )
        elif not self._is_comma_shown:
            for where, text in self._ambiguous:
                point, thousand = text.replace(",", "."), text.replace(",", "")
                self.problems.add(
                    where, f"{text} may mean {point} or {thousand}", "write the one that is meant", "number_ambiguous"
                )
