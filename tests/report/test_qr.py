from __future__ import annotations

import io
import re

import pypdf
import pytest
import segno

from homolog.errors import UsageError
from homolog.report import lot_to_html, lot_to_pdf, to_html, to_pdf
from homolog.report.messages import LANGUAGES, catalogue
from homolog.report.qr import qr_svg
from tests.report.samples import full_report, make_report
from tests.report.test_lot import good, lot_of

ADDRESS = "https://register.example.org/verify/" + "ab" * 32


def modules(svg: str) -> list[list[int]]:
    """Return what is black, row by row, without the white around it."""
    found = re.search(r'viewBox="0 0 (\d+) \1"', svg)
    assert found is not None
    size = int(found[1])
    rows = [[0] * size for _ in range(size)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", svg):
        for at in range(int(x), int(x) + int(width)):
            rows[int(y)][at] = 1
    assert not any(any(row) for row in (*rows[:4], *rows[-4:]))
    assert not any(any(row[:4]) or any(row[-4:]) for row in rows)
    return [row[4:-4] for row in rows[4:-4]]


def test_the_code_is_that_of_the_address() -> None:
    expected = segno.make(ADDRESS, error="m", micro=False, boost_error=False)
    assert modules(qr_svg(ADDRESS)) == [[int(module) for module in row] for row in expected.matrix]


def test_the_code_is_black_on_white_whatever_is_around_it() -> None:
    assert set(re.findall(r'fill="([^"]+)"', qr_svg(ADDRESS))) == {"#fff", "#000"}
    assert "currentColor" not in qr_svg(ADDRESS)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "javascript:alert(1)",
        "ftp://example.org/",
        "https://",
        'https://example.org/"><script>',
        "https://example.org/a b",
        "https://example.org/\n",
        "https://exämple.org/",
        "https://user@example.org/",
        "https://example.org/#x",
        "https://example.org/" + "x" * 500,
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError) as refused:
        to_html(make_report(), "en", address)
    assert [problem.code for problem in refused.value.problems] == ["address_invalid"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_and_paper_lead_to_where_the_report_can_be_checked(lang: str) -> None:
    page = to_html(make_report(), lang, ADDRESS).decode()
    assert f'<a href="{ADDRESS}" rel="noreferrer">{ADDRESS}</a>' in page
    assert qr_svg(ADDRESS) in page
    assert catalogue(lang).say("page.check") in page
    assert f'aria-label="{catalogue(lang).say("page.check_alt", {"address": ADDRESS})}"' in page
    paper = pypdf.PdfReader(io.BytesIO(to_pdf(make_report(), lang, ADDRESS)))
    notes = [one.get_object() for sheet in paper.pages for one in sheet.get("/Annots", ())]
    assert ADDRESS in [note["/A"]["/URI"] for note in notes if "/A" in note and "/URI" in note["/A"]]
    assert catalogue(lang).say("page.check") in " ".join(paper.pages[0].extract_text().split())


def test_a_lot_leads_there_too() -> None:
    lot = lot_of(*good(3))
    assert qr_svg(ADDRESS) in lot_to_html(lot, "en", ADDRESS).decode()
    assert ADDRESS.encode() in lot_to_pdf(lot, "en", ADDRESS)


def test_without_an_address_there_is_no_code() -> None:
    assert 'class="check"' not in to_html(full_report()).decode()
    assert to_html(full_report()) == to_html(full_report(), "en", None)
    paper = pypdf.PdfReader(io.BytesIO(to_pdf(make_report())))
    assert catalogue("en").say("page.check") not in " ".join(paper.pages[0].extract_text().split())


def test_equal_addresses_give_equal_bytes() -> None:
    assert to_pdf(make_report(), "en", ADDRESS) == to_pdf(make_report(), "en", ADDRESS)
    assert to_pdf(make_report(), "en", ADDRESS) != to_pdf(make_report(), "en", ADDRESS + "1")
