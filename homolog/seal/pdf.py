"""Signing a PDF: PAdES B-B in one incremental update that touches nothing else of the document."""

from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from io import BytesIO
from typing import cast

from asn1crypto import algos, cms, x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePrivateKey
from pyhanko.pdf_utils.generic import ArrayObject, ByteStringObject, NameObject, NumberObject, pdf_string
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.signers import Signer
from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigIOSetup, SigObjSetup
from pyhanko.sign.signers.pdf_byterange import PdfSignedData

from homolog.seal.forms import instant_text
from homolog.seal.key import SigningKey

FIELD = "Signature"
_RESERVED = 8_192  # hexadecimal digits; a signature of ours takes about a third
_OUTSIDE = -10


class _Update(IncrementalPdfFileWriter):
    """An update with no clock and no chance in it, that leaves the document's metadata as they are."""

    def __init__(self, pdf: bytes, seed: bytes) -> None:
        super().__init__(BytesIO(pdf))
        second = hashlib.sha256(pdf + seed).digest()[:16]
        self._document_id = ArrayObject([self._document_id[0], ByteStringObject(second)])

    def _update_meta(self) -> None:
        # PDF/A wants the metadata packet and the document information to say the same; both do, and stay.
        return


class _Signer(Signer):
    """Signs with ECDSA as RFC 6979 has it: equal documents and times give equal signatures."""

    def __init__(self, key: EllipticCurvePrivateKey, certificate: bytes) -> None:
        mechanism = algos.SignedDigestAlgorithm({"algorithm": "sha256_ecdsa"})
        super().__init__(signature_mechanism=mechanism, signing_cert=x509.Certificate.load(certificate))
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:
        if digest_algorithm != "sha256":
            raise ValueError(digest_algorithm)
        return self._key.sign(data, ECDSA(hashes.SHA256(), deterministic_signing=True))


def sign_pdf(pdf: bytes, key: SigningKey, *, at: datetime, issuer: str, reason: str, field: str = FIELD) -> bytes:
    """Return a PDF with one signature over all of it.

    The document's own bytes stand unchanged before the update. The signature field has no size, lies outside of the page
    and says in words what it is, so that neither the pages nor what a screen reader says of them changes.

    Args:
        pdf: A PDF without a signature that this program has set; one of strangers is never signed.
        key: A PDF key.
        at: The time of signing; the only thing that differs between two runs.
        issuer: Who signs.
        reason: Why, in a few words.
        field: Name of the signature field.

    Raises:
        ValueError: The key signs no PDFs.
    """
    certificate = key.public.certificate()
    if not isinstance(key.private, EllipticCurvePrivateKey) or certificate is None:
        raise ValueError("the key signs no PDFs")
    update = _Update(pdf, f"{key.public.kid} {instant_text(at)}".encode())
    steps = PdfCMSEmbedder().write_cms(field_name=field, writer=update)
    widget = next(steps).get_object()
    widget["/Rect"] = ArrayObject([NumberObject(_OUTSIDE)] * 4)  # type: ignore[no-untyped-call]
    widget["/TU"] = pdf_string(f"{reason}, {issuer}")
    placeholder = PdfSignedData(NameObject("/Sig"), SigSeedSubFilter.PADES, timestamp=at, bytes_reserved=_RESERVED)
    placeholder["/Name"] = pdf_string(issuer)
    placeholder["/Reason"] = pdf_string(reason)
    steps.send(SigObjSetup(sig_placeholder=placeholder))
    digest, output = steps.send(SigIOSetup(md_algorithm="sha256", in_place=False))
    made = _cms(_Signer(key.private, certificate), digest.document_digest)
    steps.send(made)
    return cast("bytes", output.getvalue())


def _cms(signer: _Signer, digest: bytes) -> cms.ContentInfo:
    """Make the CMS in a thread of its own: it needs an event loop, and in the caller's thread one may be running."""

    async def signed() -> cms.ContentInfo:
        return await signer.async_sign(digest, "sha256", use_pades=True)

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, signed()).result()
