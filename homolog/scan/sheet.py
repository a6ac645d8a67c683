"""One picture in the making: a view without words, hatched where it was repaired, with marks for the report to draw."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from types import MappingProxyType

import numpy as np

from homolog.quantity import Reading
from homolog.scan.drawing import Drawing
from homolog.scan.hatching import strokes
from homolog.scan.marks import Mark, Picture, Point
from homolog.scan.png import data_uri
from homolog.scan.render import View
from homolog.scan.surface import Floats

# Frames of the usual views of a body that stands along z and looks along y: columns are right, up and toward the viewer.
FRONT = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
"""From +y: x runs to the left."""
SIDE = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""From +x: y runs to the right."""
TOP = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""From +z: y runs to the right, x downward."""

_HATCH_MM = 0.5
_MOST_HATCHED = 60
_HIDDEN_MM = 0.5
_MOST_NAMED = 3
_NAMED_MM2 = 5.0
_LETTER = 1 / 30

Readings = Mapping[tuple[str, str | None], Reading]


def readings_by_place(readings: Sequence[Reading]) -> Readings:
    """Return readings by quantity and place."""
    return {(reading.quantity, reading.place): reading for reading in readings}


class Sheet:
    """A drawing, and the marks on it."""

    def __init__(self, drawing: Drawing, axes: Floats) -> None:
        """Take an empty drawing in the frame whose columns are x, y and toward the viewer."""
        self.drawing, self.axes = drawing, axes
        self.marks: list[Mark] = []
        self.repaired = 0

    @classmethod
    def of(cls, view: View, axes: Floats, reach: float = 0.0) -> Sheet:
        """Begin with what was rendered; if so many mm are given, the drawing reaches as far from its zero."""
        left, bottom, right, top = view.left, view.top - view.height, view.left + view.width, view.top
        if reach:
            left, bottom, right, top = min(left, -reach), min(bottom, -reach), max(right, reach), max(top, reach)
        unit = max(right - left, 0.65 * (top - bottom)) * _LETTER
        drawing = Drawing(left, bottom, right - left, top - bottom, unit=unit)
        drawing.image(data_uri(view.picture), view.left, view.top, view.width, view.height)
        return cls(drawing, axes)

    def beside(self, quantity: str, a: Floats, b: Floats, side: str, place: str | None = None) -> None:
        """Have the length between two points (3,) dimensioned along a side."""
        self.marks.append(Mark(form="beside", side=side, a=self._at(a), b=self._at(b), quantity=quantity, place=place))

    def within(self, quantity: str, a: Floats, b: Floats, side: str, place: str | None = None) -> None:
        """Have the length between two points (3,) drawn where it lies, and named on a side."""
        self.marks.append(Mark(form="within", side=side, a=self._at(a), b=self._at(b), quantity=quantity, place=place))

    def whole(self, quantity: str, at: Floats, side: str) -> None:
        """Have a quantity of a whole body named on a side."""
        self.marks.append(Mark(form="spot", side=side, a=self._at(at), b=self._at(at), quantity=quantity))

    def spot(self, about: str, at: Floats, side: str, number: str | None = None) -> None:
        """Have something said of a place (3,), by its code."""
        self.marks.append(Mark(form="spot", side=side, a=self._at(at), b=self._at(at), spot=about, number=number))

    def hatch(self, rims: Sequence[Floats], areas: Sequence[float], view: View) -> None:
        """Hatch the repaired places that face the viewer, and name the largest of them.

        Args:
            rims: Outlines (k, 3) of the places.
            areas: Their areas, mm2, with which the list is in falling order.
            view: What is seen, so that no place behind something else is hatched.
        """
        for points, area in list(zip(rims, areas, strict=True))[:_MOST_HATCHED]:
            rim = points @ self.axes
            if np.cross(rim - rim.mean(0), np.roll(rim, -1, axis=0) - rim.mean(0)).sum(0)[2] <= 0 or _is_hidden(rim.mean(0), view):
                continue
            self.repaired += 1
            closed = np.vstack([rim, rim[:1]])[:, :2].tolist()
            pairs = [((a[0], a[1]), (b[0], b[1])) for a, b in itertools.pairwise(closed)]
            for a, b in (*pairs, *strokes(rim[:, :2], _HATCH_MM)):
                self.drawing.line(a, b, weight=0.05)
            if self.repaired <= _MOST_NAMED and area >= _NAMED_MM2:
                self.spot("repaired", points.mean(axis=0), "right", f"{area:.1f} mm2")

    def picture(self, name: str, title: str, says: str, readings: Readings, params: Mapping[str, str] | None = None) -> Picture:
        """Return the picture with its description in English, which names every quantity that is marked."""
        lengths = [
            f"{_words(mark.quantity, mark.place)} {said(readings.get((mark.quantity, mark.place)))}"
            for mark in self.marks
            if mark.quantity is not None
        ]
        told = [says, "; ".join(lengths).capitalize() + "." if lengths else ""]
        if self.repaired:
            told.append("One repaired place is hatched." if self.repaired == 1 else f"{self.repaired} repaired places are hatched.")
        alt = " ".join(part for part in told if part)
        return Picture(
            name=name,
            title=title,
            alt=alt,
            svg=self.drawing.svg(title, alt),
            marks=tuple(self.marks),
            repaired=self.repaired,
            params=MappingProxyType(dict(params or {})),
        )

    def _at(self, point: Floats) -> Point:
        x, y = (np.asarray(point, float) @ self.axes)[:2]
        drawing = self.drawing
        return _two(float(x) - drawing.left), _two(drawing.bottom + drawing.height - float(y))


def _two(value: float) -> Decimal:
    return Decimal(f"{value:.2f}") + 0  # without a negative zero


def ends_along(points: Floats, axis: int) -> tuple[Floats, Floats]:
    """Return the two points (3,) between which points (n, 3) reach along an axis."""
    along = np.round(points[:, axis], 5)
    return points[int(along.argmin())], points[int(along.argmax())]


def said(reading: Reading | None) -> str:
    """Return a reading as short words, with no more digits than U has."""
    if reading is None:
        return "not measured"
    if reading.value is None:
        low = "" if reading.lo is None else f"at least {reading.lo} {reading.unit}"
        high = "" if reading.hi is None else f"at most {reading.hi} {reading.unit}"
        return " and ".join(part for part in (low, high) if part)
    wide = reading.expanded_uncertainty
    if not wide:
        return f"{reading.value} {reading.unit}"
    step = max(Decimal(1).scaleb(wide.adjusted() - 1), Decimal("0.001"))
    return f"{reading.value.quantize(step)} ± {wide.quantize(step, rounding=ROUND_CEILING)} {reading.unit}"


def _words(quantity: str, place: str | None) -> str:
    name = quantity.partition(".")[2].replace(".", ", ").replace("_", " ")
    return f"{name} ({place.replace('_', ' ')})" if place else name


def _is_hidden(place: Floats, view: View) -> bool:
    """Say whether something lies clearly nearer to the viewer than a place in the picture's frame."""
    seen = view.seen
    column, row = round(float(place[0] - seen.left) / seen.step), round(float(seen.top - place[1]) / seen.step)
    if not (0 <= row < seen.depth.shape[0] and 0 <= column < seen.depth.shape[1]):
        return False
    return bool(seen.depth[row, column] > place[2] + _HIDDEN_MM)
