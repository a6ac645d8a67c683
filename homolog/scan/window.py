"""The unit of a file, decided on one length of an item that is known well enough."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.errors import InputRefused, Problem
from homolog.scan.unit import FACTORS, UnitChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A length of an item, and between what bounds in mm it lies for every article that is one at all.

    The bounds are far wider than any rule and closer together than the 2.54 of inch to centimetre, so that no
    article fits two units.
    """

    item: str
    what: str
    low: float
    high: float

    def fits(self, side: float, unit: str) -> bool:
        """Say whether a length in file units is one of this item in a unit."""
        return self.low <= side * FACTORS[unit] <= self.high


def decide_unit(side: float, window: Window, *, declared: str | None, name: str) -> UnitChoice:
    """Choose the unit in which a length in file units is one of the item.

    Raises:
        InputRefused: A declared unit makes no such article of it, or no unit does.
    """
    sizes = {unit: side * factor for unit, factor in FACTORS.items()}
    fitting = [unit for unit in FACTORS if window.fits(side, unit)]
    if declared is not None:
        if declared not in fitting:
            what = f"in {declared}, as declared, {window.what} would be {_size(sizes[declared])}, which is no {window.item}"
            todo = f"declare {fitting[0]} if that is the file's unit" if fitting else f"see whether the file shows a {window.item}"
            raise InputRefused(Problem(name, what, todo, "scan_unit_implausible"))
        return UnitChoice(declared, f"The submission declares {declared}: {window.what} is then {_size(sizes[declared])}.")
    if len(fitting) != 1:
        said = ", ".join(f"{_size(size)} in {unit}" for unit, size in sizes.items())
        what = f"the file's unit cannot be told: {window.what} would be {said}, and none of them is a {window.item}'s"
        raise InputRefused(Problem(name, what, "declare the unit (mm, cm, m or in)", "scan_unit_unknown"))
    unit = fitting[0]
    others = "; ".join(f"in {other} it would be {_size(size)}" for other, size in sizes.items() if other != unit)
    reason = (
        f"The file states no unit. {window.what[0].upper()}{window.what[1:]} measures {side:.4g} file units: in {unit} that is "
        f"{_size(sizes[unit])}, within the {window.low:.0f} to {window.high:.0f} mm of a {window.item}; {others}, which is "
        "excluded."
    )
    return UnitChoice(unit, reason)


def _size(mm: float) -> str:
    return f"{mm:.3g} mm" if mm < 1 else f"{mm:.1f} mm" if mm < 1000 else f"{mm / 1000:.3g} m"
