"""Requests that may be repeated, and how often somebody may come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final

from sqlalchemy import delete
from sqlmodel import Session, col

from homolog.errors import HomologError, UsageError
from homolog.register.columns import json_text
from homolog.register.tables.requests import IdempotencyKey, RateCount

KEPT: Final = timedelta(days=1)
"""How long an answer is given again."""

UNDER_WAY: Final = timedelta(minutes=10)
"""After how long a request that never ended may be begun again: whoever worked on it is dead."""

KEY_LETTERS: Final = 200


class KeyUsed(UsageError):
    """An idempotency key came with another request than the first time."""

    code: ClassVar[str] = "idempotency_key_used"


class StillUnderWay(HomologError):
    """The first request with this key has not ended yet."""

    code: ClassVar[str] = "idempotency_key_busy"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request was answered with, to be given again.

    Attributes:
        status: HTTP's.
        headers: Those that belong to the answer, as Location.
        body: Text; an answer that is no text is not kept.
    """

    status: int
    headers: Mapping[str, str]
    body: str


def begin(session: Session, *, owner: str, key: str, request: str, now: datetime) -> Answer | None:
    """Begin a request under its sender's key, in a transaction of its own.

    Args:
        session: One that writes.
        owner: Whose key, as `account:ID`.
        key: As sent.
        request: SHA-256 of method, path and body.
        now: Aware.

    Returns:
        The answer of the first time, to be given again; None if this is the first time, and the caller now does the work and
        says `finish` in the transaction that does it.

    Raises:
        UsageError: The key is empty or too long.
        KeyUsed: It was sent with another request.
        StillUnderWay: The first request has not ended; try again later.
    """
    if not 0 < len(key) <= KEY_LETTERS or not key.isprintable():
        raise UsageError.because("the Idempotency-Key is no key", todo=f"send 1 to {KEY_LETTERS} printable letters, as a UUID")
    found = session.get(IdempotencyKey, (owner, key))
    if found is not None and (found.until <= now or (found.status is None and found.at + UNDER_WAY <= now)):
        session.delete(found)
        session.flush()
        found = None
    if found is None:
        session.add(IdempotencyKey(owner=owner, key=key, request=request, at=now, until=now + KEPT))
        return None
    if found.request != request:
        raise KeyUsed.because("this Idempotency-Key was sent with another request", todo="choose a new key for a new request")
    if found.status is None or found.answer is None:
        raise StillUnderWay.because("the first request with this Idempotency-Key has not ended", todo="send it again in a while")
    kept = json.loads(found.answer)
    return Answer(found.status, kept["headers"], kept["body"])


def finish(session: Session, answer: Answer, *, owner: str, key: str) -> None:
    """Keep the answer, in the transaction that did the work: both count, or neither."""
    row = session.get_one(IdempotencyKey, (owner, key))
    row.status = answer.status
    row.answer = json_text({"headers": dict(answer.headers), "body": answer.body})
    session.add(row)


def abandon(session: Session, *, owner: str, key: str) -> None:
    """Forget a request that failed without doing anything, so that it may be sent again."""
    row = session.get(IdempotencyKey, (owner, key))
    if row is not None and row.status is None:
        session.delete(row)


def count(session: Session, *, subject: str, action: str, most: int, window: timedelta, now: datetime) -> timedelta | None:
    """Count that somebody does something, and say whether they may.

    Args:
        session: One that writes.
        subject: Who, as `account:ID` or `address:198.51.100.7`.
        action: What, as `sign_in`.
        most: How often in a window; what is refused is not counted.
        window: Its length; windows begin at whole multiples of it.
        now: Aware.

    Returns:
        None if they may; else after how long they may again.
    """
    begin_of_window = datetime.fromtimestamp(now.timestamp() // window.total_seconds() * window.total_seconds(), UTC)
    row = session.get(RateCount, (subject, action, begin_of_window))
    if row is None:
        row = RateCount(subject=subject, action=action, window=begin_of_window, count=0)
    if row.count >= most:
        return begin_of_window + window - now
    row.count += 1
    session.add(row)
    return None


def forget(session: Session, *, now: datetime, longest: timedelta = KEPT) -> None:
    """Let go answers that are not given again, and counts of windows that are over."""
    session.execute(delete(IdempotencyKey).where(col(IdempotencyKey.until) <= now))
    session.execute(delete(RateCount).where(col(RateCount.window) <= now - longest))
