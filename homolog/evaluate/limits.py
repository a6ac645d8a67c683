"""Holding a quantity against a limit, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from homolog.evaluate.evidence import Evidence, Nothing
from homolog.evaluate.finding import Decided, LimitUsed, Margin, Statement
from homolog.evaluate.interval import conformance_probability, deciding_uncertainty, interval_of, is_inside, margin_of, zone
from homolog.evaluate.methods import Ready
from homolog.evaluate.verdict import Verdict, least
from homolog.quantity import Reading
from homolog.spec.interpretation import Bounds

Rule = Literal["guarded", "simple"]


def limit_used(bounds: Bounds, unit: str) -> LimitUsed:
    """Return a limit in the quantity's unit."""
    if bounds.within is not None:
        half = bounds.within.to(unit)
        return LimitUsed(unit=unit, min=-half, max=half)
    lower, upper = bounds.min or bounds.above, bounds.max or bounds.below
    return LimitUsed(
        unit=unit,
        min=lower.to(unit) if lower else None,
        max=upper.to(unit) if upper else None,
        min_is_strict=bounds.above is not None,
        max_is_strict=bounds.below is not None,
    )


def judge_quantity(evidence: Evidence, quantity: str, limit: LimitUsed, *, rule: Rule) -> tuple[Decided, ...]:
    """Return the result at each place, the worst first.

    Where each place counts alone, a reading without a place speaks for one unnamed place: it can fail the article, and it
    proves nothing of the named ones.
    """
    foreign = evidence.foreign_places(quantity)
    if foreign:
        params = {"quantity": quantity, "places": ", ".join(foreign)}
        return (Decided(verdict=Verdict.ERROR, limit=limit, why=Statement(code="place_unknown", params=params), next=_MEND),)
    places = evidence.places(quantity)
    results = [decide(evidence, quantity, place, limit, rule=rule) for place in places]
    if evidence.each_place_alone and None not in places:
        unnamed = decide(evidence, quantity, None, limit, rule=rule)
        results = [_beside(unnamed, decided, quantity) for decided in results]
        results += [unnamed] if unnamed.verdict not in (Verdict.NOT_MEASURED, Verdict.INCONCLUSIVE) else []
    return tuple(sorted(results, key=lambda decided: decided.verdict))


_MEND = Statement(code="mend_sheet")


def _beside(unnamed: Decided, decided: Decided, quantity: str) -> Decided:
    """Say of a place without a reading of its own that the one without a place does not speak for it."""
    if decided.verdict is not Verdict.NOT_MEASURED or decided.reading is not None or unnamed.reading is None:
        return decided
    if unnamed.verdict is Verdict.NOT_MEASURED:  # it would prove nothing at its own place either
        return replace(decided, why=unnamed.why, next=unnamed.next)
    return replace(decided, why=Statement(code="place_missing", params={"quantity": quantity, "place": decided.place or ""}))


def decide(evidence: Evidence, quantity: str, place: str | None, limit: LimitUsed, *, rule: Rule) -> Decided:
    """Return how one quantity at one place stands to a limit."""
    known = evidence.known(quantity, place)
    if isinstance(known, Nothing):
        return _undecided(known, quantity, place, limit)
    reading, margin = known.reading, margin_of(known.reading, limit)
    guarded = zone(interval_of(reading), limit)
    simple = _simple(known, limit, guarded)
    verdict = simple if rule == "simple" else guarded
    return Decided(
        verdict=verdict,
        place=place,
        reading=reading,
        limit=limit,
        margin=margin,
        probability=conformance_probability(reading, limit),
        guarded=guarded,
        simple=simple,
        why=_why(reading, limit, margin, verdict),
        next=_next(reading, limit, margin, verdict),
    )


def _simple(known: Ready, limit: LimitUsed, guarded: Verdict) -> Verdict:
    """Return the verdict at shared risk; where that is not to be had, the zones decide.

    Source: ILAC-G8:09/2019, 4.2.1.
    """
    if known.reading.value is None or not known.may_share_risk:
        return guarded
    return Verdict.CONFORM if is_inside(known.reading.value, limit) else Verdict.NONCONFORM


