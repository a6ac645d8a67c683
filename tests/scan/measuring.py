"""Measuring test bodies in this process, without the sandbox."""

from __future__ import annotations

import hashlib

import numpy as np

from homolog.gate.mesh_file import check_mesh
from homolog.quantity import Reading
from homolog.scan.keeper import measure_goalkeeper
from homolog.scan.measurement import ScanMeasurement
from tests.bodies import binary_stl

OUTER = "goalkeeper.volume.outer"
HEIGHT = "goalkeeper.height"
WIDTH = "goalkeeper.width"
THICKNESS = "goalkeeper.figure_thickness"
STANDING = "goalkeeper.figure_thickness.in_playing_position"
ROD = "goalkeeper.rod_length"
ROD_WIDTH = "goalkeeper.rod_width"
STRAIGHT = "goalkeeper.rod_straightness"
HANDLE = "goalkeeper.handle_length"
COLUMNS = {
    OUTER: "volume",
    HEIGHT: "height",
    WIDTH: "width",
    STANDING: "figure_thickness",
    THICKNESS: "figure_thickness",
    ROD: "rod_length",
    ROD_WIDTH: "rod_width",
    HANDLE: "handle_length",
    "goalkeeper.volume.without_embedded_rod": "volume_without_embedded_rod",
}
"""Which true number of a body each quantity measures."""


def measure(corners: np.ndarray, *, unit: str | None = None, source: str = "structured_light") -> ScanMeasurement:
    """Measure faces as a binary file."""
    return measure_bytes(binary_stl(corners), unit=unit, source=source)


def measure_bytes(
    data: bytes, *, unit: str | None = None, source: str = "structured_light", name: str = "keeper.stl", glb: bool = False
) -> ScanMeasurement:
    """Measure a file."""
    job = {
        "name": name,
        "item": "goalkeeper",
        "unit": unit,
        "source": source,
        "sha256": hashlib.sha256(data).hexdigest(),
        "glb": glb,
    }
    return measure_goalkeeper(check_mesh(data, name=name), job)


def reading(measurement: ScanMeasurement, quantity: str) -> Reading:
    """Return the one reading of a quantity."""
    (found,) = (item for item in measurement.readings if item.quantity == quantity)
    return found


def value(measurement: ScanMeasurement, quantity: str) -> float:
    """Return the measured value."""
    number = reading(measurement, quantity).value
    assert number is not None, quantity
    return float(number)


def covers(measurement: ScanMeasurement, quantity: str, truth: float) -> bool:
    """Say whether the truth lies within what the reading states."""
    item = reading(measurement, quantity)
    if item.value is not None:
        assert item.expanded_uncertainty is not None
        return abs(float(item.value) - truth) <= float(item.expanded_uncertainty)
    low = -np.inf if item.lo is None else float(item.lo)
    high = np.inf if item.hi is None else float(item.hi)
    return bool(low <= truth <= high)


def why_not(measurement: ScanMeasurement, quantity: str) -> str:
    """Return why a quantity was not measured."""
    (found,) = (item.reason for item in measurement.unmeasured if item.quantity == quantity)
    return found
