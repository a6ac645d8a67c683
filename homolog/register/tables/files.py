"""Stored files, and uploads on their way to become one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint
from sqlmodel import Field

from homolog.register.columns import UtcTime
from homolog.register.tables.base import APPEND_ONLY, PASSING, Row


class StoredFile(Row, table=True):
    """Bytes that the store holds, by their digest; who may see them is said by the rows that name it.

    Attributes:
        digest: SHA-256, hexadecimal; also the name in the store.
        size: Bytes.
    """

    __table_args__ = (CheckConstraint("size >= 0", name="size"), APPEND_ONLY)

    digest: str = Field(primary_key=True)
    size: int = Field(sa_type=BigInteger)
    at: datetime = Field(sa_type=UtcTime)


class Upload(Row, table=True):
    """A file that somebody sends, perhaps in parts.

    Attributes:
        name: As sent; shown, never used as a path.
        media_type: As sent; never believed.
        size: Bytes in all, as announced; None if nobody said.
        expected: SHA-256 that the sender announced.
        digest: The stored file, once all of it is there.
        until: When an unfinished one is forgotten.
    """

    id: str = Field(primary_key=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    organisation_id: str | None = Field(default=None, foreign_key="organisation.id", index=True)
    name: str
    media_type: str
    size: int | None = Field(default=None, sa_type=BigInteger)
    expected: str | None = None
    digest: str | None = Field(default=None, foreign_key="stored_file.digest")
    created_at: datetime = Field(sa_type=UtcTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)


class UploadPart(Row, table=True):
    """Some bytes of an upload, in the store under their own digest until the whole file is there.

    Attributes:
        begin: Where in the file they start, bytes.
    """

    __table_args__ = PASSING

    upload_id: str = Field(primary_key=True, foreign_key="upload.id")
    begin: int = Field(primary_key=True, sa_type=BigInteger)
    size: int = Field(sa_type=BigInteger)
    digest: str = Field(index=True)
    at: datetime = Field(sa_type=UtcTime)
