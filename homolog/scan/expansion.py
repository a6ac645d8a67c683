"""How much an article's lengths may differ from those at 20 degrees Celsius.

Lengths grow by the share a (T - 20). Neither is known well: of the temperature nothing, if the sheet is silent, but that rooms
with scanners have 15 to 25 degrees Celsius; of the expansion a what the class of material says. The reading is not corrected
for it: a is too uncertain, and the rule names no temperature; the whole difference counts as a standard uncertainty, so that
u = sqrt(a^2 + u_a^2) sqrt((T - 20)^2 + u_T^2), and 2 u holds the difference even where it is known.

| material    | a in 1e-6 per K | half its range |
|-------------|----------------:|---------------:|
| not stated  |              90 |             50 |
| pla         |              75 |             20 |
| petg        |              65 |             20 |
| abs         |              90 |             20 |
| polystyrene |              70 |             20 |
| nylon       |             100 |             30 |
| resin       |             100 |             40 |
| metal       |              20 |             10 |

The figures are the ranges of common handbooks for unfilled material, rounded outward by us; a range counts as evenly filled.
An article whose material is not stated is taken for a plastic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from homolog.quantity import Conditions

NORMAL = 20.0
"""Degrees Celsius at which a length is what it is called (ISO 1)."""
ROOM_HALF_RANGE = 5.0
"""How far from that a room may be, in kelvin, where nothing is stated."""
LEAST_U = 0.5
"""Standard uncertainty in kelvin below which nobody knows the temperature of an article under a scanner's lamp."""

_PER_KELVIN = 1e-6
EXPANSIONS: Mapping[str | None, tuple[float, float]] = {
    None: (90, 50),
    "pla": (75, 20),
    "petg": (65, 20),
    "abs": (90, 20),
    "polystyrene": (70, 20),
    "nylon": (100, 30),
    "resin": (100, 40),
    "metal": (20, 10),
}
"""By class of material: the expansion and half the range in which it lies, in 1e-6 per kelvin."""


def thermal_share(conditions: Conditions | None) -> float:
    """Return by what share lengths may differ from those at 20 degrees Celsius (k = 1)."""
    expansion, half_range = EXPANSIONS[None if conditions is None else conditions.material]
    return math.hypot(expansion, half_range / math.sqrt(3)) * _PER_KELVIN * departure(conditions)


def departure(conditions: Conditions | None) -> float:
    """Return how far the temperature may be from 20 degrees Celsius, in kelvin (k = 1)."""
    if conditions is None or conditions.temperature is None:
        return ROOM_HALF_RANGE / math.sqrt(3)
    u = LEAST_U if conditions.temperature_u is None else max(float(conditions.temperature_u) / 2, LEAST_U)
    return math.hypot(float(conditions.temperature) - NORMAL, u)