def _undecided(known: Nothing, quantity: str, place: str | None, limit: LimitUsed) -> Decided:
    # What is missing may be one part, at one place, of a quantity that is worked out.
    where = {"quantity": known.why.params.get("quantity", quantity)}
    step = {
        "method_missing": "state_method",
        "uncertainty_missing": "state_uncertainty",
        "design_not_article": "measure_article",
        "bounds_stated": "measure_value",
    }.get(known.why.code, "mend_sheet" if known.is_error else "measure")
    spot = place or known.why.params.get("place")
    if spot is not None and step == "measure":
        where["places"] = known.why.params.get("places", spot)
    elif spot is not None:
        where["place"] = spot
    return Decided(
        verdict=Verdict.ERROR if known.is_error else Verdict.NOT_MEASURED,
        place=place,
        reading=known.reading,
        limit=limit,
        why=known.why,
        next=Statement(code=step, params=where),
    )


def _why(reading: Reading, limit: LimitUsed, margin: Margin | None, verdict: Verdict) -> Statement:
    if margin is None:
        code = {Verdict.CONFORM: "bounds_inside", Verdict.NONCONFORM: "bounds_outside"}.get(verdict, "bounds_undecided")
        return Statement(code=code)
    params = {"margin": f"{abs(margin.value)} {limit.unit}", "side": margin.side}
    if verdict is Verdict.CONFORM:
        return Statement(code="inside_by", params=params)
    if verdict is Verdict.NONCONFORM:
        return Statement(code="outside_by", params=params)
    return Statement(code="within_uncertainty", params=params | {"U": f"{reading.expanded_uncertainty} {limit.unit}"})


def _next(reading: Reading, limit: LimitUsed, margin: Margin | None, verdict: Verdict) -> Statement | None:
    if verdict is not Verdict.INCONCLUSIVE:
        return None
    if margin is None:
        return _gauge_step(reading, limit) if reading.gauge_size is not None else Statement(code="measure_value")
    needed = deciding_uncertainty(margin, limit)
    if not needed:
        return _without_deciding_uncertainty(reading, limit)
    return Statement(code="measure_again", params={"U": f"{needed} {limit.unit}"})


def _gauge_step(reading: Reading, limit: LimitUsed) -> Statement:
    """Name the gauge sizes that would decide with the same gauge uncertainty, and what each has to do.

    A gauge bounds one side. Over a body, going proves "at most"; into a gap, it proves "at least".
    """
    uncertainty = reading.expanded_uncertainty or Decimal(0)
    upper_is_open = limit.max is not None and (reading.hi is None or reading.hi > limit.max or limit.min is None)
    side, is_strict = (limit.max, limit.max_is_strict) if upper_is_open else (limit.min, limit.min_is_strict)
    edge = side or Decimal(0)
    inward = Decimal(-1 if upper_is_open else 1)
    # A bound that lies on the limit decides for the side that the limit belongs to; the other gauge has to go a step beyond.
    step = Decimal(1).scaleb(min(map(_exponent, (edge, uncertainty, reading.gauge_size or Decimal(0)))))
    accept = edge + inward * (uncertainty + (step if is_strict else 0))
    reject = edge - inward * (uncertainty + (0 if is_strict else step))
    going_proves_at_most = (reading.gauge_result == "go") == (reading.hi is not None)
    code = {
        (True, True): "use_gauge_max_go",
        (True, False): "use_gauge_max_no_go",
        (False, True): "use_gauge_min_go",
        (False, False): "use_gauge_min_no_go",
    }[upper_is_open, upper_is_open == going_proves_at_most]
    return Statement(code=code, params={"accept": f"{accept} {limit.unit}", "reject": f"{reject} {limit.unit}"})


def _exponent(number: Decimal) -> int:
    """Return the power of ten of a number's last digit, at most that of the ones."""
    exponent = number.as_tuple().exponent
    return min(exponent, 0) if isinstance(exponent, int) else 0


def _without_deciding_uncertainty(reading: Reading, limit: LimitUsed) -> Statement:
    """Name the step for a value that lies on its limit: shared risk accepts it only where the limit itself is allowed."""
    if reading.value is not None and is_inside(reading.value, limit):
        return Statement(code="accept_shared_risk")
    return Statement(code="ask_board")


def next_of(decided: Sequence[Decided]) -> Statement | None:
    """Return the next step for all places together: what is missing is named everywhere at once."""
    step = decided[0].next
    if step is None or step.code != "measure" or "places" not in step.params:
        return step
    about = step.params["quantity"]
    steps = (one.next for one in decided if one.next is not None and one.next.code == "measure")
    places = dict.fromkeys(one.params["places"] for one in steps if one.params["quantity"] == about and "places" in one.params)
    return Statement(code="measure", params={"quantity": about, "places": ", ".join(places)})


def joint(decided: tuple[Decided, ...]) -> Verdict:
    """Return the verdict over all places."""
    return least(one.verdict for one in decided)
