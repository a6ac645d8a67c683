"""Finding types in the register: by words in any alphabet, by item, family and status, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Select, exists, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from homolog.register.folding import LONGEST, fold
from homolog.register.tables.types import RegisteredType, TypePeriod, TypeWord
from homolog.register.types import PeriodRecord, TypeRecord, periods, record_of

MOST: Final = 200
MOST_WORDS: Final = 8
_RARE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for.

    Attributes:
        words: As somebody typed them; every one must begin a word of the type's name, maker, family or number.
        status: How it stands on the day.
        on: The day.
    """

    words: str = ""
    item: str | None = None
    family: str | None = None
    status: str | None = None
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One type, and how it stands on the day; no period where it does not stand in the register then."""

    type: TypeRecord
    period: PeriodRecord | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some types in the order of their names.

    Attributes:
        after: Where the next page begins; None if this is the last.
    """

    found: tuple[Found, ...]
    after: str | None


def search(session: Session, wanted: Wanted, *, after: str | None = None, limit: int = 50) -> Page:
    """Return a page of types.

    Args:
        session: One that reads.
        wanted: What is looked for.
        after: What the page before said.
        limit: Most that are returned, at most 200.
    """
    size = max(1, min(limit, MOST))
    asked = list(dict.fromkeys(fold(wanted.words).split()))[:MOST_WORDS]
    if wanted.words.strip() and not asked:  # nothing that could be compared was typed: it matches nothing, not everything
        return Page(found=(), after=None)
    rows = list(session.exec(_query(session, wanted, asked, after).limit(size + 1)))
    records = [record_of(row) for row in rows[:size]]
    of = periods(session, [record.id for record in records])
    found = tuple(Found(type=record, period=_on(of[record.id], wanted.on)) for record in records)
    return Page(found=found, after=records[-1].sort_key if len(rows) > size else None)


def _query(session: Session, wanted: Wanted, asked: list[str], after: str | None) -> Any:
    """Return the select that walks the index of what is rarest: a word, a status, or else the list itself."""
    query: Any = select(RegisteredType)
    key: Any = col(RegisteredType.sort_key)
    if asked:
        first, *others = sorted(asked, key=lambda word: _how_many(session, word))
        lead = aliased(TypeWord)
        query = query.join(lead, col(lead.type_id) == col(RegisteredType.id)).where(lead.beginning == first[:LONGEST])
        key = col(lead.sort_key)
        for word in others:
            other = aliased(TypeWord)
            query = query.where(exists().where(col(other.beginning) == word[:LONGEST], col(other.sort_key) == key))
    if wanted.status is not None:
        query, key = _with_status(query, key, wanted, is_led=bool(asked))
    query = _filtered(query, wanted, asked)
    return (query if after is None else query.where(key > after)).order_by(key)


def _with_status(query: Any, key: Any, wanted: Wanted, *, is_led: bool) -> tuple[Any, Any]:
    period = aliased(TypePeriod)
    query = query.join(period, col(period.type_id) == col(RegisteredType.id)).where(
        period.status == wanted.status,
        col(period.since) <= wanted.on,
        or_(col(period.until).is_(None), col(period.until) >= wanted.on),
    )
    return query, key if is_led else col(period.sort_key)


def _filtered(query: Any, wanted: Wanted, asked: list[str]) -> Any:
    if wanted.item is not None:
        query = query.where(RegisteredType.item == wanted.item)
    if wanted.family is not None:
        query = query.where(RegisteredType.family == wanted.family)
    for word in asked:
        if len(word) > LONGEST:  # what is longer than the beginnings that are kept is compared in what they found
            query = query.where(col(RegisteredType.found_by).like(f"% {word}%"))
    return query


def _how_many(session: Session, word: str) -> int:
    """Return how many types a beginning finds, as far as it matters which is the rarest."""
    some: Select[Any] = select(TypeWord.type_id).where(TypeWord.beginning == word[:LONGEST]).limit(_RARE)
    return session.exec(select(func.count()).select_from(some.subquery())).one()


def _on(found: tuple[PeriodRecord, ...], day: date) -> PeriodRecord | None:
    return next((one for one in found if one.since <= day and (one.until is None or day <= one.until)), None)
