"""Keys, records and logs for tests of the seal: one set of keys a process, because making them takes time."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

import rfc8785

from homolog.seal.forms import encode
from homolog.seal.jws import Jws, Kind, sign
from homolog.seal.key import SigningKey, new_key
from homolog.seal.key_set import KeySet, PublicKey, Purpose
from homolog.seal.log import Entry, read_head, read_status, sign_head
from homolog.seal.log_file import LogFile
from homolog.seal.signed_file import put_together

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
SIGNED = START + timedelta(days=10)
NOW = START + timedelta(days=100)
TODAY = date(2026, 6, 9)
ISSUER = "Sample federation"

CERTIFICATE: dict[str, Any] = {
    "format": "homolog-certificate/1",
    "number": "HML-F-0001",
    "names": ["Sample figure", "Зразкова фігура"],
    "maker": "Sample works",
    "item": "figure",
    "edition": {"body": "fistf", "edition": "4.0"},
    "reports": ["ab" * 32],
    "decision": {"outcome": "homologated", "by": "The board", "on": "2026-03-01"},
    "issuer": ISSUER,
    "valid_from": "2026-03-01",
}
REPORT = b'{"format":"homolog-report/1","verdict":"conform"}'


@lru_cache
def key(purpose: Purpose = "record", number: int = 0) -> SigningKey:
    return new_key(purpose, issuer=ISSUER, at=START, until=START + timedelta(days=700))


def changed(signing: SigningKey, **members: Any) -> PublicKey:
    return PublicKey.model_validate(signing.public.model_dump() | members)


def keys(*known: PublicKey, issuer: str = ISSUER) -> KeySet:
    return KeySet(issuer=issuer, keys=known or (key().public, key("pdf").public))


def certificate(**members: Any) -> bytes:
    return rfc8785.dumps({name: value for name, value in (CERTIFICATE | members).items() if value is not None})


def signed(payload: bytes = REPORT, kind: Kind = "report", by: SigningKey | None = None, at: datetime = SIGNED) -> dict[str, Any]:
    """Return the file of a signed record as plain values."""
    return put_together(sign(payload, kind, by or key(), at)).record()


def forged(header: dict[str, Any] | bytes, payload: bytes = REPORT, signature: bytes = bytes(64), **members: Any) -> dict[str, Any]:
    """Return a file with any header and signature."""
    data = header if isinstance(header, bytes) else json.dumps(header).encode()
    made = {"format": "homolog-signed/1", "payload": encode(payload), "protected": encode(data), "signature": encode(signature)}
    return made | members


def status(of: str = "withdrawn", by: SigningKey | None = None, at: datetime = SIGNED, **members: Any) -> Jws:
    value = {
        "format": "homolog-status/1",
        "issuer": ISSUER,
        "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "number": "HML-F-0001",
        "names": ["Sample figure"],
        "status": of,
        "since": "2026-03-05",
    }
    return sign(rfc8785.dumps(value | members), "status", by or key(), at)


def log_of(*digests: str, by: SigningKey | None = None, at: datetime = SIGNED, statuses: tuple[Jws, ...] = ()) -> LogFile:
    """Return a log of records under one head."""
    log = LogFile(ISSUER)
    for digest in digests:
        log.add(Entry(at=at, kind="report", sha256=digest, kid=key().public.kid))
    head = sign_head(log.tree.size, log.tree, issuer=ISSUER, key=by or key(), at=at)
    log.heads.append((head, read_head(head, "head")))
    log.statuses += [(one, read_status(one, "status")) for one in statuses]
    return log


def bytes_of(value: object) -> bytes:
    return json.dumps(value).encode()
