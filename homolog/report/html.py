"""The report as one HTML file: own style, no script, nothing loaded from anywhere."""

from __future__ import annotations

from functools import lru_cache

import jinja2
from markupsafe import Markup

from homolog.data import templates_dir
from homolog.report.certificate_view import view_of_certificate
from homolog.report.lot import Lot
from homolog.report.lot_view import view_of_lot
from homolog.report.record import Report
from homolog.report.view import view_of
from homolog.seal.certificate import Certificate


@lru_cache(maxsize=3)
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_dir() / "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


@lru_cache(maxsize=1)
def _style() -> Markup:
    # The style is a file of ours and holds no "</"; escaped it would not be read.
    return Markup((templates_dir() / "report" / "report.css").read_text(encoding="utf-8"))  # noqa: S704


def to_html(report: Report, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return the report as HTML in UTF-8.

    Raises:
        UsageError: There is no message catalogue for the language.
    """
    view = view_of(report, lang, verify_url)
    return _template("report.html.j2").render(v=view, w=view.words, style=_style(), drawn=_drawn).encode()


def lot_to_html(lot: Lot, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a lot's summary as HTML in UTF-8.

    Raises:
        UsageError: There is no message catalogue for the language.
    """
    view = view_of_lot(lot, lang, verify_url)
    return _template("lot.html.j2").render(v=view, w=view.words, style=_style(), drawn=_drawn).encode()


def certificate_to_html(certificate: Certificate, lang: str = "en", verify_url: str | None = None) -> bytes:
    """Return a certificate as HTML in UTF-8.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    view = view_of_certificate(certificate, lang, verify_url)
    return _template("certificate.html.j2").render(v=view, w=view.words, style=_style(), drawn=_drawn).encode()


def _drawn(svg: str) -> Markup:
    """Let a bar or code through as it is: it holds numbers of ours and escaped labels only."""
    return Markup(svg)  # noqa: S704
