"""The log that only grows: what an entry is, what a signed head says, and the receipt that proves one to the other."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from homolog.errors import InputRefused
from homolog.seal.forms import Digest, Form, Instant, KeyId, Name, format_of, read_form
from homolog.seal.jws import Jws, Kind, header_of, payload_of, sign
from homolog.seal.key import SigningKey
from homolog.seal.merkle import MOST_LEAVES, Nodes, includes, inclusion_path, leaf_hash, root
from homolog.seal.status import TypeStatus

RECEIPT: Final = "homolog-receipt/1"
_MOST_STEPS = 64
_MOST_STATUSES = 100


class Entry(Form):
    """One entry; its canonical JSON is the leaf.

    Attributes:
        sha256: Of what was signed: the canonical record, not the file around it.
        kid: The key that signed it.
    """

    format: Literal["homolog-entry/1"] = "homolog-entry/1"
    at: Instant
    kind: Literal["report", "lot", "certificate", "status"]
    sha256: Digest
    kid: KeyId


class Head(Form):
    """The log at one moment."""

    format: Literal["homolog-log-head/1"] = "homolog-log-head/1"
    issuer: Name
    at: Instant
    size: Annotated[int, Field(ge=0, le=MOST_LEAVES)]
    root: Digest


class Receipt(Form):
    """An entry with the proof that a signed head covers it, and what the register says of the type.

    Attributes:
        path: The hashes beside the way from the leaf to the root, in hexadecimal, the lowest first.
        head: A signed head.
        statuses: Signed statuses of the type.
    """

    format: Literal["homolog-receipt/1"] = RECEIPT
    entry: Entry
    index: Annotated[int, Field(ge=0, lt=MOST_LEAVES)]
    path: Annotated[tuple[Digest, ...], Field(max_length=_MOST_STEPS, strict=False)]
    head: Jws
    statuses: Annotated[tuple[Jws, ...], Field(max_length=_MOST_STATUSES, strict=False)] = ()


def sign_head(size: int, nodes: Nodes, *, issuer: str, key: SigningKey, at: datetime) -> Jws:
    """Sign the log as it is."""
    head = Head(issuer=issuer, at=at, size=size, root=root(size, nodes).hex())
    return sign(head.canonical(), "log-head", key, at)


def make_receipt(entry: Entry, index: int, size: int, nodes: Nodes, head: Jws, statuses: tuple[Jws, ...] = ()) -> Receipt:
    """Prove an entry to a signed head over the first `size` leaves.

    Raises:
        ValueError: There is no such entry.
    """
    path = tuple(part.hex() for part in inclusion_path(index, size, nodes))
    return Receipt(entry=entry, index=index, path=path, head=head, statuses=statuses)


def covers(head: Head, receipt: Receipt) -> bool:
    """Whether a head covers the entry of a receipt."""
    path = [bytes.fromhex(part) for part in receipt.path]
    leaf = leaf_hash(receipt.entry.canonical())
    return includes(leaf, receipt.index, head.size, path, bytes.fromhex(head.root))


def read_receipt(value: Any, name: str) -> Receipt:
    """Return plain JSON values as a receipt.

    Raises:
        InputRefused: They are none.
    """
    if format_of(value) != RECEIPT:
        raise InputRefused.because(f"the file is no {RECEIPT}", where=name, todo="ask the log again", code="seal_foreign")
    return read_form(Receipt, value, name)


def read_head(signed: Jws, name: str) -> Head:
    """Return what a signed head says, whoever signed it.

    Raises:
        InputRefused: It is no head.
    """
    return read_form(Head, _payload(signed, "log-head", name), name)


def read_status(signed: Jws, name: str) -> TypeStatus:
    """Return what a signed status says, whoever signed it.

    Raises:
        InputRefused: It is no status.
    """
    return read_form(TypeStatus, _payload(signed, "status", name), name)


def _payload(signed: Jws, kind: Kind, name: str) -> Any:
    if header_of(signed, name).kind != kind:
        raise InputRefused.because(f"the signature is over no {kind}", where=name, todo="ask the log again", code="jws_refused")
    return payload_of(signed, kind, name)[1]
