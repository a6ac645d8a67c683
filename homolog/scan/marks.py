"""Pictures of a measured article, and the marks that say where in them a quantity is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any

Point = tuple[Decimal, Decimal]
"""To the right from a drawing's left edge, and downward from its upper one, in the units of its view box: mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where a quantity is taken in a drawing, or a place that a reader should know of.

    Attributes:
        form: `beside`: a length between two points, to be dimensioned on a side of the drawing, along it. `within`: a length
            from point to point, drawn where it lies. `spot`: one place, or a quantity that belongs to a whole body.
        side: On which side of the drawing it is named: `left`, `right`, `above` or `below`.
        a: The first point; of a spot the only one.
        b: The second point.
        quantity: What is taken there; None of a mere place.
        place: Which one, of a quantity that an article has several of.
        spot: Code of what is to be said of a mere place, such as `cut`.
        number: A number with its unit that belongs to a mere place.
    """

    form: str
    side: str
    a: Point
    b: Point
    quantity: str | None = None
    place: str | None = None
    spot: str | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawing without words, what is to be marked in it, and its description for those who do not see it.

    Attributes:
        name: Code of what it shows; for each item its own.
        repaired: How many repaired places are hatched in it.
        params: Further numbers that its description takes.
    """

    name: str
    title: str
    alt: str
    svg: str
    marks: tuple[Mark, ...] = ()
    repaired: int = 0
    params: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def picture_of(data: Mapping[str, Any]) -> Picture:
    """Build a picture from its JSON form."""
    marks = tuple(Mark(**{**row, "a": _point(row["a"]), "b": _point(row["b"])}) for row in data["marks"])
    return Picture(**{**data, "marks": marks, "params": MappingProxyType(dict(data["params"]))})


def _point(pair: list[str]) -> Point:
    return Decimal(pair[0]), Decimal(pair[1])
