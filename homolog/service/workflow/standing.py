"""Owns how a type stands on a day: worked out from the dated decisions about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from homolog.service.workflow.refusal import HistoryDamaged
from homolog.spec.process import LoadedProcess

Status: TypeAlias = Literal["homologated", "provisional", "retest_due", "suspended", "withdrawn", "expired"]

_USABLE: tuple[Status, ...] = ("homologated", "provisional", "retest_due")
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision about a type, confirmed by a second person.

    Attributes:
        entry: The number of its event; of two for one day the later one comes after.
        on: From when it holds.
        until: The last day on which the homologation holds; None sets no end.
        grace: The last day on which a withdrawn type may still be used.
        retest_by: By which day a retest is to be done.
        data: All that was said with it.
        confirmed_by: The second person; None only where the rules themselves name the type.
    """

    entry: int
    step: str
    on: date
    until: date | None = None
    grace: date | None = None
    retest_by: date | None = None
    entered_by: str
    confirmed_by: str | None
    data: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a type stands on one day.

    Attributes:
        since: The first day of this status.
        until: The last day on which the homologation holds; None is without end, or no homologation.
        usable_until: The last day on which the type may be used, as far as is decided; None is without end, or not usable.
        before: How it stood before it was suspended.
    """

    status: Status
    since: date
    until: date | None = None
    is_usable: bool
    usable_until: date | None = None
    retest_by: date | None = None
    before: Status | None = None
    by: Decision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Days over which a type stands in one way, both ends included; no end is open."""

    since: date
    until: date | None
    standing: Standing


@dataclass(frozen=True, slots=True)
class Span:
    """Days on which a type may be used, both ends included; no end is open."""

    since: date
    until: date | None


def status_on(decisions: Iterable[Decision], day: date, process: LoadedProcess) -> Standing | None:
    """Return how a type stands on a day; None before its first decision holds.

    The order in which decisions are handed in does not matter: they are taken by day, then by number.

    Raises:
        HistoryDamaged: A decision does not follow from those before it.
    """
    standing: Standing | None = None
    for decision in _ordered(decisions):
        if decision.on > day:
            break
        standing = after(_aged(standing, decision.on), decision, process)
    return _aged(standing, day)


def after(standing: Standing | None, decision: Decision, process: LoadedProcess) -> Standing:
    """Return how a type stands once a decision holds.

    Raises:
        HistoryDamaged: The decision does not follow.
    """
    step = process.step(decision.step)
    status = "none" if standing is None else standing.status
    is_decision = step is not None and step.of == "type" and step.effect not in ("confirms", "takes_back")
    if step is None or not is_decision or status not in step.start:
        raise HistoryDamaged.because(
            f"{decision.step} from {decision.on} does not follow, the type is then {status}",
            todo="choose another day, or take the decision that stands against it first",
            code="decision_out_of_order",
        )
    until = None if standing is None else standing.until
    before = None if standing is None else standing.before
    new: Any = status
    if step.branch is not None:
        new = step.branch.to[before or ""]
    elif step.to is not None:
        new = step.to
    if step.id not in ("suspend", "lift_suspension", "ask_retest", "pass_retest"):  # these leave the end as it is
        until = decision.until
    kept = standing.retest_by if standing is not None and new in ("retest_due", "suspended") else None
    return _standing(
        status=new,
        since=decision.on if standing is None or new != standing.status else standing.since,
        until=until if new != "withdrawn" else None,
        grace=decision.grace,
        retest_by=decision.retest_by or kept,
        before=standing.status if standing is not None and new == "suspended" else None,
        by=decision,
    )


def periods_of(decisions: Iterable[Decision], process: LoadedProcess) -> tuple[Period, ...]:
    """Return how a type stands over all days from its first decision on, as far as decided; each day lies in one period."""
    ordered = _ordered(decisions)
    days = sorted({one for decision in ordered for one in _turns(decision)})
    periods: list[Period] = []
    for place, day in enumerate(days):
        standing = status_on(ordered, day, process)
        if standing is None:
            continue
        end = days[place + 1] - _ONE_DAY if place + 1 < len(days) else None
        if periods and periods[-1].standing == standing:
            periods[-1] = replace(periods[-1], until=end)
        else:
            periods.append(Period(since=day, until=end, standing=standing))
    return tuple(periods)


def spans_of(decisions: Iterable[Decision], process: LoadedProcess) -> tuple[Span, ...]:
    """Return the days on which a type may be used, in order, as far as decided; days that touch are one span."""
    spans: list[Span] = []
    for period in periods_of(decisions, process):
        if not period.standing.is_usable:
            continue
        if spans and spans[-1].until is not None and spans[-1].until + _ONE_DAY == period.since:
            spans[-1] = replace(spans[-1], until=period.until)
        else:
            spans.append(Span(period.since, period.until))
    return tuple(spans)


def _turns(decision: Decision) -> list[date]:
    """Return the days on which something may turn because of a decision."""
    return [decision.on, *(end + _ONE_DAY for end in (decision.until, decision.grace) if end is not None and end < date.max)]


def _ordered(decisions: Iterable[Decision]) -> Sequence[Decision]:
    return sorted(decisions, key=lambda decision: (decision.on, decision.entry))


def _aged(standing: Standing | None, day: date) -> Standing | None:
    """Return a standing as the mere passing of days leaves it."""
    if standing is None:
        return None
    if standing.until is not None and standing.until < day and standing.status not in ("withdrawn", "expired"):
        ended, since = standing.until, standing.until + _ONE_DAY
        return replace(
            standing, status="expired", since=since, until=ended, is_usable=False, usable_until=None, retest_by=None, before=None
        )
    if standing.status == "withdrawn" and standing.usable_until is not None and standing.usable_until < day:
        return replace(standing, is_usable=False)
    return standing


def _standing(
    *,
    status: Status,
    since: date,
    until: date | None,
    grace: date | None,
    retest_by: date | None,
    before: Status | None,
    by: Decision | None,
) -> Standing:
    in_grace = status == "withdrawn" and grace is not None
    return Standing(
        status=status,
        since=since,
        until=until,
        is_usable=status in _USABLE or in_grace,
        usable_until=grace if in_grace else until if status in _USABLE else None,
        retest_by=retest_by,
        before=before,
        by=by,
    )
