"""A ball's diameter at three places, with its uncertainty: least squares, largest and smallest."""

from __future__ import annotations

from homolog.quantity import Reading, Unmeasured
from homolog.scan.ball_body import Ball
from homolog.scan.ball_form import Extreme
from homolog.scan.budget import LENGTH_STEP, Tally, add_instrument, rounded, rounded_down, rounded_up
from homolog.scan.measurement import Budget
from homolog.scan.sources import Instrument

DIAMETER = "ball.diameter"
MEAN_COVERAGE = 0.15
"""Share of the sphere that a scan must show for any diameter."""
EXTREMES_COVERAGE = 0.42
"""Share that it must show for the largest and smallest: nearly a half, so that every diameter has one end in sight."""


def read_diameters(
    ball: Ball, instrument: Instrument, *, evidence: str
) -> tuple[tuple[Reading, ...], tuple[Unmeasured, ...], tuple[Budget, ...]]:
    """Read the diameter at the places `least_squares`, `largest` and `smallest`."""
    if ball.coverage < MEAN_COVERAGE:
        reason = (
            f"the scan shows {100 * ball.coverage:.0f} % of the ball, less than the {100 * MEAN_COVERAGE:.0f} % that a diameter "
            "needs; scan it from more sides"
        )
        return (), (Unmeasured(quantity=DIAMETER, reason=reason),), ()
    common = {
        "quantity": DIAMETER,
        "unit": "mm",
        "method": "cad" if instrument.is_design else "scan.extent",
        "evidence": evidence,
    }
    readings, unmeasured, budgets = [], [], []
    form = ball.form
    for place, extreme in (("least_squares", form.mean), ("largest", form.largest), ("smallest", form.smallest)):
        tally = _tally(place, extreme, ball, instrument)
        value, u = rounded(extreme.length, LENGTH_STEP), tally.expanded
        budgets.append(tally.budget())
        if place == "least_squares" or ball.coverage >= EXTREMES_COVERAGE:
            readings.append(Reading(value=value, expanded_uncertainty=u, place=place, **common))  # type: ignore[arg-type]
            continue
        mean = form.mean
        seen = float(_tally(place, mean, ball, instrument).expanded)
        # The mean lies between the extremes, so that it bounds both.
        if place == "largest":
            bound = {"lo": rounded_down(mean.length - seen, LENGTH_STEP)}
        else:
            bound = {"hi": rounded_up(mean.length + seen, LENGTH_STEP)}
        readings.append(Reading(place=place, **bound, **common))  # type: ignore[arg-type]
        budgets.pop()
        reason = (
            f"the scan shows {100 * ball.coverage:.0f} % of the ball, less than the {100 * EXTREMES_COVERAGE:.0f} % that the "
            f"{place} diameter needs; scan it from more sides"
        )
        unmeasured.append(Unmeasured(quantity=DIAMETER, reason=reason, place=place))
    return tuple(readings), tuple(unmeasured), tuple(budgets)


def _tally(place: str, extreme: Extreme, ball: Ball, instrument: Instrument) -> Tally:
    tally = Tally(DIAMETER, place)
    add_instrument(tally, extreme.length, 2, instrument)
    tally.add("noise", "Noise, and the sides that the scan does not show", extreme.uncertainty)
    tally.add("facets", "Flat facets lie inside the round surface", ball.depth)
    return tally
