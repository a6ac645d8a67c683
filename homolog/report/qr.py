"""The code to scan that leads to a page, drawn as SVG."""

from __future__ import annotations

import re
from dataclasses import dataclass

from homolog.errors import UsageError
from homolog.report.messages import Catalogue

# An address as it may be printed and scanned; anything else could run, or look like another one.
_ADDRESS = re.compile(
    r"https?://[A-Za-z0-9.\-\[\]:]{1,253}(?:/[A-Za-z0-9._~!$&()*+,;=:@/%\-]*)?(?:\?[A-Za-z0-9._~!$()*+,;=:@/%&\-]*)?"
)
_LONGEST = 500
_QUIET = 4  # modules of white around it, as ISO/IEC 18004 asks


@dataclass(frozen=True, slots=True)
class CheckAt:
    """Where somebody can check a report: the address, its code to scan, and both in words."""

    address: str
    svg: str
    alt: str


def check_at(words: Catalogue, address: str | None) -> CheckAt | None:
    """Return where a report can be checked; None if nobody said.

    Raises:
        UsageError: It is no address.
    """
    if address is None:
        return None
    return CheckAt(address, qr_svg(address), words.say("page.check_alt", {"address": address}))


def check_address(address: str) -> str:
    """Return an address that can be printed and scanned.

    Raises:
        UsageError: It is none, or too long.
    """
    if len(address) > _LONGEST or not _ADDRESS.fullmatch(address):
        todo = "write it as https://example.org/verify/..., in ASCII"
        raise UsageError.because(f"{address[:60]!r} is no address of a page", todo=todo, code="address_invalid")
    return address


def qr_svg(address: str) -> str:
    """Return the code of an address: black on white whatever is around it, the same for the same address.

    Raises:
        UsageError: It is no address.
    """
    import segno

    rows = [bytes(row) for row in segno.make(check_address(address), error="m", micro=False, boost_error=False).matrix]
    size = len(rows) + 2 * _QUIET
    path = "".join(
        f"M{match.start() + _QUIET} {y}h{len(match.group())}v1h-{len(match.group())}z"
        for y, row in enumerate(rows, _QUIET)
        for match in re.finditer(b"\x01+", row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path fill="#000" d="{path}"/></svg>'
    )
