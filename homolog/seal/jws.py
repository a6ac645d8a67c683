"""One signature over one payload: a flattened JSON Web Signature with Ed25519, and nothing else that JWS allows.

The payload is the canonical JSON of what is signed, byte for byte, so that nothing is rewritten between the signature
and what it signs. The header names four things and no more; a header that names anything else is refused, and so are
all other algorithms, keys that come along with the signature, and unprotected headers.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

import rfc8785
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey
from joserfc.jws import FlattenedJSONSerialization
from joserfc.registry import HeaderParameter
from pydantic import Field, StringConstraints

from homolog.errors import InputRefused
from homolog.seal.forms import MAX_BYTES, Coded, Form, KeyId, decode, format_of, read_form, read_json
from homolog.seal.key import SigningKey
from homolog.seal.key_set import PublicKey

Kind = Literal["report", "lot", "certificate", "log-head", "status"]
KINDS: tuple[Kind, ...] = ("report", "lot", "certificate", "log-head", "status")
_ALGORITHM: Final = "Ed25519"
_MAX_HEADER = 1_000
_LAST_SECOND = 253_402_300_799  # of the year 9999


class Jws(Form):
    """A flattened JWS (RFC 7515, 7.2.2)."""

    payload: Coded
    protected: Annotated[Coded, StringConstraints(max_length=2 * _MAX_HEADER)]
    signature: Annotated[Coded, StringConstraints(min_length=86, max_length=86)]


class Header(Form):
    """The protected header.

    Attributes:
        iat: When it was signed, in seconds since 1970, as the signer says.
        typ: What is signed, so that no signature can be shown as one of another kind.
    """

    alg: Literal["Ed25519"]
    kid: KeyId
    iat: Annotated[int, Field(ge=0, le=_LAST_SECOND)]
    typ: Literal[
        "homolog-report+json", "homolog-lot+json", "homolog-certificate+json", "homolog-log-head+json", "homolog-status+json"
    ]

    @property
    def kind(self) -> Kind:
        """What is signed."""
        return next(kind for kind in KINDS if self.typ == _typ(kind))

    @property
    def at(self) -> datetime:
        """When it was signed, as the signer says."""
        return datetime.fromtimestamp(self.iat, UTC)


def sign(payload: bytes, kind: Kind, key: SigningKey, at: datetime) -> Jws:
    """Sign canonical JSON.

    Args:
        payload: The bytes that are signed.
        kind: What they are; their `format` must say the same.
        key: A record key.
        at: When; goes into the header, and equal times give equal signatures.

    Raises:
        ValueError: The payload is not canonical, of another kind, or the key signs other things.
    """
    value = read_json(payload, kind)
    if rfc8785.dumps(value) != payload or format_of(value) != f"homolog-{kind}/1" or key.public.purpose != "record":
        raise ValueError(f"these bytes are no canonical homolog-{kind}/1, or the key signs no records")
    header = Header(alg=_ALGORITHM, kid=key.public.kid, iat=int(at.timestamp()), typ=_typ(kind))
    private = OKPKey.import_key(key.private)  # type: ignore[arg-type]
    made = jws.serialize_json({"protected": header.record()}, payload, private, registry=_registry())
    return Jws.model_validate(dict(made))


def read_jws(value: Any, name: str) -> Jws:
    """Return plain JSON values as a JWS.

    Raises:
        InputRefused: They are none, or one with several signatures or an unprotected header.
    """
    if isinstance(value, dict) and ("signatures" in value or "header" in value):
        what = "the file carries several signatures, or a header that is not signed"
        raise InputRefused.because(what, where=name, todo="send the file as it was signed", code="jws_refused")
    return read_form(Jws, value, name)


def header_of(signed: Jws, name: str) -> Header:
    """Return what a signature says of itself, before anything is believed.

    Raises:
        InputRefused: It is signed with another algorithm, brings its own key, or says what is not known.
    """
    try:
        data = decode(signed.protected)
    except ValueError as error:
        raise _refused(f"the header cannot be read: {error}", name) from None
    value = read_json(data, f"{name}: protected", max_bytes=_MAX_HEADER)
    if not isinstance(value, dict):
        raise _refused("the header is no object", name)
    if value.get("alg") != _ALGORITHM:
        raise _refused(f"the algorithm {str(value.get('alg'))[:20]!r} is not taken, only {_ALGORITHM}", name)
    foreign = sorted(set(value) - {"alg", "kid", "iat", "typ"})
    if foreign:
        raise _refused(f"the header holds {foreign[0][:20]!r}, which is never taken from a signature", name)
    return read_form(Header, value, f"{name}: protected")


def payload_of(signed: Jws, kind: Kind, name: str) -> tuple[bytes, dict[str, Any]]:
    """Return the bytes that were signed, and their values.

    Raises:
        InputRefused: They are not canonical JSON, or not of the kind that the header says.
    """
    try:
        data = decode(signed.payload)
    except ValueError as error:
        raise _refused(f"the payload cannot be read: {error}", name) from None
    value = read_json(data, f"{name}: payload", max_bytes=MAX_BYTES)
    if format_of(value) != f"homolog-{kind}/1":
        raise _refused(f"the header says {kind}, and the payload is another document", name)
    if rfc8785.dumps(value) != data:
        raise _refused("the payload is not canonical JSON", name)
    return data, value


def holds(signed: Jws, key: PublicKey) -> bool:
    """Whether the signature is this key's over exactly these bytes."""
    if key.purpose != "record":
        return False
    try:
        decode(signed.signature)
        form: FlattenedJSONSerialization = {"payload": signed.payload, "protected": signed.protected, "signature": signed.signature}
        jws.deserialize_json(form, OKPKey.import_key(dict(key.jwk())), registry=_registry())
    except (ValueError, JoseError):
        return False
    return True


def _typ(kind: Kind) -> Any:
    return f"homolog-{kind}+json"


def _registry() -> jws.JWSRegistry:
    known = {"iat": HeaderParameter("Signed at", "int")}
    registry = jws.JWSRegistry(header_registry=known, algorithms=[_ALGORITHM])
    registry.max_payload_length = MAX_BYTES * 2
    registry.max_header_length = 2 * _MAX_HEADER
    return registry


def _refused(what: str, name: str) -> InputRefused:
    return InputRefused.because(what, where=name, todo="send the file as it was signed", code="jws_refused")
