from __future__ import annotations

import hashlib
import io
from typing import Any

import pypdf
import pytest

from homolog.errors import InputRefused, UsageError
from homolog.report import certificate_to_html, certificate_to_pdf
from homolog.report.messages import LANGUAGES, catalogue
from homolog.report.qr import qr_svg
from homolog.seal.certificate import Certificate, read_certificate
from tests.report.hostile import TEXTS
from tests.seal.making import certificate

ADDRESS = "https://register.example.org/types/HML-F-0001"


def make(**members: Any) -> Certificate:
    return read_certificate(certificate(**members))


def paper(data: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).replace("\N{ZERO WIDTH SPACE}", "").split())


def test_the_record_is_attached_byte_for_byte() -> None:
    data = certificate_to_pdf(make())
    assert dict(pypdf.PdfReader(io.BytesIO(data)).attachments) == {"certificate.json": [make().canonical()]}
    assert certificate_to_pdf(make()) == data


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_and_paper_say_what_was_decided(lang: str) -> None:
    given = make(
        family="none",
        valid_until="2028-03-01",
        decision={
            "outcome": "provisional",
            "by": "The board",
            "on": "2026-02-27",
            "reference": "Minutes 7",
            "reasons": "Supply is open.",
        },
    )
    words = catalogue(lang)
    edition = words.say("page.edition_of", {"body": "fistf", "edition": "4.0"})
    expected = [
        "HML-F-0001",
        "Sample figure",
        "Зразкова фігура",
        "Sample works",
        "The board, 2026-02-27",
        "Minutes 7",
        "Supply is open.",
        "2028-03-01",
        "2026-03-01",
        words.say("certificate.remark"),
        words.say("certificate.provisional", {"issuer": given.issuer, "name": "Sample figure", "edition": edition}),
    ]
    page, text = certificate_to_html(given, lang, ADDRESS).decode(), paper(certificate_to_pdf(given, lang, ADDRESS))
    assert [one for one in expected if one not in page] == []
    assert [one for one in expected if one not in text] == []
    assert f'<html lang="{lang}">' in page
    assert qr_svg(ADDRESS) in page
    digest = hashlib.sha256(given.canonical()).hexdigest()
    assert digest in page
    assert digest in text


def test_what_was_not_given_is_not_shown() -> None:
    page = certificate_to_html(make(names=["Sample figure"])).decode()
    for key in ("other_names", "family", "reference", "reasons"):
        assert f"<dt>{catalogue('en').say(f'certificate.{key}')}</dt>" not in page
    assert catalogue("en").say("certificate.no_end") in page
    assert 'class="check"' not in page


@pytest.mark.parametrize("text", [TEXTS["controls"], TEXTS["right_to_left"], "a\x1b[2Jb", "a\x9bb", "a\nb"])
def test_names_that_could_move_a_cursor_or_turn_the_writing_are_refused(text: str) -> None:
    with pytest.raises(InputRefused):
        make(names=[text])


@pytest.mark.parametrize("name", sorted(set(TEXTS) - {"controls", "right_to_left"}))
def test_names_of_strangers_are_text_and_nothing_else(name: str) -> None:
    text = TEXTS[name]
    given = Certificate.model_validate(make().model_dump() | {"names": [text], "maker": text})
    page = certificate_to_html(given).decode()
    assert "<script" not in page
    assert "<img" not in page
    assert certificate_to_pdf(given).startswith(b"%PDF-1.7")


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError):
        certificate_to_html(make(), "en", "javascript:alert(1)")
