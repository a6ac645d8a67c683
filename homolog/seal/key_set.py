"""The public key set: which keys the federation signs with, from when to when, and what became of them.

A valid JWK Set (RFC 7517) with further members; a key's id is its RFC 7638 thumbprint, so that nobody can give a key
the id of another one.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

import rfc8785
from pydantic import Field, StringConstraints, model_validator

from homolog.errors import InputRefused
from homolog.seal.forms import Coded, Form, Instant, KeyId, Name, Text, decode, format_of, instant_text, read_form, read_json

FORMAT: Final = "homolog-keys/1"
MAX_BYTES = 2_000_000
MOST_KEYS = 1_000

Purpose = Literal["record", "pdf"]
Status = Literal["active", "retired", "revoked"]
_SHAPES = {"record": ("OKP", "Ed25519", "Ed25519"), "pdf": ("EC", "P-256", "ES256")}


class PublicKey(Form):
    """One public key with its life.

    Attributes:
        purpose: `record` keys sign records, heads and statuses; `pdf` keys sign PDFs. Neither counts for the other.
        since: When it was retired or revoked.
    """

    kty: Literal["OKP", "EC"]
    crv: Literal["Ed25519", "P-256"]
    x: Coded
    y: Coded | None = None
    kid: KeyId
    use: Literal["sig"]
    alg: Literal["Ed25519", "ES256"]
    purpose: Purpose
    x5c: Annotated[list[Annotated[str, StringConstraints(max_length=20_000)]], Field(min_length=1, max_length=1)] | None = Field(
        None, description="The certificate that a PDF key signs with, DER in base64."
    )
    valid_from: Instant
    valid_until: Instant | None = Field(None, description="After this nothing new is signed; what was signed before stands.")
    status: Status
    since: Instant | None = Field(None, description="When the key was retired or revoked.")
    reason: Text | None = None

    @model_validator(mode="after")
    def _is_one_key(self) -> PublicKey:
        if (self.kty, self.crv, self.alg) != _SHAPES[self.purpose] or (self.y is None) != (self.kty == "OKP"):
            raise ValueError(f"a {self.purpose} key is of another kind")
        if any(len(decode(part)) != 32 for part in (self.x, *((self.y,) if self.y else ()))):
            raise ValueError("a coordinate has 32 bytes")
        if self.kid != thumbprint(self.jwk()):
            raise ValueError("kid is not the thumbprint of the key (RFC 7638)")
        if (self.since is None) != (self.status == "active"):
            raise ValueError("a key that is retired or revoked says since when, an active one does not")
        if self.valid_until is not None and self.valid_until <= self.valid_from:
            raise ValueError("valid_until is not after valid_from")
        return self

    def jwk(self) -> dict[str, str]:
        """Return the members that make the key, as RFC 7638 names them."""
        members = {"crv": self.crv, "kty": self.kty, "x": self.x}
        return members if self.y is None else members | {"y": self.y}

    def certificate(self) -> bytes | None:
        """Return the DER of the certificate, if there is one."""
        return None if self.x5c is None else base64.b64decode(self.x5c[0])


class KeySet(Form):
    """All public keys of one issuer; a key is never taken out, or what it signed could not be checked any more."""

    format: Literal["homolog-keys/1"] = FORMAT
    issuer: Name
    keys: Annotated[tuple[PublicKey, ...], Field(max_length=MOST_KEYS, strict=False)]

    @model_validator(mode="after")
    def _each_once(self) -> KeySet:
        if len({key.kid for key in self.keys}) != len(self.keys):
            raise ValueError("a key is there twice")
        return self

    def find(self, kid: str, purpose: Purpose) -> PublicKey | None:
        """Return the key with an id, if it may sign this kind of thing."""
        return next((key for key in self.keys if key.kid == kid and key.purpose == purpose), None)


class Standing(StrEnum):
    """How a key stood when it signed."""

    GOOD = "good"
    NOT_YET = "not_yet_valid"
    OVER = "no_longer_valid"
    RETIRED = "retired_before"
    REVOKED_BEFORE = "revoked_before"
    REVOKED_LATER = "revoked_later"


def standing(key: PublicKey, at: datetime) -> Standing:
    """Return how a key stood at a time that it states itself.

    Whoever has stolen a key can state any time; so of a key that was revoked later, the stated time alone proves nothing.
    """
    if key.status == "revoked" and key.since is not None:
        return Standing.REVOKED_BEFORE if at >= key.since else Standing.REVOKED_LATER
    if at < key.valid_from:
        return Standing.NOT_YET
    if key.status == "retired" and key.since is not None and at > key.since:
        return Standing.RETIRED
    if key.valid_until is not None and at > key.valid_until:
        return Standing.OVER
    return Standing.GOOD


def thumbprint(jwk: dict[str, str]) -> str:
    """Return the RFC 7638 thumbprint of a key's required members."""
    digest = hashlib.sha256(rfc8785.dumps(dict(jwk))).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def read_key_set(data: bytes, name: str) -> KeySet:
    """Read a key set.

    Raises:
        InputRefused: It is none, or holds a key twice, under a wrong id, or a private key.
    """
    value = read_json(data, name, max_bytes=MAX_BYTES)
    if format_of(value) != FORMAT:
        todo = "give the key set that the federation publishes"
        raise InputRefused.because(f"the file is no {FORMAT}", where=name, todo=todo, code="keys_invalid")
    refuse_private(value, name)
    return read_form(KeySet, value, name)


def refuse_private(value: Any, name: str) -> None:
    """Refuse a document with a private key in it before anything shows or keeps it.

    Raises:
        InputRefused: It holds one.
    """
    keys = value.get("keys", [value]) if isinstance(value, dict) else []
    if any(isinstance(key, dict) and "d" in key for key in (keys if isinstance(keys, list) else [])):
        what, todo = "the file holds a private key", "publish public keys only, and revoke this one: it has been shown"
        raise InputRefused.because(what, where=name, todo=todo, code="key_private")


def said(key: PublicKey) -> str:
    """Return a key's life in words."""
    until = "" if key.valid_until is None else f" until {instant_text(key.valid_until)}"
    state = key.status if key.since is None else f"{key.status} since {instant_text(key.since)}"
    return f"valid from {instant_text(key.valid_from)}{until}, {state}"
