"""Which unit of length a file without one is in, decided on the article itself and said with its reason."""

from __future__ import annotations

import math
from dataclasses import dataclass

from homolog.errors import InputRefused, Problem

FACTORS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "m": 1000.0}

BODY_MM = (22.0, 55.0)
"""Longest side of a goalkeeper's body without the rod. Wide enough for articles far out of rule, and narrower than the
ratio 2.54 of inch to centimetre, so that no body fits two units."""
WHOLE_MM = (22.0, 420.0)
"""Longest side of the whole scan, rod and handle included: the first filter."""
_USUAL_MM = 170.0


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """A unit with the sentence that says why it was taken, and whether nobody stated it."""

    unit: str
    reason: str
    is_assumed: bool = False


def candidates(whole: float) -> list[str]:
    """Return the units in which a scan of this longest side could hold a goalkeeper, the likeliest first."""
    fitting = [unit for unit, factor in FACTORS.items() if WHOLE_MM[0] <= whole * factor <= WHOLE_MM[1]]
    return sorted(fitting, key=lambda unit: abs(math.log(whole * FACTORS[unit] / _USUAL_MM)))


def unit_of_body(body: float) -> str | None:
    """Return the one unit in which a body of this longest side is a goalkeeper's, if there is one."""
    fitting = [unit for unit, factor in FACTORS.items() if BODY_MM[0] <= body * factor <= BODY_MM[1]]
    return fitting[0] if len(fitting) == 1 else None


def explain(unit: str, side: float, what: str) -> UnitChoice:
    """Say why a unit was taken: what it makes of the article, and what the others would make of it."""
    others = "; ".join(f"in {name} it would be {_size(side * factor)}" for name, factor in FACTORS.items() if name != unit)
    low, high = BODY_MM
    reason = (
        f"The file states no unit. {what} measures {side:.4g} file units: in {unit} that is {_size(side * FACTORS[unit])}, "
        f"within the {low:.0f} to {high:.0f} mm of a goalkeeper; {others}, which is excluded."
    )
    return UnitChoice(unit, reason)


def declared(unit: str, side: float, what: str) -> UnitChoice:
    """Say that the submitter's unit was taken and what it makes of the article."""
    return UnitChoice(unit, f"The submission declares {unit}: {what.lower()} is then {_size(side * FACTORS[unit])} long.")


def refuse_declared(unit: str, side: float, what: str, window: tuple[float, float], name: str) -> InputRefused:
    """Build the refusal of a declared unit that makes no goalkeeper of the article."""
    better = [other for other, factor in FACTORS.items() if window[0] <= side * factor <= window[1]]
    hint = f"declare {' or '.join(better)} if that is the file's unit" if better else "see whether the file shows a goalkeeper"
    said = f"in {unit}, as declared, {what.lower()} would be {_size(side * FACTORS[unit])} long, which is no goalkeeper"
    return InputRefused(Problem(name, said, hint, "scan_unit_implausible"))


def refuse_undecided(side: float, what: str, name: str) -> InputRefused:
    """Build the refusal of a file whose unit cannot be told."""
    sizes = ", ".join(f"{_size(side * factor)} in {unit}" for unit, factor in FACTORS.items())
    said = f"the file's unit cannot be told: {what.lower()} would be {sizes}, and none or more than one of them is a goalkeeper"
    return InputRefused(Problem(name, said, "declare the unit (mm, cm, m or in)", "scan_unit_unknown"))


def _size(mm: float) -> str:
    return f"{mm:.1f} mm" if mm < 1000 else f"{mm / 1000:.3g} m"
