"""Passkeys: keys that people's devices hold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from homolog.register.ids import new_id
from homolog.register.tables.accounts import Passkey


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A passkey; see `Passkey`."""

    id: str
    account_id: str
    credential: str
    public_key: bytes
    sign_count: int
    name: str
    created_at: datetime
    used_at: datetime | None


def add(session: Session, *, account_id: str, credential: str, public_key: bytes, sign_count: int, name: str, now: datetime) -> Key:
    """Keep a new key."""
    row = Passkey(
        id=new_id(now),
        account_id=account_id,
        credential=credential,
        public_key=public_key,
        sign_count=sign_count,
        name=name,
        created_at=now,
        used_at=None,
    )
    session.add(row)
    session.flush()
    return _key(row)


def find(session: Session, credential: str) -> Key | None:
    """Return the key of a credential, or None."""
    row = session.exec(select(Passkey).where(Passkey.credential == credential)).first()
    return None if row is None else _key(row)


def of_account(session: Session, account_id: str) -> tuple[Key, ...]:
    """Return a person's keys, the oldest first."""
    query = select(Passkey).where(Passkey.account_id == account_id).order_by(col(Passkey.id))
    return tuple(_key(row) for row in session.exec(query))


def used(session: Session, key_id: str, *, sign_count: int, now: datetime) -> None:
    """Note that a key has signed."""
    row = session.get_one(Passkey, key_id)
    row.sign_count, row.used_at = sign_count, now
    session.add(row)


def remove(session: Session, key_id: str) -> None:
    """Forget a key; the audit log says that it was there."""
    session.delete(session.get_one(Passkey, key_id))
    session.flush()


def _key(row: Passkey) -> Key:
    return Key(
        id=row.id,
        account_id=row.account_id,
        credential=row.credential,
        public_key=row.public_key,
        sign_count=row.sign_count,
        name=row.name,
        created_at=row.created_at,
        used_at=row.used_at,
    )
