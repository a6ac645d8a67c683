"""Owns signing what the register issues: records, statuses and heads of the log, with the host's keys."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from homolog.errors import HomologError, InputRefused, UsageError
from homolog.register import log, types
from homolog.register.log import Sealed
from homolog.register.session import Session
from homolog.service.desk import Desk
from homolog.service.settings import Settings

if TYPE_CHECKING:
    from homolog.seal.key import SigningKey
    from homolog.seal.key_set import KeySet

_DAYS = 730
RecordKind = Literal["report", "certificate"]


class KeysMissing(HomologError):
    """The register has no key that it may sign with now."""

    code: ClassVar[str] = "keys_missing"
    exit_code: ClassVar[int] = 5


@dataclass(frozen=True, slots=True)
class Sealer:
    """The folder of keys, looked at anew each time: keys are changed beside a running service.

    Attributes:
        base_url: Where people reach the service, for links to what was signed.
    """

    folder: Path
    base_url: str

    def keys(self) -> KeySet:
        """Return the public keys.

        Raises:
            KeysMissing: There are none, or they are not as they have to be.
        """
        from homolog.seal.key_folder import open_folder

        with _asking_for_keys():
            return open_folder(self.folder).public

    def record_key(self, now: datetime) -> tuple[SigningKey, str]:
        """Return the key that signs records, and who signs.

        Raises:
            KeysMissing: There is none.
        """
        return self._key("record", now)

    def pdf_key(self, now: datetime) -> tuple[SigningKey, str]:
        """Return the key that signs PDFs, and who signs.

        Raises:
            KeysMissing: There is none.
        """
        return self._key("pdf", now)

    def verify_url(self, sha256: str) -> str:
        """Return where people check a record."""
        return f"{self.base_url}/verify/{sha256}"

    def type_url(self, number: str) -> str:
        """Return where people see a type."""
        return f"{self.base_url}/types/{number}"

    def _key(self, purpose: Literal["record", "pdf"], now: datetime) -> tuple[SigningKey, str]:
        from homolog.seal.key_folder import open_folder

        with _asking_for_keys():
            found = open_folder(self.folder)
            return found.signing_key(purpose, _second(now)), found.public.issuer


def sealer_of(settings: Settings) -> Sealer:
    """Return what signs for a host."""
    return Sealer(Path(settings.keys), settings.base_url)


def prepare_keys(settings: Settings, *, now: datetime) -> str | None:
    """Make keys for a register that nobody chose a folder of keys for, and that has none; any other folder is left alone.

    Returns:
        Who signs with them, if this made them: the service's address, as nobody has said whose register it is.
    """
    from homolog.seal.key_folder import SET_NAME, make_keys

    folder = Path(settings.keys)
    if "keys" in settings.sources or (folder / SET_NAME).exists():
        return None
    issuer = f"The register at {settings.base_url}"
    make_keys(folder, issuer=issuer, at=_second(now), until=_second(now) + timedelta(days=_DAYS))
    return issuer


@contextmanager
def _asking_for_keys() -> Iterator[None]:
    """Say of a fault with the keys that it is the host's, not that of whoever asks for something to be signed."""
    try:
        yield
    except (UsageError, InputRefused) as error:
        raise KeysMissing(*error.problems) from None


def seal_record(session: Session, sealer: Sealer, data: bytes, kind: RecordKind, *, now: datetime) -> str:
    """Sign a record that is a stored file and enter it in the log; one that is signed stays as it is. Return its digest.

    Args:
        session: One that writes: the signature counts together with what it is about.
        sealer: Who signs.
        data: The canonical record.
        kind: What it is.
        now: Aware.

    Raises:
        KeysMissing: There is no key to sign with.
    """
    from homolog.seal.jws import sign

    digest, at = hashlib.sha256(data).hexdigest(), _second(now)
    if log.sealed(session, digest) is None:
        key, _ = sealer.record_key(now)
        made = sign(data, kind, key, at)
        log.keep_sealed(
            session,
            Sealed(sha256=digest, kind=kind, kid=key.public.kid, protected=made.protected, signature=made.signature, at=at),
        )
    _enter(session, sealer, digest, kind, now)
    return digest


def seal_statuses(session: Session, desk: Desk, sealer: Sealer, number: str, *, now: datetime, today: date) -> None:
    """Sign how a type stands from today on and enter it in the log: a word for now, and one for each change that is decided.

    Raises:
        KeysMissing: There is no key to sign with.
    """
    from homolog.seal.forms import read_form
    from homolog.seal.jws import sign
    from homolog.seal.status import TypeStatus
    from homolog.service.types import status_data

    record = types.find(session, number=number)
    if record is None:
        return
    key, issuer = sealer.record_key(now)
    at = _second(now)
    periods = types.periods(session, [record.id])[record.id]
    days = [max(today, period.since) for period in periods if period.until is None or period.until >= today]
    with desk.database.join(session):
        said = [status_data(desk, number, issuer=issuer, now=at, day=day) for day in days]
    for value in said:
        if value is None:
            continue
        data = read_form(TypeStatus, value, "status").canonical()
        digest = hashlib.sha256(data).hexdigest()
        if log.find(session, digest) is not None:
            continue
        signed = sign(data, "status", key, at)
        log.keep_status(session, digest, record.id, signed.canonical().decode(), at=at)
        _enter(session, sealer, digest, "status", now)


def _enter(session: Session, sealer: Sealer, sha256: str, kind: Literal["report", "certificate", "status"], now: datetime) -> None:
    from homolog.seal.jws import sign
    from homolog.seal.log import Entry, Head
    from homolog.seal.merkle import root

    if log.find(session, sha256) is not None:
        return
    key, issuer = sealer.record_key(now)
    at = _second(now)
    entry = Entry(at=at, kind=kind, sha256=sha256, kid=key.public.kid)
    size = log.append(session, sha256, entry.canonical(), at=at)
    head = Head(issuer=issuer, at=at, size=size, root=root(size, log.StoredNodes(session)).hex())
    log.keep_head(session, size, sign(head.canonical(), "log-head", key, at).canonical().decode(), at=at)


def _second(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(microsecond=0)
