"""What holds of a file: its content, its signature, its key, its place in the log, and the state of its type.

Each question is answered by itself, because a person acts differently on each answer: a changed byte, an unknown key, a
record that is not in the log, a withdrawn type and an expired certificate are five things.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import rfc8785

from homolog.errors import InputRefused
from homolog.seal.forms import MAX_BYTES, format_of, instant_text, read_json
from homolog.seal.jws import header_of, holds, payload_of
from homolog.seal.key_set import KeySet, PublicKey, Purpose, Standing, said, standing
from homolog.seal.log import Receipt
from homolog.seal.pdf_read import Broken, PdfSeal, read_pdf, record_of
from homolog.seal.signed_file import FORMAT as SIGNED
from homolog.seal.signed_file import read_signed
from homolog.seal.verification import Check, Verification, fails, good, not_asked, unknown
from homolog.seal.verify_log import InLog, LogAsked, ask_log, type_state

RECORDS = {"homolog-report/1": "report", "homolog-lot/1": "lot", "homolog-certificate/1": "certificate"}
_CLOCKS_DIFFER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a file is held against.

    Attributes:
        keys: The keys that are known; None if nobody gave any.
        now: The time of asking; a signature from the future does not hold.
        on: The day for which a type's and a certificate's state is asked.
        log: The log; None takes the receipt that the file carries.
    """

    keys: KeySet | None
    now: datetime
    on: date
    log: LogAsked | None = None


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A file taken apart, whatever its form: who claims to have signed, how that is tried, and what was signed."""

    name: str
    purpose: Purpose
    kid: str
    at: datetime
    is_by: Callable[[PublicKey], bool]
    record: Callable[[], bytes]
    receipt: Receipt | None
    opens_unsigned: bool


def verify(data: bytes, name: str, asked: Asked) -> Verification:
    """Say what holds of a signed record, of a bare record, or of a PDF.

    Raises:
        InputRefused: The file is none of them, or damaged in a way that leaves nothing to ask.
    """
    if data.startswith(b"%PDF-"):
        try:
            seal = read_pdf(data, name)
            return _unsigned_pdf(name) if seal is None else _sealed(_of_pdf(seal, name), asked)
        except Broken as broken:
            return _broken(name, str(broken))
    value = read_json(data, name, max_bytes=2 * MAX_BYTES)
    return _sealed(_of_json(value, name), asked) if format_of(value) == SIGNED else _bare(value, name, asked)


def _of_json(value: Any, name: str) -> _Sealed:
    file = read_signed(value, name)
    signed = file.jws()
    header = header_of(signed, name)
    if f"homolog-{header.kind}/1" not in RECORDS:
        todo = "send a signed report, lot or certificate"
        raise InputRefused.because(f"the file is a signed {header.kind}, no record", where=name, todo=todo, code="seal_foreign")
    return _Sealed(
        name,
        "record",
        header.kid,
        header.at,
        lambda key: holds(signed, key),
        lambda: payload_of(signed, header.kind, name)[0],
        file.receipt,
        opens_unsigned=True,
    )


def _of_pdf(seal: PdfSeal, name: str) -> _Sealed:
    return _Sealed(name, "pdf", seal.kid, seal.at, seal.is_by, lambda: record_of(seal), None, opens_unsigned=False)


def _sealed(sealed: _Sealed, asked: Asked) -> Verification:
    key = None if asked.keys is None else asked.keys.find(sealed.kid, sealed.purpose)
    is_signed = key is not None and sealed.is_by(key)
    if key is not None and not is_signed:
        what = "the record, the signature or what it says of itself is not as it was signed"
        return _broken(sealed.name, what, known=good("key", f"{sealed.kid} is known: {said(key)}."))
    if not is_signed and not sealed.opens_unsigned:
        return _closed(sealed, asked.keys)
    record = sealed.record()
    value = read_json(record, f"{sealed.name}: record")
    kind = RECORDS.get(str(format_of(value)))
    if kind is None or rfc8785.dumps(value) != record:
        what, todo = "what was signed is no canonical record", "ask whoever signed it"
        raise InputRefused.because(what, where=sealed.name, todo=todo, code="seal_foreign")
    sha256 = hashlib.sha256(record).hexdigest()
    number = str(value.get("number")) if kind == "certificate" else None
    found = ask_log(sha256, number, keys=asked.keys, log=asked.log, carried=sealed.receipt)
    if key is None:
        content = unknown("content", "key_unknown", f"A {kind} with SHA-256 {sha256}; nobody known vouches for it.")
        signature = unknown("signature", "key_unknown", "The signature cannot be tried without its key.")
    else:
        content = good("content", f"A {kind} with SHA-256 {sha256}, as it was signed.")
        signature = good("signature", f"The signature of {instant_text(sealed.at)} covers all of it.")
    return Verification(
        sealed.name,
        kind,
        sha256,
        (
            content,
            signature,
            _key(sealed, key, asked, found),
            found.check,
            type_state(value, sha256, keys=asked.keys, receipt=found.receipt, on=asked.on, name=sealed.name),
        ),
        record if is_signed else None,
    )


def _bare(value: Any, name: str, asked: Asked) -> Verification:
    """Say what holds of a record that nobody has signed: it may still be in the log."""
    kind = RECORDS.get(str(format_of(value)))
    if kind is None:
        todo = "send a signed file, a record or a PDF of a report"
        raise InputRefused.because("the file is no record, and no signed one", where=name, todo=todo, code="seal_foreign")
    sha256 = hashlib.sha256(rfc8785.dumps(value)).hexdigest()
    number = str(value.get("number")) if kind == "certificate" else None
    found = ask_log(sha256, number, keys=asked.keys, log=asked.log, carried=None)
    checks = (
        unknown("content", "unsigned", f"A {kind} with SHA-256 {sha256}; the file does not say who vouches for it."),
        fails("signature", "unsigned", "The file carries no signature."),
        not_asked("key", "There is no signature that a key could have made."),
        found.check,
        type_state(value, sha256, keys=asked.keys, receipt=found.receipt, on=asked.on, name=name),
    )
    return Verification(name, kind, sha256, checks)


def _key(sealed: _Sealed, key: PublicKey | None, asked: Asked, found: InLog) -> Check:
    if key is None:
        return _unknown_key(sealed, asked.keys)
    life = f"{key.kid}: {said(key)}"
    if sealed.at > asked.now + _CLOCKS_DIFFER:
        return fails("key", "key_not_valid", f"The signature is dated in the future, {instant_text(sealed.at)}; {life}.")
    match standing(key, sealed.at):
        case Standing.GOOD:
            return good("key", f"The key was valid when it signed; {life}.")
        case Standing.REVOKED_BEFORE:
            return fails("key", "key_revoked", f"The key was revoked before it signed this; {life}.")
        case Standing.REVOKED_LATER:
            return _revoked(key, found, life)
        case _:
            return fails("key", "key_not_valid", f"The key was not valid when it signed, {instant_text(sealed.at)}; {life}.")


def _revoked(key: PublicKey, found: InLog, life: str) -> Check:
    """Judge a signature of a key that was revoked later: only a log that another key vouches for can say that it is old."""
    is_old = found.entered is not None and key.since is not None and found.entered < key.since
    if is_old and found.head_kid != key.kid:
        return good("key", f"The key was revoked later, but the log proves that this was entered before; {life}.")
    says = "The key was revoked, and nothing but the signature itself says that it is older than that"
    return fails("key", "key_revoked", f"{says}; {life}.")


def _unknown_key(sealed: _Sealed, keys: KeySet | None) -> Check:
    if keys is None:
        return unknown("key", "key_unknown", f"Signed by {sealed.kid}; no key was given to compare it with: give --key.")
    return unknown("key", "key_unknown", f"Signed by {sealed.kid}, which is no {sealed.purpose} key of {keys.issuer}.")


def _closed(sealed: _Sealed, keys: KeySet | None) -> Verification:
    """Answer for a PDF that no known key has signed: it is not opened, because nobody vouches for what is in it."""
    reason = "key_unknown"
    checks = (
        unknown("content", reason, "The PDF was not opened: no known key has signed it."),
        good("signature", f"The signature of {instant_text(sealed.at)} covers the whole file, whoever made it."),
        _unknown_key(sealed, keys),
        unknown("log", reason, "The record in it is not known, so no log was asked."),
        unknown("state", reason, "The record in it is not known, so its type is not either."),
    )
    return Verification(sealed.name, None, None, checks)


def _unsigned_pdf(name: str) -> Verification:
    checks = (
        unknown("content", "unsigned", "The PDF was not opened: nobody has signed it."),
        fails("signature", "unsigned", "The file carries no signature."),
        not_asked("key", "There is no signature that a key could have made."),
        not_asked("log", "The record in it is not known; verify the record itself to ask the log."),
        not_asked("state", "The record in it is not known, so its type is not either."),
    )
    return Verification(name, None, None, checks)


def _broken(name: str, why: str, *, known: Check | None = None) -> Verification:
    """Answer for a file that is not as it was signed: nothing else in it is worth asking."""
    checks = (
        fails("content", "changed", "What is in the file is not what was signed."),
        fails("signature", "changed", f"The signature does not hold: {why}."),
        known or not_asked("key", "A signature that does not hold is nobody's."),
        not_asked("log", "What is not as it was signed is not looked up."),
        not_asked("state", "What is not as it was signed says nothing of a type."),
    )
    return Verification(name, None, None, checks)
