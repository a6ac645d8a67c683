"""The state of a type on a day, as the register signs it."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from homolog.seal.forms import Day, Digest, Form, Instant, Name, Text

FORMAT: Final = "homolog-status/1"
StatusName = Literal["homologated", "provisional", "retest_due", "suspended", "withdrawn", "expired"]
MOST = 10_000


class TypeStatus(Form):
    """What the register says of a type.

    Attributes:
        at: When it was said; of several, the latest counts.
        since: From which day the status applies.
        until: The last day of a grace period, of a provisional homologation, or before a retest.
        reports: SHA-256 of the records that the type's decisions rest on.
        certificates: SHA-256 of its certificates.
    """

    format: Literal["homolog-status/1"] = FORMAT
    issuer: Name
    at: Instant
    number: Name
    names: Annotated[tuple[Name, ...], Field(min_length=1, max_length=200, strict=False)]
    status: StatusName
    since: Day
    until: Day | None = None
    says: Text | None = Field(None, description="The reason, in one or two sentences.")
    reports: Annotated[tuple[Digest, ...], Field(max_length=MOST, strict=False)] = ()
    certificates: Annotated[tuple[Digest, ...], Field(max_length=MOST, strict=False)] = ()

    def is_about(self, sha256: str, number: str | None) -> bool:
        """Whether it speaks of a record with this digest, or of a certificate with this number."""
        return sha256 in self.reports or sha256 in self.certificates or (number is not None and number == self.number)
