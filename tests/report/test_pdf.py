from __future__ import annotations

import io
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pypdf
import pytest
import typst

from homolog.report import to_json, to_pdf
from homolog.report.glyphs import RANGES, Printer, can_print
from homolog.report.messages import LANGUAGES, catalogue
from homolog.report.pdf import STANDARDS
from homolog.report.sentence import say_verdict
from tests.report.hostile import TEXTS, hostile_report
from tests.report.samples import SVG, full_report, make_report, make_scan


def opened(data: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(data))


def text_of(data: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in opened(data).pages).split())


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return to_pdf(full_report())


def test_the_record_is_attached_byte_for_byte(pdf: bytes) -> None:
    assert dict(opened(pdf).attachments) == {"report.json": [to_json(full_report())]}


def test_the_file_declares_its_standards(pdf: bytes) -> None:
    metadata = opened(pdf).xmp_metadata
    assert metadata is not None
    packet = metadata.stream.get_data().decode()
    assert re.search(r"pdfaid:part>3<.*pdfaid:conformance>A<", packet, re.DOTALL)
    assert "pdfuaid:part>1<" in packet


def test_the_file_is_tagged_and_says_language_title_and_day(pdf: bytes) -> None:
    reader = opened(pdf)
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712 -- a PDF's own boolean
    assert root["/Lang"] == "en"
    assert root["/StructTreeRoot"]["/K"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"] == True  # noqa: E712
    assert reader.metadata is not None
    assert reader.metadata.title == "Conformity report: goalkeeper: not met"
    assert str(reader.metadata.creation_date) == "2026-03-01 00:00:00+00:00"
    assert reader.metadata.modification_date == reader.metadata.creation_date


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_is_set_with_its_letters(lang: str) -> None:
    data = to_pdf(full_report(), lang)
    assert opened(data).trailer["/Root"]["/Lang"] == lang
    assert say_verdict(catalogue(lang), full_report().record) in text_of(data)
    assert catalogue(lang).say("section.decision") in text_of(data)
    assert "□" not in text_of(data)


def test_pictures_and_bars_have_words_for_who_does_not_see_them(pdf: bytes) -> None:
    seen = [entry["/Alt"] for entry in structure(opened(pdf).trailer["/Root"]["/StructTreeRoot"]) if entry.get("/S") == "/Figure"]
    front = next(str(alt) for alt in seen if str(alt).startswith("The goalkeeper from the front"))
    assert "Height 38.95 ± 0.03\u00a0mm – met." in front
    assert "Cut here." in front
    assert "2 repaired places are hatched." in front
    assert any(str(alt).startswith("Measured 38.95 ± 0.03") for alt in seen)


def structure(node: object) -> list[pypdf.generic.DictionaryObject]:
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return [entry for inner in node for entry in structure(inner)]
    if not isinstance(node, pypdf.generic.DictionaryObject):
        return []
    return [node, *(structure(node["/K"]) if "/K" in node else [])]


def test_tables_have_heads(pdf: bytes) -> None:
    kinds = [entry.get("/S") for entry in structure(opened(pdf).trailer["/Root"]["/StructTreeRoot"])]
    assert {"/Table", "/TH", "/TD", "/H1", "/H2", "/Figure", "/Link"} <= set(kinds)


def test_the_same_record_gives_the_same_bytes(pdf: bytes) -> None:
    assert to_pdf(full_report()) == pdf


def test_reports_made_at_once_do_not_mix(pdf: bytes) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(to_pdf, [full_report(), make_report()] * 6))
    assert set(made[::2]) == {pdf}
    assert set(made[1::2]) == {to_pdf(make_report())}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_hostile_text_is_set_as_a_text(text: str) -> None:
    report = hostile_report(text)
    data = to_pdf(report)
    assert opened(data).attachments["report.json"] == [to_json(report)]
    shown = text_of(data)
    if text == TEXTS["typst"]:
        assert '#read("/etc/passwd")' in shown.replace("\u200b", "").replace("“", '"').replace("”", '"')
        assert "root:" not in shown


def test_signs_that_no_font_has_show_as_boxes_and_are_named() -> None:
    shown = text_of(to_pdf(hostile_report("漢😀")))
    assert "□□" in shown
    assert "U+6F22, U+1F600" in shown


def test_letters_of_a_picture_are_replaced_too() -> None:
    from homolog.scan.marks import Picture

    svg = SVG.replace("38.95 mm", "漢 &#x1F600; &#60; é")
    picture = Picture(name="a", title="b", alt="c", svg=svg)
    shown = text_of(to_pdf(make_report(scan=make_scan(pictures=(picture,)))))
    assert "U+6F22, U+1F600" in shown


def test_a_wide_picture_may_follow_a_narrow_one() -> None:
    from homolog.scan.marks import Picture

    narrow = SVG.replace('viewBox="0 0 200 100"', 'viewBox="0 0 100 200"')
    pictures = tuple(Picture(name=name, title=name, alt=f"of {name}", svg=svg) for name, svg in (("tall", narrow), ("long", SVG)))
    shown = text_of(to_pdf(make_report(scan=make_scan(pictures=pictures))))
    assert "of tall" in shown
    assert "of long" in shown


def test_every_sign_that_is_called_printable_can_be_set() -> None:
    signs = [chr(code) for start, end in RANGES for code in range(start, end + 1)]
    assert all(can_print(sign) for sign in signs)
    font = '#set text(lang: "en", font: ("Libertinus Serif", "DejaVu Sans Mono", "New Computer Modern"))\n'
    source = f'#set document(title: "x")\n{font}#sys.inputs.signs'
    data = typst.compile(source.encode(), sys_inputs={"signs": " ".join(signs)}, pdf_standards=STANDARDS, ignore_system_fonts=True)
    assert data.startswith(b"%PDF")


def test_any_letter_can_be_set_with_any_mark() -> None:
    signs = [chr(code) for start, end in RANGES for code in range(start, end + 1)]
    marks = [sign for sign in signs if unicodedata.combining(sign)]
    pairs = [sign + marks[index % len(marks)] for index, sign in enumerate(signs) if sign not in marks]
    font = '#set text(lang: "en", font: ("Libertinus Serif", "DejaVu Sans Mono", "New Computer Modern"))\n'
    source = f'#set document(title: "x")\n{font}#sys.inputs.signs'
    data = typst.compile(source.encode(), sys_inputs={"signs": " ".join(pairs)}, pdf_standards=STANDARDS, ignore_system_fonts=True)
    assert data.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("board.surface_fixed_to_hardboard", ["board.", "surface_", "fixed_", "to_", "hardboard"]),
        ("goalkeeper.volume.outer", ["goalkeeper.", "volume.", "outer"]),
        ("board.level", ["board.level"]),
        ("0.000000123456789012", ["0.000000123456789012"]),
        ("W" * 30, ["W" * 12, "W" * 12, "W" * 6]),
    ],
)
def test_an_id_breaks_at_its_joints_and_not_within_a_word(word: str, parts: list[str]) -> None:
    assert Printer().text(f"See {word}.").removeprefix("See ").removesuffix(".").split("\u200b") == parts


def test_long_words_get_places_to_break() -> None:
    assert Printer().text("W" * 30).replace("\u200b", "") == "W" * 30
    assert "\u200b" in Printer().text("W" * 30)
    assert "\u200b" not in Printer().text("word " * 30)
