"""What is remembered of requests: answers that may be asked for again, and how often somebody came."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from homolog.register.columns import CanonicalJson, UtcTime
from homolog.register.tables.base import PASSING, Row


class IdempotencyKey(Row, table=True):
    """A request that its sender may repeat without doing it twice.

    Attributes:
        owner: Whose key it is, as `account:ID`; two people may choose the same key.
        request: SHA-256 of method, path and body: the same key for something else is refused.
        status: Of the answer; None while the first request is under way.
        answer: Headers and body that are given again.
    """

    __table_args__ = PASSING

    owner: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    request: str
    status: int | None = None
    answer: str | None = Field(default=None, sa_type=CanonicalJson)
    at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)


class RateCount(Row, table=True):
    """How often somebody did something in one window of time.

    Attributes:
        subject: Who, as `account:ID` or `address:2001:db8::`.
        action: What is counted.
        window: When the window began.
    """

    __table_args__ = PASSING

    subject: str = Field(primary_key=True)
    action: str = Field(primary_key=True)
    window: datetime = Field(primary_key=True, sa_type=UtcTime, index=True)
    count: int
