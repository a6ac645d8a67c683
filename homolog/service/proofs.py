"""Owns what the log proves to whoever asks: receipts, signed records, heads, and that it has only grown. It is public."""

from __future__ import annotations

import json
from typing import Any

from homolog.errors import UsageError
from homolog.register import log, types
from homolog.register.session import Session
from homolog.seal.forms import encode, read_json
from homolog.seal.jws import Jws, read_jws
from homolog.seal.log import Entry, Receipt, make_receipt
from homolog.seal.merkle import consistency_path
from homolog.seal.signed_file import SignedFile, put_together
from homolog.service.desk import Desk
from homolog.service.missing import Missing

CONSISTENCY = "homolog-consistency/1"


def receipt(desk: Desk, sha256: str) -> Receipt:
    """Return the receipt of a record under the last head, with what the register says of the types that rest on it.

    Raises:
        Missing: The log does not hold it.
    """
    with desk.database.read() as session:
        found = _receipt(session, sha256)
    if found is None:
        raise Missing.because("the log holds no such record", todo="look whether the digest is that of the canonical record")
    return found


def signed(desk: Desk, sha256: str) -> SignedFile:
    """Return a record with its signature and its receipt, as `homolog verify` reads it; who may see it is asked elsewhere.

    Raises:
        Missing: Nobody has signed it.
    """
    with desk.database.read() as session:
        sealed, found = log.sealed(session, sha256), _receipt(session, sha256)
    if sealed is None:
        raise Missing.because("there is no signature over this record", todo="look whether it was assessed by the register")
    payload = encode(desk.files.read(sha256))
    return put_together(Jws(payload=payload, protected=sealed.protected, signature=sealed.signature), found)


def head(desk: Desk) -> Jws:
    """Return the last signed head.

    Raises:
        Missing: Nothing was entered yet.
    """
    with desk.database.read() as session:
        found = log.last_head(session)
    if found is None:
        raise Missing.because("the log is empty", todo="come back later")
    return jws_of(found[1])


def entries(desk: Desk, *, after: int, limit: int) -> tuple[tuple[int, Entry], ...]:
    """Return entries with their places, in their order, from after a place on."""
    with desk.database.read() as session:
        found = log.entries(session, after=after, limit=limit)
    return tuple((leaf.number, _entry(leaf)) for leaf in found)


def consistency(desk: Desk, old: int, new: int) -> dict[str, Any]:
    """Return the proof that the log has only grown from one head to another, with both heads.

    Raises:
        UsageError: There is no such way.
        Missing: There is no head of such a size.
    """
    if not 0 < old <= new:
        raise UsageError.because("a log grows from at least one entry on", todo="write sizes of two heads, the smaller first")
    with desk.database.read() as session:
        heads = [log.head_at(session, size) for size in (old, new)]
        if None in heads:
            raise Missing.because("there is no head of this size", todo="ask with the sizes of two signed heads")
        path = consistency_path(old, new, log.StoredNodes(session))
    return {
        "format": CONSISTENCY,
        "old": json.loads(heads[0] or ""),
        "new": json.loads(heads[1] or ""),
        "path": [part.hex() for part in path],
    }


def _receipt(session: Session, sha256: str) -> Receipt | None:
    leaf, last = log.find(session, sha256), log.last_head(session)
    if leaf is None or last is None:
        return None
    size, text = last
    said = [jws_of(one) for each in types.resting_on(session, sha256) for one in log.statuses(session, each)]
    nodes = log.StoredNodes(session)
    return make_receipt(_entry(leaf), leaf.number, size, nodes, jws_of(text), tuple(said[-log.MOST_STATUSES :]))


def _entry(leaf: log.Leaf) -> Entry:
    return Entry.model_validate(read_json(leaf.entry.encode(), "entry"))


def jws_of(text: str) -> Jws:
    """Return a signature as it is stored."""
    return read_jws(json.loads(text), "log")
