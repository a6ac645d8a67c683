"""The report: one canonical JSON record, and its views as HTML and PDF.

Importing this package is light: a view's libraries are loaded when that view is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from homolog.report.inputs import AdoptionGiven, Asked, EditionNotes, Elsewhere, Engine, PieceFindings, SubmissionFacts
from homolog.report.lot import Lot, LotTally
from homolog.report.record import FORMAT, Report, build_report, to_json

if TYPE_CHECKING:
    from homolog.seal.certificate import Certificate

__all__ = [
    "FORMAT",
    "AdoptionGiven",
    "Asked",
    "EditionNotes",
    "Elsewhere",
    "Engine",
    "Lot",
    "LotTally",
    "PieceFindings",
    "Report",
    "SubmissionFacts",
    "build_report",
    "certificate_to_html",
    "certificate_to_pdf",
    "lot_to_html",
    "lot_to_pdf",
    "read_lot",
    "read_report",
    "to_html",
    "to_json",
    "to_pdf",
]


def read_report(data: bytes, name: str = "record") -> Report:
    """Read a record that `to_json` wrote.

    Raises:
        InputRefused: The bytes are no such record, or a damaged one.
    """
    from homolog.report.read import read_report as read

    return read(data, name)


def to_html(report: Report, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return the report as one HTML file that needs nothing else.

    `verify_url` is the address of the page that says how it stands; with it a code to scan is shown.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.html import to_html as render

    return render(report, lang, verify_url)


def to_pdf(report: Report, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return the report as PDF/A-3 with the record attached; `verify_url` as for HTML.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.pdf import to_pdf as render

    return render(report, lang, verify_url)


def read_lot(data: bytes, name: str = "record") -> Lot:
    """Read a lot's record.

    Raises:
        InputRefused: The bytes are no such record, or a damaged one.
    """
    from homolog.report.lot_read import read_lot as read

    return read(data, name)


def lot_to_html(lot: Lot, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a lot's summary as one HTML file that needs nothing else.

    `verify_url` is the address of the page that says how it stands; with it a code to scan is shown.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.html import lot_to_html as render

    return render(lot, lang, verify_url)


def lot_to_pdf(lot: Lot, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a lot's summary as PDF/A-3 with its record attached; `verify_url` as for HTML.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.pdf import lot_to_pdf as render

    return render(lot, lang, verify_url)


def certificate_to_html(certificate: Certificate, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a certificate as one HTML file that needs nothing else.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.html import certificate_to_html as render

    return render(certificate, lang, verify_url)


def certificate_to_pdf(certificate: Certificate, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a certificate as PDF/A-3 with its record attached.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    from homolog.report.pdf import certificate_to_pdf as render

    return render(certificate, lang, verify_url)
