"""The audit log's table."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from homolog.register.columns import CanonicalJson, UtcTime
from homolog.register.tables.base import APPEND_ONLY, Row


class AuditEntry(Row, table=True):
    """One thing that somebody did; written by `homolog.register.audit` alone.

    Attributes:
        number: 1, 2, 3, ... without a gap.
        account_id: Who; None for the command line and for jobs. No foreign key: a failed sign-in may name nobody.
        object: What it was done to, as `account:ID`.
        previous: Digest of the entry before.
        digest: SHA-256 of all other columns as canonical JSON, hexadecimal.
    """

    __table_args__ = APPEND_ONLY

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=UtcTime)
    account_id: str | None = Field(default=None, index=True)
    action: str
    object: str = Field(index=True)
    details: str = Field(sa_type=CanonicalJson)
    previous: str
    digest: str
