"""Owns the pages of a stored record: HTML, and PDF signed by the register."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from homolog.service.records import Record
from homolog.service.sealing import Sealer

if TYPE_CHECKING:
    from homolog.report.view_rows import Row


def html(record: Record, lang: str, address: str) -> bytes:
    """Return a record as one HTML page.

    Args:
        record: What is shown.
        lang: Language of the words.
        address: Where it can be checked; as a code to scan on the page.
    """
    from homolog.report import certificate_to_html, read_report, to_html
    from homolog.seal.certificate import read_certificate

    if record.kind == "certificate":
        return certificate_to_html(read_certificate(record.data), lang, address)
    return to_html(read_report(record.data, "report"), lang, address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a report says, on one page beside what else is known of an application.

    Attributes:
        rows: A requirement each, in words.
        scan: What is known of the scan; None where there was none.
    """

    sentence: str
    verdict: str
    outcome: str
    edition: str
    rows: tuple[Row, ...]
    scan: Mapping[str, Any] | None


def evidence(record: Record, lang: str) -> Evidence:
    """Return what a report says, in a language."""
    from homolog.report import read_report
    from homolog.report.view import view_of

    report = read_report(record.data, "report")
    view = view_of(report, lang)
    return Evidence(
        sentence=view.sentence,
        verdict=report.record["verdict"],
        outcome=report.outcome,
        edition=report.record["spec"]["edition"],
        rows=tuple(row for article in view.articles for row in article.rows),
        scan=report.record["scan"],
    )


def signed_pdf(record: Record, lang: str, address: str, sealer: Sealer, *, now: datetime) -> bytes:
    """Return a record as PDF, signed now.

    Raises:
        KeysMissing: There is no key to sign with.
    """
    from homolog.report import certificate_to_pdf, read_report, to_pdf
    from homolog.seal.certificate import read_certificate
    from homolog.seal.pdf import sign_pdf

    key, issuer = sealer.pdf_key(now)
    if record.kind == "certificate":
        pdf, reason = certificate_to_pdf(read_certificate(record.data), lang, address), "Certificate"
    else:
        pdf, reason = to_pdf(read_report(record.data, "report"), lang, address), "Conformity report"
    return sign_pdf(pdf, key, at=now.astimezone(UTC).replace(microsecond=0), issuer=issuer, reason=reason)
