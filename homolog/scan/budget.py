"""Uncertainty budgets: named standard uncertainties, added in squares, doubled and rounded up."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from homolog.quantity import round_up
from homolog.scan.measurement import Budget, Contribution
from homolog.scan.sources import Instrument

LENGTH_STEP = Decimal("0.001")
VOLUME_STEP = Decimal("0.1")


_CAUSES: dict[str, tuple[str, set[str]]] = {
    "facets": ("Flat facets cut the corners of rounded faces", set()),
    "noise": ("Scatter of the scanned points", set()),
    "offset": ("The scanner's surface lies off the true one everywhere alike", set()),
    "scale": ("The scanner's lengths are too long or too short", set()),
    "repair": ("What was repaired where this quantity is taken", {"holes", "sheets", "methods", "bent_faces"}),
    "rod_cut": ("Where the rod was cut off", {"root", "step"}),
    "temperature": ("The article was not at 20 degrees Celsius", set()),
}
"""Causes that every budget speaks of, and the finer ones that stand for them."""
_INSTRUMENTS = {"offset", "scale", "temperature"}


def completed(budget: Budget, *, is_design: bool) -> Budget:
    """Return a budget in which every cause has a line, those that contribute nothing with 0; a drawing has no instrument."""
    present = {line.name for line in budget.contributions}
    missing = [
        Contribution(name=name, says=says, standard_uncertainty=Decimal(0))
        for name, (says, finer) in _CAUSES.items()
        if present.isdisjoint({name, *finer}) and not (is_design and name in _INSTRUMENTS)
    ]
    return replace(budget, contributions=(*budget.contributions, *missing))


class Tally:
    """Contributions of one quantity while they are gathered."""

    def __init__(self, quantity: str, place: str | None = None) -> None:
        self.quantity = quantity
        self.place = place
        self._lines: list[tuple[str, str, float]] = []

    def add(self, name: str, says: str, standard_uncertainty: float) -> None:
        """Add one contribution; one of exactly nothing is left out."""
        if standard_uncertainty != 0:
            self._lines.append((name, says, abs(float(standard_uncertainty))))

    def inherit(self, other: Tally) -> None:
        """Take over the contributions of another quantity."""
        self._lines.extend(other._lines)

    def copy(self, quantity: str) -> Tally:
        """Return a tally of another quantity with the same contributions so far."""
        other = Tally(quantity)
        other.inherit(self)
        return other

    @property
    def standard(self) -> float:
        """Combined standard uncertainty."""
        return math.sqrt(sum(value * value for _, _, value in self._lines))

    @property
    def expanded(self) -> Decimal:
        """U for k = 2, rounded up to two digits."""
        return round_up(Decimal(repr(2 * self.standard)))

    def budget(self) -> Budget:
        """Return the budget as a value, the largest contribution first."""
        lines = sorted(self._lines, key=lambda line: (-line[2], line[0]))
        contributions = tuple(
            Contribution(name=name, says=says, standard_uncertainty=round_up(Decimal(repr(value)), digits=3))
            for name, says, value in lines
        )
        return Budget(quantity=self.quantity, place=self.place, contributions=contributions, expanded=self.expanded)


def add_instrument(tally: Tally, length: float, surfaces: int, instrument: Instrument) -> None:
    """Add what the instrument contributes to a length in mm.

    `surfaces` says how many more of its two ends move outward along it than inward, if the surface grows: 2 for a body's
    length, -2 for an opening, 0 from one face to another that looks the same way.
    """
    for effect in instrument.effects:
        tally.add(effect.name, effect.says, effect.on_length(length, surfaces))


def add_instrument_to_volume(tally: Tally, volume: float, area: float, instrument: Instrument) -> None:
    """Add what the instrument contributes to a volume in mm3 under an area in mm2."""
    for effect in instrument.effects:
        tally.add(effect.name, effect.says, effect.on_volume(volume, area))


def rounded(number: float, step: Decimal) -> Decimal:
    """Turn a measured number into a decimal at the stated resolution, once."""
    return Decimal(repr(number)).quantize(step, rounding=ROUND_HALF_EVEN)


def rounded_down(number: float, step: Decimal) -> Decimal:
    """Round a lower bound downward."""
    return Decimal(repr(number)).quantize(step, rounding=ROUND_FLOOR)


def rounded_up(number: float, step: Decimal) -> Decimal:
    """Round an upper bound upward."""
    return Decimal(repr(number)).quantize(step, rounding=ROUND_CEILING)
