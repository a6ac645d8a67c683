"""The certificate: what the federation has decided about a type, as a record of its own."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from homolog.errors import InputRefused
from homolog.seal.forms import Day, Digest, Form, Name, Text, format_of, read_form, read_json

FORMAT: Final = "homolog-certificate/1"
ItemName = Literal["board", "goal", "ball", "figure", "goalkeeper"]
MOST = 200


class EditionUsed(Form):
    """The rules that the type was judged by."""

    body: Name
    edition: Name
    spec: Name | None = Field(None, description="The id of the rules' file.")
    sha256: Digest | None = Field(None, description="Of that file.")


class Decided(Form):
    """Who has decided what, and when."""

    outcome: Literal["homologated", "provisional"]
    by: Name
    on: Day
    reference: Text | None = Field(None, description="Where the decision is kept, such as the number of the minutes.")
    reasons: Text | None = None


class Certificate(Form):
    """A certificate about a type of equipment.

    Attributes:
        number: The type's permanent number in the register.
        names: What the type is called, the usual name first.
        reports: SHA-256 of the records that the decision rests on.
        valid_until: The last day; without it, until the register says otherwise.
    """

    format: Literal["homolog-certificate/1"] = FORMAT
    number: Name
    names: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MOST, strict=False)]
    maker: Name
    item: ItemName
    family: Name | None = None
    edition: EditionUsed
    reports: Annotated[tuple[Digest, ...], Field(max_length=MOST, strict=False)]
    decision: Decided
    issuer: Name
    valid_from: Day
    valid_until: Day | None = None

    @model_validator(mode="after")
    def _is_one_period(self) -> Certificate:
        if self.valid_until is not None and self.valid_until < self.valid_from:
            raise ValueError("valid_until is before valid_from")
        if self.decision.on > self.valid_from:
            raise ValueError("it is valid from a day before the decision")
        return self


def read_certificate(data: bytes, name: str = "certificate") -> Certificate:
    """Read a certificate.

    Raises:
        InputRefused: It is none, or does not fit its form.
    """
    return certificate_of(read_json(data, name), name)


def certificate_of(value: Any, name: str) -> Certificate:
    """Return plain JSON values as a certificate.

    Raises:
        InputRefused: They are none.
    """
    if format_of(value) != FORMAT:
        todo = "send a certificate, or a record that homolog check wrote"
        raise InputRefused.because(f"the file is no {FORMAT}", where=name, todo=todo, code="seal_foreign")
    return read_form(Certificate, value, name)
