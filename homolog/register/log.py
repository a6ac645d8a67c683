"""The log that only grows, in the register: each leaf, subtree and head is a row that is written once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register.tables.log import LogEntry, LogHead, LogNode, SealedRecord, SignedStatus
from homolog.seal.merkle import completed, leaf_hash

MOST_STATUSES = 100
"""Signed words about one type that a receipt has room for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A signature over a record."""

    sha256: str
    kind: str
    kid: str
    protected: str
    signature: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """An entry: its place from 0, and its canonical JSON."""

    number: int
    sha256: str
    entry: str


class StoredNodes:
    """The hashes of complete subtrees, as rows; a proof asks for as many of them as the tree is high."""

    def __init__(self, session: Session) -> None:
        """Look at the tree of a session."""
        self._session = session

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree."""
        return bytes.fromhex(self._session.get_one(LogNode, (level, index)).digest)


def size(session: Session) -> int:
    """Return how many entries there are."""
    last = session.exec(select(LogEntry.number).order_by(col(LogEntry.number).desc()).limit(1)).first()
    return 0 if last is None else last + 1


def append(session: Session, sha256: str, entry: bytes, *, at: datetime) -> int:
    """Add an entry and return how many there are then.

    Args:
        session: One that writes.
        sha256: Of what was signed; it is entered once.
        entry: Its canonical JSON.
        at: Aware.
    """
    before = size(session)
    session.add(LogEntry(number=before, sha256=sha256, entry=entry.decode(), at=at))
    found = completed(before, leaf_hash(entry), StoredNodes(session))
    session.add_all(LogNode(level=one.level, place=one.index, digest=one.hash.hex()) for one in found)
    session.flush()
    return before + 1


def find(session: Session, sha256: str) -> Leaf | None:
    """Return the entry of a record, or None."""
    row = session.exec(select(LogEntry).where(LogEntry.sha256 == sha256)).first()
    return None if row is None else Leaf(number=row.number, sha256=row.sha256, entry=row.entry)


def entries(session: Session, *, after: int = -1, limit: int = 100) -> tuple[Leaf, ...]:
    """Return entries in their order, from after a place on."""
    query = select(LogEntry).where(LogEntry.number > after).order_by(col(LogEntry.number)).limit(limit)
    return tuple(Leaf(number=row.number, sha256=row.sha256, entry=row.entry) for row in session.exec(query))


def nodes(session: Session) -> Iterator[tuple[int, int, str]]:
    """Yield all hashes of complete subtrees: level, place, hash."""
    query = select(LogNode.level, LogNode.place, LogNode.digest).execution_options(yield_per=1_000)
    yield from session.exec(query)


def unentered(session: Session) -> Iterator[str]:
    """Yield the digests of signed records that no entry is of."""
    query = select(SealedRecord.sha256).where(~select(LogEntry.number).where(LogEntry.sha256 == SealedRecord.sha256).exists())
    yield from session.exec(query)


def keep_head(session: Session, size_then: int, head: str, *, at: datetime) -> None:
    """Keep a signed head."""
    session.add(LogHead(size=size_then, head=head, at=at))
    session.flush()


def last_head(session: Session) -> tuple[int, str] | None:
    """Return the size and the JSON of the last signed head; None before the first."""
    row = session.exec(select(LogHead).order_by(col(LogHead.size).desc()).limit(1)).first()
    return None if row is None else (row.size, row.head)


def head_at(session: Session, size_then: int) -> str | None:
    """Return the signed head over the first so many entries, or None."""
    row = session.get(LogHead, size_then)
    return None if row is None else row.head


def keep_sealed(session: Session, sealed: Sealed) -> None:
    """Keep a signature over a record, which is a stored file."""
    session.add(SealedRecord(**{name: getattr(sealed, name) for name in sealed.__slots__}))
    session.flush()


def sealed(session: Session, sha256: str) -> Sealed | None:
    """Return the signature over a record, or None."""
    row = session.get(SealedRecord, sha256)
    return None if row is None else Sealed(**{name: getattr(row, name) for name in Sealed.__slots__})


def keep_status(session: Session, sha256: str, type_id: str, status: str, *, at: datetime) -> None:
    """Keep a signed word on how a type stands."""
    session.add(SignedStatus(sha256=sha256, type_id=type_id, status=status, at=at))
    session.flush()


def statuses(session: Session, type_id: str) -> tuple[str, ...]:
    """Return the last signed words on a type, the oldest first."""
    query = select(SignedStatus).where(SignedStatus.type_id == type_id)
    order = (col(SignedStatus.at).desc(), col(SignedStatus.sha256))
    rows = session.exec(query.order_by(*order).limit(MOST_STATUSES)).all()
    return tuple(row.status for row in reversed(rows))
