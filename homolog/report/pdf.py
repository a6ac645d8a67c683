"""The report as PDF/A-3a and PDF/UA-1, with the record attached; identical bytes from identical records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from threading import Lock
from typing import Any, cast

import typst

from homolog.data import templates_dir
from homolog.report.certificate_view import view_of_certificate
from homolog.report.glyphs import Printer, over
from homolog.report.lot import Lot
from homolog.report.lot_view import view_of_lot
from homolog.report.messages import catalogue
from homolog.report.record import Report
from homolog.report.view import view_of
from homolog.seal.certificate import Certificate

STANDARDS: list[typst.PDFStandard] = ["a-3a", "ua-1"]

_ONE_AT_A_TIME = Lock()  # the compiler keeps its inputs, so two threads would set each other's report


@lru_cache(maxsize=3)
def _compiler(name: str) -> typst.Compiler:
    folder = templates_dir() / "report"
    # The machine's own fonts are left aside, or the bytes would differ from machine to machine.
    return typst.Compiler(str(folder / name), root=str(folder), ignore_system_fonts=True)


def to_pdf(report: Report, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return the report as PDF; signs that its fonts lack are shown as boxes and named on the last page.

    Raises:
        UsageError: There is no message catalogue for the language.
    """
    view, printer = view_of(report, lang, verify_url), Printer()
    return _set("report.typ", _printable(asdict(view), printer), printer, report.canonical)


def lot_to_pdf(lot: Lot, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a lot's summary as PDF, with its record attached.

    Raises:
        UsageError: There is no message catalogue for the language.
    """
    view, printer = asdict(view_of_lot(lot, lang, verify_url)), Printer()
    return _set(
        "lot.typ", _with_address(cast("dict[str, Any]", over(view, _except_drawings(printer))), view), printer, lot.canonical
    )


def certificate_to_pdf(certificate: Certificate, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a certificate as PDF, with its record attached.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    view, printer = asdict(view_of_certificate(certificate, lang, verify_url)), Printer()
    shown = cast("dict[str, Any]", over(view, _except_drawings(printer)))
    return _set("certificate.typ", _with_address(shown, view), printer, certificate.canonical())


def _set(template: str, shown: dict[str, Any], printer: Printer, record: bytes) -> bytes:
    """Set a view on paper."""
    shown["lost"] = _lost(shown["lang"], printer.lost)
    day = datetime.fromisoformat(shown["day"]).replace(tzinfo=UTC)
    inputs = {"view": json.dumps(shown, ensure_ascii=False, sort_keys=True), "record": record.decode()}
    with _ONE_AT_A_TIME:
        data = _compiler(template).compile(format="pdf", sys_inputs=inputs, pdf_standards=STANDARDS, timestamp=day)
    return cast("bytes", data)  # one PDF; only other formats come as a list of pages


def _printable(view: dict[str, Any], printer: Printer) -> dict[str, Any]:
    """Return the view with texts and drawings that can be set."""
    texts = {key: value for key, value in view.items() if key != "pictures"}
    shown = cast("dict[str, Any]", over(texts, _except_drawings(printer)))
    shown["pictures"] = [
        {
            "title": printer.text(picture["title"]),
            "alt": printer.text(picture["alt"]),
            "is_wide": picture["is_wide"],
            "svg": printer.drawing(picture["svg"]),
        }
        for picture in view["pictures"]
    ]
    return _with_address(shown, view)


def _with_address(shown: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    """Give a link its address as it is: what is printed of it has places to break."""
    if shown["check"] is not None:
        shown["check"]["href"] = view["check"]["address"]
    return shown


def _except_drawings(printer: Printer) -> Callable[[str], str]:
    def change(text: str) -> str:
        return printer.drawing(text) if text.startswith("<svg ") else printer.text(text)

    return change


def _lost(lang: str, lost: set[str]) -> str:
    if not lost:
        return ""
    names = ", ".join(f"U+{ord(letter):04X}" for letter in sorted(lost))
    return catalogue(lang).say("page.lost_signs", {"signs": names})
