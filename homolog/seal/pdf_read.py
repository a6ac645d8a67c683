"""Checking a PDF's signature on its bytes alone: no PDF reader touches a file before a known key has vouched for all of it.

A signature of ours covers every byte but the place that it stands in, and that place holds exactly one spelling of it.
So whatever was put behind it, hidden in it, cut off or exchanged is found without asking what a reader would show.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO

from asn1crypto import algos, cms, tsp, x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from homolog.errors import InputRefused
from homolog.seal.key import jwk_of
from homolog.seal.key_set import PublicKey, thumbprint

MAX_BYTES = 200_000_000
_RANGE = re.compile(rb"/ByteRange \[0 ([1-9][0-9]{0,9}) ([1-9][0-9]{0,9}) ([1-9][0-9]{0,9})\]")
_ANY_RANGE = re.compile(rb"/ByteRange\s*\[")
_TIME = re.compile(rb"/M \(D(?::|\\072)([0-9]{14})Z\)")
_TAIL = 4_000  # the signature's dictionary goes on behind its place
_MOST_CMS = 100_000
_ABOUT = tsp.CMSAttributeType.map("1.2.840.113549.1.9.16.2.47")  # signing-certificate-v2, which the module tsp knows


class Broken(Exception):
    """The file is not as it was signed; says why in one sentence without the final full stop."""


@dataclass(frozen=True, slots=True)
class PdfSeal:
    """A PDF whose every byte its signature covers; whose key that is, is for others to judge.

    Attributes:
        kid: The id of the key in the certificate that came along.
        at: When it was signed, as the signer says.
        certificate: That certificate, DER.
    """

    data: bytes
    kid: str
    at: datetime
    certificate: bytes

    def is_by(self, key: PublicKey) -> bool:
        """Whether this is the key, with the certificate that its set publishes."""
        return key.purpose == "pdf" and key.kid == self.kid and key.certificate() in (None, self.certificate)


def read_pdf(data: bytes, name: str) -> PdfSeal | None:
    """Check that a PDF's signature holds and covers all of it; None if it carries no signature.

    Raises:
        InputRefused: It is no PDF, or too large.
        Broken: Something was added, cut off or changed after it was signed.
    """
    if len(data) > MAX_BYTES:
        raise InputRefused.because(f"the file has {len(data)} bytes, more than {MAX_BYTES}", where=name, code="file_too_large")
    if not data.startswith(b"%PDF-1."):
        raise InputRefused.because("the file is no PDF", where=name, todo="send the PDF as it was signed", code="seal_foreign")
    ranges = [match for match in _RANGE.finditer(data) if _has_place(data, match)]
    if not ranges:
        if _ANY_RANGE.search(data):
            raise Broken("it was cut short or changed: its signature does not cover what it says")
        if not data.rstrip().endswith(b"%%EOF"):
            raise Broken("it was cut short")
        return None
    if len(ranges) > 1:
        raise Broken("it was changed after it was signed: a further signature was added, and a report carries one")
    start, rest, length = (int(part) for part in ranges[0].groups())
    if rest + length < len(data):
        raise Broken(f"{len(data) - rest - length} bytes were added after it was signed")
    if rest + length > len(data):
        raise Broken("it was cut short after it was signed")
    found, spelled = _cms(data[start + 1 : rest - 1])
    digest = hashlib.sha256(memoryview(data)[:start])
    digest.update(memoryview(data)[rest:])
    certificate = _checked(found, spelled, digest.digest())
    return PdfSeal(data, _kid(certificate), _time(data[rest : rest + _TAIL]), certificate)


def record_of(seal: PdfSeal) -> bytes:
    """Return the record that is attached to a PDF that a known key has signed.

    Raises:
        Broken: There is not exactly one.
    """
    from pyhanko.pdf_utils.misc import PdfError
    from pyhanko.pdf_utils.reader import PdfFileReader

    try:
        names = PdfFileReader(BytesIO(seal.data)).root["/Names"]["/EmbeddedFiles"]["/Names"]
        if len(names) == 2:
            return bytes(names[1]["/EF"]["/F"].data)
    except (PdfError, KeyError, TypeError, ValueError, IndexError, RecursionError) as error:
        raise Broken(f"the attached record cannot be read: {type(error).__name__}") from None
    raise Broken("not exactly one record is attached")


def _has_place(data: bytes, match: re.Match[bytes]) -> bool:
    """Whether a range leaves out a hexadecimal text right before it; in a hostile name it would not."""
    start, rest = int(match[1]), int(match[2])
    return start < rest <= match.start() and data[start : start + 1] == b"<" and data[rest - 1 : rest] == b">"


def _cms(place: bytes) -> tuple[cms.ContentInfo, bytes]:
    """Return the signature in its place, and its bytes; behind them there are only noughts."""
    if len(place) > 2 * _MOST_CMS:
        raise Broken("the place of its signature was enlarged")
    try:
        data = bytes.fromhex(place.decode("ascii"))
        found = cms.ContentInfo.load(data)
        spelled = bytes(found.dump())
    except Exception as error:  # whatever the reader of strangers' bytes makes of them, it is no signature of ours
        raise Broken("its signature was changed: it cannot be read") from error
    if data.hex().upper().encode() != place or spelled + bytes(len(data) - len(spelled)) != data:
        raise Broken("its signature was changed: it is not spelled as it was made")
    return found, spelled


def _checked(found: cms.ContentInfo, spelled: bytes, digest: bytes) -> bytes:
    """Return the certificate of a signature over a digest."""
    try:
        (info,) = list(found["content"]["signer_infos"])
        (choice,) = list(found["content"]["certificates"])
        certificate, signature = choice.chosen, info["signature"].native
        said = cms.CMSAttributes(list(info["signed_attrs"]))
        was, is_certified = _said(said, certificate)
        is_plain = spelled == _as_made(certificate, info["signed_attrs"], signature)
        key = load_der_public_key(certificate.public_key.dump())
        encoded = said.dump()
    except Exception as error:  # as above
        raise Broken("its signature was changed: parts of it are missing or were added") from error
    if not is_plain or not is_certified or not isinstance(key, EllipticCurvePublicKey):
        raise Broken("its signature was changed: parts of it are not as a report's are")
    if was != digest:
        raise Broken("it was changed after it was signed: its bytes are not those that were signed")
    try:
        key.verify(signature, encoded, ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Broken("its signature was changed: it is not the key's") from None
    return bytes(certificate.dump())


def _said(said: cms.CMSAttributes, certificate: x509.Certificate) -> tuple[bytes, bool]:
    """Return the digest that was signed, and whether exactly what PAdES B-B asks was said beside it."""
    attributes = {attribute["type"].native: list(attribute["values"]) for attribute in said}
    (message,) = attributes.pop("message_digest")
    (kind,) = attributes.pop("content_type")
    (about,) = attributes.pop(_ABOUT)
    (named,) = list(about["certs"])
    is_by_sha256 = named["hash_algorithm"]["algorithm"].native == "sha256"
    is_certified = is_by_sha256 and named["cert_hash"].native == hashlib.sha256(certificate.dump()).digest()
    return message.native, is_certified and not attributes and kind.native == "data"


def _as_made(certificate: x509.Certificate, attributes: cms.CMSAttributes, signature: bytes) -> bytes:
    """Return the only bytes that a signature of these parts can have: what it leaves unsigned in itself hides nothing."""
    sha256 = algos.DigestAlgorithm({"algorithm": "sha256"})
    sid = cms.IssuerAndSerialNumber({"issuer": certificate.issuer, "serial_number": certificate.serial_number})
    info = {
        "version": "v1",
        "sid": cms.SignerIdentifier({"issuer_and_serial_number": sid}),
        "digest_algorithm": sha256,
        "signed_attrs": attributes,
        "signature_algorithm": algos.SignedDigestAlgorithm({"algorithm": "sha256_ecdsa"}),
        "signature": signature,
    }
    signed = {
        "version": "v1",
        "digest_algorithms": cms.DigestAlgorithms((sha256,)),
        "encap_content_info": {"content_type": "data"},
        "certificates": [cms.CertificateChoices(name="certificate", value=certificate)],
        "signer_infos": [info],
    }
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(signed)}).dump())


def _kid(certificate: bytes) -> str:
    try:
        key = load_der_public_key(x509.Certificate.load(certificate).public_key.dump())
        return thumbprint(jwk_of(key))
    except ValueError:
        raise Broken("its signature was changed: its key is of another kind") from None


def _time(text: bytes) -> datetime:
    found = _TIME.search(text)
    try:
        if found is not None:
            return datetime.strptime(found[1].decode(), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        pass
    raise Broken("it does not say when it was signed")
