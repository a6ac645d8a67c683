"""What is said of a goal when its bars may be seen as a goal in more than one way."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.quantity import Reading, Unmeasured
from homolog.scan.budget import LENGTH_STEP, rounded, rounded_down, rounded_up
from homolog.scan.goal_sizes import CENTRES, CLEAR, DEPTH, INNER, LEAN, POSTS, THICKNESS, WITH_CROSSBAR, Length, Sizes
from homolog.scan.measurement import Budget

PLACES: tuple[tuple[str, str | None], ...] = (
    *((quantity, place) for quantity in (CLEAR, WITH_CROSSBAR) for place in POSTS),
    (INNER, None),
    (CENTRES, None),
    *((LEAN, place) for place in POSTS),
)
ALL = tuple(dict.fromkeys([*PLACES, (THICKNESS, None), (DEPTH, None)]))


_ONE_SIDE = "one side of the bar was not seen, so that it may be thicker that way; scan it from all around, or use a caliper"


@dataclass(frozen=True, slots=True)
class Said:
    """Readings, what is missing, budgets."""

    readings: tuple[Reading, ...]
    unmeasured: tuple[Unmeasured, ...]
    budgets: tuple[Budget, ...]


def nothing(reason: str) -> Said:
    """Say that nothing could be measured."""
    return Said((), tuple(Unmeasured(quantity=quantity, place=place, reason=reason) for quantity, place in ALL), ())


def say(ways: list[Sizes], *, method: str, evidence: str, hidden: dict[str, str]) -> Said:
    """Turn the lengths of one or several ways to see a goal into readings.

    Args:
        ways: The likeliest first.
        method: How the numbers were taken.
        evidence: Where they stand.
        hidden: Bars that were seen but could not be measured, and why.
    """
    common = {"unit": "mm", "method": method, "evidence": evidence}
    readings: list[Reading] = []
    unmeasured: list[Unmeasured] = []
    budgets: list[Budget] = []
    best = ways[0]
    for key in [*PLACES, *(key for key in best.lengths if key[0] == THICKNESS)]:
        quantity, place = key
        lengths = [way.lengths[key] for way in ways if key in way.lengths]
        if key not in best.lengths or (quantity != THICKNESS and len(lengths) < len(ways)):
            reason = next(way.missing[key] for way in ways if key in way.missing)
            unmeasured.append(Unmeasured(quantity=quantity, place=place, reason=reason))
            continue
        readings.append(_reading(lengths, quantity, place, common))
        if readings[-1].value is not None:
            budgets.append(lengths[0].tally.budget())
    for place, length in best.partly.items():
        readings.append(Reading(quantity=THICKNESS, place=place, lo=rounded_down(_low(length), LENGTH_STEP), **common))  # type: ignore[arg-type]
        unmeasured.append(Unmeasured(quantity=THICKNESS, place=place, reason=_ONE_SIDE))
    for place, reason in hidden.items():
        # The places of a thickness are those of its readings: an open bound keeps an unseen bar from being passed over.
        readings.append(Reading(quantity=THICKNESS, place=place, lo=rounded(0.0, LENGTH_STEP), **common))  # type: ignore[arg-type]
        unmeasured.append(Unmeasured(quantity=THICKNESS, place=place, reason=reason))
    if any(not way.depths for way in ways):
        reason = next(way.missing[DEPTH, None] for way in ways if not way.depths)
        unmeasured.append(Unmeasured(quantity=DEPTH, reason=reason))
    else:
        low = min(_low(way.depths["rear_face"]) for way in ways)
        high = max(_high(way.depths["front_face"]) for way in ways)
        readings.append(
            Reading(
                quantity=DEPTH,
                lo=rounded_down(low, LENGTH_STEP),
                hi=rounded_up(high, LENGTH_STEP),
                **common,  # type: ignore[arg-type]
            )
        )
    return Said(tuple(readings), tuple(unmeasured), tuple(budgets))


def _reading(lengths: list[Length], quantity: str, place: str | None, common: dict[str, str]) -> Reading:
    """Give a value where all ways agree within half its uncertainty, else bounds over them."""
    first = lengths[0]
    u = float(first.tally.expanded)
    if all(abs(length.value - first.value) <= u / 2 for length in lengths):
        value = rounded(first.value, LENGTH_STEP)
        return Reading(quantity=quantity, place=place, value=value, expanded_uncertainty=first.tally.expanded, **common)  # type: ignore[arg-type]
    low, high = min(map(_low, lengths)), max(map(_high, lengths))
    lo, hi = rounded_down(low, LENGTH_STEP), rounded_up(high, LENGTH_STEP)
    return Reading(quantity=quantity, place=place, lo=max(lo, rounded(0.0, LENGTH_STEP)), hi=hi, **common)  # type: ignore[arg-type]


def _low(length: Length) -> float:
    return length.value - float(length.tally.expanded)


def _high(length: Length) -> float:
    return length.value + float(length.tally.expanded)
