"""Private keys: made, written and read as PEM, never shown."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as generate_ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID

from homolog.errors import InputRefused
from homolog.seal.forms import encode
from homolog.seal.key_set import PublicKey, Purpose, thumbprint

Private = Ed25519PrivateKey | EllipticCurvePrivateKey
_FAR = datetime.fromisoformat("9999-12-31T23:59:59Z")  # RFC 5280: a certificate without an end


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key with its public side; it does not print itself."""

    public: PublicKey
    private: Private = field(repr=False)


def new_key(purpose: Purpose, *, issuer: str, at: datetime, until: datetime | None) -> SigningKey:
    """Make a key.

    Args:
        purpose: `record`: Ed25519; `pdf`: ECDSA P-256 with a certificate that it issues to itself.
        issuer: Who signs with it; stands in the certificate.
        at: From when it is valid.
        until: Until when something new may be signed with it.
    """
    private: Private = Ed25519PrivateKey.generate() if purpose == "record" else generate_ec(SECP256R1())
    jwk = jwk_of(private.public_key())
    issued = None
    if isinstance(private, EllipticCurvePrivateKey):
        issued = [base64.b64encode(_certificate(private, thumbprint(jwk), issuer, at, until)).decode()]
    public = PublicKey.model_validate(
        {
            **jwk,
            "kid": thumbprint(jwk),
            "use": "sig",
            "alg": "Ed25519" if purpose == "record" else "ES256",
            "purpose": purpose,
            "x5c": issued,
            "valid_from": at,
            "valid_until": until,
            "status": "active",
        }
    )
    return SigningKey(public, private)


def jwk_of(key: object) -> dict[str, str]:
    """Return the members that make a public key.

    Raises:
        ValueError: It is neither Ed25519 nor on P-256.
    """
    if isinstance(key, Ed25519PublicKey):
        return {"crv": "Ed25519", "kty": "OKP", "x": encode(key.public_bytes_raw())}
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        numbers = key.public_numbers()
        return {"crv": "P-256", "kty": "EC", "x": encode(numbers.x.to_bytes(32)), "y": encode(numbers.y.to_bytes(32))}
    raise ValueError("the key is neither Ed25519 nor on P-256")


def pem_of(key: SigningKey) -> bytes:
    """Return the private key as PKCS #8 in PEM, not encrypted: the file's mode and the folder guard it."""
    plain = serialization.NoEncryption()
    return key.private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)


def key_from_pem(data: bytes, public: PublicKey, name: str) -> SigningKey:
    """Read a private key.

    Raises:
        InputRefused: It is none, or not the one of this public key.
    """
    try:
        private = serialization.load_pem_private_key(data, password=None)
        found = jwk_of(private.public_key())
    except (ValueError, TypeError, UnsupportedAlgorithm):
        what, todo = "the file is no private key in PEM", "restore it, or make a new key"
        raise InputRefused.because(what, where=name, todo=todo, code="key_invalid") from None
    if found != public.jwk() or not isinstance(private, Ed25519PrivateKey | EllipticCurvePrivateKey):
        what, todo = "the private key is not the one of its name", "restore it, or make a new key"
        raise InputRefused.because(what, where=name, todo=todo, code="key_invalid")
    return SigningKey(public, private)


def _certificate(key: EllipticCurvePrivateKey, kid: str, issuer: str, at: datetime, until: datetime | None) -> bytes:
    # Common names are cut at 64 signs by X.509; the whole name stands in the key set.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer[:64])])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    issued = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(int.from_bytes(base64.urlsafe_b64decode(kid + "=")[:16]) | 1)
        .not_valid_before(at)
        .not_valid_after(until or _FAR)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return issued.public_bytes(serialization.Encoding.DER)
