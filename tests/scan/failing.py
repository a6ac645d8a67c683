"""One goalkeeper that is known, ways to damage its file, and what may come of that: right within U, or refused."""

from __future__ import annotations

from functools import cache

import numpy as np

from homolog.errors import InputRefused
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.welding import weld
from tests.bodies import Keeper, Recipe, binary_stl, make_keeper
from tests.scan.measuring import (
    COLUMNS,
    HEIGHT,
    OUTER,
    covers,
    measure_bytes,
    value,
)
from tools.mesh_writers import Body


@cache
def keeper() -> Keeper:
    """A goalkeeper of 4,600 facets with a rod in its base."""
    return make_keeper(Recipe(edge=0.7))


@cache
def clean() -> ScanMeasurement:
    """What its sound file gives."""
    return measured(keeper().corners)


def measured(corners: np.ndarray, *, source: str = "structured_light", unit: str | None = None) -> ScanMeasurement:
    """Measure faces as binary STL."""
    return measure_bytes(binary_stl(corners), source=source, unit=unit)


def tried(data: bytes, name: str = "keeper.stl", *, unit: str | None = None) -> ScanMeasurement | str:
    """Measure a file; the code of the refusal if it is refused."""
    try:
        return measure_bytes(data, name=name, unit=unit)
    except InputRefused as refusal:
        return refusal.problems[0].code


def as_body(corners: np.ndarray) -> Body:
    """The same faces with shared points, for the writers of other formats."""
    surface = weld(corners)
    return Body(tuple(map(tuple, surface.points.tolist())), tuple(map(tuple, surface.faces.tolist())), 0.0)


def assert_never_wrong(found: ScanMeasurement, truth: dict[str, float] | None = None) -> None:
    """Hold every number that is given against the truth; what is not measured must say why."""
    known = keeper().truth if truth is None else truth
    read = {item.quantity for item in found.readings}
    for quantity, column in COLUMNS.items():
        if quantity in read and column in known:
            assert covers(found, quantity, known[column]), (quantity, known[column], found.readings)
        else:
            assert any(item.quantity == quantity and item.reason for item in found.unmeasured), quantity


def assert_as_clean(found: ScanMeasurement, *, rel: float = 2e-3) -> None:
    """Hold a file whose damage hides nothing: it gives the numbers of the sound one."""
    assert_never_wrong(found)
    assert abs(value(found, OUTER) / value(clean(), OUTER) - 1) < rel
    assert abs(value(found, HEIGHT) - value(clean(), HEIGHT)) < 0.02


def kinds(found: ScanMeasurement) -> set[str]:
    """What was repaired."""
    return {repair.kind for repair in found.repairs}
