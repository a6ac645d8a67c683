"""The file that a signed record is kept in: a flattened JWS with the receipt of the log beside it."""

from __future__ import annotations

from typing import Any, Final, Literal

from homolog.errors import InputRefused
from homolog.seal.forms import Form, format_of, read_form
from homolog.seal.jws import Jws, read_jws
from homolog.seal.log import Receipt

FORMAT: Final = "homolog-signed/1"


class SignedFile(Form):
    """A signed record.

    The receipt stands outside of the signature, because it is made after it; it is signed by itself.
    """

    format: Literal["homolog-signed/1"] = FORMAT
    payload: str
    protected: str
    signature: str
    receipt: Receipt | None = None

    def jws(self) -> Jws:
        """Return the signature with what it signs."""
        return Jws(payload=self.payload, protected=self.protected, signature=self.signature)


def put_together(signed: Jws, receipt: Receipt | None = None) -> SignedFile:
    """Return the file of a signature."""
    return SignedFile(payload=signed.payload, protected=signed.protected, signature=signed.signature, receipt=receipt)


def read_signed(value: Any, name: str) -> SignedFile:
    """Return plain JSON values as a signed record; nothing in it is believed yet.

    Raises:
        InputRefused: They are none, or one with several signatures or an unprotected header.
    """
    if not isinstance(value, dict) or format_of(value) != FORMAT:
        todo = "send a file that homolog sign wrote"
        raise InputRefused.because(f"the file is no {FORMAT}", where=name, todo=todo, code="seal_foreign")
    read_jws({key: part for key, part in value.items() if key not in ("format", "receipt")}, name)
    return read_form(SignedFile, value, name)
