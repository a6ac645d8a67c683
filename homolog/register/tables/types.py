"""The register of types: numbers, names, decisions, and what is worked out from them for lists and searches."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from homolog.register.columns import CanonicalJson, Ordered, UtcTime
from homolog.register.tables.base import APPEND_ONLY, Row


class TypeNumber(Row, table=True):
    """A number that was given out, for good.

    Attributes:
        letter: B, F or G, by the item.
        application_id: The application whose approval it was given to; None for types that the rules name.
    """

    __table_args__ = (UniqueConstraint("letter", "ordinal"), CheckConstraint("ordinal > 0", name="ordinal"), APPEND_ONLY)

    number: str = Field(primary_key=True, sa_type=Ordered)
    letter: str
    ordinal: int
    application_id: str | None = Field(default=None, foreign_key="application.id", unique=True)
    at: datetime = Field(sa_type=UtcTime)


class RegisteredType(Row, table=True):
    """A type, as it was entered.

    Attributes:
        named_by: The clause that names it, where no application stands behind it; with its permanent id in `named_id`.
        sort_key: Folded name and number; lists go by it.
        found_by: The folded words by which it is found, each after a space.
        details: Variants, note, and what the clause says.
    """

    __table_args__ = (
        CheckConstraint("item in ('ball', 'figure', 'goalkeeper')", name="item"),
        Index("ix_registered_type_family_sort_key", "family", "sort_key"),
        APPEND_ONLY,
    )

    id: str = Field(primary_key=True)
    number: str = Field(foreign_key="type_number.number", unique=True, sa_type=Ordered)
    sort_key: str = Field(unique=True, sa_type=Ordered)
    item: str
    family: str
    name: str
    maker: str
    organisation_id: str | None = Field(default=None, foreign_key="organisation.id", index=True)
    application_id: str | None = Field(default=None, foreign_key="application.id", unique=True)
    body: str
    edition: str
    named_by: str | None = None
    named_id: str | None = Field(default=None, unique=True)
    found_by: str
    details: str = Field(sa_type=CanonicalJson)
    at: datetime = Field(sa_type=UtcTime)


class TypeEvent(Row, table=True):
    """An entry about a type, its confirmation by a second person, or that it was taken back."""

    __table_args__ = (UniqueConstraint("type_id", "seq"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    type_id: str = Field(foreign_key="registered_type.id")
    seq: int
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")
    role: str
    step: str
    to_state: str
    data: str = Field(sa_type=CanonicalJson)
    process: str = Field(foreign_key="process_table.sha256")


class TypeFile(Row, table=True):
    """A file that belongs to a type and that everybody may see.

    Attributes:
        kind: photo, certificate or report.
    """

    __table_args__ = (
        CheckConstraint("kind in ('photo', 'certificate', 'report')", name="kind"),
        UniqueConstraint("type_id", "kind", "digest"),
        APPEND_ONLY,
    )

    id: str = Field(primary_key=True)
    type_id: str = Field(foreign_key="registered_type.id")
    kind: str
    digest: str = Field(foreign_key="stored_file.digest", index=True)
    name: str
    at: datetime = Field(sa_type=UtcTime)


class TypeChange(Row, table=True):
    """One line of the feed: something about a type that everybody may know has changed.

    Attributes:
        number: From 1, without gaps.
        on: The day from which it counts; None where that is not known.
    """

    __table_args__ = APPEND_ONLY

    number: int = Field(primary_key=True)
    type_id: str = Field(foreign_key="registered_type.id", index=True)
    at: datetime = Field(sa_type=UtcTime)
    what: str
    on: date | None = None
    data: str = Field(sa_type=CanonicalJson)


class TypePeriod(Row, table=True):
    """How a type stands over some days: what its decisions give, kept beside them; made anew with each decision.

    Attributes:
        until: The last day; None is without end.
        sort_key: The type's, so that a list of one status goes by one index.
    """

    __table_args__ = (Index("ix_type_period_status_sort_key", "status", "sort_key"),)

    type_id: str = Field(primary_key=True, foreign_key="registered_type.id")
    since: date = Field(primary_key=True)
    until: date | None = None
    status: str
    is_usable: bool
    sort_key: str = Field(sa_type=Ordered)
    data: str = Field(sa_type=CanonicalJson)


class TypeWord(Row, table=True):
    """A beginning of a word by which a type is found.

    Every beginning has rows of its own, in the order of the lists, so that a search reads no more rows than it shows.
    """

    __table_args__ = (APPEND_ONLY,)

    beginning: str = Field(primary_key=True, sa_type=Ordered)
    sort_key: str = Field(primary_key=True, sa_type=Ordered)
    type_id: str = Field(foreign_key="registered_type.id")
