"""Writing what a command made: whole files or none."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.report import Lot, Report
    from homolog.seal.certificate import Certificate

REPORT_ENDINGS = (".json", ".html", ".pdf")
_Thing = TypeVar("_Thing")
_Page: TypeAlias = Callable[[_Thing, str, str | None], bytes]


def check_report(path: Path) -> None:
    """Refuse a report's path before any work is done.

    Raises:
        UsageError: The ending is none of a report's, or the folder does not exist.
    """
    if path.suffix not in REPORT_ENDINGS:
        raise UsageError.because(f"{path.name} is no report's name", todo=f"end it in one of {', '.join(REPORT_ENDINGS)}")
    check_folder(path)


def check_reports(reports: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Refuse reports that cannot be written, that fall on each other, or on what they are made from.

    Raises:
        UsageError: As for `check_report`, or a report's path is there twice or is an input's.
    """
    for number, path in enumerate(reports):
        check_report(path)
        check_free(path, inputs)
        if path.resolve() in {other.resolve() for other in reports[:number]}:
            raise UsageError.because(f"the report {path} is named twice", todo="name it once")


def check_free(path: Path, inputs: Sequence[Path]) -> None:
    """Refuse an output's path that is another file of the call.

    Raises:
        UsageError: It is one.
    """
    if path.resolve() in {other.resolve() for other in inputs}:
        raise UsageError.because(f"{path} is an input, and what is written would replace it", todo="choose another name")


def check_folder(path: Path) -> None:
    """Refuse a path whose folder does not exist.

    Raises:
        UsageError: The folder does not exist.
    """
    if not path.parent.is_dir():
        raise UsageError.because(f"the folder {path.parent} does not exist", todo="make it first")


def write_report(report: Report, path: Path, lang: str, verify_url: str | None = None) -> None:
    """Write a report in the form that the path's ending names."""
    from homolog.report import to_html, to_json, to_pdf

    _write_in_form(report, path, to_json(report), to_html, to_pdf, lang, verify_url)


def write_lot(lot: Lot, path: Path, lang: str, verify_url: str | None = None) -> None:
    """Write a lot's summary in the form that the path's ending names."""
    from homolog.report import lot_to_html, lot_to_pdf

    _write_in_form(lot, path, lot.canonical, lot_to_html, lot_to_pdf, lang, verify_url)


def write_certificate(certificate: Certificate, path: Path, lang: str, verify_url: str | None = None) -> None:
    """Write a certificate in the form that the path's ending names."""
    from homolog.report import certificate_to_html, certificate_to_pdf

    _write_in_form(certificate, path, certificate.canonical(), certificate_to_html, certificate_to_pdf, lang, verify_url)


def _write_in_form(
    thing: _Thing, path: Path, record: bytes, to_html: _Page[_Thing], to_pdf: _Page[_Thing], lang: str, verify_url: str | None
) -> None:
    match path.suffix:
        case ".html":
            write_whole(path, to_html(thing, lang, verify_url))
        case ".pdf":
            write_whole(path, to_pdf(thing, lang, verify_url))
        case _:
            write_whole(path, record)


def address_of(record: bytes, verify_url: str | None) -> str | None:
    """Return the address of the page that says how a record stands; `{sha256}` in it stands for the record's digest.

    Raises:
        UsageError: It is no address.
    """
    if verify_url is None:
        return None
    from homolog.report.qr import check_address

    return check_address(verify_url.replace("{sha256}", hashlib.sha256(record).hexdigest()))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        UsageError: The file cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError.because(f"{path} cannot be written: {error.strerror}", todo="choose another place") from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
