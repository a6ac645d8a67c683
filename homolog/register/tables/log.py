"""The log that only grows: signatures, entries, the hashes of complete subtrees, signed heads, signed statuses."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint
from sqlmodel import Field

from homolog.register.columns import UtcTime
from homolog.register.tables.base import APPEND_ONLY, Row


class SealedRecord(Row, table=True):
    """The signature over a record; its bytes are a stored file of the same digest.

    Attributes:
        sha256: Of the canonical record.
        protected: The signature's header, base64url.
    """

    __table_args__ = (CheckConstraint("kind in ('report', 'certificate')", name="kind"), APPEND_ONLY)

    sha256: str = Field(primary_key=True, foreign_key="stored_file.digest")
    kind: str
    kid: str
    protected: str
    signature: str
    at: datetime = Field(sa_type=UtcTime)


class LogEntry(Row, table=True):
    """One leaf: its place, and its canonical JSON as it was hashed."""

    __table_args__ = APPEND_ONLY

    number: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    sha256: str = Field(unique=True)
    entry: str
    at: datetime = Field(sa_type=UtcTime)


class LogNode(Row, table=True):
    """The hash of a complete subtree, which never changes."""

    __table_args__ = APPEND_ONLY

    level: int = Field(primary_key=True)
    place: int = Field(primary_key=True, sa_type=BigInteger)
    digest: str


class LogHead(Row, table=True):
    """A signed head; its JSON as it is handed out."""

    __table_args__ = APPEND_ONLY

    size: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    head: str
    at: datetime = Field(sa_type=UtcTime)


class SignedStatus(Row, table=True):
    """A signed word of the register on how a type stands; its JSON as it is handed out.

    Attributes:
        sha256: Of the status itself.
    """

    __table_args__ = APPEND_ONLY

    sha256: str = Field(primary_key=True)
    type_id: str = Field(foreign_key="registered_type.id", index=True)
    status: str
    at: datetime = Field(sa_type=UtcTime)
