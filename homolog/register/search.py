"""Finding types in the register: by words in any alphabet, by item, family and status, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import exists, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from homolog.register.folding import LONGEST, fold
from homolog.register.tables.types import RegisteredType, TypePeriod, TypeWord
from homolog.register.types import PeriodRecord, TypeRecord, periods, record_of

MOST: Final = 200
MOST_WORDS: Final = 8
_RARE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for.

    Attributes:
        words: As somebody typed them; every one must begin a word of the type's name, maker, family or number.
        number: The whole number of the one type that is meant.
        status: How it stands on the day.
        on: The day.
    """

    words: str = ""
    number: str | None = None
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
    rows: Any = session.execute(_query(session, wanted, asked, after).limit(size + 1)).all()
    records = [record_of(row) for row in rows[:size]]
    of = periods(session, [record.id for record in records])
    found = tuple(Found(type=record, period=_on(of[record.id], wanted.on)) for record in records)
    return Page(found=found, after=records[-1].sort_key if len(rows) > size else None)


def all_types(session: Session, *, after: str | None, limit: int) -> tuple[TypeRecord, ...]:
    """Return all types in the order of their names, from after a sort key on."""
    query: Any = select(*RegisteredType.__table__.c).order_by(col(RegisteredType.sort_key)).limit(limit)  # type: ignore[attr-defined]
    rows: Any = session.execute(query if after is None else query.where(col(RegisteredType.sort_key) > after)).all()
    return tuple(record_of(row) for row in rows)


def _query(session: Session, wanted: Wanted, asked: list[str], after: str | None) -> Any:
    """Return the select that walks the index of what is rarest: a word, a status, or else the list itself."""
    is_choice = len(asked) + (wanted.status is not None) > 1
    often = {word: _how_many(session, TypeWord.beginning, word[:LONGEST]) if is_choice else 0 for word in asked}
    words = sorted(asked, key=lambda word: often[word])
    query: Any = select(*RegisteredType.__table__.c)  # type: ignore[attr-defined]  # bare columns: no row is changed here
    key: Any = col(RegisteredType.sort_key)
    by_word = bool(words)
    if wanted.status is not None:
        by_word = by_word and often[words[0]] <= _how_many(session, TypePeriod.status, wanted.status)
        query, key = _with_status(query, wanted)
    if by_word:
        lead = aliased(TypeWord)
        # By the key, not the id: then the index of words alone is walked, and no other row is read before all words are found.
        query = query.join(lead, col(lead.sort_key) == col(RegisteredType.sort_key)).where(lead.beginning == words[0][:LONGEST])
        key, words = col(lead.sort_key), words[1:]
    for word in words:
        other = aliased(TypeWord)
        query = query.where(exists().where(col(other.beginning) == word[:LONGEST], col(other.sort_key) == key))
    query = _filtered(query, wanted, asked)
    return (query if after is None else query.where(key > after)).order_by(key)


def _with_status(query: Any, wanted: Wanted) -> tuple[Any, Any]:
    period = aliased(TypePeriod)
    query = query.join(period, col(period.sort_key) == col(RegisteredType.sort_key)).where(
        period.status == wanted.status,
        col(period.since) <= wanted.on,
        or_(col(period.until).is_(None), col(period.until) >= wanted.on),
    )
    return query, col(period.sort_key)


def _filtered(query: Any, wanted: Wanted, asked: list[str]) -> Any:
    if wanted.item is not None:
        query = query.where(RegisteredType.item == wanted.item)
    if wanted.number is not None:
        query = query.where(RegisteredType.number == wanted.number)
    if wanted.family is not None:
        query = query.where(RegisteredType.family == wanted.family)
    for word in asked:
        if len(word) > LONGEST:  # what is longer than the beginnings that are kept is compared in what they found
            query = query.where(col(RegisteredType.found_by).like(f"% {word}%"))
    return query


def _how_many(session: Session, column: Any, value: str) -> int:
    """Return how many rows a value of a column has, as far as it matters which is the rarest."""
    some: Any = select(col(column)).where(column == value).limit(_RARE)
    return session.exec(select(func.count()).select_from(some.subquery())).one()


def _on(found: tuple[PeriodRecord, ...], day: date) -> PeriodRecord | None:
    return next((one for one in found if one.since <= day and (one.until is None or day <= one.until)), None)
