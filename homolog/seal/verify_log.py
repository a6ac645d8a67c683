"""Two of the answers about a file: whether a signed head of the log covers its record, and how its type stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from homolog.errors import HomologError, InputRefused
from homolog.seal.certificate import Certificate, certificate_of
from homolog.seal.forms import instant_text
from homolog.seal.jws import Jws, header_of, holds
from homolog.seal.key_given import UNNAMED
from homolog.seal.key_set import KeySet, Standing, standing
from homolog.seal.log import Receipt, covers, read_head, read_status
from homolog.seal.status import TypeStatus
from homolog.seal.verification import Check, fails, good, not_asked, unknown

LogAsked = Callable[[str, str | None], Receipt | None]
"""Asks a log for the receipt of a digest (and of a type's number); None if the record is not in it."""


class LogSilent(HomologError):
    """The log did not answer, or not with a receipt; whether the record is in it is not known."""

    code = "log_silent"
    exit_code = 5


@dataclass(frozen=True, slots=True)
class InLog:
    """What a log said of a record.

    Attributes:
        entered: When the record was entered, if a head that holds covers it.
        head_kid: The key of that head.
        receipt: What was said; its statuses carry signatures of their own.
    """

    check: Check
    entered: datetime | None = None
    kid: str | None = None
    head_kid: str | None = None
    receipt: Receipt | None = None


def ask_log(sha256: str, number: str | None, *, keys: KeySet | None, log: LogAsked | None, carried: Receipt | None) -> InLog:
    """Say whether a record is in the log: the one that was given, or else by the receipt that the file carries."""
    whose = "the log" if log is not None else "the receipt in the file"
    try:
        receipt = carried if log is None else log(sha256, number)
    except LogSilent as silent:
        return InLog(unknown("log", "log_silent", f"The log did not answer: {silent.problems[0].what}."))
    if receipt is None and log is None:
        return InLog(not_asked("log", "No log was given, and the file carries no receipt: give --log to ask one."))
    if receipt is None:
        says = f"The log does not hold a record with SHA-256 {sha256}."
        return InLog(fails("log", "not_in_log", says))
    if receipt.entry.sha256 != sha256:
        return InLog(fails("log", "log_false", f"What {whose} shows is the entry of another record."), receipt=receipt)
    return _covered(receipt, keys, whose)


def _covered(receipt: Receipt, keys: KeySet | None, whose: str) -> InLog:
    try:
        head = read_head(receipt.head, whose)
        kid, problem = _signer(receipt.head, keys, whose)
    except InputRefused as refused:
        return InLog(fails("log", "log_false", f"The signed head is none: {refused.problems[0].what}."), receipt=receipt)
    if kid is None:
        reason = "key_unknown" if problem == "key_unknown" else "log_false"
        says = {
            "key_unknown": "The log's head is signed by a key that is not known, so nothing follows from it.",
            "changed": "The log's head was changed: its signature does not hold.",
            "key_not_valid": "The log's head is signed by a key that was not valid then, or was revoked.",
        }[problem]
        make = unknown if reason == "key_unknown" else fails
        return InLog(make("log", reason, says), receipt=receipt)
    if keys is not None and keys.issuer not in (UNNAMED, head.issuer):
        return InLog(fails("log", "log_false", f"The head is that of the log of {head.issuer!r}."), receipt=receipt)
    if not covers(head, receipt):
        says = f"The proof from {whose} does not lead from the record to the signed head."
        return InLog(fails("log", "log_false", says), receipt=receipt)
    entered = receipt.entry.at
    says = (
        f"Entry {receipt.index + 1} of {head.size}, entered {instant_text(entered)}, "
        f"under the head signed {instant_text(head.at)} (by {whose})."
    )
    return InLog(good("log", says), entered, receipt.entry.kid, kid, receipt)


def _signer(signed: Jws, keys: KeySet | None, name: str) -> tuple[str | None, str]:
    """Return the key whose good signature this is, or None and why not."""
    header = header_of(signed, name)
    key = None if keys is None else keys.find(header.kid, "record")
    if key is None:
        return None, "key_unknown"
    if not holds(signed, key):
        return None, "changed"
    if standing(key, header.at) is not Standing.GOOD:
        return None, "key_not_valid"
    return key.kid, ""


def type_state(
    value: Mapping[str, Any] | None, sha256: str, *, keys: KeySet | None, receipt: Receipt | None, on: date, name: str
) -> Check:
    """Say how the type of a record stands on a day: by the register's latest signed word, and by the certificate's own dates."""
    certificate = certificate_of(value, name) if value is not None and value["format"] == "homolog-certificate/1" else None
    said, doubt = _latest(sha256, certificate, keys, receipt, on)
    if said is not None and said.status in ("withdrawn", "suspended", "expired"):
        return fails("state", said.status, _words(said))
    if certificate is not None and certificate.valid_until is not None and on > certificate.valid_until:
        return fails("state", "expired", f"The certificate of {certificate.number} expired on {certificate.valid_until}.")
    if certificate is not None and on < certificate.valid_from:
        return fails("state", "not_yet_valid", f"The certificate of {certificate.number} is valid from {certificate.valid_from}.")
    if said is not None and said.status in ("provisional", "retest_due") and said.until is not None and on > said.until:
        return fails("state", "expired", _words(said))
    if doubt:
        return unknown("state", doubt, "What is said of the type is not signed by a known key, so it was left out.")
    if said is not None:
        return good("state", _words(said))
    if certificate is not None:
        until = "" if certificate.valid_until is None else f" until {certificate.valid_until}"
        says = f"The certificate of {certificate.number} is valid from {certificate.valid_from}{until}; the register was not asked."
        return good("state", says)
    return not_asked("state", "The register says nothing of a type that rests on this record.")


def _latest(
    sha256: str, certificate: Certificate | None, keys: KeySet | None, receipt: Receipt | None, on: date
) -> tuple[TypeStatus | None, str]:
    """Return the latest signed word that applies on a day, and a reason to doubt if there is one that nobody known has signed."""
    number = None if certificate is None else certificate.number
    found: list[TypeStatus] = []
    doubt = ""
    for signed in () if receipt is None else receipt.statuses:
        try:
            status = read_status(signed, "status")
            kid, problem = _signer(signed, keys, "status")
        except InputRefused:
            doubt = "log_false"
            continue
        if kid is None:
            doubt = "key_unknown" if problem == "key_unknown" else "log_false"
        elif status.is_about(sha256, number) and status.since <= on:
            found.append(status)
    # Words said at one moment follow each other by their days; of two for one day the graver one counts.
    grave = ("homologated", "provisional", "retest_due", "expired", "suspended", "withdrawn")
    return max(found, key=lambda one: (one.at, one.since, grave.index(one.status)), default=None), doubt


def _words(status: TypeStatus) -> str:
    """Return a status in words."""
    words = {
        "homologated": "stands",
        "provisional": "stands provisionally",
        "retest_due": "stands, and a retest is due",
        "suspended": "is suspended",
        "withdrawn": "is withdrawn",
        "expired": "has expired",
    }[status.status]
    until = {"withdrawn": "may be played until", "provisional": "until", "retest_due": "by"}.get(status.status, "until")
    text = f"The type {status.number} ({status.names[0]}) {words} since {status.since}"
    text += "" if status.until is None else f", {until} {status.until}"
    text += f" (as the register said on {instant_text(status.at)})"
    return f"{text}: {status.says}" if status.says else f"{text}."
