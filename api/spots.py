"""Which parts of a measured goalkeeper's surface a finding colours, so that a viewer shows what is beyond a limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from homolog.report.messages import Catalogue

How = Literal["from_below", "from_middle", "whole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What one finding colours.

    Attributes:
        meshes: Names of the meshes.
        axis: x to the side, y through the thickness, z up.
        how: `from_below`: what is farther up than the limit. `from_middle`: what is farther out than half the limit on either
            side. `whole`: all of the part, where no place is longer or shorter than the rest.
        most: The limit in mm; 0 where the whole part is coloured.
        floor: Height in mm below which nothing is coloured, as the base does not count.
        verdict: The finding's.
        label: The quantity with what was measured and the limit.
    """

    meshes: str
    axis: str
    how: How
    most: str
    floor: str
    verdict: str
    label: str


_WHERE: Mapping[str, tuple[str, str, How]] = {
    "goalkeeper.height": ("body", "z", "from_below"),
    "goalkeeper.width": ("body", "x", "from_middle"),
    "goalkeeper.large_end_width": ("body", "x", "from_middle"),
    "goalkeeper.large_end_width.with_base": ("body", "x", "from_middle"),
    "goalkeeper.figure_width": ("body", "x", "from_middle"),
    "goalkeeper.large_end_width.figure": ("body", "x", "from_middle"),
    "goalkeeper.figure_thickness": ("body", "y", "from_middle"),
    "goalkeeper.figure_thickness.in_playing_position": ("body", "y", "from_middle"),
    "goalkeeper.volume.outer": ("body", "z", "whole"),
    "goalkeeper.volume.without_embedded_rod": ("body", "z", "whole"),
    "goalkeeper.volume.material": ("body", "z", "whole"),
    "goalkeeper.rod_length": ("rod", "z", "whole"),
    "goalkeeper.rod_width": ("rod", "z", "whole"),
    "goalkeeper.rod_straightness": ("rod", "z", "whole"),
    "goalkeeper.handle_length": ("handle", "z", "whole"),
}
_OF_THE_FIGURE = ("figure_width", "figure_thickness", ".figure")
_COLOURED = ("nonconform", "inconclusive", "needs_judgement")


def spots_of(words: Catalogue, record: Mapping[str, Any]) -> tuple[Spot, ...]:
    """Return what the findings of a record colour; only what was read from the scan itself has a place on it."""
    return tuple(_spots(words, record))


def _spots(words: Catalogue, record: Mapping[str, Any]) -> Iterator[Spot]:
    from homolog.report.wording import SYMBOLS, limit_text, reading_text

    for finding in record["findings"]:
        reading, limit = finding["reading"], finding["limit"]
        if finding["verdict"] not in _COLOURED or reading is None or limit is None or reading["quantity"] not in _WHERE:
            continue
        if not str(reading["evidence"] or "").startswith("scan:"):
            continue
        meshes, axis, how = _WHERE[reading["quantity"]]
        if limit["max"] is None or limit["unit"] != "mm":
            how = "whole"
        quantity = words.name("quantity", reading["quantity"])
        name = finding["requirement"] if quantity == reading["quantity"] else quantity
        yield Spot(
            meshes=meshes,
            axis=axis,
            how=how,
            most="0" if how == "whole" else limit["max"],
            floor=_floor(record) if any(part in reading["quantity"] for part in _OF_THE_FIGURE) else "",
            verdict=finding["verdict"],
            label=f"{SYMBOLS[finding['verdict']]} {name} {reading_text(words, reading)} ({limit_text(words, limit)})",
        )


def _floor(record: Mapping[str, Any]) -> str:
    """Return the height of the base as the scan showed it, without its unit; empty for a figure without a base."""
    height, _, unit = str((record["scan"] or {}).get("facts", {}).get("base_height", "")).partition(" ")
    return height if unit == "mm" else ""
