"""The keys that somebody hands in to check a file with: a key set, one JSON Web Key, or a PEM file."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_public_key

from homolog.errors import InputRefused
from homolog.seal.forms import format_of, read_form, read_json
from homolog.seal.key import jwk_of
from homolog.seal.key_set import FORMAT, MAX_BYTES, KeySet, PublicKey, read_key_set, refuse_private, thumbprint

UNNAMED = "whoever has the key that was given"
_MEMBERS = ("crv", "kty", "x", "y")
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)


def read_keys(data: bytes, name: str) -> KeySet:
    """Read the keys that were handed in; a bare key has no stated life, so it is taken as valid at all times.

    Raises:
        InputRefused: They are none, of another kind, or a private key.
    """
    if b"-----BEGIN" in data[:1_000]:
        return _from_pem(data[:MAX_BYTES], name)
    value = read_json(data, name, max_bytes=MAX_BYTES)
    if format_of(value) == FORMAT:
        return read_key_set(data, name)
    refuse_private(value, name)
    if not isinstance(value, dict) or "kty" not in value:
        raise _no_key("the file is neither a key set nor a public key", name)
    jwk = {member: value[member] for member in _MEMBERS if isinstance(value.get(member), str)}
    return _bare(jwk, name)


def _from_pem(data: bytes, name: str) -> KeySet:
    if b"PRIVATE KEY-----" in data:
        what, todo = "the file holds a private key", "give the public one, and revoke this one if it has been shown"
        raise InputRefused.because(what, where=name, todo=todo, code="key_private")
    try:
        if b"-----BEGIN CERTIFICATE-----" in data:
            certificate = x509.load_pem_x509_certificate(data)
            issued = base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()
            return _bare(jwk_of(certificate.public_key()), name, issued)
        return _bare(jwk_of(load_pem_public_key(data)), name)
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key("the file is no public key that can be used here", name) from None


def _bare(jwk: dict[str, str], name: str, issued: str | None = None) -> KeySet:
    is_record = jwk.get("kty") == "OKP"
    value = {
        **jwk,
        "kid": thumbprint(jwk),
        "use": "sig",
        "alg": "Ed25519" if is_record else "ES256",
        "purpose": "record" if is_record else "pdf",
        "valid_from": _ALWAYS,
        "status": "active",
    }
    key = read_form(PublicKey, value if issued is None else value | {"x5c": [issued]}, name)
    return KeySet(issuer=UNNAMED, keys=(key,))


def _no_key(what: str, name: str) -> InputRefused:
    todo = "give the key set that the federation publishes, or a public key as JSON or PEM"
    return InputRefused.because(what, where=name, todo=todo, code="keys_invalid")
